/** The detector paper's three datasets on the Hugging Face hub, as base items (arXiv 2505.17100 §4). */
import * as z from 'zod';
import { finalNumber } from '../../case/final-answer.ts';
import type { BaseItem } from '../base.ts';
import type { HubSplit } from '../hub/rows.ts';
import { contentId } from './published.ts';

/** A row that is of no use here, and why, in words that can be counted. */
export interface Skipped {
  readonly skipped: string;
}

export interface HubSource extends Omit<HubSplit, 'split'> {
  readonly splits: readonly [string, ...string[]];
  readonly row: z.ZodType<BaseItem | Skipped>;
}

/** A worked solution with the result after `####`. There are no wrong ones: a weak model gives those. */
const gsm8k = z.object({ question: z.string(), answer: z.string() }).transform(
  ({ question, answer }): BaseItem => ({
    kind: 'pair',
    id: contentId('gsm8k', question),
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
  .transform((row): BaseItem | Skipped => {
    const [asked, a, ...more] = row.conversation_a;
    const [askedB, b, ...moreB] = row.conversation_b;
    if (row.winner !== 'model_a' && row.winner !== 'model_b') return { skipped: 'no winner' };
    if (row.turn !== 1 || more.length > 0 || moreB.length > 0) return { skipped: 'more than one turn' };
    if (row.language !== 'English') return { skipped: 'not English' };
    if (!asked || !a || !b || asked.content !== askedB?.content)
      return { skipped: 'the two answer different questions' };
    if ([asked, a, b].some(({ content }) => content.trim() === '')) return { skipped: 'an empty text' };
    const better = row.winner === 'model_a';
    return {
      kind: 'pair',
      id: `arena-${row.question_id}`,
      instruction: asked.content,
      positive: better ? a.content : b.content,
      negative: better ? b.content : a.content,
      answer: null,
      first: better ? 'positive' : 'negative',
    };
  });

/** Questions of three or four options that need no picture. */
const scienceQa = z
  .object({
    question: z.string(),
    choices: z.array(z.string()),
    answer: z.int().min(0),
    image: z.unknown(),
  })
  .transform(({ question, choices, answer, image }): BaseItem | Skipped => {
    if (image !== null && image !== undefined) return { skipped: 'has an image' };
    if (choices.length < 3 || choices.length > 4) return { skipped: 'not three or four options' };
    return {
      kind: 'choice',
      id: contentId('scienceqa', question, ...choices),
      instruction: question,
      options: choices,
      right: answer,
      toned: null,
    };
  });

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
} as const satisfies Record<string, HubSource>;

export type HubName = keyof typeof HUB_SOURCES;
