import { describe, expect, test } from 'vitest';
import { matchLiterals, matchTemplate } from '../../../src/case/templates/match.ts';
import { parseTemplate } from '../../../src/case/templates/template.ts';

const cut = (text: string, literals: readonly string[]) =>
  matchLiterals(text, literals)?.map((at) => at && text.slice(at.start, at.end)) ?? null;

describe('literals in a text', () => {
  test.each<[string, string[], (string | null)[] | null]>([
    ['Q: why?\nA: so', ['Q: ', '\nA: ', ''], ['why?', 'so']],
    ['Q: \nA: ', ['Q: ', '\nA: ', ''], ['', '']],
    ['equal', ['equal'], []],
    // What does not fit from the first character to the last does not fit.
    ['Q: why?\nB: so', ['Q: ', '\nA: ', ''], null],
    [' Q: why?\nA: so', ['Q: ', '\nA: ', ''], null],
    ['Q: why?\nA: so.', ['Q: ', '\nA: ', '!'], null],
    ['equal or not', ['equal'], null],
    // The literal stands twice: nobody knows where the first slot ends.
    ['Q: why?\nA: so\nA: not', ['Q: ', '\nA: ', ''], [null, null]],
    // Only what lies beside the literal that stands twice is unknown.
    ['1 a 2 b 2 c 3 d', ['1', '2', '3', ''], [null, null, ' d']],
    // Literals may not overlap.
    ['abab', ['', 'aba', 'bab', ''], null],
    ['\u0000Q: \u0000\nA: 🦊', ['\u0000Q: ', '\nA: ', ''], ['\u0000', '🦊']],
  ])('%j by %j', (text, literals, slots) => {
    expect(cut(text, literals)).toEqual(slots);
  });
});

describe('a template and a prompt', () => {
  const template = parseTemplate({
    name: 'pair',
    parts: [
      { role: 'system', text: 'Choose.' },
      { role: 'user', text: '{{*}}: A: {{option A}} B: {{option B}}' },
    ],
  });
  const prompt = (text: string, role = 'user') => ({
    parts: [
      { role: 'system', text: 'Choose.' },
      { role, text },
    ],
  });

  test('fit part by part, with the roles', () => {
    const match = matchTemplate(template, prompt('7: A: x B: y'));
    expect(match?.kind).toBe('slots');
    expect(match?.slots.map(({ role, label, at }) => [role, label, at])).toEqual([
      ['*', '', { start: 0, end: 1 }],
      ['option', 'A', { start: 6, end: 7 }],
      ['option', 'B', { start: 11, end: 12 }],
    ]);
    expect(matchTemplate(template, prompt('7: A: x B: y', 'assistant'))).toBeNull();
    expect(matchTemplate(template, { parts: prompt('7: A: x B: y').parts.slice(1) })).toBeNull();
  });

  test('an answer that holds a literal makes it ambiguous', () => {
    expect(matchTemplate(template, prompt('7: A: x B: me B: y'))?.kind).toBe('ambiguous');
  });

  test('a text that holds a literal leaves options certain that it does not touch, and nothing that is judged alone', () => {
    const beside = (options: string) =>
      parseTemplate({
        name: 'beside',
        parts: [{ role: 'user', text: `Q: {{instruction}}\nNote: {{context}}\n${options}` }],
      });
    const kindOf = (options: string, text: string) =>
      matchTemplate(beside(options), { parts: [{ role: 'user', text }] })?.kind;
    const pair = 'A: {{option A}}\nB: {{option B}}';
    expect(kindOf(pair, 'Q: why\nNote: me\nNote: you\nA: x\nB: y')).toBe('slots');
    expect(kindOf(pair, 'Q: why\nNote: me\nA: you\nA: x\nB: y')).toBe('ambiguous');
    expect(kindOf('A: {{option}}', 'Q: why\nNote: me\nNote: you\nA: x')).toBe('ambiguous');
  });
});
