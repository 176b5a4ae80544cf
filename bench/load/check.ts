/** What every client must have got: a verdict of its judge, the judge's own error, or ours where there was nothing else. */
import type { Protocol } from '../fuzz/protocols.ts';
import type { LoadJudgment } from './judgments.ts';
import { type Arrived, RETRY_AFTER_MS } from './upstream.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What became of a judgment: `x-remand-status`, or whose error it was. */
export interface Checked {
  readonly outcome: string;
  readonly trace: string | null;
  /** Null where all is well. */
  readonly wrong: string | null;
}

export function check(judgment: LoadJudgment, answered: Answered, calls: readonly Arrived[]): Checked {
  const { status, headers } = answered;
  const { protocol } = judgment;
  const own = calls.findLast(({ kind }) => kind === 'judge');
  const ended = (outcome: string, wrong: string | null, trace: string | null = null) => ({
    outcome,
    wrong,
    trace,
  });
  if (!own) return ended('error', `${status}, and the client's own request never reached the judge`);
  // Behind heartbeats there is no status left to give; what it would have been is told in the stream.
  const said = answered.body.replace(/^(?::[^\n]*\n)+\n?/, '');
  const begun = said.length < answered.body.length;
  const fact = (name: string) =>
    begun
      ? (new RegExp(`^: ${name}: (.*)$`, 'm').exec(answered.body)?.[1] ?? null)
      : typeof headers[name] === 'string'
        ? headers[name]
        : null;

  const trace = fact('x-remand-trace');
  if (own.fault === null) {
    const outcome = fact('x-remand-status');
    if (status !== 200 || outcome === null || trace === null)
      return ended(
        'error',
        `${status} where the judge answered (${fact('x-remand-reason')}): ${said.slice(0, 200)}`,
      );
    return ended(outcome, wrongVerdict(judgment, said, calls), trace);
  }
  if (trace === null)
    return ended('error', `${status} without a trace (${fact('x-remand-reason')}): ${said.slice(0, 200)}`);
  if (own.status >= 400) {
    const whose = `the judge's ${own.status}`;
    if (begun) return ended(whose, wrongEvent(said, protocol, messageIn(own.body)), trace);
    if (status !== own.status || said !== own.body) {
      const wrong = `${status} ${said.slice(0, 200)}, where the judge said ${own.status} ${own.body}`;
      return ended(whose, wrong, trace);
    }
    const asked = own.fault === '429' ? RETRY_AFTER_MS : undefined;
    return ended(whose, headers['retry-after-ms'] === asked ? null : 'retry-after-ms was lost', trace);
  }
  const due = own.fault === 'hang' ? 504 : 502;
  if (begun) return ended(`our ${due}`, wrongEvent(said, protocol, null), trace);
  if (status !== due)
    return ended(`our ${status}`, `${status} for ${own.fault}: ${said.slice(0, 200)}`, trace);
  const formed = protocol.error.safeParse(JSON.parse(said)).success;
  return ended(`our ${due}`, formed ? null : `of another form: ${said}`, trace);
}

/** The text must be one the judge gave to the question as the client asked it, in the protocol's form. */
function wrongVerdict(
  { protocol, stream }: LoadJudgment,
  said: string,
  calls: readonly Arrived[],
): string | null {
  const given = calls.filter(({ kind, fault }) => fault === null && (kind === 'judge' || kind === 'remand'));
  const { texts } = protocol.adapter.readReply(said, stream);
  if (!given.some(({ text }) => text === texts[0])) return `a verdict that the judge never gave: ${texts[0]}`;
  const values = stream ? eventsIn(said) : [JSON.parse(said)];
  const form = stream ? protocol.event : protocol.reply;
  return values.every((value) => form.safeParse(value).success) ? null : `no reply of the protocol: ${said}`;
}

function wrongEvent(
  said: string,
  { error, errorEvent = error }: Protocol,
  message: string | null,
): string | null {
  const [event, ...more] = eventsIn(said);
  const formed = errorEvent.safeParse(event).success;
  if (!formed || more.length > 0 || said.includes('[DONE]')) return `an error event of another form: ${said}`;
  return message === null || said.includes(message) ? null : `another error than the judge's: ${said}`;
}

function eventsIn(said: string): unknown[] {
  return said
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
    .filter((line) => line !== '[DONE]')
    .map((line) => JSON.parse(line));
}

function messageIn(body: string): string {
  return (JSON.parse(body) as { error: { message: string } }).error.message;
}
