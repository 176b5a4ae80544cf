/** A pair of answers with a text beside them, read as by a template of the operator's. */
import { createTemplateBook } from '../src/case/templates/book.ts';
import { parseTemplates } from '../src/case/templates/unfold.ts';
import type { Case } from '../src/case/types.ts';

/** @throws where no case is read */
export function pairOf(
  labels: readonly [string, string],
  options: readonly [string, string],
  said = 'None.',
): Case {
  const [a, b] = labels;
  const text = `Which is better?\n\n{{instruction}}\n\nNote: {{context}}\n\n${a}:\n{{option ${a}}}\n\n${b}:\n{{option ${b}}}\n\nReply with "${a}" or "${b}".`;
  const verdict = { kind: 'choice' as const, labels: [a, b] };
  const templates = parseTemplates({ name: 'spotting', parts: [{ role: 'user', text }], verdict });
  const book = createTemplateBook({ templates, learn: 'off', id: () => 'none' });
  const values = new Map([
    ['{{instruction}}', 'What is 17*23?'],
    ['{{context}}', said],
    [`{{option ${a}}}`, options[0]],
    [`{{option ${b}}}`, options[1]],
  ]);
  const filled = text.replaceAll(/\{\{[^{}]+\}\}/g, (slot) => values.get(slot) ?? slot);
  const prompt = { parts: [{ role: 'user', text: filled }] };
  const reading = book.read({ tenant: '', path: '/', schema: null }, prompt, null);
  if (reading.kind !== 'case') throw new Error(`no case is read of ${filled}: ${reading.kind}`);
  return reading.subject;
}
