/** Where a note to the judge goes. Whoever inserts it adds the blank lines around it. */

import type { Case, Prompt } from '../types.ts';
import type { Finding } from './layout.ts';
import { lineEnd, linesIn, paragraphsIn, type Range } from './lines.ts';
import { asksAtAll } from './orders.ts';

/** How DeepEval's prompts close: "IMPORTANT: … JSON format", "**Example JSON:**" with its example, "JSON:"; ragas' with "Output:". */
const EXAMPLE =
  /^(?:[-*=_]{2,}[ \t]*\n\s*)?(?:important:[^\n]{0,300}\bJSON\b|\W{0,6}(?:(?:example )?JSON|Output:)\W{0,4}(?:\n|$))/i;

/**
 * Before the last paragraph after the options that asks for the verdict or, without one, at the end of the
 * text: in the last part of the user's last message where that holds the case, else in the last part that
 * holds the case.
 */
export function notePlace(prompt: Prompt, { after }: Finding): Case['noteAt'] {
  const lastUser = prompt.parts.findLastIndex(({ role }) => role === 'user');
  // Parts of one message stand side by side and have one role.
  const together =
    lastUser > after.part && prompt.parts.slice(after.part, lastUser).every(({ role }) => role === 'user');
  const part = together ? lastUser : after.part;
  const text = prompt.parts[part]?.text ?? '';
  // Never on the line of an option: a note has lines of its own.
  const start = part === after.part ? lineEnd(text, after.offset) : 0;
  const tail = { start, end: text.length };
  const asks = ({ start: from, end }: Range) => asksAtAll(text.slice(from, end));
  // Orders may follow on a section's last line without a blank line between.
  const paragraphs = paragraphsIn(text, tail);
  const example =
    paragraphs.findLastIndex(({ start: from, end }) => !EXAMPLE.test(text.slice(from, end))) + 1;
  const closing = paragraphs[example];
  const last = paragraphs.findLastIndex(asks);
  if (closing && last < 0) return { part, offset: closing.start };
  const blocks = last < 0 ? linesIn(text, tail) : paragraphs;
  const asking = last < 0 ? blocks.findLastIndex(asks) : last;
  const shown = blocks[asking];
  if (!shown) return { part, offset: text.length };
  // The JSON to write belongs to the sentence that announces it.
  const announced = asking > 0 && /^[`{]/.test(text.slice(shown.start, shown.start + 1));
  return { part, offset: (announced ? blocks[asking - 1] : shown)?.start ?? shown.start };
}
