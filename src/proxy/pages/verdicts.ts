/** The first verdict and the last, side by side, and what people say of them. */

import { html } from 'hono/html';
import { describeTraced } from '../../case/index.ts';
import type { Trace, TraceVerdict } from '../../trace/index.ts';
import type { Label } from '../labels/label.ts';
import type { PageHtml } from './page.ts';

/**
 * @param label null where nobody has said anything yet, undefined where nothing is kept
 * @param query of the page, which the form leads back to
 */
export function renderVerdicts(trace: Trace, label: Label | null | undefined, query: string): PageHtml {
  const [first] = trace.verdicts;
  const last = trace.verdicts.at(-1);
  if (!first || !last) return html``;
  const asked = label === undefined || first.none !== undefined ? '' : labelForm(trace, label, query);
  if (!trace.moved)
    return html`<div class="sides">${side('The verdict', first, label?.before)}</div>${asked}`;
  return html`<div class="sides">${side('First verdict', first, label?.before)}${side(
    trace.mode === 'shadow' ? 'Last verdict (shadow: it did not go out)' : 'Last verdict',
    last,
    label?.after,
  )}</div>${asked}`;
}

function side(title: string, verdict: TraceVerdict, right: boolean | undefined): PageHtml {
  const said = right === undefined ? '' : html` <span class="said">${right ? '✓ right' : '✗ wrong'}</span>`;
  return html`<section><h2>${title}${said}</h2><p class="decided">${describeTraced(verdict)}</p>
<div class="text" tabindex="0">${verdict.text}</div></section>`;
}

/** One word on each of the two: `remand calibrate` counts who was right before and after. */
function labelForm(trace: Trace, label: Label | null, query: string): PageHtml {
  const choices: [words: string, before: boolean, after: boolean][] = trace.moved
    ? [
        ['The first is right', true, false],
        ['The last is right', false, true],
        ['Both', true, true],
        ['Neither', false, false],
      ]
    : [
        ['I agree', true, true],
        ['I disagree', false, false],
      ];
  return html`<form class="label" method="post" action="/remand/traces/${encodeURIComponent(trace.id)}/label${query}">
<span>${trace.moved ? 'Which verdict is right?' : 'Is it right?'}</span>
${choices.map(([words, before, after]) => {
  const chosen = label?.before === before && label.after === after;
  return html`<button name="right" value="${value(before, after)}" aria-pressed="${String(chosen)}">${words}</button> `;
})}
</form>`;
}

const value = (before: boolean, after: boolean) =>
  before ? (after ? 'both' : 'first') : after ? 'last' : 'neither';
