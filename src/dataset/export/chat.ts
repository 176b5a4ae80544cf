/** `messages` of a user and an assistant: TRL's conversational language modelling, Axolotl's chat_template, OpenAI's fine-tuning. */
import * as z from 'zod';
import { createJsonlFormat, type Format, nonBlankText } from './format.ts';
import { formatTurns } from './training-example.ts';

const schema = z.strictObject({
  messages: z.tuple([
    z.strictObject({ role: z.literal('user'), content: nonBlankText }),
    z.strictObject({ role: z.literal('assistant'), content: nonBlankText }),
  ]),
});

export function createMessagesFormat(beside?: Format['beside']): Format {
  return createJsonlFormat<z.output<typeof schema>>(
    schema,
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
