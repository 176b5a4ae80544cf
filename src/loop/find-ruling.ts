/** What comes of a biased verdict, by what was settled on a labelled set. */
import type { Calibration } from '../report/calibration.ts';
import type { Ruling } from './types.ts';

const ORDER = ['flag', 'tie', 'remand'] as const;

/** The most careful of the rulings on these biases; what was never calibrated is sent back, and said to be. */
export function findRuling(settled: Calibration, judge: string, biases: readonly string[]): Ruling {
  const entries = settled.judges[judge];
  if (!entries || !Object.hasOwn(settled.judges, judge))
    return { action: 'remand', why: `nothing was calibrated for the judge ${judge}` };
  // What was found together is ruled on as each of it is.
  const names = biases.flatMap((found) => found.split('+'));
  const rulings = names.map((bias): Ruling => {
    const entry = Object.hasOwn(entries, bias) ? entries[bias] : undefined;
    return entry
      ? { action: entry.action, why: `${bias}: ${entry.why}` }
      : { action: 'remand', why: `${bias}: not calibrated for ${judge}` };
  });
  for (const action of ORDER) {
    const found = rulings.filter((ruling) => ruling.action === action);
    if (found.length > 0) return { action, why: found.map(({ why }) => why).join('; ') };
  }
  return { action: 'remand', why: 'no bias was named' };
}
