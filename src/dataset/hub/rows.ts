/** The rows of a dataset of the hub, a row group at a time: memory does not grow with the dataset. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { describeError, InputError, RemandError } from '../../errors.ts';
import { writeWhole } from '../../records/node.ts';
import { asNumbers, COMPRESSORS } from '../../records/parquet.ts';
import { getFromHub, type Hub } from './get.ts';

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
function checkColumns({ columns }: HubSplit, { schema }: FileMetaData, name: string): void {
  const found: string[] = [];
  let at = 1;
  const skip = () => {
    const children = schema[at++]?.num_children ?? 0;
    for (let child = 0; child < children; child++) skip();
  };
  while (at < schema.length) {
    found.push(schema[at]?.name ?? '');
    skip();
  }
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
      const kept = await read(path);
      if (kept?.byteLength === end - start) return kept;
      const got = await getFromHub(hub, url, what, { start, end });
      if (got.total !== total || got.tag !== tag)
        throw new RemandError(`${what} changed on the hub while it was read; start again`);
      await writeWhole({ part: path }, ({ part }) => part.write(got.bytes));
      return got.bytes.buffer;
    },
  };
}

async function read(path: string): Promise<ArrayBuffer | null> {
  try {
    return Uint8Array.from(await readFile(path)).buffer;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
}
