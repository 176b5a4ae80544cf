/** Labels in SQLite on Node, in D1 at the edge, and in memory where there is neither. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { D1 } from '../storage/d1.ts';
import { type Label, type LabelStore, labelSchema } from './label.ts';

const PUT = `INSERT OR REPLACE INTO labels (trace, who, judge, biases, before, after, decision, judged, random, time)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const OF = 'SELECT * FROM labels WHERE trace = ? ORDER BY who';
const OF_EACH = 'SELECT * FROM labels WHERE trace IN (SELECT value FROM json_each(?)) ORDER BY trace, who';
const AFTER = 'SELECT * FROM labels WHERE (trace, who) > (?, ?) ORDER BY trace, who LIMIT ?';

const bit = z.number().transform((value) => value === 1);
const json = z.string().transform((text) => labelSchema.shape.decision.parse(JSON.parse(text)));
const row = z.object({
  ...{ trace: z.string(), who: z.string(), judge: z.string(), time: z.string() },
  biases: z.string().transform((list) => list.split(',').filter(Boolean)),
  ...{ before: bit, after: bit, random: bit },
  ...{ decision: json, judged: json },
});

function values({ trace, who, judge, biases, before, after, decision, judged, random, time }: Label) {
  const told = [decision, judged].map((value) => JSON.stringify(value));
  return [trace, who, judge, biases.join(','), Number(before), Number(after), ...told, Number(random), time];
}

export function createSqliteLabels(database: DatabaseSync): LabelStore {
  const put = database.prepare(PUT);
  const of = database.prepare(OF);
  const ofEach = database.prepare(OF_EACH);
  const after = database.prepare(AFTER);
  return {
    async put(label) {
      put.run(...values(label));
    },
    async of(trace) {
      return of.all(trace).map((one) => row.parse(one));
    },
    async ofEach(traces) {
      return ofEach.all(JSON.stringify(traces)).map((one) => row.parse(one));
    },
    async after(last, limit) {
      return after.all(last?.trace ?? '', last?.who ?? '', limit).map((one) => row.parse(one));
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
    async of(trace) {
      const { results } = await database.prepare(OF).bind(trace).all();
      return results.map((one) => row.parse(one));
    },
    async ofEach(traces) {
      const { results } = await database.prepare(OF_EACH).bind(JSON.stringify(traces)).all();
      return results.map((one) => row.parse(one));
    },
    async after(last, limit) {
      const { results } = await database
        .prepare(AFTER)
        .bind(last?.trace ?? '', last?.who ?? '', limit)
        .all();
      return results.map((one) => row.parse(one));
    },
  };
}

export function createMemoryLabels(): LabelStore {
  const labels = new Map<string, Label>();
  const keyOf = ({ trace, who }: Pick<Label, 'trace' | 'who'>) => `${trace}\n${who}`;
  const sorted = () => [...labels.keys()].sort().flatMap((key) => labels.get(key) ?? []);
  return {
    async put(label) {
      labels.set(keyOf(label), label);
    },
    async of(trace) {
      return sorted().filter((label) => label.trace === trace);
    },
    async ofEach(traces) {
      return sorted().filter((label) => traces.includes(label.trace));
    },
    async after(last, limit) {
      const from = last ? keyOf(last) : '';
      return sorted()
        .filter((label) => keyOf(label) > from)
        .slice(0, limit);
    },
  };
}
