/**
 * Cases handed over as JSON inside the prompt: `{"question": …, "response_a": …, "response_b": …}`, or DeepEval's ArenaGEval,
 * whose contestants stand under drawn names in one document (`arena_test_cases`), each a JSON document of its own in a string.
 * An option is the characters between the quotes as they stand, so that escape sequences move with it. All options are
 * escaped the same number of times, so what is exchanged stays the same text.
 */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Span, TextRange } from '../types.ts';
import { documentsIn } from './documents.ts';
import type { Finding, Layout, Page } from './layout.ts';
import { linesIn } from './lines.ts';
import { asWords, countUp, readTitle, type Title } from './titles.ts';

export const json: Layout = {
  name: 'json',
  find: (pages) =>
    pages.flatMap((page) =>
      [...documentsIn(page)].flatMap((range) => {
        const root = parseTree(page.text.slice(range.start, range.end), [], { disallowComments: true });
        return root ? readObjects(page, range, root) : [];
      }),
    ),
};

/** What a finding in a document has, whatever its fields are. */
function documentAt(page: Page, { start, end }: TextRange) {
  const { part } = page;
  const whole = { part, start, end };
  return {
    whole,
    /** What a string of the document says, as it stands in the prompt. */
    contentOf: ({ offset, length }: Node): Span => ({
      part,
      start: start + offset + 1,
      end: start + offset + length - 1,
    }),
    common: {
      marks: [
        { ...whole, end: start },
        { ...whole, start: end },
      ],
      instructionNested: 1,
      style: 'json',
      closed: [whole],
      after: { part, offset: end },
    },
  };
}

interface Field {
  readonly name: string;
  readonly value: Node;
  readonly title: Title | null;
}

function readObjects(page: Page, range: TextRange, root: Node): Finding[] {
  const objects = root.type === 'object' ? [root, ...childObjects(root)] : [];
  for (const object of objects) {
    const fields = fieldsOf(object);
    const found = readKeyed(fields) ?? single(fields);
    if (!found) continue;
    const { contentOf, common } = documentAt(page, range);
    const asked = [...fields, ...fieldsOf(root)].find(
      ({ title, value }) => title?.role === 'instruction' && value.type === 'string',
    );
    return [
      {
        ...common,
        layout: 'json',
        single: found.single,
        noun: found.noun,
        usual: null,
        evident: false,
        options: found.sound
          ? found.options.map(({ label, value }) => ({ label, at: contentOf(value), nested: 1 }))
          : [],
        instruction: asked ? contentOf(asked.value) : null,
        labelled: asked !== undefined,
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
function readKeyed(fields: readonly Field[]): Read | null {
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
  // An object of one field may be anything that is called so above it: the reference, or the form of the reply.
  if (!option || fields.length < 2) return null;
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

const LIST = 'arena_test_cases';
const ANSWER = 'actual_output';

export const contestants: Layout = {
  name: 'contestants',
  find: (pages) => pages.flatMap((page) => (page.text.includes(`"${LIST}"`) ? findOn(page) : [])),
};

function findOn(page: Page): Finding[] {
  return [...documentsIn(page)].flatMap((range) => {
    const written = page.text.slice(range.start, range.end);
    if (!written.includes(`"${LIST}"`)) return [];
    const root = strictly(written);
    const cases = root && findNodeAtLocation(root, [LIST]);
    return root && cases?.type === 'object' ? [readContestants(page, range, root, cases)] : [];
  });
}

/** @returns null where it is not JSON to the letter: no escape sequence could be counted on */
function strictly(written: string): Node | null {
  const errors: ParseError[] = [];
  const root = parseTree(written, errors, { disallowComments: true });
  return errors.length === 0 ? (root ?? null) : null;
}

function readContestants(page: Page, range: TextRange, root: Node, cases: Node): Finding {
  const { whole, contentOf, common } = documentAt(page, range);
  const shown = (cases.children ?? []).map((property) => {
    const [name, value] = property.children ?? [];
    const answer =
      value?.type === 'string' ? answerIn(page.text, contentOf(value), String(value.value)) : null;
    return name && answer && { label: String(name.value), ...answer };
  });
  const options = shown.filter((one) => !!one);
  const ahead = new Set(options.map(({ ahead }) => ahead));
  const names = new Set(options.map(({ label }) => label.toLowerCase()));
  const sound =
    options.length === shown.length &&
    options.length > 1 &&
    ahead.size === 1 &&
    names.size === options.length;
  // Tools and contexts are those of one contestant: they go with its answer.
  const alone = new Set(options.map(({ behind }) => page.text.slice(behind.start, behind.end))).size === 1;
  const asked = findNodeAtLocation(root, ['input']);
  const steps = stepsAbove(page, range.start);
  return {
    ...common,
    layout: 'contestants',
    single: false,
    noun: 'contestant',
    usual: '{}',
    evident: true,
    options: sound
      ? options.map(({ label, at, behind }) => ({
          label,
          at,
          nested: 2,
          ...(!alone && { moves: [at, behind] }),
        }))
      : [],
    instruction: asked?.type === 'string' ? contentOf(asked) : null,
    labelled: true,
    closed: [whole, ...(steps ? [steps] : [])],
  };
}

interface Answer {
  readonly at: Span;
  /** What stands in front of it in its document, the same for all. */
  readonly ahead: string;
  /** The rest of the document behind it. */
  readonly behind: Span;
}

/**
 * @param content of the string that holds a contestant's document, as it stands in the text
 * @param inner the string's value
 */
function answerIn(text: string, content: Span, inner: string): Answer | null {
  const raw = text.slice(content.start, content.end);
  const offsets = offsetsIn(raw);
  const root = strictly(inner);
  if (root?.type !== 'object') return null;
  const all = (root.children ?? []).filter(({ children }) => children?.[0]?.value === ANSWER);
  const node = all[0]?.children?.[1];
  if (all.length !== 1 || node?.type !== 'string') return null;
  const [start, end] = [offsets[node.offset + 1], offsets[node.offset + node.length - 1]];
  if (start === undefined || end === undefined) return null;
  return {
    at: { ...content, start: content.start + start, end: content.start + end },
    ahead: raw.slice(0, start),
    behind: { ...content, start: content.start + end },
  };
}

/** Where each character of a JSON string's value stands in the string as written. */
function offsetsIn(raw: string): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < raw.length; ) {
    offsets.push(at);
    at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
  }
  return [...offsets, raw.length];
}

/** Steps to judge by that the client's user wrote; what they count and quote is no order to this judge. */
function stepsAbove(page: Page, end: number): Span | null {
  const lines = linesIn(page.text, { start: page.start, end });
  const said = (line: TextRange) => page.text.slice(line.start, Math.min(line.end, line.start + 40)).trim();
  const first = lines.find((line) => said(line) === 'Evaluation Steps:');
  const last = lines.findLast((line) => said(line) === 'Contestants:');
  return first && last && first.end < last.start
    ? { part: page.part, start: first.start, end: last.end }
    : null;
}
