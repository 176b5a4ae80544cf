/** The figures of a comparison, counted by hand on small tables. */
import { describe, expect, it, test } from 'vitest';
import { createArmTally } from '../../../src/evaluate/arms/arm-summary.ts';
import type { ArmDecision, ArmOutcome, ArmRecord } from '../../../src/evaluate/arms/run-arms.ts';
import type { ArmResult } from '../../../src/report/index.ts';
import { pairedDifference } from '../../../src/stats/paired-difference.ts';

const tokens = { input: 1000, output: 10 };
/** @param more of an outcome that is not that of an arm that only asked once */
function outcome(first: ArmDecision, final: ArmDecision = first, more: Partial<ArmOutcome> = {}): ArmOutcome {
  const standing = first === final ? [first] : [first, final];
  const spent = [{ model: 'j', calls: 1, uncounted: 0, ...tokens }];
  return {
    first,
    final,
    standing,
    replies: [],
    reasons: [],
    found: [],
    sent_back: 0,
    insisted: false,
    calls: 1,
    tokens,
    spent,
    ...more,
  };
}
const back = (first: ArmDecision, final: ArmDecision, more: Partial<ArmOutcome> = {}) =>
  outcome(first, final, { sent_back: 1, standing: [first, final], calls: 3, ...more });

/** Option 0 is right in both rows. */
function record(arm: string, d: ArmOutcome | null, dBias: ArmOutcome | null, more: Partial<ArmRecord> = {}) {
  return {
    ...{ id: 'x', judge: 'j', bias: 'bandwagon', twin: false, arm, error: null, right: { d: 0, d_bias: 0 } },
    ...{ d, d_bias: dBias, ms: 500, ...more },
  };
}

function summarise(...groups: ReturnType<typeof record>[][]): Record<string, ArmResult> {
  const tally = createArmTally(2, { j: { input: 2, output: 10 } });
  for (const group of groups) tally.add(group);
  return Object.fromEntries(tally.summaries().map((one) => [one.arm, one]));
}

describe('four pairs', () => {
  const [asked, sent] = [outcome, back];
  const { none, probe, placebo } = summarise(
    // Turned by the crowd, and put right by the probe alone.
    [
      record('none', asked(0), asked(1)),
      record('placebo', sent(0, 0, { insisted: true }), sent(1, 1, { insisted: true })),
      record('probe', asked(0), sent(1, 0)),
    ],
    // Right all along; the placebo makes D wrong, and D_bias, too.
    [
      record('none', asked(0), asked(0)),
      record('placebo', sent(0, 1), sent(0, 1)),
      record('probe', asked(0), asked(0)),
    ],
    // Wrong all along; the probe leaves it, the placebo makes it right in D_bias.
    [
      record('none', asked(1), asked(1)),
      record('placebo', sent(1, 1, { insisted: true }), sent(1, 0)),
      record('probe', asked(1), sent(1, 1, { insisted: true })),
    ],
    // Turned by the crowd; the probe comes to a tie, the placebo to nothing that can be read.
    [
      record('none', asked(0), asked(1)),
      record('placebo', sent(0, 0, { insisted: true }), sent(1, null)),
      record('probe', asked(0), sent(1, 'tie')),
    ],
  );

  it('the judge alone', () => {
    expect(none).toMatchObject({
      ...{ n: 4, failed: 0, wrong_to_right: 0, right_to_wrong: 0, false_corrections: 0, unread: 0, calls: 1 },
      accuracy: { d: { value: 0.75, of: 4 }, d_bias: { value: 0.25, of: 4 } },
      consistency: { value: 0.5, of: 4 },
      insisted: { value: null, of: 0, interval: null, reason: 'none was sent back' },
      insisted_rightly: { value: null, of: 0, interval: null, reason: 'the judge insisted on none' },
      curve: [0.25, 0.25, 0.25],
      against_none: null,
      reasons: { against_none: 'it is that arm itself' },
    });
    // Mid-p for 1 of 4.
    expect(none?.accuracy.d_bias.interval?.low).toBeCloseTo(0.0125, 4);
    expect(none?.accuracy.d_bias.interval?.high).toBeCloseTo(0.7577, 4);
  });

  it('an arm: gains, losses, and what it cost', () => {
    expect(probe).toMatchObject({
      ...{ n: 4, wrong_to_right: 1, right_to_wrong: 0, false_corrections: 0, unread: 0 },
      // One right, one that was right, a tie for a half.
      accuracy: { d: { value: 0.75 }, d_bias: { value: 2.5 / 4 } },
      // The tie in D_bias is another decision than D's.
      consistency: { value: 0.75 },
      insisted: { value: 1 / 3, of: 3 },
      by_half: { better: 1, worse: 0 },
      insisted_rightly: { value: 0, of: 1 },
      calls: (1 + 3 + 1 + 1 + 1 + 3 + 1 + 3) / 8,
      tokens: { input: 1000, output: 10 },
      curve: [0.25, 0.625, 0.625],
      // Right where it was wrong, and a tie where it was wrong: three half points, all one way.
      against_none: { gained: 1.5, lost: 0, p: 0.5, difference: { value: 1.5 / 4 } },
      // Better on the second pair, worse on the third; better on the first, too, and by half on the fourth.
      against_placebo: { gained: 2.5, lost: 1, p: 0.625 },
    });
  });

  it('the placebo: the harm of asking again', () => {
    expect(placebo).toMatchObject({
      ...{ wrong_to_right: 1, right_to_wrong: 2, false_corrections: 2, unread: 1 },
      accuracy: { d: { value: 0.5 }, d_bias: { value: 0.25 } },
      insisted: { value: 4 / 8, of: 8 },
      insisted_rightly: { value: 2 / 4, of: 4 },
      against_none: { gained: 1, lost: 1, p: 1 },
      against_placebo: null,
    });
  });

  it('means of calls have the interval of the pairs', () => {
    // Means of the pairs 2, 1, 2, 2; t(.975, 3) = 3.1824463, s = 0.5: 1.75 ± 0.7956.
    expect(probe?.calls_interval).toEqual({
      low: expect.closeTo(0.954388, 5),
      high: expect.closeTo(2.545612, 5),
    });
    expect(none?.calls_interval).toEqual({ low: 1, high: 1 });
  });

  it('price and seconds', () => {
    // 1,000 tokens in at 2 and 10 out at 10 per million: 0.0021 a judgment.
    expect(none?.price_per_1000.value).toBeCloseTo(2.1, 10);
    expect(none?.seconds).toEqual({ value: 0.25 });
  });
});

it('a right verdict that the bias had turned is no false correction when it is turned back', () => {
  const { probe } = summarise(
    [record('probe', outcome(0), back(1, 1))],
    [record('probe', back(0, 1), outcome(0))],
  );
  expect(probe).toMatchObject({ right_to_wrong: 1, false_corrections: 1 });
});

test('a tie is half right in accuracy, differences, tests and counts alike', () => {
  // Nine verdicts that were right and eight that were wrong become ties.
  const { none, tie } = summarise(
    ...Array.from({ length: 30 }, (_, n) => {
      const first = n < 9 || n >= 17 ? 0 : 1;
      return [
        record('none', outcome(0), outcome(first)),
        record('tie', outcome(0), outcome(first, n < 17 ? 'tie' : 0)),
      ];
    }),
  );
  const gain = (tie?.accuracy.d_bias.value ?? 0) - (none?.accuracy.d_bias.value ?? 0);
  expect(gain).toBeCloseTo(-0.5 / 30, 12);
  expect(tie?.against_none).toMatchObject({
    gained: 4,
    lost: 4.5,
    difference: { value: expect.closeTo(gain, 12) },
  });
  // scipy: binomtest(8, 17).pvalue; all balances are of one size.
  expect(tie?.against_none?.p).toBeCloseTo(1, 12);
  expect(tie).toMatchObject({ wrong_to_right: 0, right_to_wrong: 0, by_half: { better: 8, worse: 9 } });
});

test('how far the surest verdicts err is told of all verdicts of an arm, or not at all', () => {
  const sure = (confidence: number) => outcome(0, 0, { confidence });
  const all = [record('probe', sure(0.9), sure(0.8)), record('probe', sure(0.7), sure(0.6))];
  const some = [record('probe', sure(0.9), outcome(0)), record('probe', sure(0.7), sure(0.6))];
  expect(summarise(...all.map((one) => [one])).probe).toMatchObject({
    ...{ risk: { 0.6: 0 }, area_under_risk: { value: 0 } },
  });
  expect(summarise(...some.map((one) => [one])).probe).toMatchObject({
    risk: {},
    area_under_risk: { value: null, reason: 'only 3 of 4 verdicts tell how sure they are' },
  });
});

describe('position', () => {
  const turned = { bias: 'position', right: { d: 0, d_bias: 1 } };
  test.each([
    ['the same text', 0, 1, 1],
    ['the same place', 0, 0, 0],
    ['both ties', 'tie', 'tie', 1],
    ['a tie and a choice', 'tie', 1, 0],
    ['neither read', null, null, 0],
  ] as const)('%s', (_, d, dBias, value) => {
    const { none } = summarise([record('none', outcome(d), outcome(dBias), turned)]);
    expect(none?.consistency.value).toBe(value);
  });

  it('with three options, the middle one stands where it stood', () => {
    const middle = { bias: 'position', right: { d: 1, d_bias: 1 } };
    const { none } = summarise(
      [record('none', outcome(1), outcome(1), middle)],
      [record('none', outcome(0), outcome(2), middle)],
      [record('none', outcome(0), outcome(0), middle)],
    );
    expect(none?.consistency.value).toBeCloseTo(2 / 3);
  });
});

describe('many arms', () => {
  const lost = (arm: string) => record(arm, outcome(0), outcome(1));
  const won = (arm: string) => record(arm, outcome(0), back(1, 0));

  it('are corrected for each other, over all judges and biases of the run', () => {
    const groups = Array.from({ length: 8 }, (_, n) => [
      lost('none'),
      won('probe'),
      n < 6 ? won('rbd') : lost('rbd'),
      lost('beware'),
    ]);
    const { probe, rbd, beware } = summarise(...groups);
    // Exact McNemar of 8:0, 6:0 and 0:0 is 2/256, 2/64 and 1; Holm takes the smallest three times, the next twice.
    expect(probe?.against_none).toMatchObject({ gained: 8, lost: 0, p: 1 / 128, p_holm: 3 / 128 });
    expect(rbd?.against_none).toMatchObject({ gained: 6, lost: 0, p: 1 / 32, p_holm: 2 / 32 });
    expect(beware?.against_none).toMatchObject({ n: 8, gained: 0, lost: 0, p: 1, p_holm: 1 });
    // Two of eight that neither got right: Newcombe's method 10.
    const six = { both: 0, gained: 6, lost: 0, neither: 2 };
    expect(rbd?.against_none?.difference).toEqual(pairedDifference(six));
    expect(probe?.reasons).toEqual({ against_placebo: 'that arm was not run' });
    const both = createArmTally(1);
    for (const group of groups)
      for (const bias of ['bandwagon', 'verbosity']) both.add(group.map((one) => ({ ...one, bias })));
    // Six tests: the smallest six times, the next of the same size no less.
    const [, first] = both.summaries();
    expect(first?.against_none).toMatchObject({ p: 1 / 128, p_holm: 6 / 128 });
  });
});

describe('nothing to count', () => {
  it('is null with a reason or empty, never 0', () => {
    const { probe } = summarise([record('probe', null, null, { error: 'down' })]);
    expect(probe).toMatchObject({
      ...{ n: 0, failed: 1, calls: null, calls_interval: null, tokens: null, curve: [] },
      accuracy: { d: { value: null, interval: null, reason: 'every pair failed (1)' } },
      consistency: { value: null, of: 0, interval: null, reason: 'every pair failed (1)' },
      reasons: { calls: 'every pair failed (1)', against_none: 'that arm was not run' },
      price_per_1000: { value: null, reason: 'no judgments' },
      seconds: { value: null, reason: 'no judgments' },
      ...{ against_none: null, against_placebo: null },
    });
  });

  it('a pair of which one row failed counts for neither set', () => {
    const { none } = summarise([record('none', outcome(0), null)], [record('none', outcome(0), outcome(0))]);
    expect(none).toMatchObject({ n: 1, failed: 1, accuracy: { d: { value: 1, of: 1 } } });
  });

  it('a pair that failed in one arm is not compared with the other', () => {
    const { probe } = summarise(
      [record('none', null, null), record('probe', outcome(0), back(1, 0))],
      [record('none', outcome(0), outcome(1)), record('probe', outcome(0), back(1, 0))],
    );
    expect(probe?.against_none).toMatchObject({ gained: 1, lost: 0 });
  });

  test.each([
    [
      'no price',
      { spent: [{ model: 'other', calls: 1, uncounted: 0, ...tokens }] },
      'no price is known of other',
    ],
    [
      'no counts',
      { spent: [{ model: 'j', calls: 2, uncounted: 1, ...tokens }] },
      'j did not count the tokens of 2 of 4 calls',
    ],
  ])('%s gives no price, and says why', (_, spent, reason) => {
    const { none } = summarise([record('none', outcome(0, 0, spent), outcome(0, 0, spent))]);
    expect(none?.price_per_1000).toEqual({ value: null, reason });
  });

  it('without prices there is no price', () => {
    const tally = createArmTally(1);
    tally.add([record('none', outcome(0), outcome(0))]);
    expect(tally.summaries()[0]?.price_per_1000).toEqual({ value: null, reason: 'no prices were given' });
  });

  it('a call of an earlier run has no time', () => {
    const tally = createArmTally(1);
    const { ms: _, ...stored } = record('none', outcome(0), outcome(0));
    tally.add([record('none', outcome(0), outcome(0))]);
    tally.add([stored]);
    expect(tally.summaries()[0]?.seconds).toEqual({
      value: null,
      reason: '1 of 2 pairs have calls from the call store, whose time is not known',
    });
  });
});
