/** What every command that asks models can be told, and the models opened by it. For Node. */

import { InputError } from '../errors.ts';
import { createSpend, type Prices, prices, type Spend } from '../models/index.ts';
import { openSqliteCalls } from '../models/store/sqlite-calls.ts';
import { systemClock } from '../ports.ts';
import { explainIssue } from '../strict-fields.ts';
import { parseJsonObject, parseOneOf, parseWholeNumber, readTextOption } from './arguments.ts';
import { createRehearsal, dryRunArguments } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import { createFailureTally, createModels, type Models } from './open-models.ts';
import { tell } from './terminal.ts';
import { runInBatches } from './via-batch.ts';

export const modelArguments = {
  parameters: {
    type: 'string',
    default: '{"temperature":0}',
    description: 'JSON: further fields of each request',
  },
  budget: { type: 'string', description: 'at most so many model calls' },
  tokens: { type: 'string', description: 'at most so many tokens, input and output together' },
  store: {
    type: 'string',
    description: 'file of finished model calls (default: calls.sqlite in the folder)',
  },
  retries: {
    type: 'string',
    default: '5',
    description: 'how often a call is made again after an error that may pass',
  },
  timeout: { type: 'string', default: '600', description: 'seconds for one call' },
  via: {
    type: 'string',
    default: 'calls',
    description: "calls, or batch: handed over to the provider's batch interface, cheaper and within a day",
  },
  wait: { type: 'boolean', default: false, description: 'with --via batch: stay until the batches are done' },
  poll: { type: 'string', default: '30', description: 'with --wait: seconds between two checks' },
  'batch-size': { type: 'string', default: '50000', description: 'at most so many calls in one batch' },
  ...dryRunArguments,
} as const;

export interface ModelArguments {
  readonly parameters: string;
  readonly budget?: string | undefined;
  readonly tokens?: string | undefined;
  /** Path of the call store. */
  readonly store: string;
  readonly keyVariable: string;
  readonly retries?: string | undefined;
  readonly timeout?: string | undefined;
  readonly via?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly poll?: string | undefined;
  readonly 'batch-size'?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly prices?: string | undefined;
  /** Whether `work` itself says which calls failed, and what that means for the exit code; default false. */
  readonly tellsFailures?: boolean;
}

/** What was really asked and paid for. */
export type Paid = Pick<Spend, 'calls' | 'tokens'>;

/**
 * Runs `work` with models that share one call store and one budget, closes what was opened, lets `report` write and print
 * what came of it, and says last why calls failed. The exit code is 1 where more of them failed than were answered.
 *
 * @param report not called in a dry run
 * @throws EarlyEnd of a dry run, and where the calls are handed over in batches and are not all answered yet
 */
export async function withModels(
  args: ModelArguments,
  work: (models: Models) => Promise<void>,
  report: (paid: Paid) => void | Promise<void> = () => {},
): Promise<void> {
  const limit = {
    calls: args.budget === undefined ? null : parseWholeNumber('--budget', args.budget, 0, 1e9),
    tokens: args.tokens === undefined ? null : parseWholeNumber('--tokens', args.tokens, 0, 1e15),
  };
  const parameters = parseJsonObject('--parameters', args.parameters);
  const retries = parseWholeNumber('--retries', args.retries ?? '5', 0, 100);
  const timeoutMs = 1000 * parseWholeNumber('--timeout', args.timeout ?? '600', 1, 86_400);
  const pollMs = 1000 * parseWholeNumber('--poll', args.poll ?? '30', 1, 86_400);
  const size = parseWholeNumber('--batch-size', args['batch-size'] ?? '50000', 1, 100_000);
  const inBatches = parseOneOf('--via', args.via ?? 'calls', ['calls', 'batch']) === 'batch';
  const { keyVariable } = args;
  const failures = createFailureTally();
  const shared = { env: process.env, keyVariable, parameters, retries, timeoutMs, failures };
  if (args['dry-run']) {
    const prices = await loadPrices(args.prices);
    const rehearsal = createRehearsal(args.store);
    const spend = createSpend({ calls: null, tokens: null });
    const models = createModels({ ...shared, store: rehearsal.store, spend, rehearsal });
    try {
      await work(models);
    } finally {
      await models.close();
      await rehearsal.close();
    }
    throw rehearsal.end(prices);
  }
  const spend = createSpend(limit);
  const store = openSqliteCalls(args.store);
  const via = inBatches
    ? { tables: store.batches(), clock: systemClock, size, pollMs: args.wait ? pollMs : null }
    : null;
  const models = createModels({ ...shared, store, spend, via });
  try {
    try {
      if (via) await runInBatches(via, models.batches, () => work(models));
      else await work(models);
    } finally {
      await models.close();
      store.close();
    }
    await report({ calls: spend.calls, tokens: spend.tokens });
  } finally {
    if (!args.tellsFailures) {
      tell(failures.describe());
      if (failures.isMost()) process.exitCode = 1;
    }
  }
}

/**
 * `--prices`; without it, those that the proxy is set up with.
 *
 * @throws InputError naming the model whose price cannot be read
 */
export async function loadPrices(path: string | undefined): Promise<Prices> {
  return path === undefined ? (await loadConfig(process.env)).REMAND_PRICES : readPrices(path);
}

/** @throws InputError naming the model whose price cannot be read */
function readPrices(path: string): Prices {
  const option = '--prices';
  const read = prices.safeParse(parseJsonObject(option, readTextOption(path, option)), {
    error: explainIssue,
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InputError(
    option,
    `${path}: ${issue?.path.join('.')}: ${issue?.message}; it is {"model": {"input": …, "output": …}}, per million tokens`,
  );
}
