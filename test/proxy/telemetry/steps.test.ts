/** What happened in a judgment, by the times of its calls. */
import { expect, test } from 'vitest';
import { listSteps } from '../../../src/proxy/telemetry/spans.ts';
import type { Trace } from '../../../src/trace/trace-schema.ts';

type Kind = Trace['calls'][number]['kind'];

/** @param calls kind, begin, end; `!` marks one that failed */
function told(calls: readonly [Kind, number, number, '!'?][], analyses: number): Trace {
  return {
    ...{
      id: 't',
      time: '2026-11-21T00:00:00.000Z',
      ms: 100,
      status: 'revised',
      would_be: null,
      would_say: null,
      stop: 'clean',
      reason: null,
    },
    ...{
      judge: 'm',
      fingerprint: null,
      detector: 'probe',
      mode: 'debias',
      layout: 'any',
      written: null,
      biases: [],
      sensitivity: [],
      untested: [],
      security: [],
      confidence: null,
      samples: null,
      escalated: null,
      order: null,
      rounds: 1,
    },
    ...{ policy: 'last-word', ruling: null, error: null, verdicts: [], final: { text: 'A', choice: 'A' } },
    case: { instruction: null, options: [], context: [] },
    moved: true,
    spent: null,
    analyses: Array.from({ length: analyses }, () => ({
      biased: true,
      biases: [],
      reasoning: '',
      evidence: [],
    })),
    calls: calls.map(([kind, from, to, failed]) => ({
      ...{ to: 'm', kind, at: from, ms: to - from, tokens: null, cached: false },
      error: failed ? 'no reply' : null,
    })),
  };
}

/** `judge 0-10`, `analysis 10-30 [probe 12-30]` */
function shown(trace: Trace): string[] {
  return listSteps(trace).map(function show({ from, to, what }): string {
    if (what.kind === 'call') return `${what.call.kind} ${from}-${to}`;
    return `${what.analysis ? 'analysis' : 'no analysis'} ${from}-${to} [${what.calls.map(show).join(', ')}]`;
  });
}

test('both orders are asked about, then each analysis has the calls made for it, until a remand', () => {
  const calls: [Kind, number, number][] = [
    ['judge', 0, 10],
    ['swap', 0, 12],
    ['rewrite', 12, 14],
    ['probe', 14, 30],
    ['remand', 30, 40],
    ['remand', 30, 44],
    ['probe', 44, 50],
  ];
  expect(shown(told(calls, 2))).toEqual([
    'judge 0-10',
    'swap 0-12',
    'analysis 12-30 [rewrite 12-14, probe 14-30]',
    'remand 30-40',
    'remand 30-44',
    'analysis 44-50 [probe 44-50]',
  ]);
});

test('analyses without calls stand where their verdicts are complete; remands one after the other are rounds', () => {
  const calls: [Kind, number, number][] = [
    ['judge', 0, 10],
    ['remand', 10, 20],
    ['remand', 20, 30],
  ];
  expect(shown(told(calls, 3))).toEqual([
    'judge 0-10',
    'analysis 10-10 []',
    'remand 10-20',
    'analysis 20-20 []',
    'remand 20-30',
    'analysis 30-30 []',
  ]);
});

test('a remand made again after it failed stays in its round; an analysis that failed is there with its calls', () => {
  const calls: [Kind, number, number, '!'?][] = [
    ['judge', 0, 10],
    ['remand', 10, 20, '!'],
    ['remand', 21, 30],
    ['detect', 30, 35, '!'],
  ];
  expect(shown(told(calls, 1))).toEqual([
    'judge 0-10',
    'analysis 10-10 []',
    'remand 10-20',
    'remand 21-30',
    'no analysis 30-35 [detect 30-35]',
  ]);
});
