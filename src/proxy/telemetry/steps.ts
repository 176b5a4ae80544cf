/**
 * What happened in a judgment, as steps in time: the judgment, its verdicts' calls, and between them the analyses with
 * the calls that were made for each. A trace times calls; when an analysis began and ended follows from them.
 */
import type { Trace } from '../../trace/index.ts';

type Call = Trace['calls'][number];

export interface JudgmentStep {
  /** Milliseconds from the trace's `time`. */
  readonly from: number;
  readonly to: number;
  readonly what:
    | { readonly kind: 'call'; readonly call: Call }
    | {
        readonly kind: 'analysis';
        /** Null for one that failed, or was broken off: its calls are all there is of it. */
        readonly analysis: Trace['analyses'][number] | null;
        readonly calls: readonly JudgmentStep[];
      };
}

/** In the order in which they began. Every call of the trace is in exactly one step. */
export function listSteps({ calls, analyses }: Trace): JudgmentStep[] {
  const steps: JudgmentStep[] = [];
  const rounds = roundsOf(calls);
  for (let round = 0; round < Math.max(rounds.length, analyses.length); round++) {
    const { verdict = [], examining = [] } = rounds[round] ?? {};
    steps.push(...verdict.map(callStep));
    const analysis = analyses[round] ?? null;
    if (!analysis && examining.length === 0) continue;
    const decided = end(verdict) || (steps.at(-1)?.to ?? 0);
    steps.push({
      from: examining.length === 0 ? decided : Math.min(...examining.map(({ at }) => at)),
      to: examining.length === 0 ? decided : end(examining),
      what: { kind: 'analysis', analysis, calls: examining.map(callStep) },
    });
  }
  return steps;
}

interface Round {
  /** One verdict's calls: one for each order of the options that was asked about, and those made again. */
  readonly verdict: Call[];
  /** Calls of the analysis of that verdict. */
  readonly examining: Call[];
}

/** What a call asks that asks for the verdict itself. */
const DECIDING: readonly Call['kind'][] = ['judge', 'sample', 'swap', 'remand'];

/** @param calls in the order in which they were begun */
function roundsOf(calls: readonly Call[]): Round[] {
  const rounds: Round[] = [{ verdict: [], examining: [] }];
  for (const call of calls) {
    let round = rounds.at(-1) as Round;
    if (call.kind === 'remand' && startsRound(call, round)) {
      round = { verdict: [], examining: [] };
      rounds.push(round);
    }
    const decides = DECIDING.includes(call.kind);
    (decides ? round.verdict : round.examining).push(call);
  }
  return rounds;
}

/** The orders of one round are asked about side by side; a call that follows an answered remand begins the next one. */
function startsRound(call: Call, { verdict, examining }: Round): boolean {
  if (examining.length > 0 || verdict.some(({ kind }) => kind !== 'remand')) return true;
  return verdict.every(({ at, ms, error }) => error === null && at + ms <= call.at);
}

const callStep = (call: Call): JudgmentStep => ({
  from: call.at,
  to: call.at + call.ms,
  what: { kind: 'call', call },
});

const end = (calls: readonly Call[]) => Math.max(0, ...calls.map(({ at, ms }) => at + ms));
