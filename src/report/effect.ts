/** Whether what was done helped, harmed, or cannot be told, in sentences that carry their counts. */
import { html } from 'hono/html';
import { holm } from '../stats/index.ts';
import { formatCount, formatPValue, type Html, joinList } from './report-words.ts';
import { LEVEL } from './section.ts';

export interface Effect {
  readonly name: string;
  readonly gained: number;
  readonly lost: number;
  /** Exact, two-sided: over items where the result has them, else McNemar's. */
  readonly p: number;
  /** The least p that so few changes can give; at or above the level, nothing could have been told. */
  readonly least?: number;
}

/** What the sentences begin with, and what the counts are of. */
export interface EffectWords {
  readonly helped: Html;
  readonly harmed: Html;
  /** What comes between a difference that cannot be told, or is none, and the names. */
  readonly open: string;
  readonly counts: (effect: Effect) => string;
}

export function renderEffects(effects: readonly Effect[], words: EffectWords): Html[] {
  const told = effects.filter(({ p }) => p < LEVEL);
  const same = effects.filter(({ gained, lost }) => gained + lost === 0);
  const open = effects.filter((one) => one.p >= LEVEL && !same.includes(one));
  const helped = told.filter(({ gained, lost }) => gained > lost);
  const harmed = told.filter(({ gained, lost }) => gained < lost);
  const named = (some: readonly Effect[]) =>
    joinList(some.map((one) => `${one.name} (${words.counts(one)}, ${formatPValue(one.p)})`));
  const unsettled = open.map(({ name, gained, lost, least = 0 }) => {
    const never = least >= LEVEL ? `, where no p is below ${Number(least.toPrecision(2))}` : '';
    return `${name} (${gained} against ${lost}${never})`;
  });
  return [
    ...(helped.length > 0 ? [html`${words.helped} ${named(helped)}.`] : []),
    ...(harmed.length > 0 ? [html`${words.harmed} ${named(harmed)}.`] : []),
    ...(told.length > 0 && effects.length > 1 ? [standing(effects, told)] : []),
    ...(same.length > 0
      ? [html`No verdict came out differently ${words.open} ${joinList(same.map(({ name }) => name))}.`]
      : []),
    ...(open.length > 0
      ? [
          html`n is <strong>too small to tell</strong> ${words.open} ${joinList(unsettled)}: such a difference comes about by chance.`,
        ]
      : []),
  ];
}

/** Of many tests some succeed by chance: which hold all together. */
function standing(effects: readonly Effect[], told: readonly Effect[]): Html {
  const adjusted = holm(effects.map(({ p }) => p));
  const kept = told.filter((one) => (adjusted[effects.indexOf(one)] ?? 1) < LEVEL);
  const all = `Corrected for all ${effects.length} comparisons (Holm)`;
  if (kept.length === told.length) return html`${all}, that stands.`;
  if (kept.length === 0) return html`${all}, none of that stands.`;
  return html`${all}, that stands for ${joinList(kept.map(({ name }) => name))}.`;
}

/** What a reader of many tests must know. */
export function renderTestsNote(effects: readonly Effect[], test = 'exact McNemar test, two-sided'): Html {
  const expected = (effects.length * LEVEL).toFixed(1);
  return html`<p class="faint">p: ${test}, not corrected for the ${formatCount(effects.length, 'comparison')} made here;
of so many, ${expected} would fall below ${LEVEL} by chance alone.</p>`;
}
