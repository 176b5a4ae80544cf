/** Log files that need Node to be opened: `.eval`, a zip archive with a file for each sample. */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { inflateRaw, zstdDecompress } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { describeError, InputError } from '../errors.ts';

/** How entries may be packed, by the number that a zip archive gives it. Inspect packs with zstandard. */
const UNPACK: Readonly<
  Record<number, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>>
> = {
  0: async (bytes) => bytes,
  8: promisify(inflateRaw),
  93: promisify(zstdDecompress),
};

/** Largest sample that is read, unpacked. */
const LARGEST_SAMPLE = 512 << 20;

/**
 * The samples of an Inspect log, one at a time.
 *
 * @throws InputError naming the file that is no archive, or the entry that cannot be unpacked
 */
export async function* readEvalSamples(path: string): AsyncGenerator<{ name: string; sample: unknown }> {
  const archive = await openArchive(path);
  try {
    for await (const entry of archive.eachEntry()) {
      if (!/^samples\/.*\.json$/.test(entry.fileName)) continue;
      const name = `${path}/${entry.fileName}`;
      const bytes = await unpack(
        entry,
        await buffer(await archive.openReadStreamPromise(entry, { decodeFileData: false })),
        name,
      );
      yield { name, sample: parseSample(bytes, name) };
    }
  } finally {
    archive.close();
  }
}

async function openArchive(path: string) {
  try {
    return await openPromise(path, { autoClose: false, lazyEntries: true });
  } catch (cause) {
    throw new InputError(path, `is no log of Inspect: ${describeError(cause)}`);
  }
}

async function unpack(entry: Entry, bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const method = UNPACK[entry.compressionMethod];
  if (!method)
    throw new InputError(name, `is packed by method ${entry.compressionMethod}, which is not known`);
  try {
    return await method(bytes, { maxOutputLength: LARGEST_SAMPLE });
  } catch (cause) {
    throw new InputError(name, `cannot be unpacked: ${describeError(cause)}`);
  }
}

function parseSample(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new InputError(name, `is no JSON: ${describeError(cause)}`);
  }
}
