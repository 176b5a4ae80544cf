/**
 * Hostile traffic before the real proxy: random requests in every protocol, against an upstream that answers well,
 * badly, late or never. What a case asks and gets is a function of its number.
 */
import { type Arena, type Asked, type Exchange, openArena } from './arena.ts';
import { type RunLength, shareOf } from './length.ts';
import { minimised } from './minimise.ts';
import { PROTOCOLS } from './protocols.ts';
import type { Measured } from './proxy.ts';
import { caseSeed, Random } from './random.ts';
import { keepExchange, recorded } from './regression.ts';
import { type Plan, pieceReplyOf, planOf } from './replies.ts';
import { type Judgment, judgments, pieceRequestOf, requestOf } from './requests.ts';

/** What is made hostile: all at once, the requests, the replies, or how these end. */
export const HTTP_PIECES = ['all', 'requests', 'replies', 'cuts'] as const;
export type HttpPiece = (typeof HTTP_PIECES)[number];

export interface HttpRun {
  readonly piece: HttpPiece;
  readonly seed: number;
  readonly length: RunLength;
  /** Begins with this case of the seed's: a finding may need its neighbours. */
  readonly from: number;
  /** The number of one case to ask alone; null for as many as the run holds. */
  readonly only: number | null;
  readonly workers: number;
}

/** After how much of the run it is measured first what the proxy holds. */
const WARM = 0.15;
/** Between that and the end, after collections: 200 traces in memory come and go. */
const MAX_GROWTH_BYTES = 64 << 20;
/** Of a proxy that has nothing to do: connections that are kept open, and timers. */
const MAX_HANDLES = 100;

/** @returns findings, each with the command that shows it again */
export async function fuzzHttp(run: HttpRun): Promise<string[]> {
  const { piece, seed, length, from, only, workers } = run;
  const findings: string[] = [];
  /** The cases that are being asked, and the commands that show each again. */
  const underWay = new Map<number, string>();
  const arena = await openArena((wrong, about) =>
    findings.push([wrong, ...(about ? underWay.values() : [])].join('\n  ')),
  );
  const pool = judgments();
  const seen = new Map<string, number>();
  const flag = piece === 'all' ? '' : ` --piece ${piece}`;

  async function one(own: number, among: number | null): Promise<void> {
    const alone = `npm run fuzz --${flag} --case ${own}`;
    // A fault that needs a crowd shows again, if at all, among the cases that were under way with it.
    const crowd = `npm run fuzz --${flag} --seed ${seed} --from ${Math.max(0, (among ?? 0) - 20)} --seconds 10`;
    const again = among === null ? alone : `${alone}\n  ${crowd}`;
    underWay.set(own, again);
    const exchange = exchangeOf(piece, own, pool);
    const asked = await arena.ask(exchange);
    underWay.delete(own);
    seen.set(asked.outcome, (seen.get(asked.outcome) ?? 0) + 1);
    if (asked.wrong === null) return;
    // Said before it is made small, which may fail.
    console.log(`case ${own}: ${asked.wrong}\n  ${again}`);
    const path = await keepSmall(arena, exchange, asked);
    findings.push(`case ${own}: ${asked.wrong}\n  ${again}\n  ${path}`);
  }

  const began = performance.now();
  let warm: Measured | null = null;
  if (only !== null) {
    await one(only, null);
  } else {
    let next = from;
    const share = () => shareOf(length, began, next - from);
    const worker = async (first: boolean) => {
      while (share() < 1 && findings.length <= 9) {
        const index = next++;
        await one(caseSeed(seed, index), index);
        if (first && warm === null && share() > WARM) warm = await arena.measure();
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, i) => worker(i === 0)));
  }
  const end = await arena.measure();
  const grown = warm === null ? 0 : end.bytes - (warm as Measured).bytes;
  if (grown > MAX_GROWTH_BYTES) findings.push(`the heap has grown by ${grown} bytes`);
  if (end.handles > MAX_HANDLES) findings.push(`${end.handles} handles are open`);
  findings.push(...(await arena.close()));
  const outcomes = [...seen].toSorted(([, a], [, b]) => b - a).map(([what, count]) => `${count} × ${what}`);
  const cases = [...seen.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${cases} cases in ${((performance.now() - began) / 1000).toFixed(0)} s, ${piece}, seed ${seed}: ${outcomes.join(', ')}\n` +
      `longest turn ${end.turnMs.toFixed(0)} ms of CPU time, heap grown by ${(grown / 2 ** 20).toFixed(1)} MiB, ${end.handles} handles at the end`,
  );
  return findings;
}

function exchangeOf(piece: HttpPiece, seed: number, pool: readonly Judgment[]): Exchange {
  const random = new Random(seed);
  const protocol = random.pick(PROTOCOLS);
  const ofCall = (call: number) => new Random(seed ^ Math.imul(call + 1, 0xc2b2ae35));
  if (piece === 'all') {
    const request = requestOf(protocol, random);
    return { protocol, request, planOf: (call) => planOf(protocol, request.stream, ofCall(call)) };
  }
  const judgment = random.pick(pool);
  const request = pieceRequestOf(piece, protocol, judgment, random.pick(pool), random);
  return {
    protocol,
    request,
    planOf: (call) => pieceReplyOf(piece, protocol, request.stream, judgment.reply, ofCall(call)),
  };
}

/** Takes halves, quarters and so on out of the request and the judge's replies, as long as the same is wrong. */
async function keepSmall(arena: Arena, exchange: Exchange, first: Asked): Promise<string> {
  const { protocol } = exchange;
  let { request } = exchange;
  // A judge that was not asked, or not in time, may be asked when it is shown again.
  let plans = first.plans.length > 0 ? first.plans : [exchange.planOf(0)];
  const isAtFault = async (body: Buffer, replies: readonly Plan[]) => {
    const smaller = { protocol, request: { ...request, body }, planOf: recorded(replies) };
    return kindOf((await arena.ask(smaller)).wrong) === kindOf(first.wrong);
  };
  const asked = longestIn(request.body);
  const shorter = await minimised(asked.text, (one) => isAtFault(asked.with(one), plans));
  if (shorter !== asked.text) request = { ...request, body: asked.with(shorter) };
  for (const [i, plan] of [...plans].entries()) {
    const saying = (latin1: string) => plans.with(i, { ...plan, pieces: [Buffer.from(latin1, 'latin1')] });
    const whole = Buffer.concat(plan.pieces).toString('latin1');
    // How it was cut into pieces may be what counts.
    if (!(await isAtFault(request.body, saying(whole)))) continue;
    plans = saying(await minimised(whole, (one) => isAtFault(request.body, saying(one))));
  }
  return keepExchange({ protocol, request }, plans, first.wrong ?? '');
}

/** The longest string of a body in JSON, so that it stays JSON; else the body itself. */
function longestIn(body: Buffer): { readonly text: string; readonly with: (text: string) => Buffer } {
  const json = body.toString();
  const strings = [...json.matchAll(/"(?:[^"\\]|\\.)*"/g)].toSorted(([a], [b]) => b.length - a.length);
  const [longest] = strings;
  try {
    JSON.parse(json);
    if (longest)
      return {
        text: JSON.parse(longest[0]),
        with: (text) =>
          Buffer.from(
            json.slice(0, longest.index) +
              JSON.stringify(text) +
              json.slice(longest.index + longest[0].length),
          ),
      };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { text: body.toString('latin1'), with: (text) => Buffer.from(text, 'latin1') };
}

const kindOf = (wrong: string | null) => wrong?.replace(/:.*$/s, '').replace(/\d+/g, '…') ?? null;
