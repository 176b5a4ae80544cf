/** The reader on every published row of the detector data (arXiv 2505.17100), in the prompts a user would write. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { runSteps, unlimited } from '../../src/case/checkpoint.ts';
import { editsFor, reversed } from '../../src/case/counterfactual.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../src/case/templates/recognition.ts';
import type { Case, Prompt } from '../../src/case/types.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';
import { prompt } from './requests.ts';

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

test.skipIf(!hasSharedData)('the published rows are there, all four kinds (needs ../shared/data)', () => {
  expect(rows).toHaveLength(251);
  expect(new Set(rows.map((row) => row.bias_category)).size).toBe(4);
});

/** What is read in a row once three rows of its kind have been learned from. */
function readerOf(kind: Row['bias_category'], write: (row: Row) => Prompt): (prompt: Prompt) => Case | null {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => kind });
  const source = { tenant: null, path: '/' };
  for (const row of rows.filter(({ bias_category }) => bias_category === kind).slice(0, 5))
    runSteps(recogniseByTemplates(book, { prompt: write(row) }, source).learn(unlimited));
  return (request) => recogniseByTemplates(book, { prompt: request }, source).found.subject;
}

/** By how the prompts are written and the kind: reading teaches a book nothing, so the tests share what was learned. */
const readers = new Map<string, ReturnType<typeof readerOf>>();
function sharedReader(kind: Row['bias_category'], name: string, write: (row: Row) => Prompt) {
  const key = `${kind}, ${name}`;
  const reader = readers.get(key) ?? readerOf(kind, write);
  readers.set(key, reader);
  return reader;
}

test.skipIf(!hasSharedData).for(Object.entries(prompts))(
  'finds the options of every row, or leaves it alone, once its template is known: %s',
  ([name, write]) => {
    const written = (text: string) =>
      name === 'Windows line ends' ? text.replaceAll('\n', '\r\n').trim() : text.trim();
    const shares: Record<string, number> = {};
    for (const [kind, these = []] of Object.entries(Object.groupBy(rows, (row) => row.bias_category))) {
      const read = sharedReader(kind as Row['bias_category'], name, write);
      let count = 0;
      for (const row of these) {
        const found = read(write(row));
        if (!found) continue;
        count++;
        expect(
          found.options.map(({ text }) => text.trim()),
          `row ${row.index} (${kind})`,
        ).toEqual(optionsOf(row).map(written));
        expect(found.instruction?.text.trim(), `row ${row.index} (${kind})`).toBe(written(row.instruction));
        // Of the statement a learned template knows only what varies: the name of the option that it favours.
        const [statement = ''] = kind === 'bandwagon' ? row.choices.split('\n') : [];
        const outside = found.context.filter(({ text }) => !statement.includes(text.trim()));
        expect(outside, `row ${row.index} (${kind})`).toEqual([]);
        expect(found.context.length, `row ${row.index} (${kind})`).toBe(kind === 'bandwagon' ? 1 : 0);
      }
      shares[kind] = count / these.length;
    }
    // Rows that end in an answer, with nothing behind it, teach no template.
    const pairs = name === 'instruction and choices alone' ? 0 : 1;
    expect(shares).toEqual({ bandwagon: pairs, verbosity: pairs, position: 0, sentiment: 0 });
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
    for (const [name, write] of Object.entries(prompts))
      for (const kind of ['bandwagon', 'verbosity'] as const) {
        const read = sharedReader(kind, name, write);
        const exchanged = (body: string): string | null => {
          const request = openaiChat.readRequest(body);
          const subject = read(request.prompt);
          return subject && request.edited(editsFor(subject, reversed(subject)));
        };
        for (const row of rows.filter(({ bias_category }) => bias_category === kind)) {
          const messages = write(row).parts.map(({ role, text }) => ({ role, content: text }));
          const body = encode({ model: 'judge', messages, temperature: 0.0, seed: 7 });
          const swapped = exchanged(body);
          // Which rows are left alone is told above.
          if (swapped === null) continue;
          expect(swapped).not.toBe(body);
          expect(exchanged(swapped)).toBe(body);
        }
      }
  },
);
