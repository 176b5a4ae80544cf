/** Replies held to the JSON schema that the request demands, whatever that schema is. */
import { describe, expect, test } from 'vitest';
import { conforms, standsInFor, writtenLike } from '../../src/case/replacement.ts';

const verdict = {
  type: 'object',
  properties: { winner: { $ref: '#/$defs/Label' }, reason: { type: 'string', minLength: 1 } },
  required: ['winner', 'reason'],
  additionalProperties: false,
  $defs: { Label: { enum: ['A', 'B'] } },
};

describe('a value', () => {
  test.each<[boolean | null, string, unknown, unknown]>([
    [true, 'of the schema', { winner: 'A', reason: 'r' }, verdict],
    [false, 'with a label that is none', { winner: 'a', reason: 'r' }, verdict],
    [false, 'without a field', { winner: 'A' }, verdict],
    [false, 'with a field too many', { winner: 'A', reason: 'r', note: 1 }, verdict],
    [false, 'that is text where an object is demanded', 'A', { type: 'object' }],
    [true, 'that is any object', {}, { type: 'object' }],
    [
      true,
      'null where OpenAPI allows it',
      { score: null },
      { properties: { score: { type: 'integer', nullable: true } } },
    ],
    [
      false,
      'of the wrong type where null would be one',
      { score: 'x' },
      { properties: { score: { type: 'integer', nullable: true } } },
    ],
    [
      true,
      'beside a reference that hides the rest, in draft 7',
      { a: 1 },
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { $ref: '#/definitions/n', type: 'string' } },
        definitions: { n: { type: 'number' } },
      },
    ],
    [
      false,
      'in fields named like keywords',
      { pattern: 1, format: 2 },
      { properties: { pattern: { type: 'string' }, format: { type: 'number' } } },
    ],
    [
      true,
      'of a list of one form each',
      ['A', 1],
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [true, 'whose bounds are written as text (Gemini)', ['A'], { type: 'array', minItems: '3' }],
    [null, 'without a schema', {}, null],
    [null, 'with something else for a schema', {}, 'object'],
  ])('%s: %s', (expected, _, value, schema) => {
    expect(conforms(value, schema)).toBe(expected);
  });
});

describe('a schema that cannot be checked', () => {
  // A million looks: without an end to them there would be an answer, some seconds later.
  const doubled = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `d${i}`,
      { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) },
    ]),
  );
  test.each<[string, unknown]>([
    ['in another document', { $ref: 'https://example.com/schema.json' }],
    ['that refers to nothing', { $ref: '#/$defs/none' }],
    ['that refers to itself', { $ref: '#' }],
    [
      'that goes round in a circle',
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
    ],
    ['that doubles at every level', { $ref: '#/$defs/d0', $defs: { ...doubled, d20: {} } }],
  ])('%s is no schema', (_, schema) => {
    expect(conforms({ a: 1 }, schema)).toBeNull();
  });

  test('an expression that would never end is not looked at', () => {
    expect(conforms('a'.repeat(40), { type: 'string', pattern: '^(a|a)*$(?!x)b' })).toBe(true);
  });

  test('a schema is left as it was', () => {
    const schema = structuredClone(verdict);
    conforms({ winner: 'A', reason: 'r' }, schema);
    expect(schema).toEqual(verdict);
    expect(Object.getOwnPropertyNames(schema)).toEqual(Object.getOwnPropertyNames(verdict));
  });

  test('a field called __proto__ is one', () => {
    const schema: unknown = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}');
    expect(conforms(JSON.parse('{"__proto__": 1}'), schema)).toBe(false);
  });
});

describe('a reply in the place of the first', () => {
  const good = '{"winner": "A", "reason": "r"}';
  test.each<[boolean, string, string, string, unknown]>([
    [true, 'another of the schema', '{"reason":"s","winner":"B"}', good, verdict],
    [true, 'on more lines, with a schema', '{\n"reason":"s","winner":"B"}', good, verdict],
    [false, 'in a fence', '```json\n{"winner":"B","reason":"s"}\n```', good, verdict],
    [false, 'behind a word', 'Sure: {"winner":"B","reason":"s"}', good, verdict],
    [false, 'two of them', `${good}\n${good}`, good, verdict],
    [false, 'outside the schema', '{"winner":"b","reason":"s"}', good, verdict],
    [true, 'outside the schema, where the first was, too', '{"winner":"b"}', '{"winner":"a"}', verdict],
    [true, 'in a fence, where the first was, too', '```\n{}\n```', '```json\n{}\n```', verdict],
    [
      true,
      'of the fields of the first',
      '{"pass": true, "reason": "", "score": 1}',
      '{"pass":false,"reason":"x"}',
      null,
    ],
    [false, 'without one of them', '{"pass": true}', '{"pass":false,"reason":"x"}', { type: 'object' }],
    [false, 'on several lines, where the first had one', '{\n"score": 1}', '{"score": 2}', null],
    [true, 'on one line, where the first had several', '{"score": 1}', '{\n"score": 2\n}', null],
    [true, 'in words, where the first was in words', 'Output (b)', 'Output (a)', null],
    [true, 'in words, where the first was a number', 'four', '4', null],
  ])('%s: %s', (expected, _, text, first, schema) => {
    expect(standsInFor(text, first, schema)).toBe(expected);
  });
});

describe('a verdict that we write has the types of the first reply', () => {
  test.each<[string, string, string, string]>([
    ['a number', '{"winner":"2"}', '{"winner": 1}', '{"winner":2}'],
    ['a list of one', '{"selected":"2"}', '{"selected": [0], "why": "x"}', '{"selected":[2]}'],
    ['a word', '{"winner":"2"}', '{"winner":"1"}', '{"winner":"2"}'],
    ['a word that is no number', '{"winner":"tie"}', '{"winner": 1}', '{"winner":"tie"}'],
    ['another field', '{"winner":"2"}', '{"best": 1}', '{"winner":"2"}'],
    ['no document', '{"winner":"2"}', 'Winner: 1', '{"winner":"2"}'],
    ['a truth as a truth', '{"new_is_worse":"true"}', '{"new_is_worse": false}', '{"new_is_worse":true}'],
    ['null as null', '{"winner":"null"}', '{"winner": "A"}', '{"winner":null}'],
    ['a word that looks like one', '{"winner":"true"}', '{"winner": "false"}', '{"winner":"true"}'],
    ['not written as one', '[[2]]', '{"winner": 1}', '[[2]]'],
  ])('%s', (_, written, first, expected) => {
    expect(writtenLike(written, first)).toBe(expected);
  });
});
