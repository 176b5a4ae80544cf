/** `messages` of a user and an assistant: TRL's conversational language modelling, Axolotl's chat_template, OpenAI's fine-tuning. */
import * as z from 'zod';
import { turnsOf } from './example.ts';
import { type Format, filled, jsonlFormat } from './format.ts';

const schema = z.strictObject({
  messages: z.tuple([
    z.strictObject({ role: z.literal('user'), content: filled }),
    z.strictObject({ role: z.literal('assistant'), content: filled }),
  ]),
});

export function messagesFormat(beside?: Format['beside']): Format {
  return jsonlFormat<z.output<typeof schema>>(
    schema,
    (example) => {
      const [prompt, completion] = turnsOf(example);
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

export const chat = messagesFormat();
