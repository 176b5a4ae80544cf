/** Undoing content encodings (RFC 9110 §8.4.1; br: RFC 7932, zstd: RFC 8878), as far as this runtime can. */

/** By their names in DecompressionStream. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli'],
]);

type Unpacker = ReadableWritablePair<Uint8Array, Uint8Array>;

/**
 * @param encoding as `content-encoding` says it
 * @returns null for an encoding that this runtime cannot undo
 *
 * @example createUnpacker('br')
 */
export function createUnpacker(encoding: string): Unpacker | null {
  const name = encoding.trim().toLowerCase();
  if (name === 'zstd') return createZstdUnpacker();
  const format = FORMATS.get(name);
  if (format === undefined) return null;
  try {
    return new DecompressionStream(format as CompressionFormat) as Unpacker;
  } catch (error) {
    // Not every runtime knows brotli there.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Node's zlib, which other runtimes lack, or have without zstd. */
function createZstdUnpacker(): Unpacker | null {
  const { process } = globalThis as { readonly process?: NodeJS.Process };
  const zlib = process?.getBuiltinModule?.('node:zlib');
  const stream = process?.getBuiltinModule?.('node:stream');
  if (!zlib?.createZstdDecompress || !stream?.Duplex.toWeb) return null;
  return stream.Duplex.toWeb(zlib.createZstdDecompress()) as Unpacker;
}
