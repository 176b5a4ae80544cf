/** Lets the loop judge, and answers with the bytes of the judge's own reply. */
import type { Adapter } from '../../adapters/types.ts';
import type { Checkpoint } from '../case/checkpoint.ts';
import { InputError } from '../errors.ts';
import { findRuling } from '../loop/calibration.ts';
import { debias } from '../loop/debias.ts';
import type { Outcome } from '../loop/types.ts';
import { type Asker, createAsker, type EndpointReply, type JudgeEndpoint } from './asker.ts';
import type { Config } from './config.ts';
import { type Facts, formatFacts } from './facts.ts';
import type { OutboundFilter } from './outbound-filter.ts';
import type { Judgment } from './read-judgment.ts';

const UTF_8 = new TextEncoder();

export interface AnswerResult {
  readonly outcome: Outcome<EndpointReply>;
  /** The reply's body, with what is ours to change in it changed. */
  readonly body: string;
}

/**
 * Rejects as `debias` does: where the first call fails, or the client leaves.
 *
 * @param beginReading begins the reading of a reply, or a search for cues
 */
export async function answerJudgment(
  judgment: Judgment,
  adapter: Adapter,
  endpoint: JudgeEndpoint,
  config: Config,
  beginReading: () => Checkpoint,
  signal: AbortSignal,
): Promise<AnswerResult> {
  const { request, subject, options, detector, ledger } = judgment;
  const asker = createAsker({ adapter, request, subject, endpoint, ledger, beginReading });
  const settled = config.REMAND_CALIBRATION;
  const judged = await debias({
    subject,
    judge: request.model,
    detector,
    biases: options.biases,
    rounds: options.rounds,
    mode: options.mode,
    policy: config.REMAND_POLICY,
    rule: settled && ((biases) => findRuling(settled, request.model, biases)),
    deadlineMs: config.REMAND_DEADLINE_MS,
    confident: config.REMAND_CONFIDENT,
    ask: asker.ask,
    rewrite: asker.rewrite,
    affords: ledger.affords,
    clock: endpoint.clock,
    beginReading,
    signal,
  }).finally(asker.settled);
  const outcome = inOneChoice(judged, adapter);
  return { outcome, body: changedBody(outcome, asker, judgment, adapter) };
}

/** Where the client asked for several choices, one text in all of them would pass for as many judgments. */
function inOneChoice(outcome: Outcome<EndpointReply>, adapter: Adapter): Outcome<EndpointReply> {
  if (outcome.written === null) return outcome;
  const { text, stream, sent } = outcome.final.reply;
  return adapter.readReply(text, stream, sent).texts.length > 1 ? { ...outcome, written: null } : outcome;
}

/** A reply too odd to be changed (nested hundreds of levels deep, say) goes out as the judge gave it. */
function changedBody(
  outcome: Outcome<EndpointReply>,
  asker: Asker,
  judgment: Judgment,
  adapter: Adapter,
): string {
  try {
    return bodyOf(outcome, asker, judgment, adapter);
  } catch (error) {
    // It would be told as a fault of the client's request, which some clients take as a reason to ask differently.
    if (error instanceof InputError) return outcome.final.reply.text;
    throw error;
  }
}

function bodyOf(
  { final, written }: Outcome<EndpointReply>,
  { replies }: Asker,
  { request, options }: Judgment,
  adapter: Adapter,
): string {
  const { reply } = final;
  const { stream, sent } = reply;
  // Shadow mode changes nothing, the bill in the reply included.
  if (options.mode === 'shadow' || reply.tooLong) return reply.text;
  const said = written === null ? reply.text : adapter.withText(reply.text, stream, written, sent);
  const text = adapter.repeating?.(said, stream, sent, request.body) ?? said;
  const others = replies.flatMap(({ usage }, i) => (usage && replies[i] !== reply ? [usage] : []));
  return others.length === 0 ? text : adapter.withUsage(text, stream, others);
}

/** The reply as it goes out. */
export function createReplyResponse(
  { outcome, body }: AnswerResult,
  outgoing: OutboundFilter,
  facts: Facts,
): Response {
  const { reply } = outcome.final;
  const headers = outgoing.headers(reply.headers);
  // The body was unpacked when it was read, and may have another length now.
  headers.delete('content-length');
  headers.delete('content-encoding');
  for (const [name, value] of formatFacts(facts)) headers.set(name, value);
  // As bytes: Node would put a text together with the headers and encode both.
  const bytes = outgoing.bytes(UTF_8.encode(body));
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status: reply.status, headers });
}
