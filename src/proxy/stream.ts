/**
 * Streaming while the loop thinks. The judge's stream is consumed whole before a verdict can be examined, so
 * a client that asked for a stream would hear nothing for seconds. Comment lines (`: ping`) keep it and every
 * hop in between patient, and are how a runtime notices that the client has left (in workerd only a write
 * does). A comment is one line, never an event of its own: WHATWG HTML §9.2.6 has parsers ignore it. Where a
 * protocol's clients do not, blank lines take their place, which end an event that is not there.
 */
import { readWhole } from '../http/index.ts';
import type { Clock } from '../ports.ts';
import { formatFacts, type JudgmentResponse } from './proxy-facts.ts';

/** Of an answer that was made here from a reply of at most half as much, in bytes. */
const MAX_ANSWER = 64 << 20;

export interface HeldStream {
  /** The answer: its headers are used only where it is there before the first heartbeat. */
  readonly work: Promise<JudgmentResponse>;
  /** Milliseconds of silence before the first heartbeat, and between two. */
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Whether the client skips comments; one that does not is told nothing in them. */
  readonly comments: boolean;
  /** An error as the last event of a stream that has begun. */
  readonly errorEvent: (response: Response) => Promise<string>;
  /** Called before the first heartbeat: from then on the client has its status, and tries nothing again. */
  readonly begun: () => void;
  /** Called when the client cancels the stream. */
  readonly cancel: (reason: unknown) => void;
}

/** Resolves with the answer itself, or, after `intervalMs`, with a stream of heartbeats that ends in it. */
export async function withHeartbeat(held: HeldStream): Promise<Response> {
  const early = await pause(held, held.intervalMs);
  if (early) return early.response;
  held.begun();
  const encoder = new TextEncoder();
  const heartbeat = encoder.encode(held.comments ? ': ping\n' : '\n');
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(heartbeat);
    },
    async pull(controller) {
      const answer = await pause(held, held.intervalMs);
      if (!answer) return controller.enqueue(heartbeat);
      const { response } = answer;
      // What the client would have been told in headers, had they not been sent already.
      const facts = held.comments
        ? formatFacts(answer.facts).map(([name, value]) => `: ${name}: ${value}\n`)
        : [];
      if (response.status >= 300) {
        const event = await held.errorEvent(response);
        controller.enqueue(encoder.encode(facts.length === 0 ? event : `${facts.join('')}\n${event}`));
        return controller.close();
      }
      // A blank line ends what came before, so that the first event is not read as part of it: some clients split
      // a stream at blank lines first and look for comments later. To a parser that does as it should it is nothing.
      controller.enqueue(encoder.encode(`${facts.join('')}\n`));
      controller.enqueue(await readWhole(response, MAX_ANSWER));
      controller.close();
    },
    cancel: held.cancel,
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

/** The answer, or null where it took longer than `ms`. */
function pause({ work, clock }: HeldStream, ms: number): Promise<JudgmentResponse | null> {
  const timer = clock.after(ms);
  const { promise, resolve } = Promise.withResolvers<null>();
  const wake = () => resolve(null);
  timer.addEventListener('abort', wake, { once: true });
  // Without its listener the timer's signal can be collected, and the timer with it.
  return Promise.race([work, promise]).finally(() => timer.removeEventListener('abort', wake));
}
