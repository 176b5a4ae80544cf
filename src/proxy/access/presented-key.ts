/**
 * Where a request carries a key of ours: in `x-remand-key`, beside the judge's own key; or, from a client that can set
 * one key only, in the judge key's place (then the operator's goes to the judge); or as a browser's password.
 */
import { KEY_HEADERS } from '../../../adapters/index.ts';
import { meansOwnKey } from './key.ts';

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
    .filter((field) => !meansOwnKey(decoded(field.slice(field.indexOf('=') + 1))));
  return kept.length === 0 ? target.slice(0, query) : `${target.slice(0, query)}?${kept.join('&')}`;
}

function decoded(value: string): string {
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
