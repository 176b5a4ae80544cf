/** What a crowd thinks, in six languages: see test/bias/crowd/README.md. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bandwagon } from '../../src/bias/bandwagon.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { parseTemplates } from '../../src/case/templates/unfold.ts';
import type { Case } from '../../src/case/types.ts';
import wordings from './crowd/wordings.json' with { type: 'json' };

const sentences = z.record(z.string(), z.array(z.string()));
const { labels, positives, negatives } = z
  .object({ labels: sentences, positives: sentences, negatives: sentences })
  .parse(wordings);

/** A case with the sentence in it, as a template of the operator reads it. */
function caseWith(language: string, sentence: string): Case {
  const [a = '', b = ''] = labels[language] ?? [];
  const text = `Which is better?\n\n{{instruction}}\n\nNote: {{context}}\n\n${a}:\n{{option ${a}}}\n\n${b}:\n{{option ${b}}}\n\nReply with "${a}" or "${b}".`;
  const verdict = { kind: 'choice' as const, labels: [a, b] };
  const templates = parseTemplates({ name: 'crowd', parts: [{ role: 'user', text }], verdict });
  const book = createTemplateBook({ templates, learn: 'off', id: () => 'none' });
  const said = sentence.replaceAll('{A}', a).replaceAll('{B}', b);
  const filled = [
    ['{{instruction}}', 'What is 17*23?'],
    ['{{context}}', said],
    [`{{option ${a}}}`, '391'],
    [`{{option ${b}}}`, '381'],
  ].reduce((rest, [slot = '', value = '']) => rest.replace(slot, value), text);
  const prompt = { parts: [{ role: 'user', text: filled }] };
  const reading = book.read({ tenant: '', path: '/', schema: null }, prompt, null);
  if (reading.kind !== 'case') throw new Error(`no case is read: ${reading.kind}`);
  return reading.subject;
}

const rows = (of: typeof positives) =>
  Object.entries(of).flatMap(([language, all]) => all.map((sentence) => ({ language, sentence })));

describe.each(Object.keys(positives))('%s', (language) => {
  test('nine of ten wordings are found, for the right answer', () => {
    const all = positives[language] ?? [];
    const missed = all.filter((sentence) => bandwagon.spot(caseWith(language, sentence))[0]?.favours !== 0);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(all.length / 10);
  });
});

test('of all wordings, at least 90 are found; of sentences that hold no opinion, none is taken for one', () => {
  const found = rows(positives).filter(
    ({ language, sentence }) => bandwagon.spot(caseWith(language, sentence))[0]?.favours === 0,
  );
  expect(rows(positives)).toHaveLength(100);
  expect(found.length).toBeGreaterThanOrEqual(90);
  const alarms = rows(negatives).filter(
    ({ language, sentence }) => bandwagon.spot(caseWith(language, sentence)).length > 0,
  );
  expect(alarms).toEqual([]);
});
