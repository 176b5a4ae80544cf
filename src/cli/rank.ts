/** `remand rank`: contestants in order from verdicts on them, with intervals. */

import { InputError } from '../errors.ts';
import { createRanking, pastJudgment } from '../evaluate/index.ts';
import { formatSheet, readJsonl } from '../records/node.ts';
import type { ContestantRanking } from '../report/index.ts';
import { RATING_POINTS, type Strength } from '../stats/index.ts';
import { asShare, asText, asWhole, createCommand, flag, needed, usual } from './command.ts';
import { describeResult } from './result-origin.ts';
import { print, tell } from './terminal.ts';

export const rankCommand = createCommand(
  {
    records: needed(
      asText,
      'JSONL, one verdict a line: item, judge, contestants, choice or scores, order (given or swapped)',
    ),
    confidence: usual(asShare, '0.95', 'confidence level of the intervals'),
    place: flag('look for an effect of being shown first', true),
    proposals: usual(asWhole(0, 1000), '5', 'pairs to propose, whose next verdict tells most'),
    csv: flag('a table for spreadsheets: a line a judge and contestant'),
  },
  async ({ args, origin, print: answer }) => {
    const ranking = createRanking();
    for await (const judgment of readJsonl(args.records, pastJudgment, '--records')) ranking.add(judgment);
    const rankings = ranking.list(args);
    if (rankings.every(({ found }) => !('strengths' in found) && found.reason.includes('no two that met')))
      throw new InputError(
        '--records',
        'names no contestants: each line needs a field contestants, such as ["a", "b"]',
      );
    if (args.csv) return print(formatRankings(rankings));
    answer(tellRankings(rankings), () => describeResult({ rankings }), await origin());
  },
);

const FIGURES = ['strength', 'low', 'high', 'standard_error'];
const TABLE = [
  ...['judge', 'contestant'],
  ...FIGURES.map((name) => `${name}_points`),
  ...FIGURES.map((name) => `${name}_log_odds`),
];

/** Strengths in points, as the text tells them, and in log odds, as in JSON. No line for a judge without a ranking: what hinders it goes to standard error. */
function formatRankings(rankings: readonly ContestantRanking[]): string {
  const lines: (string | number)[][] = [TABLE];
  for (const { judge, found } of rankings) {
    const name = judge ?? 'all';
    if (!('strengths' in found)) {
      tell(`${name}: no ranking: ${found.reason}\n`);
      continue;
    }
    for (const { name: who, value, interval, standardError } of found.strengths) {
      const logOdds = [value, interval.low, interval.high, standardError];
      const points = logOdds.map((one) => RATING_POINTS * one);
      lines.push([name, who, ...points, ...logOdds]);
    }
  }
  return formatSheet(lines);
}

/** The ranking of the one judge, or of all together, as other tools read it; all that was computed stands in `rankings`. */
function tellRankings(rankings: readonly ContestantRanking[]) {
  const found = rankings.at(-1)?.found;
  if (!found || !('strengths' in found)) return { rankings };
  const tell = ({ value, interval }: Omit<Strength, 'name'>) => ({ strength: value, ...interval });
  return {
    ranking: found.strengths.map(({ name, ...one }) => ({ name, ...tell(one) })),
    place: found.place && tell(found.place),
    rankings,
  };
}
