/** The page of the latest traces. */
import { html } from 'hono/html';
import type { Trace } from '../../trace.ts';
import { decided } from './words.ts';

export function listPage(traces: readonly Trace[]) {
  if (traces.length === 0) {
    return html`<h1>No judgments yet</h1>
<p>Send a judge's request to <code>POST /v1/chat/completions</code> here, and its story appears on this page.</p>`;
  }
  const last = traces.at(-1)?.id ?? '';
  return html`<h1>Latest judgments</h1>
<div class="scroll"><table>
<thead><tr><th>time</th><th>status</th><th>judge</th><th>verdict</th><th>biases</th><th class="number">calls</th></tr></thead>
<tbody>${traces.map(row)}</tbody>
</table></div>
<p><a href="/remand?before=${encodeURIComponent(last)}">Older</a> ·
<a href="/remand/traces">as JSON</a> · <a href="/remand/metrics">metrics</a></p>`;
}

function row(trace: Trace) {
  const first = trace.verdicts[0];
  const verdict = first ? decided(first) : '';
  const final = decided(trace.final);
  return html`<tr>
<td><a href="/remand/traces/${encodeURIComponent(trace.id)}">${trace.time.replace('T', ' ').slice(0, 19)}</a></td>
<td><span class="status ${trace.status}">${trace.status}</span></td>
<td>${trace.judge}</td>
<td>${verdict === final ? final : `${verdict} → ${final}`}</td>
<td>${[...trace.biases, ...trace.leaning.map((names) => `${names} (leaning)`)].join(', ')}</td>
<td class="number">${trace.calls.length}</td>
</tr>`;
}
