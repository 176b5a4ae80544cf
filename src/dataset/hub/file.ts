/** A file of the hub that is read in parts, each kept on disk: a download that was killed goes on where it was. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsyncBuffer } from 'hyparquet';
import { RemandError } from '../../errors.ts';
import { writeWhole } from '../../records/node.ts';
import { getFromHub, type Hub } from './get.ts';

/**
 * One small request says how large the file is and which version of it the hub has; parts of another version are
 * not used.
 *
 * @param cache folder for the parts
 */
export async function openHubFile(hub: Hub, url: string, what: string, cache: string): Promise<AsyncBuffer> {
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
