/** Models from their specifications: transport, key, call store, rate limits and budget put together. For Node. */
import { InputError } from '../case/errors.ts';
import { fleet } from '../judge/fleet.ts';
import { createModel, type Model } from '../judge/model.ts';
import { paced } from '../judge/pace.ts';
import { createPool } from '../judge/pool.ts';
import { replay, storedCall } from '../judge/replay.ts';
import { createSandboxJudge } from '../judge/sandbox.ts';
import { createSpend, type Spend } from '../judge/spend.ts';
import { sqliteCalls } from '../judge/store/sqlite.ts';
import type { CallStore } from '../judge/store.ts';
import { type Clock, type Fetch, systemClock } from '../judge/types.ts';
import { readAllJsonl } from '../records/jsonl.ts';
import { jsonObject, wholeNumber } from './arguments.ts';
import { type ModelSpec, readModelSpec } from './model-spec.ts';

export interface ModelSetting {
  readonly store: CallStore;
  readonly spend: Spend;
  /** Where keys are looked up by their variable's name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variable of the key where a specification names none. */
  readonly keyVariable: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly retries?: number;
  readonly timeoutMs?: number;
}

export interface Models {
  /** @param more parameters beside those of the command, or in their place */
  open(spec: string, option: string, more?: Readonly<Record<string, unknown>>): Promise<Model>;
  close(): Promise<void>;
}

/** Reads specifications and opens what they name; the connections are shared. */
export function createModels(setting: ModelSetting): Models {
  const pool = createPool();
  return {
    async open(text, option, more = {}) {
      const spec = readModelSpec(text, option);
      const { retries, timeoutMs, parameters, store, spend } = setting;
      return createModel({
        name: spec.name,
        model: spec.model,
        protocol: spec.protocol,
        url: urlOf(spec),
        key: keyOf(spec, setting, option),
        parameters: { ...parameters, ...more },
        fetch: await transportOf(spec, pool.fetch, systemClock),
        store,
        spend,
        clock: systemClock,
        ...(retries === undefined ? {} : { retries }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    },
    close: () => pool.close(),
  };
}

/** Arguments of every command that asks models. */
export const modelArguments = {
  parameters: {
    type: 'string',
    default: '{"temperature":0}',
    description: 'JSON: further fields of each request',
  },
  budget: { type: 'string', description: 'most model calls' },
  tokens: { type: 'string', description: 'most tokens, input and output together' },
  store: {
    type: 'string',
    description: 'file of finished model calls (default: calls.sqlite in the folder)',
  },
} as const;

export interface ModelArguments {
  readonly parameters: string;
  readonly budget?: string | undefined;
  readonly tokens?: string | undefined;
  /** Path of the call store. */
  readonly store: string;
  readonly keyVariable: string;
}

/**
 * Runs `work` with models that share one call store and one budget, and closes what was opened.
 *
 * @returns what was really asked and paid for
 */
export async function withModels(
  args: ModelArguments,
  work: (models: Models) => Promise<void>,
): Promise<Pick<Spend, 'calls' | 'tokens'>> {
  const spend = createSpend({
    calls: args.budget === undefined ? null : wholeNumber('--budget', args.budget, 0, 1e9),
    tokens: args.tokens === undefined ? null : wholeNumber('--tokens', args.tokens, 0, 1e15),
  });
  const parameters = jsonObject('--parameters', args.parameters);
  const store = sqliteCalls(args.store);
  const models = createModels({ store, spend, env: process.env, keyVariable: args.keyVariable, parameters });
  try {
    await work(models);
  } finally {
    await models.close();
    store.close();
  }
  return { calls: spend.calls, tokens: spend.tokens };
}

/** What the endpoint is called in the call store: the first URL, since those of a fleet are alike. */
function urlOf({ where, name }: ModelSpec): string {
  if (where.kind === 'endpoints') return where.endpoints[0]?.url ?? '';
  return `http://${where.kind}.invalid/${encodeURIComponent(name)}`;
}

function keyOf({ where, keyVariable }: ModelSpec, setting: ModelSetting, option: string): string | null {
  if (where.kind !== 'endpoints') return null;
  const key = setting.env[keyVariable ?? setting.keyVariable];
  if (keyVariable !== null && !key)
    throw new InputError(option, `the environment variable ${keyVariable} is not set`);
  return key ?? null;
}

async function transportOf({ where }: ModelSpec, fetch: Fetch, clock: Clock): Promise<Fetch> {
  switch (where.kind) {
    case 'sandbox':
      return createSandboxJudge();
    case 'store':
      return replay(
        where.path.endsWith('.jsonl') ? await readAllJsonl(where.path, storedCall) : fromSqlite(where.path),
      );
    case 'endpoints': {
      const [first] = where.endpoints;
      const members = where.endpoints.map(({ url, weight }) => ({ url, weight, fetch: paced(fetch, clock) }));
      return members.length === 1 && members[0] ? members[0].fetch : fleet(first?.url ?? '', members);
    }
  }
}

function fromSqlite(path: string) {
  const calls = sqliteCalls(path);
  const all = [...calls.all()];
  calls.close();
  return all;
}
