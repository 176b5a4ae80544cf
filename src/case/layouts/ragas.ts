/**
 * ragas: orders, the JSON schema of the reply, examples, and at the very end the case as JSON, `input: {…}` and
 * `Output:`. Everything in the case stands in JSON strings, where no text can have a line of its own.
 */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import * as z from 'zod';
import { asksForList, formFromSchema } from '../form/schema.ts';
import type { FormSource } from '../form/source.ts';
import { sentencesOnTheAnswer } from '../reading/statements.ts';
import type { Span, VerdictForm } from '../types.ts';
import type { Finding, Layout, Page } from './layout.ts';

const LEAD = '\nNow perform the same with the following input\ninput: ';
const CLOSES = /\nOutput:\s*$/;
const SCHEMA = 'complies with the following schema as specified in JSON Schema:\n';

/** What is judged: the statements one by one, or the answer, whole or by its statements. */
const JUDGED = ['statements', 'response', 'answer', 'user_answer'];
const ASKED = ['question', 'user_input', 'query'];

/** Orders that are about what was retrieved, whatever answer stands beside it (context precision and relevance). */
const ON_THE_CONTEXT = /\bverify if the context was useful\b|\brelevance score of a (?:given )?context\b/i;

/** A reply that is one verdict and words about it; anything else beside it is work of another kind. */
const OneVerdict = z.object({
  properties: z
    .strictObject({
      reason: z.unknown(),
      feedback: z.unknown(),
      verdict: z.unknown(),
      rating: z.unknown(),
      score: z.unknown(),
    })
    .partial()
    .refine(({ verdict, rating, score }) => [verdict, rating, score].filter(Boolean).length === 1),
});

/** A line of the rubric for each score there is. */
const RUBRIC = /^score(\d+)_description:/gm;

export const ragas: Layout = {
  name: 'ragas',
  find: (pages) => pages.flatMap((page) => read(page) ?? []),
};

function read(page: Page): Finding | null {
  const text = page.text.slice(page.start, page.end);
  const closes = CLOSES.exec(text.slice(-40));
  if (!closes) return null;
  const lead = text.lastIndexOf(LEAD);
  const told = text.indexOf(SCHEMA);
  if (lead < 0 || told < 0 || told > lead) return null;
  const from = page.start + lead + LEAD.length;
  const written = page.text.slice(from, page.end - closes[0].length);
  const root = isJson(written) ? parseTree(written) : undefined;
  if (root?.type !== 'object') return null;
  const field = (names: readonly string[]) =>
    names.map((name) => findNodeAtLocation(root, [name])).find((node) => node !== undefined);
  const inside = ({ offset, length, type }: Node): Span => {
    const quote = type === 'string' ? 1 : 0;
    return { part: page.part, start: from + offset + quote, end: from + offset + length - quote };
  };
  const nested = ({ type }: Node) => (type === 'string' ? 1 : 0);
  const orders = text.slice(0, told);
  const schema = schemaIn(text.slice(told + SCHEMA.length, lead));
  const one = OneVerdict.safeParse(schema).success;
  if (!one && !asksForList(schema)) return null;
  const named = field(one && ON_THE_CONTEXT.test(orders) ? ['context'] : JUDGED);
  // Statements stand in a list; one answer is a text.
  const judged = one && named?.type !== 'string' ? undefined : named;
  const asked = field(ASKED);
  const isText = asked?.type === 'string';
  return {
    layout: 'ragas',
    single: true,
    noun: one ? 'answer' : 'statement',
    usual: null,
    evident: true,
    formOf: scoredByRubric,
    marks: [{ part: page.part, start: from - LEAD.length, end: from }],
    options: judged ? [{ label: nameOf(judged), at: inside(judged), nested: nested(judged) }] : [],
    instruction: asked && isText ? inside(asked) : null,
    instructionNested: 1,
    labelled: isText,
    style: 'ragas',
    closed: [{ part: page.part, start: from, end: page.end }],
    after: { part: page.part, offset: from + written.length },
    schema,
    context: (root.children ?? []).flatMap(({ children: [, value] = [] }) =>
      value && value !== judged ? stringsIn(value).flatMap((node) => said(page, inside(node))) : [],
    ),
  };
}

/** The scores that its rubric describes are those there are. */
function scoredByRubric({ orders, schema }: FormSource): VerdictForm | null {
  const legal = [...orders.matchAll(RUBRIC)].map(([, score]) => Number(score)).toSorted((a, b) => a - b);
  const [min, max] = [legal[0], legal.at(-1)];
  const form = formFromSchema({ schema, labels: [''], orders: '' });
  if (form === null || form === 'mismatch' || form.kind !== 'score') return null;
  return min === undefined || max === undefined || min === max ? null : { ...form, min, max, legal };
}

const said = ({ text }: Page, { part, start, end }: Span): Span[] =>
  sentencesOnTheAnswer(text, { start, end }).map((range) => ({ part, ...range }));

const stringsIn = (node: Node): Node[] =>
  node.type === 'string' ? [node] : node.type === 'array' ? (node.children ?? []).flatMap(stringsIn) : [];

const nameOf = ({ parent }: Node) => String(parent?.children?.[0]?.value ?? '');

/** It stands on one line, with the next sentence right behind it. */
function schemaIn(text: string): unknown {
  const [line = ''] = text.split('\n');
  const end = line.lastIndexOf('}Do not use single quotes');
  const written = line.slice(0, end < 0 ? line.length : end + 1);
  return isJson(written) ? JSON.parse(written) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
