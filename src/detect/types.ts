/** A detector says whether a verdict is biased, and why (M_R in arXiv 2505.17100). */
import type { Bias } from '../bias/index.ts';
import type { Analysis, Case, Checkpoint, Counterfactual, Verdict } from '../case/index.ts';
import type { Rewrite } from '../ports.ts';
import type { DetectorModel } from './rbd/detector-model.ts';

/**
 * The case with counterfactual changes judged again, with the note that came with the verdict in question; the verdict is
 * said of the original options.
 */
export type Probe = (of: Counterfactual) => Promise<Verdict>;

/** All a detector is given. */
export interface Brief {
  readonly subject: Case;
  /** Model name of the judge (I_MJ). */
  readonly judge: string;
  readonly verdict: Verdict;
  /** The verdict on the case as it came, before any remand; where it is left out, `verdict` is. */
  readonly first?: Verdict;
  /** The verdict in the opposite order, said of the original options; null where it was not asked for. */
  readonly swapped: Verdict | null;
  /** The case that `verdict` was given on, where a recorded one had more undone in it than the order; else `subject` is. */
  readonly clean?: Case;
  /** The biases to look for (I_bias). */
  readonly biases: readonly Bias[];
  /** What a detector model is told to look for, where that is more than what is in question: a row is of one bias. */
  readonly listed?: readonly Bias[];
  /** Costs a call to the judge. */
  readonly probe: Probe;
  /** Whether so many more calls may be made; where it is left out, each call finds out for itself. */
  readonly affords?: ((calls: number) => boolean) | undefined;
  /** Null where the judge's endpoint is not to be used for rewording. */
  readonly rewrite: Rewrite | null;
  /** Begins a search for cues: what it gives is called between the steps and may end the search. */
  readonly beginReading?: (() => Checkpoint) | undefined;
  /** Aborts where nobody waits for the analysis any more, or it has failed; one that is done has no call of its own under way. */
  readonly signal: AbortSignal;
}

/** What statements were read as by a model, by their text and the names of the options; failed readings are not kept. */
export type StatementReadings = Map<string, number | 'none'>;

/** An entry of the registry: a detector by the name of `x-remand-detector`, and what it needs. */
export type DetectorEntry = LocalDetectorEntry | ModelDetectorEntry;

interface EntryHead {
  readonly name: string;
  /** Whether it judges cases again: recorded verdicts have no judge that could be asked. */
  readonly asksJudge: boolean;
}

export interface LocalDetectorEntry extends EntryHead {
  readonly needsModel: false;
  /** @param options.reader who reads statements that no rule reads; default: nobody does */
  create(options?: { readonly reader?: StatementReader; readonly readings?: StatementReadings }): Detector;
}

/** A model that is asked what a statement says, or the judge of the case. */
export type StatementReader = DetectorModel | 'judge';

export interface ModelDetectorEntry extends EntryHead {
  readonly needsModel: true;
  /**
   * @param options.template wording that the model was trained on, in place of our own
   * @param options.readings what was read of statements, kept from one judgment to the next
   * @throws InputError for a template that cannot be filled
   */
  create(
    model: DetectorModel,
    options?: { readonly template?: string; readonly readings?: StatementReadings },
  ): Detector;
}

export interface Detector {
  readonly name: string;
  /** Rejects with UnreadableAnalysisError, JudgeError, BudgetError or the signal's reason: never a default. */
  analyse(brief: Brief): Promise<Analysis>;
}
