/** Recorded judges that were sent back, beside the same judge asked once in another way. */
import { html } from 'hono/html';
import { holm } from '../../stats/holm.ts';
import { figure } from '../chart.ts';
import { heatmap } from '../charts.ts';
import type { Effect } from '../effect.ts';
import type { RecordedJudge } from '../results.ts';
import { LEVEL } from '../section.ts';
import { counted, type Html, listed, percent, points, pValue, table } from '../words.ts';
import { differenceCell, leastOf, pCell, trusted } from './by-item.ts';

/** A judge under a strategy. */
export interface Named {
  readonly name: string;
  readonly of: RecordedJudge;
}

/** One for each strategy that was sent back and each that was not. */
export function baselineEffects(sent: readonly Named[]): Effect[] {
  return besides(sent).map(({ name, other, pair }) => ({
    ...{ name: `${name} beside ${other}`, gained: pair.gained, lost: pair.lost },
    ...{ p: trusted(pair), least: leastOf(pair.by_item) },
  }));
}

/** Only what stands when all comparisons are corrected for: they are many, and the table has them all. */
export function besideSentence(effects: readonly Effect[]): Html[] {
  if (effects.length === 0) return [];
  const adjusted = holm(effects.map(({ p }) => p));
  const told = effects.filter((_, index) => (adjusted[index] ?? 1) < LEVEL);
  const named = (some: readonly Effect[]) =>
    listed(some.map(({ name, gained, lost }) => `${name} (${gained} against ${lost})`));
  const better = told.filter(({ gained, lost }) => gained > lost);
  const worse = told.filter(({ gained, lost }) => gained < lost);
  const open = effects.length - told.length;
  return [
    html`Beside the same judge asked once in another way (${counted(effects.length, 'comparison')}, Holm-corrected), sending back is
${better.length > 0 ? html`<strong class="gain">better</strong> for ${named(better)}; ` : ''}${
  worse.length > 0 ? html`<strong class="loss">worse</strong> for ${named(worse)}; ` : ''
}${open > 0 ? html`n is <strong>too small to tell</strong> in ${open === effects.length ? 'all' : `the other ${open}`}` : 'all are told apart'}.`,
  ];
}

/** @returns nothing where there is no baseline */
export function baselines(sent: readonly Named[]): Html[] {
  const all = besides(sent);
  if (all.length === 0) return [];
  const cells = all.map(({ name, other, pair }) => ({
    ...{ row: name, column: other, strength: (pair.accuracy - pair.baseline_accuracy) * 10 },
    text: `${points(pair.accuracy - pair.baseline_accuracy)} pt\np ${pValue(trusted(pair)).slice(2)}`,
  }));
  return [
    html`<h3>Beside the same judge, asked once</h3>
<p>A gain over a judge's own first verdicts is no gain over a better way to ask it. Here its verdicts after sending back stand beside those
that it gave under a prompt that was never sent back.</p>`,
    figure(
      heatmap(cells, {
        title: 'Accuracy after sending back, less that of the judge asked once.',
        caption: 'In percentage points, with the p value of the exact test over items.',
      }),
    ),
    table(
      [
        ...['judge / strategy', 'asked once under', 'judgments', 'accuracy here', 'there'],
        ...['right only here', 'right only there', 'difference in points', 'p, over items'],
        'McNemar, judgments as if independent',
      ],
      all.map(({ name, other, pair }) => [
        ...[name, other, pair.n, percent(pair.accuracy), percent(pair.baseline_accuracy)],
        ...[pair.gained, pair.lost, differenceCell(pair.by_item), pCell(pair.by_item)],
        pValue(pair.mcnemar_p),
      ]),
    ),
  ];
}

function besides(sent: readonly Named[]) {
  return sent.flatMap(({ name, of }) =>
    Object.entries(of.against).map(([other, pair]) => ({ name, other, pair })),
  );
}
