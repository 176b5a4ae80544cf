/** A verdict found biased is ruled on beforehand: sent back, left and flagged, or answered with a tie. */
import { describe, expect, it, test } from 'vitest';
import { debias } from '../../src/loop/debias.ts';
import { findRuling } from '../../src/loop/find-ruling.ts';
import type { Ruling } from '../../src/loop/types.ts';
import type { Calibration } from '../../src/report/calibration.ts';
import { choice, only, options, pair, scripted } from '../loop.ts';

const swayed = { judge: [choice(1)], swap: [choice(0)], probe: [choice(0)], remand: [choice(0)] };

async function judged(ruling: Ruling, tie: string | null = null) {
  const { ask, asked } = scripted(swayed);
  const outcome = await debias(
    options({ ask, subject: pair(tie), biases: only('bandwagon'), rule: () => ruling }),
  );
  return { outcome, asked };
}

describe('the loop', () => {
  it('sends back where the ruling is to', async () => {
    const { outcome, asked } = await judged({ action: 'remand', why: 'it helps' });
    expect(outcome).toMatchObject({ status: 'revised', ruling: { action: 'remand' } });
    expect(asked.some((one) => one.startsWith('remand'))).toBe(true);
  });

  it("flags: nothing is sent back, the judge's own reply goes out, and what was found is said", async () => {
    const { outcome, asked } = await judged({ action: 'flag', why: 'it guesses again' });
    expect(asked.some((one) => one.startsWith('remand'))).toBe(false);
    expect(outcome).toMatchObject({
      status: 'unresolved',
      stop: 'ruled',
      rounds: 0,
      biases: ['bandwagon'],
      ruling: { action: 'flag', why: 'it guesses again' },
      written: null,
    });
    expect(outcome.final).toBe(outcome.first);
  });

  it('answers with a tie where the form has one, and flags where it has none', async () => {
    const withTie = await judged({ action: 'tie', why: 'worse than a coin' }, '[[C]]');
    expect(withTie.outcome).toMatchObject({ status: 'unresolved', written: { text: '[[C]]' } });
    const without = await judged({ action: 'tie', why: 'worse than a coin' });
    expect(without.outcome).toMatchObject({ status: 'unresolved', written: null });
  });
});

const entry = (action: Ruling['action']) => ({
  action,
  why: `settled on ${action}`,
  judgments: 100,
  sent_back: 20,
  wrong_to_right: 10,
  right_to_wrong: 2,
  probability_of_gain: 0.99,
  gain: { value: 0.08, interval: null },
  cases_to_settle: 0,
});
const settled: Calibration = {
  version: 1,
  threshold: 0.8,
  judges: {
    good: { position: entry('remand'), bandwagon: entry('tie') },
    weak: { position: entry('flag') },
    // Of one joint find alone little can be settled.
    joint: { position: entry('remand'), bandwagon: entry('remand'), 'bandwagon+position': entry('flag') },
  },
};

test.each([
  ['good', ['position'], 'remand'],
  ['good', ['position', 'bandwagon'], 'tie'],
  ['weak', ['position', 'bandwagon'], 'flag'],
  ['weak', ['bandwagon'], 'remand'],
  ['good', ['bandwagon+position'], 'tie'],
  ['weak', ['bandwagon+position'], 'flag'],
  ['joint', ['bandwagon+position'], 'remand'],
  ['unknown', ['position'], 'remand'],
  ['constructor', ['position'], 'remand'],
  ['good', ['__proto__'], 'remand'],
])('%s with %j: %s, and the most careful ruling counts', (judge, biases, action) => {
  expect(findRuling(settled, judge, biases)).toMatchObject({ action, why: expect.stringMatching(/./) });
});
