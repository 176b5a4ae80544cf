/**
 * What every audit is made of: settings, and a plan by which each row becomes tasks, each task a record, and all records a
 * report. The command line and the audits that are asked for over HTTP run the same plan.
 */
import type * as z from 'zod';
import type { Adapter } from '../../adapters/index.ts';
import { type Model, type RunOptions, runAll } from '../models/index.ts';

/** An audit with its settings read and its judges opened. */
export interface AuditPlan<
  Row extends { readonly id: string } = { readonly id: string },
  Entry = unknown,
  Report extends object = object,
> {
  /** Reads a row from JSON. */
  readonly row: z.ZodType<Row, unknown>;
  /** The same row has the same tasks, in the same order. Makes calls itself only where a model edits the row. */
  tasks(row: Row, signal: AbortSignal): Promise<readonly AuditTask<Entry>[]>;
  readonly entry: z.ZodType<Entry>;
  /** A record without the texts that no figure needs: some kilobytes at most. */
  trim(entry: Entry): Entry;
  createTally(): AuditTally<Entry, Report>;
}

/** Work on one row that has one record. */
interface AuditTask<Entry = unknown> {
  /** Most model calls that it makes. */
  readonly calls: number;
  /** Rejects as the models do. */
  ask(signal: AbortSignal): Promise<Entry>;
  /** The record where it could not be asked. */
  fail(error: Error): Entry;
}

/** Whether a record is that of a task that could not be asked. */
export function isFailed(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'error' in entry && entry.error !== null;
}

/** Adds records up. They come in the order of the rows and of their tasks. */
interface AuditTally<Entry, Report extends object> {
  add(entry: Entry): void;
  report(): Report;
}

/** A judge by its name, not opened yet. */
export interface AuditJudge {
  readonly name: string;
  readonly protocol: Adapter;
  /** @param more fields of each request, beside those that all judges get */
  open(more: Readonly<Record<string, unknown>>): Promise<Model>;
}

/** The field that asks for the same draws each time; none where the protocol has no seed. */
export function createSeedFields({ capabilities }: Adapter, seed: number): Record<string, unknown> {
  return capabilities.seed ? { seed } : {};
}

export function openSeeded(judges: readonly AuditJudge[], seed: number): Promise<Model[]> {
  return Promise.all(judges.map((one) => one.open(createSeedFields(one.protocol, seed))));
}

/** A task that failed, by its place among all tasks. */
interface FailedTask {
  readonly task: AuditTask;
  readonly at: number;
  readonly error: Error;
}

/**
 * Asks the tasks that have no record yet.
 *
 * @param records of all tasks, null where there is none; those that come are entered, without the texts that no figure needs
 * @returns those that failed. Where the signal aborts, the records that had come by then stay
 */
export async function askMissing(
  plan: AuditPlan,
  tasks: readonly AuditTask[],
  records: unknown[],
  run: Omit<RunOptions, 'fatal'>,
): Promise<FailedTask[]> {
  const missing = tasks.flatMap((task, at) => (records[at] === null ? [{ task, at }] : []));
  const ask = async ({ task, at }: (typeof missing)[number], within: AbortSignal) => {
    records[at] = plan.trim(await task.ask(within));
  };
  const failed: FailedTask[] = [];
  try {
    for await (const { item, ...result } of runAll(missing, ask, { ...run, fatal: () => false }))
      if ('error' in result) failed.push({ ...item, error: result.error });
  } catch (error) {
    if (!run.signal.aborted) throw error;
  }
  return failed;
}

/**
 * @returns the records of all rows, in their order
 * @throws as `runAll`, and what listing the tasks of a row throws
 */
export async function* runPlan<Row extends { readonly id: string }, Entry>(
  plan: Pick<AuditPlan<Row, Entry>, 'tasks'>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  run: RunOptions,
): AsyncGenerator<Entry> {
  async function* listAll(): AsyncGenerator<AuditTask<Entry>> {
    for await (const listed of runAll(rows, (row, signal) => plan.tasks(row, signal), run)) {
      if ('error' in listed) throw listed.error;
      yield* listed.value;
    }
  }
  for await (const result of runAll(listAll(), (task, signal) => task.ask(signal), run))
    yield 'error' in result ? result.item.fail(result.error) : result.value;
}
