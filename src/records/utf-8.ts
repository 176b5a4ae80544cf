/** Files that say they are text and are not UTF-8 are errors: a byte that stands for nothing would be judged as `�`. */

/** The text of a file, piece by piece. Throws what `isDecodingError` knows. A mark of byte order stays where it is. */
export async function* decodeUtf8(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const bytes of input) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

export const isDecodingError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** What is said of such a file. */
export const NOT_UTF_8 = 'is not UTF-8: save it in that encoding, unpacked';
