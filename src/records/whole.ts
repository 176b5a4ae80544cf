/** Files that are there whole or not at all: a run that is killed, or a disk that is full, leaves nothing half-written. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RemandError } from '../case/errors.ts';

/** Bytes gathered before they are written. */
const CHUNK = 64 * 1024;

/** A file could not be written; says which. */
export class WriteError extends RemandError {
  override name = 'WriteError';
}

/**
 * @param pieces of the file, made as they are written
 * @throws WriteError naming the file; what `pieces` throws. Nothing is left of the file in either case
 */
export async function writeWhole(
  path: string,
  pieces: () => AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const partial = `${path}.partial`;
  const writing = <T>(work: () => Promise<T>) =>
    work().catch((cause: unknown) => {
      throw new WriteError(
        `${path} could not be written: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    });
  await writing(() => mkdir(dirname(path), { recursive: true }));
  const file = await writing(() => open(partial, 'w'));
  try {
    try {
      let gathered: Uint8Array[] = [];
      let size = 0;
      const flush = async () => {
        const bytes = Buffer.concat(gathered);
        gathered = [];
        size = 0;
        await writing(() => file.writeFile(bytes));
      };
      for await (const piece of pieces()) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        gathered.push(bytes);
        size += bytes.byteLength;
        if (size >= CHUNK) await flush();
      }
      await flush();
      await writing(() => file.datasync());
    } finally {
      await file.close();
    }
    await writing(() => rename(partial, path));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
