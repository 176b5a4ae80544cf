/** What every command that asks models can be told, and the models opened by it. For Node. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import { BudgetError, RefusedKeyError } from '../http/index.ts';
import { createSpend, type Spend } from '../models/index.ts';
import { openSqliteCalls } from '../models/store/sqlite-calls.ts';
import { systemClock } from '../ports.ts';
import { runInterruptible } from './arguments.ts';
import {
  asJson,
  asOneOf,
  asText,
  asWhole,
  flag,
  type OptionValues,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { createRehearsal, dryRunOptions } from './dry-run.ts';
import { createFailureTally, createModels, type Models } from './open-models.ts';
import { loadPrices } from './result-origin.ts';
import { tell } from './terminal.ts';
import { runInBatches } from './via-batch.ts';

export const callStore = (path: string) =>
  usual(asText, path, 'file of finished model calls; started again with it, none is paid for twice');

export const modelOptions = {
  parameters: usual(asJson, '{"temperature":0}', 'JSON: further fields of each request'),
  budget: optional(asWhole(0, 1e9), 'at most this many model calls'),
  tokens: optional(asWhole(0, 1e15), 'at most this many tokens, input and output together'),
  store: optional(asText, 'file of finished model calls (default: calls.sqlite in the folder)'),
  retries: usual(asWhole(0, 100), '5', 'how often a call is made again after an error that may pass'),
  timeout: usual(asWhole(1, 86_400), '600', 'seconds for one call'),
  via: usual(
    asOneOf(['calls', 'batch']),
    'calls',
    "calls, or batch: handed over to the provider's batch interface, cheaper and within a day",
  ),
  ...onlyWith('via batch', {
    wait: flag('stay until the batches are done'),
    poll: usual(asWhole(1, 86_400), '30', 'seconds between two checks of --wait'),
    'batch-size': usual(asWhole(1, 100_000), '50000', 'at most this many calls in one batch'),
  }),
  ...dryRunOptions,
};

export interface ModelArguments extends Partial<OptionValues<typeof modelOptions>> {
  /** Variable of the key where a specification names none; default JUDGE_API_KEY. */
  readonly keyVariable?: string;
  /** Whether `work` itself says which calls failed, and what that means for the exit code; default false. */
  readonly tellsFailures?: boolean;
}

/** The path of the call store, or the folder where it is by default. */
export type StorePlace =
  | { readonly store: string }
  | { readonly store?: string | undefined; readonly folder: string };

/** What was really asked and paid for. */
export type Paid = Pick<Spend, 'calls' | 'tokens'>;

/**
 * Runs `work` with models that share one call store and one budget, closes what was opened, lets `report` write and print
 * what came of it, and says last why calls failed. The exit code is 1 where more of them failed than were answered.
 *
 * @param work its signal aborts at Ctrl-C
 * @param report not called in a dry run
 * @throws EarlyEnd of a dry run, and where the calls are handed over in batches and are not all answered yet
 */
export async function withModels(
  {
    keyVariable = 'JUDGE_API_KEY',
    parameters = {},
    retries = 5,
    timeout = 600,
    ...args
  }: ModelArguments & StorePlace,
  work: (models: Models, signal: AbortSignal) => Promise<void>,
  report: (paid: Paid) => void | Promise<void> = () => {},
): Promise<void> {
  const path = 'folder' in args ? (args.store ?? join(args.folder, 'calls.sqlite')) : args.store;
  const failures = createFailureTally();
  const shared = { env: process.env, keyVariable, parameters, retries, timeoutMs: 1000 * timeout, failures };
  if (args['dry-run']) {
    const prices = await loadPrices(args.prices);
    const rehearsal = createRehearsal(path);
    const spend = createSpend({ calls: null, tokens: null });
    const models = createModels({ ...shared, store: rehearsal.store, spend, rehearsal });
    try {
      await runInterruptible((signal) => work(models, signal));
    } finally {
      await models.close();
      await rehearsal.close();
    }
    throw rehearsal.end(prices);
  }
  const spend = createSpend({ calls: args.budget ?? null, tokens: args.tokens ?? null });
  const isNew = path !== ':memory:' && !existsSync(path);
  const store = openSqliteCalls(path);
  const pollMs = args.wait ? 1000 * (args.poll ?? 30) : null;
  const via =
    args.via === 'batch'
      ? { tables: store.batches(), clock: systemClock, size: args['batch-size'] ?? 50_000, pollMs }
      : null;
  const models = createModels({ ...shared, store, spend, via });
  const run = () => runInterruptible((signal) => work(models, signal));
  try {
    try {
      if (via) await runInBatches(via, models.batches, run);
      else await run();
    } catch (cause) {
      // A command that is refused leaves nothing behind.
      if (isNew && !via && cause instanceof InputError && store.release()) rmSync(path, { force: true });
      throw cause;
    } finally {
      await models.close();
      store.close();
    }
    await report({ calls: spend.calls, tokens: spend.tokens });
  } catch (cause) {
    if (cause instanceof BudgetError && !(cause instanceof RefusedKeyError) && path !== ':memory:')
      throw new BudgetError(
        `${cause.message}; what was answered is kept in ${path}: the same command goes on from there`,
        { cause },
      );
    throw cause;
  } finally {
    if (!args.tellsFailures) {
      tell(failures.describe());
      if (failures.isMost()) process.exitCode = 1;
    }
  }
}
