/**
 * Cases handed over as JSON inside the prompt: `{"question": …, "response_a": …, "response_b": …}`. An option is the
 * characters between the quotes as they stand, so that escape sequences move with it.
 */
import { type Node, parseTree } from 'jsonc-parser';
import type { Span } from '../types.ts';
import { documentsIn } from './documents.ts';
import type { Finding, Layout, Page } from './layout.ts';
import type { Range } from './lines.ts';
import { asWords, countUp, readTitle, type Title } from './titles.ts';

export const json: Layout = {
  name: 'json',
  find: (pages) =>
    pages.flatMap((page) =>
      [...documentsIn(page)].flatMap((range) => {
        const root = parseTree(page.text.slice(range.start, range.end), [], { disallowComments: true });
        return root ? read(page, range, root) : [];
      }),
    ),
};

interface Field {
  readonly name: string;
  readonly value: Node;
  readonly title: Title | null;
}

function read(page: Page, range: Range, root: Node): Finding[] {
  const objects = root.type === 'object' ? [root, ...childObjects(root)] : [];
  for (const object of objects) {
    const fields = fieldsOf(object);
    const found = keyed(fields) ?? single(fields);
    if (!found) continue;
    const span = (node: Node): Span => ({
      part: page.part,
      start: range.start + node.offset + 1,
      end: range.start + node.offset + node.length - 1,
    });
    const asked = [...fields, ...fieldsOf(root)].find(
      ({ title, value }) => title?.role === 'instruction' && value.type === 'string',
    );
    const whole = { part: page.part, start: range.start, end: range.end };
    return [
      {
        layout: 'json',
        single: found.single,
        noun: found.noun,
        usual: null,
        evident: false,
        marks: [
          { ...whole, end: whole.start },
          { ...whole, start: whole.end },
        ],
        options: found.sound
          ? found.options.map(({ label, value }) => ({ label, at: span(value), nested: 1 }))
          : [],
        instruction: asked ? span(asked.value) : null,
        instructionNested: 1,
        labelled: asked !== undefined,
        style: 'json',
        closed: [whole],
        after: { part: page.part, offset: range.end },
      },
    ];
  }
  return [];
}

interface Read {
  readonly noun: string;
  readonly options: readonly { readonly label: string; readonly value: Node }[];
  readonly sound: boolean;
  readonly single: boolean;
}

/** `response_a`, `answer2`, `assistantB`. */
function keyed(fields: readonly Field[]): Read | null {
  const options = fields.filter(({ title, value }) => title?.role === 'option' && value.type === 'string');
  const noun = options[0]?.title?.noun;
  if (noun === undefined || options.length < 2) return null;
  const keys = options.map(({ title }) => title?.key ?? '');
  return {
    noun,
    options: options.map(({ name, value }) => ({ label: asWords(name), value })),
    single: false,
    sound:
      options.every(({ title }) => title?.noun === noun) &&
      countUp(keys.map((key) => key.toLowerCase())) &&
      !fields.some((field) => !options.includes(field) && isBeside(field, keys)),
  };
}

/** `author_a` beside `response_a`: it would stay where it is when the responses are exchanged. */
const isBeside = ({ name, title }: Field, keys: readonly string[]) =>
  title?.role !== 'instruction' &&
  keys.some((key) => asWords(name).toLowerCase().endsWith(` ${key.toLowerCase()}`));

function single(fields: readonly Field[]): Read | null {
  // `{"summary": "..."}` is the reply that the prompt asks for.
  const options = fields.filter(
    ({ title, value }) =>
      title?.role === 'single' && value.type === 'string' && /[\p{L}\p{N}]/u.test(String(value.value)),
  );
  const [option] = options;
  if (!option) return null;
  const { name, value, title } = option;
  return {
    noun: title?.noun ?? name,
    options: [{ label: asWords(name), value }],
    sound: options.length === 1,
    single: true,
  };
}

function fieldsOf(object: Node): Field[] {
  return (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (!key || !value) return [];
    const name = String(key.value);
    return [{ name, value, title: readTitle(asWords(name)) }];
  });
}

function childObjects(object: Node): Node[] {
  return fieldsOf(object).flatMap(({ value }) => (value.type === 'object' ? [value] : []));
}
