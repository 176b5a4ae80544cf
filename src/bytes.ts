/** Bytes as text, and texts hashed. `Uint8Array.prototype.toHex` is not in Node 24 yet. */

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** RFC 4648 §5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Of a text in UTF-8, in bytes. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** @returns SHA-256 of a text in UTF-8 */
export async function hashUtf8(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
