/** Messages of errors are easy to read, as the documentation is: short sentences, and words that are understood at once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { LEAST_EASE, MOST_WORDS, readingEase, readWords } from '../../dev/readability.ts';
import { ROOT } from './blocks.ts';

interface Message {
  /** `src/cli/look.ts:66` */
  readonly at: string;
  readonly text: string;
}

/** What is put into a message is read as one word. */
const FILLED = 'code';

/** The text of a literal, a template or several added up; null for what is only known when it runs. */
function readText(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => FILLED + literal.text).join('');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [readText(node.left), readText(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

/** Every text that is given to an error as it is made. */
function listMessages(file: string): Message[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText(source)))
      for (const argument of node.arguments ?? []) {
        const text = readText(argument);
        const { line } = source.getLineAndCharacterOfPosition(argument.getStart(source));
        if (text?.includes(' ')) found.push({ at: `${file}:${line + 1}`, text });
      }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const messages = ['src', 'adapters', 'prompts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .flatMap((name) => listMessages(join(folder, name))),
);

test('no sentence is too long', () => {
  expect(messages.length).toBeGreaterThan(200);
  const tooLong = messages.flatMap(({ at, text }) =>
    readWords(text)
      .filter(({ words }) => words.length > MOST_WORDS)
      .map(({ words }) => `${at}: ${words.length} words: ${text}`),
  );
  expect(tooLong).toEqual([]);
});

test('the words are easy', () => {
  expect(readingEase(messages.flatMap(({ text }) => readWords(text)))).toBeGreaterThan(LEAST_EASE);
});
