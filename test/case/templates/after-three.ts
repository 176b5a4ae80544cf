/** How the last of four requests is read, once the others came with their replies. */
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import type { Case } from '../../../src/case/types.ts';

export const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };

/** A question with two answers to it, for each request. */
export const TEXTS = [
  ['Where is it?', 'In Leeds since noon.', 'Parcels take a while, as you know'],
  ['Can I change it', 'Open the settings, then choose Security.', 'Words matter a lot in life!'],
  ['It was billed twice.', 'I corrected it and sent a new one', 'Names are difficult.'],
  ['May I cancel?', 'Yes, free of charge', 'Fridays are busy here.'],
] as const;

/**
 * @param ask the prompt for a question and its answers
 * @param replies to the first requests, one each
 * @returns null where the last one is left alone
 */
export function readAfter(
  ask: (texts: readonly string[]) => string,
  replies: readonly string[],
): Case | null {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map((texts) => ({ parts: [{ role: 'user', text: ask(texts) }] }));
  for (const [n, reply] of replies.entries()) {
    const id = book.learn(ORIGIN, prompts[n] ?? { parts: [] }, null);
    if (id !== null) book.replied(id, { text: reply, read: null });
  }
  const reading = book.read(ORIGIN, prompts[3] ?? { parts: [] }, null);
  return reading.acts && reading.kind === 'case' ? reading.subject : null;
}
