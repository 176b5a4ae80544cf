/** The list of judgments, newest first. */

import { html } from 'hono/html';
import { describeTraced } from '../../case/index.ts';
import type { ListedTrace } from '../../trace/index.ts';
import { type Filter, formatLink } from './filter.ts';
import type { PageHtml } from './page.ts';

export function renderLatest(traces: readonly ListedTrace[], filter: Filter): PageHtml {
  const { before, ...chosen } = filter;
  const newest = before === undefined ? '' : html`<a href="${formatLink(chosen)}#latest">Newest</a> · `;
  if (traces.length === 0)
    return html`<p class="faint">No judgment that is kept fits this. ${newest}<a href="/remand">Show all</a></p>`;
  const last = traces.at(-1)?.id;
  return html`<div class="scroll"><table class="list">
<thead><tr><th>time, UTC</th><th>status</th><th>judge</th><th>verdict</th><th>biases</th><th class="number">calls</th></tr></thead>
<tbody>${traces.map(row)}</tbody>
</table></div>
<p>${newest}<a href="${formatLink({ ...filter, before: last })}#latest">Older</a> ·
<a href="/remand/traces">as JSON</a> · <a href="/remand/labels">labels</a> · <a href="/remand/metrics">metrics</a></p>`;
}

function row(trace: ListedTrace): PageHtml {
  const href = `/remand/traces/${encodeURIComponent(trace.id)}`;
  if ('unreadable' in trace)
    return html`<tr><td><a href="${href}">${trace.id}</a></td>
<td><span class="status">unreadable</span></td><td colspan="4">${trace.unreadable}</td></tr>`;
  const verdict = trace.first ? describeTraced(trace.first) : '';
  const final = describeTraced(trace.final);
  return html`<tr>
<td><a href="${href}">${trace.time.replace('T', ' ').slice(0, 19)}</a></td>
<td><span class="status ${trace.status}">${trace.status}</span>${trace.would_be === null ? '' : html` <span class="faint">would be ${trace.would_be}</span>`}</td>
<td data-label="judge">${trace.judge}</td>
<td data-label="verdict">${verdict === final ? final : `${verdict} → ${final}`}</td>
<td data-label="biases">${[...trace.biases, ...trace.sensitivity.map((names) => `${names} (sensitive)`)].join(', ')}</td>
<td class="number" data-label="calls">${trace.calls}</td>
</tr>`;
}
