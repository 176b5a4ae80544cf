/** Takes keys out of what others wrote: an endpoint's error message may quote the key it refused. */

import { KEY_HEADERS } from '../../adapters/index.ts';
import type { TextRange } from '../case/index.ts';
import { joinBytes } from '../http/index.ts';
import { OWN_KEY_HEADER } from './access/key.ts';
import type { Config } from './config.ts';
import type { OperatorSetting } from './setting-values.ts';
import { SETTINGS } from './settings.ts';

/** Shorter ones are placeholders such as `none`, and would take words out of a sentence. */
const SHORTEST = 8;

const UTF_8 = new TextEncoder();
const MARK = '[key]';
const MARK_BYTES = UTF_8.encode(MARK);
const FILL = 0x2a;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const LETTER_U = 0x75;
/** Backslashes before one character: JSON within JSON within JSON doubles them each time. */
const MOST_BACKSLASHES = 8;

/** Replaces secrets, however they are spelled: as they are, JSON-escaped (RFC 8259 §7), or percent-encoded. */
export interface Mask {
  /** Whether there is nothing to look for. */
  readonly empty: boolean;
  /** Each secret as `[key]`. */
  text(said: string): string;
  /** As many bytes as came: `[key]` and stars, so that a length announced before holds. The same array where there is no secret. */
  bytes(body: Uint8Array): Uint8Array;
  /**
   * For a body that comes in pieces. A piece's end is held back only where it may be the beginning of a secret.
   *
   * @returns to be called with each piece, and last with null for what was held back
   */
  begin(): (piece: Uint8Array | null) => Uint8Array;
}

/** @param secrets shorter ones than eight characters are left out */
export function createMask(secrets: readonly (string | null | undefined)[]): Mask {
  const known = [...new Set(secrets)]
    .filter((secret) => typeof secret === 'string' && secret.length >= SHORTEST)
    .toSorted((a, b) => Number(b?.length) - Number(a?.length))
    .map((secret) => UTF_8.encode(String(secret)));
  const begins = new Uint8Array(256);
  for (const secret of known) for (const byte of [secret[0] ?? 0, BACKSLASH, PERCENT]) begins[byte] = 1;

  /** @returns all secrets, and where one begins whose end is not there yet (the length where none does) */
  function search(bytes: Uint8Array): { readonly found: readonly TextRange[]; readonly whole: number } {
    const found: TextRange[] = [];
    let whole = bytes.length;
    for (let start = 0; known.length > 0 && start < bytes.length; start++) {
      if (begins[bytes[start] ?? 0] === 0) continue;
      for (const secret of known) {
        const end = endOf(secret, bytes, start);
        if (end === null) continue;
        if (end === bytes.length + 1) {
          whole = Math.min(whole, start);
          continue;
        }
        found.push({ start, end });
        start = end - 1;
        break;
      }
    }
    return { found, whole };
  }

  function maskBytes(bytes: Uint8Array, found: readonly TextRange[]): Uint8Array {
    if (found.length === 0) return bytes;
    const copy = bytes.slice();
    for (const { start, end } of found) {
      copy.fill(FILL, start, end);
      copy.set(MARK_BYTES, start);
    }
    return copy;
  }

  return {
    empty: known.length === 0,
    text(said) {
      if (known.length === 0) return said;
      const bytes = UTF_8.encode(said);
      const { found } = search(bytes);
      if (found.length === 0) return said;
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const starts = [0, ...found.map(({ end }) => end)];
      return starts.map((from, i) => decoder.decode(bytes.subarray(from, found[i]?.start))).join(MARK);
    },
    bytes: (body) => maskBytes(body, search(body).found),
    begin() {
      let held: Uint8Array = new Uint8Array();
      return (piece) => {
        const bytes = piece === null ? held : held.length === 0 ? piece : joinBytes([held, piece]);
        const { found, whole } = search(bytes);
        const first = found.find(({ end }) => end > whole);
        const until = piece === null ? bytes.length : Math.min(whole, first?.start ?? whole);
        held = bytes.slice(until);
        return maskBytes(bytes, found).subarray(0, until);
      };
    },
  };
}

/** Where a secret that begins at `start` ends; null where none does, one more than the length where it may go on. */
function endOf(secret: Uint8Array, bytes: Uint8Array, start: number): number | null {
  const more = bytes.length + 1;
  let at = start;
  for (const byte of secret) {
    const first = at;
    while (bytes[at] === BACKSLASH && byte !== BACKSLASH && at - first < MOST_BACKSLASHES) at++;
    if (at >= bytes.length) return more;
    const escaped = at > first;
    if (bytes[at] === byte && !(escaped && byte === LETTER_U)) {
      at++;
      continue;
    }
    const digits = escaped ? 4 : 2;
    if (bytes[at] !== (escaped ? LETTER_U : PERCENT)) return null;
    const written = String.fromCharCode(...bytes.subarray(at + 1, at + 1 + digits));
    if (!byte.toString(16).padStart(digits, '0').startsWith(written.toLowerCase())) return null;
    if (written.length < digits) return more;
    at += 1 + digits;
  }
  return at;
}

const IN_QUERY = /([?&])([\w.-]{1,60})=([^&#\s"'<>\\]+)/g;
const SECRET_NAME = /(?:key|token|secret|password|signature|sig|auth|authorization|credential|code)s?$/i;

/** A text with the values of `key=`, `api_key=`, `access_token=` and their like taken out of every query in it. */
export function removeQueryKeys(text: string): string {
  if (!text.includes('=')) return text;
  return text.replace(IN_QUERY, (all, before: string, name: string) =>
    SECRET_NAME.test(name) ? `${before}${name}=${MARK}` : all,
  );
}

/** Of the secrets in one query that are looked for: each more makes looking through a text dearer. */
const MOST_QUERY_KEYS = 8;

/**
 * The keys that a client sent: to us, and to its judge.
 *
 * @param target path and query: Gemini's clients send their key as `?key=`
 */
export function listClientKeys(headers: Headers, target: string): (string | undefined)[] {
  const query = target.includes('?') ? target.slice(target.indexOf('?')) : '';
  const inQuery = [...new URLSearchParams(query)].filter(([name]) => SECRET_NAME.test(name));
  return [
    ...[...KEY_HEADERS, OWN_KEY_HEADER].map((name) => headers.get(name)?.replace(/^\w+\s+/, '')),
    ...inQuery.slice(0, MOST_QUERY_KEYS).map(([, value]) => value),
  ];
}

/**
 * A mask for messages of errors: keys in the queries of addresses go, too.
 *
 * @param listSecrets called where there is a text to clean, which is seldom
 */
export function createRedactor(
  listSecrets: () => Parameters<typeof createMask>[0],
): (text: string) => string {
  let mask: Mask | null = null;
  return (text) => {
    mask ??= createMask(listSecrets());
    return removeQueryKeys(mask.text(text));
  };
}

/** Every key that the operator has set. */
export const listOperatorKeys = (config: Config): (string | undefined)[] =>
  Object.entries<OperatorSetting>(SETTINGS).flatMap(
    ([name, { secretsIn }]) => secretsIn?.(config[name as keyof Config]) ?? [],
  );
