/** Editing the raw JSON must say the same as editing the decoded texts, whatever way the JSON is written. */
import { expect, test } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat.ts';
import { applyEdits, type Edit } from '../../src/case/counterfactual.ts';

/** Park and Miller's generator (CACM 1988), so that a failure can be repeated from its seed. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
}

const CHARACTERS = [
  'a',
  'B',
  ' ',
  '"',
  '\\',
  '/',
  '\n',
  '\t',
  '\u0007',
  'é',
  '€',
  '😀',
  '\ud83d',
  '\udc00',
  '\u2028',
  'u00e9',
];

function randomText(next: (below: number) => number): string {
  return Array.from({ length: next(30) }, () => CHARACTERS[next(CHARACTERS.length)]).join('');
}

/** The text as a JSON literal, each character written in one of the ways JSON allows. */
function randomLiteral(text: string, next: (below: number) => number): string {
  const units = Array.from({ length: text.length }, (_, i) => {
    const unit = text[i] ?? '';
    if (next(3) === 0) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    if (unit === '/' && next(2) === 0) return '\\/';
    // Alone, JSON.stringify would take half of a raw pair for a lone surrogate.
    return /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

function randomEdits(texts: readonly string[], next: (below: number) => number): Edit[] {
  const span = (part: number, from = 0) => {
    const length = texts[part]?.length ?? 0;
    const start = from + next(length - from + 1);
    return { part, start, end: start + next(length - start + 1) };
  };
  return texts.flatMap((_, part) => {
    const first = span(part);
    const second = span(part, first.end);
    const edits = second.start > first.end ? [first, second] : [first];
    return edits.map((at) => ({ at, with: next(2) === 0 ? span(next(texts.length)) : randomText(next) }));
  });
}

test.each(Array.from({ length: 300 }, (_, i) => i + 1))('seed %i', (seed) => {
  const next = generator(seed * 7919);
  const texts = [randomText(next), randomText(next), randomText(next)];
  const messages = texts.map((text) => `{"role":"user","content":${randomLiteral(text, next)}}`);
  const request = openaiChat.readRequest(`{"messages":[${messages.join(', ')}]}`);
  expect(request.prompt.parts.map((part) => part.text)).toEqual(texts);
  const edits = randomEdits(texts, next);
  expect(openaiChat.readRequest(request.edited(edits)).prompt).toEqual(applyEdits(request.prompt, edits));
});
