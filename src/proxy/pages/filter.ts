/** Which judgments the dashboard lists: asked for in the URL, so that every view has a link of its own. */
import { html } from 'hono/html';
import * as z from 'zod';
import { CATALOGUE } from '../../bias/index.ts';
import { biasName } from '../options.ts';
import { pageFormat, takeQuery } from '../query.ts';
import type { PageHtml } from './page.ts';

const STATUSES = [
  'unchanged',
  'revised',
  'insisted',
  'unresolved',
  'unsure',
  'escalated',
  'shadow',
  'no-verdict',
  'failed-open',
] as const;

/** What a judgment in shadow can have come to. */
const WOULD_BE = ['unchanged', 'revised', 'insisted', 'unresolved', 'failed-open'] as const;

const DAYS = { error: 'must be a whole number of days from 1 to 366' };
/** A form sends what was left empty, too. */
const chosen = <T extends z.ZodType>(inner: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), inner.optional());

export const filterShape = {
  status: chosen(z.enum(STATUSES)),
  /** Only judgments in shadow that would have had this status. */
  would: chosen(z.enum(STATUSES)),
  bias: chosen(biasName),
  judge: chosen(z.string()),
  day: chosen(z.iso.date()),
  /** Only judgments that people have labelled, or have not. */
  labelled: chosen(z.enum(['yes', 'no'])),
  /** Of the figures above the list, up to now. */
  days: chosen(z.coerce.number(DAYS).pipe(z.int(DAYS).min(1, DAYS).max(366, DAYS))),
  /** Only judgments older than the one with this trace. */
  before: chosen(z.string()),
};
const { before: _, days: __, ...ofStory } = filterShape;
/** Of a story: which list it was opened from. */
export const storyQuery = takeQuery({ ...pageFormat, ...ofStory });
const filter = z.object(filterShape);
export type Filter = z.output<typeof filter>;

/** @param page below `/remand` */
export function formatLink(wanted: Partial<Filter>, page = ''): string {
  const pairs = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/remand${page}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

export function renderFilterForm(
  { status, would, bias, judge, day, days, labelled }: Filter,
  judges: readonly string[],
): PageHtml {
  return html`<form class="filter" method="get" action="/remand#latest">
${days === undefined ? '' : html`<input type="hidden" name="days" value="${days}">`}
${select('status', 'any status', STATUSES, status)}
${status === 'shadow' || would !== undefined ? select('would', 'would have been anything', WOULD_BE, would) : ''}
${select(
  'bias',
  'any bias',
  CATALOGUE.map(({ name }) => name),
  bias,
)}
${select('judge', 'any judge', judges, judge)}
<select name="labelled" aria-label="labelled"><option value="">labelled or not</option>${(
    [
      ['yes', 'labelled'],
      ['no', 'not labelled'],
    ] as const
  ).map(
    ([value, words]) =>
      html`<option value="${value}" ${value === labelled ? html`selected` : ''}>${words}</option>`,
  )}</select>
<input type="date" name="day" aria-label="day" value="${day ?? ''}">
<button>Show</button> <a href="${formatLink({ days })}">all</a>
</form>`;
}

function select(name: string, any: string, values: readonly string[], chosen: string | undefined): PageHtml {
  const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return html`<select name="${name}" aria-label="${name}"><option value="">${any}</option>${all.map(
    (value) => html`<option ${value === chosen ? html`selected` : ''}>${value}</option>`,
  )}</select>`;
}
