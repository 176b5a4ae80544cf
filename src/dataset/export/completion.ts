/** TRL's prompt-completion layout: the loss is taken on the completion alone. */
import * as z from 'zod';
import { turnsOf } from './example.ts';
import { filled, jsonlFormat } from './format.ts';

export const completion = jsonlFormat(
  z.strictObject({ prompt: filled, completion: filled }),
  (example) => {
    const [prompt, answer] = turnsOf(example);
    return { prompt, completion: answer };
  },
  (record) => record,
);
