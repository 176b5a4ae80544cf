/** The layouts of training examples that trainers read: how each is written, and how its consumer reads it. */
import * as z from 'zod';
import { RemandError } from '../../errors.ts';
import { readJsonl, writeJsonl } from '../../records/node.ts';
import { nonBlankText } from '../../strict-fields.ts';
import {
  type ExampleSplit,
  type ExportSurvey,
  formatTurns,
  type TrainingExample,
} from './training-example.ts';

/** A record as its consumer reads it. */
export interface ConsumerRecord {
  readonly record: object;
  readonly prompt: string;
  readonly completion: string;
}

export interface Format {
  /** Where a split stands in the format's folder. */
  file(split: ExampleSplit): string;
  /** What is to be found again for an example, whole. */
  record(example: TrainingExample): object;
  /** @returns how many were written */
  write(path: string, examples: AsyncIterable<TrainingExample>): Promise<number>;
  /** @throws InputError for what the consumer would refuse */
  read(path: string): AsyncGenerator<ConsumerRecord>;
  /** Files the consumer needs beside the splits: name to text. */
  beside?(survey: ExportSurvey): Readonly<Record<string, string>>;
}

/** A format of one JSON object a line. */
function createJsonlFormat<T extends object>(
  schema: z.ZodType<T>,
  record: (example: TrainingExample) => T,
  told: (record: T) => Omit<ConsumerRecord, 'record'>,
  beside?: Format['beside'],
): Format {
  return {
    file: (split) => `${split}.jsonl`,
    record,
    write: (path, examples) => writeJsonl(path, mapAsync(examples, record)),
    async *read(path) {
      for await (const one of readJsonl(path, schema)) yield { record: one, ...told(one) };
    },
    ...(beside && { beside }),
  };
}

const messagesRecord = z.strictObject({
  messages: z.tuple([
    z.strictObject({ role: z.literal('user'), content: nonBlankText }),
    z.strictObject({ role: z.literal('assistant'), content: nonBlankText }),
  ]),
});

/** TRL's conversational language modelling, Axolotl's chat_template and OpenAI's fine-tuning read `messages`. */
function createMessagesFormat(beside?: Format['beside']): Format {
  return createJsonlFormat<z.output<typeof messagesRecord>>(
    messagesRecord,
    (example) => {
      const [prompt, completion] = formatTurns(example);
      return {
        messages: [
          { role: 'user', content: prompt },
          { role: 'assistant', content: completion },
        ],
      };
    },
    ({ messages: [user, assistant] }) => ({ prompt: user.content, completion: assistant.content }),
    beside,
  );
}

export const chat = createMessagesFormat();

/** Axolotl: `messages`, and the part of a configuration that reads them and takes the loss on the assistant's turn. */
const setOf = (split: string) => `  - path: ${split}.jsonl
    ds_type: json
    split: train
    type: chat_template
    field_messages: messages
    message_property_mappings:
      role: role
      content: content
    roles_to_train: ["assistant"]
    train_on_eos: turn
`;

export const axolotl = createMessagesFormat(({ splits }) => {
  const has = (name: string) => splits.some(({ split }) => split === name);
  // `split: train` is what the JSON loader calls the only part of a file.
  const parts = [
    has('train') ? `datasets:\n${setOf('train')}` : '',
    has('validation') ? `test_datasets:\n${setOf('validation')}` : '',
  ];
  return {
    'datasets.yaml': `# Paths are relative to where axolotl is started.\n${parts.join('')}`,
  };
});

/** TRL's prompt-completion layout: the loss is taken on the completion alone. */
export const completion = createJsonlFormat(
  z.strictObject({ prompt: nonBlankText, completion: nonBlankText }),
  (example) => {
    const [prompt, answer] = formatTurns(example);
    return { prompt, completion: answer };
  },
  (record) => record,
);

/** ShareGPT's `conversations`, and the same with the entry LLaMA-Factory wants in its dataset_info.json. */
const conversationsRecord = z.strictObject({
  conversations: z.tuple([
    z.strictObject({ from: z.literal('human'), value: nonBlankText }),
    z.strictObject({ from: z.literal('gpt'), value: nonBlankText }),
  ]),
});

function createConversationsFormat(beside?: Format['beside']): Format {
  return createJsonlFormat<z.output<typeof conversationsRecord>>(
    conversationsRecord,
    (example) => {
      const [prompt, completion] = formatTurns(example);
      return {
        conversations: [
          { from: 'human', value: prompt },
          { from: 'gpt', value: completion },
        ],
      };
    },
    ({ conversations: [human, gpt] }) => ({ prompt: human.value, completion: gpt.value }),
    beside,
  );
}

export const sharegpt = createConversationsFormat();

/** Dropped into the trainer's data folder, or named by its `dataset_dir`; the sets are `remand_train` and so on. */
export const llamaFactory = createConversationsFormat(({ splits }) => {
  const entry = (split: string) => ({
    file_name: `${split}.jsonl`,
    formatting: 'sharegpt',
    columns: { messages: 'conversations' },
    tags: { role_tag: 'from', content_tag: 'value', user_tag: 'human', assistant_tag: 'gpt' },
  });
  const entries = splits.map(({ split }) => [`remand_${split}`, entry(split)]);
  return { 'dataset_info.json': `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n` };
});

export async function* mapAsync<T, R>(all: AsyncIterable<T>, change: (one: T) => R): AsyncGenerator<R> {
  for await (const one of all) yield change(one);
}

const LEAST_EXAMPLES = 10;
/** Tokens of one example; what is longer is cut at the end, where the label stands. */
const MOST_TOKENS = 65_536;
/** Tokens around each message, and before the reply: OpenAI's own way of counting. */
const AROUND_MESSAGE = 3;
const BEFORE_REPLY = 3;

export const openai: Format = createMessagesFormat();

export interface TokenCount {
  readonly encoding: string;
  count(text: string): number;
}

export interface TokenReport {
  readonly encoding: string;
  readonly total: number;
  readonly longest: number;
  /** Examples above the limit. */
  readonly above_limit: number;
  readonly limit: number;
}

/** @throws RemandError where there are too few examples to train on */
export function checkExamples(split: string, examples: number): void {
  if (split === 'train' && examples < LEAST_EXAMPLES)
    throw new RemandError(
      `openai/train.jsonl: has ${examples} examples, and OpenAI takes no fewer than ${LEAST_EXAMPLES}`,
    );
}

export function createTokenReport(tokens: TokenCount): {
  add(prompt: string, completion: string): void;
  report(): TokenReport;
} {
  let total = 0;
  let longest = 0;
  let above = 0;
  return {
    add(prompt, completion) {
      // A role is one token.
      const count = tokens.count(prompt) + tokens.count(completion) + 2 * (AROUND_MESSAGE + 1) + BEFORE_REPLY;
      total += count;
      longest = Math.max(longest, count);
      if (count > MOST_TOKENS) above++;
    },
    report: () => ({
      encoding: tokens.encoding,
      total,
      longest,
      above_limit: above,
      limit: MOST_TOKENS,
    }),
  };
}
