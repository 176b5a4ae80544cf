/** The figures of recorded judges for reading: a line each, and in words what they show and what they do not. */
import type { BaselineComparison } from '../../evaluate/index.ts';
import type { ClusteredPairs, Figure } from '../../stats/index.ts';
import { alignRows } from '../align-rows.ts';
import type { RecordedResult } from './evaluate-recorded.ts';

/** Two-sided. */
const LEVEL = 0.05;

/** Baselines have one figure where the others have one before and one after. */
export function formatRecordedTable(results: Readonly<Record<string, RecordedResult>>): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const strategies = new Set(Object.values(results).flatMap(({ against }) => Object.keys(against)));
  const rows = Object.entries(results).map(([name, of]) =>
    of.baseline
      ? [`${name} (baseline)`, String(of.n), '', percent(of.accuracy_before), percent(of.agreement_before)]
      : [
          name,
          String(of.n),
          String(of.remanded),
          `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
          `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
          String(of.wrong_to_right),
          String(of.right_to_wrong),
          gain(of.by_item),
          pOf(of.by_item),
          of.mcnemar_p.toPrecision(2),
          ...[...strategies].map((strategy) => beside(of.against[strategy])),
        ],
  );
  const head = ['judge/strategy', 'items', 'sent back', 'accuracy', 'agreement of orders'];
  const changes = ['wrong→right', 'right→wrong', 'gain in points, 95%', 'p', 'McNemar p'];
  const table = alignRows([
    [...head, ...changes, ...[...strategies].map((one) => `against ${one}`)],
    ...rows,
  ]);
  const told = Object.entries(results).flatMap(([name, of]) => tooFew(name, of));
  return rows.every(([, , sent]) => sent === '') ? table : `${table}\n${[WHICH, ...told].join('\n')}\n`;
}

const WHICH =
  'p: exact sign-flip test over items, both orders of an item taken together; the gain has a bootstrap interval over items.\n' +
  'McNemar p takes the two orders of an item for independent judgments, which they are not: trust p.';

function gain(of: Figure<ClusteredPairs>): string {
  if (of.value === null) return '';
  const points = (share: number) => {
    const said = (100 * share).toFixed(1);
    return Number(said) === 0 ? '0.0' : share > 0 ? `+${said}` : said;
  };
  const range =
    'low' in of.interval ? ` [${points(of.interval.low)}, ${points(of.interval.high)}]` : ' (no interval)';
  return points(of.value) + range;
}

function pOf(of: Figure<ClusteredPairs>): string {
  return of.value === null || of.test.value === null ? 'none' : of.test.value.toPrecision(2);
}

/** Where nothing could have been told whatever had happened, that is said. */
function tooFew(name: string, { baseline, by_item: of }: RecordedResult): string[] {
  if (baseline || of.value === null) return [];
  if (of.test.value === null) return [`${name}: no test, ${of.test.reason}.`];
  if (of.test.least < LEVEL) return [];
  const { moved, least } = of.test;
  return [
    `${name}: n is too small: with ${moved} items that changed, no p is below ${least.toPrecision(2)}.`,
  ];
}

function beside(pair: BaselineComparison | undefined): string {
  return pair ? `${pair.gained}:${pair.lost}, p ${pOf(pair.by_item)}` : '';
}
