/**
 * Recorded judgments through the proxy's own loop: every item in both orders, as the benchmark's client asked, with
 * the judge's recorded replies for answers.
 */
import type { Bias } from '../bias/index.ts';
import {
  type Case,
  editsFor,
  isNone,
  mapBack,
  type NoVerdictReason,
  readVerdict,
  sameVerdict,
  type Verdict,
  type VerdictForm,
  winnerOf,
} from '../case/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import type { Brief, Detector } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { JudgeError } from '../http/index.ts';
import { type Answer, type Ask, debias, type Question } from '../loop/index.ts';
import type { Model } from '../models/index.ts';
import type { Clock } from '../ports.ts';
import type { PairedLabels, RecordedJudge } from '../report/index.ts';
import type { Item, RecordedRound, Records, Voice } from '../sandbox/index.ts';
import { type ClusteredPairs, clusteredPairs, type Figure, mcnemarExact, noFigure } from '../stats/index.ts';
import { createRowCase, renderCaseQuestion } from './arms/index.ts';
import { comparePaired } from './detector.ts';

export interface RecordedRun {
  readonly records: Records;
  readonly voice: Voice;
  readonly detector: Detector;
  readonly biases: readonly Bias[];
  readonly rounds: number;
  readonly clock: Clock;
  /** Default `winner`. */
  readonly verdictFrom?: VerdictSource | undefined;
}

/** What counts as the verdict: the winner that was recorded beside the reply, or what the reply says. */
export const VERDICT_SOURCES = ['winner', 'reply'] as const;
export type VerdictSource = (typeof VERDICT_SOURCES)[number];

type RecordedReply = RecordedRound['original'];
type Order = 'original' | 'swapped';
const ORDERS: readonly Order[] = ['original', 'swapped'];

export type ReplyCounts = NonNullable<RecordedJudge['replies']>;

/** How far a judge's replies and the winners recorded beside them say the same. */
export function countReplies({ records, voice }: Pick<RecordedRun, 'records' | 'voice'>): ReplyCounts {
  const read = records.items
    .flatMap(({ id }) => records.lookup(voice, id) ?? [])
    .flatMap((round) => ORDERS.map((order) => readReply(round[order], order)));
  return {
    n: read.length,
    differ: read.filter(({ differs }) => differs).length,
    unread: read.filter(({ isUnread }) => isUnread).length,
  };
}

/** Whether the judge was ever asked again: else its first verdicts are all there is, and a baseline for the others. */
export function wasAskedAgain({ records, voice }: Pick<RecordedRun, 'records' | 'voice'>): boolean {
  return records.items.some(({ id }) => (records.lookup(voice, id)?.length ?? 0) > 1);
}

/**
 * @returns for each item that was judged, its judgments in both orders
 * @throws InputError where an item has no label, or the voice has no record of any item
 */
export async function judgeRecorded(run: RecordedRun): Promise<(readonly RecordedJudgment[])[]> {
  const { records, voice } = run;
  const judged = records.items.flatMap((item) => {
    const rounds = records.lookup(voice, item.id);
    return rounds ? [{ item, rounds }] : [];
  });
  if (judged.length === 0)
    throw new InputError('verdicts', `no item was judged by ${voice.judge}/${voice.strategy}`);
  // Nothing can be sent back to a judge that was not asked again.
  const asked = wasAskedAgain(run) ? run : { ...run, rounds: 0 };
  return Promise.all(
    judged.map(({ item, rounds }) =>
      Promise.all(ORDERS.map((order) => judgeOnce(asked, item, rounds, order))),
    ),
  );
}

/** One request of the benchmark's client: an item in one order. Right and wrong are said of the item. */
export interface RecordedJudgment {
  /** Id of the item: its two judgments are no independent ones. */
  readonly item: string;
  readonly before: RecordedDecision;
  readonly after: RecordedDecision;
  readonly remanded: boolean;
  /** Names of the biases found. */
  readonly biases: readonly string[];
  /** The judge's replies to the item in this order, the first and those to what was sent back. */
  readonly replies: readonly string[];
  /** What the detector said, a round each. */
  readonly reasons: readonly string[];
}

export interface RecordedDecision {
  /** The output decided for; null for no verdict. */
  readonly winner: 1 | 2 | 'tie' | null;
  /** The same as it was recorded beside the reply. */
  readonly recorded: 1 | 2 | 'tie' | null;
  readonly right: boolean;
  readonly readable: boolean;
}

async function judgeOnce(
  { voice, detector, biases, rounds, clock, verdictFrom = 'winner' }: RecordedRun,
  item: Item,
  recorded: readonly RecordedRound[],
  order: Order,
): Promise<RecordedJudgment> {
  if (item.label === undefined)
    throw new InputError(`items[${item.id}].label`, 'is missing: nothing says which output is better');
  const outcome = await debias({
    subject: caseOf(item, order),
    judge: voice.judge,
    detector,
    biases,
    rounds,
    mode: 'debias',
    policy: 'last-word',
    deadlineMs: 60_000,
    ask: recordedAsk(recorded, order, verdictFrom),
    rewrite: null,
    clock,
    signal: new AbortController().signal,
  });
  const decision = ({ verdict, reply }: Answer<RecordedReply>): RecordedDecision => {
    const winner = itemWinner(verdict, order);
    const recorded = itemWinner(recordedVerdict(reply, order), order);
    return { winner, recorded, right: winner === item.label, readable: !isNone(verdict) };
  };
  return {
    item: item.id,
    biases: outcome.biases,
    before: decision(outcome.first),
    after: decision(outcome.final),
    remanded: outcome.rounds > 0,
    replies: outcome.verdicts.map(({ text }) => text),
    reasons: outcome.analyses.map(({ reasoning }) => reasoning),
  };
}

const FORM: VerdictForm = {
  kind: 'choice',
  write: { template: 'Output ({})', labels: ['a', 'b'] },
  tie: null,
  field: null,
};
const LABELS = ['Output (a)', 'Output (b)'] as const;

/**
 * Built, not searched for: the items say what is what, an output may contain a prompt's own labels, and a recorded
 * judge is asked by the item, so nothing is rewritten in place and the places are empty.
 */
function caseOf(item: Item, order: Order): Case {
  const outputs = order === 'original' ? [item.output_1, item.output_2] : [item.output_2, item.output_1];
  const nowhere = { part: 0, start: 0, end: 0 };
  return {
    layout: 'recorded',
    prompt: { parts: [] },
    instruction: { text: item.instruction, at: nowhere },
    options: LABELS.map((label, slot) => ({ label, text: outputs[slot] ?? '', at: nowhere })),
    context: [],
    form: FORM,
    noteAt: { part: 0, offset: 0 },
  };
}

function recordedAsk(
  recorded: readonly RecordedRound[],
  order: Order,
  verdictFrom: VerdictSource,
): Ask<RecordedReply> {
  return async (question) => {
    const round = recorded[question.kind === 'remand' ? question.round : 0];
    if (!round || question.kind === 'probe' || question.kind === 'sample')
      throw new JudgeError(`no reply is recorded to such a question (${question.kind})`, { status: 404 });
    const shown = isSwapped(question) ? other(order) : order;
    const reply = round[shown];
    const verdict =
      verdictFrom === 'winner' ? recordedVerdict(reply, shown) : readReply(reply, shown).verdict;
    return { reply, verdict };
  };
}

/** What such a reply decides is known: nothing. */
const UNDECIDED: readonly NoVerdictReason[] = ['contradictory', 'neither', 'refusal'];

/**
 * What the reply says, read as in the proxy. A winner can say something else: LLMBar's client took "(a)" where a line began
 * with it, in 83 of PaLM2's replies against what they conclude (docs/verdict-reader.md). The winner counts where nothing can
 * be found in the reply.
 */
function readReply(reply: RecordedReply, shown: Order) {
  const recorded = recordedVerdict(reply, shown);
  const read = readVerdict(
    reply.text,
    FORM,
    LABELS.map((label) => ({ label })),
  );
  const isUnread = isNone(read) && !UNDECIDED.includes(read.reason);
  const agrees = isNone(read) ? isNone(recorded) : sameVerdict(read, recorded);
  return {
    verdict: isUnread ? recorded : read,
    differs: !isUnread && !agrees,
    isUnread: isUnread && !isNone(recorded),
  };
}

/** The recorded winner: what the benchmark's own client read from the reply. */
function recordedVerdict({ winner, text }: RecordedReply, shown: Order): Verdict {
  if (winner === null) return { kind: 'none', reason: 'no-label', text };
  if (winner === 'tie') return { kind: 'tie', text };
  // Slot 0 shows output_1 in the original order, output_2 in the swapped one.
  return { kind: 'choice', option: (winner === '1') === (shown === 'original') ? 0 : 1, text };
}

function isSwapped(question: Question): boolean {
  return 'of' in question && question.of.order[0] !== 0;
}

function other(order: Order): Order {
  return order === 'original' ? 'swapped' : 'original';
}

function itemWinner(verdict: Verdict, order: Order): RecordedDecision['winner'] {
  const winner = winnerOf(verdict);
  if (typeof winner !== 'number') return winner;
  return (winner === 0) === (order === 'original') ? 1 : 2;
}

/** A detector whose briefs have `judge` to probe and to reword with. */
export function withJudge(detector: Detector, judge: Model): Detector {
  return {
    name: detector.name,
    analyse(brief) {
      const { subject } = createRowCase(rowOf(brief));
      const { signal } = brief;
      return detector.analyse({
        ...brief,
        subject,
        async probe(of) {
          const { text } = await judge.ask(renderCaseQuestion(subject, editsFor(subject, of)), signal);
          return mapBack(readVerdict(text, subject.form, subject.options), of);
        },
        async rewrite(prompt, until) {
          const { text } = await judge.ask(prompt, until);
          if (text.trim() === '') throw new JudgeError(`${judge.name} gave no text when asked to reword one`);
          return text.trim();
        },
      });
    },
  };
}

/** What the columns of a row say, as a row that can be put before a judge. */
function rowOf({ subject, biases }: Brief): DatasetRow {
  return {
    id: 'a recorded row',
    base: '',
    twin: false,
    set: 'd_bias',
    right: 0,
    biases: biases.map(({ name }) => name),
    instruction: subject.instruction?.text ?? '',
    options: subject.options.map(({ text }) => text),
    labels: subject.options.map(({ label }) => label),
    statements: statementsOf(subject),
  };
}

/** Without the heading and the doubled sign that the published column gives them. */
function statementsOf({ context }: Case): string[] {
  return context.map(({ text }) => text.replace(/^#*\s*Statement:\s*/, '').replaceAll('%%', '%'));
}

// What sending verdicts back does to a judge, counted with wrong→right and right→wrong beside the accuracy, for a
// gain that hides losses is no gain.

export interface JudgeEvaluation extends Omit<RecordedJudge, 'by_item' | 'baseline' | 'against' | 'replies'> {
  /** Gain in accuracy with both orders of an item taken together; none where the judge was never asked again. */
  readonly by_item: Figure<ClusteredPairs>;
}

/** Sending back under one strategy beside another strategy's first verdicts, on the judgments that both have: items in both orders. */
export interface BaselineComparison extends PairedLabels {
  readonly baseline_accuracy: number;
}

/**
 * @param items judgments of each item in both orders, after sending back
 * @param baseline the same of another strategy
 * @param seed of the bootstrap
 * @returns null where they have no item in common
 */
export function compareBaseline(
  items: readonly (readonly RecordedJudgment[])[],
  baseline: readonly (readonly RecordedJudgment[])[],
  seed: number,
): BaselineComparison | null {
  const others = new Map(baseline.map((judged) => [judged[0]?.item, judged]));
  const pairs = items.flatMap((judged) =>
    judged.flatMap(({ item, after }, order) => {
      const other = others.get(item)?.[order];
      return other ? [{ item, after: after.right, before: other.after.right }] : [];
    }),
  );
  const compared = comparePaired(pairs, seed);
  if (!compared) return null;
  const { there, ...rest } = compared;
  return { ...rest, baseline_accuracy: there };
}

/**
 * @param items the judgments of each item, both orders
 * @param again whether the judge was ever asked again: else there is no before and after to compare
 * @param seed of the bootstrap
 */
export function summariseJudgments(
  items: readonly (readonly RecordedJudgment[])[],
  again: boolean,
  seed: number,
): JudgeEvaluation {
  const all = items.flat();
  const agree = (when: 'before' | 'after') =>
    items.filter(([a, b]) => a && b && a[when].winner !== null && a[when].winner === b[when].winner).length;
  const gained = all.filter(({ before, after }) => !before.right && after.right).length;
  const lost = all.filter(({ before, after }) => before.right && !after.right).length;
  return {
    n: items.length,
    accuracy_before: all.filter(({ before }) => before.right).length / all.length,
    accuracy_after: all.filter(({ after }) => after.right).length / all.length,
    agreement_before: agree('before') / items.length,
    agreement_after: agree('after') / items.length,
    wrong_to_right: gained,
    right_to_wrong: lost,
    mcnemar_p: mcnemarExact(gained, lost),
    by_item: again
      ? clusteredPairs(
          all.map(({ item, before, after }) => ({ item, before: before.right, after: after.right })),
          seed,
        )
      : noFigure('the judge was never asked again, so there is no before and after'),
    remanded: all.filter(({ remanded }) => remanded).length,
    unreadable: all.filter(({ before }) => !before.readable).length,
  };
}
