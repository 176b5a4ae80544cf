/** What a judgment comes to, told from its first verdicts and its rounds alone. */
import { describe, expect, it } from 'vitest';
import { asGiven, reversed } from '../../src/case/counterfactual.ts';
import type { Analysis } from '../../src/case/types.ts';
import { conclude } from '../../src/loop/conclude.ts';
import type { Opening, Round, Standing, Trial } from '../../src/loop/types.ts';
import { choice, detector, none, options, pair } from '../loop.ts';

const trial = (over: Partial<Trial<string>> = {}): Trial<string> =>
  options({ ask: () => Promise.reject(new Error('nothing is asked')), detector: detector(), ...over });

const standing = (
  given: number,
  swapped: number | null = given,
  name = `chose ${given}`,
): Standing<string> => ({
  answer: { verdict: choice(given), reply: name },
  swapped: swapped === null ? null : choice(swapped),
});

const opening = (over: Partial<Opening<string>> = {}): Opening<string> => ({
  orders: [asGiven(pair()), reversed(pair())],
  standing: standing(0, 0, 'first'),
  samples: null,
  stop: null,
  error: null,
  withoutOrder: null,
  areAlike: false,
  ...over,
});

const FAIR: Analysis = { biased: false, biases: [], reasoning: 'fine', evidence: [] };
const BIASED: Analysis = { biased: true, biases: ['bandwagon'], reasoning: 'why', evidence: [] };

const round = (over: Partial<Round<string>>): Round<string> => ({
  analysis: FAIR,
  ruling: null,
  sentBack: false,
  standing: null,
  stop: null,
  error: null,
  ...over,
});
const sentBack = (now: Standing<string>, over: Partial<Round<string>> = {}) =>
  round({ analysis: BIASED, sentBack: true, standing: now, ...over });

const flag = { action: 'flag', why: 'labels' } as const;
const tie = { action: 'tie', why: 'labels' } as const;

interface Row {
  readonly opening?: Partial<Opening<string>>;
  readonly rounds: readonly Round<string>[];
  readonly trial?: Partial<Trial<string>>;
  readonly want: object;
}

const rows: Readonly<Record<string, Row>> = {
  'nothing to object to': {
    rounds: [round({ stop: 'clean' })],
    want: {
      status: 'unchanged',
      stop: 'clean',
      rounds: 0,
      biases: [],
      error: null,
      final: { reply: 'first' },
    },
  },
  'the first reply holds no verdict': {
    opening: { standing: { answer: { verdict: none, reply: 'first' }, swapped: null }, stop: 'no-verdict' },
    rounds: [],
    want: { status: 'no-verdict', stop: 'no-verdict', analyses: [], final: { reply: 'first' } },
  },
  'no round is allowed': {
    opening: { standing: standing(0, null, 'first'), stop: 'rounds' },
    rounds: [],
    want: { status: 'unchanged', stop: 'rounds', lookedFor: expect.not.arrayContaining(['position']) },
  },
  'changed and changed back, with no round left to examine it': {
    opening: { standing: standing(0, 1, 'first') },
    rounds: [sentBack(standing(1, 1)), sentBack(standing(0, 0))],
    want: { status: 'unresolved', stop: 'rounds', rounds: 2 },
  },
  'changed and changed back, and then clean': {
    opening: { standing: standing(0, 1, 'first') },
    rounds: [sentBack(standing(1, 1)), sentBack(standing(0, 0)), round({ stop: 'clean' })],
    want: { status: 'unchanged', stop: 'clean', rounds: 2 },
  },
  'changed when sent back, and then clean': {
    rounds: [sentBack(standing(1)), round({ stop: 'clean' })],
    want: {
      status: 'revised',
      stop: 'clean',
      rounds: 1,
      biases: ['bandwagon'],
      verdicts: [choice(0), choice(1)],
      final: { reply: 'chose 1' },
    },
  },
  'changed in the last round': {
    rounds: [sentBack(standing(1))],
    want: { status: 'revised', stop: 'rounds', rounds: 1 },
  },
  'kept when sent back': {
    rounds: [sentBack(standing(0), { stop: 'insisted' })],
    want: { status: 'insisted', stop: 'insisted', rounds: 1, verdicts: [choice(0), choice(0)] },
  },
  'returned to a verdict that was sent back': {
    rounds: [sentBack(standing(1)), sentBack(standing(0), { stop: 'circling' })],
    want: { status: 'unresolved', stop: 'circling', rounds: 2 },
  },
  'the rounds end while the orders disagree': {
    rounds: [sentBack(standing(0, 1))],
    want: { status: 'unresolved', stop: 'rounds', final: { reply: 'chose 0' } },
  },
  'unresolved, and the operator wants the original': {
    rounds: [sentBack(standing(1)), sentBack(standing(0), { stop: 'circling' })],
    trial: { policy: 'original' },
    want: { status: 'unresolved', final: { reply: 'first' } },
  },
  'ruled to be flagged': {
    rounds: [round({ analysis: BIASED, ruling: flag, stop: 'ruled' })],
    want: { status: 'unresolved', stop: 'ruled', ruling: flag, rounds: 0, final: { reply: 'first' } },
  },
  'ruled to be a tie': {
    trial: { subject: pair('tie') },
    rounds: [round({ analysis: BIASED, ruling: tie, stop: 'ruled' })],
    want: { status: 'unresolved', written: { kind: 'tie', text: 'tie' }, final: { reply: 'first' } },
  },
  'ruled to be a tie, which this form cannot say': {
    rounds: [round({ analysis: BIASED, ruling: tie, stop: 'ruled' })],
    want: { status: 'unresolved', ruling: tie, written: null, final: { reply: 'first' } },
  },
  'the detector failed before anything changed': {
    rounds: [round({ analysis: null, stop: 'detector-failed', error: 'down' })],
    want: { status: 'failed-open', stop: 'detector-failed', analyses: [], error: 'down' },
  },
  'the detector failed after a change': {
    rounds: [sentBack(standing(1)), round({ analysis: null, stop: 'detector-failed', error: 'down' })],
    want: { status: 'revised', stop: 'detector-failed', error: 'down', final: { reply: 'chose 1' } },
  },
  'the judge failed when sent back': {
    rounds: [round({ analysis: BIASED, stop: 'judge-failed', error: '500' })],
    want: { status: 'failed-open', stop: 'judge-failed', rounds: 0, biases: ['bandwagon'], error: '500' },
  },
  'the new reply holds no verdict': {
    rounds: [round({ analysis: BIASED, sentBack: true, stop: 'unreadable-verdict', error: 'no label' })],
    want: { status: 'failed-open', stop: 'unreadable-verdict', rounds: 1, verdicts: [choice(0)] },
  },
  'the other order could not be judged': {
    opening: { standing: standing(0, null, 'first'), error: 'the other order could not be judged: 500' },
    rounds: [round({ stop: 'order-unknown' })],
    want: {
      status: 'failed-open',
      stop: 'order-unknown',
      error: 'the other order could not be judged: 500',
      lookedFor: expect.not.arrayContaining(['position']),
      untested: expect.arrayContaining([expect.objectContaining({ why: 'other-order' })]),
    },
  },
  'the deadline was over before the other order came': {
    opening: { standing: standing(0, null, 'first'), stop: 'deadline', error: 'too late' },
    rounds: [],
    want: { status: 'failed-open', stop: 'deadline', error: 'too late' },
  },
  'a cue that the budget did not reach': {
    rounds: [
      round({
        analysis: { ...FAIR, untested: [{ bias: 'recency', favours: 1, seen: '2025', why: 'budget' }] },
        stop: 'budget',
        error: 'no cue could be tested: recency (budget)',
      }),
    ],
    want: {
      status: 'failed-open',
      stop: 'budget',
      untested: [expect.objectContaining({ bias: 'recency' })],
      security: [expect.objectContaining({ kind: 'budget', option: 1 })],
    },
  },
  'in shadow mode': {
    trial: { mode: 'shadow' },
    rounds: [sentBack(standing(1)), round({ stop: 'clean' })],
    want: { status: 'shadow', stop: 'clean', rounds: 1, final: { reply: 'first' }, written: null },
  },
};

describe('a judgment comes to', () => {
  it.each(Object.entries(rows))('%s', (_name, row) => {
    expect(conclude(trial(row.trial), opening(row.opening), row.rounds)).toMatchObject(row.want);
  });

  it('the same each time, without asking anybody', () => {
    const rounds = [sentBack(standing(1)), round({ stop: 'clean' as const })];
    expect(conclude(trial(), opening(), rounds)).toEqual(conclude(trial(), opening(), rounds));
  });
});

it('a verdict is no surer because its cues were undone alone as well, and none of them changed it', () => {
  const [before, after] = [choice(0), choice(1)];
  const joint = { biases: ['bandwagon', 'verbosity'], undone: 'both', before, after, changed: true };
  const alone = {
    biases: ['verbosity'],
    undone: 'one',
    before,
    after: before,
    changed: false,
    apart: true as const,
  };
  const scoreOf = (...evidence: Analysis['evidence']) =>
    conclude(trial(), opening(), [round({ analysis: { ...BIASED, evidence } })]).confidence?.score;
  expect(scoreOf(joint)).toBeLessThan(1);
  expect(scoreOf(joint, alone, alone)).toBe(scoreOf(joint));
});
