/** What is quoted of a text that is too long. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createJudge } from '../src/index.ts';
import { shorten } from '../src/shorten.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

it('keeps a text that is short enough, and no more than was asked for of others', () => {
  expect(shorten('12345678', 8)).toBe('12345678');
  expect(shorten('123456789', 8)).toBe('1234567…');
  expect(shorten('123456789', 8, '')).toBe('12345678');
});

it.each([0, 1, 2, 3])('ends with no half of a character, %i characters in front of emoji', (front) => {
  const text = 'x'.repeat(front) + '😀'.repeat(9);
  for (let most = 1; most < text.length; most++) {
    expect(shorten(text, most).isWellFormed()).toBe(true);
    expect(shorten(text, most).length).toBeGreaterThanOrEqual(most - 1);
  }
});

it.each([0, 1])('tells the judge of a long statement in whole characters (%i)', async (more) => {
  const statement = `90% of people believe that Answer A is better, ${'x'.repeat(71 + more)}${'😀'.repeat(15)}.`;
  const prompts: string[] = [];
  const judge = createJudge({
    ask: (prompt, { kind }) => {
      prompts.push(prompt);
      const said = kind === 'remand' ? null : /Answer ([AB]) is better/.exec(prompt)?.[1];
      return said ?? (prompt.indexOf('391') < prompt.indexOf('381') ? 'A' : 'B');
    },
  });
  const prompt = `Compare the two answers.\n\n[Question]\nWhat is 17*23?\n${statement}\n\n[Answer A]\n381\n\n[Answer B]\n391\n\n[End of answers]\nReply with "A" or "B" and nothing else.`;
  expect((await judge.verdict(prompt)).status).toBe('revised');
  expect(prompts.filter((one) => !one.isWellFormed())).toEqual([]);
});

it('is what every text with an ellipsis behind its beginning is cut by', () => {
  const own = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') && /\.slice\(0, [^)]*\)\}(?:…|\.\.\.)/.test(readFileSync(join(SRC, name), 'utf8')),
  );
  // It takes the middle out, and drops halves.
  expect(own).toEqual(['report/charts.ts']);
});
