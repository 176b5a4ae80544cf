/** Base data from wherever it stands: by name from the hub, the published files, or any local one with a mapping. */

import * as z from 'zod';
import { finalNumber } from '../case/index.ts';
import { InputError } from '../errors.ts';
import { draw } from '../stats/seeded-draw.ts';
import { checkFields } from '../strict-fields.ts';
import { type BaseItem, baseItem } from './base.ts';
import { hashText, openNotes } from './distil/similar.ts';
import { type Hub, type HubSplit, readHubRows } from './hub/rows.ts';
import {
  arenaPair,
  type FileFormat,
  hashContent,
  type LocalRow,
  type Mapping,
  mapRow,
  PAIR,
  publishedArena,
  publishedGsm8k,
  publishedScienceQa,
  readLocal,
  scienceRow,
  toScienceChoice,
} from './sources/mapping.ts';

/** Layouts of base data that are known by name. */
export const LAYOUTS = {
  base: baseItem,
  'published-gsm8k': publishedGsm8k,
  'published-arena': publishedArena,
  'published-scienceqa': publishedScienceQa,
} as const satisfies Record<string, z.ZodType<BaseItem>>;

export type LayoutName = keyof typeof LAYOUTS;

interface LocalOptions {
  /** Null to tell by the file's name. */
  readonly format: FileFormat | null;
  /** One of the known layouts, a mapping for any other, or null to tell by the first row. */
  readonly layout: LayoutName | Mapping | null;
}

/**
 * Base items of a local file.
 *
 * @throws InputError naming file, row and column of the first row that is wrong
 */
export async function* readBase(path: string, { format, layout }: LocalOptions): AsyncGenerator<BaseItem> {
  let known = layout;
  let count = 0;
  using notes = openNotes();
  const isOwn = noteIds(notes);
  for await (const local of readLocal(path, format)) {
    count++;
    known ??= tellLayout(path, local);
    yield typeof known === 'string'
      ? checked<BaseItem>(LAYOUTS[known], local.row, local.where)
      : mapRow(local.row, layout ? known : nameColumns(local.row, isOwn), local.where);
  }
  if (count === 0) throw new InputError(path, 'has no rows');
}

function tellLayout(path: string, { row }: LocalRow): LayoutName | Mapping {
  const found = Object.entries(LAYOUTS).find(([, schema]) => schema.safeParse(row).success);
  if (found) return found[0] as LayoutName;
  if (Object.hasOwn(row, 'instruction') && Object.hasOwn(row, 'positive')) return new Map();
  throw new InputError(
    path,
    `has the columns ${Object.keys(row).join(', ')}, which is none of the known layouts (${Object.keys(LAYOUTS).join(', ')}); ` +
      'say which column is what: --map instruction=COLUMN,positive=COLUMN,negative=COLUMN',
  );
}

/**
 * Columns that are called as they are mapped need no mapping. Nobody said so, though: an optional one may mean something
 * else (`answer` which label won, `first` a model, `id` the prompt of several rows). It is read where its value can be meant.
 */
function nameColumns(row: LocalRow['row'], isOwn: (id: string, texts: string) => boolean): Mapping {
  const texts = [row.instruction, row.positive, row.negative].map((one) => String(one ?? ''));
  const plain = (value: unknown) =>
    typeof value === 'object' || value === undefined ? '' : String(value).trim();
  const isMeant = {
    id: () => plain(row.id) !== '' && isOwn(String(row.id), JSON.stringify(texts)),
    answer: () => concludes(plain(row.answer), texts[1] ?? '', texts[2] ?? ''),
    first: () => row.first === 'positive' || row.first === 'negative',
    instruction: () => true,
    positive: () => true,
    negative: () => Object.hasOwn(row, 'negative'),
  };
  return new Map(PAIR.filter((name) => isMeant[name]()).map((name) => [name, name]));
}

/**
 * Whether a text can be what the right answer comes to. Where it is a number, the wrong answer may come to it as well: it is checked
 * by that later. A single letter is a label.
 */
function concludes(answer: string, positive: string, negative: string): boolean {
  const number = finalNumber(answer);
  // 0, 1 or 2 may be a label instead: which of the two won.
  if (number !== null && number === answer.replaceAll(',', ''))
    return finalNumber(positive) === number && (!/^[012]$/.test(number) || finalNumber(negative) !== number);
  return answer.length > 1 && positive.includes(answer) && !negative.includes(answer);
}

/** @returns whether an id stands for these texts alone, as far as was read */
function noteIds(notes: ReturnType<typeof openNotes>): (id: string, texts: string) => boolean {
  notes.exec('CREATE TABLE named (id TEXT PRIMARY KEY, texts BLOB NOT NULL)');
  const keep = notes.prepare('INSERT OR IGNORE INTO named (id, texts) VALUES (?, ?)');
  const isKept = notes.prepare('SELECT id FROM named WHERE id = ? AND texts = ?');
  return (id, texts) => {
    const hash = hashText(texts);
    keep.run(id, hash);
    return isKept.get(id, hash) !== undefined;
  };
}

const checked = <T>(schema: z.ZodType<T>, row: unknown, where: string): T =>
  checkFields(schema, row, (what) => new InputError(where, what));

/**
 * The items without those whose texts stand there before, whatever the order of their options: counted twice, a case would
 * be evidence of two.
 *
 * @param onSkipped told why, for each that is left out
 */
export async function* dropRepeats(
  items: AsyncIterable<BaseItem>,
  onSkipped: (reason: string) => void,
): AsyncGenerator<BaseItem> {
  using notes = openNotes();
  notes.exec('CREATE TABLE seen (texts BLOB PRIMARY KEY)');
  const keep = notes.prepare('INSERT OR IGNORE INTO seen (texts) VALUES (?)');
  for await (const item of items) {
    const texts = hashText(JSON.stringify(listTexts(item).map((text) => text.trim())));
    if (keep.run(texts).changes === 0) onSkipped('the same case stands before it');
    else yield item;
  }
}

/**
 * One item of each id, for rows that are found by it. An audit takes several of one id, as evidence that hangs together.
 *
 * @param source its name, for errors
 * @param onSkipped told why, for each that is left out
 * @throws InputError for an id that stands for two instructions
 */
export async function* takeOneOfEachId(
  items: AsyncIterable<BaseItem>,
  source: string,
  onSkipped: (reason: string) => void,
): AsyncGenerator<BaseItem> {
  using notes = openNotes();
  notes.exec('CREATE TABLE seen (id TEXT PRIMARY KEY, asked BLOB NOT NULL)');
  const keep = notes.prepare('INSERT OR IGNORE INTO seen (id, asked) VALUES (?, ?)');
  const isAnother = notes.prepare('SELECT id FROM seen WHERE id = ? AND asked != ?');
  for await (const item of items) {
    const asked = hashText(item.instruction.trim());
    if (isAnother.get(item.id, asked))
      throw new InputError(
        source,
        `the id "${item.id}" stands for two instructions; name them apart, or map no id`,
      );
    if (keep.run(item.id, asked).changes === 0)
      onSkipped('its id and its instruction stand before it, with other answers');
    else yield item;
  }
}

/** What makes an item the case that it is: the right option first. */
function listTexts(item: BaseItem): string[] {
  if (item.kind === 'pair') return [item.instruction, item.positive, item.negative ?? ''];
  const wrong = item.options.filter((_, index) => index !== item.right).toSorted();
  return [item.instruction, item.options[item.right] ?? '', ...wrong];
}

interface HubOptions {
  readonly hub: Hub;
  /** Null for the usual one. */
  readonly split: string | null;
  /** Folder where parts that were fetched are kept. */
  readonly cache: string;
  /** Told of every row that is of no use, and why. */
  readonly onSkipped: (reason: string) => void;
}

export const isHubName = (name: string): name is HubName => Object.hasOwn(HUB_SOURCES, name);

/** Base items of one of the hub's datasets that are known by name. */
export async function* readHubBase(
  name: HubName,
  { hub, split, cache, onSkipped }: HubOptions,
): AsyncGenerator<BaseItem> {
  const source: HubSource = HUB_SOURCES[name];
  const chosen = split ?? source.splits[0];
  if (!source.splits.includes(chosen))
    throw new InputError('--split', `${name} has no "${chosen}", only ${source.splits.join(', ')}`);
  for await (const { row, where } of readHubRows(hub, { ...source, split: chosen }, cache)) {
    const item = checked(source.row, row, where);
    if ('skipped' in item) onSkipped(item.skipped);
    else yield item;
  }
}

// Datasets on the Hugging Face hub that are known by name, as base items: the detector paper's three (arXiv 2505.17100
// §4), and the two of the audit of cues (arXiv 2509.26072).

/** A row that is of no use here, and why, in words that can be counted. */
interface SkippedRow {
  readonly skipped: string;
}

interface HubSource extends Omit<HubSplit, 'split'> {
  readonly splits: readonly [string, ...string[]];
  readonly row: z.ZodType<BaseItem | SkippedRow>;
}

/** A worked solution with the result after `####`. There are no wrong ones: a weak model gives those. */
const gsm8k = z.object({ question: z.string(), answer: z.string() }).transform(
  ({ question, answer }): BaseItem => ({
    kind: 'pair',
    id: hashContent('gsm8k', question),
    instruction: question,
    positive: answer,
    negative: null,
    answer: finalNumber(answer),
    first: 'positive',
  }),
);

const turns = z.array(z.object({ role: z.string(), content: z.string() }));
/** Battles of one turn with a winner, in English. */
const arena = z
  .object({
    question_id: z.string(),
    winner: z.string(),
    turn: z.int(),
    language: z.string(),
    conversation_a: turns,
    conversation_b: turns,
  })
  .transform((row): BaseItem | SkippedRow => {
    const [asked, a, ...more] = row.conversation_a;
    const [askedB, b, ...moreB] = row.conversation_b;
    if (row.winner !== 'model_a' && row.winner !== 'model_b') return { skipped: 'no winner' };
    if (row.turn !== 1 || more.length > 0 || moreB.length > 0) return { skipped: 'more than one turn' };
    if (row.language !== 'English') return { skipped: 'not English' };
    if (!asked || !a || !b || asked.content !== askedB?.content)
      return { skipped: 'the two answer different questions' };
    if ([asked, a, b].some(({ content }) => content.trim() === '')) return { skipped: 'an empty text' };
    return arenaPair(
      `arena-${row.question_id}`,
      asked.content,
      [a.content, b.content],
      row.winner === 'model_a',
    );
  });

/** Questions of three or four options that need no picture. */
const scienceQa = scienceRow.extend({ image: z.unknown() }).transform((row): BaseItem | SkippedRow => {
  const { choices, image } = row;
  if (image !== null && image !== undefined) return { skipped: 'has an image' };
  if (choices.length < 3 || choices.length > 4) return { skipped: 'not three or four options' };
  return toScienceChoice(row, null);
});

/** Reddit leaves this where a text was. */
const GONE = /^\s*\[(?:deleted|removed)\]\s*$/i;

/** Two texts, the better of them known by votes. Sources list it first, always: here it is drawn which stands first. */
function votedPair(
  source: string,
  { instruction, positive, negative }: { instruction: string; positive: string; negative: string },
): BaseItem | SkippedRow {
  if ([instruction, positive, negative].some((text) => text.trim() === ''))
    return { skipped: 'an empty text' };
  if (GONE.test(positive) || GONE.test(negative)) return { skipped: 'a text that was deleted' };
  if (positive.trim() === negative.trim()) return { skipped: 'the same text twice' };
  const id = hashContent(source, instruction, positive, negative);
  const first = draw(0, id) < 0.5 ? 'positive' : 'negative';
  return { kind: 'pair', id, instruction, positive, negative, answer: null, first };
}

const answer = z.object({ text: z.string(), score: z.int() });
/** Lists beside each other, or a list of answers: both are ways to store the same column. */
const answers = z.union([
  z.array(answer),
  z
    .object({ text: z.array(z.string()), score: z.array(z.int()) })
    .transform(({ text, score }) => text.map((one, index) => ({ text: one, score: score[index] ?? 0 }))),
]);

/** Threads of r/explainlikeimfive: the answer with the most votes, and the next that has fewer (arXiv 1907.09190). */
const eli5 = z
  .object({ title: z.string(), selftext: z.string().nullable(), subreddit: z.string(), answers })
  .transform(({ title, selftext, subreddit, answers: all }): BaseItem | SkippedRow => {
    if (subreddit !== 'explainlikeimfive') return { skipped: `of r/${subreddit}` };
    const [best, next] = all.toSorted((a, b) => b.score - a.score);
    if (!best || !next) return { skipped: 'fewer than two answers' };
    if (best.score === next.score) return { skipped: 'as many votes for both' };
    const instruction = [title, selftext ?? ''].filter((text) => text.trim() !== '').join('\n\n');
    return votedPair('eli5', { instruction, positive: best.text, negative: next.text });
  });

/** Two stories for one prompt of r/WritingPrompts, the one with more votes chosen (arXiv 2507.00769). */
const litBench = z
  .object({ prompt: z.string(), chosen_story: z.string(), rejected_story: z.string() })
  .transform(({ prompt, chosen_story: positive, rejected_story: negative }) =>
    votedPair('litbench', { instruction: prompt, positive, negative }),
  );

/** Known by name; the first split is the default. */
export const HUB_SOURCES = {
  gsm8k: {
    dataset: 'openai/gsm8k',
    config: 'main',
    splits: ['test', 'train'],
    columns: ['question', 'answer'],
    row: gsm8k,
  },
  arena: {
    dataset: 'lmsys/chatbot_arena_conversations',
    config: 'default',
    splits: ['train'],
    columns: ['question_id', 'winner', 'turn', 'language', 'conversation_a', 'conversation_b'],
    row: arena,
  },
  scienceqa: {
    dataset: 'derek-thomas/ScienceQA',
    config: 'default',
    splits: ['test', 'train', 'validation'],
    columns: ['question', 'choices', 'answer', 'image'],
    // Hundreds of megabytes; whether there is an image is known without them.
    without: ['image.bytes'],
    row: scienceQa,
  },
  eli5: {
    dataset: 'Pavithree/eli5',
    config: 'default',
    // The smallest first: it has more than any audit asks for.
    splits: ['validation', 'test', 'train'],
    columns: ['title', 'selftext', 'subreddit', 'answers'],
    row: eli5,
  },
  litbench: {
    dataset: 'SAA-Lab/LitBench-Train',
    config: 'default',
    splits: ['train'],
    columns: ['prompt', 'chosen_story', 'rejected_story'],
    row: litBench,
  },
} as const satisfies Record<string, HubSource>;

export type HubName = keyof typeof HUB_SOURCES;
