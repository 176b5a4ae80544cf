/** Labels in SQLite on Node, in D1 at the edge, and in memory where there is neither. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { D1 } from '../storage/d1.ts';
import type { Label, LabelStore } from './label.ts';

const PUT = `INSERT OR REPLACE INTO labels (trace, judge, biases, before, after, who, time)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const GET = 'SELECT * FROM labels WHERE trace = ?';
const AFTER = 'SELECT * FROM labels WHERE trace > ? ORDER BY trace LIMIT ?';

const bit = z.number().transform((value) => value === 1);
const row = z.object({
  trace: z.string(),
  judge: z.string(),
  biases: z.string().transform((list) => list.split(',').filter(Boolean)),
  before: bit,
  after: bit,
  who: z.string(),
  time: z.string(),
});

function values({ trace, judge, biases, before, after, who, time }: Label) {
  return [trace, judge, biases.join(','), Number(before), Number(after), who, time];
}

export function createSqliteLabels(database: DatabaseSync): LabelStore {
  const put = database.prepare(PUT);
  const get = database.prepare(GET);
  const after = database.prepare(AFTER);
  return {
    async put(label) {
      put.run(...values(label));
    },
    async get(trace) {
      const found = get.get(trace);
      return found ? row.parse(found) : null;
    },
    async after(trace, limit) {
      return after.all(trace, limit).map((one) => row.parse(one));
    },
  };
}

export function createD1Labels(database: D1): LabelStore {
  return {
    async put(label) {
      await database
        .prepare(PUT)
        .bind(...values(label))
        .run();
    },
    async get(trace) {
      const found = await database.prepare(GET).bind(trace).first();
      return found ? row.parse(found) : null;
    },
    async after(trace, limit) {
      const { results } = await database.prepare(AFTER).bind(trace, limit).all();
      return results.map((one) => row.parse(one));
    },
  };
}

export function createMemoryLabels(): LabelStore {
  const labels = new Map<string, Label>();
  return {
    async put(label) {
      labels.set(label.trace, label);
    },
    async get(trace) {
      return labels.get(trace) ?? null;
    },
    async after(trace, limit) {
      const ids = [...labels.keys()].filter((id) => id > trace).sort();
      return ids.slice(0, limit).flatMap((id) => labels.get(id) ?? []);
    },
  };
}
