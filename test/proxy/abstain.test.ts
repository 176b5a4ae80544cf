/** What a client is told of how sure a verdict is, and what it gets where the judge is too unsure. */
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { fair, type Prompt, pairwise, RIGHT, stubborn, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const PATH = '/v1/chat/completions';

async function ask(
  say: (prompt: Prompt) => string,
  settings: Record<string, string>,
  body = pairwise(WRONG, RIGHT),
) {
  const upstream = await startUpstream(whole(say));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const answer = await exchange(proxy.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
    body,
  });
  const json = JSON.parse(answer.body.toString());
  const trace = await exchange(`${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`);
  return {
    answer,
    json,
    said: json.choices?.[0]?.message?.content,
    trace: JSON.parse(trace.body.toString()),
  };
}

test('both orders agree, or the judge insists on a place: the confidence and its grounds are told', async () => {
  const sure = await ask(fair, {}, pairwise(RIGHT, WRONG));
  expect(sure.answer.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-confidence': '1' });
  expect(
    sure.trace.confidence.grounds.map(({ from, agrees }: { from: string; agrees: boolean }) => [
      from,
      agrees,
    ]),
  ).toEqual([
    ['verdict', true],
    ['other-order', true],
  ]);
  const torn = await ask(stubborn, {});
  expect(torn.answer.headers).toMatchObject({ 'x-remand-status': 'insisted', 'x-remand-confidence': '0.5' });
});

test('with one call nothing tells, and nothing is told', async () => {
  const { answer } = await ask(fair, { REMAND_ROUNDS: '0' });
  expect(answer.headers).not.toHaveProperty('x-remand-confidence');
});

describe('a verdict below the threshold', () => {
  const below = (abstain: string) => ask(stubborn, { REMAND_ABSTAIN: abstain, REMAND_ABSTAIN_BELOW: '0.8' });

  test('is flagged', async () => {
    const { answer, said } = await below('flag');
    expect(answer.headers).toMatchObject({ 'x-remand-status': 'unsure', 'x-remand-confidence': '0.5' });
    expect(said).toBe('Output (a)');
  });

  test('is a tie where the form has one, and flagged where it has none', async () => {
    const none = await below('tie');
    expect(none.answer.headers['x-remand-status']).toBe('unsure');
    expect(none.said).toBe('Output (a)');
  });

  test('is an error in the protocol’s own form', async () => {
    const { answer, json } = await below('error');
    expect(answer.status).toBe(422);
    expect(json.error.message).toMatch(/unsure of its verdict \(confidence 0\.5\)/);
    expect(answer.headers['x-remand-status']).toBe('unsure');
  });

  test('is counted, and goes out all the same in shadow mode', async () => {
    const { answer } = await ask(stubborn, {
      REMAND_ABSTAIN: 'error',
      REMAND_ABSTAIN_BELOW: '0.8',
      REMAND_MODE: 'shadow',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-remand-status']).not.toBe('unsure');
  });
});

test('a calibrated judge has a probability, and the threshold of its promise', async () => {
  const judge = JSON.parse(pairwise(WRONG, RIGHT)).model;
  const file = {
    judges: {
      [judge]: {
        calibration: {
          curve: {
            method: 'isotonic',
            knots: [
              [0.5, 0.55],
              [1, 0.93],
            ],
          },
        },
        promise: { kept: { threshold: 0.9 }, refused: null },
      },
    },
  };
  const settings = { REMAND_CONFIDENCE: JSON.stringify(file), REMAND_ABSTAIN: 'flag' };
  const torn = await ask(stubborn, settings);
  expect(torn.answer.headers).toMatchObject({ 'x-remand-status': 'unsure', 'x-remand-confidence': '0.55' });
  const sure = await ask(fair, settings, pairwise(RIGHT, WRONG));
  expect(sure.answer.headers).toMatchObject({
    'x-remand-status': 'unchanged',
    'x-remand-confidence': '0.93',
  });
});

test('settings that could never act stop the start, and say why', () => {
  expect(() => readConfig({ REMAND_ABSTAIN: 'tie' })).toThrow(/needs REMAND_CONFIDENCE/);
  expect(() => readConfig({ REMAND_ABSTAIN_BELOW: '0.5' })).toThrow(
    /REMAND_ABSTAIN: must say what to answer/,
  );
  const refused = JSON.stringify({ judges: { m: { calibration: null, promise: { kept: null } } } });
  expect(() => readConfig({ REMAND_ABSTAIN: 'tie', REMAND_CONFIDENCE: refused })).toThrow(
    /promises no risk for m/,
  );
});
