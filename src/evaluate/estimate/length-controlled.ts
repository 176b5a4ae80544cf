/**
 * Win rates against one baseline as if all answers were as long as its own: AlpacaEval 2's length-controlled win rate
 * (arXiv 2404.04475), from annotations, difficulties of the instructions and lengths.
 */
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import {
  clusteredErrors,
  fitLogistic,
  type Interval,
  normalQuantile,
  predictLogistic,
} from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import type { JudgedItem, PastJudgment } from '../confidence/past-judgment.ts';

/** What a judge said of one answer beside the baseline's. */
export const baselineVerdict = z.looseObject({
  model: z.string().min(1),
  /** The instruction's number. */
  i: z.int().min(0),
  /** 0 to 1: that the model's answer is preferred. */
  pref: z.number().min(0).max(1),
  /** Length of the model's answer, in characters. */
  chars: z.number().min(0),
});
export type BaselineVerdict = z.infer<typeof baselineVerdict>;

const gamed = { verbose: z.number().optional(), concise: z.number().optional() };
export const baselineInstruction = z.looseObject({
  i: z.int().min(0),
  baseline_chars: z.number().min(0),
  /** Of the instruction, as the source estimates it for all models together. */
  difficulty_est: z.number(),
  /** The baseline told to be verbose, and to be concise, beside itself: they show what length alone does. */
  verbose_chars: gamed.verbose,
  verbose_pref_est: gamed.verbose,
  concise_chars: gamed.concise,
  concise_pref_est: gamed.concise,
});
export type BaselineInstruction = z.infer<typeof baselineInstruction>;

export interface ControlledRate {
  readonly model: string;
  readonly n: number;
  /** Mean preference, in percent, and its standard error. */
  readonly win_rate: number;
  readonly standard_error: number;
  /** Null with the reason where there is no estimate. */
  readonly controlled: number | null;
  readonly reason: string | null;
  /** Of the length, the difficulty, and the model itself. */
  readonly weights: readonly number[] | null;
  readonly mean_chars: number;
}

/** Weight of the gamed baselines' rows beside those of a model. */
const GAMED_WEIGHT = 0.1;

/**
 * A logistic model for each model of its own: its preference by the difference of the lengths (in standard deviations, through
 * tanh), the instruction's difficulty, and a constant. The rate is the mean of what it says without the length. Rows are put beside
 * difficulties in their order, as the source does, also where some are missing.
 *
 * @throws InputError for instructions that are missing, and for one that is there twice
 *
 * @example controlLength(verdicts, instructions)[0]?.controlled // 70.19
 */
export function controlLength(
  verdicts: readonly BaselineVerdict[],
  instructions: readonly BaselineInstruction[],
): ControlledRate[] {
  const byNumber = new Map(instructions.map((one) => [one.i, one]));
  if (byNumber.size < instructions.length)
    throw new InputError('--instructions', 'holds an instruction twice');
  const gamedRows = [
    ...listGamed(instructions, ({ verbose_chars, verbose_pref_est }) => [verbose_chars, verbose_pref_est]),
    ...listGamed(instructions, ({ concise_chars, concise_pref_est }) => [concise_chars, concise_pref_est]),
  ];
  return [...Map.groupBy(verdicts, ({ model }) => model)].map(([model, rows]): ControlledRate => {
    const twice = rows.length - new Set(rows.map(({ i }) => i)).size;
    if (twice > 0) throw new InputError('--verdicts', `${model} has ${twice} instructions twice`);
    const differences = rows.map(({ i, chars }) => {
      const known = byNumber.get(i);
      if (!known) throw new InputError('--instructions', `instruction ${i} of ${model} is missing`);
      return known.baseline_chars - chars;
    });
    const scale = deviation(differences);
    const own = rows.map(({ pref }, n) => ({
      row: [Math.tanh((differences[n] ?? 0) / scale), instructions[n]?.difficulty_est ?? 0, 1],
      target: pref,
      weight: 1,
    }));
    const all = [...own, ...gamedRows];
    const weights =
      rows.length < 3 || scale === 0
        ? null
        : fitLogistic({
            features: all.map(({ row }) => row),
            targets: all.map(({ target }) => target),
            weights: all.map(({ weight }) => weight),
          });
    const prefs = rows.map(({ pref }) => pref);
    return {
      model,
      n: rows.length,
      win_rate: 100 * average(prefs),
      weights,
      standard_error: (100 * deviation(prefs)) / Math.sqrt(rows.length),
      controlled:
        weights && 100 * average(own.map(({ row: [, ...rest] }) => predictLogistic(weights, [0, ...rest]))),
      reason: weights ? null : 'lengths and difficulties leave several answers, or too few verdicts',
      mean_chars: average(rows.map(({ chars }) => chars)),
    };
  });
}

function listGamed(
  instructions: readonly BaselineInstruction[],
  tell: (one: BaselineInstruction) => readonly [chars: number | undefined, pref: number | undefined],
) {
  const known = instructions.flatMap((one) => {
    const [chars, pref] = tell(one);
    if (chars === undefined || pref === undefined) return [];
    return [{ difference: one.baseline_chars - chars, pref, difficulty: one.difficulty_est }];
  });
  const scale = deviation(known.map(({ difference }) => difference));
  return known.map(({ difference, pref, difficulty }) => ({
    row: [Math.tanh(difference / scale), difficulty, 0],
    target: pref,
    weight: GAMED_WEIGHT,
  }));
}

function deviation(values: readonly number[]): number {
  const middle = average(values);
  return Math.sqrt(values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (values.length - 1));
}

// Win rates as if the two texts were alike in length and style, or in any number that is known of each: a logistic model of the
// verdicts by the differences, as the Arena's style control has it, with a term for the place where both orders were judged.

/** What `style` stands for beside the length: the marks that the Arena counts. */
export const STYLE = ['length', 'headings', 'lists', 'bold'] as const;

export interface StyleControlledRate {
  readonly judge: string;
  /** Verdicts that count, and those that do not: not on two texts, or a number is not known of both. */
  readonly n: number;
  readonly left_out: number;
  /** Of the option, in percent; a tie counts half. Null where no verdict counts. */
  readonly win_rate: number | null;
  /** Of two texts alike in all of it; null with the reason where there is no estimate. */
  readonly controlled: (Interval & { readonly value: number }) | null;
  readonly reason: string | null;
  /** Log odds that one standard deviation more of it is worth; `place` is that of being shown first. */
  readonly weights: Readonly<Record<string, Interval & { readonly value: number }>>;
}

interface StyleControlOptions {
  /** Names of the numbers that are held alike. */
  readonly covariates: readonly string[];
  /** Index of the option whose wins count, in the items' own order; default 0. */
  readonly option?: number;
  /** In (0, 1), default .95. */
  readonly confidence?: number;
}

interface Row {
  readonly won: number;
  readonly isFirst: boolean;
  readonly differences: readonly number[];
  readonly group: string;
}

/**
 * A difference is that of the two over their sum, in standard deviations. Errors take the verdicts of a group of items together.
 *
 * @param judges as `groupJudgments` gives them, each verdict with `covariates`
 * @throws InputError where no verdict of any judge has these numbers
 *
 * @example controlStyle(judges, { covariates: ['length'] })[0]?.controlled // { value: 54.2, low: 50.1, high: 58.3 }
 */
export function controlStyle(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  { covariates, option = 0, confidence = 0.95 }: StyleControlOptions,
): StyleControlledRate[] {
  const read = [...judges].map(([judge, items]) => {
    const verdicts = items.flatMap(({ draws, group }) => draws.map((draw) => ({ draw, group })));
    const rows = verdicts.flatMap(({ draw, group }) => readRow(draw, group, covariates, option));
    return { judge, rows, all: verdicts.length };
  });
  if (read.every(({ rows }) => rows.length === 0))
    throw new InputError('--controlled', describeMissing(judges));
  return read.map(({ judge, rows, all }): StyleControlledRate => {
    const counted = { judge, n: rows.length, left_out: all - rows.length };
    if (rows.length === 0) {
      const reason = 'no verdict on two texts has these numbers';
      return { ...counted, win_rate: null, controlled: null, reason, weights: {} };
    }
    const win_rate = (100 * rows.reduce((sum, { won }) => sum + won, 0)) / rows.length;
    const fitted = fitRows(rows, covariates, confidence);
    return typeof fitted === 'string'
      ? { ...counted, win_rate, controlled: null, reason: fitted, weights: {} }
      : { ...counted, win_rate, ...fitted, reason: null };
  });
}

function describeMissing(judges: ReadonlyMap<string, readonly JudgedItem[]>): string {
  const known = new Set<string>();
  for (const items of judges.values())
    for (const { draws } of items)
      for (const { covariates = {} } of draws) for (const name of Object.keys(covariates)) known.add(name);
  return known.size === 0
    ? 'needs verdicts on two texts with a field covariates, such as {"length": [120, 340]}'
    : `no verdict on two texts has all of these numbers; there are ${[...known].sort().join(', ')}`;
}

function readRow(draw: PastJudgment, group: string, names: readonly string[], option: number): Row[] {
  const won = readOutcome(draw, option);
  const differences = names.flatMap((name) => {
    const [a, b, ...more] = draw.covariates?.[name] ?? [];
    if (a === undefined || b === undefined || more.length > 0) return [];
    const [own, other] = option === 0 ? [a, b] : [b, a];
    return [own === other ? 0 : (own - other) / (Math.abs(own) + Math.abs(other))];
  });
  if (won === null || option > 1 || differences.length < names.length) return [];
  return [{ won, isFirst: (draw.order === 'swapped') === (option === 1), differences, group }];
}

/** 1 where the option won, 0.5 for a tie; null where that is not said. */
function readOutcome({ choice, scores }: PastJudgment, option: number): number | null {
  if (choice === 'tie') return 0.5;
  if (choice !== undefined) return Number(choice === option);
  const [own, other] = [scores?.[option], scores?.[1 - option]];
  if (scores?.length !== 2 || own == null || other == null) return null;
  return own === other ? 0.5 : Number(own > other);
}

/** @returns why there is no estimate, in words */
function fitRows(rows: readonly Row[], names: readonly string[], confidence: number) {
  const scales = names.map((_, k) => deviation(rows.map(({ differences }) => differences[k] ?? 0)));
  const flat = names.filter((_, k) => !((scales[k] ?? 0) > 0));
  if (flat.length > 0) return `the two texts never differ in ${flat.join(', ')}`;
  const hasPlace = rows.some(({ isFirst }) => isFirst) && rows.some(({ isFirst }) => !isFirst);
  const features = rows.map(({ differences, isFirst }) => [
    1,
    ...(hasPlace ? [isFirst ? 1 : -1] : []),
    ...differences.map((one, k) => one / (scales[k] ?? 1)),
  ]);
  const data = { features, targets: rows.map(({ won }) => won) };
  const coefficients = fitLogistic(data);
  const errors =
    coefficients &&
    clusteredErrors(
      data,
      coefficients,
      rows.map(({ group }) => group),
    );
  if (!coefficients || !errors)
    return 'too few verdicts, or these numbers tell every verdict, or they tell the same';
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const told = (k: number) => {
    const [value = 0, error = 0] = [coefficients[k], errors[k]];
    return { value, low: value - z * error, high: value + z * error };
  };
  const { value, low, high } = told(0);
  const percent = (odds: number) => 100 * predictLogistic([odds], [1]);
  const named = [...(hasPlace ? ['place'] : []), ...names];
  return {
    controlled: { value: percent(value), low: percent(low), high: percent(high) },
    weights: Object.fromEntries(named.map((name, k) => [name, told(k + 1)])),
  };
}
