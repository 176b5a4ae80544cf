/** Whose answer goes out: when the client or the judge leaves, in shadow mode, by policy. */
import { describe, expect, it, vi } from 'vitest';
import type { Case, Verdict } from '../../src/case/types.ts';
import { JudgeError } from '../../src/http/send.ts';
import { debias } from '../../src/loop/debias.ts';
import type { Ask } from '../../src/loop/types.ts';
import { choice, detector, only, options, pair, scripted } from '../loop.ts';
import { scriptedClock } from '../scripted-clock.ts';

describe('leaving', () => {
  it("rejects with the judge's own error when the first call fails, and gives the swap up", async () => {
    const failure = new JudgeError('401', { status: 401 });
    const abort = vi.fn();
    const ask: Ask<string> = (question, signal) => {
      if (question.kind === 'judge') return Promise.reject(failure);
      signal.addEventListener('abort', abort);
      return new Promise(() => {});
    };
    await expect(debias(options({ ask }))).rejects.toBe(failure);
    expect(abort).toHaveBeenCalled();
  });

  it('rejects when the client leaves in the middle', async () => {
    const client = new AbortController();
    const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)] });
    const leaving = () => {
      queueMicrotask(() => client.abort(new Error('gone')));
      return new Promise<never>(() => {});
    };
    const waiting = debias(options({ ask, signal: client.signal, detector: detector(leaving) }));
    await expect(waiting).rejects.toThrow('gone');
  });
});

describe('shadow mode and policies', () => {
  const torn = { judge: [choice(0)], swap: [choice(0)], remand: [choice(1)], 'remand-swapped': [choice(1)] };

  it('shadow does everything and answers with the first verdict', async () => {
    const { ask, asked } = scripted(torn);
    const outcome = await debias(options({ ask, mode: 'shadow', rounds: 1, biases: only('position') }));
    expect(outcome).toMatchObject({ status: 'shadow', biases: ['position'], rounds: 1 });
    expect(outcome.final).toBe(outcome.first);
    expect(asked).toHaveLength(4);
  });

  it('shadow mode has the time that debias mode has, though it asks in the other order later', async () => {
    const clock = scriptedClock(0);
    const { ask } = scripted(torn);
    const slow: Ask<string> = async (question, signal) => {
      const answer = await ask(question, signal);
      clock.pass(question.kind === 'remand' ? 3_000 : 6_000);
      return answer;
    };
    const trial = options({ ask: slow, clock, mode: 'shadow', rounds: 1, biases: only('position') });
    const outcome = await debias({ ...trial, deadlineMs: 8_000 });
    expect(outcome).toMatchObject({ status: 'shadow', stop: 'rounds', rounds: 1, error: null });
  });

  it('shadow mode waits for the other order no longer than debias mode does', async () => {
    const clock = scriptedClock(0);
    const { ask } = scripted(torn);
    const hanging: Ask<string> = async (question, signal) => {
      if (question.kind === 'swap') return new Promise(() => {});
      clock.pass(6_000);
      return ask(question, signal);
    };
    const waiting = debias(
      options({ ask: hanging, clock, mode: 'shadow', biases: only('position'), deadlineMs: 8_000 }),
    );
    await clock.passOnceAsked(14_000);
    expect((await waiting).error).toContain('the other order could not be judged');
  });

  it.each([
    ['last-word', null, 1, null],
    ['original', null, 0, null],
    ['tie', 'Tie', 1, 'Tie'],
    ['tie', null, 1, null],
    ['counterfactual', null, 1, null],
  ] as const)(
    'policy %s (tie written %s) answers with option %d, written %s',
    async (policy, tie, option, written) => {
      const { ask } = scripted(torn);
      const outcome = await debias(
        options({ ask, policy, subject: pair(tie), rounds: 1, biases: only('position') }),
      );
      expect(outcome.status).toBe('unresolved');
      expect(outcome.final.verdict).toMatchObject({ option });
      expect(outcome.written?.text ?? null).toBe(written);
    },
  );

  it('writes no text where the client reads log-probabilities, which a text of ours has none of', async () => {
    const sure = (option: number): Verdict => ({ kind: 'choice', option, text: '', probability: 0.8 });
    const { ask } = scripted({ ...torn, remand: [sure(1)] });
    const subject = pair('Tie');
    const outcome = await debias(
      options({ ask, policy: 'tie', subject, rounds: 1, biases: only('position') }),
    );
    expect(outcome).toMatchObject({ status: 'unresolved', written: null });
    expect(outcome.final.verdict).toMatchObject({ option: 1 });
  });

  it('a policy puts nothing in place of a document whose other fields it cannot write', async () => {
    const subject: Case = {
      ...pair(),
      form: { kind: 'choice', write: { template: '{}', labels: ['a', 'b'] }, tie: 'tie', field: 'winner' },
    };
    const said = (option: number, text: string): Verdict => ({ kind: 'choice', option, text });
    const stubborn = (text: string) => ({
      judge: [said(0, text)],
      swap: [said(0, text)],
      remand: [said(0, text)],
    });
    const answer = (text: string) =>
      debias(
        options({
          ask: scripted(stubborn(text)).ask,
          policy: 'tie',
          subject,
          rounds: 1,
          biases: only('position'),
        }),
      );

    expect((await answer('{"winner":"a"}')).written?.text).toBe('{"winner":"tie"}');
    expect((await answer('{"reasoning":"It is right.","winner":"a"}')).written).toBeNull();
  });

  it('no rounds, no extra calls', async () => {
    const { ask, asked } = scripted(torn);
    expect(await debias(options({ ask, rounds: 0 }))).toMatchObject({ status: 'unchanged', stop: 'rounds' });
    expect(asked).toEqual(['judge']);
  });
});
