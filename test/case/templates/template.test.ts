import { describe, expect, test } from 'vitest';
import { parseTemplate, printTemplate } from '../../../src/case/templates/template.ts';

const file = (text: string) => ({ name: 'one', parts: [{ role: 'user', text }] });

describe('a template file', () => {
  test('is read into literals and slots, and written as it was', () => {
    const text =
      'Literal \\{{braces}}\n{{instruction}}\n{{option Answer A | json}}|{{option Answer B | indented}}{ {{*}} }';
    const template = parseTemplate(file(text));
    expect(template.parts[0]?.literals).toEqual(['Literal {{braces}}\n', '\n', '|', '{ ', ' }']);
    expect(template.parts[0]?.slots).toEqual([
      { role: 'instruction', label: '', encoding: 'plain' },
      { role: 'option', label: 'Answer A', encoding: 'json' },
      { role: 'option', label: 'Answer B', encoding: 'indented' },
      { role: '*', label: '', encoding: 'plain' },
    ]);
    expect(printTemplate(template)).toEqual(file(text));
  });

  test.each([
    ['C:\\', '\\', 'end\\\\'],
    ['{{', '\\{{', '}}'],
    ['{', '{', '{{{'],
    ['{\\{', '\\{', '{{\\{{{\\'],
    ['\\\\{', '{{{\\{', '{\\{'],
  ])('literals %j, %j and %j are read back', (...literals) => {
    const slots = [1, 2].map((n) => ({ role: 'option' as const, label: `${n}`, encoding: 'plain' as const }));
    const template = { name: 'odd', parts: [{ role: 'user', literals, slots }] };
    expect(parseTemplate(JSON.parse(JSON.stringify(printTemplate(template))))).toEqual(template);
  });

  test.each([
    ['{{verdict}}', /parts\.0\.text.*\{\{verdict\}\} is no slot/],
    ['{{option A | html}}', /parts\.0\.text.*encodings plain, json, value, indented/],
    ['{{instruction', /parts\.0\.text.*begins at 0 and has no end/],
    ['{{instruction}}{{option}}', /parts\.0\.text.*nothing between them/],
  ])('%s is refused with the field and the reason', (text, reason) => {
    expect(() => parseTemplate(file(text))).toThrow(reason);
  });

  test('unknown fields are refused', () => {
    expect(() => parseTemplate({ ...file('x'), slots: [] })).toThrow(/slots/);
  });
});
