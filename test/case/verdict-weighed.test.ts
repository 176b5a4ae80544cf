/** A verdict read from the tokens that the judge could have said. */
import { describe, expect, it } from 'vitest';
import type { SampledToken } from '../../src/case/sampled.ts';
import type { VerdictForm } from '../../src/case/types.ts';
import { readWeighed } from '../../src/case/verdict/weighed.ts';

const models = [{ label: 'm' }, { label: 'M' }];
const one = [{ label: 'answer' }];
const letters = (template: string, tie: string | null = null): VerdictForm => ({
  kind: 'choice',
  write: { template, labels: ['A', 'B'] },
  tie,
  field: null,
});
const assistants = [{ label: 'Assistant A' }, { label: 'Assistant B' }];
const weightedAlpaca: VerdictForm = {
  kind: 'choice',
  write: { template: '{}', labels: ['m', 'M'] },
  tie: null,
  field: null,
};
const score = (rest: object = {}): VerdictForm => ({
  kind: 'score',
  min: 0,
  max: 10,
  template: null,
  field: null,
  ...rest,
});

/** A token, or a token that could have been others. */
function token(text: string, likeliest: Record<string, number> = {}): SampledToken {
  const all = Object.entries(likeliest).map(([other, probability]) => ({ text: other, probability }));
  return { text, probability: likeliest[text] ?? 1, likeliest: all };
}
const said = (tokens: readonly SampledToken[]) => tokens.map(({ text }) => text).join('');

describe('one token is all there is (alpaca_eval, max_tokens 1)', () => {
  const weigh = (text: string, likeliest: Record<string, number>) =>
    readWeighed(text, [token(text, likeliest)], weightedAlpaca, models);

  it.each([
    ['the likelier label', 'm', { m: 0.6, M: 0.4 }, 0, 0.6],
    ['the likelier label, though the other was sampled', 'M', { m: 0.6, M: 0.3, The: 0.1 }, 0, 2 / 3],
    ['labels in other tokens, together', 'm', { m: 0.3, ' m': 0.3, M: 0.4 }, 0, 0.6],
    ['a label beside words that are none', 'The', { The: 0.5, m: 0.1, M: 0.4 }, 1, 0.8],
    ['the only label listed', 'M', { M: 0.9 }, 1, 1],
  ])('%s', (_, text, likeliest, option, probability) => {
    const verdict = weigh(text, likeliest);
    expect(verdict).toMatchObject({ kind: 'choice', option, text });
    expect(verdict.kind === 'choice' && verdict.probability).toBeCloseTo(probability, 9);
  });

  it('a refusal is no verdict, though a label is among what hardly could have been', () => {
    expect(weigh('I', { I: 0.99, m: 0.004 })).toMatchObject({ kind: 'none' });
  });

  it('a longer reply of which the first token alone is listed is read as it is written', () => {
    const verdict = readWeighed('M is better', [token('m', { m: 0.9, M: 0.1 })], weightedAlpaca, models);
    expect(verdict).not.toMatchObject({ kind: 'choice', option: 0 });
  });

  it('a word is no score, though a number could have stood there', () => {
    expect(readWeighed('The', [token('The', { The: 0.5, 8: 0.5 })], score(), one)).toMatchObject({
      kind: 'none',
    });
    expect(readWeighed('8', [token('8', { 8: 0.5, 6: 0.5 })], score(), one)).toMatchObject({
      score: 8,
      spread: { mean: 7, variance: 1 },
    });
  });

  it('letter case tells the labels apart, with log-probabilities or without', () => {
    expect(readWeighed('M', null, weightedAlpaca, models)).toMatchObject({ kind: 'choice', option: 1 });
    expect(readWeighed('m', null, weightedAlpaca, models)).toMatchObject({ kind: 'choice', option: 0 });
  });
});

describe('a verdict among other words', () => {
  it('is what is written, with the probability of its label', () => {
    const tokens = [
      token('Assistant'),
      token(' A'),
      token(' is'),
      token(' thorough'),
      token('.'),
      token(' [['),
      token('B', { A: 0.55, B: 0.4, C: 0.05 }),
      token(']]'),
    ];
    const verdict = readWeighed(said(tokens), tokens, letters('[[{}]]', '[[C]]'), assistants);
    expect(verdict).toMatchObject({ kind: 'choice', option: 1 });
    expect(verdict.kind === 'choice' && verdict.probability).toBeCloseTo(0.4, 9);
  });

  it('a score keeps its value; its expectation comes from the legal numbers at its place', () => {
    // In the form of DeepEval's GEval: the reason first or last, other numbers around.
    const tokens = [
      token('{"'),
      token('reason'),
      token('": "'),
      token('8', { 8: 0.9, 7: 0.1 }),
      token(' of'),
      token(' 10'),
      token(' facts'),
      token('", "'),
      token('score'),
      token('": '),
      token('8', { 8: 0.6, 7: 0.3, 9: 0.1, 11: 0.2, '"': 0.1 }),
      token('}'),
    ];
    const verdict = readWeighed(said(tokens), tokens, score({ field: 'score' }), one);
    expect(verdict).toMatchObject({ kind: 'score', score: 8 });
    const spread = verdict.kind === 'score' ? verdict.spread : undefined;
    expect(spread?.mean).toBeCloseTo(7.8, 9);
    // 0.6 · 0.2² + 0.3 · 0.8² + 0.1 · 1.2²
    expect(spread?.variance).toBeCloseTo(0.36, 9);
  });

  it('only the legal values of a scale are weighed', () => {
    const tokens = [token('Rating'), token(': '), token('6', { 6: 0.5, 5: 0.25, 7: 0.25 })];
    const verdict = readWeighed(
      said(tokens),
      tokens,
      score({ legal: [1, 3, 5, 6, 8, 10], template: 'Rating: {}' }),
      one,
    );
    expect(verdict.kind === 'score' && verdict.spread?.mean).toBeCloseTo((6 * 0.5 + 5 * 0.25) / 0.75, 9);
  });

  it('a pass is weighed as 1, a fail as 0', () => {
    const tokens = [token('No', { No: 0.7, Yes: 0.2, Maybe: 0.1 }), token('.')];
    const verdict = readWeighed(said(tokens), tokens, { kind: 'pass', field: null }, one);
    expect(verdict).toMatchObject({ kind: 'pass', pass: false });
    expect(verdict.kind === 'pass' && verdict.spread?.mean).toBeCloseTo(2 / 9, 9);
  });

  it.each<[string, string, SampledToken[], VerdictForm]>([
    ['a number in several tokens', '7.5', [token('7'), token('.'), token('5', { 5: 0.6, 0: 0.4 })], score()],
    ['tokens of another text', '7', [token('Score'), token(': '), token('3', { 3: 0.6, 7: 0.4 })], score()],
    ['no tokens', '7', [], score()],
    [
      'a verdict that stands in two places',
      '7\n7',
      [token('7', { 7: 0.6, 8: 0.4 }), token('\n'), token('7', { 7: 0.6, 8: 0.4 })],
      score(),
    ],
  ])('%s: the verdict is read as written, with nothing beside it', (_, text, tokens, form) => {
    const verdict = readWeighed(text, tokens, form, one);
    expect(verdict.kind).toBe('score');
    expect(verdict).not.toHaveProperty('spread');
  });

  it('thinking that came in tokens only does not hide the verdict', () => {
    const tokens = [token('Hm, 9?'), token('</think>'), token('\n\n'), token('7', { 7: 0.5, 6: 0.5 })];
    expect(readWeighed('7', tokens, score(), one)).toMatchObject({ score: 7, spread: { mean: 6.5 } });
  });

  it('no verdict stays none, whatever could have been said', () => {
    const tokens = [token('I', { I: 0.5, A: 0.5 }), token(" can't"), token(' say')];
    expect(readWeighed(said(tokens), tokens, letters('{}'), assistants).kind).toBe('none');
  });

  it('a long reply full of labels is read in time', () => {
    const tokens = Array.from({ length: 20_000 }, (_, i) =>
      token(i % 2 ? ' A' : ' and', { ' A': 0.5, ' B': 0.5 }),
    );
    const began = performance.now();
    readWeighed(said(tokens), tokens, letters('[[{}]]'), assistants);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
