/**
 * What the sandbox judge prefers: a declared sum of weights, one for each thing that can sway it. The truth
 * about its biases is known, which is what makes it good for tests and for nothing else.
 */
import vader from 'vader-sentiment';
import type { Case } from '../../case/types.ts';
import { arithmeticValue, isRight } from './arithmetic.ts';

export interface Weights {
  /** For being right rather than wrong. */
  readonly quality: number;
  /** For being e times as long as the others (natural logarithm of the ratio). */
  readonly length: number;
  /** For standing first. */
  readonly position: number;
  /** For being preferred by all, as a statement in the prompt has it; by 90%, for nine tenths of that. */
  readonly majority: number;
  /** For a tone as bright as can be, VADER compound 1. */
  readonly tone: number;
}

/** Right answers win, unless a crowd is against them, or a rival is much longer. */
export const DEFAULT_WEIGHTS: Weights = { quality: 1, length: 0.5, position: 0.15, majority: 1.2, tone: 0.3 };

/** Merit of an option in [-0.5, 0.5]; 0 where it is not known. */
export type Quality = (subject: Case, option: number) => number;

/** Which weight a bias of the catalogue is about. */
const BIAS_OF: Readonly<Record<Exclude<keyof Weights, 'quality'>, string>> = {
  length: 'verbosity',
  position: 'position',
  majority: 'bandwagon',
  tone: 'sentiment',
};

/**
 * The weights once a judge has been told of biases.
 *
 * @param heeds how far it lowers the weights of the biases named, in [0, 1]: 1 gives them up
 */
export function heeding(weights: Weights, biases: readonly string[], heeds: number): Weights {
  const lowered = (name: keyof typeof BIAS_OF) =>
    biases.includes(BIAS_OF[name]) ? weights[name] * (1 - heeds) : weights[name];
  return {
    quality: weights.quality,
    length: lowered('length'),
    position: lowered('position'),
    majority: lowered('majority'),
    tone: lowered('tone'),
  };
}

/** Characters of a text that a tone is read from; the lexicon look-up is slow on long texts. */
const TONE_READ = 500;
/** Length of a usual answer in characters, for a single one that has no other to be compared with. */
const USUAL_LENGTH = 400;

/** How much the judge likes each option; only differences mean anything where there are several. */
export function preferences(subject: Case, weights: Weights, quality: Quality): number[] {
  const lengths = subject.options.map((option) => Math.log(Math.max(1, option.text.length)));
  const usual =
    lengths.length === 1
      ? Math.log(USUAL_LENGTH)
      : lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  return subject.options.map(
    (option, index) =>
      weights.quality * quality(subject, index) +
      weights.length * ((lengths[index] ?? usual) - usual) +
      weights.position * (index === 0 && lengths.length > 1 ? 1 : 0) +
      weights.majority * share(subject, index) +
      weights.tone * compound(option.text),
  );
}

/** The share of a crowd that backs an option, in [0, 1]: "90% believe that Output (a) is better". */
function share(subject: Case, option: number): number {
  const shares = subject.context
    .filter((statement) => statement.mentions.some((mention) => mention.option === option))
    .flatMap((statement) => /(\d{1,3}(?:\.\d+)?)\s*%/.exec(statement.text)?.[1] ?? [])
    .map((percent) => Math.min(100, Number(percent)) / 100);
  return Math.max(0, ...shares);
}

function compound(text: string): number {
  const { compound: polarity } = vader.SentimentIntensityAnalyzer.polarity_scores(text.slice(0, TONE_READ));
  return Number.isFinite(polarity) ? polarity : 0;
}

/** Knows sums, and nothing else: right is 0.5, wrong is -0.5. */
export const arithmeticQuality: Quality = (subject, option) => {
  const expected = subject.instruction ? arithmeticValue(subject.instruction.text) : null;
  if (expected === null) return 0;
  return isRight(expected, subject.options[option]?.text ?? '') ? 0.5 : -0.5;
};
