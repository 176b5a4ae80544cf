import { describe, expect, it, vi } from 'vitest';
import { CATALOGUE } from '../src/bias/index.ts';
import type { Case, Verdict } from '../src/case/types.ts';
import { type DebiasOptions, debias } from '../src/debias.ts';
import { createProbeDetector } from '../src/detect/probe.ts';
import type { Detector } from '../src/detect/types.ts';
import { BudgetError, JudgeError, UnreadableAnalysisError } from '../src/judge/errors.ts';
import { type Ask, type Question, systemClock } from '../src/judge/types.ts';

/** A pair with a statement that the crowd backs the second. Text and places as a reader would find them. */
function pair(tie: string | null = null): Case {
  const text = '90% believe that Output (b) is better\n\nOutput (a): Paris\n\nOutput (b): Lyon';
  const at = (part: string) => ({
    part: 0,
    start: text.indexOf(part),
    end: text.indexOf(part) + part.length,
  });
  const statement = '90% believe that Output (b) is better';
  return {
    layout: 'test',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: null,
    options: [
      { label: 'Output (a)', text: 'Paris', at: at('Paris') },
      { label: 'Output (b)', text: 'Lyon', at: at('Lyon') },
    ],
    context: [
      {
        text: statement,
        at: at(statement),
        whole: { part: 0, start: 0, end: statement.length + 2 },
        mentions: [{ option: 1, at: { part: 0, start: 24, end: 27 } }],
      },
    ],
    form: { kind: 'choice', write: { template: 'Output ({})', labels: ['a', 'b'] }, tie, field: null },
    noteAt: { part: 0, offset: text.length },
  };
}

const choice = (option: number): Verdict => ({ kind: 'choice', option, text: `Output (${'ab'[option]})` });
const none: Verdict = { kind: 'none', reason: 'no-label', text: 'Hm.' };

/** A judge by script: for each kind of question, the slots it answers with, in turn (the last one stays). */
function scripted(script: Partial<Record<string, (Verdict | Error)[]>>) {
  const asked: string[] = [];
  const ask: Ask<string> = async (question, signal) => {
    signal.throwIfAborted();
    const key = keyOf(question);
    asked.push(key);
    const queue = script[key] ?? script[question.kind] ?? [];
    const next = queue.length > 1 ? queue.shift() : queue[0];
    if (!next) throw new Error(`the script has no answer to ${key}`);
    if (next instanceof Error) throw next;
    return { verdict: next, reply: `${key}:${next.text}` };
  };
  return { ask, asked };
}

function keyOf(question: Question): string {
  if (question.kind !== 'remand') return question.kind;
  return question.of.order[0] === 0 ? 'remand' : 'remand-swapped';
}

const biased =
  (biases: string[]): Detector['analyse'] =>
  async () => ({ biased: true, biases, reasoning: 'why', evidence: [] });
const clean: Detector['analyse'] = async () => ({
  biased: false,
  biases: [],
  reasoning: 'fine',
  evidence: [],
});
const detector = (...turns: Detector['analyse'][]): Detector => ({
  name: 'scripted',
  analyse: (brief) => {
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    if (!turn) throw new Error('no turn');
    return turn(brief);
  },
});

function options(
  over: Partial<DebiasOptions<string>> & Pick<DebiasOptions<string>, 'ask'>,
): DebiasOptions<string> {
  return {
    subject: pair(),
    judge: 'judge-1',
    detector: createProbeDetector(),
    biases: CATALOGUE,
    rounds: 3,
    mode: 'debias',
    policy: 'last-word',
    deadlineMs: 5000,
    rewrite: null,
    clock: systemClock,
    signal: new AbortController().signal,
    ...over,
  };
}
const only = (name: string) => CATALOGUE.filter((bias) => bias.name === name);

describe('the loop with the probe', () => {
  it('leaves a verdict alone that survives the swap and follows no cue', async () => {
    const { ask, asked } = scripted({ judge: [choice(0)], swap: [choice(1)] });
    const outcome = await debias(options({ ask }));
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean', rounds: 0, biases: [] });
    expect(outcome.final).toBe(outcome.first);
    // The crowd backs what the judge did not choose: no probe.
    expect(asked).toEqual(['judge', 'swap']);
  });

  it('revises a verdict that followed the crowd', async () => {
    const { ask, asked } = scripted({
      judge: [choice(1)],
      swap: [choice(0)],
      probe: [choice(0)],
      remand: [choice(0)],
      'remand-swapped': [choice(1)],
    });
    const outcome = await debias(options({ ask }));
    expect(outcome).toMatchObject({ status: 'revised', stop: 'clean', rounds: 1, biases: ['bandwagon'] });
    expect(outcome.final.verdict).toMatchObject({ kind: 'choice', option: 0 });
    expect(outcome.verdicts).toHaveLength(2);
    expect(outcome.analyses[0]?.reasoning).toContain('decided for Output (a) instead of Output (b)');
    expect(asked.sort()).toEqual(['judge', 'probe', 'remand', 'remand-swapped', 'swap']);
  });

  it('takes two orders that disagree for evidence and re-asks both', async () => {
    const { ask } = scripted({
      judge: [choice(0)],
      swap: [choice(0)],
      remand: [choice(1)],
      'remand-swapped': [choice(0)],
    });
    const outcome = await debias(options({ ask, biases: only('position'), rounds: 1 }));
    expect(outcome).toMatchObject({ status: 'revised', stop: 'rounds', biases: ['position'] });
  });

  it('reports a verdict that stands after the other order gave way as unchanged', async () => {
    const { ask } = scripted({
      judge: [choice(0)],
      swap: [choice(0)],
      remand: [choice(0)],
      'remand-swapped': [choice(1)],
    });
    const outcome = await debias(options({ ask, biases: only('position'), rounds: 1 }));
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'rounds', rounds: 1 });
  });

  it('ends as insisted when neither order gives way', async () => {
    const { ask } = scripted({
      judge: [choice(0)],
      swap: [choice(0)],
      remand: [choice(0)],
      'remand-swapped': [choice(0)],
    });
    const outcome = await debias(options({ ask, biases: only('position') }));
    expect(outcome).toMatchObject({ status: 'insisted', stop: 'insisted', rounds: 1 });
  });

  it('ends as unresolved when the orders still disagree after the last round', async () => {
    const { ask } = scripted({
      judge: [choice(0)],
      swap: [choice(0)],
      remand: [choice(1)],
      'remand-swapped': [choice(1)],
    });
    const outcome = await debias(options({ ask, biases: only('position'), rounds: 1 }));
    expect(outcome).toMatchObject({ status: 'unresolved', stop: 'rounds' });
    expect(outcome.final.verdict).toMatchObject({ option: 1 });
  });

  it('stops when a verdict that was sent back returns', async () => {
    const { ask } = scripted({ judge: [choice(0)], remand: [choice(1), choice(0)] });
    const outcome = await debias(
      options({ ask, biases: only('bandwagon'), detector: detector(biased(['bandwagon'])), rounds: 9 }),
    );
    expect(outcome).toMatchObject({ status: 'unresolved', stop: 'circling', rounds: 2 });
  });
});

describe('never remand on noise', () => {
  const broken: [string, Detector['analyse'] | null, Partial<Record<string, (Verdict | Error)[]>>, object][] =
    [
      [
        'an analysis that cannot be read',
        async () => Promise.reject(new UnreadableAnalysisError('cut off')),
        {},
        { stop: 'unreadable-analysis' },
      ],
      [
        'a detector that fails',
        async () => Promise.reject(new JudgeError('down', { status: 500 })),
        {},
        { stop: 'detector-failed' },
      ],
      [
        'a judge that fails when sent back',
        biased(['bandwagon']),
        { remand: [new JudgeError('down')] },
        { stop: 'judge-failed' },
      ],
      [
        'a new reply without a verdict',
        biased(['bandwagon']),
        { remand: [none] },
        { stop: 'unreadable-verdict', rounds: 1 },
      ],
      [
        'a budget that is used up',
        biased(['bandwagon']),
        { remand: [new BudgetError('8 calls')] },
        { stop: 'budget' },
      ],
      [
        'another order that cannot be judged',
        clean,
        { swap: [new JudgeError('down')] },
        { stop: 'order-unknown' },
      ],
      ['another order without a verdict', clean, { swap: [none] }, { stop: 'order-unknown' }],
    ];
  it.each(broken)('%s: the first verdict goes out, marked', async (_name, analyse, script, expected) => {
    const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)], ...script });
    const outcome = await debias(options({ ask, ...(analyse ? { detector: detector(analyse) } : {}) }));
    expect(outcome).toMatchObject({ status: 'failed-open', ...expected });
    expect(outcome.final).toBe(outcome.first);
    expect(outcome.error).not.toBe(expected && 'stop' in expected && expected.stop === 'clean' ? '' : null);
  });

  it('a first reply without a verdict is not examined, and the swap is given up', async () => {
    let swapAborted = false;
    const outcome = await debias(
      options({
        ask: (question, signal) =>
          question.kind === 'judge'
            ? Promise.resolve({ verdict: none, reply: 'raw' })
            : new Promise((_, reject) =>
                signal.addEventListener('abort', () => {
                  swapAborted = true;
                  reject(signal.reason);
                }),
              ),
      }),
    );
    expect(outcome).toMatchObject({ status: 'no-verdict', stop: 'no-verdict', analyses: [] });
    expect(swapAborted).toBe(true);
  });

  it('keeps a revision when a later round fails', async () => {
    const { ask } = scripted({ judge: [choice(0)], remand: [choice(1)] });
    const fails = async () => Promise.reject(new JudgeError('down'));
    const outcome = await debias(
      options({ ask, biases: only('bandwagon'), detector: detector(biased(['bandwagon']), fails) }),
    );
    expect(outcome).toMatchObject({ status: 'revised', stop: 'detector-failed' });
  });

  it('gives up at the deadline even on a detector that is deaf to its signal', async () => {
    const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)] });
    const started = performance.now();
    const outcome = await debias(
      options({ ask, deadlineMs: 30, detector: detector(() => new Promise(() => {})) }),
    );
    expect(outcome).toMatchObject({ status: 'failed-open', stop: 'deadline' });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('counts the swap into the deadline', async () => {
    const outcome = await debias(
      options({
        deadlineMs: 30,
        ask: (question) =>
          question.kind === 'judge'
            ? Promise.resolve({ verdict: choice(0), reply: '' })
            : new Promise(() => {}),
      }),
    );
    expect(outcome).toMatchObject({ status: 'failed-open', stop: 'deadline' });
  });
});

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
    const waiting = debias(
      options({ ask, signal: client.signal, detector: detector(() => new Promise(() => {})) }),
    );
    setTimeout(() => client.abort(new Error('gone')), 10);
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
      expect(outcome.written).toBe(written);
    },
  );

  it('no rounds, no extra calls', async () => {
    const { ask, asked } = scripted(torn);
    expect(await debias(options({ ask, rounds: 0 }))).toMatchObject({ status: 'unchanged', stop: 'rounds' });
    expect(asked).toEqual(['judge']);
  });
});
