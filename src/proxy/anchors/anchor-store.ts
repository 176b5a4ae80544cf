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
  /** Rounds that began before `until`, the latest first. */
  list(anchors: string, until: number, limit: number): Promise<readonly AnchorRound[]>;
  /** When the latest round began that is less than `apart` from `time`; null where none is. */
  near(anchors: string, time: number, apart: number): Promise<number | null>;
  add(round: AnchorRound): Promise<void>;
}

const NEAR = 'SELECT time FROM anchor_rounds WHERE anchors = ? AND abs(time - ?) < ?';

/** @param sql with the table of migration 0011 */
export function createAnchorStore({ all, one, run }: TableSql): AnchorStore {
  const begun = z.object({ time: z.number() });
  return {
    list: (anchors, until, limit) =>
      all(
        anchorRound,
        'SELECT * FROM anchor_rounds WHERE anchors = ? AND time < ? ORDER BY time DESC LIMIT ?',
        ...[anchors, until, limit],
      ),
    near: async (anchors, time, apart) =>
      (await one(begun, `${NEAR} ORDER BY time DESC LIMIT 1`, anchors, time, apart))?.time ?? null,
    add: ({ anchors, time, answers, p, evidence, alarm }) =>
      run([
        'INSERT INTO anchor_rounds (anchors, time, answers, p, evidence, alarm) VALUES (?, ?, ?, ?, ?, ?)',
        ...[anchors, time, JSON.stringify(answers), p, evidence, Number(alarm)],
      ]),
  };
}
