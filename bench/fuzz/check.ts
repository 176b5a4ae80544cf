/** What every answer has to be, whatever was asked and whatever the judge did. */
import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { JudgeError } from '../../src/http/send.ts';
import type { Protocol } from './protocols.ts';
import type { FuzzRequest } from './requests.ts';
import type { Call } from './upstream.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Whether the connection broke before the body's end. */
  readonly cut: boolean;
  readonly ms: number;
}

const OWN_STATUS = [400, 413, 499, 502, 503, 504];

/** A timer counts whole milliseconds, and may be as much too early. */
const TIMER_MS = 2;

/**
 * @param calls once they are closed
 * @param borneMs how long a judge may be silent within its reply, in milliseconds
 * @returns what is wrong with it; null where all is well
 */
export function wrongWith(
  answered: Answered,
  request: FuzzRequest,
  protocol: Protocol,
  calls: readonly Call[],
  borneMs: number,
): string | null {
  const { status, headers, body, cut } = answered;
  const text = body.toString();
  const facts = factsOf(answered);
  if (UNEXAMINED.includes(facts.status) && facts.reason === '') return `${facts.status} without a reason`;
  const passed = calls.find(
    (call) => call.plan.status === status && (call.body.equals(body) || unpacked(call.body).equals(body)),
  );
  if (passed?.plan.end === 'finish' && !cut) return null;
  if (cut) {
    const broke = calls.some(
      ({ plan, body: own, silentMs }) =>
        (plan.end === 'reset' || silentMs >= borneMs - TIMER_MS) && own.subarray(0, body.length).equals(body),
    );
    const judges = calls.map(
      ({ plan, closed, silentMs }) =>
        `${plan.end} ${closed ? 'closed' : 'open'}, silent for ${silentMs.toFixed(1)} ms`,
    );
    return broke
      ? null
      : `the answer was cut off after ${body.length} bytes and ${answered.ms.toFixed(0)} ms; the judge: ${judges.join('; ')}`;
  }
  // Even where all of a reply came but its end: a client must not take it for whole.
  if (calls.some(({ plan, body: own }) => plan.end !== 'finish' && own.subarray(0, body.length).equals(body)))
    return `a reply that broke off ends as if it were whole, after ${body.length} bytes`;
  // A request that was broken may have asked for the other form, whole or as a stream, than this judge replies in.
  const inTime =
    request.sound &&
    answered.ms < borneMs - TIMER_MS &&
    calls.every((call) => isGood(call, request, protocol));
  // Behind heartbeats: the judge's own bytes. A judge may begin with comments, too.
  const spoken = withoutHeartbeats(text);
  const begun = spoken.length < text.length;
  const ownWords = calls.map(({ body: own }) => withoutHeartbeats(unpacked(own).toString()));
  if (begun && calls.some(({ plan }, i) => plan.end === 'finish' && ownWords[i] === spoken)) return null;
  if (status === 200) {
    if (begun && isErrorEvent(spoken, protocol))
      return inTime ? `an error of our own: ${spoken.slice(0, 300)}` : null;
    const untouched = ['bypassed', 'no-verdict'].includes(facts.status);
    // Where several calls were made the usage is their sum, and nothing but that differs.
    const own = ownWords.some((words) => withoutNumbers(words) === withoutNumbers(spoken));
    if (['unchanged', 'no-verdict', 'failed-open'].includes(facts.status) && !own)
      return `${facts.status}, but not the judge's own reply: ${text.slice(0, 300)}`;
    if (untouched && calls.length === 1) return `not the judge's own bytes: ${text.slice(0, 300)}`;
    return wrongReply(spoken, request, protocol, calls);
  }
  if (status === 304 || status === 204)
    return calls.some(({ plan }) => plan.status === status) ? null : 'no body';
  if (!OWN_STATUS.includes(status)) return `status ${status} of our own: ${text.slice(0, 300)}`;
  if (status >= 500 && inTime) return `${status} of our own: ${text.slice(0, 300)}`;
  if (status === 400 && request.sound) return `a sound request was refused: ${text.slice(0, 300)}`;
  if (status === 400 && calls.length > 0) return `400 after the judge was asked: ${text.slice(0, 300)}`;
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return 'an error that is no JSON';
  const parsed = parsedJson(text);
  if (parsed === undefined) return `an error that cannot be parsed: ${text.slice(0, 300)}`;
  return protocol.error.safeParse(parsed).success ? null : `an error in another form: ${text.slice(0, 300)}`;
}

/** Statuses of a verdict that goes out unexamined. */
const UNEXAMINED = ['no-verdict', 'bypassed', 'failed-open'];

/** What the client is told: in headers or, where a stream had begun, in comments. */
function factsOf({ headers, body }: Answered): { status: string; reason: string } {
  const told = (name: string) =>
    headers.get(name) ?? new RegExp(`^: ${name}: (.*)$`, 'm').exec(body.toString())?.[1] ?? '';
  return { status: told('x-remand-status'), reason: told('x-remand-reason') };
}

/** A client undoes an encoding that is declared; one that is not, the proxy does (RFC 1952 §2.3.1). */
function unpacked(body: Buffer): Buffer {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return gunzipSync(body);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    // Packed badly: nobody can undo it.
    return body;
  }
}

/** A reply that the proxy has no reason to answer with an error of its own. */
function isGood({ plan, body: own }: Call, { stream }: FuzzRequest, { adapter }: Protocol): boolean {
  const body = unpacked(own);
  if (plan.status !== 200 || plan.end !== 'finish' || !isUtf8(body)) return false;
  try {
    adapter.readReply(body.toString(), stream);
    return true;
  } catch (error) {
    if (error instanceof JudgeError) return false;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Less the comments and blank lines that a stream begins with. */
const withoutHeartbeats = (text: string) => text.replace(/^(?:(?::[^\n]*)?\n)+/, '');

const dataIn = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
    .filter((line) => line !== '[DONE]' && line !== '');

/** Usage is summed in place: nothing but digits differs. */
const withoutNumbers = (text: string) => text.replace(/^\ufeff/, '').replace(/\d+/g, '0');

function isErrorEvent(text: string, { error, errorEvent = error }: Protocol): boolean {
  const events = dataIn(text);
  const value = parsedJson(events[0] ?? '');
  if (events.length !== 1 || value === undefined || text.includes('data: [DONE]')) return false;
  return errorEvent.safeParse(value).success;
}

/** Ours: a judge's reply with something spliced, so of the protocol's form in the adapter's eyes and in others'. */
function wrongReply(
  text: string,
  { stream }: FuzzRequest,
  protocol: Protocol,
  calls: readonly Call[],
): string | null {
  try {
    protocol.adapter.readReply(text, stream);
  } catch (error) {
    return `an answer that the adapter cannot read: ${String(error)}: ${text.slice(0, 300)}`;
  }
  const trimmed = text.replace(/^\ufeff/, '').trimStart();
  if (/^[{[]/.test(trimmed)) {
    const value = parsedJson(trimmed);
    // A reply that the judge broke goes on broken; only its usage is ours to change.
    const own = calls.some(({ body }) => withoutNumbers(body.toString()) === withoutNumbers(text));
    if (own || protocol.reply.safeParse(value).success) return null;
    return `no reply of the protocol: ${text.slice(0, 300)}`;
  }
  const events = dataIn(text);
  if (events.length === 0) return `no events: ${text.slice(0, 300)}`;
  // A broken event that the judge sent goes on as it came, with its usage summed at most; what else was changed has to
  // be right.
  const sent = calls.flatMap(({ body }) => dataIn(body.toString()).map(withoutNumbers));
  const bad = events.find(
    (event) =>
      !protocol.event.safeParse(parsedJson(event)).success &&
      !calls.some(({ body }) => body.includes(event)) &&
      !sent.includes(withoutNumbers(event)),
  );
  return bad === undefined ? null : `an event of another form: ${bad}`;
}
