/** Whether what was done helped, harmed, or cannot be told, in sentences that carry their counts. */
import { html } from 'hono/html';
import { LEVEL } from './section.ts';
import { counted, type Html, listed, pValue } from './words.ts';

export interface Effect {
  readonly name: string;
  readonly gained: number;
  readonly lost: number;
  /** Exact McNemar, two-sided. */
  readonly p: number;
}

/** What the sentences begin with, and what the counts are of. */
export interface EffectWords {
  readonly helped: Html;
  readonly harmed: Html;
  /** `cannot be told` begins it; this ends it. */
  readonly open: string;
  readonly counts: (effect: Effect) => string;
}

export function effectSentences(effects: readonly Effect[], words: EffectWords): Html[] {
  const told = effects.filter(({ p }) => p < LEVEL);
  const open = effects.filter(({ p }) => p >= LEVEL);
  const helped = told.filter(({ gained, lost }) => gained > lost);
  const harmed = told.filter(({ gained, lost }) => gained < lost);
  const named = (some: readonly Effect[]) =>
    listed(some.map((one) => `${one.name} (${words.counts(one)}, ${pValue(one.p)})`));
  const unsettled = open.map(({ name, gained, lost }) => `${name} (${gained} against ${lost})`);
  return [
    ...(helped.length > 0 ? [html`${words.helped} ${named(helped)}.`] : []),
    ...(harmed.length > 0 ? [html`${words.harmed} ${named(harmed)}.`] : []),
    ...(open.length > 0
      ? [
          html`n is <strong>too small to tell</strong> ${words.open} ${listed(unsettled)}: such a difference comes about by chance.`,
        ]
      : []),
  ];
}

/** What a reader of many tests must know. */
export function testsNote(effects: readonly Effect[]): Html {
  const expected = (effects.length * LEVEL).toFixed(1);
  return html`<p class="faint">p: exact McNemar test, two-sided, not corrected for the ${counted(effects.length, 'comparison')} made here;
of so many, ${expected} would fall below ${LEVEL} by chance alone.</p>`;
}
