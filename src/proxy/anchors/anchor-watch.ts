/**
 * Anchor cases (REMAND_ANCHORS), asked again every so often: an alarm where the judge's verdicts on them are no longer what they
 * were, with a declared rate of false ones.
 */

import { ADAPTERS } from '../../../adapters/index.ts';
import { hashUtf8, toHex } from '../../bytes.ts';
import { isNone, kindOf, listAnswers, unlimited } from '../../case/index.ts';
import { describeError, InputError } from '../../errors.ts';
import { runWithTimeout, wait } from '../../http/index.ts';
import { readAnswer } from '../../judgment/index.ts';
import { explainNoVerdict } from '../../loop/index.ts';
import { createLedger, runAll } from '../../models/index.ts';
import { nextEvidence, testLatestRound } from '../../stats/index.ts';
import type { Config } from '../config.ts';
import { createHttpCaller, openEndpoint } from '../http-caller.ts';
import { UNLIMITED } from '../limits/account-book.ts';
import { createPayer, createPriceTable } from '../limits/money.ts';
import { createOptionReader } from '../options.ts';
import type { Ports } from '../proxy-ports.ts';
import { readJudgment } from '../read-judgment.ts';
import { createConfiguredRoutes, readPath } from '../upstream.ts';
import type { AnchorAnswer, AnchorRound, AnchorStore } from './anchor-store.ts';

/** Rounds that a new one is compared with. */
const MOST_ROUNDS = 100;
const AT_A_TIME = 4;
/** A store that fails is asked again so much later, in milliseconds. */
const RETRY_MS = 60_000;
/** Whether a round is due is looked up so often at least, in milliseconds: the wall clock may have been set right. */
const LOOK_MS = 3_600_000;

/** A Cron Trigger comes by the minute, and not to the second: a round may begin so much sooner, in milliseconds. */
const EARLY_MS = 30_000;

export interface AnchorWatch {
  /** Asks all of them, where a round is due and nobody else asks. @returns null where not */
  round(signal: AbortSignal): Promise<AnchorRound | null>;
  /** Milliseconds until the next round is due. */
  due(): Promise<number>;
  /** The latest first. */
  list(): Promise<readonly AnchorRound[]>;
}

/** @returns null where none are set */
export function createAnchorWatch(ports: Ports, config: Config, store: AnchorStore): AnchorWatch | null {
  const { REMAND_ANCHORS: anchors, REMAND_ANCHORS_MINUTES: minutes, REMAND_ANCHORS_ALARM: between } = config;
  if (anchors.length === 0) return null;
  const key = digest(anchors);
  const everyMs = 60_000 * minutes;

  async function due(): Promise<number> {
    const now = ports.clock.now();
    // Rounds further ahead than the next one are of a clock that was wrong.
    const latest = await store.near(await key, now, everyMs);
    return latest === null ? 0 : latest + everyMs - now;
  }

  async function round(signal: AbortSignal): Promise<AnchorRound | null> {
    const time = ports.clock.now();
    if (!(await store.claim(await key, time, everyMs - EARLY_MS))) return null;
    try {
      return await askAll(time, signal);
    } catch (error) {
      await store.release(await key, time);
      throw error;
    }
  }

  async function askAll(time: number, signal: AbortSignal): Promise<AnchorRound> {
    const answers: (AnchorAnswer | null)[] = [];
    const reasons = new Map<string, number>();
    const ask = (anchor: AnchorCase, within: AbortSignal) => askAnchor(anchor, ports, config, within);
    for await (const result of runAll(anchors, ask, { concurrency: AT_A_TIME, signal })) {
      answers.push('value' in result ? result.value : null);
      if ('error' in result) {
        const why = describeError(result.error);
        reasons.set(why, (reasons.get(why) ?? 0) + 1);
      }
    }
    for (const [why, count] of reasons)
      ports.log({ level: 'warn', event: 'anchor-failed', message: `${count} of ${anchors.length}: ${why}` });
    const earlier = untilAlarm(await store.list(await key, time, MOST_ROUNDS));
    const p = testLatestRound([...earlier.toReversed().map((one) => one.answers), answers], {
      distance,
      seed: Math.floor(time / 1000) % 2 ** 31,
    });
    const evidence = nextEvidence(earlier[0]?.evidence ?? 0, p);
    const alarm = evidence >= between;
    const made: AnchorRound = { anchors: await key, time, answers, p, evidence, alarm };
    await store.add(made);
    ports.metrics.anchorsAsked(answers.filter((one) => one !== null).length, reasons.size > 0);
    if (alarm) raise(made, earlier);
    return made;
  }

  function raise({ time, answers, p }: AnchorRound, earlier: readonly AnchorRound[]): void {
    const changed = answers.filter((one, n) => one !== null && isUnlike(one, earlier, n)).length;
    const after = `${changed} of ${answers.length} unlike most earlier rounds`;
    ports.metrics.fingerprintChanged({
      time,
      judge: 'the anchor cases',
      what: ['verdicts'],
      after,
      before: `${earlier.length} rounds`,
    });
    ports.log({ level: 'warn', event: 'anchors-changed', message: `${after}; p ${p.toPrecision(2)}` });
  }

  return { round, due, list: async () => store.list(await key, Number.MAX_SAFE_INTEGER, MOST_ROUNDS) };
}

/**
 * Rounds that the next one is compared with: those since an alarm, from which on the judge is another one.
 *
 * @param rounds the latest first
 */
export function untilAlarm(rounds: readonly AnchorRound[]): readonly AnchorRound[] {
  const at = rounds.findIndex(({ alarm }) => alarm);
  return at < 0 ? rounds : rounds.slice(0, at);
}

/** Scores by how far apart they are on their scale, other verdicts by whether they are the same. */
function distance(a: AnchorAnswer, b: AnchorAnswer): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.min(1, Math.abs(a - b));
  return a === b ? 0 : 1;
}

function isUnlike(now: AnchorAnswer, earlier: readonly AnchorRound[], n: number): boolean {
  const said = earlier.flatMap(({ answers }) => answers[n] ?? []);
  return said.length > 0 && said.filter((one) => distance(one, now) > 0).length > said.length / 2;
}

async function digest(anchors: readonly AnchorCase[]): Promise<string> {
  return toHex((await hashUtf8(JSON.stringify(anchors))).subarray(0, 8));
}

/** Runs rounds when they are due. @returns what ends it, once the round under way has ended */
export function startAnchorTimer(
  watch: AnchorWatch,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
): () => Promise<void> {
  const ended = new AbortController();
  const run = async () => {
    while (!ended.signal.aborted) {
      try {
        await watch.round(ended.signal);
        await wait(Math.min(Math.max(1000, await watch.due()), LOOK_MS), clock, ended.signal);
      } catch (error) {
        if (ended.signal.aborted) return;
        log({ level: 'error', event: 'fault', message: `anchors: ${describeError(error)}` });
        await wait(RETRY_MS, clock, ended.signal).catch(() => {});
      }
    }
  };
  const running = run();
  return async () => {
    ended.abort(new Error('stopping'));
    await running;
  };
}

type AnchorCase = Config['REMAND_ANCHORS'][number];

/**
 * @returns a score from 0 to 1 where its scale is known, else the verdict in one word
 * @throws InputError for a request that is no judgment which Remand reads, JudgeError where the judge gives no verdict
 */
async function askAnchor(
  { path, body }: AnchorCase,
  ports: Ports,
  config: Config,
  signal: AbortSignal,
): Promise<AnchorAnswer> {
  const routes = createConfiguredRoutes(config, ports.judgeUrl);
  const routed = routes.ofPath(path);
  const adapter = ADAPTERS.find((one) => one.speaks('POST', readPath(routed.target)));
  if (!adapter) throw new InputError('REMAND_ANCHORS', `${path} is no path of a judgment`);
  const raw = new Request(`http://anchors.invalid${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-mode': 'debias' },
    body: JSON.stringify(body),
  });
  const payer = createPayer(UNLIMITED, createPriceTable(config.REMAND_PRICES));
  const readOptions = createOptionReader(config);
  const parts = { routes, adapter, ports, config, readOptions, beginReading: () => unlimited };
  const read = await readJudgment(raw, routed, parts, { payer, reads: false, who: null });
  if (read.kind !== 'judge')
    throw new InputError('REMAND_ANCHORS', `a request is not read as a judgment (${read.reason})`);
  const { request, subject } = read;
  const chosen = routes.ofModel(request.model, routed);
  const lane = { upstream: chosen.upstream.url, model: request.model, who: null, isAdded: true };
  const caller = createHttpCaller(adapter, request, openEndpoint(raw, chosen, adapter, ports, config, lane));
  const ledger = createLedger({ clock: ports.clock, extraCalls: 0 });
  const ask = async () => {
    const value = await runWithTimeout(config.JUDGE_TIMEOUT_MS, ports.clock, signal, (bounded) =>
      caller.ask({ kind: 'judge', changes: null }, bounded),
    );
    return { value, tokens: value.read.tokens, cached: false };
  };
  const answered = await ledger.run({ to: request.model, kind: 'judge' }, ask).finally(() => {
    for (const call of ledger.calls) ports.metrics.called({ ...call, kind: 'anchor' });
  });
  const { verdict } = readAnswer(answered.read, subject, { comparable: true, checkpoint: unlimited });
  if (isNone(verdict))
    throw new InputError('REMAND_ANCHORS', `the reply holds no verdict: ${explainNoVerdict(verdict.reason)}`);
  const { probability: _, score, ...said } = kindOf(verdict).toDraw?.(verdict) ?? {};
  if (score === undefined) return JSON.stringify(Object.keys(said).length > 0 ? said : verdict.text);
  const { min, max } = listAnswers(subject.form, subject.options);
  return min === null || max === null || max <= min ? score : (score - min) / (max - min);
}
