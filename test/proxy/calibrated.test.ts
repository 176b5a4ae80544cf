/** What was calibrated rules the proxy: by judge and bias, with the grounds in the trace. */
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream, until } from './servers.ts';

const calibrated = (action: string, judge = 'test-judge') =>
  JSON.stringify({
    version: 1,
    threshold: 0.8,
    judges: {
      [judge]: {
        position: {
          action,
          why: '39 turned right, 60 turned wrong',
          judgments: 384,
          sent_back: 99,
          wrong_to_right: 39,
          right_to_wrong: 60,
          probability_of_gain: 0.02,
          gain: { value: -0.055, interval: { low: -0.1, high: -0.01 } },
          cases_to_settle: 0,
        },
      },
    },
  });

async function judged(calibration: string) {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_CALIBRATION: calibration });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-remand-biases': 'position' },
    body: pairwise(WRONG, RIGHT),
  });
  const trace = await until(async () => {
    const told = await exchange(`${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`, {
      headers: { accept: 'application/json' },
    });
    return told.status === 200 ? JSON.parse(told.body.toString()) : null;
  }, 'the trace');
  return { answer, trace, calls: upstream.received.length };
}

describe('a judge that loses when it is sent back', () => {
  test('keeps its verdict, is flagged, and the trace says on what grounds', async () => {
    const { answer, trace, calls } = await judged(calibrated('flag'));
    expect(answer.headers).toMatchObject({
      'x-remand-status': 'unresolved',
      'x-remand-biases': 'position',
      'x-remand-rounds': '0',
    });
    expect(answer.body.toString()).toContain('"Output (a)"');
    // Both orders, and nothing more.
    expect(calls).toBe(2);
    expect(trace.ruling).toEqual({ action: 'flag', why: 'position: 39 turned right, 60 turned wrong' });
  });

  test('another judge is sent back, and the trace says that nothing was calibrated for it', async () => {
    const { answer, trace } = await judged(calibrated('flag', 'another-judge'));
    expect(answer.headers['x-remand-status']).toBe('revised');
    expect(trace.ruling).toEqual({
      action: 'remand',
      why: 'nothing was calibrated for the judge test-judge',
    });
  });
});

test.each([
  ['{', 'REMAND_CALIBRATION'],
  ['{"version": 2}', 'REMAND_CALIBRATION'],
  [calibrated('forgive'), 'REMAND_CALIBRATION'],
])('%s is no calibration', (text, field) => {
  expect(() => readConfig({ REMAND_CALIBRATION: text })).toThrow(field);
});
