/** Answers with the bytes of the judge's own reply. */
import type { Adapter } from '../../adapters/index.ts';
import { InputError } from '../errors.ts';
import type { Outcome } from '../loop/index.ts';
import type { EndpointReply } from './http-caller.ts';
import type { OutboundFilter } from './outbound-filter.ts';
import type { Judgment } from './read-judgment.ts';

const UTF_8 = new TextEncoder();

export interface AnswerResult {
  readonly outcome: Outcome<EndpointReply>;
  /** The reply's body, with what is ours to change in it changed. */
  readonly body: string;
}

/** @param replies every reply of the judge: the usage of all of them is summed */
export function renderAnswer(
  outcome: Outcome<EndpointReply>,
  replies: readonly EndpointReply[],
  judgment: Judgment,
  adapter: Adapter,
): AnswerResult {
  return { outcome, body: changedBody(outcome, replies, judgment, adapter) };
}

/** A reply too odd to be changed (nested hundreds of levels deep, say) goes out as the judge gave it. */
function changedBody(
  outcome: Outcome<EndpointReply>,
  replies: readonly EndpointReply[],
  judgment: Judgment,
  adapter: Adapter,
): string {
  try {
    return bodyOf(outcome, replies, judgment, adapter);
  } catch (error) {
    // It would be told as a fault of the client's request, which some clients take as a reason to ask differently.
    if (error instanceof InputError) return outcome.final.reply.text;
    throw error;
  }
}

function bodyOf(
  { final, written }: Outcome<EndpointReply>,
  replies: readonly EndpointReply[],
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
export function createReplyResponse({ outcome, body }: AnswerResult, outgoing: OutboundFilter): Response {
  const { reply } = outcome.final;
  const headers = outgoing.headers(reply.headers);
  // The body was unpacked when it was read, and may have another length now.
  headers.delete('content-length');
  headers.delete('content-encoding');
  // As bytes: Node would put a text together with the headers and encode both.
  const bytes = outgoing.bytes(UTF_8.encode(body));
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status: reply.status, headers });
}
