/** The layouts of training examples that are one JSON object a line, by the trainer that reads them. */
import * as z from 'zod';
import { createJsonlFormat, type Format, nonBlankText } from './format.ts';
import { formatTurns } from './training-example.ts';

const messagesRecord = z.strictObject({
  messages: z.tuple([
    z.strictObject({ role: z.literal('user'), content: nonBlankText }),
    z.strictObject({ role: z.literal('assistant'), content: nonBlankText }),
  ]),
});

/** TRL's conversational language modelling, Axolotl's chat_template and OpenAI's fine-tuning read `messages`. */
export function createMessagesFormat(beside?: Format['beside']): Format {
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
