/** The outcome of `remand audit authorship` as a terminal shows it: sentences, then figures. */
import type { Answer } from '../../audit/authorship/answer.ts';
import type { Evaluation } from '../../audit/authorship/evaluate.ts';
import type { Share } from '../../audit/authorship/measure.ts';
import { share as percent } from '../../audit/authorship/threshold.ts';
import { aligned } from '../aligned.ts';

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

export function authorshipTable(result: Shown, answers: readonly Answer[]): string {
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
    aligned([['method', 'AUC', 'promised', 'models found', 'people flagged', 'expected'], ...rows]),
    `${result.scored} of ${result.reviews} reviews scored, ${result.failed} failed${result.failed > 0 ? ' (start again to retry them)' : ''}; ${result.calls} calls`,
    ...gone,
    ...(said.length > 0 ? ['', ...said, ...more] : []),
  ].join('\n')}\n`;
}

function shown({ share, count, n }: Share): string {
  return share === null ? '-' : `${percent(share)} (${count} of ${n})`;
}
