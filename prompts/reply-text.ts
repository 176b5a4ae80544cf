/** Reads a model's reply to one of our own prompts: without its thoughts, as JSON, or as yes or no. */

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

export function removeThoughts(reply: string): string {
  return reply.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
}

/** @returns null where the reply, thoughts before it aside, is neither of the two words */
export function readYesOrNo(reply: string): boolean | null {
  const word = /^\W*(yes|no)\W*$/i.exec(removeThoughts(reply).trim())?.[1]?.toLowerCase();
  return word === undefined ? null : word === 'yes';
}
