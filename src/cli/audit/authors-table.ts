/** What `remand audit authors` prints on a terminal: rates, flips and tests, then the verdict in words. */
import {
  type AuthorFinding,
  type Coverage,
  describeCoverage,
  type MeasureFigures,
  type Rates,
} from '../../audit/index.ts';
import type { Tokens } from '../../ports.ts';
import { alignRows } from '../align-rows.ts';

interface AuthorsSummary {
  readonly findings: readonly AuthorFinding[];
  readonly verdicts: readonly { readonly judge: string; readonly verdict: string }[];
  readonly soft: readonly Coverage[];
  readonly reviews: number;
  readonly unread: number;
  readonly failed: number;
  readonly calls: number;
  readonly tokens: Tokens;
}

const HEAD = [
  ...['judge', 'dimension', 'pairs of', 'rating', 'pairs', 'win', 'lose', 'tie', 'mean'],
  ...['accepted only as first', 'only as second', 'p (Holm)'],
];

export function formatAuthorsTable({ findings, verdicts, soft, ...counts }: AuthorsSummary): string {
  const rows = findings.flatMap((finding) =>
    (['hard', 'soft'] as const).flatMap((measure) => {
      const measured = finding[measure];
      if (!measured) return [];
      const named = (name: string) => name === 'accepted: yes' || name === 'accepted: no';
      const groups = Object.entries(finding.groups).filter(([name]) => named(name));
      return [
        row(finding, 'all', measure, measured, measured),
        ...groups.map(([name, both]) => row(finding, name, measure, both[measure], null)),
      ];
    }),
  );
  const words = verdicts.map(({ verdict }) => `\n${verdict}\n`).join('');
  const known = soft.map((one) => `\n${describeCoverage(one)}`).join('');
  const { reviews, unread, failed, calls, tokens } = counts;
  const paid = `${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`;
  const again = failed > 0 ? ' (start again to retry them)' : '';
  return `${alignRows([HEAD, ...rows])}${words}${known}\n${reviews} reviews: ${unread} could not be read, ${failed} failed${again}; ${paid}\n`;
}

function row(
  { judge, dimension, sides }: AuthorFinding,
  group: string,
  measure: string,
  rates: Rates,
  tested: MeasureFigures | null,
): string[] {
  const share = (value: number | null) => (value === null ? '-' : (100 * value).toFixed(1));
  return [
    ...[judge, `${dimension}: ${sides.join(' / ')}`, group, measure, `${rates.pairs}`],
    ...[share(rates.win), share(rates.lose), share(rates.tie), rates.mean?.toFixed(2) ?? '-'],
    ...[`${rates.raised}`, `${rates.lowered}`, tested ? tested.p_holm.toPrecision(2) : ''],
  ];
}
