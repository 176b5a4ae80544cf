/**
 * ragas: orders, the JSON schema of the reply, examples, and at the very end the case as JSON, `input: {…}` and
 * `Output:`. Everything in the case stands in JSON strings, where no text can have a line of its own.
 */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { sentencesOnTheAnswer } from '../reading/statements.ts';
import type { Span } from '../types.ts';
import type { Finding, Layout, Page } from './layout.ts';

const LEAD = '\nNow perform the same with the following input\ninput: ';
const CLOSES = /\nOutput:\s*$/;
const SCHEMA = 'complies with the following schema as specified in JSON Schema:\n';

/** What is judged by the sentence or the statement: the statements, or the answer that they are taken from. */
const JUDGED = ['statements', 'response', 'answer'];
const ASKED = ['question', 'user_input'];

export const ragas: Layout = {
  name: 'ragas',
  find: (pages) => pages.flatMap((page) => read(page) ?? []),
};

function read(page: Page): Finding | null {
  const text = page.text.slice(page.start, page.end);
  const lead = text.lastIndexOf(LEAD);
  const closes = CLOSES.exec(text.slice(-40));
  const told = text.indexOf(SCHEMA);
  if (lead < 0 || !closes || told < 0 || told > lead) return null;
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
  const judged = field(JUDGED);
  const asked = field(ASKED);
  const isText = asked?.type === 'string';
  return {
    layout: 'ragas',
    single: true,
    each: true,
    noun: 'statement',
    usual: null,
    evident: false,
    marks: [{ part: page.part, start: from - LEAD.length, end: from }],
    options: judged ? [{ label: nameOf(judged), at: inside(judged), nested: nested(judged) }] : [],
    instruction: asked && isText ? inside(asked) : null,
    instructionNested: 1,
    labelled: isText,
    style: 'ragas',
    closed: [{ part: page.part, start: from, end: page.end }],
    after: { part: page.part, offset: from + written.length },
    schema: schemaIn(text.slice(told + SCHEMA.length, lead)),
    context: (root.children ?? []).flatMap(({ children: [, value] = [] }) =>
      value && value !== judged ? stringsIn(value).flatMap((node) => said(page, inside(node))) : [],
    ),
  };
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
