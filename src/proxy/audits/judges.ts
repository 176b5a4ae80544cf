/** The judges of an audit: models behind the operator's own upstreams, paid with the operator's keys. */
import type { Adapter } from '../../../adapters/types.ts';
import { InputError } from '../../errors.ts';
import { BudgetError } from '../../http/judge-errors.ts';
import type { CallStore } from '../../models/call-store.ts';
import { createModel, type Model } from '../../models/model.ts';
import type { Spend } from '../../models/spend.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { isPlain, NOT_PLAIN } from '../../records/control.ts';
import type { Config } from '../config.ts';
import { withLane } from '../limits/breaker.ts';
import type { Lease } from '../limits/lease.ts';
import { meterFetch } from '../limits/meter-fetch.ts';
import { createPriceTable } from '../limits/money.ts';
import type { CountedCall } from '../metrics.ts';
import { ADAPTERS } from '../protocols.ts';
import { RefusedError } from '../refusal.ts';
import { createConfiguredRoutes } from '../upstreams.ts';
import type { AuditSettings, JudgeSpec, Judges } from './kinds/types.ts';

/** The way to the judges, as the proxy has it. */
export interface JudgeUpstreams {
  readonly fetch: Fetch;
  readonly judgeUrl: string;
  readonly config: Config;
  readonly clock: Clock;
  /** Where its calls are counted. At the edge they are not: a Workflow's steps run in isolates that nobody asks for metrics. */
  readonly called?: (call: CountedCall) => void;
}

/** Records are kept, replies are not. */
const NOTHING: CallStore = {
  get: async () => null,
  put: async () => undefined,
};

/**
 * @param paying what the calls are paid from, what adds them up, and id of the key that asked; null where none will be made
 * @throws InputError naming the setting that cannot be used
 */
export function createJudges(
  asked: AuditSettings,
  { fetch, judgeUrl, config, clock, called }: JudgeUpstreams,
  paying: { readonly lease: Lease; readonly spend: Spend; readonly who: string | null } | null,
): Judges {
  const specs = (asked.judge ?? '').split(';').map((text) => readSpec(text.trim()));
  if (new Set(specs.map(({ name }) => name)).size < specs.length)
    throw new InputError('judge', 'two judges have one name: name them with name=model');
  const parameters = readParameters(asked.parameters);
  const routes = createConfiguredRoutes(config, judgeUrl);
  const prices = createPriceTable(config.REMAND_PRICES);

  function upstreamOf({ model, path }: JudgeSpec) {
    const target = `${path}/`;
    const routed = routes.ofPath(target);
    if (path !== '' && routed.target === target)
      throw new InputError('judge', `no upstream has the path ${path} (REMAND_UPSTREAMS)`);
    return routes.ofModel(model, routed).upstream;
  }

  function open(spec: JudgeSpec, more: Readonly<Record<string, unknown>>): Model {
    const { url, key = null } = upstreamOf(spec);
    const { name, model, protocol } = spec;
    const spend = paying?.spend ?? UNPAID;
    const plain = withLane(fetch, { upstream: url, model, who: paying?.who ?? null });
    const opened = createModel({
      ...{
        name,
        model,
        protocol,
        url,
        key,
        spend,
        clock,
        store: NOTHING,
        parameters: { ...parameters, ...more },
      },
      fetch: paying?.lease.money ? priced(spec, paying.lease, plain) : plain,
      // A call that failed is made again by the next attempt at its batch, which may be another process's.
      retries: 0,
      timeoutMs: config.JUDGE_TIMEOUT_MS,
    });
    return called ? counted(opened, called, clock) : opened;
  }

  /** Counted by the reply's tokens, or by its length where it names none. */
  function priced({ model, protocol }: JudgeSpec, lease: Lease, plain: Fetch): Fetch {
    prices.check(model);
    return (url, init) => {
      const sent = new TextEncoder().encode(String(init.body));
      const count = (tokens: Parameters<typeof prices.cost>[1]) => lease.pay(prices.cost(model, tokens));
      return meterFetch(plain, { adapter: protocol, sent, stream: false, count })(url, init);
    };
  }

  return { specs, open };
}

function counted(model: Model, called: (call: CountedCall) => void, clock: Clock): Model {
  return {
    name: model.name,
    async ask(question, signal) {
      const began = clock.elapsed();
      const ended = (one: Pick<CountedCall, 'tokens' | 'error'>) =>
        called({ kind: 'audit', ms: clock.elapsed() - began, ...one });
      try {
        const answer = await model.ask(question, signal);
        ended({ tokens: answer.tokens, error: null });
        return answer;
      } catch (error) {
        // Those were refused before there was a call.
        if (!(error instanceof BudgetError || error instanceof RefusedError))
          ended({ tokens: null, error: String(error) });
        throw error;
      }
    },
  };
}

const UNPAID: Spend = {
  calls: 0,
  tokens: { input: 0, output: 0 },
  begin() {
    throw new RangeError('a judge was asked that was opened to be looked at');
  },
  add() {},
};

/** `[name=][protocol:]model[@/path]`, as the command line names models, with an upstream's path in the URL's place. */
function readSpec(text: string): JudgeSpec {
  if (!isPlain(text)) throw new InputError('judge', NOT_PLAIN);
  const [, name, before, rest = '', path = ''] =
    /^(?:([^=@]+)=)?(?:([a-z-]+):)?([^@]+)(?:@((?:\/[\w.-]+)+))?$/.exec(text) ?? [];
  if (rest === '')
    throw new InputError('judge', `"${text}" is no judge: [name=][protocol:]model[@/path of an upstream]`);
  const known: Adapter | undefined = ADAPTERS.find((one) => one.name === before);
  // A model's own name may have a colon: `llama3:70b`.
  const model = known || before === undefined ? rest : `${before}:${rest}`;
  return { name: name ?? model, model, protocol: known ?? ADAPTERS[0], path };
}

function readParameters(text = '{"temperature":0}'): Readonly<Record<string, unknown>> {
  const fault = new InputError('parameters', 'must be a JSON object of further fields of each request');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw fault;
}
