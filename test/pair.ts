/** A pair of answers with a text beside them, read as by a template of the operator's. */
import { createTemplateBook } from '../src/case/templates/book.ts';
import { readTemplateFile } from '../src/case/templates/recognition.ts';
import type { Case } from '../src/case/types.ts';

type Two = readonly [string, string];

/** @throws where no case is read */
export function pairOf(labels: Two, options: Two, said?: string): Case {
  const subject = findPair(labels, options, said);
  if (subject === null) throw new Error(`no case is read of ${options.join(' and ')}, beside them: ${said}`);
  return subject;
}

/** @returns null where no case is read */
export function findPair(labels: Two, options: Two, said = 'None.'): Case | null {
  const [a, b] = labels;
  const text = `Which is better?\n\n{{instruction}}\n\nNote: {{context}}\n\n${a}:\n{{option ${a}}}\n\n${b}:\n{{option ${b}}}\n\nReply with "${a}" or "${b}".`;
  const verdict = { kind: 'choice' as const, labels: [a, b] };
  const templates = readTemplateFile(
    { name: 'spotting', parts: [{ role: 'user', text }], verdict },
    'template',
  );
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
  return reading.kind === 'case' ? reading.subject : null;
}
