/** The documentation and the help of every command are easy to read: short sentences, and Flesch's reading ease. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  LEAST_EASE,
  MOST_WORDS,
  readingEase,
  readSentences,
  readWords,
  type Sentence,
} from '../../dev/readability.ts';
import { remand } from '../cli/command.ts';
import { ROOT } from './blocks.ts';

/** Not docs/api.md: it holds doc comments, which cite the source of a method within the sentence. */
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md') && name !== 'docs/api.md');

const tooLong = (sentences: readonly Sentence[]) =>
  sentences
    .filter(({ words }) => words.length > MOST_WORDS)
    .map(({ words, text }) => `${words.length} words: ${text}`);

test('the README is read in one sitting', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length).toBeLessThan(200);
});

test.each(pages)('%s', (page) => {
  const sentences = readSentences(readFileSync(join(ROOT, page), 'utf8'));
  expect(tooLong(sentences)).toEqual([]);
  expect(readingEase(sentences)).toBeGreaterThan(LEAST_EASE);
});

/** Every command's usage, those of commands below it included. */
async function readUsages(words: readonly string[] = []): Promise<string[]> {
  const { out } = await remand(['help', ...words]);
  const [, list = ''] = out.split(/^COMMANDS$/m);
  const below = [...list.matchAll(/^ +([a-z]+) {2,}/gm)].map(([, name = '']) => [...words, name]);
  const usages: string[] = [];
  for (const one of below) usages.push(...(await readUsages(one)));
  return [out, ...usages];
}

test('the help of every command', async () => {
  const usages = await readUsages();
  expect(usages.length).toBeGreaterThan(30);
  const texts = usages.flatMap((usage) =>
    usage.split('\n').flatMap((line) => {
      const text = line.split(/ {2,}/).at(-1) ?? '';
      return /^[A-Z]+$|^USAGE/.test(text) ? [] : [text.replace(/ \([a-z -]+ v[\d.]+\)$/, '')];
    }),
  );
  const sentences = texts.flatMap((text) => readWords(text));
  expect(tooLong(sentences)).toEqual([]);
  expect(readingEase(sentences)).toBeGreaterThan(LEAST_EASE);
});
