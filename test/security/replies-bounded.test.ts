/** What is read of a judge's reply has a limit in bytes and one in CPU time; what goes out to the client has neither. */
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { type Checkpoint, ReadingTooLongError } from '../../src/case/checkpoint.ts';
import { asGiven } from '../../src/case/counterfactual.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import type { Case, VerdictForm } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { readWeighed } from '../../src/case/weighing/weighed.ts';
import { createProbeDetector, findSuspects } from '../../src/detect/probe.ts';
import { createAsk } from '../../src/judgment/run-judgment.ts';
import { debias } from '../../src/loop/debias.ts';
import { systemClock } from '../../src/ports.ts';
import { pairwise, RIGHT, replyBody, WRONG } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';
import { BETWEEN, stepGrowth } from './cpu-time.ts';

const choicesIn = (body: string): unknown => JSON.parse(body).choices;

async function ask(body: string, settings: Record<string, string> = {}) {
  const upstream = await startUpstream((_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
    body: pairwise(RIGHT, WRONG),
  });
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  return {
    status: answer.status,
    same: answer.body.equals(Buffer.from(body)),
    error: answer.body.toString().slice(0, 1_000),
    sameText: JSON.stringify(choicesIn(answer.body.toString())) === JSON.stringify(choicesIn(body)),
    told: [answer.headers['x-remand-status'], answer.headers['x-remand-reason']],
    counted: metrics.split('\n').filter((line) => line.startsWith('remand_unexamined_total{')),
  };
}

describe('over HTTP', () => {
  test('a reply above the limit goes out byte for byte, told as one without a verdict', async () => {
    const found = await ask(replyBody(`${'and so on '.repeat(200)}Output (a)`), {
      REMAND_REPLY_LIMIT: '1000',
    });
    expect(found).toMatchObject({
      status: 200,
      same: true,
      sameText: true,
      told: ['no-verdict', 'reply-too-long'],
      counted: ['remand_unexamined_total{reason="reply-too-long"} 1'],
    });
  });

  test('so does a reply of 5 MB without any setting', async () => {
    const { same, told } = await ask(replyBody(`${'and so on '.repeat(500_000)}Output (a)`));
    expect([same, ...told]).toEqual([true, 'no-verdict', 'reply-too-long']);
  });

  test('one above 32 MiB is a 502 that says so', async () => {
    const { status, error } = await ask(`${replyBody('Output (a)')}${' '.repeat(32 << 20)}`);
    expect([status, JSON.parse(error).error.message]).toEqual([
      502,
      expect.stringContaining(`${32 << 20} bytes`),
    ]);
  });

  test('and one whose text is longer than a verdict is looked for in', async () => {
    const { sameText, told } = await ask(replyBody(`${'and so on '.repeat(120_000)}Output (a)`));
    expect([sameText, ...told]).toEqual([true, 'no-verdict', 'reply-too-long']);
  });

  test.each([
    ['reply-too-long', replyBody(`${'and so on '.repeat(500_000)}Output (a)`), {}],
    ['reply-over-time', replyBody('{"a":1} '.repeat(100_000)), { REMAND_READ_MS: '1' }],
  ])('where no unexamined verdict is to go out, none does: %s', async (reason, body, settings) => {
    const { status, error } = await ask(body, { ...settings, REMAND_FAIL: 'closed' });
    expect(status).toBe(503);
    expect(error).toContain(reason);
  });

  test('a shorter one is read', async () => {
    const { told } = await ask(replyBody(`${'and so on '.repeat(90_000)}\nOutput (a)`), {
      REMAND_READ_MS: '60000',
    });
    expect(told[1]).toBeUndefined();
  });

  test('a reply that takes too long to read goes out, its usage summed', async () => {
    const { sameText, told, counted } = await ask(replyBody('{"a":1} '.repeat(100_000)), {
      REMAND_READ_MS: '1',
    });
    expect([sameText, ...told]).toEqual([true, 'no-verdict', 'reply-over-time']);
    expect(counted).toEqual(['remand_unexamined_total{reason="reply-over-time"} 1']);
  });
});

const PROMPT =
  'Which is better?\n\n# Output (a):\nred\n\n# Output (b):\nblue\n\nAnswer Output (a) or Output (b).';

function subjectOf(): Case {
  const { guess: subject } = recogniseCase({ parts: [{ role: 'user', text: PROMPT }] });
  if (!subject) throw new Error('no case');
  return subject;
}

const late: Checkpoint = () => {
  throw new ReadingTooLongError('late');
};

/** Passes so many times, then ends the reading. */
const after = (passes: number): Checkpoint => {
  let left = passes;
  return () => {
    if (left-- <= 0) throw new ReadingTooLongError('late');
  };
};

test('a search for cues that takes too long leaves the verdict unexamined, with its reason', async () => {
  const subject = subjectOf();
  const outcome = await debias<string>({
    ...{ subject, judge: 'judge', detector: createProbeDetector(), biases: CATALOGUE, rounds: 1 },
    ...{ mode: 'debias', policy: 'last-word', deadlineMs: 60_000, clock: systemClock, rewrite: null },
    signal: new AbortController().signal,
    beginReading: () => late,
    ask: createAsk(subject, async () => ({
      reply: 'Output (a)',
      read: { texts: ['Output (a)'], finish: 'stop', usage: null, tokens: null },
    })),
  });
  expect(outcome).toMatchObject({ status: 'failed-open', stop: 'over-time', final: { reply: 'Output (a)' } });
});

test('a verdict whose alternatives take too long to read goes without its probabilities', () => {
  const { form, options } = subjectOf();
  const text = 'Output (a)';
  const sampled = ['Output', ' (', 'a', ')'].map((token) => ({
    text: token,
    probability: 0.9,
    likeliest: [
      { text: token, probability: 0.9 },
      { text: 'b', probability: 0.1 },
    ],
  }));
  let passes = 0;
  const whole = readWeighed(text, sampled, form, options, () => passes++);
  expect(whole).toMatchObject({ kind: 'choice', option: 0, probability: expect.any(Number) });
  let alone = 0;
  readVerdict(text, form, options, () => alone++);
  expect(passes).toBeGreaterThan(alone);
  expect(readWeighed(text, sampled, form, options, after(alone))).toEqual({
    text,
    kind: 'choice',
    option: 0,
  });
  expect(() => readWeighed(text, sampled, form, options, after(alone - 1))).toThrow(ReadingTooLongError);
});

const SPELLING = { template: '{}', labels: ['A', 'B'] };
const FORMS: readonly VerdictForm[] = [
  { kind: 'choice', write: null, tie: null, field: null },
  { kind: 'choice', write: { template: '[[{}]]', labels: ['A', 'B'] }, tie: '[[C]]', field: null },
  { kind: 'choice', write: SPELLING, tie: null, field: 'winner' },
  { kind: 'score', min: 1, max: 10, template: 'Rating: [[{}]]', field: null },
  { kind: 'score', min: null, max: null, template: null, field: 'score' },
  { kind: 'pass', field: null },
  { kind: 'scores', min: 1, max: 10, template: '{} {}', fields: null, field: null },
  { kind: 'category', write: SPELLING, field: null },
];

const FILLERS = [
  '1. a\n',
  'A:\n',
  '<a>\n',
  '{"a":1} ',
  '{"a":',
  '"',
  '[[A]] ',
  'Output (a) is better. ',
  '\n',
  '</think>',
];
const LENGTH = 1 << 20;

/** A reading is given up after so many steps, since all of them together may take long. */
const STEPS = 2_000;

/** How the longest step of a reading grows, from a quarter of the length on. */
function growth(filler: string, read: (text: string, checkpoint: Checkpoint) => unknown): number {
  const inSteps = (length: number, checkpoint: Checkpoint) => {
    let steps = 0;
    try {
      read(filler.repeat(length / filler.length), () => {
        checkpoint();
        if (++steps > STEPS) throw new ReadingTooLongError('late');
      });
    } catch (error) {
      if (!(error instanceof ReadingTooLongError)) throw error;
    }
  };
  return stepGrowth(inSteps, LENGTH / 4) ?? 0;
}

test.each(FORMS)('reading $kind in 1 MiB can be given up at any time: %j', { timeout: 120_000 }, (form) => {
  const { options } = subjectOf();
  for (const filler of FILLERS) {
    const found = growth(filler, (text, checkpoint) => readVerdict(text, form, options, checkpoint));
    expect(found, filler).toBeLessThan(BETWEEN);
  }
});

test('so can looking for cues in 1 MiB', { timeout: 120_000 }, () => {
  const subject = subjectOf();
  const verdict = { text: 'Output (a)', kind: 'choice', option: 0 } as const;
  const at = { part: 0, start: 0, end: 0 };
  for (const filler of FILLERS) {
    const found = growth(filler, (text, checkpoint) => {
      const hostile = {
        ...subject,
        options: subject.options.map((option, i) => (i === 0 ? { ...option, text } : option)),
        context: [{ text, at, whole: at, mentions: [{ option: 0, at }] }],
      };
      findSuspects({ subject: hostile, verdict, biases: CATALOGUE, beginReading: () => checkpoint });
    });
    expect(found, filler).toBeLessThan(BETWEEN);
  }
  expect(asGiven(subject).options.size).toBe(0);
});
