/** Asking the Hugging Face hub: the token goes to the hub alone, redirects are followed by hand, what passes by itself is tried again. */
import { InputError } from '../../errors.ts';
import { JudgeError, readWhole, sendRequest, TooLongError, withRetry } from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';

export interface Hub {
  /** Of the hub or of a mirror, such as `https://huggingface.co`. */
  readonly endpoint: string;
  readonly token: string | null;
  /** Must not follow redirects by itself: it would take the token along. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Bytes `start` to `end`, the last not included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

interface HubResponse {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the whole file, of which `bytes` may be a part. */
  readonly total: number;
  /** Changes when the file does; empty where the server does not say. */
  readonly tag: string;
}

const RETRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const REDIRECTS = 5;
/** Of one reply, in bytes: a part of a file, or a page of rows. */
const LARGEST = 1 << 30;

/**
 * @param what named in errors
 * @throws InputError where the hub does not let us in or has no such thing; JudgeError where it could not be reached
 */
export async function getFromHub(
  hub: Hub,
  url: string,
  what: string,
  range: ByteRange | null,
): Promise<HubResponse> {
  const { signal, clock } = hub;
  try {
    return await withRetry(() => attempt(hub, url, what, range), {
      ...{ retries: RETRIES, maxWaitMs: LONGEST_WAIT_MS, signal, clock },
    });
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    await cause.response?.body?.cancel();
    const { status } = cause;
    if (status === 401 || status === 403)
      throw new InputError(
        'HF_TOKEN',
        `the hub lets us not read ${what} (${status}): set the token of an account that has accepted the data's conditions`,
      );
    if (status === 404) throw new InputError('--from', `the hub has no ${what}; is the split right?`);
    throw cause;
  }
}

async function attempt(hub: Hub, first: string, what: string, range: ByteRange | null): Promise<HubResponse> {
  const home = new URL(hub.endpoint).origin;
  let url = first;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    // As it is sent: a compressed range could not be read.
    const headers = new Headers({ 'accept-encoding': 'identity', 'user-agent': 'remand' });
    if (range) headers.set('range', `bytes=${range.start}-${range.end - 1}`);
    if (hub.token !== null && new URL(url).origin === home)
      headers.set('authorization', `Bearer ${hub.token}`);
    const response = await asked(hub, url, headers);
    const next = response.headers.get('location');
    if (response.status >= 300 && next !== null) {
      await response.body?.cancel();
      if (!URL.canParse(next, url)) throw new JudgeError(`${what} was redirected to no address`);
      url = new URL(next, url).href;
      continue;
    }
    return await taken(response, what, range);
  }
  throw new JudgeError(`${what} was redirected more than ${REDIRECTS} times`);
}

/** @returns a reply of 2xx or a redirect */
async function asked(hub: Hub, url: string, headers: Headers): Promise<Response> {
  try {
    return await sendRequest(hub.fetch, url, { method: 'GET', headers, signal: hub.signal });
  } catch (cause) {
    const moved = cause instanceof JudgeError && cause.response;
    if (moved && moved.status >= 300 && moved.status < 400) return moved;
    throw cause;
  }
}

async function taken(response: Response, what: string, range: ByteRange | null): Promise<HubResponse> {
  const tag = response.headers.get('etag') ?? response.headers.get('last-modified') ?? '';
  if (!range) {
    const bytes = await whole(response, what);
    return { bytes, total: bytes.byteLength, tag };
  }
  // RFC 9110 §14.4: what part of the file this is, and how large all of it is.
  const [, start, last, total] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  if (response.status !== 206 || Number(start) !== range.start) {
    await response.body?.cancel();
    throw new JudgeError(`${what} is not served in parts (range requests), so it cannot be read from there`);
  }
  const bytes = await whole(response, what);
  const expected = Math.min(range.end, Number(total)) - range.start;
  if (bytes.byteLength !== expected || Number(last) + 1 - range.start !== expected)
    throw new JudgeError(`${what}: ${bytes.byteLength} of ${expected} bytes came`, { retryable: true });
  return { bytes, total: Number(total), tag };
}

async function whole(response: Response, what: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // In a buffer of their own: readers of Parquet take a buffer from its beginning.
    return Uint8Array.from(await readWhole(response, LARGEST));
  } catch (cause) {
    if (cause instanceof TooLongError) throw new JudgeError(`${what}: ${cause.message}`, { cause });
    throw new JudgeError(`${what} was cut off`, { retryable: true, cause });
  }
}
