/** ShareGPT's `conversations`, and the same with the entry LLaMA-Factory wants in its dataset_info.json. */
import * as z from 'zod';
import { createJsonlFormat, type Format, nonBlankText } from './format.ts';
import { formatTurns } from './training-example.ts';

const schema = z.strictObject({
  conversations: z.tuple([
    z.strictObject({ from: z.literal('human'), value: nonBlankText }),
    z.strictObject({ from: z.literal('gpt'), value: nonBlankText }),
  ]),
});

function conversations(beside?: Format['beside']): Format {
  return createJsonlFormat<z.output<typeof schema>>(
    schema,
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

export const sharegpt = conversations();

/** Dropped into the trainer's data folder, or named by its `dataset_dir`; the sets are `remand_train` and so on. */
export const llamaFactory = conversations(({ splits }) => {
  const entry = (split: string) => ({
    file_name: `${split}.jsonl`,
    formatting: 'sharegpt',
    columns: { messages: 'conversations' },
    tags: { role_tag: 'from', content_tag: 'value', user_tag: 'human', assistant_tag: 'gpt' },
  });
  const entries = splits.map(({ split }) => [`remand_${split}`, entry(split)]);
  return { 'dataset_info.json': `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n` };
});
