/**
 * Replies to calls that were made lately, so that the same bytes are not asked again. A run that judges each pair in both
 * orders asks for each order twice: itself, and as the other order of the pair's twin. Tournaments reword one answer for many
 * pairs, and a pipeline that draws votes has all of them probed alike.
 *
 * Only calls that Remand adds are answered from here: the client's own request always goes to the judge. No judgment is
 * told a reply twice, its own or another's: a repeat is to show how far the judge wavers. In memory, and for one process: at the
 * edge no request may wait for what another one has begun.
 */
import { hashUtf8, toHex } from '../../bytes.ts';
import { parseJson } from '../../parse-json.ts';
import type { Clock, FetchInit } from '../../ports.ts';
import { isDeterministic, nameSender } from './cache.ts';

/** A reply, read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One call: what is sent, and on whose behalf. */
export interface MemoryCall {
  /** Id of the caller's key. */
  readonly who: string | null;
  readonly url: string;
  /** As they go with the calls that are added, with the judge's key. */
  readonly headers: Headers;
  readonly body: string;
  /** Of one judgment, the same object in all its calls. */
  readonly judgment: object;
}

export interface CallMemory {
  /** Takes note of a call that is made in any case. */
  note(call: MemoryCall, reply: Promise<Received>): void;
  /**
   * The reply to the same bytes, waited for where that call is still under way. Where none is known, the judgment was told it
   * before, or the call fails, this one is sent.
   *
   * @param held told while it waits
   */
  share(call: MemoryCall, send: () => Promise<Received>, held?: FetchInit['held']): Promise<SharedReply>;
}

interface SharedReply {
  readonly received: Received;
  /** Whether it was known, and nothing was sent. */
  readonly known: boolean;
}

/** Milliseconds for which a reply stands for what the judge would say. */
const KEPT_MS = 30 * 60_000;
/** Replies, and characters in all of them; the oldest make room. */
const MAX_REPLIES = 10_000;
const MAX_CHARACTERS = 16 << 20;

interface Entry {
  readonly reply: Promise<Received>;
  /** The judgments that know it. */
  readonly knownTo: WeakSet<object>;
  readonly at: number;
  size: number;
}

/** @example await createCallMemory(systemClock).share(call, send) // { received: …, known: false } */
export function createCallMemory(clock: Clock): CallMemory {
  const entries = new Map<string, Entry>();
  let size = 0;

  function drop(place: string, entry: Entry): void {
    if (entries.get(place) !== entry) return;
    entries.delete(place);
    size -= entry.size;
  }

  function keep(place: string, reply: Promise<Received>, judgment: object): void {
    const known = entries.get(place);
    if (known) drop(place, known);
    const entry: Entry = { reply, knownTo: new WeakSet([judgment]), at: clock.elapsed(), size: 0 };
    entries.set(place, entry);
    reply.then(
      ({ text }) => {
        if (entries.get(place) !== entry) return;
        entry.size = text.length;
        size += entry.size;
        makeRoom();
      },
      () => drop(place, entry),
    );
  }

  function makeRoom(): void {
    for (const [place, entry] of entries) {
      const isOver = clock.elapsed() - entry.at > KEPT_MS;
      if (!isOver && entries.size <= MAX_REPLIES && size <= MAX_CHARACTERS) return;
      drop(place, entry);
    }
  }

  return {
    note(call, reply) {
      // Whoever made the call hears of its failure; nobody may be waiting here.
      reply.catch(() => {});
      if (!isDeterministic(parseJson(call.body))) return;
      void placeOf(call).then((place) => keep(place, reply, call.judgment));
    },
    async share(call, send, held) {
      if (!isDeterministic(parseJson(call.body))) return { received: await send(), known: false };
      const place = await placeOf(call);
      const entry = entries.get(place);
      const isNew = entry && clock.elapsed() - entry.at <= KEPT_MS && !entry.knownTo.has(call.judgment);
      if (isNew) {
        entry.knownTo.add(call.judgment);
        held?.(true);
        const received = await entry.reply.catch(() => null);
        held?.(false);
        if (received) return { received, known: true };
      }
      const reply = send();
      keep(place, reply, call.judgment);
      return { received: await reply, known: false };
    },
  };
}

const placeOf = async ({ who, url, headers, body }: MemoryCall): Promise<string> =>
  toHex(await hashUtf8(JSON.stringify([who, url, nameSender(headers), body])));
