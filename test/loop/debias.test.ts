/** Every way in which the loop ends. */
import { describe, expect, it } from 'vitest';
import type { Case, Verdict } from '../../src/case/types.ts';
import type { Detector } from '../../src/detect/types.ts';
import { BudgetError, JudgeError, UnreadableAnalysisError } from '../../src/http/send.ts';
import { debias } from '../../src/loop/debias.ts';
import type { Ask } from '../../src/loop/types.ts';
import { biased, choice, clean, detector, none, only, options, pair, scripted } from '../loop.ts';
import { scriptedClock } from '../scripted-clock.ts';

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
      probe: [choice(0), choice(1)],
      remand: [choice(0)],
      'remand-swapped': [choice(1)],
    });
    const outcome = await debias(options({ ask }));
    expect(outcome).toMatchObject({ status: 'revised', stop: 'clean', rounds: 1, biases: ['bandwagon'] });
    expect(outcome.final.verdict).toMatchObject({ kind: 'choice', option: 0 });
    expect(outcome.verdicts).toHaveLength(2);
    expect(outcome.analyses[0]?.reasoning).toContain('decided for Output (a) instead of Output (b)');
    expect(asked.sort()).toEqual(['judge', 'probe', 'probe', 'remand', 'remand-swapped', 'swap']);
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

  describe('of answers that read the same', () => {
    const alike = (tie: string | null): Case => {
      const subject = pair(tie);
      const text = 'Output (a): Paris\n\nOutput (b): Paris';
      const at = (start: number) => ({ part: 0, start, end: start + 'Paris'.length });
      return {
        ...subject,
        context: [],
        prompt: { parts: [{ role: 'user', text }] },
        options: subject.options.map(({ label }, n) => ({ label, text: 'Paris', at: at(12 + n * 19) })),
        noteAt: { part: 0, offset: text.length },
      };
    };

    it('asks once where one of them has to be chosen, and says what was not tested', async () => {
      const { ask, asked } = scripted({ judge: [choice(0)] });
      const outcome = await debias(options({ ask, subject: alike(null) }));
      expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean', biases: [], error: null });
      expect(outcome.untested).toMatchObject([{ bias: 'position', why: 'same-answers' }]);
      expect(asked).toEqual(['judge']);
    });

    it('sends a choice back once where a tie could be said', async () => {
      const tie: Verdict = { kind: 'tie', text: 'C' };
      const { ask, asked } = scripted({ judge: [choice(0)], remand: [tie] });
      const outcome = await debias(options({ ask, subject: alike('C') }));
      expect(outcome).toMatchObject({ status: 'revised', biases: ['position'], untested: [] });
      expect(asked).toEqual(['judge', 'remand']);
    });

    it('leaves a tie alone', async () => {
      const { ask, asked } = scripted({ judge: [{ kind: 'tie', text: 'C' }] });
      const outcome = await debias(options({ ask, subject: alike('C') }));
      expect(outcome).toMatchObject({ status: 'unchanged', biases: [], untested: [] });
      expect(asked).toEqual(['judge']);
    });

    it('asks in the other order where other names stand beside them', async () => {
      const { ask, asked } = scripted({ judge: [choice(0)], swap: [choice(1)] });
      const { prompt, options: both, ...subject } = alike(null);
      const text = `${prompt.parts[0]?.text}\n\nWritten by Ann and Bob.`;
      const names = ['Ann', 'Bob'].map((name) => ({
        ...{ part: 0, start: text.indexOf(name), end: text.indexOf(name) + name.length },
      }));
      const named = both.map((one, n) => ({ ...one, moves: [one.at, names[n] ?? one.at] }));
      const prompted = { parts: [{ role: 'user', text }] };
      await debias(options({ ask, subject: { ...subject, options: named, prompt: prompted } }));
      expect(asked).toEqual(['judge', 'swap']);
    });

    it('holds nothing against a choice that the orders tell for such answers', async () => {
      const { ask, asked } = scripted({ judge: [choice(0)] });
      const { prompt, ...subject } = alike('C');
      const text = `${prompt.parts[0]?.text}\n\nIf both are equally good, choose Output (a).`;
      const outcome = await debias(
        options({ ask, subject: { ...subject, prompt: { parts: [{ role: 'user', text }] } } }),
      );
      expect(outcome).toMatchObject({ status: 'failed-open', stop: 'order-fixed', biases: [] });
      expect(outcome.untested).toMatchObject([{ bias: 'position', why: 'other-order' }]);
      expect(asked).toEqual(['judge']);
    });

    it('asks in the other order where a statement names one of them', async () => {
      const { ask, asked } = scripted({ judge: [choice(0)], swap: [choice(1)] });
      const { prompt, ...subject } = alike(null);
      const text = `${prompt.parts[0]?.text}\n\nMost prefer (b).`;
      const start = text.indexOf('Most');
      const named = { part: 0, start: text.lastIndexOf('(b'), end: text.lastIndexOf(')') + 1 };
      const at = { part: 0, start, end: text.length };
      const statement = { text: text.slice(start), at, whole: at, mentions: [{ option: 1, at: named }] };
      await debias(
        options({
          ask,
          subject: { ...subject, prompt: { parts: [{ role: 'user', text }] }, context: [statement] },
        }),
      );
      expect(asked).toEqual(['judge', 'swap']);
    });
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

  it('compares a verdict that a note brought about with probes that have the note, too', async () => {
    // Without a note this judge takes the last place, with one the better option, which a crowd happens to back.
    const notes: unknown[] = [];
    const ask: Ask<string> = async (question) => {
      const note = question.kind === 'remand' ? question : question.kind === 'probe' ? question.note : null;
      if (question.kind === 'probe')
        notes.push([note?.round, note?.biases, note?.verdict, question.of.order]);
      const order = 'of' in question ? question.of.order : [0, 1];
      const verdict = choice(note ? order.indexOf(1) : 1);
      return { verdict, reply: verdict.text };
    };
    const first = options({ ask, subject: pair() });
    const outcome = await debias(first);
    expect(outcome).toMatchObject({ status: 'unchanged', stop: 'clean', rounds: 1, biases: ['position'] });
    expect(outcome.swapped.at(-1)).toMatchObject({ option: 1 });
    expect(outcome.analyses[1]?.evidence.map(({ changed }) => changed)).toEqual([false, false, false]);
    // The note of either order tells what had been decided in that order.
    expect(notes).toEqual([
      [1, ['position'], expect.objectContaining({ option: 1 }), [0, 1]],
      [1, ['position'], expect.objectContaining({ option: 0 }), [1, 0]],
    ]);
  });

  it('finds the second of two biases after the first is gone', async () => {
    // The crowd sways it with a note and without one; the place sways it only before it is told.
    const told: unknown[] = [];
    const ask: Ask<string> = async (question) => {
      const note = question.kind === 'remand' ? question : question.kind === 'probe' ? question.note : null;
      if (question.kind === 'remand') told.push([question.round, question.biases]);
      const crowded = !('of' in question) || question.of.context.size === 0;
      const named = question.kind === 'remand' && question.biases.includes('bandwagon');
      const order = 'of' in question ? question.of.order : [0, 1];
      const verdict = choice(note ? order.indexOf(crowded && !named ? 1 : 0) : 1);
      return { verdict, reply: verdict.text };
    };
    const outcome = await debias(options({ ask }));
    expect(outcome).toMatchObject({ status: 'revised', rounds: 2, biases: ['position', 'bandwagon'] });
    expect(outcome.final.verdict).toMatchObject({ option: 0 });
    // In both orders each time: what the first round found is told again in the second.
    expect(told).toEqual([
      [1, ['position']],
      [1, ['position']],
      [2, ['position', 'bandwagon']],
      [2, ['position', 'bandwagon']],
    ]);
  });

  it('tells the judge of each bias that was only undone together', async () => {
    const told: (readonly string[])[] = [];
    const { ask } = scripted({ judge: [choice(0)], remand: [choice(0)] });
    const outcome = await debias(
      options({
        ask: (question, signal) => {
          if (question.kind === 'remand') told.push(question.biases);
          return ask(question, signal);
        },
        biases: only('bandwagon'),
        detector: detector(biased(['bandwagon+verbosity'])),
      }),
    );
    expect(outcome.biases).toEqual(['bandwagon+verbosity']);
    expect(told).toEqual([['bandwagon', 'verbosity']]);
  });

  it('tells the judge of what may be at work beside the bias found, and nobody else', async () => {
    const told: (readonly string[])[] = [];
    const { ask } = scripted({ judge: [choice(0)], remand: [choice(0)] });
    const outcome = await debias(
      options({
        ask: (question, signal) => {
          if (question.kind === 'remand') told.push(question.biases);
          return ask(question, signal);
        },
        biases: only('bandwagon'),
        detector: detector(async () => ({
          ...{ biased: true, biases: ['bandwagon'], reasoning: 'why' },
          evidence: [
            {
              ...{ biases: ['bandwagon'], beside: ['verbosity'], undone: 'both' },
              ...{ before: choice(0), after: choice(1), changed: true },
            },
          ],
        })),
      }),
    );
    expect(outcome.biases).toEqual(['bandwagon']);
    expect(told).toEqual([['bandwagon', 'verbosity']]);
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
      ['no budget for the other order', clean, { swap: [new BudgetError('0 calls')] }, { stop: 'budget' }],
      ['another order without a verdict', clean, { swap: [none] }, { stop: 'order-unknown' }],
    ];
  it.each(broken)('%s: the first verdict goes out, marked', async (_name, analyse, script, expected) => {
    const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)], ...script });
    const outcome = await debias(options({ ask, ...(analyse ? { detector: detector(analyse) } : {}) }));
    expect(outcome).toMatchObject({ status: 'failed-open', ...expected });
    expect(outcome.final).toBe(outcome.first);
    expect(outcome.error).toMatch(/\w/);
  });

  it('does not judge the other order where the orders tell the places apart, and tests the rest', async () => {
    const { ask, asked } = scripted({ judge: [choice(1)], probe: [choice(1)] });
    const { prompt, ...given } = pair();
    const orders = { role: 'user', text: 'If both are equally good, answer Output (a).' };
    const subject = { ...given, prompt: { parts: [...prompt.parts, orders] } };
    const outcome = await debias(options({ ask, subject }));
    expect(outcome).toMatchObject({ status: 'failed-open', stop: 'order-fixed', biases: [] });
    expect(outcome.error).toContain('answer Output (a)');
    expect(outcome.untested).toContainEqual(
      expect.objectContaining({ bias: 'position', why: 'other-order' }),
    );
    expect(asked).toEqual(['judge', 'probe']);
    expect(outcome.lookedFor).toContain('bandwagon');
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
    const clock = scriptedClock(0);
    const deaf = () => {
      clock.pass(30);
      return new Promise<never>(() => {});
    };
    const outcome = await debias(options({ ask, clock, deadlineMs: 30, detector: detector(deaf) }));
    expect(outcome).toMatchObject({ status: 'failed-open', stop: 'deadline' });
  });

  it('counts the swap into the deadline', async () => {
    const clock = scriptedClock(0);
    const judging = debias(
      options({
        clock,
        deadlineMs: 30,
        ask: (question) =>
          question.kind === 'judge'
            ? Promise.resolve({ verdict: choice(0), reply: '' })
            : new Promise(() => {}),
      }),
    );
    await clock.passOnceAsked(30);
    expect(await judging).toMatchObject({ status: 'failed-open', stop: 'deadline' });
  });
});
