/**
 * A key of our own: `rmd_`, an id that may be shown, and 256 random bits. What is kept of it is its hash; since it
 * holds that much chance, one round of SHA-256 is as good as a slow hash is for a password (NIST SP 800-63B §5.1.2.2
 * asks for the latter where a person chose the secret).
 */
import * as z from 'zod';
import { KEY_HEADERS } from '../../../adapters/index.ts';
import { hashUtf8, toBase64Url, toHex } from '../../bytes.ts';
import { strictFields } from '../../strict-fields.ts';
import { keyLimits } from '../limits/account-book.ts';
import { plainName } from '../options.ts';

export const SCOPES = ['judge', 'traces', 'admin'] as const;
/** `judge`: send requests. `traces`: read traces, pages and metrics. `admin`: everything. */
export type KeyScope = (typeof SCOPES)[number];

const SHAPE = /^rmd_([0-9a-f]{12})_[\w-]{43}$/;
/** What can only be meant as a key of ours, well formed or not. */
const PREFIX = 'rmd_';

/** What is kept of a key; its name may be of before control characters were refused. */
export const storedKeyRecord = strictFields({
  id: z.string().regex(/^[0-9a-f]{12}$/, { error: 'must be 12 hexadecimal digits' }),
  /** Whose it is, for people. */
  name: z.string().min(1).max(100),
  hash: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hexadecimal' }),
  scopes: z.array(z.enum(SCOPES)).min(1),
  limits: keyLimits.default({}),
  /** ISO 8601. */
  created: z.string(),
  revoked: z.string().nullable().default(null),
});
/** What a new key, or one of the settings, must be. */
export const keyRecord = storedKeyRecord.extend({ name: plainName.min(1).max(100) });
export type KeyRecord = z.output<typeof keyRecord>;

/** A new key: shown once, its record kept. */
export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** @param random so many random bytes: `crypto.getRandomValues` of a new array */
export async function createKey(
  what: Pick<KeyRecord, 'name' | 'scopes' | 'limits'>,
  random: (bytes: number) => Uint8Array,
  now: number,
): Promise<NewKey> {
  const id = toHex(random(6));
  const key = `${PREFIX}${id}_${toBase64Url(random(32))}`;
  const created = new Date(now).toISOString();
  return { key, record: { id, ...what, hash: await hashKey(key), created, revoked: null } };
}

function meansOwnKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The id in a key; null where it is none of ours. */
export function readKeyId(key: string): string | null {
  return SHAPE.exec(key)?.[1] ?? null;
}

export async function hashKey(key: string): Promise<string> {
  return toHex(await hashUtf8(key));
}

/** In a time that does not tell how much of them agrees. */
export function sameHash(one: string, other: string): boolean {
  let differing = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) differing |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return differing === 0;
}

// Where a request carries a key of ours: in `x-remand-key`, beside the judge's own key; or, from a client that can set
// one key only, in the judge key's place (then the operator's goes to the judge); or as a browser's password.

export const OWN_KEY_HEADER = 'x-remand-key';

/** @param target path and query: Gemini's clients send their key as `?key=` */
export function readPresentedKey(headers: Headers, target: string): string | null {
  const own = headers.get(OWN_KEY_HEADER);
  if (own !== null) return own.trim();
  for (const name of KEY_HEADERS) {
    const value = headers.get(name);
    const key = value === null ? null : findOwnKey(value);
    if (key !== null) return key;
  }
  const query = /[?&]key=(rmd_[^&]*)/.exec(target);
  return query?.[1] ?? null;
}

/** The key of ours in a key header's value, with or without a scheme before it; null where there is none. */
export function findOwnKey(value: string): string | null {
  const [scheme = '', rest] = value.trim().split(/\s+/, 2);
  const said = rest ?? scheme;
  if (meansOwnKey(said)) return said;
  if (rest === undefined || scheme.toLowerCase() !== 'basic') return null;
  const password = passwordIn(rest);
  return meansOwnKey(password) ? password : null;
}

/** A path and query without any field that is a key of ours, whatever the field's name. */
export function removeOwnKey(target: string): string {
  const query = target.indexOf('?');
  if (query < 0 || !/rmd_|%/i.test(target.slice(query))) return target;
  const kept = target
    .slice(query + 1)
    .split('&')
    .filter((field) => !meansOwnKey(decodePercent(field.slice(field.indexOf('=') + 1))));
  return kept.length === 0 ? target.slice(0, query) : `${target.slice(0, query)}?${kept.join('&')}`;
}

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not percent-encoding, so it is what it is.
    return value;
  }
}

/** RFC 7617 §2: base64 of `user:password`. */
function passwordIn(credentials: string): string {
  try {
    const text = atob(credentials);
    return text.slice(text.indexOf(':') + 1);
  } catch {
    // Not base64, so it is no password of ours; whose it is, the judge may know.
    return '';
  }
}
