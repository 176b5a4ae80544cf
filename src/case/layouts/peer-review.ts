/**
 * A meta-review: one paper, its reviews and the authors' rebuttals, each under a heading or in tags of its own, and a
 * judge who decides on the paper. What is judged is the paper; reviews and rebuttals stand beside it and can sway.
 *
 * The texts have headings themselves, and may have been written to mislead. So everything must add up: one paper,
 * reviews that count up, all set in one style. Otherwise there is no such reading.
 */

import * as z from 'zod';
import type { Span, TextRange, VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';
import type { Finding, Layout, Page } from './layout.ts';
import { linesIn, paragraphsIn, trimRange } from './lines.ts';
import { asksAtAll } from './orders.ts';
import { countUp } from './titles.ts';

const PAPER =
  /^(?:the )?(?:paper|manuscript|submission|submitted paper)(?: (?:text|content|under review))?$/i;
const REVIEW =
  /^(?:the )?(?:official )?review(?:er)?(?: ?(?:#|no\.?|number))? ?(?<key>\d{1,2}|[a-z])(?:['’]s review| review)?$/i;
const REBUTTAL =
  /^(?:the )?(?:(?:authors?['’]?s?['’]? )?rebuttals?|authors?['’]?s?['’]? (?:responses?|repl(?:y|ies)))(?: (?:of|by|from) the authors?)?(?: to (?:the )?(?:official )?review(?:er)?s?(?: ?#? ?(?:\d{1,2}|[a-z]))?)?$/i;
/** What follows the material: the judge's own. */
const OWN =
  /^(?:(?:your|the|final|my) )*(?:task|instructions?|question|decision|reply|answer|output|verdict|meta[- ]?review|(?:response|reply|output) format|format|evaluation|scoring|criteria|guidelines|what to do)\b/i;
/** Who decides here. A prompt that compares reviews with each other is none of these. */
const DECIDES =
  /\b(?:meta[- ]?review\w*|area chair|program(?:me)? (?:chair|committee)|senior (?:area )?chair|editor|accept(?:ed|ance)?|reject(?:ed|ion)?)\b/i;

type Kind = 'paper' | 'review' | 'rebuttal' | 'own';

interface Head extends TextRange {
  readonly kind: Kind;
  readonly key: string;
  readonly style: string;
}

interface Section extends TextRange {
  readonly kind: Kind;
  readonly key: string;
  /** With its heading or its tags. */
  readonly whole: TextRange;
}

export const peerReview: Layout = {
  name: 'peer-review',
  find(pages) {
    return pages.flatMap((page) => {
      if (!/\breview/i.test(page.text)) return [];
      const sections = inTags(page) ?? underHeadings(page);
      const found = sections && finding(page, sections);
      if (!found) return [];
      const told = pages.flatMap(({ part, text }) =>
        part === page.part ? [ordersIn(page, sections)] : [text],
      );
      return DECIDES.test(told.join('\n')) ? [found] : [];
    });
  },
};

function finding({ part, text }: Page, sections: readonly Section[]): Finding | null {
  const papers = sections.filter(({ kind }) => kind === 'paper');
  const reviews = sections.filter(({ kind }) => kind === 'review');
  const [paper] = papers;
  if (!paper || papers.length > 1 || reviews.length === 0) return null;
  const keys = reviews.map(({ key }) => key.toLowerCase());
  if (keys.length === 1 ? !/^[1a]$/.test(keys[0] ?? '') : !countUp(keys)) return null;
  if (sections.some(({ start, end }) => text.slice(start, end).trim() === '')) return null;
  const at = (range: TextRange): Span => ({ part, start: range.start, end: range.end });
  const beside = sections.flatMap(({ kind, start, end }) =>
    kind === 'review' || kind === 'rebuttal' ? [{ of: kind, at: at({ start, end }) }] : [],
  );
  return {
    layout: 'peer-review',
    noun: 'paper',
    single: true,
    evident: true,
    usual: null,
    style: 'peer-review',
    instruction: null,
    labelled: false,
    beside,
    formOf: peerReviewForm,
    marks: sections.map(({ whole, start }) => at({ start: whole.start, end: start })),
    options: [{ label: 'the paper', at: at(paper) }],
    closed: sections.map(({ whole }) => at(whole)),
    after: { part, offset: Math.max(...sections.map(({ whole }) => whole.end)) },
  };
}

function ordersIn({ text, start, end }: Page, sections: readonly Section[]): string {
  let from = start;
  let orders = '';
  for (const { whole } of sections) {
    orders += `${text.slice(from, whole.start)}\n`;
    from = whole.end;
  }
  return orders + text.slice(from, end);
}

/** `# Review 1`, `**Review 1**`, `[Review 1]`, `--- Review 1 ---`, `Review 1:` alone on its line. */
const STYLES: readonly (readonly [style: string, line: RegExp])[] = [
  ['heading', /^(?<depth>#{1,6})[ \t]{0,9}\*{0,3}(?<title>[^#*\n]{1,80}?)\*{0,3}:?[ \t#]{0,20}$/],
  ['bold', /^\*\*(?<title>[^*\n]{1,80}?):?\*\*:?$/],
  ['bracket', /^\[(?<title>[^[\]\n]{1,80})\]:?$/],
  ['ruled', /^(?<mark>[-=*_])\k<mark>{1,40} ?(?<title>[^-=*_\n]{1,80}?) ?\k<mark>{2,40}$/],
  ['colon', /^(?<title>[^:\n]{1,80}):$/],
];
/** No heading is longer. */
const LONGEST = 120;

function underHeadings(page: Page): Section[] | null {
  const heads: Head[] = [];
  for (const line of linesIn(page.text, page)) {
    const at = trimRange(page.text, line);
    if (at.start === at.end || at.end - at.start > LONGEST) continue;
    const head = headIn(page.text.slice(at.start, at.end));
    if (head) heads.push({ ...head, ...at });
  }
  const first = heads.find(({ kind }) => kind === 'paper');
  const set = heads.filter(({ style }) => style === first?.style);
  const last = set.findLastIndex(({ kind }) => kind !== 'own');
  // Of the judge's own sections only the first behind the material ends it; one among the material is its own.
  const material = set.slice(0, last + 1).filter(({ kind }) => kind !== 'own');
  const own = set.slice(last + 1)[0];
  if (material.length < 2) return null;
  return material.map(({ kind, key, start, end }, index) => {
    const next = material[index + 1]?.start ?? own?.start ?? openEnd(page, end);
    const body = trimRange(page.text, { start: end, end: next });
    return { kind, key, ...body, whole: { start, end: Math.max(body.end, end) } };
  });
}

function headIn(line: string): Pick<Head, 'kind' | 'key' | 'style'> | null {
  for (const [style, pattern] of STYLES) {
    const { title = '', depth = '' } = pattern.exec(line)?.groups ?? {};
    const kind = kindOf(title.trim());
    if (kind) return { ...kind, style: `${style} ${depth.length}` };
  }
  return null;
}

function kindOf(title: string): Pick<Head, 'kind' | 'key'> | null {
  const review = REVIEW.exec(title);
  if (review) return { kind: 'review', key: review.groups?.key ?? '' };
  if (PAPER.test(title)) return { kind: 'paper', key: '' };
  if (REBUTTAL.test(title)) return { kind: 'rebuttal', key: '' };
  return OWN.test(title) ? { kind: 'own', key: '' } : null;
}

/** Where the last section ends that no heading ends: before the paragraphs that ask for something. */
function openEnd({ text, end }: Page, from: number): number {
  const paragraphs = paragraphsIn(text, { start: from, end });
  let last = paragraphs.length;
  while (last > 1 && asksAtAll(text.slice(paragraphs[last - 1]?.start, paragraphs[last - 1]?.end))) last--;
  return paragraphs[last]?.start ?? end;
}

const TAG =
  /<(?<close>\/?)(?<name>paper|manuscript|submission|review|rebuttal|author_response|response)(?:[ \t][^<>\n]{0,80})?>/gi;

/** `<paper>…</paper> <review id="1">…</review>`; null where they do not close one after the other. */
function inTags({ text, start, end }: Page): Section[] | null {
  const tags = [...text.slice(start, end).matchAll(TAG)];
  if (tags.length < 4 || tags.length % 2 === 1) return null;
  const sections: Section[] = [];
  let reviews = 0;
  for (let at = 0; at < tags.length; at += 2) {
    const [open, close] = [tags[at], tags[at + 1]];
    const name = open?.groups?.name?.toLowerCase() ?? '';
    if (!open || !close || open.groups?.close !== '' || close.groups?.close !== '/') return null;
    if (close.groups.name?.toLowerCase() !== name) return null;
    const kind =
      name === 'review' ? 'review' : /^(?:paper|manuscript|submission)$/.test(name) ? 'paper' : 'rebuttal';
    const body = trimRange(text, { start: start + open.index + open[0].length, end: start + close.index });
    const whole = { start: start + open.index, end: start + close.index + close[0].length };
    sections.push({ kind, key: kind === 'review' ? `${++reviews}` : '', ...body, whole });
  }
  return sections;
}

/**
 * The verdict of a meta-review: an overall score where one is asked for, or else the decision; by the schema, or by the
 * JSON that the prompt shows. Other fields are not read: dimensions, confidence.
 */
const SCORE =
  /^(?:overall|final)?_?(?:overall|score|rating|recommendation|assessment)(?:_?(?:score|rating))?$/i;
const DECISION = /^(?:final|meta)?_?(?:decision|verdict|recommendation)$/i;
/** `"overall": 1 to 10`, `"rating": <integer 1-10>`. */
const SHOWN =
  /["'](?<field>[a-z_]{3,30})["'][ \t]{0,9}:[ \t]{0,9}[<"[(]{0,2}(?:[a-z ,]{0,40}?[ (])?(?<min>\d{1,2})[ \t]{0,9}(?:to|-|–|\.\.)[ \t]{0,9}(?<max>\d{1,3})\b/gi;
/** `"decision": "reject", "poster" or "oral"`, `"decision": "accept" | "reject"`; not `"reason": "…", "decision":`. */
const LISTED =
  /["'](?<field>[a-z_]{3,30})["'][ \t]{0,9}:[ \t]{0,9}(?<values>"[^"\n]{1,30}"(?:[ \t]{0,9}(?:,|\||\/|,? or)[ \t]{0,9}"[^"\n]{1,30}")+)(?![ \t]{0,9}:)/gi;

/** @returns null where neither is asked for in JSON: the general reader of forms has the word */
function peerReviewForm({ orders, schema }: FormSource): VerdictForm | null {
  return bySchema(schema) ?? byWords(orders);
}

const property = z.looseObject({
  type: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
});
const object = z.looseObject({ properties: z.record(z.string(), property) });

function bySchema(schema: unknown): VerdictForm | null {
  const read = object.safeParse(schema);
  if (!read.success) return null;
  const fields = Object.entries(read.data.properties);
  for (const [field, { type, minimum, maximum }] of fields)
    if (SCORE.test(field) && (type === 'integer' || type === 'number'))
      return { kind: 'score', min: minimum ?? null, max: maximum ?? null, template: null, field };
  for (const [field, { enum: values }] of fields)
    if (DECISION.test(field) && values && values.length > 1 && values.every((one) => typeof one === 'string'))
      return category(field, values);
  return null;
}

function byWords(orders: string): VerdictForm | null {
  for (const { groups } of orders.matchAll(SHOWN)) {
    const { field = '', min, max } = groups ?? {};
    if (SCORE.test(field))
      return { kind: 'score', min: Number(min), max: Number(max), template: null, field };
  }
  for (const { groups } of orders.matchAll(LISTED)) {
    const { field = '', values = '' } = groups ?? {};
    if (DECISION.test(field))
      return category(
        field,
        [...values.matchAll(/"([^"]+)"/g)].map(([, one = '']) => one),
      );
  }
  return null;
}

const category = (field: string, labels: readonly string[]): VerdictForm => ({
  kind: 'category',
  write: { template: '{}', labels },
  field,
});
