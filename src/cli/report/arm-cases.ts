/** The cases behind the arms of a comparison: the records of the run, and the rows of D_bias they are about. */
import { dirname } from 'node:path';
import { type DatasetRow, datasetRow, listDatasetFiles } from '../../dataset/index.ts';
import { type ArmDecision, type ArmOutcome, type ArmRecord, armRecord } from '../../evaluate/index.ts';
import { readJsonl } from '../../records/node.ts';
import { type CaseGroup, nameArmGroup, type ShownCase } from '../../report/index.ts';
import { createCaseGatherer } from './gather-cases.ts';

/** What tells most comes first. */
const OUTCOMES: readonly string[] = [
  'wrong → right',
  'right → wrong',
  'wrong → tie',
  'right → tie',
  'tie → right',
  'tie → wrong',
  'stayed wrong',
  'stayed right',
  'stayed tie',
  'failed',
];

/**
 * @param path of the records; the rows are looked for in the same folder
 * @returns by the name of the group of bars
 * @throws InputError where a line is wrong, or a file of rows is missing
 */
export async function readArmCases(path: string): Promise<ReadonlyMap<string, readonly CaseGroup[]>> {
  const cases = createCaseGatherer<ArmRecord>();
  const wanted = new Map<string, DatasetRow | null>();
  /** Arms in the order in which they come. */
  const arms = new Set<string>();
  for await (const record of readJsonl(path, armRecord)) {
    arms.add(record.arm);
    const place = { group: nameArmGroup(record), behind: record.arm, outcome: outcomeOf(record) };
    if (cases.add(place, record)) wanted.set(record.id, null);
  }
  // Only the rows that are shown are held.
  for await (const row of readJsonl(listDatasetFiles(dirname(path)).dBias, datasetRow))
    if (wanted.has(row.id)) wanted.set(row.id, row);
  const names = [...arms];
  return cases.groups(
    (record, outcome) => {
      const row = wanted.get(record.id);
      return row ? shownCase(record, row, outcome) : null;
    },
    (a, b) =>
      names.indexOf(a.behind) - names.indexOf(b.behind) ||
      OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome),
  );
}

function outcomeOf({ d_bias: outcome, right }: ArmRecord): string {
  if (outcome === null) return 'failed';
  const [before, after] = [outcome.first, outcome.final].map((said) =>
    said === 'tie' ? said : said === right.d_bias ? 'right' : 'wrong',
  );
  return before === after ? `stayed ${before}` : `${before} → ${after}`;
}

function shownCase(record: ArmRecord, row: DatasetRow, outcome: string): ShownCase {
  return {
    behind: record.arm,
    outcome,
    id: row.id,
    instruction: row.instruction,
    context: row.statements,
    options: row.options.map((text, index) => ({
      label: row.labels[index] ?? `${index + 1}`,
      text,
      right: index === row.right,
    })),
    steps:
      record.d_bias === null ? [{ what: 'It failed.', text: record.error }] : stepsOf(record.d_bias, row),
  };
}

function stepsOf(
  { standing, replies, reasons, found, sent_back: sentBack, insisted, calls }: ArmOutcome,
  row: DatasetRow,
): ShownCase['steps'] {
  const said = (decision: ArmDecision) =>
    decision === null
      ? 'no verdict that could be read'
      : decision === 'tie'
        ? 'a tie'
        : (row.labels[decision] ?? `${decision + 1}`);
  const steps = standing.flatMap((decision, round) => [
    {
      what:
        round === 0 ? `The judge decided: ${said(decision)}.` : `Then, in round ${round}: ${said(decision)}.`,
      text: replies[round] ?? null,
    },
    ...(reasons[round] ? [{ what: 'The detector said:', text: reasons[round] }] : []),
  ]);
  const back =
    sentBack === 0 ? 'Nothing was sent back' : `Sent back ${sentBack === 1 ? 'once' : `${sentBack} times`}`;
  const why = found.length === 0 ? '' : ` for ${found.join(', ')}`;
  return [
    ...steps,
    { what: `${back}${why}${insisted ? '; the judge insisted' : ''}. Model calls: ${calls}.`, text: null },
  ];
}
