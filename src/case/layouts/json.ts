/**
 * Cases handed over as JSON inside the prompt: `{"question": …, "response_a": …, "response_b": …}`, or a list
 * under `answers`, `candidates`, `outputs`. An option is the characters between the quotes as they stand, so
 * that escape sequences move with it.
 */
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import type { Span } from '../types.ts';
import { documentsIn } from './documents.ts';
import type { Finding, Layout, Page } from './layout.ts';
import type { Range } from './lines.ts';
import { asWords, countUp, readTitle, type Title } from './titles.ts';

const LISTS =
  /^(?:model_?|candidate_?)?(?:answers|candidates|outputs|responses|completions|options|choices|stories|submissions|summaries|essays|replies)$/i;
const TEXT_FIELDS = ['text', 'content', 'output', 'response', 'answer', 'completion', 'value', 'body'];
const NAME_FIELDS = ['label', 'id', 'name', 'key', 'index'];

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
    const found = keyed(fields) ?? listed(fields) ?? single(fields);
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

/** `"answers": ["…", "…"]`, `"candidates": [{"id": "A", "text": "…"}]`. */
function listed(fields: readonly Field[]): Read | null {
  const lists = fields.filter(({ name, value }) => LISTS.test(name) && value.type === 'array');
  const [list] = lists;
  const items = list?.value.children ?? [];
  if (!list || items.length < 2) return null;
  const options = items.flatMap((item, i) => {
    const value =
      item.type === 'string'
        ? item
        : TEXT_FIELDS.map((name) => findNodeAtLocation(item, [name])).find((node) => node?.type === 'string');
    const name = NAME_FIELDS.map((field) => findNodeAtLocation(item, [field])?.value).find(
      (label) => typeof label === 'string' || typeof label === 'number',
    );
    return value ? [{ label: String(name ?? i + 1), value }] : [];
  });
  const distinct = new Set(options.map(({ label }) => label.toLowerCase())).size === options.length;
  return {
    noun: list.name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''),
    options,
    single: false,
    sound: lists.length === 1 && options.length === items.length && distinct && areAlike(items),
  };
}

/**
 * Whether the items of a list differ in nothing but their text and what tells them apart. An author would stay
 * behind in an exchange, be it in a field of its own or as the item's name.
 */
function areAlike(items: readonly Node[]): boolean {
  const said = items.map((item) => {
    const fields = fieldsOf(item);
    const text = TEXT_FIELDS.find((name) => fields.some((field) => field.name === name));
    const others = fields.filter(
      ({ name, value }) =>
        name !== text && !(NAME_FIELDS.includes(name) && isSlot(name, String(value.value))),
    );
    return JSON.stringify(others.map(({ name, value }) => [name, getNodeValue(value)]));
  });
  return new Set(said).size <= 1;
}

const isSlot = (field: string, value: string) =>
  !/^(?:name|label)$/.test(field) ||
  /^(?:[a-z]|\d{1,2})$/i.test(value) ||
  readTitle(asWords(value))?.role === 'option';

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
