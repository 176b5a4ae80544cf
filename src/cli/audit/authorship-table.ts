/** The outcome of `remand audit authorship` as a terminal shows it: sentences, then figures. */
import {
  type AuthorshipAnswer,
  type Evaluation,
  type ExactShare,
  formatShare as percent,
} from '../../audit/index.ts';
import { alignRows } from '../align-rows.ts';

interface Shown extends Evaluation {
  readonly reviews: number;
  readonly scored: number;
  readonly failed: number;
  readonly passed: Readonly<Record<string, number>>;
  readonly unscored: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** Answers for single reviews that are printed; the rest is in the file. */
const MOST = 20;

export function formatAuthorshipTable(result: Shown, answers: readonly AuthorshipAnswer[]): string {
  const rows = result.methods.flatMap(({ method, auc, bounded, targets }) =>
    targets.map(({ target, refused, fpr, tpr, expected }) => [
      ...[
        method,
        auc.value === null ? '-' : `${auc.value.toFixed(3)}${bounded ? ' at worst' : ''}`,
        percent(target),
      ],
      ...(refused === null
        ? [shown(tpr), shown(fpr), expected ? `${expected.low} to ${expected.high}` : '-']
        : ['refused', '', '']),
    ]),
  );
  const gone = [...Object.entries(result.passed), ...Object.entries(result.unscored)].map(
    ([why, count]) => `  ${count} not scored: ${why}`,
  );
  const said = answers.slice(0, MOST).map(({ id, words }) => `${id}: ${words}`);
  const more = answers.length > MOST ? [`… and ${answers.length - MOST} more in answers.jsonl`] : [];
  return `${[
    ...result.verdicts,
    '',
    alignRows([['method', 'AUC', 'promised', 'models found', 'people flagged', 'expected'], ...rows]),
    `${result.scored} of ${result.reviews} reviews scored, ${result.failed} failed${result.failed > 0 ? ' (start again to retry them)' : ''}; ${result.calls} calls`,
    ...gone,
    ...(said.length > 0 ? ['', ...said, ...more] : []),
  ].join('\n')}\n`;
}

function shown({ share, count, n }: ExactShare): string {
  return share === null ? '-' : `${percent(share)} (${count} of ${n})`;
}
