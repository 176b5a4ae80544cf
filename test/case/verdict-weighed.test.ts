/** A verdict read from the tokens that the judge could have said. */
import { describe, expect, it } from 'vitest';
import type { SampledToken, VerdictForm } from '../../src/case/types.ts';
import { readWeighed } from '../../src/case/weighing/weighed.ts';
import { expectLinear } from '../cost.ts';

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

  describe('what the endpoint does not show', () => {
    it('is said beside the shares of what it does, and bounds the expectation', () => {
      const tokens = [token('Rating: '), token('7', { 7: 0.6, 8: 0.3, Well: 0.04 })];
      const verdict = readWeighed(said(tokens), tokens, score({ template: 'Rating: {}' }), one);
      // .6·7 + .3·8 = 6.6 of .9; the last .1 at 0 or at 10.
      expect(verdict).toMatchObject({
        spread: {
          mean: expect.closeTo(6.6 / 0.9, 9),
          missing: expect.closeTo(0.1, 9),
          low: expect.closeTo(6.6, 9),
          high: expect.closeTo(7.6, 9),
        },
        lead: 'Rating: ',
      });
    });

    it('has no bound on a scale without an end', () => {
      const verdict = readWeighed('7', [token('7', { 7: 0.9 })], score({ max: null }), one);
      expect(verdict).toMatchObject({
        spread: { low: expect.closeTo(6.3, 9), high: Number.POSITIVE_INFINITY },
      });
    });

    it('is all but the label where no alternatives were asked for', () => {
      const tokens = [token('[['), { text: 'A', probability: 0.7, likeliest: [] }, token(']]')];
      const verdict = readWeighed(said(tokens), tokens, letters('[[{}]]'), assistants);
      expect(verdict).toMatchObject({ option: 0, probability: 1, missing: expect.closeTo(0.3, 9) });
    });

    it('cannot be told of probabilities that are more than 1 together', () => {
      const verdict = readWeighed('7', [token('7', { 7: 0.9, 8: 0.9 })], score(), one);
      expect(verdict).not.toHaveProperty('spread');
    });
  });

  describe('a label of several tokens', () => {
    const names = [{ label: 'Contestant Alpha' }, { label: 'Contestant Beta' }];
    const named: VerdictForm = {
      kind: 'choice',
      write: { template: 'Winner: {}', labels: ['Contestant Alpha', 'Contestant Beta'] },
      tie: null,
      field: null,
    };

    it('is as probable as its tokens are one after the other; another is known by its beginning', () => {
      const tokens = [
        token('Winner:'),
        token(' Contestant'),
        token(' Al', { ' Al': 0.7, ' B': 0.2, ' Be': 0.05, ' Gamma': 0.05 }),
        token('pha', { pha: 0.9, ' Beta': 0.02 }),
      ];
      const verdict = readWeighed(said(tokens), tokens, named, names);
      expect(verdict).toMatchObject({
        option: 0,
        probability: expect.closeTo(0.63 / 0.88, 9),
        missing: expect.closeTo(0.12, 9),
        lead: 'Winner: Contestant',
      });
    });

    it('whose beginning is that of another one, too, is told by where it parts', () => {
      const versions = [{ label: 'gpt-4' }, { label: 'gpt-4o' }];
      const form: VerdictForm = { ...named, write: { template: '{}', labels: ['gpt-4', 'gpt-4o'] } };
      const tokens = [
        token('gpt', { gpt: 0.99 }),
        token('-'),
        token('4', { 4: 0.98, 3: 0.02 }),
        token('\n', { '\n': 0.8, o: 0.2 }),
      ];
      const verdict = readWeighed(said(tokens), tokens, form, versions);
      expect(verdict).toMatchObject({ option: 0, probability: expect.closeTo(0.8, 9) });
    });

    it('that shares its last letter with others is not taken for that letter', () => {
      const form: VerdictForm = {
        ...{ kind: 'choice', tie: '[[A=B]]', field: null },
        write: { template: '[[{}]]', labels: ['A>B', 'B>A'], strong: ['A>>B', 'B>>A'] },
      };
      const tokens = [
        token('[['),
        token('A', { A: 0.6, B: 0.4 }),
        token('>', { '>': 0.5, '>>': 0.3, '=': 0.2 }),
        token('B'),
        token(']]'),
      ];
      const verdict = readWeighed(said(tokens), tokens, form, assistants);
      // B begins B>A and B>>A, which are one option; A= is the tie.
      expect(verdict).toMatchObject({ option: 0, probability: expect.closeTo(0.48, 9) });
      expect(verdict).toHaveProperty('missing', 0);
    });

    it('of a pass: `in` `correct`', () => {
      const tokens = [token('in', { in: 0.6, correct: 0.3, In: 0.1 }), token('correct', { correct: 0.9 })];
      const verdict = readWeighed(said(tokens), tokens, { kind: 'pass', field: null }, one);
      expect(verdict).toMatchObject({
        pass: false,
        spread: { mean: expect.closeTo(0.3 / 0.94, 9), missing: expect.closeTo(0.06, 9) },
      });
    });

    it('a number digit by digit: 10 and 1 are told apart where they part, 9 could not go on', () => {
      const tokens = [token('Rating: '), token('1', { 1: 0.6, 9: 0.4 }), token('0', { 0: 0.75, '\n': 0.25 })];
      const verdict = readWeighed(said(tokens), tokens, score({ min: 1, template: 'Rating: {}' }), one);
      // .45·10 + .15·1 + .4·9
      expect(verdict).toMatchObject({ score: 10, spread: { mean: expect.closeTo(8.25, 9), missing: 0 } });
    });

    it('a number that could have gone on, and did not: what stands behind it tells', () => {
      const tokens = [token('Rating: '), token('1', { 1: 0.8, 2: 0.2 }), token('.', { '.': 0.7, 0: 0.2 })];
      const verdict = readWeighed(said(tokens), tokens, score({ min: 1, template: 'Rating: {}' }), one);
      // .56·1 + .16·10 + .2·2 of .92
      expect(verdict).toMatchObject({
        score: 1,
        spread: { mean: expect.closeTo(2.56 / 0.92, 9), missing: expect.closeTo(0.08, 9) },
      });
    });

    it('a first digit that was not sampled says too little on a scale to 100', () => {
      const tokens = [token('8', { 8: 0.7, 9: 0.3 }), token('5', { 5: 0.5, 2: 0.5 })];
      const verdict = readWeighed(said(tokens), tokens, score({ max: 100 }), one);
      // 90 or 99, or 9; of 85 and 82 each .35
      expect(verdict).toMatchObject({
        spread: { mean: expect.closeTo(83.5, 9), missing: expect.closeTo(0.3, 9) },
      });
    });

    it('where numbers are one token each, 9 is 9 on a scale to 100, too', () => {
      const tokens = [token('85', { 85: 0.6, 80: 0.3, 9: 0.1 })];
      const verdict = readWeighed('85', tokens, score({ max: 100 }), one);
      expect(verdict).toMatchObject({ spread: { mean: expect.closeTo(75.9, 9), missing: 0 } });
    });

    it('with a fraction', () => {
      const tokens = [token('7', { 7: 0.9, 8: 0.1 }), token('.'), token('5', { 5: 0.6, 0: 0.4 })];
      const verdict = readWeighed('7.5', tokens, score(), one);
      // 8 could be 8.5 as well.
      expect(verdict).toMatchObject({
        spread: { mean: expect.closeTo(7.3, 9), missing: expect.closeTo(0.1, 9) },
      });
    });
  });

  it('thinking that came in tokens only does not hide the verdict', () => {
    const tokens = [token('Hm, 9?'), token('</think>'), token('\n\n'), token('7', { 7: 0.5, 6: 0.5 })];
    expect(readWeighed('7', tokens, score(), one)).toMatchObject({ score: 7, spread: { mean: 6.5 } });
  });

  it.each<[string, SampledToken]>([
    ['the end of the sequence', token('</s>', { '</s>': 0.9, '.': 0.1 })],
    ['a stop sequence', token('\n\n', { '\n\n': 0.9, ' because': 0.1 })],
  ])('%s, which vLLM lists behind the text, does not hide it', (_, behind) => {
    const tokens = [token('Assistant'), token(' '), token('B', { B: 0.8, A: 0.2 }), behind];
    const verdict = readWeighed('Assistant B', tokens, letters('Assistant {}'), assistants);
    expect(verdict).toMatchObject({ option: 1, probability: expect.closeTo(0.8, 9), missing: 0 });
    const digits = [token('1', { 1: 0.6, 9: 0.4 }), { ...behind, likeliest: [...behind.likeliest] }];
    expect(readWeighed('1', digits, score({ min: 1 }), one)).toMatchObject({
      score: 1,
      spread: { missing: 0 },
    });
  });

  it('no verdict stays none, whatever could have been said', () => {
    const tokens = [token('I', { I: 0.5, A: 0.5 }), token(" can't"), token(' say')];
    expect(readWeighed(said(tokens), tokens, letters('{}'), assistants).kind).toBe('none');
  });

  it('a long reply full of labels is read in time linear in its length', () => {
    expectLinear(
      (length) => Array.from({ length }, (_, i) => token(i % 2 ? ' A' : ' and', { ' A': 0.5, ' B': 0.5 })),
      (tokens) => readWeighed(said(tokens), tokens, letters('[[{}]]'), assistants),
      5_000,
    );
  });
});
