/** Which rulings of `remand calibrate` the labels so far leave open: those are the ones that more labels would settle. */
import { probabilityOfGain } from '../../stats/index.ts';
import type { Label } from './label.ts';

export interface RulingCount {
  readonly judge: string;
  readonly bias: string;
  /** Labelled verdicts that sending back turned right, and those that it turned wrong. */
  readonly better: number;
  readonly worse: number;
  readonly isOpen: boolean;
}

export interface RulingCounts {
  /** One judgment counts once: hand in what most people said of it. */
  add(label: Pick<Label, 'judge' | 'biases' | 'before' | 'after'>): void;
  list(): RulingCount[];
  /** Whether a label on a verdict of this judge that moved for one of these biases could settle something. */
  isOpen(judge: string, biases: readonly string[]): boolean;
}

/** Probability that a ruling is the right one from which nobody needs to be asked any more. */
const SETTLED = 0.95;

export function countRulings(): RulingCounts {
  const all = new Map<string, RulingCount>();
  const keyOf = (judge: string, bias: string) => JSON.stringify([judge, bias]);
  return {
    add({ judge, biases, before, after }) {
      for (const bias of biases) {
        const { better: up = 0, worse: down = 0 } = all.get(keyOf(judge, bias)) ?? {};
        const better = up + Number(!before && after);
        const worse = down + Number(before && !after);
        const gain = probabilityOfGain(better, worse);
        const isOpen = gain < SETTLED && gain > 1 - SETTLED;
        all.set(keyOf(judge, bias), { judge, bias, better, worse, isOpen });
      }
    },
    list: () => [...all.values()],
    isOpen: (judge, biases) => biases.some((bias) => all.get(keyOf(judge, bias))?.isOpen ?? true),
  };
}
