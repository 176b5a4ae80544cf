/**
 * `--dry-run`: what a command would ask, in calls, tokens and money. The command does its work as ever, but a stand-in
 * answers in place of every endpoint, and files are written to a folder that is thrown away.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type CallStore,
  computeCost,
  createMemoryCalls,
  type ModelName,
  type Prices,
} from '../models/index.ts';
import { openSqliteCalls } from '../models/store/sqlite-calls.ts';
import type { Fetch, Tokens } from '../ports.ts';
import { createStandIn } from '../sandbox/index.ts';
import { asText, flag, optional } from './command.ts';
import { EarlyEnd } from './terminal.ts';

export const dryRunOptions = {
  'dry-run': flag('ask nobody: say how many calls and tokens it would take, and what they would cost'),
  prices: optional(asText, 'JSON file {model: {input, output}}, per million tokens (default: REMAND_PRICES)'),
};

/** Characters of English text, or of a request's body, for each token: a rule of thumb, for estimates. */
export const CHARACTERS = 4;
/** Tokens of one reply, a verdict with its reasons, where the request does not limit it to fewer. */
const REPLY_TOKENS = 300;

interface ModelPlan {
  /** As reports name the model. */
  readonly name: string;
  /** As its endpoint and the prices name it. */
  readonly model: string;
  readonly calls: number;
  readonly tokens: Tokens;
  /** In the currency of the prices; null where the model has none. */
  readonly cost: number | null;
}

export interface Rehearsal {
  /** Reads what an earlier run has kept, and keeps what the stand-in says as long as the rehearsal lasts. */
  readonly store: CallStore;
  /**
   * The transport of one model in this rehearsal.
   *
   * @param local one that asks nobody outside, and so costs nothing; null to let the stand-in answer
   */
  fetch(of: Pick<ModelName, 'name' | 'model'>, local: Fetch | null): Fetch;
  /** Where to write in place of `folder`. */
  folder(folder: string): Promise<string>;
  end(prices: Prices): DryRunEnd;
  close(): Promise<void>;
}

/** @param path of the call store, which need not exist */
export function createRehearsal(path: string): Rehearsal {
  const standIn = createStandIn();
  const earlier = existsSync(path) ? openSqliteCalls(path) : null;
  const own = createMemoryCalls();
  const kept = new Set<string>();
  const plans = new Map<
    string,
    { name: string; model: string; calls: number; tokens: Tokens; free: boolean }
  >();
  const folders = new Map<string, string>();
  return {
    store: {
      async get(key) {
        const known = await earlier?.get(key);
        if (known) kept.add(key);
        return known ?? own.get(key);
      },
      put: own.put,
    },
    fetch({ name, model }, local) {
      const plan = plans.get(name) ?? {
        name,
        model,
        calls: 0,
        tokens: { input: 0, output: 0 },
        free: local !== null,
      };
      plans.set(name, plan);
      return (url, init) => {
        const tokens = estimateTokens(
          url,
          init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init.body,
        );
        plan.calls++;
        plan.tokens = { input: plan.tokens.input + tokens.input, output: plan.tokens.output + tokens.output };
        return (local ?? standIn)(url, init);
      };
    },
    async folder(folder) {
      const known = folders.get(folder) ?? (await mkdtemp(join(tmpdir(), 'remand-dry-run-')));
      folders.set(folder, known);
      return known;
    },
    end(prices) {
      const models = [...plans.values()].map(({ free, ...plan }): ModelPlan => {
        const cost = computeCost(plan.model, plan.tokens, prices);
        return { ...plan, cost: free || plan.calls === 0 ? 0 : cost && cost.input + cost.output };
      });
      return new DryRunEnd(models, kept.size);
    },
    async close() {
      earlier?.close();
      for (const folder of folders.values()) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The fields by which protocols limit a reply. */
const limited = z
  .object({ max_tokens: z.int(), max_completion_tokens: z.int(), max_output_tokens: z.int() })
  .partial();

function estimateTokens(url: string, body: unknown): Tokens {
  if (typeof body !== 'string') return { input: 0, output: 0 };
  if (url.endsWith('/embeddings')) return { input: Math.ceil(body.length / CHARACTERS), output: 0 };
  const read = limited.safeParse(JSON.parse(body));
  const { max_tokens: most, max_completion_tokens: completion, max_output_tokens: output } = read.data ?? {};
  return {
    input: Math.ceil(body.length / CHARACTERS),
    output: Math.min(REPLY_TOKENS, most ?? completion ?? output ?? REPLY_TOKENS),
  };
}

/** What a dry run found. */
export class DryRunEnd extends EarlyEnd {
  override name = 'DryRunEnd';
  readonly models: readonly ModelPlan[];
  /** Calls that an earlier run has paid for. */
  readonly kept: number;

  constructor(models: readonly ModelPlan[], kept: number) {
    super(describePlan(models, kept));
    this.models = models;
    this.kept = kept;
  }

  override get report(): object {
    const { models, kept } = this;
    return { dry_run: true, ...sumPlans(models), kept, models };
  }
}

function sumPlans(models: readonly ModelPlan[]): Omit<ModelPlan, 'name' | 'model'> {
  const sum = (of: (one: ModelPlan) => number) => models.reduce((total, one) => total + of(one), 0);
  return {
    calls: sum(({ calls }) => calls),
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
    cost: models.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
  };
}

function describePlan(models: readonly ModelPlan[], kept: number): string {
  const all = sumPlans(models);
  const amounts = ({ calls, tokens, cost }: Omit<ModelPlan, 'name' | 'model'>) =>
    `${calls} calls, about ${tokens.input} tokens in and ${tokens.output} out${cost === null ? '' : `, about ${formatCost(cost)}`}`;
  const unknown = [...new Set(models.flatMap(({ model, cost }) => (cost === null ? [model] : [])))];
  return [
    `Nobody was asked. The command would make ${amounts(all)}.`,
    ...(models.length > 1 ? models.map((one) => `  ${one.name}: ${amounts(one)}`) : []),
    ...(kept > 0 ? [`${kept} further calls are kept from an earlier run and cost nothing.`] : []),
    `A reply is taken for ${REPLY_TOKENS} tokens. Where a call depends on a reply, a simulated judge has answered; one that is swayed more often takes more calls.`,
    ...unknown.map(
      (model) =>
        `No price is known for ${model}: name it in --prices or REMAND_PRICES, as {${JSON.stringify(model)}: {"input": …, "output": …}} per million tokens.`,
    ),
  ].join('\n');
}

const formatCost = (cost: number) => (cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2));
