/** The judgments of a log put before another judge, once each: the same frozen cases, and only the judge varies. */
import { createHash } from 'node:crypto';
import { type Case, isNone, kindOf, readVerdict, type Verdict } from '../../case/index.ts';
import { describeError } from '../../errors.ts';
import type { PastJudgment } from '../../evaluate/index.ts';
import { BudgetError, joinUrl, readText, sendRequest, withRetry } from '../../http/index.ts';
import { runAll } from '../../models/index.ts';
import { type Clock, systemClock } from '../../ports.ts';
import {
  createPaidFetch,
  LARGEST_REPLY,
  type PaidEndpoint,
  requestFor,
  whyUnfit,
} from '../look/judge-endpoint.ts';
import type { RequestReading } from '../read/readings.ts';

export interface NewJudgeRun {
  readonly before: readonly PastJudgment[];
  readonly after: readonly PastJudgment[];
  /** Left out: judgments whose call failed, and those for which the budget was too small. */
  readonly failed: number;
  readonly notAsked: number;
  /** Why calls failed, at most three. */
  readonly errors: readonly string[];
}

export interface NewJudgeOptions extends PaidEndpoint {
  readonly concurrency: number;
  readonly retries: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly onProgress?: (done: number) => void;
}

interface NewItem {
  readonly item: string;
  readonly given: RequestReading['given'];
  readonly subject: Case;
}

const LONGEST_WAIT_MS = 60_000;
const ERRORS_TOLD = 3;

/**
 * @param readings of which those with a verdict in the log are asked again; a request that stands there several times is one
 *   item with several samples, and is asked once
 */
export async function askNewJudge(
  readings: AsyncIterable<RequestReading>,
  options: NewJudgeOptions,
): Promise<NewJudgeRun> {
  const before: PastJudgment[] = [];
  const after: PastJudgment[] = [];
  const errors = new Set<string>();
  let failed = 0;
  let notAsked = 0;
  let usedUp = false;
  const fetch = createPaidFetch(options);
  const { endpoint, clock = systemClock, concurrency, signal, retries } = options;

  async function* newItems(): AsyncGenerator<NewItem> {
    const samples = new Map<string, number>();
    for await (const { given, subject } of readings) {
      if (subject === null || given.reply === null) continue;
      const said = recordOf(readVerdict(given.reply, subject.form, subject.options));
      if (said === null) continue;
      const item = createHash('sha256')
        .update(JSON.stringify(given.request.prompt.parts))
        .digest('hex')
        .slice(0, 16);
      const sample = samples.get(item) ?? 0;
      samples.set(item, sample + 1);
      before.push({ item, judge: given.request.model || 'the log', sample, ...said });
      if (sample === 0) yield { item, given, subject };
    }
  }

  const ask = async ({ item, given, subject }: NewItem, until: AbortSignal) => {
    const unfit = whyUnfit(given, endpoint);
    if (unfit !== null) throw new Error(unfit);
    const { path, headers, body } = requestFor(given, endpoint);
    const text = await withRetry(
      async () => {
        const reply = await sendRequest(fetch, joinUrl(endpoint.url, path), {
          method: 'POST',
          headers,
          body,
          signal: until,
        });
        return readText(reply, { maxBytes: LARGEST_REPLY, again: true, signal: until });
      },
      { retries, maxWaitMs: LONGEST_WAIT_MS, signal: until, clock },
    );
    const [words = ''] = endpoint.protocol.readReply(text, false, body).texts;
    return { item, said: recordOf(readVerdict(words, subject.form, subject.options)) };
  };

  let done = 0;
  for await (const result of runAll(newItems(), (one, until) => (usedUp ? skip() : ask(one, until)), {
    concurrency,
    signal,
    fatal: () => false,
  })) {
    options.onProgress?.(++done);
    if ('error' in result) {
      if (result.error instanceof BudgetError) {
        usedUp = true;
        notAsked++;
      } else {
        failed++;
        errors.add(describeError(result.error));
      }
    } else after.push({ item: result.value.item, judge: endpoint.name, ...result.value.said });
  }
  return { before, after, failed, notAsked, errors: [...errors].slice(0, ERRORS_TOLD) };
}

async function skip(): Promise<never> {
  throw new BudgetError('the budget is used up');
}

/** What a verdict says, as a record has it; null for none. */
function recordOf(verdict: Verdict): Omit<PastJudgment, 'item' | 'judge'> | null {
  const draw = isNone(verdict) ? undefined : kindOf(verdict).toDraw?.(verdict);
  if (!draw) return null;
  const { scores, ...rest } = draw;
  return { ...rest, ...(scores && { scores: [...scores] }) };
}
