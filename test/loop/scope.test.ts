/** When a judgment is over, no call of its is paid to the end; and nothing of it outlives it. */
import { expect, test } from 'vitest';
import { asGiven } from '../../src/case/counterfactual.ts';
import type { Detector } from '../../src/detect/types.ts';
import { JudgeError } from '../../src/http/send.ts';
import { debias } from '../../src/loop/debias.ts';
import { openScope } from '../../src/loop/scope.ts';
import type { Ask } from '../../src/loop/types.ts';
import { choice, clean, detector, options, pair } from '../loop.ts';
import { scriptedClock } from '../scripted-clock.ts';

/** A call that ends with its signal only. */
const endless = (signal: AbortSignal, ended: unknown[]) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => {
      ended.push(signal.reason);
      reject(signal.reason);
    }),
  );

/** Answers the client's request and the other order; every other call is endless. */
function judge(ended: unknown[]): Ask<string> {
  return async ({ kind }, signal) => {
    if (kind !== 'judge' && kind !== 'swap') return endless(signal, ended);
    return { verdict: choice(kind === 'judge' ? 0 : 1), reply: kind };
  };
}

test.each<[string, Detector['analyse']]>([
  [
    'a probe that its detector did not wait for',
    async (brief) => {
      brief.probe(asGiven(pair())).catch(() => {});
      return clean(brief);
    },
  ],
  [
    'a rewording that its detector did not wait for',
    async (brief) => {
      brief.rewrite?.({ system: '', user: '' }, brief.signal).catch(() => {});
      return clean(brief);
    },
  ],
])('%s', async (_what, analyse) => {
  const ended: unknown[] = [];
  const outcome = await debias(
    options({
      ask: judge(ended),
      rewrite: (_prompt, signal) => endless(signal, ended),
      detector: detector(analyse),
    }),
  );
  expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean' });
  expect(ended).toEqual([expect.objectContaining({ name: 'AbortError', message: 'the judgment is over' })]);
});

test('the own calls of a detector that failed', async () => {
  const ended: unknown[] = [];
  const failed = new JudgeError('one of two calls failed');
  const outcome = await debias(
    options({
      ask: judge(ended),
      detector: detector(async (brief) => {
        await Promise.all([endless(brief.signal, ended), Promise.reject(failed)]);
        return clean(brief);
      }),
    }),
  );
  expect(outcome).toMatchObject({ status: 'failed-open', stop: 'detector-failed' });
  expect(ended).toEqual([failed]);
});

/** A scope for calls that are asked at once, and the clock and the client that may end it. */
function scopeOf() {
  const client = new AbortController();
  const clock = scriptedClock(0);
  const ask: Ask<string> = async () => ({ verdict: choice(0), reply: 'first' });
  const scope = openScope(options({ ask, clock, deadlineMs: 5, signal: client.signal }));
  return { scope, clock, client };
}

test('when it is over, neither client nor clock reach it', async () => {
  const { scope, clock, client } = scopeOf();
  scope.startDeadline();
  await scope.probe(asGiven(pair()), null);
  scope[Symbol.dispose]();
  client.abort();
  clock.pass(10);
  expect(scope.signal.reason).toMatchObject({ name: 'AbortError', message: 'the judgment is over' });
});

test('the deadline begins when it is started', () => {
  const { scope, clock } = scopeOf();
  clock.pass(10);
  scope.startDeadline();
  clock.pass(4);
  expect(scope.signal.aborted).toBe(false);
  clock.pass(1);
  expect(scope.signal.reason).toMatchObject({ name: 'TimeoutError', message: 'not done within 5 ms' });
});

test('a client that leaves ends it', () => {
  const { scope, client } = scopeOf();
  client.abort('left');
  expect(scope.signal.reason).toBe('left');
});
