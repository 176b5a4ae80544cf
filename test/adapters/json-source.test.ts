import { type Node, parseTree } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { detectStringStyle, encodeInside, mapRawOffsets } from '../../adapters/json-request.ts';
import {
  findNode,
  type JsonNode,
  MAX_DEPTH,
  parseJsonSource,
  removeMember,
  splice,
} from '../../adapters/json-source.ts';

describe('syntax errors say where', () => {
  test.each([
    ['', 'position 0 (line 1, column 1)'],
    ['nope', 'position 0'],
    ['{"a":}', 'position 5'],
    ['{"a" 1}', 'position 5'],
    ['{\n  "a": 1,\n}', 'position 12 (line 3, column 1)'],
    ['[1,2', 'position 4'],
    ['{"a":1} x', 'position 8'],
    ['{"a": 01}', 'position 7'],
    ['// note\n{}', 'position 0'],
    ['\ufeff{"a":}', 'position 5'],
    ['\ufeff\ufeff{}', 'position 0'],
  ])('%j', (text, where) => {
    expect(() => parseJsonSource(text)).toThrow(where);
    expect(() => parseJsonSource(text)).toThrow('body: not valid JSON');
  });
});

test('a byte-order mark is read over, and kept', () => {
  const source = parseJsonSource('\ufeff {"remand": {}, "a": "b"}');
  expect(source.value).toEqual({ remand: {}, a: 'b' });
  expect(splice(source.text, removeMember(source.root, 'remand'))).toBe('\ufeff {"a": "b"}');
});

test('deep nesting is refused, not met with a stack overflow', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
    expect(() => parseJsonSource(deep)).toThrow(`nested deeper than ${MAX_DEPTH} levels`);
  }
  expect(() => parseJsonSource(`[${'['.repeat(1_000_000)}`)).toThrow('nested deeper');
  expect(parseJsonSource('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)).value).toBeInstanceOf(Array);
  // Brackets inside strings nest nothing, whatever the escapes before the closing quote.
  expect(parseJsonSource(JSON.stringify(['\\"'.repeat(3), '['.repeat(10_000), '\\'])).value).toHaveLength(3);
});

test('of duplicate keys the last one counts, as in JSON.parse', () => {
  const { root, value } = parseJsonSource('{"a":1,"b":{"c":2},"a":3,"b":{"c":4}}');
  expect(value).toEqual({ a: 3, b: { c: 4 } });
  expect(findNode(root, ['a'])?.value).toBe(3);
  expect(findNode(root, ['b', 'c'])?.value).toBe(4);
  expect(findNode(root, ['b', 'd'])).toBeNull();
  expect(findNode(root, ['a', 0])).toBeNull();
});

describe('everything is found where it stands', () => {
  test.each([
    '{}',
    ' [ ] ',
    '\t{ "a" : [ 1 , -0.5e+3,1E9 ] ,\r\n"b":{"c":[{},[],""]} , "d":null}\n',
    '[true,false,null,"x",0]',
    String.raw`{"\u0061\"":"\\","b\\":"\"","c":"[{\\\"","d":"\ud83d\ude00 é"}`,
    '{"__proto__":{"toString":1},"":[{"":-0}]}',
    '"\u2028\u007f"',
    '-1',
  ])('%j', (text) => {
    const { root, value } = parseJsonSource(text);
    expect(valuesIn(text, root)).toEqual(value);
    const tree = parseTree(text, [], { disallowComments: true });
    expect(placesOf(root)).toEqual(tree && theirPlaces(tree));
  });

  /** Put together from the places alone. */
  function valuesIn(text: string, node: JsonNode): unknown {
    if (node.items) return node.items.map((item) => valuesIn(text, item));
    if (node.members)
      return Object.fromEntries(node.members.map((member) => [member.name, valuesIn(text, member.node)]));
    const said: unknown = JSON.parse(text.slice(node.offset, node.offset + node.length));
    expect(node.value).toEqual(said);
    return said;
  }

  function placesOf({ type, offset, length, members, items }: JsonNode): unknown[] {
    const inside =
      items?.map(placesOf) ?? members?.map((one) => [one.offset, one.length, placesOf(one.node)]);
    return [type, offset, length, inside ?? []];
  }

  /** As the parser has it that reads the same texts with comments and errors. */
  function theirPlaces({ type, offset, length, children = [] }: Node): unknown[] {
    return [
      type,
      offset,
      length,
      children.map((one) =>
        one.type === 'property'
          ? [one.offset, one.length, ...(one.children?.slice(1) ?? []).map(theirPlaces)]
          : theirPlaces(one),
      ),
    ];
  }
});

describe('a member is taken out with its comma', () => {
  test.each([
    ['{"r":1}', '{}'],
    ['{ "r": 1 }', '{  }'],
    ['{"r":1,"a":2}', '{"a":2}'],
    ['{"a":2,"r":1}', '{"a":2}'],
    ['{"a":2, "r":{"x":[1,2]}, "b":3}', '{"a":2, "b":3}'],
    ['{"r":1,"a":2,"r":3,"r":4}', '{"a":2}'],
    ['{"r":1,"r":2}', '{}'],
    ['{\n  "a": 2,\n  "r": 1\n}', '{\n  "a": 2\n}'],
    ['{"a":{"r":1}}', '{"a":{"r":1}}'],
    ['{"\\u0072":1,"a":2}', '{"a":2}'],
  ])('%j', (text, expected) => {
    expect(splice(text, removeMember(parseJsonSource(text).root, 'r'))).toBe(expected);
  });
});

test('splices that overlap are refused; an insertion at the same place goes first', () => {
  expect(() =>
    splice('abcdef', [
      { start: 1, end: 4, with: '' },
      { start: 3, end: 5, with: '' },
    ]),
  ).toThrow(RangeError);
  expect(
    splice('abc', [
      { start: 1, end: 2, with: 'B' },
      { start: 1, end: 1, with: '>' },
      { start: 2, end: 2, with: '<' },
    ]),
  ).toBe('a>B<c');
});

describe('every offset of a decoded string maps to the place of that character', () => {
  test.each([
    '"plain"',
    '""',
    String.raw`"a\nb\t\"c\" \\ d\/e"`,
    String.raw`"\u00e9t\u00e9 \ud83d\ude00 😀 \ud83d alone"`,
    String.raw`"\\\\u00e9\\n\u005c\u005cn"`,
    '"\u2028 raw separators \u00e9"',
  ])('%s', (literal) => {
    const text = `{"k": ${literal} }`;
    const node = findNode(parseJsonSource(text).root, ['k']);
    if (!node) throw new Error('no node');
    const decoded = String(node.value);
    const at = mapRawOffsets(text, node);
    for (let start = 0; start <= decoded.length; start++) {
      for (let end = start; end <= decoded.length; end++) {
        expect(JSON.parse(`"${text.slice(at(start), at(end))}"`)).toBe(decoded.slice(start, end));
      }
    }
  });
});

describe('a new text is written in the way of the old one', () => {
  const inserted = 'é/😀"\n';
  test.each([
    ['raw UTF-8', 'schön', 'é/😀\\"\\n'],
    ['json.dumps of Python', 'sch\\u00f6n', '\\u00e9/\\ud83d\\ude00\\"\\n'],
    ['upper-case hex', 'sch\\u00F6n \\u00FC', '\\u00E9/\\uD83D\\uDE00\\"\\n'],
    ['json_encode of PHP', 'sch\\u00f6n\\/', '\\u00e9\\/\\ud83d\\ude00\\"\\n'],
    ['a backslash before the letter u is no escape', 'schön \\\\u00e9', 'é/😀\\"\\n'],
    ['an escaped control character says nothing', 'a\\u0007', 'é/😀\\"\\n'],
  ])('%s', (_, raw, expected) => {
    expect(encodeInside(inserted, () => detectStringStyle(raw, raw))).toBe(expected);
  });

  test('where the text itself is plain ASCII, the rest of the body decides', () => {
    expect(encodeInside('é', () => detectStringStyle('plain', '{"a":"plain","b":"\\u00fc"}'))).toBe(
      '\\u00e9',
    );
    expect(encodeInside('é', () => detectStringStyle('plain', '{"a":"plain","b":"ü"}'))).toBe('é');
  });

  test('a lone surrogate stays an escape, so that it survives UTF-8', () => {
    expect(encodeInside('\ud800', () => detectStringStyle('ü', 'ü'))).toBe('\\ud800');
  });
});
