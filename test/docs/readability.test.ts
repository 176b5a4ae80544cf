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
import { type CommandUsage, describeCommand } from '../../src/cli/usage.ts';
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

/** What `--help` says of a command, its options and the commands below it. */
function listHelpTexts({ description, args = {}, subCommands = {} }: CommandUsage): string[] {
  return [
    description,
    ...Object.values(args).map((one) => one.description),
    ...Object.values(subCommands).flatMap(listHelpTexts),
  ];
}

test('the help of every command', async () => {
  const texts = listHelpTexts(await describeCommand());
  expect(texts.length).toBeGreaterThan(300);
  const sentences = texts.flatMap((text) => readWords(text));
  expect(tooLong(sentences)).toEqual([]);
  expect(readingEase(sentences)).toBeGreaterThan(LEAST_EASE);
});
