/** Judges of a run of many calls: models behind the operator's own upstreams, paid for with the operator's keys. */
import type { AuditJudge } from '../audit/index.ts';
import { InputError } from '../errors.ts';
import { createMemoryCalls, createModel, readModelName } from '../models/index.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { Config } from './config.ts';
import { withLane } from './limits/breaker.ts';
import type { Purse } from './limits/lease.ts';
import { countFetch, createPriceTable } from './limits/money.ts';
import type { CountedCall } from './metrics.ts';
import { createConfiguredRoutes } from './upstreams.ts';

/** The way to the judges, as the proxy has it. */
export interface JudgeUpstreams {
  readonly fetch: Fetch;
  readonly judgeUrl: string;
  readonly config: Config;
  readonly clock: Clock;
  /** Missing at the edge: a Workflow runs in isolates that nobody asks for metrics. */
  readonly called?: (call: CountedCall) => void;
}

/** Who asked, by the id of the key, and what the calls are paid from. */
export interface JudgePayer {
  readonly who: string;
  readonly purse: Purse;
}

/**
 * @param text `[name=][protocol:]model[@/path of an upstream]`, several with `;`
 * @param parameters further fields of each request
 * @throws InputError for a judge that cannot be meant, RefusedError for one without a price where its calls are paid in money
 */
export function readUpstreamJudges(
  text: string,
  parameters: Readonly<Record<string, unknown>>,
  { fetch, judgeUrl, config, clock, called }: JudgeUpstreams,
  { who, purse }: JudgePayer,
): AuditJudge[] {
  const routes = createConfiguredRoutes(config, judgeUrl);
  const prices = createPriceTable(config.REMAND_PRICES);

  function read(spec: string): AuditJudge {
    const [head = '', path] = spec.split(/@(?=\/)/);
    const { name, model, protocol } = readModelName(head, 'judge');
    const target = `${path ?? ''}/`;
    const routed = routes.ofPath(target);
    if (path !== undefined && routed.target === target)
      throw new InputError('judge', `no upstream has the path ${path} (REMAND_UPSTREAMS)`);
    const { url, key = null } = routes.ofModel(model, routed).upstream;
    const check = () => purse.lease.money && prices.check(model);
    check();
    const lane = withLane(fetch, { upstream: url, model, who });
    const counted = countFetch(lane, protocol, clock, (call) => {
      if (call.tokens && purse.lease.money) purse.lease.pay(prices.cost(model, call.tokens));
      called?.({ kind: 'audit', ...call });
    });
    return {
      name,
      protocol,
      open: async (more) =>
        createModel({
          ...{ name, model, protocol, url, key, clock, store: createMemoryCalls(), spend: purse },
          async fetch(to, init) {
            check();
            return counted(to, init);
          },
          parameters: { ...parameters, ...more },
          // Whoever runs them asks again what failed.
          retries: 0,
          timeoutMs: config.JUDGE_TIMEOUT_MS,
        }),
    };
  }

  const judges = text.split(';').map((one) => read(one.trim()));
  if (new Set(judges.map(({ name }) => name)).size < judges.length)
    throw new InputError('judge', 'two judges have one name: name them with name=model');
  return judges;
}
