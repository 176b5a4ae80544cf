/** The cases behind the bars: a few of each outcome, with what the judge saw, said and said then. */
import { html } from 'hono/html';
import * as z from 'zod';
import { formatCount, type Html } from './report-words.ts';

const shownCase = z.object({
  /** The bar it stands behind: `probe`. */
  behind: z.string(),
  /** `wrong → right` */
  outcome: z.string(),
  id: z.string(),
  instruction: z.string(),
  /** Statements and other text beside the options. */
  context: z.array(z.string()),
  options: z.array(z.object({ label: z.string(), text: z.string(), right: z.boolean() })),
  steps: z.array(z.object({ what: z.string(), text: z.string().nullable() })),
});
export type ShownCase = z.output<typeof shownCase>;

/** A case as a line of a file beside the figures; `group` is the judge and strategy, or the detector. */
export const caseLine = shownCase.extend({ group: z.string() });
export type CaseLine = z.output<typeof caseLine>;

interface CaseLimits {
  /** Cases of each bar and outcome. */
  readonly each: number;
  /** Characters of each text. */
  readonly text: number;
}

export const CASE_LIMITS: CaseLimits = { each: 3, text: 900 };

/** A bar's cases as they come in; no more are held than are shown. */
export interface CaseGroup {
  readonly behind: string;
  readonly outcome: string;
  readonly count: number;
  readonly shown: readonly ShownCase[];
}

/** @param heading says whose they are, where several follow each other */
export function renderCases(
  groups: readonly CaseGroup[],
  limits: CaseLimits,
  heading = 'The cases behind the bars',
): Html | '' {
  if (groups.length === 0) return '';
  return html`<div class="behind"><h4>${heading}</h4>
${groups.map(({ behind, outcome, count, shown }) => {
  const rest = count - shown.length;
  return html`<details class="cases"><summary>${behind}: ${outcome} <span class="faint">(${formatCount(count, 'case')})</span></summary>
${shown.map((one) => caseBody(one, limits))}
${rest > 0 ? html`<p class="faint">${formatCount(rest, 'further case')} of this kind: in the records.</p>` : ''}</details>\n`;
})}</div>`;
}

function caseBody({ id, instruction, context, options, steps }: ShownCase, { text: most }: CaseLimits): Html {
  return html`<article><p class="faint">${id}</p>
<div class="text" tabindex="0">${cut(instruction, most)}</div>
${context.map((text) => html`<p class="label">Other text in the case</p><div class="text" tabindex="0">${cut(text, most)}</div>`)}
${options.map(
  ({ label, text, right }) =>
    html`<p class="label">${label}${right ? html` <strong>(the right one)</strong>` : ''}</p><div class="text" tabindex="0">${cut(text, most)}</div>`,
)}
<ol class="story">${steps.map(
    ({ what, text }) =>
      html`<li><p>${what}</p>${text === null || text.trim() === '' ? '' : html`<div class="text" tabindex="0">${cut(text, most)}</div>`}</li>`,
  )}</ol></article>`;
}

/** By code points: half a character would be none. */
function cut(text: string, most: number): string {
  const whole = [...text];
  if (whole.length <= most) return text;
  return `${whole.slice(0, most).join('')} … (${formatCount(whole.length - most, 'character')} more)`;
}
