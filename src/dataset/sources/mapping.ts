/** Base items from local files of any format and layout: which column, or which place inside one, is what. */

import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import * as z from 'zod';
import { describeError, InputError } from '../../errors.ts';
import { readCsv, readJsonFile, readJsonl } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';
import { explainIssue } from '../../strict-fields.ts';
import { type BaseChoice, type BaseItem, type BasePair, baseItem } from '../base.ts';

export const PAIR = ['id', 'instruction', 'positive', 'negative', 'answer', 'first'] as const;
const CHOICE = ['id', 'instruction', 'options', 'right', 'right1', 'toned'] as const;
type Part = (typeof PAIR)[number] | (typeof CHOICE)[number];

export type Mapping = ReadonlyMap<Part, string>;

/**
 * @param text `instruction=question,positive=answer`; a place inside a column is `original.response_a` or
 *   `conversation_a.0.content`, options in columns of their own are `A|B|C`
 * @throws InputError naming `--map`
 */
export function readMapping(text: string): Mapping {
  const mapping = new Map<Part, string>();
  const fault = (what: string) => new InputError('--map', what);
  for (const one of text.split(',')) {
    const equals = one.indexOf('=');
    const [name, place] = [one.slice(0, Math.max(equals, 0)).trim(), one.slice(equals + 1).trim()];
    const part = [...PAIR, ...CHOICE].find((known) => known === name);
    if (!part || place === '')
      throw fault(
        `"${one}" is not part=column, with a part of ${[...new Set([...PAIR, ...CHOICE])].join(', ')}`,
      );
    if (mapping.has(part)) throw fault(`${part} is given twice`);
    mapping.set(part, place);
  }
  const allowed: readonly Part[] = mapping.has('options') ? CHOICE : PAIR;
  const stray = [...mapping.keys()].find((part) => !allowed.includes(part));
  if (stray) throw fault(`${stray} does not go with ${mapping.has('options') ? 'options' : 'a pair'}`);
  const needed: readonly Part[] = mapping.has('options') ? ['instruction'] : ['instruction', 'positive'];
  const missing = needed.find((part) => !mapping.has(part));
  if (missing) throw fault(`${missing} is missing`);
  if (mapping.has('options') && mapping.has('right') === mapping.has('right1'))
    throw fault('give one of right (counted from 0) and right1 (from 1)');
  return mapping;
}

/**
 * @param where file and row, for errors
 * @throws InputError naming the row, and the column that is missing or wrong
 */
export function mapRow(row: Record<string, unknown>, mapping: Mapping, where: string): BaseItem {
  const value = (part: Part): unknown => {
    const place = mapping.get(part);
    return place === undefined ? undefined : at(row, place, where);
  };
  const text = (part: Part): string | null => {
    const found = value(part);
    if (found === undefined || found === null) return null;
    if (typeof found === 'object') throw new InputError(where, `${mapping.get(part)} is no text`);
    return String(found);
  };
  const instruction = text('instruction') ?? '';
  const named = text('id');
  const draft = mapping.has('options') ? choiceOf(value, mapping, where) : pairOf(text, mapping, where);
  const content = 'options' in draft ? draft.options : [draft.positive, draft.negative ?? ''];
  const id = named ?? hashContent('row', instruction, ...content.map(String));
  // Where nothing says which one stood first, the id decides: a judge of one place would be right in every row otherwise.
  const first = 'positive' in draft && draft.first === null ? { first: drawFirst(id) } : {};
  const read = baseItem.safeParse({ ...draft, ...first, id, instruction }, { error: explainIssue });
  if (read.success) return read.data;
  const said = read.error.issues.map(({ path, message }) => {
    const [part, ...inside] = path.map(String);
    const column = mapping.get(part as Part);
    return `${[part, ...inside].join('.')}${column ? ` (${column})` : ''} ${message}`;
  });
  throw new InputError(where, said.join('; '));
}

const drawFirst = (id: string) =>
  Number.parseInt(hashContent('first', id).slice(-1), 16) < 8 ? 'positive' : 'negative';

function pairOf(text: (part: Part) => string | null, mapping: Mapping, where: string) {
  const literal = mapping.get('first');
  const first = literal === 'positive' || literal === 'negative' ? literal : text('first');
  if (first !== null && first !== 'positive' && first !== 'negative')
    throw new InputError(where, `${literal} must be positive or negative, not "${first}"`);
  const positive = text('positive') ?? '';
  return { kind: 'pair' as const, positive, negative: text('negative'), answer: text('answer'), first };
}

function choiceOf(value: (part: Part) => unknown, mapping: Mapping, where: string) {
  const options = listOf(value('options'), mapping.get('options') ?? '', where);
  const part = mapping.has('right') ? 'right' : 'right1';
  const said = value(part);
  const letter = typeof said === 'string' && /^\s*\(?([A-Z])[).]?\s*$/i.exec(said)?.[1]?.toUpperCase();
  const number = typeof said === 'string' && said.trim() === '' ? Number.NaN : Number(said);
  const right = letter ? letter.charCodeAt(0) - 'A'.charCodeAt(0) : number - (part === 'right1' ? 1 : 0);
  if (said === null || !Number.isInteger(right) || right < 0 || right >= options.length)
    throw new InputError(
      where,
      `${mapping.get(part)} (${part}) is ${JSON.stringify(said)}, which is none of ${options.length} options`,
    );
  const toned = mapping.has('toned') ? value('toned') : null;
  return {
    kind: 'choice' as const,
    options,
    right,
    toned: toned === null ? null : listOf(toned, mapping.get('toned') ?? '', where),
  };
}

/** CSV has no lists: there they stand as JSON in a cell. */
function listOf(value: unknown, place: string, where: string): unknown[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value);
    } catch (cause) {
      throw new InputError(where, `${place} is no list: ${describeError(cause)}`);
    }
  }
  if (!Array.isArray(list)) throw new InputError(where, `${place} is no list`);
  return list;
}

/** @throws InputError where there is nothing in that place; what is there may be null */
function at(row: Record<string, unknown>, place: string, where: string): unknown {
  if (place.includes('|')) return place.split('|').map((one) => at(row, one.trim(), where));
  if (Object.hasOwn(row, place)) return row[place];
  const [column = '', ...inside] = place.split('.');
  if (!Object.hasOwn(row, column))
    throw new InputError(where, `has no column ${column}; it has ${Object.keys(row).join(', ')}`);
  let found: unknown = row[column];
  for (const step of inside) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step))
      throw new InputError(where, `${place}: there is no ${step}`);
    found = Object.entries(found).find(([name]) => name === step)?.[1];
  }
  return found;
}

/** Formats by what their names end in. */
export const FILE_FORMATS = ['jsonl', 'json', 'csv', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface LocalRow {
  readonly row: Record<string, unknown>;
  /** File and row, for errors. Rows count from 1. */
  readonly where: string;
}

const record = z.record(z.string(), z.unknown());

/**
 * @param format null to tell by the name's end, JSONL where that says nothing
 * @throws InputError naming the file, and the row, that is wrong
 */
export async function* readLocal(path: string, format: FileFormat | null): AsyncGenerator<LocalRow> {
  const ending = extname(path).slice(1).toLowerCase();
  const told = format ?? FILE_FORMATS.find((one) => one === ending) ?? 'jsonl';
  let count = 0;
  for await (const row of rowsOf(path, told)) yield { row, where: `${path}, row ${++count}` };
}

function rowsOf(path: string, format: FileFormat): AsyncIterable<Record<string, unknown>> {
  switch (format) {
    case 'jsonl':
      return readJsonl(path, record);
    case 'json':
      return readJson(path);
    case 'csv':
      return readCsv(path, record);
    case 'parquet':
      return readParquet(path, record);
  }
}

/** One array of records. */
async function* readJson(path: string): AsyncGenerator<Record<string, unknown>> {
  const value = await readJsonFile(path);
  if (!Array.isArray(value)) throw new InputError(path, 'must hold one array of rows');
  for (const [index, one] of value.entries()) {
    const row = record.safeParse(one);
    if (!row.success) throw new InputError(`${path}, row ${index + 1}`, 'is no object');
    yield row.data;
  }
}

// The base data that came with the detector paper (the bias4-eval files of arXiv 2505.17100), as base items. It
// has the weak model's answers and the rewritten tones in it, so nothing has to be asked of a model.

/** GSM8K questions with a worked solution and Gemma's answer, which may be right: that is for the builder to check. */
export const publishedGsm8k = z
  .object({
    question: z.string(),
    answer: z.string(),
    single_correct_answer: z.string(),
    gemma_answer: z.string(),
  })
  .transform(
    (row): BasePair => ({
      kind: 'pair',
      id: hashContent('gsm8k', row.question),
      instruction: row.question,
      positive: row.answer,
      negative: row.gemma_answer,
      answer: row.single_correct_answer,
      first: 'positive',
    }),
  );

/** Chatbot Arena pairs with the better answer known. Ground truth 1: `response_a` is the better; 2: `response_b`. */
export const publishedArena = z
  .object({
    id: z.union([z.string(), z.number()]).optional(),
    prompt: z.string(),
    original: z.object({ response_a: z.string(), response_b: z.string() }),
    ground_truth_original: z.union([z.literal(1), z.literal(2)]),
  })
  .transform(({ id, prompt, original, ground_truth_original }): BasePair => {
    const { response_a, response_b } = original;
    const own = id === undefined ? hashContent('arena', prompt, response_a, response_b) : `arena-${id}`;
    return arenaPair(own, prompt, [response_a, response_b], ground_truth_original === 1);
  });

/** A battle of Chatbot Arena. @param isFirst whether the first of the two texts is the better */
export const arenaPair = (
  id: string,
  instruction: string,
  [a, b]: readonly [string, string],
  isFirst: boolean,
): BasePair => ({
  kind: 'pair',
  id,
  instruction,
  positive: isFirst ? a : b,
  negative: isFirst ? b : a,
  answer: null,
  first: isFirst ? 'positive' : 'negative',
});

/** A question of ScienceQA. */
export const scienceRow = z.object({
  question: z.string(),
  choices: z.array(z.string()),
  answer: z.int().min(0),
});

export const toScienceChoice = (
  { question, choices, answer }: z.output<typeof scienceRow>,
  toned: BaseChoice['toned'],
): BaseChoice => ({
  kind: 'choice',
  id: hashContent('scienceqa', question, ...choices),
  instruction: question,
  options: choices,
  right: answer,
  toned,
});

/** ScienceQA questions whose options were rewritten: the right one gloomy, the rest cheerful. */
export const publishedScienceQa = scienceRow
  .extend({ sentiment_choices: z.array(z.string()).optional() })
  .transform((row) => toScienceChoice(row, row.sentiment_choices ?? null));

/** A name for a row that has none: the same content has the same in every run. */
export function hashContent(source: string, ...texts: readonly string[]): string {
  return `${source}-${createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12)}`;
}
