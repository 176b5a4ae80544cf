/** Adds up the records of an arm as they come, and what each judgment cost: a run of any length is held in a few numbers. */
import { hasOrderBias } from '../../bias/index.ts';
import { BudgetError } from '../../http/index.ts';
import { type Model, type ModelQuestion, sumTokens } from '../../models/index.ts';
import type { Tokens } from '../../ports.ts';
import type { ScoredItem } from '../confidence/promise-risk.ts';
import type { PanelItem } from '../confidence/several-judgments.ts';
import type {
  ArmDecision,
  ArmOutcome,
  ArmRecord,
  Bill,
  ModelSpending,
  Stopwatch,
  TimedRecord,
} from './run-arms.ts';

/** Judgments that differ between two arms, in points: 1 for a right one, half for a tie. */
const createPairCounts = () => ({
  /** Points that both have. */
  both: 0,
  gained: 0,
  lost: 0,
  n: 0,
  /** Twice the points that each pair gained or lost, of pairs that moved: whole numbers. */
  balances: [] as number[],
  /** Whether there was such an arm at all. */
  run: false,
});
export type ArmPairCounts = ReturnType<typeof createPairCounts>;

/** What is added up of one arm, for one judge and bias. */
export function createArmSums(head: Pick<ArmRecord, 'judge' | 'bias' | 'twin' | 'arm'>, rounds: number) {
  return {
    head,
    n: 0,
    failed: 0,
    points: { d: 0, d_bias: 0 },
    consistent: 0,
    /** From wrong to right, and from right to wrong. */
    gained: 0,
    lost: 0,
    /** The same by half a point: to a tie or from one. */
    halfGained: 0,
    halfLost: 0,
    falseCorrections: 0,
    sentBack: 0,
    insisted: 0,
    insistedRightly: 0,
    unread: 0,
    /** Per pair: sum and sum of squares. */
    calls: 0,
    callsSquared: 0,
    input: 0,
    output: 0,
    spent: new Map<string, ModelSpending>(),
    /** Records without a word on which model was asked. */
    unsplit: 0,
    ms: 0,
    untimed: 0,
    rounds: Array.from({ length: rounds + 1 }, () => 0),
    /** Of judgments that tell how sure they are. */
    scored: [] as ScoredItem[],
    panel: null as { judges: string[]; items: PanelItem[] } | null,
    against: { none: createPairCounts(), placebo: createPairCounts() },
  };
}
export type ArmSums = ReturnType<typeof createArmSums>;

/** A record whose arm failed on neither row. */
type Whole = ArmRecord & Partial<TimedRecord> & { readonly d: ArmOutcome; readonly d_bias: ArmOutcome };

export function addRecord(sums: ArmSums, record: Whole): void {
  const { d, d_bias: dBias, right } = record;
  sums.n++;
  sums.points.d += points(d.final, right.d);
  sums.points.d_bias += points(dBias.final, right.d_bias);
  if (sameDecision(record)) sums.consistent++;
  const turned = d.first === right.d && dBias.first !== right.d_bias;
  for (const [outcome, is] of [
    [d, right.d],
    [dBias, right.d_bias],
  ] as const) {
    const after = points(outcome.final, is);
    const change = after - points(outcome.first, is);
    if (change === 1) sums.gained++;
    if (change === -1) sums.lost++;
    if (change === 0.5) sums.halfGained++;
    if (change === -0.5) sums.halfLost++;
    if (change === -1 && !(turned && outcome === dBias)) sums.falseCorrections++;
    if (outcome.final === null) sums.unread++;
    sums.sentBack += outcome.sent_back > 0 ? 1 : 0;
    if (outcome.insisted) sums.insisted++;
    if (outcome.insisted) sums.insistedRightly += after;
    if (outcome.confidence !== undefined) sums.scored.push({ confidence: outcome.confidence, credit: after });
    addVotes(sums, record.base ?? record.id, outcome, is);
    addSpent(sums, outcome);
    sums.input += outcome.tokens.input;
    sums.output += outcome.tokens.output;
  }
  const calls = d.calls + dBias.calls;
  sums.calls += calls;
  sums.callsSquared += calls ** 2;
  if (record.ms === undefined || record.ms === null) sums.untimed++;
  else sums.ms += record.ms;
  sums.rounds = sums.rounds.map((sum, round) => {
    const stood = dBias.standing[Math.min(round, dBias.standing.length - 1)] ?? null;
    return sum + points(stood, right.d_bias);
  });
}

function addVotes(sums: ArmSums, group: string, { votes, final }: ArmOutcome, right: number): void {
  if (!votes) return;
  sums.panel ??= { judges: votes.map(({ model }) => model), items: [] };
  sums.panel.items.push({
    group,
    vote: points(final, right),
    credits: votes.map(({ decision }) => points(decision, right)),
  });
}

function addSpent(sums: ArmSums, { spent }: ArmOutcome): void {
  if (!spent) sums.unsplit++;
  for (const one of spent ?? []) {
    const so = sums.spent.get(one.model);
    sums.spent.set(one.model, {
      model: one.model,
      calls: one.calls + (so?.calls ?? 0),
      uncounted: one.uncounted + (so?.uncounted ?? 0),
      input: one.input + (so?.input ?? 0),
      output: one.output + (so?.output ?? 0),
    });
  }
}

/** A tie is half right. */
function points(decision: ArmDecision, right: number): number {
  if (decision === 'tie') return 0.5;
  return decision === right ? 1 : 0;
}

/** For the same text, wherever it stands: D_bias of a bias of order is the pair turned round. */
function sameDecision({ d, d_bias: dBias, right, bias }: Whole): boolean {
  if (d.final === null || dBias.final === null) return false;
  if (d.final === 'tie' || dBias.final === 'tie') return d.final === dBias.final;
  // Turned round, a text's two places add up to the last one, as those of the right option do.
  const turned = hasOrderBias(bias.split('+'));
  return turned ? d.final + dBias.final === right.d + right.d_bias : d.final === dBias.final;
}

export function countArmPair(pair: ArmPairCounts, here: ArmRecord, there: ArmRecord): void {
  pair.run = true;
  if (here.d_bias === null || there.d_bias === null) return;
  const now = points(here.d_bias.final, here.right.d_bias);
  const then = points(there.d_bias.final, there.right.d_bias);
  pair.n++;
  pair.both += Math.min(now, then);
  pair.gained += Math.max(0, now - then);
  pair.lost += Math.max(0, then - now);
  if (now !== then) pair.balances.push(2 * (now - then));
}

interface Account {
  /** The same model with its calls counted here. */
  of(model: Model): Model;
  bill(): Bill;
  /**
   * For what goes on where a call fails, as the loop does: a row whose calls were not all answered is no measurement.
   *
   * @throws what the first call that failed threw; a used-up budget before all others
   */
  requireAnswers(): void;
}

export function createAccount(watch: Stopwatch): Account {
  const spent = new Map<string, ModelSpending>();
  const failures: unknown[] = [];
  let ms: number | null = 0;

  const enter = (name: string, tokens: Tokens | null, took: number | null) => {
    const so = spent.get(name) ?? { model: name, calls: 0, uncounted: 0, input: 0, output: 0 };
    spent.set(name, {
      model: name,
      calls: so.calls + 1,
      uncounted: so.uncounted + (tokens ? 0 : 1),
      ...sumTokens(tokens ? [so, tokens] : [so]),
    });
    ms = ms === null || took === null ? null : ms + took;
  };

  return {
    of: (model) => ({
      name: model.name,
      async ask(question: ModelQuestion, signal: AbortSignal) {
        try {
          const { answer, ms: took } = await watch.time(model, question, signal);
          enter(model.name, answer.tokens, took);
          return answer;
        } catch (cause) {
          // Given up because the judgment was over: nobody misses the answer.
          if (!signal.aborted) failures.push(cause);
          throw cause;
        }
      },
    }),
    bill() {
      // By name, so that it does not depend on which of two calls side by side was answered first.
      const all = [...spent.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
      return {
        calls: all.reduce((sum, { calls }) => sum + calls, 0),
        tokens: sumTokens(all),
        spent: all,
        ms,
      };
    },
    requireAnswers() {
      if (failures.length === 0) return;
      throw failures.find((one) => one instanceof BudgetError) ?? failures[0];
    },
  };
}
