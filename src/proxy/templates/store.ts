/** Learned templates in SQLite on Node, in D1 at the edge, and in memory where there is neither. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import {
  LEARNED_STATES,
  type Pipeline,
  progressOf,
  readerRecordSchema,
  SLOT_ENCODINGS,
  SLOT_ROLES,
  verdictFileSchema,
} from '../../case/index.ts';
import {
  createD1Tables,
  createJsonColumn,
  createSqliteTables,
  type D1,
  type SqlStatement,
  type TableSql,
} from '../storage/table-sql.ts';
import type { WriteBatcher } from '../storage/write-batcher.ts';

/**
 * Keeps of each pipeline where it comes from, its template, its state and its counts. The requests from which it was
 * learned are not kept.
 */
export interface TemplateStore {
  /** The pipeline that was saved last comes last. A row that cannot be read is left out. */
  load(): Promise<readonly Pipeline[]>;
  /**
   * A row with a later decision of a person stays as it is, and one that has come further, unless the pipeline is doubted: another
   * server or isolate may know more. A pipeline without a template is not kept.
   */
  save(pipelines: readonly Pipeline[], now: number): Promise<void>;
  /** A row that a person decided stays: whoever removes it may not have heard of the decision. */
  remove(ids: readonly string[]): Promise<void>;
}

/** Rows that are kept, as many as an isolate or a server knows. */
const MOST_ROWS = 1_000;
/** Of templates that are loaded, in characters: an isolate has 128 MB for everything. */
const MOST_LOADED = 16 << 20;
/** Statements in one batch of D1. */
const BATCH = 50;

const LATEST = 'decided > 0 DESC, saved DESC, id';
const LOAD = `SELECT * FROM (
  SELECT *, ROW_NUMBER() OVER (ORDER BY ${LATEST}) AS place,
  SUM(length(template) + length(origin)) OVER (ORDER BY ${LATEST}) AS total FROM templates
) WHERE place <= ${MOST_ROWS} AND total <= ${MOST_LOADED} ORDER BY saved, id DESC`;
const TRIM = `DELETE FROM templates WHERE id IN (
  SELECT id FROM templates ORDER BY ${LATEST} LIMIT -1 OFFSET ${MOST_ROWS}
)`;
/** As `progressOf` has it. */
const progressIn = (table: string) =>
  `CASE WHEN ${table}.state <> 'learning' THEN 2 ELSE json_type(${table}.template, '$.verdict') IS NOT NULL END`;
const SAVE = `INSERT INTO templates
  (id, origin, template, state, requests, read, replies, replies_read, decided, saved)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, template = excluded.template, state = excluded.state,
  requests = excluded.requests, read = excluded.read, replies = excluded.replies,
  replies_read = excluded.replies_read, decided = excluded.decided, saved = excluded.saved
  WHERE excluded.decided > templates.decided
  OR excluded.decided = templates.decided AND (? OR ${progressIn('excluded')} >= ${progressIn('templates')})`;
const REMOVE = 'DELETE FROM templates WHERE id = ? AND decided = 0';

const slot = z.strictObject({
  role: z.enum(SLOT_ROLES),
  label: z.string(),
  encoding: z.enum(SLOT_ENCODINGS),
});
const part = z
  .strictObject({ role: z.string(), literals: z.array(z.string()), slots: z.array(slot) })
  .refine(({ literals, slots }) => literals.length === slots.length + 1);
const template = z.strictObject({
  name: z.string(),
  parts: z.array(part).min(1),
  verdict: verdictFileSchema.exactOptional(),
});
/** A template, and what came of asking a model about it. */
const kept = z
  .strictObject({
    ...template.shape,
    reader: readerRecordSchema.exactOptional(),
    learnedAs: z.array(z.array(z.string())).exactOptional(),
  })
  .transform(({ reader, learnedAs, ...rest }) => ({
    template: rest,
    ...(reader && { reader }),
    ...(learnedAs && { learnedAs }),
  }));
const origin = z
  .strictObject({ tenant: z.string(), path: z.string(), schema: z.unknown() })
  .transform(({ tenant, path, schema }) => ({ tenant, path, schema: schema ?? null }));
const row = z
  .object({
    id: z.string(),
    origin: createJsonColumn(origin),
    template: createJsonColumn(kept),
    state: z.enum(LEARNED_STATES),
  })
  .extend({ requests: z.number(), read: z.number(), replies: z.number(), replies_read: z.number() })
  .extend({ decided: z.number() })
  .transform(
    ({ replies_read: repliesRead, decided, template: kept, ...rest }): Pipeline => ({
      ...rest,
      ...kept,
      repliesRead,
      samples: [],
      ...(decided > 0 && { decided }),
    }),
  );

function valuesOf(pipeline: Pipeline, now: number): (string | number)[] {
  const { id, origin, template, reader, learnedAs, state, decided = 0 } = pipeline;
  const { requests, read, replies, repliesRead } = pipeline;
  const file = { ...template, ...(reader && { reader }), ...(learnedAs && { learnedAs }) };
  const isDoubted = pipeline.doubted ? 1 : 0;
  return [
    ...[id, JSON.stringify(origin), JSON.stringify(file), state],
    ...[requests, read, replies, repliesRead, decided, now, isDoubted],
  ];
}

const withTemplate = (pipelines: readonly Pipeline[]) =>
  pipelines.filter(({ template }) => template !== null);

function readable(rows: readonly unknown[]): readonly Pipeline[] {
  return rows.flatMap((one) => {
    try {
      const read = row.safeParse(one);
      return read.success ? [read.data] : [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

/**
 * @param sql with the table of migration 0009
 * @param together statements in one transaction at most
 */
function createTemplateStore({ all, run }: TableSql, together: number): TemplateStore {
  async function inBatches(statements: readonly SqlStatement[]): Promise<void> {
    for (let at = 0; at < statements.length; at += together)
      await run(...statements.slice(at, at + together));
  }
  return {
    async load() {
      const rows = await all(z.unknown(), LOAD);
      if (rows.length === MOST_ROWS) await run([TRIM]);
      return readable(rows);
    },
    save: (pipelines, now) =>
      inBatches(withTemplate(pipelines).map((pipeline) => [SAVE, ...valuesOf(pipeline, now)])),
    remove: (ids) => inBatches(ids.map((id) => [REMOVE, id])),
  };
}

/** @param opened the file with its tables, and the queue of its writer; called when the store is used first */
export const sqliteTemplates = (
  opened: () => { readonly database: DatabaseSync; readonly together: WriteBatcher },
): TemplateStore =>
  createTemplateStore(
    createSqliteTables(
      () => opened().database,
      () => opened().together,
    ),
    Number.POSITIVE_INFINITY,
  );

/** @param database with its tables: `wrangler d1 migrations apply` */
export const d1Templates = (database: D1): TemplateStore =>
  createTemplateStore(createD1Tables(database), BATCH);

/** As the statement that saves has it. */
function mayReplace(pipeline: Pipeline, before: Pipeline): boolean {
  const later = (pipeline.decided ?? 0) - (before.decided ?? 0);
  return later > 0 || (later === 0 && (pipeline.doubted || progressOf(pipeline) >= progressOf(before)));
}

export function memoryTemplates(): TemplateStore {
  const kept = new Map<string, Pipeline>();
  return {
    load: async () => [...kept.values()],
    async save(pipelines) {
      for (const pipeline of withTemplate(pipelines)) {
        const before = kept.get(pipeline.id);
        if (before && !mayReplace(pipeline, before)) continue;
        kept.delete(pipeline.id);
        kept.set(pipeline.id, { ...pipeline, samples: [] });
      }
    },
    async remove(ids) {
      for (const id of ids) if (kept.get(id)?.decided === undefined) kept.delete(id);
    },
  };
}
