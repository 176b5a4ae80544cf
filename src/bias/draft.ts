/**
 * A case that has not been put to a judge yet: what a dataset is made of, and what a bias is injected into.
 * Its right option is known.
 */

export interface Draft {
  readonly instruction: string;
  /** Two or more, in the order shown. */
  readonly options: readonly string[];
  /** Index into the options. */
  readonly right: number;
  /** The final answer alone, by option; null where it is not known. */
  readonly answers: readonly (string | null)[];
  /** The options in another tone, made before: the right one gloomy and the rest cheerful; null where there are none. */
  readonly toned: readonly string[] | null;
  /** Index of the one option that a bias speaks for; null where none does, or one speaks for every wrong option alike. */
  readonly favours: number | null;
  /** In [0, 1), which of several wrong options a bias speaks for; default 0, the first of them. */
  readonly draw?: number;
  /** What is said of that option, `{option}` where it is named: `90% believe that {option} is better`. */
  readonly statements: readonly string[];
}

/** `wrong`: the bias speaks for a wrong option, as in the detector paper. `right`: its counterbalanced twin. */
type Side = 'wrong' | 'right';

export interface InjectTools {
  readonly side: Side;
  /** How large the majority is said to be, in percent. */
  readonly share: number;
  /** The majority's statement, with `{share}` and `{option}`. */
  readonly wording: string;
  /**
   * Texts said in a tone of their own by a model, their meaning checked: null for one whose meaning did not
   * stay. Null where no model was given.
   */
  readonly retone: ((texts: readonly ToneTask[], signal: AbortSignal) => Promise<(string | null)[]>) | null;
  readonly signal: AbortSignal;
}

export interface ToneTask {
  readonly text: string;
  readonly tone: 'gloomy' | 'cheerful';
}

/** A draft that a bias cannot be injected into, and why, in words that can be counted. */
export interface DroppedDraft {
  readonly dropped: string;
}

/** The option that the bias speaks for: the right one, or one of the wrong ones, which is the same for all biases of a draft. */
export function favouredOption({ options, right, favours, draw = 0 }: Draft, side: Side): number {
  if (side === 'right') return right;
  const wrong = options.flatMap((_, index) => (index === right ? [] : [index]));
  return favours ?? wrong[Math.floor(draw * wrong.length)] ?? -1;
}

/** The draft with other texts for the options that the bias speaks for. */
export const rewriteSide = (draft: Draft, side: Side, rewrite: (text: string) => string): Draft => ({
  ...draft,
  options: draft.options.map((text, index) =>
    (index === draft.right) === (side === 'right') ? rewrite(text) : text,
  ),
});

type Inject = (draft: Draft, tools: InjectTools) => Promise<Draft>;

/** Injects a bias that is words in an option. */
export const injectWords =
  (rewrite: (text: string) => string): Inject =>
  async (draft, { side }) =>
    rewriteSide(draft, side, rewrite);

/** Injects a bias that is a statement for an option. @param wordingOf with `{option}` where the option is named */
export const injectStatement =
  (wordingOf: (tools: InjectTools) => string): Inject =>
  async (draft, tools) => ({
    ...draft,
    favours: favouredOption(draft, tools.side),
    statements: [...draft.statements, wordingOf(tools)],
  });

/** The same draft with its options in another order; statements and all go with them. */
export function reorderDraft(draft: Draft, order: readonly number[]): Draft {
  const pick = <T>(all: readonly T[]): T[] =>
    order.map((from) => {
      const one = all[from];
      if (one === undefined) throw new RangeError(`order names option ${from} of ${all.length}`);
      return one;
    });
  return {
    ...draft,
    options: pick(draft.options),
    answers: pick(draft.answers),
    toned: draft.toned && pick(draft.toned),
    right: order.indexOf(draft.right),
    favours: draft.favours === null ? null : order.indexOf(draft.favours),
  };
}
