/**
 * A bias is a change to a case that a fair judge would not notice. Each entry of the catalogue defines one,
 * spots where it could be at work, undoes it, and injects it into clean data.
 */
import type { Case, Counterfactual, Cue, SecurityEventKind, Verdict } from '../case/index.ts';
import type { Rewrite } from '../ports.ts';
import type { Trait } from './asked.ts';
import type { CueReader } from './cue-words.ts';
import type { Draft, DroppedDraft, InjectTools } from './draft.ts';

/** What a fair judge does when the bias is injected: nothing, or score lower, or higher. */
export type Expectation = 'invariant' | 'decrease' | 'increase';

export interface Bias {
  /** Lower-case words with hyphens, as in `x-remand-biases`. */
  readonly name: string;
  /** One sentence that a detector model can reason about (I_bias in arXiv 2505.17100). */
  readonly definition: string;
  readonly expectation: Expectation;
  /** What its cues are made of. Where the case asks for that it is a merit, and the cue is left; absent where no case can ask for it. */
  readonly trait?: Trait;
  /**
   * The first verdict is asked for in both orders, side by side, since the bias is at work in every case
   * with more than one option and undoing it needs nothing that must be known first.
   */
  readonly bothOrders?: true;
  /**
   * Undoing it may take away what the judge is right to go by: it is undone where an operator or a client asks for it by name.
   * Otherwise its cues are told and left.
   */
  readonly mustBeNamed?: true;
  /** Its cues are attacks on the judge, and told as security events of this kind. */
  readonly attack?: SecurityEventKind;
  /**
   * The places in a case where this bias could be at work. Local and cheap: no model call.
   * @param judge the judge's model, where it is known
   * @param read reads a text for the cues of several biases; default: anew each time
   */
  spot(subject: Case, judge?: string, read?: CueReader): Cue[];
  /**
   * Statements that name an option and that no rule reads, as indexes into the context: a model may be asked what they say.
   * Absent where statements have no part in it.
   */
  unread?(subject: Case): number[];
  /**
   * The case with a cue undone, or null where it cannot be (no rewriter, nothing to remove).
   * Rejects as `rewrite` does.
   */
  undo(subject: Case, cue: Cue, tools: UndoTools): Promise<Counterfactual | null>;
  /**
   * What the judge's own reply says against its verdict, which costs no call to know; null where it says nothing. Absent
   * where the bias is looked for in the case alone.
   */
  reread?(subject: Case, verdict: Verdict): Reread | null;
  /**
   * A clean draft with the bias in it (from D to D_bias, arXiv 2505.17100 §3.2), or why that cannot be. Rejects as
   * the tools do. Absent where a bias cannot be put into clean data.
   */
  inject?(draft: Draft, tools: InjectTools): Promise<Draft | DroppedDraft>;
}

export interface UndoTools {
  /** A model that rewords texts; null where there is none, then only what can be undone by rule is. */
  readonly rewrite: Rewrite | null;
  readonly signal: AbortSignal;
}

/** A second verdict in one reply. */
export interface Reread {
  readonly after: Verdict;
  /** What was seen, in one clause. */
  readonly seen: string;
}
