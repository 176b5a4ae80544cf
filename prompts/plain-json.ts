/** Replies that were to be JSON and nothing else. */
import { removeThoughts } from './thoughts.ts';

/** Thoughts before the JSON and one fence around it are let pass; anything else beside it is not JSON. */
export function readPlainJson(
  reply: string,
): { readonly value: unknown; readonly unread: null } | { readonly unread: 'empty' | 'not JSON' } {
  const said = removeThoughts(reply).trim();
  if (said === '') return { unread: 'empty' };
  const json = /^```(?:json)?[^\S\n]{0,9}\n([\s\S]*)```$/.exec(said)?.[1] ?? said;
  try {
    return { value: JSON.parse(json), unread: null };
  } catch {
    return { unread: 'not JSON' };
  }
}
