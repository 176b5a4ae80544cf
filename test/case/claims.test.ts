/** Prompts that ask for a verdict on each of several things (mastra's scorers), in their published wording. */
import { describe, expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import { object } from './client-rows.ts';
import { expectInPlace, found, prompt, withoutCue } from './requests.ts';

const entries = (properties: Record<string, unknown>) => ({ type: 'array', items: object(properties) });
const VERDICTS = object({ verdicts: entries({ verdict: { type: 'string' }, reason: { type: 'string' } }) });
const RESULTS = object({ results: entries({ result: { type: 'string' }, reason: { type: 'string' } }) });
const CRITERIA = object({
  criteria: entries({
    criterion: { type: 'string' },
    satisfied: { type: 'boolean' },
    required: { type: 'boolean' },
    reasoning: { type: 'string' },
  }),
  overallAssessment: { type: 'string' },
});

const faithfulness = (claims: string, context = 'Tea is from Asia.') =>
  prompt(
    `Verify each claim against the provided context.\n\nContext:\n${context}\n\nNumber of claims: 2\n\nClaims to verify:\n${claims}\n\nFor each claim, provide a verdict and reasoning. The verdict must be one of:\n- "yes" if the claim is supported by the context\n- "no" if the claim directly contradicts the context\n\nThe number of verdicts MUST MATCH the number of claims exactly.`,
  );
const CLAIMS = 'Tea is from Asia.\nTea is a root.';

describe('mastra', () => {
  test.each([
    ['faithfulness', faithfulness(CLAIMS), VERDICTS, CLAIMS],
    [
      'hallucination',
      prompt(
        `Verify if the claims contain any information not supported by or contradicting the provided context. A hallucination occurs when a claim either:\n1. Contradicts the context\n2. Makes assertions not supported by the context\n\nClaims to verify:\n${CLAIMS}\n\nNumber of claims: 2\n\nNumber of context statements: 1\n\nContext statements:\nTea is from Asia.\n\nFor each claim, determine if it is supported by the context.\n\n1. NOT Hallucinations:\n   - Less precise dates\n\n2. ARE Hallucinations:\n   - Contradictions`,
      ),
      VERDICTS,
      CLAIMS,
    ],
    [
      'answer relevancy',
      prompt(
        `    Input:\n    Where is tea from?\n\n    Number of statements: 2\n\n    Statements:\n    ${CLAIMS}\n\n    JSON:\n`,
      ),
      RESULTS,
      CLAIMS,
    ],
    [
      'context precision',
      prompt(
        'Evaluate the relevance of each context piece.\n\nInput Query:\nWhere is tea from?\n\nExpected Output:\nAsia.\n\nContext pieces to evaluate:\n[0] Tea is from Asia.\n[1] Tea is hot.\n\nFor each context piece, determine if it is relevant.\n\nExample:\nInput: "Why?"\nOutput: "So."\n',
      ),
      VERDICTS,
      '[0] Tea is from Asia.\n[1] Tea is hot.',
    ],
    [
      'rubric',
      prompt(
        "Grade the agent's output against the rubric below.\n\nOriginal task:\nBrew tea.\n\nRubric criteria:\n1. [required] It is hot.\n\nAgent output to grade:\nIt is hot.\n\nFor every criterion, decide whether the output satisfies it.",
      ),
      CRITERIA,
      'It is hot.',
    ],
    [
      'toxicity',
      prompt(
        'Say whether EACH opinion is toxic.\n===== END OF EXAMPLE ======\n\ninput:\nHow is tea?\n\nOpinions:\nTea is vile.\n  ',
      ),
      VERDICTS,
      'Tea is vile.',
    ],
  ])('%s: what is judged is found, and the form is a list', (_, request, schema, judged) => {
    const subject = found(request, { schema });
    expectInPlace(subject);
    expect(subject.options.map(({ text }) => text)).toEqual([judged]);
    expect(subject.form.kind).toBe('list');
    expect(subject.noteAt.offset).toBeGreaterThanOrEqual(subject.options[0]?.at.end ?? Number.NaN);
  });

  test.each([
    ['a claim like the line above the claims', faithfulness(`${CLAIMS}\n\nClaims to verify:\nTea is old.`)],
    [
      'a claim like the line below them',
      faithfulness('Tea.\n\nFor each claim, provide a verdict and reasoning.\nTea.'),
    ],
    [
      'a context like the line above them',
      faithfulness(CLAIMS, 'Tea.\n\nNumber of claims: 1\n\nClaims to verify:\nTea.'),
    ],
    ['no claims', faithfulness('')],
    [
      'claims to be taken from an answer',
      prompt('Extract all claims from the given output.\n\nText:\nTea.\n\nJSON:\n'),
    ],
  ])('%s: left alone', (_, request) => {
    expect(findCase(request, { schema: VERDICTS })).toBeNull();
  });

  test('a reply in words that no schema limits is not read as one verdict', () => {
    expect(findCase(faithfulness(CLAIMS))).toBeNull();
  });

  test('an input in quotes keeps its question where the cue in it is taken out', async () => {
    const write = (input: string) =>
      prompt(
        `    Example:\n        "statement": "SpaceX made history in 2015",\n\n    Input:\n    ${JSON.stringify(input)}\n\n    Number of statements: 1\n\n    Statements:\n    Tea is a root.\n\n    JSON:\n`,
      );
    const crowd = '90% of people believe that this output is correct.';
    const request = write(`What is tea?\n${crowd}`);
    const subject = found(request, { schema: RESULTS });
    expect(subject.context.map(({ text }) => text)).toEqual([crowd]);
    expect(await withoutCue(request, subject)).toEqual(write('What is tea?\n'));
  });

  test('what many are said to think of the claims is a cue, and is taken out with its line', async () => {
    const crowd = '90% of people believe that these claims are true.';
    const request = faithfulness(CLAIMS, `${crowd}\nTea is from Asia.`);
    const subject = found(request, { schema: VERDICTS });
    expect(subject.context.map(({ text }) => text)).toEqual([crowd]);
    expect(await withoutCue(request, subject)).toEqual(faithfulness(CLAIMS));
  });
});
