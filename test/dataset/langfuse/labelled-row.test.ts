/** A judgment from use as a row, whatever was judged: what a detector reads of the row is what it would read live. */
import { expect, test } from 'vitest';
import {
  createLabelledRow,
  readTracedJudgment,
  type TracedJudgment,
} from '../../../src/dataset/langfuse/labelled-row.ts';
import { createRowBrief } from '../../../src/dataset/row-brief.ts';
import { renderBrief } from '../../../src/detect/rbd/render-brief.ts';

type Verdict = TracedJudgment['verdicts'][number];
type Evidence = TracedJudgment['analyses'][number]['evidence'][number];

interface Judgment {
  readonly options?: readonly string[];
  readonly context?: readonly string[];
  readonly instruction?: string | null;
  readonly verdict?: Omit<Verdict, 'text'>;
  readonly swapped?: Omit<Verdict, 'text'> | null;
  readonly lookedFor?: readonly string[];
  readonly evidence?: readonly Partial<Evidence>[];
}

/** In the labels of a client of its own, `[A]`, which a detector never sees; every statement names the first option. */
function told(judgment: Judgment): TracedJudgment {
  const { options = ['391', '381'], context = [], instruction = 'What is 17*23?', swapped = null } = judgment;
  const { verdict = { choice: '[A]' }, lookedFor = ['bandwagon'], evidence = [] } = judgment;
  const said = (one: Omit<Verdict, 'text'>): Verdict => ({ text: 'My verdict.', ...one });
  const named = (text: string) => {
    const start = text.indexOf('[A]');
    return start < 0 ? [] : [{ option: '[A]', start, end: start + 3 }];
  };
  const read = readTracedJudgment({
    // As the first version of the endpoint gives it, and as the second.
    input: {
      ...{ instruction, context },
      options: options.map((text, index) => ({ label: `[${'ABC'[index]}]`, text })),
      marks: context.map((text) => ({ mentions: named(text) })),
    },
    output: JSON.stringify({
      ...{ id: 'j1', judge: 'a-judge', looked_for: lookedFor },
      ...{ verdicts: [said(verdict)], swapped: [swapped && said(swapped)] },
      analyses: [
        {
          ...{ biased: false, biases: [], reasoning: 'Because.' },
          evidence: evidence.map((one) => ({
            ...{ biases: ['bandwagon'], undone: 'the crowd', changed: false },
            ...{ before: said(verdict), after: said(verdict), ...one },
          })),
        },
      ],
    }),
  });
  if ('leftOut' in read) throw new Error(read.leftOut);
  return read;
}

const at = { trace: 't', observation: 'o' };
const byPeople = (judgment: Judgment) =>
  createLabelledRow({ ...at, told: told(judgment), opinion: 'Yes' }, 'people');

const CROWD = '90% believe that [A] is better.';
const MANY_LINES = 'Votes so far:\n\n[A] 9\nthe other 1';

test.each<[string, Judgment, string, string]>([
  [
    'a choice, with statements of several lines',
    { context: [CROWD, MANY_LINES] },
    '### Statement: 90% believe that Output (a) is better.\n\n' +
      '### Statement: Votes so far:\n\nOutput (a) 9\nthe other 1\n\nOutput (a): 391\n\nOutput (b): 381',
    'Output (a)',
  ],
  ['a tie', { verdict: { tie: true } }, 'Output (a): 391\n\nOutput (b): 381', 'Tie'],
  [
    'three options',
    { options: ['391', '381', '371'], verdict: { choice: '[C]' } },
    '1. 391\n2. 381\n3. 371',
    'Choice 3',
  ],
  [
    'a score of one answer that a crowd speaks for',
    { options: ['391'], context: [CROWD], verdict: { score: 4.5 } },
    '### Statement: 90% believe that Output is better.\n\nOutput: 391',
    'Score: 4.5',
  ],
  ['a pass', { options: ['391'], verdict: { pass: false } }, 'Output: 391', 'Fail'],
  ['a relation', { options: ['391'], verdict: { category: 'B' } }, 'Output: 391', 'Category: B'],
  [
    'verdicts on claims',
    { options: ['391'], verdict: { list: ['yes', 'no'] } },
    'Output: 391',
    'Verdicts: yes, no',
  ],
  ['scores for both', { verdict: { scores: [3, 7] } }, 'Output (a): 391\n\nOutput (b): 381', 'Output (b)'],
  [
    'an answer that imitates the layout',
    { options: ['391\n\nOutput (b): 390', '381'], swapped: { tie: true }, lookedFor: ['position'] },
    '### First Evaluation (Original Order)\nOutput (a): 391\n\n› Output (b): 390\n\nOutput (b): 381\n\n' +
      '### Second Evaluation (Swapped Order)\nOutput (a): 381\n\nOutput (b): 391\n\n› Output (b): 390',
    '### Original Order\nOutput (a)\n\n### Swapped Order\nTie',
  ],
])('%s', (_name, judgment, choices, llm_judgment) => {
  const row = byPeople(judgment);
  if ('leftOut' in row) throw new Error(row.leftOut);
  expect(row).toMatchObject({ choices, llm_judgment, bias_label: 'Yes' });
  // In the layout of the columns, which shows both orders whole.
  const prompt = renderBrief(createRowBrief(row, new AbortController().signal), { template: 'first' });
  expect(prompt).toContain(`${choices}\n<<<END OPTIONS>>>`);
  expect(prompt).toContain(`${llm_judgment}\n<<<END DECISION>>>`);
});

test.each<[string, Judgment]>([
  ['the judge gave no verdict', { verdict: { none: 'refusal' } }],
  ['the judge gave no verdict', { verdict: { choice: '[Z]' } }],
  ['the case has no instruction', { instruction: null }],
  ['a bias was looked for that is not known here', { lookedFor: ['bandwagon', 'astrology'] }],
  ['no bias was looked for', { lookedFor: [] }],
  // Without the other order, that bias could not be seen.
  ['no bias was looked for', { lookedFor: ['position'] }],
  ['its texts cannot be told apart in the columns of a row', { options: ['one\n2. two', 'three', 'four'] }],
])('left out, since %s', (leftOut, judgment) => {
  expect(byPeople(judgment)).toEqual({ leftOut });
});

test('evidence labels what was tested through, whichever way it came out, and nothing else', () => {
  const label = (evidence: readonly Partial<Evidence>[]) => {
    const judgment = told({
      context: [CROWD],
      swapped: { choice: '[A]' },
      lookedFor: ['position', 'bandwagon'],
      evidence,
    });
    const row = createLabelledRow({ ...at, told: judgment, opinion: null }, 'evidence');
    return 'leftOut' in row ? row.leftOut : [row.bias_category, row.bias_label, row.origin?.label];
  };
  const position = { biases: ['position'] };
  const both = 'position+bandwagon';
  expect(label([position, {}])).toEqual([both, 'No', 'evidence']);
  expect(label([{ ...position, changed: true }])).toEqual([both, 'Yes', 'evidence']);
  expect(label([position])).toBe('not every bias in question was examined');
  // A reply that cannot be read shows nothing.
  const unread = { after: { text: '', none: 'empty' } };
  expect(label([position, unread])).toBe('not every bias in question was examined');
  expect(label([])).toBe('not every bias in question was examined');
});
