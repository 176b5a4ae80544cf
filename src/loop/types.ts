/** What goes into one judgment and what comes out of it. */

import type { Bias } from '../bias/index.ts';
import type { Analysis, Case, Checkpoint, Counterfactual, Verdict } from '../case/index.ts';
import type { Detector } from '../detect/index.ts';
import type { Clock, Rewrite } from '../ports.ts';
import type { Trust } from './trust.ts';

export type { SecurityEvent, SecurityEventKind } from '../case/index.ts';

/** What a judge is told when a case goes back to it. */
export interface Note {
  /** Of the remand that it went with, from 1. */
  readonly round: number;
  /** What was decided before, in the same order of the options. */
  readonly verdict: Verdict;
  /** Names of the biases that were found in this round and the ones before, or may be at work beside them, each once. */
  readonly biases: readonly string[];
  /** Of this round's analysis. */
  readonly reasoning: string;
}

/** What the loop asks a judge. Every question is the client's own request, with something changed or added. */
export type Question =
  /** The client's own request, byte for byte. */
  | { readonly kind: 'judge' }
  /** The client's own request once more, for `count` further samples in one reply; samples count from 1. */
  | { readonly kind: 'sample'; readonly sample: number; readonly count: number }
  /** The first call in the other order. */
  | { readonly kind: 'swap'; readonly of: Counterfactual }
  /** The request with something undone, and with the note that came with the verdict in question; null where none did. */
  | { readonly kind: 'probe'; readonly of: Counterfactual; readonly note: Note | null }
  /** The request (or its swapped twin) with the analysis added. */
  | ({ readonly kind: 'remand'; readonly of: Counterfactual } & Note);

/** A reply with the verdict read from it, said of the options in the order of that very question. */
export interface Answer<Reply> {
  readonly verdict: Verdict;
  /** Whatever the caller needs to hand this reply on; the loop does not look inside. */
  readonly reply: Reply;
  /** The other samples that came with it; missing where one was asked for. */
  readonly besides?: readonly Answer<Reply>[];
}

/** A judge as the loop sees it. Rejects with a JudgeError, a BudgetError, or the signal's reason. */
export type Ask<Reply> = (question: Question, signal: AbortSignal) => Promise<Answer<Reply>>;

/**
 * What to answer when a verdict stays unresolved: the judge's last reply, what it decided with the cue undone, a tie, or its first
 * reply. `last-word` wherever the form cannot express the other.
 */
export const POLICIES = ['last-word', 'counterfactual', 'tie', 'original'] as const;
export type Policy = (typeof POLICIES)[number];

/** What becomes of a verdict that was found biased, where that was settled beforehand on labelled cases. */
export interface Ruling {
  /** Send it back; leave it and say so; or answer with a tie, where the form has one. */
  readonly action: 'remand' | 'flag' | 'tie';
  /** On what grounds, in words, for the trace. */
  readonly why: string;
}

/** What the client is told in `x-remand-status`. `bypassed` is for requests that never reach the loop. */
export const STATUSES = [
  'unchanged',
  'revised',
  'insisted',
  'unresolved',
  'unsure',
  'escalated',
  'shadow',
  'no-verdict',
  'bypassed',
  'failed-open',
] as const;
export type Status = (typeof STATUSES)[number];

/** Why the loop ended. */
export type Stop =
  /** The detector found nothing to object to. */
  | 'clean'
  /** The judge kept its verdict when sent back. */
  | 'insisted'
  /** The rounds were used up. */
  | 'rounds'
  /** Found biased, and ruled not to be sent back. */
  | 'ruled'
  /** A verdict that had been sent back before returned; going on would only circle. */
  | 'circling'
  /** The judge's first reply holds no verdict. */
  | 'no-verdict'
  /** The analysis could not be read, the detector failed, or the other order could not be judged. */
  | 'unreadable-analysis'
  | 'detector-failed'
  | 'order-unknown'
  /** The options are not to change places, and nothing else was objected to. */
  | 'order-fixed'
  /** Looking for cues took longer than it may. */
  | 'over-time'
  /** Cues spoke for the verdict, and none of them could be tested. */
  | 'untested'
  /** The judge failed when sent back, or its new reply holds no verdict. */
  | 'judge-failed'
  | 'unreadable-verdict'
  | 'deadline'
  | 'budget';

/** One case before one judge, and everything the loop needs to try it. */
export interface Trial<Reply> {
  readonly subject: Case;
  /** The judge's model name. */
  readonly judge: string;
  readonly detector: Detector;
  readonly biases: readonly Bias[];
  /** Of these it is only told that they could be at work. */
  readonly onlyTold?: readonly Bias[];
  /** Most rounds of analysis and remand (T), 0 or more. */
  readonly rounds: number;
  /** `shadow` does everything and answers with the first verdict. */
  readonly mode: 'debias' | 'shadow';
  readonly policy: Policy;
  /** Rules on a verdict found to have these biases; without it, every one is sent back. */
  readonly rule?: ((biases: readonly string[]) => Ruling) | undefined;
  /** How far the judge's verdicts are trusted; without it, every one is answered. */
  readonly trust?: Trust | undefined;
  /** Milliseconds for all work after the first verdict. */
  readonly deadlineMs: number;
  /**
   * A choice whose label is at least so probable, by its reply's log-probabilities, is not judged in the other order.
   * The other order then waits for the first verdict; where this is left out, the two are asked for side by side.
   */
  readonly confident?: number | undefined;
  /** Most samples of the client's own request, its first reply included; default 1. */
  readonly samples?: number | undefined;
  /** Whether one call may ask for several samples. Where the judge gives fewer, or refuses, each is asked for by itself. */
  readonly samplesTogether?: boolean | undefined;
  /** Which first verdicts are judged in the other order; without it, all are. */
  readonly orderCheck?: { readonly all: boolean; isDue(first: Verdict): boolean } | undefined;
  readonly ask: Ask<Reply>;
  readonly rewrite: Rewrite | null;
  /** Whether a reply holds one text, which another one can replace. Default: every reply does. */
  readonly hasOneText?: ((reply: Reply) => boolean) | undefined;
  /** Whether so many more calls may be made; where it is not given, each call finds out for itself. */
  readonly affords?: (calls: number) => boolean;
  readonly clock: Clock;
  /** Begins a search for cues: what it gives is called between the steps and may end the search. */
  readonly beginReading?: (() => Checkpoint) | undefined;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** What several samples of the client's own request said. */
export interface Samples {
  readonly wanted: number;
  /** Of the replies that hold one, in the order in which they were asked for. */
  readonly verdicts: readonly Verdict[];
  /** Why there are fewer though the rest could have changed the verdict, in words; null where that is not so. */
  readonly why: string | null;
}

/** What the judge stands by at a time: its answer to the client, and its verdict in the other order. */
export interface Standing<Reply> {
  readonly answer: Answer<Reply>;
  /** Said of the original options; null where there is none. */
  readonly swapped: Verdict | null;
}

/** The first verdicts. */
export interface Opening<Reply> {
  /** The orders in which the case is judged, the client's own first. */
  readonly orders: readonly [Counterfactual, Counterfactual?];
  /** Whether the options read the same: the other order is the same request, and its verdict known without a call. */
  readonly areAlike: boolean;
  readonly standing: Standing<Reply>;
  /** Null where one reply was all that was wanted. */
  readonly samples: Samples | null;
  /** Why no round follows; null where one may. */
  readonly stop: Stop | null;
  /** Why the other order has no verdict, in words; null where it has one or none was asked for. */
  readonly error: string | null;
  /** How a round ends that finds nothing else, where the other order has no verdict; null where it has one or none was asked for. */
  readonly withoutOrder: Extract<Stop, 'budget' | 'order-unknown' | 'order-fixed'> | null;
}

/** One analysis, and the remand that may have followed. */
export interface Round<Reply> {
  /** Null where the detector failed. */
  readonly analysis: Analysis | null;
  /** How the biases found were ruled on; null where none was found, or no rule was given. */
  readonly ruling: Ruling | null;
  /** Whether the judge answered when the case was sent back. */
  readonly sentBack: boolean;
  /** What the judge stands by since; null where it was not sent back, or its reply holds no verdict. */
  readonly standing: Standing<Reply> | null;
  /** Why no further round follows; null where one may. */
  readonly stop: Stop | null;
  /** What failed, in words. */
  readonly error: string | null;
}
