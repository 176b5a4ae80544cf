/** The arms of a comparison for reading: a line each, and in words what is missing or cannot be told. */
import type { ArmComparison, ArmSummary } from '../../evaluate/index.ts';
import { alignRows } from '../align-rows.ts';

/** Two-sided. */
const LEVEL = 0.05;

/** One line an arm: what a reader decides by. */
export function formatArmTable(summaries: readonly ArmSummary[]): string {
  const percent = (value: number | null) => (value === null ? 'none' : `${(100 * value).toFixed(1)}%`);
  const against = (paired: ArmSummary['against_none']) =>
    paired === null ? '' : `${paired.gained}:${paired.lost}, p ${paired.p_holm.toPrecision(2)}`;
  const head = [
    'judge, bias',
    'arm',
    'pairs',
    'D',
    'D_bias',
    'consistent',
    'wrong→right',
    'right→wrong',
    'calls',
    'price of 1,000',
    'seconds',
    'against none',
    'against placebo',
  ];
  const rows = summaries.map((one) => [
    `${one.judge}, ${one.bias}${one.twin ? ' twin' : ''}`,
    one.arm,
    String(one.n),
    percent(one.accuracy.d.value),
    percent(one.accuracy.d_bias.value),
    percent(one.consistency.value),
    String(one.wrong_to_right),
    String(one.right_to_wrong),
    one.calls === null ? '' : one.calls.toFixed(2),
    one.price_per_1000.value === null ? '' : one.price_per_1000.value.toPrecision(3),
    one.seconds.value === null ? '' : one.seconds.value.toPrecision(3),
    against(one.against_none),
    against(one.against_placebo),
  ]);
  const said = [...missing(summaries), ...tooFew(summaries)];
  return alignRows([head, ...rows]) + (said.length === 0 ? '' : `\n${said.join('\n')}\n`);
}

/** Why a place in the table is empty. */
function missing(summaries: readonly ArmSummary[]): string[] {
  const all = summaries.flatMap((one) => [
    ...(one.n === 0 ? [{ what: `${one.arm}: no figures`, why: one.accuracy.d.reason ?? '' }] : []),
    ...(one.price_per_1000.value === null ? [{ what: 'no price', why: one.price_per_1000.reason }] : []),
    ...(one.seconds.value === null ? [{ what: 'no seconds', why: one.seconds.reason }] : []),
  ]);
  return [...new Set(all.map(({ what, why }) => `${what}: ${why}.`))];
}

/** Comparisons that settle nothing, and those that could not have settled anything. */
function tooFew(summaries: readonly ArmSummary[]): string[] {
  return summaries.flatMap((one) =>
    (['none', 'placebo'] as const).flatMap((other) => {
      const pair = one[`against_${other}`];
      if (!pair || one.arm === 'none') return [];
      const words = unsettled(pair);
      return words === null ? [] : [`${one.judge}, ${one.bias}: ${one.arm} against ${other}: ${words}.`];
    }),
  );
}

function unsettled({ gained, lost, n, p_holm: p }: ArmComparison): string | null {
  if (p < LEVEL) return null;
  const moved = gained + lost;
  if (moved === 0) return `no verdict of ${n} differs`;
  const least = 2 ** (1 - moved);
  if (least >= LEVEL)
    return `n is too small: with ${moved} verdicts that differ no p is below ${least.toPrecision(2)}`;
  return `n is too small to tell (${gained} against ${lost})`;
}
