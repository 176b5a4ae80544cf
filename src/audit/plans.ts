/** The audits that run by a plan, by their names, and their rows in batches: for whoever asks for one over HTTP. */
import * as z from 'zod';
import { InputError } from '../errors.ts';
import { decodeText, parseJsonLines, RecordError } from '../records/index.ts';
import { createJsonObject, readSettings } from './audit-settings.ts';
import type { AuditJudge, AuditPlan } from './plan.ts';

interface LoadedPlan<S extends z.ZodObject> {
  readonly settings: S;
  create(settings: z.output<S>, judges: readonly AuditJudge[]): Promise<AuditPlan>;
}

/** One kind of audit, loaded when it is asked for: who judges starts without its statistics. */
function definePlan<S extends z.ZodObject>(load: () => Promise<LoadedPlan<S>>) {
  return async (given: AuditSettings, judges: readonly AuditJudge[]): Promise<AuditPlan> => {
    const { settings, create } = await load();
    const known = Object.keys({ ...settings.shape, ...common.shape });
    const stray = Object.keys(given).find((name) => !known.includes(name));
    if (stray !== undefined) throw new InputError(stray, `no such setting; there are ${known.join(', ')}`);
    return create(readSettings(settings, given), judges);
  };
}

const PLANS = {
  cues: definePlan(async () => {
    const { createCuePlan: create, cueSettings: settings } = await import('./cues/plan.ts');
    return { settings, create };
  }),
  authors: definePlan(async () => {
    const { createAuthorPlan: create, authorSettings: settings } = await import('./authors/plan.ts');
    return { settings, create };
  }),
  perturb: definePlan(async () => {
    const { createPerturbPlan: create, perturbSettings: settings } = await import('./perturb/plan.ts');
    return { settings, create };
  }),
};
const KINDS = Object.keys(PLANS) as (keyof typeof PLANS)[];

const common = z.object({
  /** Not `authorship`, which embeds thousands of reviews by people at once, nor `biases`, which has no plan. */
  kind: z
    .enum(KINDS, {
      error: `must be one of ${KINDS.join(', ')}; authorship and biases are for \`npx remand audit\``,
    })
    .default('cues'),
  judge: z.string({ error: 'names no judge' }),
  parameters: createJsonObject().default({ temperature: 0 }),
});

/** Settings by the names of the command's options. */
type AuditSettings = Readonly<Record<string, string>>;

/**
 * @param readJudges reads what the settings say of the judges, and of further fields of each request to them
 * @throws InputError naming a setting that is not known, or cannot be used
 */
export function openPlan(
  given: AuditSettings,
  readJudges: (judge: string, parameters: Readonly<Record<string, unknown>>) => readonly AuditJudge[],
): Promise<AuditPlan> {
  const { kind, judge, parameters } = readSettings(common, given);
  return PLANS[kind](given, readJudges(judge, parameters));
}

/**
 * Calls of one batch: what is asked again where a process is lost. A batch is one step of a Workflow, so they are below the
 * 50 subrequests of the free plan (https://developers.cloudflare.com/workers/platform/limits/#subrequests).
 */
const BATCH_CALLS = 40;
/** Of a row that makes more by itself: a paper under every author. */
const ROW_CALLS = 400;
/** Of all rows: their records are in memory for the report. */
const ALL_CALLS = 20_000;
/**
 * Characters of a batch's rows: with their records they are below the 2 MB of one row of D1
 * (https://developers.cloudflare.com/d1/platform/limits/).
 */
const BATCH_CHARACTERS = 400_000;

export interface RowBatch {
  /** As they were sent. */
  readonly rows: unknown[];
  /** How many there are of all its rows. */
  tasks: number;
  calls: number;
  characters: number;
}

/**
 * @param bytes JSONL
 * @returns batches in the order of their rows; at least one
 * @throws RecordError for the first row that is wrong, or that asks for too much
 */
export async function splitRows(
  bytes: Uint8Array,
  { row: schema, tasks: list }: AuditPlan,
): Promise<RowBatch[]> {
  const { signal } = new AbortController();
  const seen = new Set<string>();
  const batches: RowBatch[] = [];
  let all = 0;
  for (const { line, value, record } of parseJsonLines(decodeText(bytes), schema)) {
    const check = (fits: boolean, field: string | null, message: string) => {
      if (!fits) throw new RecordError(line, field, message);
    };
    check(!seen.has(record.id), 'id', `a second row has the id "${record.id}"`);
    seen.add(record.id);
    const { length } = JSON.stringify(value);
    check(length <= BATCH_CHARACTERS, null, `has ${length} characters; one row may have ${BATCH_CHARACTERS}`);
    const tasks = await list(record, signal);
    const calls = tasks.reduce((sum, task) => sum + task.calls, 0);
    all += calls;
    check(calls <= ROW_CALLS, null, `makes ${calls} calls, and one row may make ${ROW_CALLS}`);
    check(
      all <= ALL_CALLS,
      null,
      `the rows up to here make ${all} calls, and an audit may make ${ALL_CALLS}`,
    );
    const last = batches.at(-1);
    if (last && last.calls + calls <= BATCH_CALLS && last.characters + length <= BATCH_CHARACTERS) {
      last.rows.push(value);
      last.tasks += tasks.length;
      last.calls += calls;
      last.characters += length;
    } else batches.push({ rows: [value], tasks: tasks.length, calls, characters: length });
  }
  if (batches.length === 0) throw new RecordError(1, null, 'there are no rows');
  return batches;
}
