/**
 * Base data: questions whose right answer is known, before any bias. Sources give rows of their own making; a
 * mapping says which field of them is what.
 */
import * as z from 'zod';
import type { Draft } from '../bias/index.ts';
import { finalNumber } from '../case/index.ts';
import { nonBlankText } from '../strict-fields.ts';

/** A pair of answers, one of which is better. */
export const basePair = z.object({
  kind: z.literal('pair'),
  id: z.string(),
  instruction: nonBlankText,
  positive: nonBlankText,
  /** Null where a weak model is still to give one. */
  negative: nonBlankText.nullable(),
  /** The positive answer's conclusion alone; null where it is not known. */
  answer: z.string().nullable(),
  /** Which of the two the source shows first. */
  first: z.enum(['positive', 'negative']),
});

/** A question with three or more options, one of them right. */
const baseChoice = z
  .object({
    kind: z.literal('choice'),
    id: z.string(),
    instruction: nonBlankText,
    options: z.array(nonBlankText).min(2),
    /** Index into the options. */
    right: z.int().min(0),
    /** The options with the right one in a gloomy tone and the rest in a cheerful one, where the source has them. */
    toned: z.array(nonBlankText).nullable(),
  })
  .refine(({ options, right }) => right < options.length, {
    path: ['right'],
    message: 'is not one of the options',
  })
  .refine(({ options, toned }) => toned === null || toned.length === options.length, {
    path: ['toned'],
    message: 'must have one text for each option',
  });

export const baseItem = z.discriminatedUnion('kind', [basePair, baseChoice]);
export type BasePair = z.output<typeof basePair>;
export type BaseChoice = z.output<typeof baseChoice>;
export type BaseItem = BasePair | BaseChoice;

/** Where the right option stands. `as-is` keeps the source's order. */
export const RIGHT_PLACES = ['first', 'second', 'as-is', 'random'] as const;
export type RightPlace = (typeof RIGHT_PLACES)[number];

/**
 * @param draw in [0, 1), for `random`
 * @throws RangeError for a pair that has no negative answer yet
 */
export function createDraft(base: BaseItem, place: RightPlace, draw: number): Draft {
  return base.kind === 'pair' ? pairDraft(base, place, draw) : choiceDraft(base, place, draw);
}

function pairDraft(base: BasePair, place: RightPlace, draw: number): Draft {
  if (base.negative === null) throw new RangeError(`${base.id} has no negative answer yet`);
  const right = place === 'as-is' ? (base.first === 'positive' ? 0 : 1) : choosePlace(place, 2, draw);
  const negativeAnswer = spelledLike(base.answer, finalNumber(base.negative));
  const both: [string, string | null][] = [
    [base.positive, base.answer],
    [base.negative, negativeAnswer],
  ];
  const order = right === 0 ? both : both.toReversed();
  return {
    instruction: base.instruction,
    options: order.map(([option]) => option),
    right,
    answers: order.map(([, answer]) => answer),
    toned: null,
    favours: null,
    statements: [],
  };
}

/**
 * Another number in the spelling of an answer: a unit or a currency would tell the right one from the wrong one.
 *
 * @returns null where the answer is no number with words beside it, as a fraction is none
 *
 * @example spelledLike('1,560 jars', '1580') // '1,580 jars'
 */
function spelledLike(answer: string | null, number: string | null): string | null {
  if (answer === null || number === null || finalNumber(answer) === answer) return number;
  const numbers = answer.match(/\d[\d,.]*(?<![,.])/g) ?? [];
  const [own = ''] = numbers;
  if (numbers.length !== 1) return null;
  const grouped = own.includes(',')
    ? number.replace(/^-?\d+/, (whole) => BigInt(whole).toLocaleString('en'))
    : number;
  return answer.replace(new RegExp(`-?${RegExp.escape(own)}`), () => grouped);
}

function choiceDraft(base: BaseChoice, place: RightPlace, draw: number): Draft {
  const right = place === 'as-is' ? base.right : choosePlace(place, base.options.length, draw);
  const order = base.options.map((_, index) => index).filter((index) => index !== base.right);
  order.splice(right, 0, base.right);
  const pick = (all: readonly string[]) => order.map((from) => all[from] ?? '');
  return {
    instruction: base.instruction,
    options: pick(base.options),
    right,
    answers: base.options.map(() => null),
    toned: base.toned && pick(base.toned),
    favours: null,
    statements: [],
  };
}

function choosePlace(place: Exclude<RightPlace, 'as-is'>, count: number, draw: number): number {
  if (place === 'random') return Math.floor(draw * count);
  return place === 'first' ? 0 : 1;
}

// One row of a dataset: a case as a judge will see it, with the right option known.

/** A row of D or of D_bias; the two that belong together have one id. */
export const datasetRow = z.object({
  id: z.string(),
  /** Id of the base item: rows of one base item never stand on two sides of a split. */
  base: z.string(),
  /** Names of the biases that D_bias has. */
  biases: z.array(z.string()).min(1),
  /** Whether the bias speaks for the right option: the counterbalanced twin. */
  twin: z.boolean(),
  set: z.enum(['d', 'd_bias']),
  instruction: z.string(),
  options: z.array(z.string()).min(2),
  /** How the prompt names each option: `Output (a)`, `Choice 1`. */
  labels: z.array(z.string()).min(2),
  /** Index into the options. */
  right: z.int().min(0),
  /** Index of the one option that the biases speak for; absent where none does, or they speak for every wrong option alike. */
  favours: z.int().min(0).optional(),
  /** What somebody is said to think, the option named: `90% believe that Output (a) is better`. */
  statements: z.array(z.string()),
  /** The options as the published dataset writes them, where that layout was asked for. */
  choices: z.string().optional(),
});
export type DatasetRow = z.output<typeof datasetRow>;
