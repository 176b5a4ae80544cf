/**
 * mlflow's judges of correctness and of safety, whose tags name what is judged by another word than an answer: the
 * document that a claim is held against, the text of a classifier.
 */
import { trimmed } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import type { Finding, Layout, Page } from './layout.ts';

interface Judge {
  /** What its prompt says in front of the tags, or around them. */
  readonly tells: RegExp;
  readonly judged: string;
  readonly asked: string | null;
}

const JUDGES: readonly Judge[] = [
  {
    tells: /whether the claim is supported by the document in the context of the question\b/,
    judged: 'document',
    asked: 'question',
  },
  { tells: /^You are a content safety classifier\./, judged: 'text', asked: null },
];

export const mlflow: Layout = {
  name: 'mlflow',
  find: (pages) =>
    pages.flatMap((page) =>
      page.text.includes('<') ? JUDGES.flatMap((judge) => read(page, judge) ?? []) : [],
    ),
};

function read(page: Page, { tells, judged, asked }: Judge): Finding | null {
  const open = page.text.indexOf(`\n<${judged}>`, page.start);
  if (open < 0 || !tells.test(page.text.slice(page.start, open))) return null;
  const region = between(page, judged);
  const body = region && { part: page.part, ...trimmed(page.text, region) };
  const instruction = asked === null ? null : between(page, asked);
  const judgedText = body && body.end > body.start;
  return {
    layout: 'mlflow',
    single: true,
    noun: judged,
    usual: null,
    evident: true,
    marks: [{ part: page.part, start: open + 1, end: open + judged.length + 3 }],
    options: judgedText ? [{ label: judged, at: body }] : [],
    instruction: instruction && region && instruction.end < region.start ? instruction : null,
    labelled: instruction !== null,
    style: 'tag',
    closed: region ? [region] : [],
    after: { part: page.part, offset: region ? region.end + judged.length + 3 : page.end },
  };
}

/** What stands in the only such tag; null where a text holds one as well. */
function between({ part, start, end, text }: Page, tag: string): Span | null {
  const pieces = text.slice(start, end).split(`<${tag}>`);
  const [ahead = '', inside = ''] = pieces;
  const closed = inside.split(`</${tag}>`);
  if (pieces.length !== 2 || closed.length !== 2 || ahead.includes(`</${tag}>`)) return null;
  const from = start + ahead.length + tag.length + 2;
  return { part, start: from, end: from + (closed[0] ?? '').length };
}
