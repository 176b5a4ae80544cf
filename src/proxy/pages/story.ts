/** One trace, told as a story: the case, what the judge said, what was found, what it said then. */

import { html } from 'hono/html';
import { describeTraced } from '../../case/index.ts';
import { explainUnexamined, explainUntested } from '../../loop/index.ts';
import type { Trace, TraceEvidence, TraceVerdict } from '../../trace/index.ts';
import { isSentRight, type Label } from '../labels/label.ts';
import { shownBeside } from '../labels/trace-records.ts';
import type { PageHtml } from './page.ts';
import {
  describeOutcome,
  describeSensitivity,
  tellConfidence,
  tellEscalation,
  tellSamples,
  tellWritten,
} from './page-words.ts';

/** Where the list leads that a story was opened from; null at its ends. */
export interface StoryLinks {
  /** What the list is narrowed to, with its question mark; empty for nothing. */
  readonly query: string;
  readonly list: string;
  readonly older: string | null;
  readonly newer: string | null;
}

/** @param label what somebody said of it; undefined where nothing of the kind is kept */
export function renderStory(trace: Trace, links: StoryLinks, label?: Label | null) {
  const steps = trace.verdicts.flatMap((verdict, round) => {
    const analysis = trace.analyses[round];
    return [verdictStep(trace, verdict, round), ...(analysis ? [analysisStep(analysis)] : [])];
  });
  const none = trace.status === 'no-verdict' ? trace.verdicts[0]?.none : undefined;
  return html`<nav aria-label="Judgments"><a href="${links.list}">List</a>
${links.newer === null ? '' : html`<a href="${links.newer}" rel="prev" data-key="k">Newer (k)</a>`}
${links.older === null ? '' : html`<a href="${links.older}" rel="next" data-key="j">Older (j)</a>`}</nav>
<h1>${describeOutcome(trace)}</h1>
<p class="faint"><span class="status ${trace.status}">${trace.status}</span>
${trace.judge} · detector ${trace.detector} · ${trace.time.replace('T', ' ').slice(0, 19)} UTC · ${seconds(trace.ms)} · ${trace.calls.length} calls ·
<a href="/remand/traces/${encodeURIComponent(trace.id)}?format=json">JSON</a></p>
${none === undefined ? '' : html`<p>Why: ${explainUnexamined(`reply-${none}`)}.</p>`}
${trace.error === null ? '' : html`<p>What failed: ${trace.error}</p>`}
${trace.confidence === null ? '' : html`<p>How sure: ${tellConfidence(trace)}.</p>`}
${trace.samples === null ? '' : html`<p>${tellSamples(trace)}.</p>`}
${trace.escalated === null ? '' : html`<p>${tellEscalation(trace)}.</p>`}
${renderVerdicts(trace, label, links.query)}
${untestedList(trace)}
${securityList(trace)}
<h2>The case</h2>
${trace.case.instruction === null ? '' : html`<div class="text" tabindex="0">${trace.case.instruction}</div>`}
${trace.case.options.map(({ label, text }) => html`<p>${label}</p><div class="text" tabindex="0">${text}</div>`)}
${trace.case.context.map((text) => html`<p>Other text in the case</p><div class="text" tabindex="0">${text}</div>`)}
${
  steps.length === 0
    ? ''
    : html`<h2>What happened</h2>
<ol class="story">${steps}
${trace.written === null ? '' : html`<li><p>${tellWritten(trace)}:</p><div class="text" tabindex="0">${trace.written}</div></li>`}
</ol>`
}
<h2>The calls</h2>
${callTable(trace)}`;
}

function untestedList({ untested }: Trace) {
  if (untested.length === 0) return '';
  return html`<h2>Not tested</h2>
<ul>${untested.map(({ bias, favours, seen, why }) => html`<li>${bias}${favours === null ? '' : ` (for ${favours})`}: ${seen}. ${explainUntested(why)}</li>`)}</ul>`;
}

function securityList({ security }: Trace) {
  if (security.length === 0) return '';
  return html`<h2>Judged text that works against the examination</h2>
<ul>${security.map(({ kind, option, seen }) => html`<li>${kind}${option === null ? '' : ` (in ${option})`}: ${seen}</li>`)}</ul>`;
}

function verdictStep(trace: Trace, verdict: TraceVerdict, round: number) {
  const said = round === 0 ? 'decided' : 'was asked again, with the reasons, and decided';
  return html`<li><p>${trace.judge} ${said}: <strong>${describeTraced(verdict)}</strong></p>
<div class="text" tabindex="0">${verdict.text}</div></li>`;
}

function analysisStep({ biased, biases, reasoning, evidence }: Trace['analyses'][number]) {
  return html`<li><p>The detector found ${biased ? html`<strong>${biases.join(', ') || 'a bias'}</strong>` : 'nothing against it'}.</p>
<div class="text" tabindex="0">${reasoning}</div>
${evidence.length === 0 ? '' : html`<ul>${evidence.map(evidenceItem)}</ul>`}</li>`;
}

function evidenceItem(evidence: TraceEvidence) {
  const { biases, undone, before, after, changed, noise } = evidence;
  const moved = `${describeTraced(before)} became ${describeTraced(after)}`;
  const stood = noise
    ? `${moved}, which is not shown to be more than the judge's own noise`
    : `still ${describeTraced(after)}`;
  const result = changed ? moved : stood;
  const sensitivity = describeSensitivity(evidence);
  return html`<li>${biases.join(' and ')}: ${undone}; ${result}${sensitivity === null ? '' : `; ${sensitivity}`}.</li>`;
}

function callTable({ calls }: Trace) {
  return html`<table class="list">
<thead><tr><th>for</th><th>model</th><th class="number">time</th><th class="number">tokens in</th><th class="number">out</th><th>note</th></tr></thead>
<tbody>${calls.map(
    ({ kind, to, ms, tokens, cached, error }) => html`<tr><td>${kind}</td><td data-label="model">${to}</td>
<td class="number" data-label="time">${seconds(ms)}</td><td class="number" data-label="tokens in">${tokens?.input ?? ''}</td>
<td class="number" data-label="out">${tokens?.output ?? ''}</td><td data-label="note">${error ?? (cached ? 'cached' : '')}</td></tr>`,
  )}</tbody></table>`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

// The first verdict and what went out, side by side, and what people say of them.

/**
 * @param label null where nobody has said anything yet, undefined where nothing is kept
 * @param query of the page, which the form leads back to
 */
function renderVerdicts(trace: Trace, label: Label | null | undefined, query: string): PageHtml {
  const [first] = trace.verdicts;
  const last = shownBeside(trace);
  if (!first || !last) return html``;
  const asked = label === undefined || first.none !== undefined ? '' : labelForm(trace, label, query);
  if (!trace.moved)
    return html`<div class="sides">${side('The verdict', first, label?.before)}</div>${asked}`;
  return html`<div class="sides">${side('First verdict', first, label?.before)}${side(
    trace.mode === 'shadow' ? 'What would have gone out (shadow: it did not go out)' : 'What went out',
    last,
    label ? isShownRight(trace, label) : undefined,
  )}</div>${asked}`;
}

function side(title: string, verdict: TraceVerdict, right: boolean | undefined): PageHtml {
  const said = right === undefined ? '' : html` <span class="said">${right ? '✓ right' : '✗ wrong'}</span>`;
  return html`<section><h2>${title}${said}</h2><p class="decided">${describeTraced(verdict)}</p>
<div class="text" tabindex="0">${verdict.text}</div></section>`;
}

/** Whether the verdict beside the first is right. */
const isShownRight = ({ mode }: Trace, label: Label): boolean =>
  mode === 'shadow' ? label.after : isSentRight(label);

/** One word on each of the two: `remand calibrate` counts who was right before and after. */
function labelForm(trace: Trace, label: Label | null, query: string): PageHtml {
  const choices: [words: string, before: boolean, after: boolean][] = trace.moved
    ? [
        ['The first is right', true, false],
        [`${trace.mode === 'shadow' ? 'The other' : 'What went out'} is right`, false, true],
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
  const chosen = label?.before === before && isShownRight(trace, label) === after;
  return html`<button name="right" value="${value(before, after)}" aria-pressed="${String(chosen)}">${words}</button> `;
})}
</form>`;
}

const value = (before: boolean, after: boolean) =>
  before ? (after ? 'both' : 'first') : after ? 'last' : 'neither';
