/** The list of judgments, newest first. */

import { html } from 'hono/html';
import { describeTraced } from '../../case/index.ts';
import type { JudgmentPage, ListedJudgment } from '../labels/list-judgments.ts';
import { type Filter, formatLink } from './filter.ts';
import type { PageHtml } from './page.ts';

export function renderLatest({ judgments, next }: JudgmentPage, filter: Filter): PageHtml {
  const { before, ...chosen } = filter;
  const newest = before === undefined ? '' : html`<a href="${formatLink(chosen)}#latest">Newest</a> · `;
  const older =
    next === null ? '' : html`<a href="${formatLink({ ...filter, before: next })}#latest">Older</a> · `;
  if (judgments.length === 0)
    return html`<p class="faint">No judgment that is kept fits this${next === null ? '' : ' so far'}. ${newest}${older}<a href="/remand">Show all</a></p>`;
  return html`<div class="scroll"><table class="list">
<thead><tr><th>time, UTC</th><th>status</th><th>judge</th><th>verdict</th><th>biases</th><th>label</th><th class="number">calls</th></tr></thead>
<tbody>${judgments.map((one) => row(one, chosen))}</tbody>
</table></div>
<p>${newest}${older}
<a href="/remand/traces">as JSON</a> · <a href="/remand/labels">labels</a> · <a href="/remand/metrics">metrics</a></p>`;
}

function row({ trace, label }: ListedJudgment, filter: Filter): PageHtml {
  const { days: _, ...chosen } = filter;
  const href = formatLink(chosen, `/traces/${encodeURIComponent(trace.id)}`);
  if ('unreadable' in trace)
    return html`<tr><td><a href="${href}">${trace.id}</a></td>
<td><span class="status">unreadable</span></td><td colspan="5">${trace.unreadable}</td></tr>`;
  const verdict = trace.first ? describeTraced(trace.first) : '';
  const final = describeTraced(trace.final);
  return html`<tr>
<td><a href="${href}">${trace.time.replace('T', ' ').slice(0, 19)}</a></td>
<td><span class="status ${trace.status}">${trace.status}</span>${trace.would_be === null ? '' : html` <span class="faint">would be ${trace.would_be}</span>`}</td>
<td data-label="judge">${trace.judge}</td>
<td data-label="verdict">${verdict === final ? final : `${verdict} → ${final}`}</td>
<td data-label="biases">${[...trace.biases, ...trace.sensitivity.map((names) => `${names} (sensitive)`)].join(', ')}</td>
<td data-label="label">${label === null ? '' : label.after ? '✓ right' : '✗ wrong'}</td>
<td class="number" data-label="calls">${trace.calls}</td>
</tr>`;
}
