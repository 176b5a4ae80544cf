/** `remand eval judge --records`: what judges said before, read from a file; no judge is asked. */
import { InputError } from '../../errors.ts';
import {
  CASCADE_SHARES,
  COVERAGES,
  evaluateRecords,
  groupJudgments,
  LabelRecord,
  PastJudgment,
  type RecordsEvaluation,
} from '../../evaluate/index.ts';
import { readAllJsonl } from '../../records/node.ts';
import { alignRows } from '../align-rows.ts';

/**
 * @param records path of a JSONL file of judgments
 * @param labels path of a JSONL file of labels; null where they stand beside the judgments
 * @throws InputError for a file that cannot be read, and where no verdict has a label
 */
export async function evaluateRecordsFile(
  records: string,
  labels: string | null,
): Promise<RecordsEvaluation> {
  const said = await readAllJsonl(records, PastJudgment, '--records');
  const people = labels === null ? [] : await readAllJsonl(labels, LabelRecord, '--labels');
  const result = evaluateRecords(groupJudgments(said, people));
  if (Object.keys(result.judges).length === 0)
    throw new InputError(
      '--records',
      `${records} holds no verdict on an item with a label; give --labels, or a field label in each record`,
    );
  return result;
}

export function formatRecordsTable({ judges, cascades, panel }: RecordsEvaluation): string {
  const percent = (share: number | undefined) => (share === undefined ? '' : `${(100 * share).toFixed(1)}%`);
  const counts = [...new Set(Object.values(judges).flatMap(({ samples }) => Object.keys(samples)))];
  const table = alignRows([
    [
      'judge',
      'items',
      'accuracy, 95%',
      'orders agree',
      ...COVERAGES.slice(1).map((share) => `risk of surest ${100 * share}%`),
      'area under risk',
      ...counts.map((count) => `${count} sample${count === '1' ? '' : 's'}`),
    ],
    ...Object.entries(judges).map(([name, judge]) => [
      name,
      String(judge.n),
      `${percent(judge.accuracy)}${'low' in judge.interval ? ` (${percent(judge.interval.low)}–${percent(judge.interval.high)})` : ''}`,
      judge.agreement === null ? '' : percent(judge.agreement),
      ...COVERAGES.slice(1).map((share) => percent(judge.coverage[String(share)])),
      judge.area_under_risk.toFixed(3),
      ...counts.map((count) => {
        const drawn = judge.samples_drawn[count];
        return judge.samples[count] === undefined
          ? ''
          : `${percent(judge.samples[count])}${drawn === undefined || drawn === Number(count) ? '' : ` (${drawn.toFixed(1)} drawn)`}`;
      }),
    ]),
  ]);
  const after = Object.entries(cascades);
  const second =
    after.length === 0
      ? ''
      : `\nThe first judge, and the second where the first is least sure:\n${alignRows([
          ['first>second', ...CASCADE_SHARES.map((share) => `${100 * share}% sent on`)],
          ...after.map(([name, points]) => [
            name,
            ...points.map(({ accuracy, calls }) => `${percent(accuracy)}, ${calls.toFixed(2)} calls`),
          ]),
        ])}`;
  const together = panel
    ? `\nA vote of all ${panel.judges.length} on ${panel.n} items: ${percent(panel.accuracy)}; the best alone, ${panel.bestJudge.name}: ${percent(panel.bestJudge.accuracy)}.${
        panel.errorCorrelation === null || panel.effectiveJudges === null
          ? ''
          : ` Their errors correlate by ${panel.errorCorrelation.toFixed(2)}: they are worth ${panel.effectiveJudges.toFixed(1)} judges with errors of their own.`
      }\n`
    : '';
  const lacking = Object.entries(judges).flatMap(([name, { unread, unlabelled }]) =>
    unread + unlabelled > 0
      ? [`${name}: ${unread} items without a verdict and ${unlabelled} without a label are not counted.`]
      : [],
  );
  return `${table}${second}${together}${lacking.length > 0 ? `\n${lacking.join('\n')}\n` : ''}`;
}
