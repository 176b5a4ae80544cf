/**
 * Asks a model where the slots of a template stand, what they hold and how its verdict is given: one call for a
 * template, after an answer has gone out. Unless the operator says more or less, it is the judge, and only where verdicts
 * would go out unexamined.
 */

import { utf8Length } from '../../bytes.ts';
import { isLeftAlone, openPoints, questionOf, shapeOf, withAnswer, withFailure } from '../../case/index.ts';
import { createOpenAiDetectorModel, type DetectorModel } from '../../detect/index.ts';
import { describeError } from '../../errors.ts';
import { BudgetError } from '../../http/index.ts';
import { createLedger, type Payer } from '../../models/index.ts';
import type { Clock, Fetch, RewritePrompt, Tokens } from '../../ports.ts';
import { shorten } from '../../shorten.ts';
import type { Config } from '../config.ts';
import { withLane } from '../limits/breaker.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { RefusedError } from '../refusal.ts';
import { createRedactor, listOperatorKeys } from '../secrets.ts';
import { NOWHERE } from '../upstream.ts';
import type { TemplateKeeper } from './keeper.ts';

/** A call that takes longer is given up, in milliseconds: at the edge work ends 30 s after the answer. */
const LONGEST_MS = 25_000;
const HOUR_MS = 3_600_000;
/** Characters of what went wrong that are told. */
const LONGEST_REASON = 300;

/** One model to be asked, on whose account whatever it costs. */
export interface AskedReader {
  readonly model: string;
  /** Whether it has seen the requests and replies anyway. */
  readonly isJudge: boolean;
  /** Takes keys out of the question, and out of what went wrong. */
  readonly redact: (text: string) => string;
  /**
   * Pays for one call.
   * @throws RefusedError, BudgetError where nothing is left
   */
  readonly pay: (signal: AbortSignal) => Promise<{ readonly payer: Payer | null; close(): Promise<void> }>;
  readonly complete: (
    prompt: RewritePrompt,
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly tokens: Tokens | null; readonly received: number }>;
}

export interface TemplateReader {
  /**
   * Asks about a pipeline where something is open that was not asked yet. Never rejects.
   * @param judge the judge of the request, which is asked unless the operator says otherwise
   * @param examined whether the request's verdict was read and examined as it is
   */
  read(id: string, judge: () => AskedReader, examined: boolean): Promise<void>;
}

export interface TemplateReaderOptions {
  readonly config: Config;
  /** The way to the reader model's endpoint, where that is not the judge. */
  readonly fetch: Fetch;
  readonly keeper: TemplateKeeper;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'called' | 'templateRead'>;
  readonly log: Log;
}

/** @returns null where no model is to be asked */
export function templateReaderFor(options: TemplateReaderOptions): TemplateReader | null {
  const { config, keeper, clock, metrics, log } = options;
  const { REMAND_READER_MODEL: model, REMAND_READER_CALLS: mostCalls, REMAND_LEARN: learn } = config;
  if (model === 'off' || learn === 'off') return null;
  // The sandbox and recordings read nothing.
  if (model === undefined && !config.JUDGE_BASE_URL?.startsWith('http')) return null;
  const own = model === undefined || model === 'judge' ? null : operatorsReader(model, options);
  const asking = new Set<string>();
  let calls: number[] = [];

  function mayCall(): boolean {
    const now = clock.elapsed();
    calls = calls.filter((at) => now - at < HOUR_MS);
    return calls.length < mostCalls;
  }

  async function ask(id: string, reader: AskedReader): Promise<void> {
    const pipeline = keeper.shelf.get(id);
    if (!pipeline?.template) return;
    const of = shapeOf(pipeline.template);
    const texts = reader.isJudge || config.REMAND_TRACE_TEXTS === 'on';
    if (openPoints(pipeline, { texts }).length === 0) return;
    const { system, user } = questionOf(pipeline, { texts });
    const prompt = { system, user: reader.redact(user) };
    const signal = clock.after(Math.min(LONGEST_MS, config.JUDGE_TIMEOUT_MS));
    const paid = await reader.pay(signal);
    calls.push(clock.elapsed());
    const ledger = createLedger({ clock, extraCalls: 1, ...(paid.payer && { payer: paid.payer }) });
    let said: string | null = null;
    let wrong: string | null = null;
    try {
      said = await ledger.run({ to: reader.model, kind: 'read' }, async () => {
        const { text, tokens, received } = await reader.complete(prompt, signal);
        const bytes = () => ({ sent: utf8Length(system) + utf8Length(prompt.user), received });
        return { value: text, tokens, cached: false, bytes };
      });
    } catch (error) {
      if (error instanceof BudgetError) return;
      wrong = shorten(reader.redact(describeError(error)), LONGEST_REASON, '');
    } finally {
      for (const call of ledger.calls) metrics.called(call);
      await paid.close();
    }
    // As it is by now: requests and replies went on, and a person may have decided.
    const now = keeper.shelf.get(id);
    if (!now?.template) return;
    if (now.decided !== pipeline.decided) return;
    const asked = { model: reader.model, asked: clock.now(), tokens: ledger.calls[0]?.tokens ?? null };
    const read =
      said === null
        ? withFailure(now, of, wrong ?? 'the model gave no answer', asked)
        : withAnswer(now, of, said, asked);
    keeper.shelf.update(read);
    const { outcome = 'failed', reason = null } = read.reader ?? {};
    metrics.templateRead(outcome);
    // What an endpoint says of a failure is not for the log.
    const message = outcome === 'failed' || reason === null ? outcome : `${outcome}: ${reason}`;
    log({ level: outcome === 'failed' ? 'warn' : 'info', event: 'template-read', message });
    await keeper.save();
  }

  return {
    async read(id, judge, examined) {
      const pipeline = keeper.shelf.get(id);
      if (!pipeline || asking.has(id) || !mayCall() || openPoints(pipeline).length === 0) return;
      // Of its own accord Remand asks for no more than it needs.
      if (model === undefined && (examined || !isLeftAlone(pipeline))) return;
      asking.add(id);
      try {
        await ask(id, own ?? judge());
      } catch (error) {
        // Asked with a later request, when there is money again.
        if (error instanceof RefusedError || error instanceof BudgetError) return;
        const message = error instanceof Error ? error.name : 'unknown';
        log({ level: 'error', event: 'fault', message: `a reader model could not be asked: ${message}` });
      } finally {
        asking.delete(id);
      }
    },
  };
}

/** A model of the operator's, who pays for it. */
export function createReaderModel(model: string, config: Config, fetch: Fetch): DetectorModel {
  const {
    REMAND_READER_BASE_URL: own,
    REMAND_READER_API_KEY: ownKey,
    JUDGE_BASE_URL,
    JUDGE_API_KEY,
  } = config;
  const baseURL = own ?? (JUDGE_BASE_URL?.startsWith('http') ? JUDGE_BASE_URL : NOWHERE);
  // The judge's key goes to the judge's endpoint alone.
  const apiKey = ownKey ?? (own === undefined ? JUDGE_API_KEY : undefined) ?? null;
  return createOpenAiDetectorModel({
    baseURL,
    model,
    apiKey,
    retries: 0,
    parameters: {},
    fetch: withLane(fetch, { upstream: baseURL, model, who: null, isAdded: true }),
  });
}

function operatorsReader(model: string, { config, fetch }: TemplateReaderOptions): AskedReader {
  const asked = createReaderModel(model, config, fetch);
  return {
    model,
    isJudge: false,
    redact: createRedactor(() => listOperatorKeys(config)),
    pay: async () => ({ payer: null, close: async () => undefined }),
    async complete({ system, user }, signal) {
      const { content, tokens } = await asked.complete(`${system}\n\n${user}`, signal);
      return { text: content, tokens, received: utf8Length(content) };
    },
  };
}
