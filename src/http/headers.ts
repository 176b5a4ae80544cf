/** Header fields that belong to one connection only and must not be passed on (RFC 9110 §7.6.1). */

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  // Trailers are not passed on, so they are not announced.
  'trailer',
  // Meant for the next proxy only (RFC 9110 §11.7).
  'proxy-authenticate',
  'proxy-authorization',
];

const ALWAYS: ReadonlySet<string> = new Set(HOP_BY_HOP);

/**
 * Names, in lower case, of the fields that go no further than this hop.
 *
 * @param connection the message's `Connection` field, which may name more of them
 */
export function listConnectionFields(connection: string | null): ReadonlySet<string> {
  if (!connection || /^(?:keep-alive|close)?$/i.test(connection.trim())) return ALWAYS;
  return new Set([...HOP_BY_HOP, ...connection.split(',').map((name) => name.trim().toLowerCase())]);
}
