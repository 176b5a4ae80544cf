/** Detectors of one run beside each other: they were asked about the same rows, so their labels are pairs. */
import { html } from 'hono/html';
import { type Effect, type EffectWords, renderEffects } from '../effect.ts';
import { formatPercent, formatPValue, type Html, renderTable } from '../report-words.ts';
import type { DetectorsResult } from '../results.ts';
import { choosePValue, findLeastP, renderDifferenceCell, renderPCell } from './by-item.ts';

interface Compared {
  readonly name: string;
  readonly other: string;
  readonly pair: DetectorsResult[string]['against'][string];
}

const WORDS: EffectWords = {
  helped: html`On the same rows, <strong class="gain">right more often</strong>:`,
  harmed: html`On the same rows, <strong class="loss">right less often</strong>:`,
  open: 'for',
  counts: ({ gained, lost }) => `right where the other is wrong ${gained} times, the reverse ${lost}`,
};

/** Each two of them once. */
function comparedOnce(detectors: DetectorsResult): Compared[] {
  const names = Object.keys(detectors);
  return names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = detectors[name]?.against[other];
      return pair ? [{ name, other, pair }] : [];
    }),
  );
}

export function renderComparisonSentences(detectors: DetectorsResult): Html[] {
  const effects = comparedOnce(detectors).map(
    ({ name, other, pair }): Effect => ({
      ...{ name: `${name} beside ${other}`, gained: pair.gained, lost: pair.lost },
      ...{ p: choosePValue(pair), least: findLeastP(pair.by_item) },
    }),
  );
  return renderEffects(effects, WORDS);
}

/** @returns nothing where there is one detector, or none was recorded beside another */
export function renderComparisonTable(detectors: DetectorsResult): Html[] {
  const all = comparedOnce(detectors);
  if (all.length === 0) return [];
  return [
    html`<h3>Beside each other, on the same rows</h3>`,
    renderTable(
      [
        ...['detector', 'beside', 'rows both answered', 'accuracy', 'of the other'],
        ...['right only here', 'right only there', 'difference in points', 'p, over questions'],
        'McNemar',
      ],
      all.map(({ name, other, pair }) => [
        ...[name, other, pair.n, formatPercent(pair.accuracy), formatPercent(pair.other_accuracy)],
        ...[pair.gained, pair.lost, renderDifferenceCell(pair.by_item), renderPCell(pair.by_item)],
        formatPValue(pair.mcnemar_p),
      ]),
    ),
    html`<p class="faint">p: exact sign-flip test, two-sided, with all rows about one question taken together, which McNemar's does not; the difference has a bootstrap
interval over questions, 95%. Detectors of different runs are not compared here: what they were asked may differ.</p>`,
  ];
}
