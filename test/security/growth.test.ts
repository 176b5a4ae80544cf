/**
 * Whatever a stranger sends, the time to read it grows with its length and no faster: every reader, filled with what
 * readers trip over.
 */
import { afterAll, expect, test, vi } from 'vitest';
import { PROTOCOLS } from '../../bench/fuzz/protocols.ts';
import { CATALOGUE } from '../../src/bias/index.ts';
import { findProtected } from '../../src/bias/review/edit.ts';
import { findRebuttalAnswers } from '../../src/bias/review/rebuttal-completeness.ts';
import {
  findPaperSections,
  findProse,
  findRating,
  findReviewSections,
} from '../../src/bias/review/submission-parts.ts';
import { labelKey } from '../../src/case/counterfactual.ts';
import { finalAnswer, finalAnswers, finalNumber } from '../../src/case/final-answer.ts';
import { findForm } from '../../src/case/form/find-form.ts';
import { withoutLabels } from '../../src/case/ordinals.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import type { VerdictForm } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { valuesInWords } from '../../src/case/verdicts/score.ts';
import { splitSentences } from '../../src/case/words/sentences.ts';
import { readRbdAnalysis } from '../../src/detect/rbd/read-analysis.ts';
import { neutralise } from '../../src/detect/rbd/render-brief.ts';
import { RemandError } from '../../src/errors.ts';
import { LAYOUTS } from '../case/mutation/layouts.ts';
import { type Growth, growthOf, LINEAR } from './cpu-time.ts';

// Measuring takes as long as it takes on a busy machine.
vi.setConfig({ testTimeout: 600_000 });
afterAll(() => vi.resetConfig());

/** What readers trip over, again and again. */
const FILLERS: readonly string[] = [
  '\n',
  ' ',
  '\t',
  '\r\n',
  '<',
  '< ',
  '<<<',
  '[',
  '[[',
  '{',
  '{"a":',
  '"',
  "'",
  '\\',
  '\\"',
  '`',
  '```\n',
  '$$',
  '#',
  '# \n',
  '*',
  '_',
  '|',
  '-',
  '=',
  '(',
  '(0/000',
  ',or\t\t000',
  '1',
  '1 ',
  '1.1.',
  '1, ',
  'a',
  'a ',
  'A ',
  'é',
  'é ',
  'A: ',
  'A: b\n',
  'A:\n',
  '1. a\n',
  '# a\n',
  '## Answer A\n',
  '[a]\n',
  '<a>\n',
  '<a></a>\n',
  'pros\t',
  'pros\n',
  'score: ',
  'Score 1 ',
  'judge ',
  'choose ',
  'verdict is ',
  'answer ',
  'Answer A ',
  'Output (a)\n',
  'Output (a) is better. ',
  '90% of people believe that Output (b) is better.\n',
  'is the first ',
  'impartial judge ',
  'was written by ',
  'published in ',
  'not ',
  'while ',
  'response_a ',
  'Yes or no ',
  '[[A]] ',
  '"rating": 1 ',
  '</think>',
  'http://',
  '](',
  '\uD83D\uDE00',
];

const write = (filler: string) => (length: number) => filler.repeat(Math.ceil(length / filler.length));

/** White space behind what could begin something: a search that takes it back for each place is quadratic. */
const INPUTS: readonly { readonly name: string; readonly make: (length: number) => string }[] = [
  ...FILLERS.map((filler) => ({ name: filler, make: write(filler) })),
  ...['pros', '<', '[', 'Output (a)', 'Score:', '"a":'].flatMap((lead) =>
    [' ', '\t', '\n'].map((blank) => ({
      name: `${lead}${blank}…x`,
      make: (length: number) => `${lead}${blank.repeat(length)}x`,
    })),
  ),
  { name: 'é…é a', make: (length) => `${'é'.repeat(length)} a` },
];

/** UTF-16 code units of the shortest text; the longest has four times as many. */
const N = 2_000;

const isSlow = ({ exponent }: Growth) => exponent !== null && exponent > LINEAR;

function expectLinear(read: (text: string) => unknown): void {
  const slow = INPUTS.flatMap(({ name, make }) => {
    const growth = growthOf(make, (text) => unlessRefused(() => read(text)), N);
    return isSlow(growth) ? [{ name, ...growth }] : [];
  });
  expect(slow).toEqual([]);
}

/** A reader may say that it cannot read a text. */
function unlessRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof RemandError) return error;
    throw error;
  }
}

const QUESTION = 'What is the boiling point of water at sea level?';
const SHORT = 'It boils at one hundred degrees Celsius.';

/** One of each kind: labels in brackets, headings, tags, JSON, a numbered list, one answer alone, two scores. */
const SET_OUT = LAYOUTS.filter(({ name }) =>
  [
    'FastChat, MT-Bench pair',
    'LLMBar',
    'tags and an enum',
    'a map in JSON',
    'openai/evals, best of a numbered list',
    'prometheus, absolute',
    'autoevals, Battle',
    'JudgeLM, two scores',
  ].includes(name),
);

test('one of each kind of layout is tried', () => {
  expect(SET_OUT).toHaveLength(8);
});

test.each(SET_OUT)('the case of $name with a hostile answer', ({ write: setOut, keys, options, schema }) => {
  expectLinear((text) => {
    const texts = [text, ...keys.slice(1, options).map(() => SHORT)];
    return recogniseCase(setOut({ question: QUESTION, texts, keys, asked: keys, ended: true }), { schema });
  });
});

test('a prompt that is nothing but hostile', () => {
  expectLinear((text) => recogniseCase({ parts: [{ role: 'user', text }] }));
});

test('hostile orders to the judge', () => {
  const [layout] = SET_OUT;
  if (!layout) throw new Error('no layout');
  const { keys } = layout;
  const prompt = layout.write({ question: QUESTION, texts: [SHORT, 'No.'], keys, asked: keys, ended: true });
  expectLinear((text) => recogniseCase({ parts: [{ role: 'system', text }, ...prompt.parts] }));
});

test('17,000 messages', () => {
  const parts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ role: 'user', text: `# Output (a)\n${i}` }));
  const growth = growthOf(
    (length) => '.'.repeat(length),
    (text) => recogniseCase({ parts: parts(text.length) }),
    4_250,
  );
  expect(isSlow(growth), JSON.stringify(growth)).toBe(false);
});

test.each([1, 2])('the form of a verdict on %d, in hostile words', (options) => {
  const labels = ['A', 'B'].slice(0, options);
  expectLinear((orders) => findForm({ orders, labels, noun: 'answer', usual: '{}', schema: null }));
});

test('the form of a verdict, in a hostile schema', () => {
  expectLinear(valuesInWords);
  expectLinear((text) => {
    const schema = {
      type: 'object',
      properties: { score: { type: 'integer', description: text }, [text]: {} },
    };
    return findForm({ orders: 'Rate it.', labels: ['A'], noun: 'answer', usual: '{}', schema });
  });
});

const OPTIONS = [
  { label: 'Output (a)', text: 'red' },
  { label: 'Output (b)', text: 'blue' },
];
const SPELLING = { template: '{}', labels: ['A', 'B'] };
const FORMS: readonly VerdictForm[] = [
  { kind: 'choice', write: null, tie: null, field: null },
  {
    kind: 'choice',
    write: { template: '[[{}]]', labels: ['A', 'B'], rule: 'priority' },
    tie: '[[C]]',
    field: null,
  },
  { kind: 'choice', write: SPELLING, tie: null, field: 'winner' },
  { kind: 'score', min: 1, max: 10, template: 'Rating: [[{}]]', field: null },
  { kind: 'score', min: null, max: null, template: null, field: 'score' },
  { kind: 'pass', field: null },
  { kind: 'scores', min: 1, max: 10, template: '{} {}', fields: null, field: null },
  { kind: 'category', write: SPELLING, field: null },
];

test.each(FORMS)('a verdict as $kind in a hostile reply: %j', (form) => {
  const options = form.kind === 'score' || form.kind === 'pass' ? OPTIONS.slice(0, 1) : OPTIONS;
  expectLinear((text) => readVerdict(text, form, options));
  expectLinear((text) => withoutLabels(text, form));
});

test.each(CATALOGUE)('the cues of $name in a hostile case', ({ spot }) => {
  const text = `Which is better?\n\n# Output (a):\nred\n\n# Output (b):\nblue\n\nAnswer Output (a) or Output (b).`;
  const { guess: subject } = recogniseCase({ parts: [{ role: 'user', text }] });
  if (!subject) throw new Error('no case');
  expectLinear((hostile) => {
    const at = { part: 0, start: 0, end: 0 };
    const options = subject.options.map((option) => ({ ...option, text: hostile }));
    const context = [{ text: hostile, at, whole: at, mentions: [{ option: 0, at }] }];
    return spot({ ...subject, options, context });
  });
});

const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  neutralise,
  readAnalysis: (content) => readRbdAnalysis({ reasoning: null, content, finish: 'stop' }),
  finalAnswer,
  finalAnswers: (text) => finalAnswers([text, `Answer: ${text.slice(0, 60)}`]),
  finalNumber,
  labelKey,
  reviewSections: findReviewSections,
  ratingOf: findRating,
  proseOf: findProse,
  sectionsOf: findPaperSections,
  protectedIn: findProtected,
  answersIn: findRebuttalAnswers,
  sentencesOf: splitSentences,
};

test.each(Object.entries(TEXTS))('%s of a hostile text', (_name, read) => {
  expectLinear(read);
});

test.each(PROTOCOLS)('requests and replies of $adapter.name', ({ adapter, path, request, whole, events }) => {
  const target = path(false);
  expectLinear((text) => adapter.readRequest(text, target));
  expectLinear((text) => adapter.readRequest(JSON.stringify(request('', text, false)), target));
  expectLinear((text) => adapter.readReply(text, false));
  expectLinear((text) => adapter.readReply(JSON.stringify(whole(text)), false));
  expectLinear((text) => adapter.readReply(`data: ${text}`, true));
  expectLinear((text) => adapter.readReply(events(text).join(''), true));
});
