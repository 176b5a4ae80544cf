/** What judges said of the anchor cases, round by round. */
import * as z from 'zod';
import { createJsonColumn, type TableSql } from '../storage/table-sql.ts';

/** A verdict as it is compared: a score from 0 to 1 where its scale is known, else whatever it says. */
const answer = z.union([z.number(), z.string()]);
export type AnchorAnswer = z.infer<typeof answer>;

const anchorRound = z.object({
  /** Which anchors were asked: other ones begin anew. */
  anchors: z.string(),
  /** When it began, in milliseconds since the epoch. */
  time: z.number(),
  /** One an anchor; null where no verdict came. */
  answers: createJsonColumn(z.array(answer.nullable())),
  /** How well the round goes with those before it. */
  p: z.number(),
  /** For a change, all rounds together. */
  evidence: z.number(),
  alarm: z.number().transform((value) => value === 1),
});
export type AnchorRound = z.output<typeof anchorRound>;

export interface AnchorStore {
  /** The latest first. */
  list(anchors: string, limit: number): Promise<readonly AnchorRound[]>;
  add(round: AnchorRound): Promise<void>;
}

/** @param sql with the table of migration 0011 */
export function createAnchorStore({ all, run }: TableSql): AnchorStore {
  return {
    list: (anchors, limit) =>
      all(
        anchorRound,
        'SELECT * FROM anchor_rounds WHERE anchors = ? ORDER BY time DESC LIMIT ?',
        anchors,
        limit,
      ),
    add: ({ anchors, time, answers, p, evidence, alarm }) =>
      run([
        'INSERT INTO anchor_rounds (anchors, time, answers, p, evidence, alarm) VALUES (?, ?, ?, ?, ?, ?)',
        ...[anchors, time, JSON.stringify(answers), p, evidence, Number(alarm)],
      ]),
  };
}

export function createMemoryAnchors(): AnchorStore {
  const rounds: AnchorRound[] = [];
  return {
    list: async (anchors, limit) =>
      rounds
        .filter((round) => round.anchors === anchors)
        .toReversed()
        .slice(0, limit),
    async add(round) {
      rounds.push(round);
    },
  };
}
