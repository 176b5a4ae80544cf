/** The pages of learned templates: each with a sample whose slots are marked, its figures, and what to do about it. */
import { html } from 'hono/html';
import type { PageHtml } from '../pages/page.ts';
import type { TemplateStatus } from './status.ts';

export interface TemplateList {
  readonly learn: string;
  readonly templates: readonly TemplateStatus[];
  readonly seen_once: number;
  readonly next: number | null;
}

/** An edit that was refused. */
export interface RefusedEdit {
  readonly complaint: string;
  readonly typed: string;
}

export function templatesPage({ learn, templates, seen_once: once, next }: TemplateList): PageHtml {
  return html`<h1>Templates</h1>
<p class="faint">How requests are read: what they share is the template, what changes stands in its slots. Learning:
${learn} (REMAND_LEARN). ${once === 0 ? '' : `Of ${once} more only one request was seen so far.`} <a href="/remand/templates?format=json">JSON</a></p>
${templates.length === 0 ? html`<p>None yet: the second request of a pipeline makes one.</p>` : templates.map((one) => article(one))}
${next === null ? '' : html`<p><a href="/remand/templates?offset=${next}">More</a></p>`}`;
}

/** @param refused shown in place of the template, to be corrected */
export function templatePage(template: TemplateStatus, refused?: RefusedEdit): PageHtml {
  return html`<h1>Template</h1>
${article(template, refused ?? null)}
<p><a href="/remand/templates">All templates</a></p>`;
}

/** @param edit undefined where the form to edit is folded */
function article(one: TemplateStatus, edit?: RefusedEdit | null): PageHtml {
  const { id, key, key_name: name, path, state, acts, requests, read, replies, replies_read, decided } = one;
  const href = `/remand/templates/${encodeURIComponent(id)}`;
  return html`<article class="template">
<h2><a href="${href}">${one.template?.name ?? id}</a> <span class="status ${state}">${state}</span></h2>
<p class="faint">${acts ? 'Judgments are read by it.' : 'It does not act.'} ${decided === null ? '' : html`Decided ${decided.replace('T', ' ').slice(0, 16)} UTC.`}</p>
<p>${requests} requests, ${share(read, requests)} read for certain; replies read: ${share(replies_read, replies)}</p>
${one.reader === null ? '' : html`<p class="faint">Reader model ${one.reader.model}, ${one.reader.asked.replace('T', ' ').slice(0, 16)} UTC: ${READ[one.reader.outcome]}${one.reader.reason === null ? '' : html` (${one.reader.reason})`}</p>`}
<p class="faint">${path} · ${key === null ? 'without a key' : html`key ${key}`}${name === undefined ? '' : html` (${name})`}</p>
${one.sample.map(({ role, pieces }) => html`<p class="faint">${role}</p><div class="text" tabindex="0">${pieces.map(piece)}</div>`)}
<form class="label" method="post" action="${href}">
<button name="action" value="approve" aria-pressed="${String(state === 'approved')}">Approve</button>
<button name="action" value="reject" aria-pressed="${String(state === 'rejected')}">Reject</button>
</form>
${one.template === null ? '' : editForm(href, JSON.stringify(one.template, null, 2), edit)}
</article>`;
}

function piece({ slot, text }: TemplateStatus['sample'][number]['pieces'][number]): PageHtml {
  return slot === null ? html`${text}` : html`<mark><b>${slot}</b>${text ?? '…'}</mark>`;
}

function editForm(href: string, template: string, edit: RefusedEdit | null | undefined): PageHtml {
  return html`<details ${edit === undefined ? '' : html`open`}><summary>Edit</summary>
<form method="post" action="${href}">
${edit ? html`<p class="wrong" role="alert">${edit.complaint}</p>` : ''}
<textarea name="template" aria-label="template" spellcheck="false">${edit?.typed ?? template}</textarea>
<p><button name="action" value="edit">Save and approve</button></p>
</form></details>`;
}

const READ = {
  named: 'what it says of the slots holds in the requests seen',
  'no-judgment': 'it takes this for no judgment',
  refused: 'its answer was refused',
  failed: 'it could not be asked',
} as const;

const share = (count: number, of: number) =>
  of === 0 ? '–' : `${((100 * count) / of).toFixed(1)}% (${count} of ${of})`;
