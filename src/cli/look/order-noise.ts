/**
 * What a judge's own noise is worth, from verdicts in both orders. A judge that goes by place favours one place, and noise
 * favours neither. So of the pairs that disagree, those that the opposite ones cancel are taken for noise.
 */
import { ORDER_BIASES } from '../../bias/index.ts';
import { readTraceDecision } from '../../proxy/labels/trace-records.ts';
import type { LookResult } from '../../report/index.ts';
import { mcnemarExact } from '../../stats/index.ts';
import type { Trace } from '../../trace/index.ts';

/** The first verdicts of a judgment in its two orders. */
export interface OrderPair {
  /** How its prompt is read. Judges may go by one place in one pipeline, and by the other in another. */
  readonly pipeline: string;
  /** The place that the verdict in the one order moved towards, compared with the other order; null where the two agree. */
  readonly favours: 'first' | 'last' | null;
  /** Whether a cue was undone in both orders, too. That is only seen where the two agree: else the rest waits for the next round. */
  readonly hasCue: boolean;
}

/** @returns null where the two orders have no verdicts that can be compared */
export function readOrderPair(trace: Trace): OrderPair | null {
  const [first] = trace.verdicts;
  const other = trace.swapped?.[0];
  const [given, swapped] = [first, other].map((one) => {
    const decision = one ? readTraceDecision(trace, one) : null;
    return decision === 'tie' ? (trace.case.options.length - 1) / 2 : decision;
  });
  if (typeof given !== 'number' || typeof swapped !== 'number') return null;
  const isPlace = (name: string) => ORDER_BIASES.some((bias) => bias.name === name);
  const hasCue = trace.analyses[0]?.evidence.some(({ biases }) => !biases.every(isPlace)) ?? false;
  const favours = given === swapped ? null : given < swapped ? 'first' : 'last';
  return { pipeline: JSON.stringify([trace.fingerprint?.template, trace.layout]), favours, hasCue };
}

type Orders = NonNullable<Extract<LookResult['sample'], { readonly asked: number }>['orders']>;

/**
 * Each pipeline for itself: in all of them together opposite places would pass for noise. `p` is the least, by Holm.
 *
 * @returns null where nothing was judged in both orders
 */
export function estimateOrderNoise(pairs: readonly OrderPair[]): Orders | null {
  if (pairs.length === 0) return null;
  const each = [...Map.groupBy(pairs, ({ pipeline }) => pipeline).values()].map(estimateOne);
  const sum = (of: (one: (typeof each)[number]) => number) => each.reduce((all, one) => all + of(one), 0);
  return {
    compared: pairs.length,
    first: sum(({ first }) => first),
    last: sum(({ last }) => last),
    p: Math.min(1, each.length * Math.min(...each.map(({ p }) => p))),
    by_noise: sum(({ by_noise }) => by_noise),
    pipelines: each.length,
  };
}

/**
 * Each verdict is taken to differ by noise with one probability e, whatever the case: two differ with 2e(1 − e), which is the
 * share of pairs that cancel. Where a cue is undone in both orders, four verdicts have to be the same.
 */
function estimateOne(pairs: readonly OrderPair[]) {
  const count = (is: (one: OrderPair) => boolean) => pairs.filter(is).length;
  const [first, last] = [
    count(({ favours }) => favours === 'first'),
    count(({ favours }) => favours === 'last'),
  ];
  const noisy = (2 * Math.min(first, last)) / pairs.length;
  const e = (1 - Math.sqrt(Math.max(0, 1 - 2 * noisy))) / 2;
  const agreeing = pairs.length - first - last;
  const cued = agreeing === 0 ? 0 : count(({ hasCue, favours }) => hasCue && favours === null) / agreeing;
  const differs = (verdicts: number) => 1 - (1 - e) ** verdicts - e ** verdicts;
  const byNoise = pairs.length * ((1 - cued) * differs(2) + cued * differs(4));
  return { first, last, p: mcnemarExact(first, last), by_noise: byNoise };
}
