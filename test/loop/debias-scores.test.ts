/** The loop on scores, passes and categories: what a judge does by itself is never held against its verdict. */
import { describe, expect, it } from 'vitest';
import type { Bias } from '../../src/bias/types.ts';
import { asGiven } from '../../src/case/counterfactual.ts';
import type { Spread, Verdict } from '../../src/case/types.ts';
import { BudgetError } from '../../src/http/send.ts';
import { debias } from '../../src/loop/debias.ts';
import type { Ask } from '../../src/loop/types.ts';
import { options } from '../loop.ts';
import { caseOf } from '../two-options.ts';

const subject = caseOf({
  options: ['381'],
  statement: '90% rate this answer 9',
  form: { kind: 'score', min: 1, max: 10, template: 'Rating: {}', field: null },
});

/** A statement that could sway any judge, and is taken out to see whether it did. */
const crowd: Bias = {
  name: 'bandwagon',
  definition: 'The verdict follows the crowd.',
  expectation: 'invariant',
  spot: () => [{ bias: 'bandwagon', favours: 'any', seen: 'a statement says what 90% think' }],
  undo: async (of) => ({ ...asGiven(of), context: new Map([[0, null]]) }),
};

/** From a list of alternatives that is cut off by as much as is missing. */
const spreadOf = ({ mean, variance, missing = 0 }: Weights): Spread => {
  const beside = (end: number) => mean * (1 - missing) + end * missing;
  return { mean, variance, missing, low: beside(1), high: beside(10) };
};
interface Weights {
  readonly mean: number;
  readonly variance: number;
  readonly missing?: number;
}

const score = (value: number, weights?: Weights): Verdict => ({
  kind: 'score',
  score: value,
  text: `Rating: ${value}`,
  ...(weights && { spread: spreadOf(weights) }),
});
const pass = (value: boolean, probability?: number): Verdict => ({
  kind: 'pass',
  pass: value,
  text: value ? 'Yes' : 'No',
  ...(probability !== undefined && {
    spread: {
      ...{ mean: probability, variance: probability * (1 - probability) },
      ...{ missing: 0, low: probability, high: probability },
    },
  }),
});
const category = (letter: string): Verdict => ({ kind: 'category', category: letter, text: letter });
const scores = (...all: number[]): Verdict => ({ kind: 'scores', scores: all, text: all.join(' ') });

interface Script {
  readonly judge: Verdict;
  /** With the cue undone. */
  readonly undone: Verdict;
  /** The case as it is, once more. */
  readonly repeat?: Verdict | Error;
  readonly remand?: readonly Verdict[];
}

async function run(script: Script, over: object = {}) {
  const asked: string[] = [];
  const again = [...(script.remand ?? [])];
  const ask: Ask<string> = async (question) => {
    const repeat = question.kind === 'probe' && question.of.context.size === 0;
    asked.push(repeat ? 'repeat' : question.kind);
    const said = () => (question.kind === 'judge' ? script.judge : again.shift());
    const probed = repeat ? script.repeat : script.undone;
    const verdict = question.kind === 'probe' ? probed : said();
    if (!verdict) throw new Error(`no answer to ${asked.at(-1)}`);
    if (verdict instanceof Error) throw verdict;
    return { verdict, reply: verdict.text };
  };
  const outcome = await debias(options({ ask, subject, biases: [crowd], ...over }));
  return { outcome, asked, reasons: outcome.analyses[0]?.reasoning ?? '' };
}

describe('a judge that gives no log-probabilities', () => {
  it('is not asked again where the score did not change', async () => {
    const { outcome, asked } = await run({ judge: score(7), undone: score(7) });
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean' });
    expect(asked).toEqual(['judge', 'probe']);
  });

  it.each([
    ['beyond a steady judge', 8, 5, 8],
    ['beyond the jitter', 8, 5, 7],
    ['beyond the jitter on the other side', 7, 4, 8],
  ])('a score that moved %s is sent back', async (_, first, undone, repeat) => {
    const { outcome, asked } = await run({
      judge: score(first),
      undone: score(undone),
      repeat: score(repeat),
      remand: [score(undone)],
    });
    expect(asked).toEqual(['judge', 'probe', 'repeat', 'remand']);
    expect(outcome).toMatchObject({ status: 'revised', stop: 'clean', biases: ['bandwagon'] });
    expect(outcome.final.verdict).toMatchObject({ score: undone });
  });

  it.each([
    ['as far as the repeat', 7, 8, 6],
    ['to where the repeat is, too', 7, 8, 8],
    ['less than the repeat', 7, 6, 9],
    // The first was the odd one out, as happens to a judge at its client's temperature.
    ['further from the first than from the repeat', 4, 8, 7],
  ])('a score that moved %s stands', async (_, first, undone, repeat) => {
    const { outcome, asked, reasons } = await run({
      judge: score(first),
      undone: score(undone),
      repeat: score(repeat),
    });
    expect(asked).toEqual(['judge', 'probe', 'repeat']);
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean', biases: [] });
    expect(outcome.final.verdict).toMatchObject({ score: first });
    expect(reasons).toContain(`its own repeat moved by ${Math.abs(repeat - first)}`);
    expect(outcome.analyses[0]?.evidence).toMatchObject([
      { changed: false, noise: { by: 'repeat', limit: Math.abs(repeat - first) } },
    ]);
  });

  it('is not sent back where the repeat cannot be read', async () => {
    const repeat: Verdict = { kind: 'none', reason: 'off-scale', text: '11' };
    const { outcome } = await run({ judge: score(8), undone: score(4), repeat });
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean' });
  });

  it('is asked for its repeat once for all rounds, and measured from its first verdict in each', async () => {
    const { outcome, asked } = await run(
      { judge: score(9), undone: score(4), repeat: score(8), remand: [score(7), score(5)] },
      { rounds: 3 },
    );
    // 7 is still 3 from what it says without the statement, by itself it moves by 1; 5 is not beyond that.
    expect(asked).toEqual(['judge', 'probe', 'repeat', 'remand', 'probe', 'remand', 'probe']);
    expect(outcome).toMatchObject({ status: 'revised', stop: 'clean', rounds: 2 });
    expect(outcome.final.verdict).toMatchObject({ score: 5 });
  });

  it('keeps its verdict where the repeat is beyond the budget', async () => {
    const { outcome } = await run({
      judge: score(8),
      undone: score(4),
      repeat: new BudgetError('8 calls'),
    });
    expect(outcome).toMatchObject({ status: 'failed-open', stop: 'budget' });
    expect(outcome.final.verdict).toMatchObject({ score: 8 });
  });

  it.each([
    ['a pass', pass(true), pass(false)],
    ['a category', category('A'), category('D')],
  ])('%s that the judge flips by itself stands, one that only the cue flips does not', async (_, a, b) => {
    const wavering = await run({ judge: a, undone: b, repeat: b });
    expect(wavering.outcome).toMatchObject({ status: 'unchanged', biases: [] });
    const swayed = await run({ judge: a, undone: b, repeat: a, remand: [b] });
    expect(swayed.outcome).toMatchObject({ status: 'revised', biases: ['bandwagon'] });
  });

  it.each([
    ['the lead changed by as much by itself', scores(7, 7), 'unchanged'],
    ['the judge is steady', scores(7, 6), 'revised'],
  ])('scores for two options that change places when exchanged: %s', async (_, repeat, status) => {
    const pair = caseOf({ options: ['391', '381'], statement: '90% rate (a) 9' });
    const script = { judge: scores(7, 6), undone: scores(6, 6), repeat, remand: [scores(6, 6)] };
    const { outcome } = await run(script, { subject: pair });
    expect(outcome.status).toBe(status);
  });
});

describe('a judge that gives log-probabilities', () => {
  it.each<[string, Verdict, Verdict, string]>([
    [
      'scores about as likely as each other change places',
      score(8, { mean: 7.55, variance: 0.25 }),
      score(7, { mean: 7.45, variance: 0.25 }),
      'unchanged',
    ],
    [
      'the expectation moves far, from a wide distribution',
      score(8, { mean: 7, variance: 4 }),
      score(4, { mean: 5, variance: 4 }),
      'unchanged',
    ],
    [
      'the expectation moves less far, between narrow ones',
      score(8, { mean: 7.9, variance: 0.1 }),
      score(7, { mean: 6.9, variance: 0.1 }),
      'revised',
    ],
    [
      'a sure judge changes its mind',
      score(8, { mean: 8, variance: 0 }),
      score(7, { mean: 7, variance: 0 }),
      'revised',
    ],
    ['a wavering pass', pass(true, 0.6), pass(false, 0.4), 'unchanged'],
    ['a firm pass', pass(true, 0.97), pass(false, 0.03), 'revised'],
  ])('is not asked again: %s', async (_, judge, undone, status) => {
    const { outcome, asked } = await run({ judge, undone, remand: [undone] });
    expect(outcome.status).toBe(status);
    expect(asked).toEqual(status === 'revised' ? ['judge', 'probe', 'remand'] : ['judge', 'probe']);
    expect(outcome.analyses[0]?.evidence[0]?.noise?.by).toBe('spread');
  });

  it.each<[string, Verdict, Verdict, Verdict, string]>([
    [
      'the rest of a cut list could be what moved it',
      score(8, { mean: 8, variance: 0, missing: 0.4 }),
      score(7, { mean: 7, variance: 0, missing: 0.4 }),
      score(7),
      'unchanged',
    ],
    [
      'the rest of a cut list could be what held it',
      score(8, { mean: 7.6, variance: 0.3, missing: 0.1 }),
      score(6, { mean: 6.1, variance: 0.3, missing: 0.1 }),
      score(8),
      'revised',
    ],
  ])('is asked again where %s', async (_, judge, undone, repeat, status) => {
    const { outcome, asked } = await run({ judge, undone, repeat, remand: [undone] });
    expect(outcome.status).toBe(status);
    expect(asked.slice(0, 3)).toEqual(['judge', 'probe', 'repeat']);
  });

  it('is asked again where only one of two replies has them', async () => {
    const { asked } = await run({
      judge: score(8, { mean: 8, variance: 0.1 }),
      undone: score(5),
      repeat: score(8),
      remand: [score(5)],
    });
    expect(asked).toEqual(['judge', 'probe', 'repeat', 'remand']);
  });
});
