/** Recorded judges that were sent back, beside the same judge asked once in another way. */
import { html } from 'hono/html';
import { holm, wilson } from '../../stats/index.ts';
import { renderDrawing } from '../chart.ts';
import { drawHeatmap } from '../charts.ts';
import type { Effect } from '../effect.ts';
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  type Html,
  joinList,
  renderShareCell,
  renderTable,
  toInterval,
} from '../report-words.ts';
import type { RecordedJudge } from '../results.ts';
import { LEVEL } from '../section.ts';
import { choosePValue, findLeastP, renderDifferenceCell, renderPCell } from './by-item.ts';

/** A judge under a strategy. */
export interface NamedJudge {
  readonly name: string;
  readonly of: RecordedJudge;
}

/** One for each strategy that was sent back and each that was not. */
export function compareBaselines(sent: readonly NamedJudge[]): Effect[] {
  return besides(sent).map(({ name, other, pair }) => ({
    ...{ name: `${name} beside ${other}`, gained: pair.gained, lost: pair.lost },
    ...{ p: choosePValue(pair), least: findLeastP(pair.by_item) },
  }));
}

/** Only what stands when all comparisons are corrected for: they are many, and the table has them all. */
export function renderBaselineSentence(effects: readonly Effect[]): Html[] {
  if (effects.length === 0) return [];
  const adjusted = holm(effects.map(({ p }) => p));
  const told = effects.filter((_, index) => (adjusted[index] ?? 1) < LEVEL);
  const named = (some: readonly Effect[]) =>
    joinList(some.map(({ name, gained, lost }) => `${name} (${gained} against ${lost})`));
  const better = told.filter(({ gained, lost }) => gained > lost);
  const worse = told.filter(({ gained, lost }) => gained < lost);
  const open = effects.length - told.length;
  return [
    html`Beside the same judge asked once in another way (${formatCount(effects.length, 'comparison')}, Holm-corrected), sending back is
${better.length > 0 ? html`<strong class="gain">better</strong> for ${named(better)}; ` : ''}${
  worse.length > 0 ? html`<strong class="loss">worse</strong> for ${named(worse)}; ` : ''
}${open > 0 ? html`n is <strong>too small to tell</strong> in ${open === effects.length ? 'all' : `the other ${open}`}` : 'all are told apart'}.`,
  ];
}

/**
 * @param once asked once and never again: for them there is nothing before and after
 * @returns nothing where there is no baseline
 */
export function renderBaselines(sent: readonly NamedJudge[], once: readonly NamedJudge[]): Html[] {
  const all = besides(sent);
  if (once.length === 0 && all.length === 0) return [];
  return [
    html`<h3>Beside the same judge, asked once</h3>
<p>A gain over a judge's own first verdicts is no gain over a better way to ask it. Here its verdicts after sending back stand beside those
that it gave under a prompt that was never sent back.</p>`,
    ...(all.length > 0 ? compared(all) : []),
    ...(once.length > 0 ? [alone(once)] : []),
  ];
}

function compared(all: ReturnType<typeof besides>): Html[] {
  const cells = all.map(({ name, other, pair }) => ({
    ...{ row: name, column: other, strength: (pair.accuracy - pair.baseline_accuracy) * 10 },
    text: `${formatPoints(pair.accuracy - pair.baseline_accuracy)} pt\np ${formatPValue(choosePValue(pair)).slice(2)}`,
  }));
  return [
    renderDrawing(
      drawHeatmap(cells, {
        title: 'Accuracy after sending back, less that of the judge asked once.',
        caption: 'In percentage points, with the p value of the exact test over items.',
      }),
    ),
    renderTable(
      [
        ...['judge / strategy', 'asked once under', 'judgments', 'accuracy here', 'there'],
        ...['right only here', 'right only there', 'difference in points', 'p, over items', 'McNemar'],
      ],
      all.map(({ name, other, pair }) => [
        ...[name, other, pair.n, formatPercent(pair.accuracy), formatPercent(pair.baseline_accuracy)],
        ...[pair.gained, pair.lost, renderDifferenceCell(pair.by_item), renderPCell(pair.by_item)],
        formatPValue(pair.mcnemar_p),
      ]),
    ),
  ];
}

function alone(once: readonly NamedJudge[]): Html {
  const share = (value: number, n: number) =>
    renderShareCell(n === 0 ? null : value, toInterval(wilson(Math.round(value * n), n)), 'no items');
  return renderTable(
    ['judge / strategy, asked once', 'items', 'unreadable', 'accuracy', 'orders agree'],
    once.map(({ name, of }) => [
      ...[name, of.n, of.unreadable],
      ...[share(of.accuracy_before, of.n), share(of.agreement_before, of.n)],
    ]),
  );
}

function besides(sent: readonly NamedJudge[]) {
  return sent.flatMap(({ name, of }) =>
    Object.entries(of.against).map(([other, pair]) => ({ name, other, pair })),
  );
}
