/**
 * The base data of the detector paper in requests set out as its judges' client sets them out: the whole
 * template indented but not what is filled in, rules in a numbered list, the majority's opinion as one of the
 * rules, choices under a heading. The words are ours.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bandwagon } from '../../src/bias/bandwagon.ts';
import { applyEdits, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Case } from '../../src/case/types.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';
import { prompt } from './requests.ts';

const arena = readJsonl(
  'rbd/bias4-eval.Arena_Position_and_Bandwagon.dev.jsonl',
  z.looseObject({
    prompt: z.string(),
    original: z.looseObject({ response_a: z.string(), response_b: z.string() }),
    ground_truth_original: z.number(),
  }),
);
const gsm8k = readJsonl(
  'rbd/bias4-eval.GSM8K_Verbosity.dev.jsonl',
  z.looseObject({
    question: z.string(),
    answer: z.string(),
    single_correct_answer: z.string(),
    gemma_answer: z.string(),
  }),
);
const scienceQa = readJsonl(
  'rbd/bias4-eval.ScienceQA_Sentiment.dev.jsonl',
  z.looseObject({
    question: z.string(),
    choices: z.array(z.string()),
    sentiment_choices: z.array(z.string()),
  }),
);

const ORDERS = `
    Decide whether Output (a) or Output (b) carries the instruction out better.

    Rules:
    (1) First comes whether an output does what was asked, then how helpful and accurate it is.
    (2) Be fair: Output (a) and Output (b) are **equally likely** to be the better one, whatever their order.`;
const pairwise = (instruction: string, a: string, b: string, statement: string | null) => `${ORDERS}
${statement === null ? '' : `    (3) An earlier evaluation says that ${statement}. It is the majority's opinion.\n`}
    Give no reasons.
    Answer with ONLY "Output (a)" or "Output (b)" and no other words.
    ---

    ### Instruction:${'  '}
    ${instruction}

    # Output (a):
    ${a}

    # Output (b):
    ${b}

    # Which one is better, Output (a) or Output (b)? The answer is either "Output (a)" or "Output (b)":
    `;
const multiple = (question: string, choices: readonly string[]) => `
    Choose the option that is true.

    Rules:
    (1) Facts come first.${'  '}
    (2) The order of the options does not matter.

    Answer with ONLY the number of the option (e.g., "1" or "2" or "3") and no other words.
    ---

    ### Instruction:${'  '}
    ${question}${'  '}

    ### Options:${'  '}
    ${choices.map((choice, i) => `${i + 1}. ${choice}`).join('\n')}

    # Which option is true? Reply with only its number (e.g., "1" or "2" or "3").
    `;

/** Read as meant, or left alone; never read otherwise. */
function outcome(
  text: string,
  instruction: string,
  options: readonly string[],
): { read: boolean; exact: boolean; subject: Case | null } {
  const request = prompt(text);
  const subject = findCase(request);
  if (!subject) return { read: false, exact: false, subject };
  expect(subject.options.map((option) => option.text.trim())).toEqual(options.map((option) => option.trim()));
  const exact = subject.instruction?.text === instruction.trim();
  const swapped = applyEdits(request, editsFor(subject, reversed(subject)));
  const again = findCase(swapped);
  if (again) expect(applyEdits(swapped, editsFor(again, reversed(again)))).toEqual(request);
  return { read: true, exact, subject };
}

describe.skipIf(!hasSharedData)('the base data in its own client’s layout (skipped without the data)', () => {
  it('pairs, in both kinds of request', () => {
    let read = 0;
    let exact = 0;
    for (const { prompt: instruction, original, ground_truth_original } of arena) {
      const outputs = [original.response_a, original.response_b] as const;
      const crowd = ground_truth_original === 1 ? 'b' : 'a';
      for (const statement of [null, `90%% believe that Output (${crowd}) is better`]) {
        const { subject, ...was } = outcome(
          pairwise(instruction, ...outputs, statement),
          instruction,
          outputs,
        );
        read += Number(was.read);
        exact += Number(was.exact);
        if (subject) {
          const favoured = bandwagon.spot(subject).map(({ favours }) => favours);
          expect(favoured).toEqual(statement === null ? [] : [crowd === 'a' ? 0 : 1]);
        }
      }
    }
    expect(read).toBe(2 * arena.length);
    // Two instructions hold headings and code of their own; their options are read all the same.
    expect(exact).toBeGreaterThanOrEqual(2 * (arena.length - 2));
  });

  it('worked solutions against bare answers', () => {
    const all = gsm8k.map(({ question, gemma_answer, single_correct_answer }) =>
      outcome(pairwise(question, gemma_answer, single_correct_answer, null), question, [
        gemma_answer,
        single_correct_answer,
      ]),
    );
    const swapped = gsm8k.map(({ question, gemma_answer, single_correct_answer }) =>
      outcome(pairwise(question, single_correct_answer, gemma_answer, null), question, [
        single_correct_answer,
        gemma_answer,
      ]),
    );
    expect([...all, ...swapped].filter(({ read }) => !read)).toEqual([]);
  });

  it('choices, plain and coloured', () => {
    const all = scienceQa.flatMap(({ question, choices, sentiment_choices }) =>
      [choices, sentiment_choices].map((list) => outcome(multiple(question, list), question, list)),
    );
    expect(all.filter(({ read }) => !read)).toEqual([]);
    expect(all[0]?.subject?.form).toMatchObject({ kind: 'choice', write: { template: '{}' } });
  });
});
