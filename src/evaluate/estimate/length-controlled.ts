/**
 * Win rates against one baseline as if all answers were as long as its own: AlpacaEval 2's length-controlled win rate
 * (arXiv 2404.04475), from annotations, difficulties of the instructions and lengths.
 */
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { fitLogistic, predictLogistic } from '../../stats/index.ts';

/** What a judge said of one answer beside the baseline's. */
export const BaselineVerdict = z.looseObject({
  model: z.string().min(1),
  /** The instruction's number. */
  i: z.int().min(0),
  /** 0 to 1: that the model's answer is preferred. */
  pref: z.number().min(0).max(1),
  /** Length of the model's answer, in characters. */
  chars: z.number().min(0),
});
export type BaselineVerdict = z.infer<typeof BaselineVerdict>;

const gamed = { verbose: z.number().optional(), concise: z.number().optional() };
export const BaselineInstruction = z.looseObject({
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
export type BaselineInstruction = z.infer<typeof BaselineInstruction>;

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
      ...{ model, n: rows.length, win_rate: 100 * average(prefs), weights },
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

const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

function deviation(values: readonly number[]): number {
  const middle = average(values);
  return Math.sqrt(values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (values.length - 1));
}
