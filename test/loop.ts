/** A scripted judge, a scripted detector and a small case, for tests of the loop. */
import { CATALOGUE } from '../src/bias/index.ts';
import type { Case, Verdict } from '../src/case/types.ts';
import { createProbeDetector } from '../src/detect/probe.ts';
import type { Detector } from '../src/detect/types.ts';
import type { Ask, Question, Trial } from '../src/loop/types.ts';
import { systemClock } from '../src/ports.ts';

/** A pair with a statement that the crowd backs the second. Text and places as a reader would find them. */
export function pair(tie: string | null = null): Case {
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

export const choice = (option: number): Verdict => ({
  kind: 'choice',
  option,
  text: `Output (${'ab'[option]})`,
});
export const none: Verdict = { kind: 'none', reason: 'no-label', text: 'Hm.' };

/** A judge by script: for each kind of question, the slots it answers with, in turn (the last one stays). */
export function scripted(script: Partial<Record<string, (Verdict | Error)[]>>) {
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

export const biased =
  (biases: string[]): Detector['analyse'] =>
  async () => ({ biased: true, biases, reasoning: 'why', evidence: [] });
export const clean: Detector['analyse'] = async () => ({
  biased: false,
  biases: [],
  reasoning: 'fine',
  evidence: [],
});
export const detector = (...turns: Detector['analyse'][]): Detector => ({
  name: 'scripted',
  analyse: (brief) => {
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    if (!turn) throw new Error('no turn');
    return turn(brief);
  },
});

export function options(over: Partial<Trial<string>> & Pick<Trial<string>, 'ask'>): Trial<string> {
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
export const only = (name: string) => CATALOGUE.filter((bias) => bias.name === name);
