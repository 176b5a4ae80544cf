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
  /** Rounds that have ended and began before `until`, the latest first. */
  list(anchors: string, until: number, limit: number): Promise<readonly AnchorRound[]>;
  /** When the latest round began, under way or ended, that is less than `apart` from `time`; null where none is. */
  near(anchors: string, time: number, apart: number): Promise<number | null>;
  /**
   * Takes the round of this time. Several processes may ask for it: one of them gets it.
   *
   * @returns whether it was free: no round is less than `apart` milliseconds from it, under way or ended
   */
  claim(anchors: string, time: number, apart: number): Promise<boolean>;
  /** A round that was taken and has not ended. */
  release(anchors: string, time: number): Promise<void>;
  /** A round that was taken, and has ended. */
  add(round: AnchorRound): Promise<void>;
}

/** One that is under way has no answers. A process that is killed leaves it: the next round is asked when that is due. */
const UNDER_WAY = "answers = '[]'";
const NEAR = 'SELECT time FROM anchor_rounds WHERE anchors = ? AND abs(time - ?) < ?';

/** @param sql with the table of migration 0011 */
export function createAnchorStore({ all, one, run }: TableSql): AnchorStore {
  const begun = z.object({ time: z.number() });
  return {
    list: (anchors, until, limit) =>
      all(
        anchorRound,
        `SELECT * FROM anchor_rounds WHERE anchors = ? AND time < ? AND NOT ${UNDER_WAY} ORDER BY time DESC LIMIT ?`,
        ...[anchors, until, limit],
      ),
    near: async (anchors, time, apart) =>
      (await one(begun, `${NEAR} ORDER BY time DESC LIMIT 1`, anchors, time, apart))?.time ?? null,
    async claim(anchors, time, apart) {
      const text = `INSERT INTO anchor_rounds (anchors, time, answers, p, evidence, alarm)
        SELECT ?, ?, '[]', 1, 0, 0 WHERE NOT EXISTS (${NEAR}) RETURNING time`;
      return (await one(begun, text, anchors, time, anchors, time, apart)) !== null;
    },
    release: (anchors, time) =>
      run([`DELETE FROM anchor_rounds WHERE anchors = ? AND time = ? AND ${UNDER_WAY}`, anchors, time]),
    add: ({ anchors, time, answers, p, evidence, alarm }) =>
      run([
        'INSERT OR REPLACE INTO anchor_rounds (anchors, time, answers, p, evidence, alarm) VALUES (?, ?, ?, ?, ?, ?)',
        ...[anchors, time, JSON.stringify(answers), p, evidence, Number(alarm)],
      ]),
  };
}
