/** Detectors of one run beside each other: they were asked about the same rows, so their labels are pairs. */
import { html } from 'hono/html';
import { type Effect, type EffectWords, effectSentences } from '../effect.ts';
import type { Detectors } from '../results.ts';
import { type Html, percent, pValue, table } from '../words.ts';
import { differenceCell, leastOf, pCell, trusted } from './by-item.ts';

interface Compared {
  readonly name: string;
  readonly other: string;
  readonly pair: Detectors[string]['against'][string];
}

const WORDS: EffectWords = {
  helped: html`On the same rows, <strong class="gain">right more often</strong>:`,
  harmed: html`On the same rows, <strong class="loss">right less often</strong>:`,
  open: 'for',
  counts: ({ gained, lost }) => `right where the other is wrong ${gained} times, the reverse ${lost}`,
};

/** Each two of them once. */
function comparedOnce(detectors: Detectors): Compared[] {
  const names = Object.keys(detectors);
  return names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = detectors[name]?.against[other];
      return pair ? [{ name, other, pair }] : [];
    }),
  );
}

export function comparisonSentences(detectors: Detectors): Html[] {
  const effects = comparedOnce(detectors).map(
    ({ name, other, pair }): Effect => ({
      ...{ name: `${name} beside ${other}`, gained: pair.gained, lost: pair.lost },
      ...{ p: trusted(pair), least: leastOf(pair.by_item) },
    }),
  );
  return effectSentences(effects, WORDS);
}

/** @returns nothing where there is one detector, or none was recorded beside another */
export function comparisonTable(detectors: Detectors): Html[] {
  const all = comparedOnce(detectors);
  if (all.length === 0) return [];
  return [
    html`<h3>Beside each other, on the same rows</h3>`,
    table(
      [
        ...['detector', 'beside', 'rows both answered', 'accuracy', 'of the other'],
        ...['right only here', 'right only there', 'difference in points', 'p, over questions'],
        'McNemar',
      ],
      all.map(({ name, other, pair }) => [
        ...[name, other, pair.n, percent(pair.accuracy), percent(pair.other_accuracy)],
        ...[pair.gained, pair.lost, differenceCell(pair.by_item), pCell(pair.by_item)],
        pValue(pair.mcnemar_p),
      ]),
    ),
    html`<p class="faint">p: exact sign-flip test, two-sided, with all rows about one question taken together, which McNemar's does not; the difference has a bootstrap
interval over questions, 95%. Detectors of different runs are not compared here: what they were asked may differ.</p>`,
  ];
}
