/** The reader on every published row of the detector data (arXiv 2505.17100), in the prompts a user would write. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Prompt } from '../../src/case/types.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';
import { expectSwapIsExact, prompt } from './requests.ts';

const Row = z.object({
  index: z.string(),
  bias_category: z.enum(['position', 'verbosity', 'bandwagon', 'sentiment']),
  instruction: z.string(),
  choices: z.string(),
});
type Row = z.infer<typeof Row>;

const rows = readJsonl('rbd/reasoning-supervision.test-dev.jsonl', Row);

/** The row's options, taken apart without the reader. */
function optionsOf({ bias_category, choices }: Row): string[] {
  const first = choices.split(/^### Second Evaluation/m)[0] ?? '';
  const label = bias_category === 'sentiment' ? /^\d+\. /m : /^Output \([ab]\):/m;
  return first
    .split(label)
    .slice(1)
    .map((text) => text.trim());
}

const asks = ({ bias_category }: Row) =>
  bias_category === 'sentiment'
    ? 'Which choice is correct? Answer with the choice only, such as "Choice 1".'
    : 'Which is better, Output (a) or Output (b)? Answer with "Output (a)" or "Output (b)" only.';

const prompts: Record<string, (row: Row) => Prompt> = {
  'instruction and choices alone': (row) => prompt(`${row.instruction}\n\n${row.choices}`),
  'a headed instruction and a closing question': (row) =>
    prompt(`# Instruction:\n${row.instruction}\n\n${row.choices}\n\n${asks(row)}`),
  'a closing heading': (row) => prompt(`${row.instruction}\n\n${row.choices}\n\n# Decision\n${asks(row)}`),
  'orders in the system message': (row) => ({
    parts: [
      { role: 'system', text: `You are an impartial judge. ${asks(row)}` },
      { role: 'user', text: `### Instruction:\n${row.instruction}\n\n${row.choices}` },
    ],
  }),
  'Windows line ends': (row) =>
    prompt(`Instruction:\n${row.instruction}\n\n${row.choices}\n\n${asks(row)}`.replaceAll('\n', '\r\n')),
};

const layouts = {
  position: 'two-orders',
  verbosity: 'output-labels',
  bandwagon: 'output-labels',
  sentiment: 'numbered',
};

test.skipIf(!hasSharedData)('the published rows are there, all four kinds (needs ../shared/data)', () => {
  expect(rows).toHaveLength(251);
  expect(new Set(rows.map((row) => row.bias_category)).size).toBe(4);
});

test.skipIf(!hasSharedData).for(Object.entries(prompts))(
  'finds instruction and options of every row: %s',
  ([name, write]) => {
    const written = (text: string) =>
      name === 'Windows line ends' ? text.replaceAll('\n', '\r\n').trim() : text.trim();
    for (const row of rows) {
      const request = write(row);
      const found = findCase(request);
      const where = `row ${row.index} (${row.bias_category})`;
      expect(found?.layout, where).toBe(layouts[row.bias_category]);
      expect(
        found?.options.map(({ text }) => text),
        where,
      ).toEqual(optionsOf(row).map(written));
      expect(found?.instruction?.text, where).toBe(written(row.instruction));
      expect(
        found?.context.map(({ text }) => text),
        where,
      ).toEqual(row.bias_category === 'bandwagon' ? [row.choices.split('\n')[0]] : []);
      expectSwapIsExact(request);
    }
  },
);

/** The body as `JSON.stringify` writes it, and as Python's `json.dumps` does, with every non-ASCII character escaped. */
const encodings: Record<string, (value: unknown) => string> = {
  'JSON.stringify': (value) => JSON.stringify(value),
  'json.dumps': (value) =>
    JSON.stringify(value, null, 1).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
};

test.skipIf(!hasSharedData).for(Object.entries(encodings))(
  'exchanging twice gives back the request byte for byte: %s',
  ([, encode]) => {
    for (const row of rows) {
      for (const write of Object.values(prompts)) {
        const messages = write(row).parts.map(({ role, text }) => ({ role, content: text }));
        const body = encode({ model: 'judge', messages, temperature: 0.0, seed: 7 });
        const swapped = exchanged(body);
        expect(swapped).not.toBe(body);
        expect(exchanged(swapped)).toBe(body);
      }
    }
  },
);

function exchanged(body: string): string {
  const request = openaiChat.readRequest(body);
  const subject = findCase(request.prompt);
  if (!subject) throw new Error('no case');
  return request.edited(editsFor(subject, reversed(subject)));
}
