/**
 * Learned templates for people: `GET` for whoever may read traces; approving, rejecting and editing for whoever holds a
 * key with scope admin. What is done here stands in the audit trail before it is done.
 */

import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import * as z from 'zod';
import {
  explainOpen,
  type LearnMode,
  literalsOf,
  matchTemplate,
  mayAct,
  type Pipeline,
  type Prompt,
  parseTemplate,
  type ReaderRecord,
  type Slot,
  type Template,
  type TemplateFile,
  templateFile,
} from '../../case/index.ts';
import { shorten } from '../../shorten.ts';
import { formatPercent } from '../../stats/index.ts';
import { type CallerEnv, renderError, requireScope } from '../access/pages.ts';
import type { Config } from '../config.ts';
import { noteBefore } from '../error-handler.ts';
import { type PageHtml, prefersHtml, renderPage } from '../pages/page.ts';
import type { Ports } from '../proxy-ports.ts';
import { linkTo, pageFormat, takeFormat, takeNoQuery, takeQuery } from '../query.ts';
import { readPostedFields } from '../request-body.ts';

/** Of an edited template, in bytes: a prompt that is learned from has 128 KiB, which JSON and a form write longer. */
const LARGEST = 1 << 20;
/** Templates told at a time, unless asked otherwise. */
const PAGE = 20;

const listQuery = takeQuery({
  ...pageFormat,
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(PAGE),
  offset: z.coerce.number().pipe(z.int().min(0)).default(0),
});

const decision = z.object({
  action: z.enum(['approve', 'reject', 'edit']),
  template: z.unknown().optional(),
  /** As it stood on the page that the reader decided by, empty for null; absent for whatever holds now. */
  decided: z.string().nullish(),
});

const DONE = {
  approve: 'template-approved',
  reject: 'template-rejected',
  edit: 'template-edited',
} as const;

/** For `accept: application/json` and `?format=json` the same as JSON. */
export function templateRoutes(ports: Ports, config: Config): Hono<CallerEnv> {
  const { templates, templateKeeper: keeper, keys: table, clock } = ports;
  const app = new Hono<CallerEnv>();
  const shown = { texts: config.REMAND_TRACE_TEXTS === 'on', learn: config.REMAND_LEARN };
  const find = (id: string) => templates.pipelines().find((one) => one.id === id);

  /** Names of keys are for whoever administers them. */
  async function withKeyNames(
    c: Context<CallerEnv>,
    all: readonly TemplateStatus[],
  ): Promise<TemplateStatus[]> {
    const { id, judgesOnly } = c.get('caller');
    if (id === null || judgesOnly !== false) return [...all];
    const records = [...config.REMAND_KEYS, ...((await table?.list()) ?? [])];
    return all.map((one) => {
      const record = records.find(({ id: known }) => known === one.key);
      return record ? { ...one, key_name: record.name } : one;
    });
  }

  app.use('*', async (_c, next) => {
    await keeper.refresh();
    await next();
  });

  app.get('/', listQuery, async (c) => {
    const { limit, offset } = c.req.valid('query');
    const { id } = c.get('caller');
    if (id !== null) await noteBefore(ports, id, 'templates-read', 'templates');
    const known = templates
      .pipelines()
      .filter(({ template }) => template !== null)
      .sort((a, b) => b.requests - a.requests || a.id.localeCompare(b.id));
    const told = known.slice(offset, offset + limit).map((one) => templateStatus(one, shown));
    const end = offset + limit;
    const list = {
      learn: config.REMAND_LEARN,
      templates: await withKeyNames(c, told),
      /** Pipelines of which one request was seen so far. */
      seen_once: templates.pipelines().length - known.length,
      next: end < known.length ? end : null,
    };
    c.header('vary', 'accept');
    return prefersHtml(c) ? renderPage(c, 'Templates', templatesPage(list)) : c.json(list);
  });

  app.get('/:id', takeFormat, async (c) => {
    const found = find(c.req.param('id'));
    if (!found)
      return renderError(c, 404, 'no such template; those that were used least recently are dropped');
    const { id } = c.get('caller');
    if (id !== null) await noteBefore(ports, id, 'templates-read', found.id);
    const [told = templateStatus(found, shown)] = await withKeyNames(c, [templateStatus(found, shown)]);
    c.header('vary', 'accept');
    return prefersHtml(c) ? renderPage(c, 'Template', templatePage(told)) : c.json(told);
  });

  // A page of somebody else's must not decide in a reader's name; what is no form asks the browser first (CORS).
  app.post('/:id', csrf(), takeNoQuery, requireScope(ports, 'admin'), async (c) => {
    const found = find(c.req.param('id') ?? '');
    if (!found)
      return renderError(c, 404, 'no such template; those that were used least recently are dropped');
    if (!found.template)
      return renderError(c, 409, 'one request was seen so far, so there is no template yet');
    const body = decision.safeParse(await readPostedFields(c, LARGEST));
    if (!body.success) return renderError(c, 400, 'action: must be approve, reject or edit');
    const { action, template: typed, decided: before } = body.data;
    const told = templateStatus(found, shown);
    const refuse = (status: 400 | 409, complaint: string) => {
      if (!prefersHtml(c)) return renderError(c, status, complaint);
      c.status(status);
      const refused = { complaint, ...(typed !== undefined && { typed: String(typed) }) };
      return renderPage(c, 'Template', templatePage(told, refused));
    };
    if (before !== undefined && (before || null) !== told.decided)
      return refuse(
        409,
        'somebody has decided on this template meanwhile; see how it is now, and decide again',
      );
    let { template } = found;
    if (action === 'edit') {
      const edited = editedTemplate(found, typed);
      if ('complaint' in edited) return refuse(400, edited.complaint);
      template = edited;
    }
    await noteBefore(ports, c.get('caller').id ?? 'anyone', DONE[action], found.id);
    const decided = Math.max(clock.now(), (found.decided ?? 0) + 1);
    const state: Pipeline['state'] = action === 'reject' ? 'rejected' : 'approved';
    // As it is by now: requests went on while the trail was written.
    const now = find(found.id) ?? found;
    const learnedAs = now.learnedAs ?? (action === 'edit' && now.template ? literalsOf(now.template) : null);
    const next: Pipeline = { ...now, template, state, decided, ...(learnedAs && { learnedAs }) };
    templates.put(next);
    if (!(await keeper.flush()))
      return renderError(
        c,
        503,
        'decided, but not written down: it holds until the next start; the log tells more',
      );
    return prefersHtml(c)
      ? c.redirect(linkTo(c, `/remand/templates/${encodeURIComponent(found.id)}`), 303)
      : c.json(templateStatus(next, shown));
  });
  return app;
}

export interface TemplateList {
  readonly learn: string;
  readonly templates: readonly TemplateStatus[];
  readonly seen_once: number;
  readonly next: number | null;
}

/** A decision that was refused. */
export interface RefusedDecision {
  readonly complaint: string;
  /** The template, where it was edited. */
  readonly typed?: string;
}

function templatesPage({ learn, templates, seen_once: once, next }: TemplateList): PageHtml {
  return html`<h1>Templates</h1>
<p class="faint">How requests are read: what they share is the template, what changes stands in its slots. Learning:
${learn} (REMAND_LEARN). Approve, Reject and Edit ask for a key with scope admin:
<code>remand keys add <span>--name me</span> <span>--scopes admin</span></code>. ${once === 0 ? '' : `Of ${once} more only one request was seen so far.`} <a href="/remand/templates?format=json">JSON</a></p>
${templates.length === 0 ? html`<p>None yet: the second request of a pipeline makes one.</p>` : templates.map((one) => article(one))}
${next === null ? '' : html`<p><a href="/remand/templates?offset=${next}">More</a></p>`}`;
}

/** @param refused its complaint is shown, and what was typed in place of the template, to be corrected */
function templatePage(template: TemplateStatus, refused?: RefusedDecision): PageHtml {
  return html`<h1>Template</h1>
${article(template, refused ?? null)}
<p><a href="/remand/templates">All templates</a></p>`;
}

/** @param edit undefined where the form to edit is folded */
function article(one: TemplateStatus, edit?: RefusedDecision | null): PageHtml {
  const {
    id,
    key,
    key_name: name,
    path,
    state,
    acts,
    why,
    requests,
    read,
    replies,
    replies_read,
    decided,
  } = one;
  const href = `/remand/templates/${encodeURIComponent(id)}`;
  const seen = html`<input type="hidden" name="decided" value="${decided ?? ''}">`;
  return html`<article class="template">
<h2><a href="${href}">${headingOf(one)}</a> <span class="status ${state}">${state}</span></h2>
<p ${acts ? html`class="faint"` : ''}>${acts ? 'Judgments are read by it.' : `It does not act: ${why}.`} ${decided === null ? '' : html`Decided ${decided.replace('T', ' ').slice(0, 16)} UTC.`}</p>
<p>${requests} requests seen; every slot was cut for certain in ${share(read, requests)}; replies read: ${share(replies_read, replies)}</p>
${one.reader === null ? '' : html`<p class="faint">Reader model ${one.reader.model}, ${one.reader.asked.replace('T', ' ').slice(0, 16)} UTC: ${READ[one.reader.outcome]}${one.reader.reason === null ? '' : html` (${one.reader.reason})`}</p>`}
<p class="faint">${id} · ${path} · ${key === null ? 'without a key' : html`key ${key}`}${name === undefined ? '' : html` (${name})`}</p>
${one.sample.map(({ role, pieces }) => html`<p class="faint">${role}</p><div class="text" tabindex="0">${pieces.map(({ slot, text }) => (slot === null ? text : html`<mark><b>${slot}</b>${text ?? '…'}</mark>`))}</div>`)}
${edit ? html`<p class="wrong" role="alert">${edit.complaint}</p>` : ''}
<form class="label" method="post" action="${href}">
${seen}
<button name="action" value="approve" aria-pressed="${String(state === 'approved')}">Approve</button>
<button name="action" value="reject" aria-pressed="${String(state === 'rejected')}">Reject</button>
</form>
${one.template === null ? '' : editForm(href, JSON.stringify(one.template, null, 2), seen, edit)}
</article>`;
}

/** The name that a person gave it, or how its prompt begins. */
function headingOf({ id, template, sample }: TemplateStatus): string {
  if (template && template.name !== id) return template.name;
  const pieces = sample.flatMap((one) => one.pieces);
  const opening = pieces.find(({ slot, text }) => slot === null && text?.trim())?.text?.trim();
  const line = opening?.split('\n', 1)[0] ?? id;
  return shorten(line, HEADING);
}

function editForm(
  href: string,
  template: string,
  seen: PageHtml,
  edit: RefusedDecision | null | undefined,
): PageHtml {
  return html`<details ${edit === undefined ? '' : html`open`}><summary>Edit</summary>
<form method="post" action="${href}">
${seen}
<textarea name="template" aria-label="template" spellcheck="false">${edit?.typed ?? template}</textarea>
<p><button name="action" value="edit">Save and approve</button></p>
</form></details>`;
}

const READ = {
  named: 'what it says of the slots holds in the requests seen',
  'no-judgment': 'it takes this for no judgment',
  doubted: 'its names stand here, and the template does not act by them until a person approves it',
  refused: 'its answer was refused',
  disputed: 'it takes something else for what is judged, so the template no longer acts by itself',
  failed: 'it could not be asked',
} as const;

const share = (count: number, of: number) =>
  of === 0 ? '–' : `${formatPercent(count / of)} (${count} of ${of})`;

// What may be told of a template: what it reads, how often, and one request with its slots marked.

/** Characters of each text that are shown of a request. */
const SHOWN = 2_000;
/** Characters of a heading. */
const HEADING = 80;

/** A piece of a request's text: literal where `slot` is null; `text` is null where only the template is known. */
interface SamplePiece {
  readonly slot: string | null;
  readonly text: string | null;
}

interface TemplateStatus {
  readonly id: string;
  /** Id of the key whose requests it reads; null for requests without a key. */
  readonly key: string | null;
  /** Name of that key, for whoever may administer keys. */
  readonly key_name?: string;
  readonly path: string;
  readonly state: Pipeline['state'];
  /** Whether judgments are read by it. */
  readonly acts: boolean;
  /** Why it does not act, and what to do, as a clause; null where it acts. */
  readonly why: string | null;
  readonly requests: number;
  /** Requests in which every slot was certain. */
  readonly read: number;
  readonly replies: number;
  readonly replies_read: number;
  /** ISO 8601; null where no person has decided. */
  readonly decided: string | null;
  /** What came of asking a model about it; null where none was asked. */
  readonly reader: {
    readonly model: string;
    /** ISO 8601. */
    readonly asked: string;
    readonly outcome: ReaderRecord['outcome'];
    /** Why nothing was taken over; null where something was. */
    readonly reason: string | null;
    readonly tokens: ReaderRecord['tokens'];
  } | null;
  /** As it stands in a file; null before the second request, and where it cannot be written as text. */
  readonly template: TemplateFile | null;
  /** The latest request that was learned from; the template alone where no such text may be shown or none is there. */
  readonly sample: readonly { readonly role: string; readonly pieces: readonly SamplePiece[] }[];
}

/** @param from.texts whether texts of requests may be shown */
function templateStatus(
  pipeline: Pipeline,
  { texts, learn }: { readonly texts: boolean; readonly learn: LearnMode },
): TemplateStatus {
  const { id, origin, state, requests, read, replies, repliesRead, decided, template } = pipeline;
  const acts = mayAct(pipeline, learn);
  return {
    id,
    key: origin.tenant || null,
    path: origin.path,
    state,
    acts,
    why: acts ? null : whyIdle(pipeline, learn),
    requests,
    read,
    replies,
    replies_read: repliesRead,
    decided: decided === undefined ? null : new Date(decided).toISOString(),
    reader: readerStatus(pipeline),
    template: template && templateFile(template),
    sample: template ? sampleOf(template, texts ? promptOf(pipeline) : null) : [],
  };
}

function whyIdle(pipeline: Pipeline, learn: LearnMode): string {
  if (pipeline.state === 'rejected') return 'a person rejected it; Approve takes that back';
  if (learn !== 'auto') return `REMAND_LEARN is ${learn}; Approve has it act`;
  return `${explainOpen(pipeline) ?? 'it is being confirmed'}. Where its marks are right, Approve has it act; where they are wrong, Edit mends them`;
}

function readerStatus({ reader }: Pipeline): TemplateStatus['reader'] {
  if (!reader) return null;
  const { model, asked, outcome, reason, tokens } = reader;
  return { model, asked: new Date(asked).toISOString(), outcome, reason, tokens };
}

/** Of a pipeline that holds no judgment no text is shown: such requests leave no trace either. */
function promptOf({ template, samples }: Pipeline): Prompt | null {
  const judges = template?.parts.some(({ slots }) => slots.some(({ role }) => role === 'option'));
  return judges ? (samples.at(-1)?.prompt ?? null) : null;
}

function sampleOf(template: Template, prompt: Prompt | null): TemplateStatus['sample'] {
  const match = prompt && matchTemplate(template, prompt);
  const filled = match?.kind === 'slots' ? match.slots : [];
  const parts = match?.kind === 'slots' ? match.parts : template.parts;
  return parts.map(({ role, literals, slots }, part) => {
    const text = prompt?.parts[part]?.text ?? '';
    const here = filled.filter((one) => one.part === part);
    const pieces = literals.flatMap((literal, n): SamplePiece[] => {
      const slot = slots[n];
      const at = here[n]?.at;
      return [
        ...(literal === '' ? [] : [{ slot: null, text: short(literal) }]),
        ...(slot ? [{ slot: nameOf(slot), text: at ? short(text.slice(at.start, at.end)) : null }] : []),
      ];
    });
    return { role, pieces };
  });
}

const short = (text: string) => shorten(text, SHOWN);

const nameOf = ({ role, label }: Slot) => (label === '' ? role : `${role} ${label}`);

/** Why an edited template cannot be used, in words that name the field. */
type EditComplaint = { readonly complaint: string };

/** @param text the file's JSON, as text or parsed */
function editedTemplate(pipeline: Pipeline, text: unknown): Template | EditComplaint {
  let edited: Template;
  try {
    edited = parseTemplate(typeof text === 'string' ? JSON.parse(text) : text);
  } catch (error) {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      return { complaint: `${issue?.path.join('.') || 'template'}: ${issue?.message}` };
    }
    if (error instanceof SyntaxError) return { complaint: `template: is no JSON: ${error.message}` };
    if (error instanceof Error) return { complaint: error.message };
    throw error;
  }
  const rolesOf = ({ parts }: Template) => parts.map(({ role }) => role).join(', ');
  const roles = pipeline.template ? rolesOf(pipeline.template) : null;
  return roles === null || rolesOf(edited) === roles
    ? edited
    : { complaint: `parts: must have the roles that the requests have (${roles})` };
}
