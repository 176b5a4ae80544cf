/** Calls that wait for a place at the judge, and what is counted of them when their time is over. */
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import { type JudgeAnswer, type JudgeCall, runJudgment } from '../../src/judgment/run-judgment.ts';
import { createLedger } from '../../src/models/index.ts';
import { systemClock } from '../../src/ports.ts';
import { pair } from '../loop.ts';

const said = (text: string): JudgeAnswer<string> => ({
  reply: text,
  read: { texts: [text], finish: null, usage: null, tokens: null },
});

/** Judges in shadow mode, with a judge that answers its client's request only: the other call hangs, sent or held back. */
async function judgeWhileOtherHangs({ held, timeoutMs }: { held: boolean; timeoutMs?: number }) {
  const run = await runJudgment(
    {
      model: 'judge',
      schema: null,
      ...(timeoutMs !== undefined && { timeoutMs }),
      async ask(call: JudgeCall, signal, tell) {
        if (call.kind === 'judge') return said('Output (a)');
        tell?.(held);
        return await new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    },
    {
      subject: pair(),
      security: [],
      detector: createProbeDetector(),
      biases: CATALOGUE.filter(({ name }) => name === 'position'),
      rounds: 1,
      mode: 'shadow',
      policy: 'last-word',
      deadlineMs: 30,
      retries: 0,
      ledger: createLedger({ clock: systemClock, extraCalls: 8 }),
      clock: systemClock,
    },
    new AbortController().signal,
  );
  return run.calls.map(({ kind }) => kind);
}

test('a swap that is held back until its time is over was never sent, and is not counted', async () => {
  expect(await judgeWhileOtherHangs({ held: true })).toEqual(['judge']);
});

test('one that was sent is counted, and so is one whose own connection hangs', async () => {
  expect(await judgeWhileOtherHangs({ held: false })).toEqual(['judge', 'swap']);
  expect(await judgeWhileOtherHangs({ held: true, timeoutMs: 5 })).toEqual(['judge', 'swap']);
});
