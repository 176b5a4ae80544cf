/**
 * mlflow's make_judge: instructions with the names of fields in them (`{{ outputs }}`), and a message with those
 * fields in that order, each as `name: ` and a JSON value. A value has no line of its own that could be a name.
 */
import { linesIn } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import type { Finding, Layout, Page } from './layout.ts';

const FIELD = /\{\{\s{0,4}(inputs|outputs|expectations|conversation|trace)\s{0,4}\}\}/g;
const LEAD = /^(inputs|outputs|expectations): /;

export const judgeFields: Layout = {
  name: 'judge-fields',
  find(pages) {
    const last = pages.at(-1);
    if (!last || !LEAD.test(last.text.slice(last.start, last.end))) return [];
    const told = pages.slice(0, -1).map(({ text, start, end }) => text.slice(start, end));
    const names = new Set([...told.join('\n').matchAll(FIELD)].map(([, name = '']) => name));
    // A conversation or a trace is no one answer.
    if (!names.has('outputs') || names.has('conversation') || names.has('trace')) return [];
    return [read(last, [...names])];
  },
};

function read(page: Page, names: readonly string[]): Finding {
  const leads = linesIn(page.text, page).flatMap(({ start, end }) => {
    const [lead, name] = LEAD.exec(page.text.slice(start, Math.min(end, start + 40))) ?? [];
    return lead === undefined || name === undefined ? [] : [{ name, start, end: start + lead.length }];
  });
  const given = names.filter((name) => leads.some((lead) => lead.name === name));
  const values = leads.map(({ name, end }, i) => ({
    name,
    at: valueIn(page, { part: page.part, start: end, end: leads[i + 1]?.start ?? page.end }),
  }));
  const spanOf = (name: string) => values.find((value) => value.name === name)?.at ?? null;
  const [judged, asked] = [spanOf('outputs'), spanOf('inputs')];
  // A field that is given twice stands in the text of another one.
  const sound =
    leads.map(({ name }) => name).join() === given.join() && values.every(({ at }) => at !== null);
  return {
    layout: 'judge-fields',
    single: true,
    noun: 'output',
    usual: null,
    evident: true,
    marks: leads.map(({ start, end }) => ({ part: page.part, start, end })),
    options: sound && judged ? [{ label: 'outputs', at: judged, nested: levelOf(page, judged) }] : [],
    instruction: sound ? asked : null,
    instructionNested: asked ? levelOf(page, asked) : 0,
    labelled: sound && asked !== null,
    style: 'judge fields',
    closed: [{ part: page.part, start: page.start, end: page.end }],
    after: { part: page.part, offset: page.end },
  };
}

/** Other JSON than a string is no text within quotes. */
const levelOf = ({ text }: Page, { start }: Span) => (text[start - 1] === '"' ? 1 : 0);

/** What stands between the quotes of a JSON string, other JSON as it is; null where it is no JSON. */
function valueIn({ text }: Page, { part, start, end }: Span): Span | null {
  const written = text.slice(start, end).trimEnd();
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const quote = typeof value === 'string' ? 1 : 0;
  return { part, start: start + quote, end: start + written.length - quote };
}
