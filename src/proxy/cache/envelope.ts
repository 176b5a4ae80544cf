/**
 * Values of the cache are encrypted with a key that is made from the request and its credential (HKDF, RFC 5869; then
 * AES-GCM), and lie under a name made likewise. Whoever holds the store but not both can neither read a reply nor tell
 * whose it is; and two tenants can no more meet than two hashes.
 */
import { toHex } from '../bytes.ts';

export interface Envelope {
  /** Where it lies, in hexadecimal. */
  readonly place: string;
  seal(text: string): Promise<Uint8Array>;
  /** Null for what was not sealed by this very envelope. */
  open(sealed: Uint8Array): Promise<string | null>;
}

const IV_BYTES = 12;

/** @param identity everything that the reply depends on, and everything secret that came with the request */
export async function createEnvelope(identity: unknown): Promise<Envelope> {
  const { subtle } = crypto;
  const material = await subtle.importKey('raw', utf8(JSON.stringify(identity)), 'HKDF', false, [
    'deriveBits',
    'deriveKey',
  ]);
  const hkdf = (info: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: utf8('remand cache 2'),
    info: utf8(info),
  });
  const place = toHex(new Uint8Array(await subtle.deriveBits(hkdf('place'), material, 256)));
  const key = await subtle.deriveKey(hkdf('seal'), material, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    place,
    async seal(text) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, key, utf8(text)));
      const whole = new Uint8Array(IV_BYTES + sealed.length);
      whole.set(iv);
      whole.set(sealed, IV_BYTES);
      return whole;
    },
    async open(sealed) {
      const bytes = Uint8Array.from(sealed);
      try {
        const iv = bytes.subarray(0, IV_BYTES);
        const text = await subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV_BYTES));
        return new TextDecoder().decode(text);
      } catch (error) {
        // Cut short, or put there by somebody else: as good as not there.
        if (error instanceof DOMException && error.name === 'OperationError') return null;
        throw error;
      }
    },
  };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
