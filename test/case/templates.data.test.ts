/**
 * Real texts in many templates: a case is read exactly as it was set out, or left alone. A wrong reading would
 * move a piece of the template with an option; leaving a case alone only costs the check.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findCase, guessCase } from '../../src/case/read.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';
import { prompt } from './requests.ts';

const llmbar = readJsonl(
  'llmbar/items.dev.jsonl',
  z.looseObject({ instruction: z.string(), output_1: z.string(), output_2: z.string() }),
);
const arena = readJsonl(
  'rbd/bias4-eval.Arena_Position_and_Bandwagon.dev.jsonl',
  z.looseObject({
    prompt: z.string(),
    original: z.looseObject({ response_a: z.string(), response_b: z.string() }),
  }),
);
const gsm8k = readJsonl(
  'rbd/bias4-eval.GSM8K_Verbosity.dev.jsonl',
  z.looseObject({ question: z.string(), answer: z.string(), gemma_answer: z.string() }),
);
const texts: [string, string, string][] = [
  ...llmbar.map(({ instruction, output_1, output_2 }): [string, string, string] => [
    instruction,
    output_1,
    output_2,
  ]),
  ...arena.map(({ prompt: asked, original }): [string, string, string] => [
    asked,
    original.response_a,
    original.response_b,
  ]),
  ...gsm8k.map(({ question, answer, gemma_answer }): [string, string, string] => [
    question,
    answer,
    gemma_answer,
  ]),
];

/**
 * Template, and the share of texts that may be left alone. Under headings that is 4 %: so many answers have headings or
 * rules of their own, and no first guess can tell those from the template's. What is guessed is exact all the same, so
 * that the template is learned.
 */
const TEMPLATES: Record<string, [(i: string, a: string, b: string) => string, number]> = {
  'headings, and one for the verdict': [
    (i, a, b) =>
      `Which answer is better?\n\n## Question\n${i}\n\n## Answer A\n${a}\n\n## Answer B\n${b}\n\n## Verdict\nReply with only A or B.`,
    0.04,
  ],
  'a closing heading that explains': [
    (i, a, b) =>
      `### Instruction:\n${i}\n\n### Output (a):\n${a}\n\n### Output (b):\n${b}\n\n### Your answer (Output (a) or Output (b)):`,
    0.04,
  ],
  tags: [
    (i, a, b) =>
      `Pick the better response.\n<question>${i}</question>\n<response_a>${a}</response_a>\n<response_b>${b}</response_b>\nReply with "A" or "B".`,
    0.01,
  ],
};

describe.skipIf(!hasSharedData)('real texts in many templates (skipped without the data)', () => {
  it.each(Object.entries(TEMPLATES))('%s', (_name, [template, mayBeLeft]) => {
    let [left, inexact] = [0, 0];
    for (const [instruction, one, two] of texts) {
      for (const [a, b] of [
        [one, two],
        [two, one],
      ] as const) {
        const request = prompt(template(instruction, a, b));
        const subject = findCase(request);
        const bodies = [a.trim(), b.trim()];
        if (subject) expect(subject.options.map(({ text }) => text)).toEqual(bodies);
        else {
          left++;
          const guess = guessCase(request)?.options.map(({ text }) => text);
          if (guess?.join('\0') !== bodies.join('\0')) inexact++;
        }
      }
    }
    expect(left / (2 * texts.length)).toBeLessThanOrEqual(mayBeLeft);
    expect(inexact / (2 * texts.length)).toBeLessThanOrEqual(0.01);
  });
});
