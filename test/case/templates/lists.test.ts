import { expect, test } from 'vitest';
import { learnTemplate } from '../../../src/case/templates/learner.ts';
import { withEvenLists } from '../../../src/case/templates/lists.ts';
import { matchTemplate } from '../../../src/case/templates/match.ts';
import type { Prompt } from '../../../src/case/types.ts';

const TIPS = ['Toggle bolts', 'Find the studs.', 'Ask the shop, they know', 'Nails!', 'Glue'];
const tipsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => TIPS[(first + n) % TIPS.length] ?? '');
const tips = (question: string, count: number, first = count): Prompt => ({
  parts: [
    {
      role: 'user',
      text: `Q: ${question}\n\n${tipsFrom(first, count)
        .map((tip, n) => `Tip ${n + 1}\n${tip}`)
        .join('\n\n')}\n\nEnd of tips. Pick one.`,
    },
  ],
});

test('a list is learned from its first entry and its last, however long it is', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  expect(template.parts[0]?.literals).toEqual([
    'Q: ',
    '\n\nTip 1\n',
    '\n\nTip 2\n',
    '\n\nEnd of tips. Pick one.',
  ]);
});

test('a request with more options than the template shows all of them and stays ambiguous', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  const prompt = tips('Why?', 5, 0);
  const match = matchTemplate(template, prompt);
  const texts = match?.slots
    .filter(({ role }) => role === 'option')
    .map(({ at }) => prompt.parts[0]?.text.slice(at?.start, at?.end));
  expect(texts).toEqual(TIPS);
  expect(match?.kind).toBe('ambiguous');
});

test('numbers in an answer are no list of the template', () => {
  const texts = ['Plan\n1. mix\n2. bake', 'Recipe\n1. boil\n2. stir\n3. eat'].map(
    (text) => `Grade it.\n\n${text}`,
  );
  expect(withEvenLists(texts)).toEqual(texts);
});
