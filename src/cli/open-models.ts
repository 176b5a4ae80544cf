/** Models from their specifications: transport, key, call store, rate limits and budget put together. For Node. */
import { InputError } from '../errors.ts';
import { createPool } from '../http/pool.ts';
import {
  type Batches,
  type CallStore,
  createBatches,
  createConnection,
  createFleet,
  createJsonCalls,
  createModel,
  createReplay,
  type JsonCalls,
  type Model,
  nameEndpoint,
  paceFetch,
  type Spend,
  storedCall,
} from '../models/index.ts';
import { openSqliteCalls } from '../models/store/sqlite-calls.ts';
import { type Clock, type Fetch, systemClock } from '../ports.ts';
import { readAllJsonl } from '../records/node.ts';
import { createSandboxJudge } from '../sandbox/index.ts';
import { runInterruptible } from './arguments.ts';
import { type ModelSpec, readModelSpec } from './model-spec.ts';
import type { BatchRunOptions } from './via-batch.ts';

interface ModelSetting {
  readonly store: CallStore;
  readonly spend: Spend;
  /** Where keys are looked up by their variable's name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variable of the key where a specification names none. */
  readonly keyVariable: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly retries?: number;
  readonly timeoutMs?: number;
  /** Calls to endpoints are handed over in batches; null or missing to make them at once. */
  readonly via?: BatchRunOptions | null;
}

export interface Models {
  /** @param more parameters beside those of the command, or in their place */
  open(spec: string, option: string, more?: Readonly<Record<string, unknown>>): Promise<Model>;
  /** For calls that are no conversation. Made at once, whatever the rest is handed over as. */
  calls(spec: string, option: string): Promise<JsonCalls>;
  /** Of the models opened so far, those whose calls are handed over. */
  readonly batches: readonly Batches[];
  /** For calls that are made otherwise and are to be kept all the same. */
  readonly store: CallStore;
  close(): Promise<void>;
}

/** Reads specifications and opens what they name; the connections are shared. */
export function createModels(setting: ModelSetting): Models {
  const pool = createPool();
  const batches: Batches[] = [];
  return {
    batches,
    store: setting.store,
    async open(text, option, more = {}) {
      const spec = readModelSpec(text, option);
      const { retries, timeoutMs, parameters, store, spend } = setting;
      const url = urlOf(spec);
      const key = keyOf(spec, setting, option);
      const inBatches = batchesOf(spec, { url, key, fetch: pool.fetch }, setting, option);
      if (inBatches) {
        await runInterruptible((signal) => inBatches.settle(signal));
        batches.push(inBatches);
      }
      return createModel({
        name: spec.name,
        model: spec.model,
        protocol: spec.protocol,
        url,
        key,
        parameters: { ...parameters, ...more },
        fetch: await transportOf(spec, pool.fetch, systemClock),
        store,
        spend,
        clock: systemClock,
        ...(inBatches ? { later: inBatches.later } : {}),
        ...(retries === undefined ? {} : { retries }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    },
    async calls(text, option) {
      const spec = readModelSpec(text, option);
      const { retries, timeoutMs, store, spend } = setting;
      return createJsonCalls({
        ...{ name: spec.name, model: spec.model, credential: spec.protocol.credential, store, spend },
        ...{ url: urlOf(spec), key: keyOf(spec, setting, option), clock: systemClock },
        fetch: await transportOf(spec, pool.fetch, systemClock),
        ...(retries === undefined ? {} : { retries }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    },
    close: () => pool.close(),
  };
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

/** Null where the calls are made at once: without `--via batch`, and where there is no endpoint. */
function batchesOf(
  spec: ModelSpec,
  at: { readonly url: string; readonly key: string | null; readonly fetch: Fetch },
  { via, store, spend, retries = 5, timeoutMs = 600_000 }: ModelSetting,
  option: string,
): Batches | null {
  if (!via || spec.where.kind !== 'endpoints') return null;
  const { tables, clock, size } = via;
  const { protocol, model } = spec;
  const { batches } = protocol.capabilities;
  if (!batches)
    throw new InputError(option, `${protocol.name} has no batch interface that is known; leave out --via`);
  const api = batches.open(createConnection({ ...at, protocol, clock, retries, timeoutMs }, batches.headers));
  const place = { endpoint: nameEndpoint(at.url), model, protocol: protocol.name };
  return createBatches({ api, tables, place, protocol, store, spend, clock, size });
}

async function transportOf({ where }: ModelSpec, fetch: Fetch, clock: Clock): Promise<Fetch> {
  switch (where.kind) {
    case 'sandbox':
      return createSandboxJudge(where.options);
    case 'store':
      return createReplay(
        where.path.endsWith('.jsonl') ? await readAllJsonl(where.path, storedCall) : fromSqlite(where.path),
      );
    case 'endpoints': {
      const [first] = where.endpoints;
      const members = where.endpoints.map(({ url, weight }) => ({
        url,
        weight,
        fetch: paceFetch(fetch, clock),
      }));
      return members.length === 1 && members[0] ? members[0].fetch : createFleet(first?.url ?? '', members);
    }
  }
}

function fromSqlite(path: string) {
  const calls = openSqliteCalls(path);
  const all = [...calls.all()];
  calls.close();
  return all;
}
