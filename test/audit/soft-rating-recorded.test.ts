/**
 * Soft ratings from the bytes that servers sent, held against figures worked out without Remand: see
 * test/fixtures/logprobs/README.md. The same replies are read as verdicts, which live traffic compares.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { computeSoftRating } from '../../src/audit/soft-rating.ts';
import type { VerdictForm } from '../../src/case/types.ts';
import { readWeighed } from '../../src/case/weighing/weighed.ts';

interface Figures {
  readonly value: number;
  readonly missing: number;
  readonly low: number;
  readonly high: number;
}
type Expected = Record<
  string,
  { planted: Pick<Figures, 'value' | 'missing'>; files: Record<string, Figures> }
>;

const folder = new URL('../fixtures/logprobs/', import.meta.url);
const bytes = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const expected: Expected = JSON.parse(bytes('expected.json'));
const recorded = Object.entries(expected).flatMap(([from, { planted, files }]) =>
  Object.entries(files).map(([file, figures]) => [`${from}/${file}`, planted, figures] as const),
);

function adapterOf(path: string): Adapter {
  if (/completion[^/]*$/.test(path)) return openaiCompletions;
  if (/response[^/]*$/.test(path)) return openaiResponses;
  if (/gemini[^/]*$/.test(path)) return gemini;
  return /tgi[^/]*$/.test(path) ? huggingface : openaiChat;
}

const read = (path: string) => adapterOf(path).readReply(bytes(path), path.endsWith('.sse'));
const hardIn = (text: string) => Number(/Rating: (\d+)$/.exec(text)?.[1]);
/** To the second decimal: half a hundredth, and what binary fractions add. */
const HUNDREDTH = 0.005 + 1e-9;

test('every recorded file is among those that have figures', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /\/.*\/.*\./.test(one),
  );
  expect(recorded.map(([path]) => path).toSorted()).toEqual(files.toSorted());
});

describe.each(recorded)('%s', (path, planted, { value, missing, low, high }) => {
  const { texts, sampled } = read(path);
  const [text = ''] = texts;
  const tokens = sampled?.[0] ?? null;

  test('the soft rating is right to the second decimal, and what is missing is bounded', () => {
    const soft = computeSoftRating(tokens ?? undefined, hardIn(text));
    if (soft.from === null) throw new Error(soft.reason);
    expect(Math.abs(soft.value - value)).toBeLessThanOrEqual(HUNDREDTH);
    expect(Math.abs(soft.low - low)).toBeLessThanOrEqual(HUNDREDTH);
    expect(Math.abs(soft.high - high)).toBeLessThanOrEqual(HUNDREDTH);
    expect(soft.missing).toBeCloseTo(missing, 5);
    // Whatever a list leaves out, the truth is between the bounds.
    expect(planted.value + planted.missing).toBeGreaterThanOrEqual(soft.low - HUNDREDTH);
    expect(planted.value).toBeLessThanOrEqual(soft.high + HUNDREDTH);
    if (missing < planted.missing + 1e-4)
      expect(Math.abs(soft.value - planted.value)).toBeLessThanOrEqual(HUNDREDTH);
  });

  test('as a verdict it has the same expectation, and bounds around it', () => {
    const form: VerdictForm = { kind: 'score', min: 1, max: 10, template: 'Rating: {}', field: null };
    const verdict = readWeighed(text, tokens, form, [{ label: 'paper' }]);
    if (verdict.kind !== 'score' || !verdict.spread) throw new Error('no spread');
    expect(verdict.score).toBe(hardIn(text));
    const { mean, missing: unknown } = verdict.spread;
    // A verdict counts what is unclear (a 1 that could have gone on) as missing, a soft rating as a 1 that is ambiguous.
    expect(unknown).toBeGreaterThanOrEqual(missing - 1e-5);
    expect(mean * (1 - unknown)).toBeLessThanOrEqual(value + 1e-3);
    expect(verdict.spread.low).toBeLessThanOrEqual(planted.value + planted.missing + 1e-3);
    expect(verdict.spread.high).toBeGreaterThanOrEqual(planted.value - 1e-3);
    if (unknown < missing + 1e-3) expect(mean).toBeCloseTo(value / (1 - missing), 2);
    expect(verdict.lead?.trimEnd()).toMatch(/^Clear enough\.\nRating:$/);
  });
});

test('a list of 20 and a list of 3 do not contradict each other', () => {
  for (const server of ['vllm', 'llama-cpp-python']) {
    const figuresOf = (file: string) => expected[`${server}/whole`]?.files[file];
    const [long, short] = [figuresOf('chat.json'), figuresOf('chat-top-3.json')];
    expect(long?.low).toBeGreaterThanOrEqual(short?.low ?? Number.NaN);
    expect(long?.high).toBeLessThanOrEqual(short?.high ?? Number.NaN);
  }
});
