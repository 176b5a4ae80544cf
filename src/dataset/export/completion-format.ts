/** TRL's prompt-completion layout: the loss is taken on the completion alone. */
import * as z from 'zod';
import { createJsonlFormat, nonBlankText } from './format.ts';
import { formatTurns } from './training-example.ts';

export const completion = createJsonlFormat(
  z.strictObject({ prompt: nonBlankText, completion: nonBlankText }),
  (example) => {
    const [prompt, answer] = formatTurns(example);
    return { prompt, completion: answer };
  },
  (record) => record,
);
