/**
 * The rows of a dataset of the Hugging Face hub, a row group at a time; the token goes to the hub alone, redirects
 * are followed by hand.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { describeError, InputError, RemandError } from '../../errors.ts';
import { JudgeError, readWhole, sendRequest, TooLongError, withRetry } from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { writeWhole } from '../../records/node.ts';
import { asNumbers, COMPRESSORS, listColumns } from '../../records/parquet.ts';

export interface HubSplit {
  /** `owner/name`. */
  readonly dataset: string;
  readonly config: string;
  readonly split: string;
  /** Top-level columns to fetch. */
  readonly columns: readonly string[];
  /** Parts of columns that are not fetched, such as the bytes of images: `image.bytes`. */
  readonly without?: readonly string[];
}

const listing = z.array(z.url()).min(1);
const OFFICIAL = 'https://huggingface.co/';

/** @throws InputError, JudgeError as the hub's answers demand; RemandError for a file that is no Parquet */
export async function* readHubRows(
  hub: Hub,
  split: HubSplit,
  cache: string,
): AsyncGenerator<{ row: Record<string, unknown>; where: string }> {
  const name = `${split.dataset} (${split.config}, ${split.split})`;
  let count = 0;
  for (const url of await filesOf(hub, split, name)) {
    const file = await openHubFile(hub, url, name, cache);
    const metadata = without(split.without ?? [], await parsing(name, () => parquetMetadataAsync(file)));
    checkColumns(split, metadata, name);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const of = { file, metadata, rowStart, rowEnd, columns: [...split.columns], compressors: COMPRESSORS };
      for (const row of await parsing(name, () => parquetReadObjects(of)))
        yield { row: asNumbers(row) as Record<string, unknown>, where: `${name}, row ${++count}` };
      rowStart = rowEnd;
    }
  }
}

/** @throws InputError naming the columns that there are: the dataset was changed, or is another of the same name */
function checkColumns({ columns }: HubSplit, metadata: FileMetaData, name: string): void {
  const found = listColumns(metadata);
  const missing = columns.filter((column) => !found.includes(column));
  if (missing.length > 0)
    throw new InputError('--from', `${name} has no column ${missing.join(', ')}; it has ${found.join(', ')}`);
}

async function filesOf(hub: Hub, { dataset, config, split }: HubSplit, name: string): Promise<string[]> {
  const home = hub.endpoint.replace(/(?<!\/)\/+$/, '');
  const { bytes } = await getFromHub(
    hub,
    `${home}/api/datasets/${dataset}/parquet/${config}/${split}`,
    name,
    null,
  );
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new RemandError(`the hub's list of files of ${name} is no JSON`, { cause });
  }
  const urls = listing.safeParse(said);
  if (!urls.success) throw new RemandError(`the hub lists no Parquet files of ${name}`);
  // A mirror hands on the hub's own list.
  return urls.data.map((url) => (url.startsWith(OFFICIAL) ? `${home}/${url.slice(OFFICIAL.length)}` : url));
}

async function parsing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RemandError || (cause instanceof Error && cause.name === 'AbortError')) throw cause;
    throw new RemandError(`${name} is no readable Parquet: ${describeError(cause)}`, {
      cause,
    });
  }
}

/** The file as if it had no such leaf columns. Whether the group they stand in is null is still known from its others. */
function without(paths: readonly string[], metadata: FileMetaData): FileMetaData {
  if (paths.length === 0) return metadata;
  const schema = metadata.schema.map((element) => ({ ...element }));
  const kept = schema.map(() => true);
  const drop = (at: number, above: readonly string[], parent: number): number => {
    const element = schema[at];
    const path = at === 0 ? [] : [...above, element?.name ?? ''];
    if (paths.includes(path.join('.'))) {
      kept[at] = false;
      const holder = schema[parent];
      if (holder?.num_children) holder.num_children--;
    }
    let next = at + 1;
    const children = metadata.schema[at]?.num_children ?? 0;
    for (let child = 0; child < children; child++) next = drop(next, path, at);
    return next;
  };
  drop(0, [], 0);
  return {
    ...metadata,
    schema: schema.filter((_, at) => kept[at]),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.filter(
        ({ meta_data }) => !paths.includes(meta_data?.path_in_schema.join('.') ?? ''),
      ),
    })),
  };
}

// A file of the hub that is read in parts, each kept on disk: a download that was killed goes on where it was.

/**
 * One small request says how large the file is and which version of it the hub has; parts of another version are
 * not used.
 *
 * @param cache folder for the parts
 */
async function openHubFile(hub: Hub, url: string, what: string, cache: string): Promise<AsyncBuffer> {
  const { total, tag } = await getFromHub(hub, url, what, { start: 0, end: 4 });
  const version = createHash('sha256')
    .update(JSON.stringify([url, tag, total]))
    .digest('hex')
    .slice(0, 24);
  return {
    byteLength: total,
    async slice(start, end = total) {
      if (end <= start) return new ArrayBuffer(0);
      const path = join(cache, version, `${start}-${end}`);
      const kept = await readCached(path);
      if (kept?.byteLength === end - start) return kept;
      const got = await getFromHub(hub, url, what, { start, end });
      if (got.total !== total || got.tag !== tag)
        throw new RemandError(`${what} changed on the hub while it was read; start again`);
      await writeWhole({ part: path }, ({ part }) => part.write(got.bytes));
      return got.bytes.buffer;
    },
  };
}

async function readCached(path: string): Promise<ArrayBuffer | null> {
  try {
    return Uint8Array.from(await readFile(path)).buffer;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
}

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
async function getFromHub(
  hub: Hub,
  url: string,
  what: string,
  range: ByteRange | null,
): Promise<HubResponse> {
  const { signal, clock } = hub;
  try {
    return await withRetry(() => attempt(hub, url, what, range), {
      retries: RETRIES,
      maxWaitMs: LONGEST_WAIT_MS,
      signal,
      clock,
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
    const response = await askHub(hub, url, headers);
    const next = response.headers.get('location');
    if (response.status >= 300 && next !== null) {
      await response.body?.cancel();
      if (!URL.canParse(next, url)) throw new JudgeError(`${what} was redirected to no address`);
      url = new URL(next, url).href;
      continue;
    }
    return await readRange(response, what, range);
  }
  throw new JudgeError(`${what} was redirected more than ${REDIRECTS} times`);
}

/** @returns a reply of 2xx or a redirect */
async function askHub(hub: Hub, url: string, headers: Headers): Promise<Response> {
  try {
    return await sendRequest(hub.fetch, url, { method: 'GET', headers, signal: hub.signal });
  } catch (cause) {
    const moved = cause instanceof JudgeError && cause.response;
    if (moved && moved.status >= 300 && moved.status < 400) return moved;
    throw cause;
  }
}

async function readRange(response: Response, what: string, range: ByteRange | null): Promise<HubResponse> {
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
