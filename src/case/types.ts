/**
 * What everything in Remand speaks: a case, the verdict on it, and what may be wrong with that verdict.
 * Words as in the README: a judge gives a verdict on a case; a cue is a place where a bias could be at work.
 */

/** One text of a request, in order: a message, or one text part of a message with several. */
export interface PromptPart {
  readonly role: string;
  readonly text: string;
  /** Whether something that is no text stands behind it: a picture, a sound, a file. */
  readonly mediaFollow?: boolean | undefined;
  /** Whether it was said in an earlier turn, which shows the judge a case that is judged no more. */
  readonly earlier?: true;
}

/** The texts of a request as the judge reads them, free of any wire protocol. */
export interface Prompt {
  readonly parts: readonly PromptPart[];
}

/** Half-open range `[start, end)` of UTF-16 code units in one text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Half-open range of UTF-16 code units `[start, end)` in the text of `prompt.parts[part]`. */
export interface Span {
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** A piece of the case and the place where it stands, so that it can be rewritten there. */
export interface Passage {
  readonly text: string;
  readonly at: Span;
}

/** One of the things judged. */
export interface Option extends Passage {
  /** How the prompt names it, such as `Output (a)`, `Assistant A`, `2`. Unique within a case. */
  readonly label: string;
  /**
   * What is exchanged with the other options, where that is not just `at`: a byline and the text, or a
   * conversation without its speaker's name. In order, as many for every option, all of them.
   */
  readonly moves?: readonly Span[];
  /**
   * How many JSON strings it stands within (a document in a string of a document: 2). `text` is what it says; the
   * prompt holds it escaped so often. Absent for none.
   */
  readonly nested?: number;
}

/** A place where a text names an option by its label, such as `(a)` in "90% believe that Output (a) is better". */
export interface Mention {
  readonly option: number;
  readonly at: Span;
}

/** Something beside instruction and options that could sway a judge: a statement, metadata. */
export interface Statement extends Passage {
  /** Options it names. They are exchanged when the options are, or the cue would change sides. */
  readonly mentions: readonly Mention[];
  /** Where it is no remark but one of the texts of peer review that stand beside a paper. */
  readonly of?: 'review' | 'rebuttal';
  /** What a model that was asked made of it: the option that many are said to be for. Absent where none was asked. */
  readonly backs?: number | 'none';
  /**
   * The whole of what is taken out when the statement is: its line and the blank line after it.
   * Contains `at`.
   */
  readonly whole: Span;
}

/**
 * Which of several labels in one reply the client's own parser takes: the first, the last, the only one, the
 * one that comes first in the form (`[[A]]` anywhere beats `[[B]]`), or the one with nothing behind it.
 */
export type LabelRule = 'first' | 'last' | 'unique' | 'priority' | 'end';

/** How a label is to be written, with `{}` where it stands (`[[{}]]`, `Output ({})`, `Choice {}`). */
export interface Spelling {
  readonly template: string;
  /** The text that stands for each option or category there (`A`, `B`). */
  readonly labels: readonly string[];
  /** Labels that say that an option is better by far (`A>>B`); then `labels` say that it is better (`A>B`). */
  readonly strong?: readonly string[];
  /** Where the client is known: then only the label itself is read, the way its parser reads it. */
  readonly rule?: LabelRule;
}

/** How the verdict has to be given. Taken from the request; it must not change when the judge is asked again. */
export type VerdictForm =
  | {
      readonly kind: 'choice';
      /** One label for each option; null where the request does not say. */
      readonly write: Spelling | null;
      /** The exact text that means a tie (`[[C]]`), null where the form has none. */
      readonly tie: string | null;
      /** Name of the JSON field the choice is to stand in, null where the verdict is plain text. */
      readonly field: string | null;
    }
  | {
      readonly kind: 'score';
      /** Ends of the scale, both legal; null where the request does not say. */
      readonly min: number | null;
      readonly max: number | null;
      /** `[[{}]]`, `Rating: {}` …; null where the request does not say. */
      readonly template: string | null;
      readonly field: string | null;
      /** Where only some values of the scale may be given (1, 3, 5, 6, 8, 10), ascending. */
      readonly legal?: readonly number[];
      /** Whether the client asks for several replies and takes the mean of their scores. */
      readonly mean?: boolean;
    }
  | {
      /** A score for every option; the highest is the choice. */
      readonly kind: 'scores';
      readonly min: number | null;
      readonly max: number | null;
      /** With one `{}` for each option, in order: `{} {}`, `[[{},{}]]`, a line for each. */
      readonly template: string | null;
      /** Names of the JSON fields, one for each option, or several whose mean counts; null where they stand in a list or in plain text. */
      readonly fields: readonly (string | readonly string[])[] | null;
      /** The JSON field that holds a list of them, one for each option in order; null where they stand elsewhere. */
      readonly field: string | null;
      /** The field of the list's entries that holds the score; absent where the entry is the score. */
      readonly item?: string;
    }
  | {
      /** The place of every option, as a list of names with their ranks; for a pair, who is first is the choice. */
      readonly kind: 'ranking';
      /** The options' names in that list, in order. */
      readonly names: readonly string[];
      /** What stands between the bare names, the best first (` > `); null where each has its rank beside it. */
      readonly separator: string | null;
      /**
       * The words around the bare names, `{}` for these; absent where they have a line to themselves. Where a `{}` stands for the rank
       * of each option, the words around all of them.
       */
      readonly template?: string;
      /** The JSON field that holds the list; null where the list is the whole reply. */
      readonly field: string | null;
      /** A JSON field for each option that holds its rank; absent where there is a list. */
      readonly fields?: readonly string[];
      /** Whether the ranks count up to the best one: 1 is the worst. */
      readonly bestLast?: boolean;
      /** The field of each entry that names an option beside its `rank`; absent where it is one that known clients have. */
      readonly item?: string;
    }
  | {
      /** A verdict for each of several claims about one answer, or by each of several criteria; the list counts as a whole. */
      readonly kind: 'list';
      /** The JSON field that holds the list; null where the verdicts stand in `fields` or in plain text. */
      readonly field: string | null;
      /** The field of an entry that holds its verdict; null where the entry is the verdict. */
      readonly item: string | null;
      /** The JSON fields that hold one verdict each, in order; null where they stand in a list or in plain text. */
      readonly fields: readonly string[] | null;
      /** What stands around them in plain text: with one `{}` as often as there are verdicts, or with one for each. */
      readonly template?: string;
    }
  | {
      readonly kind: 'pass';
      readonly field: string | null;
      /** Which value is the good one: `lower` where true is the bad one (`toxic`). `higher` where it is absent. */
      readonly polarity?: 'higher' | 'lower' | 'unknown';
      /** The words of a known client (`GRADE: C`), the one that lets pass first. */
      readonly write?: Spelling;
    }
  | {
      /** Relations of one answer to another text, neither options nor grades (Factuality's A to E). */
      readonly kind: 'category';
      readonly write: Spelling;
      readonly field: string | null;
    };

/** What an answer is held against: a text that is said to be right, or by what it is to be judged. */
export interface Standard extends Passage {
  readonly of: 'reference' | 'rubric';
}

/** What is judged (x in arXiv 2505.17100). */
export interface Case {
  /** Name of the layout by which it was found. */
  readonly layout: string;
  readonly prompt: Prompt;
  readonly instruction: Passage | null;
  /** Two or more: the judge chooses. One: the judge scores it or lets it pass. */
  readonly options: readonly Option[];
  readonly context: readonly Statement[];
  /** In order; absent where none is told apart. A rubric that all requests of a pipeline share stands in the prompt alone. */
  readonly standards?: readonly Standard[];
  readonly form: VerdictForm;
  /**
   * Where a note to the judge goes: before the client's closing format line, or at the end of the last
   * user text. Never inside an option.
   */
  readonly noteAt: { readonly part: number; readonly offset: number };
}

/**
 * Why no verdict could be read from a reply. Never replaced by a default. `malformed`: a verdict stands in it, but
 * not in the form of the judge's first reply, so the client could not read it. `neither`: the judge says that it chooses no
 * option. `too-long` and `over-time`: it was not
 * read, or not to its end.
 */
export type NoVerdictReason =
  | 'empty'
  | 'no-label'
  | 'contradictory'
  | 'truncated'
  | 'off-scale'
  | 'neither'
  | 'refusal'
  | 'malformed'
  | 'too-long'
  | 'over-time';

/** What a judge could have said in place of a number, by its own log-probabilities. */
export interface Spread {
  /** Expectation and variance over the numbers that are listed. */
  readonly mean: number;
  readonly variance: number;
  /** Probability that is on no number that is listed: the rest of a list cut off, words, what is unclear. */
  readonly missing: number;
  /** Between which values the expectation lies, wherever what is missing is; infinite on a scale without that end. */
  readonly low: number;
  readonly high: number;
}

/** What a judge decided, and the text it was read from. `option` is an index into the options as the judge saw them. */
export type Verdict = { readonly text: string } & (
  | {
      readonly kind: 'choice';
      readonly option: number;
      /** By how much, where the form asks. Not part of the decision: see `sameVerdict`. */
      readonly strength?: 'slight' | 'strong';
      /** Of its label among the labels of the form, where the reply carries log-probabilities. */
      readonly probability?: number;
      /** Probability that is on no label, or on none that is listed. */
      readonly missing?: number;
      /** What the judge had said before the label, which its probabilities are conditional on. */
      readonly lead?: string;
    }
  | { readonly kind: 'tie' }
  | { readonly kind: 'score'; readonly score: number; readonly spread?: Spread; readonly lead?: string }
  /** By option, as the judge saw them. */
  | { readonly kind: 'scores'; readonly scores: readonly number[] }
  /** The spread is that of a score of 1 for a pass and 0 for a fail. */
  | { readonly kind: 'pass'; readonly pass: boolean; readonly spread?: Spread; readonly lead?: string }
  | { readonly kind: 'category'; readonly category: string }
  /** In the order of the list, each as its text in lower case. */
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'none'; readonly reason: NoVerdictReason }
);

/** One place in a case where a bias could be at work. */
export interface Cue {
  /** Name of the bias, as in the catalogue. */
  readonly bias: string;
  /** The option it speaks for; `any` where it could speak for whichever was chosen (position). */
  readonly favours: number | 'any';
  /** What was seen, in one clause: `option 2 is 4.1 times as long as option 1`. */
  readonly seen: string;
  /** How strongly it speaks for that option, from 0 to 1: the strongest cue is tested first. Default .5. */
  readonly strength?: number;
}

/** A cue that speaks for what was decided and was not tested. */
export interface Untested {
  readonly bias: string;
  readonly favours: number | 'any';
  readonly seen: string;
  readonly why: UntestedReason;
}

export type UntestedReason =
  /** No rule takes it out: it stands in a label, say. */
  | 'not-removable'
  /** Without it two options that differ would read the same: it may be what the case is about. */
  | 'same-texts'
  /** All options read the same, so that no order of them is another case. */
  | 'same-answers'
  /** It takes a rewording, and no model rewords here. */
  | 'no-rewriter'
  /** The call that was to reword a text failed. */
  | 'rewrite-failed'
  /** The reworded text could not be read from the reply, or did not say the same. */
  | 'rewrite-unusable'
  /** The model that was to reword a text left it as it was: there was nothing to undo, or it did not see it. */
  | 'same-wording'
  /** The reply to the probe holds no verdict. */
  | 'no-verdict'
  /** No call was left for it. */
  | 'budget'
  /** The other order could not be judged. */
  | 'other-order'
  /** Another cue was found first, and no round was left for this one. */
  | 'not-reached'
  /** A statement that no rule reads, and the model that was to read it gave no answer. */
  | 'not-read'
  /** A statement that nothing reads, and no model is there to read it: it may sway the judge, or say nothing of any answer. */
  | 'no-reader'
  /** Undoing it may take away what the judge is right to go by, and nobody asked for that. */
  | 'not-named'
  /** The case asks for what the cue goes by: undoing it would take a merit away. */
  | 'asked-for';

/** Judged text that works against the examination itself. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** The option whose text it is; null where that is not known. */
  readonly option: number | null;
  /** What was seen, in one clause. Quotes judged text. */
  readonly seen: string;
}

export type SecurityEventKind =
  /** More cues speak for the verdict than the budget could test. */
  | 'budget'
  /** A line inside an option imitates a delimiter or a heading of the options. */
  | 'delimiter'
  /** A line inside an option speaks of an option as a statement of the prompt would. */
  | 'statement'
  /** A text in an option speaks to the judge. */
  | 'instruction'
  /** Where the options begin and end depends on what they say. */
  | 'ambiguous';

/** What became of a verdict when a cue was undone. */
export interface Evidence {
  readonly biases: readonly string[];
  /** What was undone with them, alone changed nothing, and may be at work all the same: of two that hide each other, either is enough. */
  readonly beside?: readonly string[];
  /** Whether it only tells apart what other evidence undoes together: the same cue is no ground twice. */
  readonly apart?: true;
  /** The cue or cues undone, in words. */
  readonly undone: string;
  readonly before: Verdict;
  readonly after: Verdict;
  /** Whether the verdict changed, and by more than the judge does by itself. */
  readonly changed: boolean;
  /** What the judge does by itself, where the verdict is of a kind that wavers and this was looked at. */
  readonly noise?: Noise;
  /** Where the verdict did not change and both came with log-probabilities: how far these did. */
  readonly sensitivity?: Sensitivity;
}

/** How far a judge's probabilities moved when a cue was undone and its verdict stood. */
export interface Sensitivity {
  /**
   * By how much likelier what it decided was with the cue (a choice), or by how much higher its expectation was (a
   * score; a pass counts 1, a fail 0). Negative where it was less.
   */
  readonly by: number;
  /** Between which values that lies, wherever the probability is that the endpoint does not show; may be infinite. */
  readonly low: number;
  readonly high: number;
  /** How far the probabilities of one case move by themselves; null where the two verdicts came after other words. */
  readonly limit: number | null;
  /** Whether they moved further, the way the cue pushes. */
  readonly shown: boolean;
}

/** How far a judge's verdict moves by itself. */
export type Noise =
  /** As far as the judge's verdict moved when the case was judged once more as it is; null where it gave none. */
  | { readonly by: 'repeat'; readonly repeat: Verdict; readonly limit: number | null }
  /** As the log-probabilities of both verdicts tell. */
  | { readonly by: 'spread'; readonly limit: number };

/** A detector's answer (ŷ^r and b̂ in arXiv 2505.17100). */
export interface Analysis {
  readonly biased: boolean;
  /** Names of the biases found, empty when not biased. `a+b` were only undone together: neither alone changed the verdict, or no call was left to take them apart. */
  readonly biases: readonly string[];
  readonly reasoning: string;
  readonly evidence: readonly Evidence[];
  /** Absent where nothing was left untested, or the detector tests nothing. */
  readonly untested?: readonly Untested[];
  /** Attacks on the judge in options that it did not choose. Absent where there were none, or none were looked for. */
  readonly failedAttacks?: readonly Pick<Cue, 'bias' | 'seen'>[];
}

/*
 * A reply as its judge sampled it, token by token, with how probable each was: what endpoints call
 * log-probabilities, in one form for all protocols. It comes from outside, so nothing in it need add up.
 */

/** A token and how probable it was, from 0 to 1. */
export interface LikelyToken {
  readonly text: string;
  readonly probability: number;
}

/** A token of a reply, and the likeliest ones at its place; the sampled one may be among them. */
export interface SampledToken extends LikelyToken {
  readonly likeliest: readonly LikelyToken[];
}
