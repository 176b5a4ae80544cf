/** What labelled judgments settle: by their counts and what they leave open, never by the point estimate. */
import { describe, expect, it, test } from 'vitest';
import type { ArmRecord } from '../../src/evaluate/arms/run-arms.ts';
import {
  calibrate,
  collectArmLabels,
  collectPeopleLabels,
  type LabelledJudgment,
} from '../../src/evaluate/decide-calibration.ts';
import { calibrationSchema } from '../../src/report/calibration.ts';

/** Judgments sent back for position: gained, lost, right all along, wrong all along; and some that were not. */
function judgments(
  gained: number,
  lost: number,
  right: number,
  wrong: number,
  untouched = 10,
): LabelledJudgment[] {
  const some = (count: number, before: boolean, after: boolean, biases: string[]) =>
    Array.from({ length: count }, (_, n) => ({ item: `${before}${after}${n}`, biases, before, after }));
  return [
    ...some(gained, false, true, ['position']),
    ...some(lost, true, false, ['position']),
    ...some(right, true, true, ['position']),
    ...some(wrong, false, false, ['position']),
    ...some(untouched, true, true, []),
  ];
}

describe('the ruling', () => {
  test.each([
    ['a clear gain', 13, 1, 10, 10, 'remand'],
    // More gained than lost, but five judgments say little: probability .66.
    ['a gain that could be luck', 3, 2, 10, 0, 'flag'],
    ['a loss', 39, 60, 100, 10, 'flag'],
    ['a loss, and wrong more often than right', 2, 6, 4, 40, 'tie'],
    ['nothing sent back', 0, 0, 0, 0, 'flag'],
  ])('%s', (_, gained, lost, right, wrong, action) => {
    const settled = calibrate({ j: judgments(gained, lost, right, wrong) }, ['position']);
    const entry = settled.judges.j?.position;
    expect(entry).toMatchObject({ action, wrong_to_right: gained, right_to_wrong: lost });
    expect(entry?.why).toContain(`${gained} turned right, ${lost} turned wrong`);
    // What is written can be read by the proxy.
    expect(calibrationSchema.parse(JSON.parse(JSON.stringify(settled)))).toEqual(settled);
  });

  it('says how many more labelled judgments would settle an open question', () => {
    const entry = (gained: number, lost: number) =>
      calibrate({ j: judgments(gained, lost, 10, 10) }, ['position']).judges.j?.position;
    expect(entry(13, 1)?.cases_to_settle).toBe(0);
    expect(entry(6, 3)?.cases_to_settle).toBeGreaterThan(10);
    expect(entry(0, 0)?.cases_to_settle).toBeNull();
  });

  it('counts an item once, however often it was judged', () => {
    const twice = judgments(7, 0, 5, 5).flatMap((one) => [one, one]);
    const found = calibrate({ j: twice }, ['position']).judges.j?.position;
    const once = calibrate({ j: judgments(7, 0, 5, 5) }, ['position']).judges.j?.position;
    expect(found).toMatchObject({ wrong_to_right: 14, items_better: 7, items_worse: 0 });
    expect(found?.probability_of_gain).toBe(once?.probability_of_gain);
    expect(found?.gain).toEqual(once?.gain);
    expect(found?.cases_to_settle).toBe(0);
  });

  it('says why there is no interval of the gain, and no number of cases', () => {
    const found = calibrate({ j: judgments(0, 0, 5, 5), k: [] }, ['position']).judges;
    expect(found.j?.position).toMatchObject({
      gain: {
        value: 0,
        interval: null,
        reason: 'every resample gave the same figure, so the spread is unknown',
      },
      reasons: { cases_to_settle: 'no pair changed, so there is no trend to go by' },
    });
    expect(found.k?.position?.gain).toEqual({ value: null, interval: null, reason: 'no labelled judgments' });
  });

  it('a bias that was never found is not counted for another', () => {
    const settled = calibrate({ j: judgments(13, 1, 0, 0) }, ['position', 'verbosity']);
    expect(settled.judges.j?.verbosity).toMatchObject({
      sent_back: 0,
      wrong_to_right: 0,
      action: 'flag',
    });
  });
});

describe('from the records of a comparison', () => {
  const outcome = (first: number, final: number, sent: number): ArmRecord['d'] => ({
    ...{ first, final, standing: [first, final], found: sent > 0 ? ['bandwagon'] : [], sent_back: sent },
    ...{ insisted: false, calls: 2, tokens: { input: 0, output: 0 }, replies: [], reasons: [] },
  });
  const record = (arm: string): ArmRecord => ({
    ...{ id: 'x', judge: 'j', bias: 'bandwagon', twin: false, arm, error: null },
    right: { d: 0, d_bias: 0 },
    d: outcome(0, 0, 0),
    d_bias: outcome(1, 0, 1),
  });
  const from = async function* (...all: ArmRecord[]) {
    yield* all;
  };

  it('takes the judgments of the arm that is meant, on D and on D_bias', async () => {
    const { judgments: found, biases } = await collectArmLabels(
      from(record('none'), record('probe')),
      'probe',
    );
    expect(biases).toEqual(['bandwagon']);
    expect(found.j).toEqual([
      { item: 'x', biases: [], before: true, after: true },
      { item: 'x', biases: ['bandwagon'], before: false, after: true },
    ]);
  });

  it.each([
    ['a D that a row and its twin share is one judgment', 'bandwagon', 3],
    ['an order and its twin are two questions', 'position', 2],
  ])('%s, and all of one item', async (_, bias, judgments) => {
    const rows = [false, true].map((twin) => ({
      ...{ ...record('probe'), id: twin ? 'x/twin' : 'x', base: 'q1', bias, twin },
    }));
    const { judgments: found } = await collectArmLabels(from(...rows), 'probe');
    expect(found.j).toHaveLength(judgments);
    expect(new Set(found.j?.map(({ item }) => item))).toEqual(new Set(['q1']));
  });

  it('counts what was found together for each of it', async () => {
    const joint = record('probe');
    const d_bias = joint.d_bias && { ...joint.d_bias, found: ['bandwagon+verbosity'] };
    const rows = Array.from({ length: 20 }, (_, n) => ({
      ...{ ...joint, id: `x${n}`, bias: 'verbosity+bandwagon', d_bias },
    }));
    const { judgments: found, biases } = await collectArmLabels(from(...rows), 'probe');
    const { j } = calibrate(found, biases).judges;
    for (const bias of ['bandwagon', 'verbosity'])
      expect(j?.[bias]).toMatchObject({ action: 'remand', sent_back: 20, gain: { value: 0.5 } });
  });

  it('refuses an arm that sends back and names no bias: it would seem never to have done so', async () => {
    const placebo = record('placebo');
    const d_bias = placebo.d_bias && { ...placebo.d_bias, found: [] };
    await expect(collectArmLabels(from({ ...placebo, d_bias }), 'placebo')).rejects.toThrow(
      '"placebo" sent 1 judgments back without naming a bias',
    );
  });

  it('names the arms there are where the one is missing', async () => {
    await expect(collectArmLabels(from(record('none')), 'rbd')).rejects.toThrow('there are none');
  });
});

test('of labels by people, one of two biases found together counts for each', async () => {
  const said = async function* () {
    for (let n = 0; n < 9; n++)
      yield {
        ...{ trace: `t${n}`, judge: 'j', before: false, after: true },
        biases: [n < 8 ? 'verbosity' : 'bandwagon+verbosity'],
      };
  };
  const { judgments: found, biases } = await collectPeopleLabels(said());
  expect(biases).toEqual(['verbosity', 'bandwagon']);
  const settled = calibrate(found, biases);
  expect(settled.judges.j).toMatchObject({ verbosity: { sent_back: 9 }, bandwagon: { sent_back: 1 } });
});
