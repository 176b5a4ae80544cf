/** The corpus of judge templates is sound: its shape, its slots, its split, and its contents vary. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assemble, type Capture, countPlacements, halfOf, markerOf, piecesOf } from './assemble.ts';
import {
  encode,
  JudgeTemplate,
  type Kind,
  Protocol,
  type Slot,
  type TemplateRequest,
  textParts,
} from './schema.ts';

const HALVES = ['seen', 'unseen'] as const;

const FILES = HALVES.flatMap((half) =>
  readdirSync(join(import.meta.dirname, half))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ half, file, path: join(import.meta.dirname, half, file) })),
);
const TEMPLATES = FILES.map(({ half, file, path }) => ({
  half,
  file,
  template: JudgeTemplate.parse(JSON.parse(readFileSync(path, 'utf8'))),
}));

const slotsOf = ({ slots }: TemplateRequest): Slot[] => [
  ...slots.instruction,
  ...slots.options.flatMap((option) => option.slots),
  ...slots.reference,
  ...slots.rubric,
  ...slots.context,
  ...slots.ignored,
];

function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const key of pointer.split('/').slice(1)) value = Object(value)[key];
  return value;
}

test.each(TEMPLATES)('$half/$file', ({ half, file, template }) => {
  // Stands in the half of its source.
  expect(file).toBe(`${template.name}.json`);
  expect(halfOf(template.name)).toBe(half);

  // Every slot slices to its text.
  for (const request of template.requests) {
    const parts = textParts(request.body);
    for (const { text, part, pointer, start, end, encoding, indent } of slotsOf(request)) {
      expect(parts[part]?.pointer).toBe(pointer);
      expect(valueAt(request.body, pointer)).toBe(parts[part]?.text);
      expect(parts[part]?.text.slice(start, end)).toBe(encode(text, encoding, indent));
    }
  }

  // No two slots overlap.
  for (const request of template.requests) {
    const ordered = slotsOf(request).sort((a, b) => a.part - b.part || a.start - b.start || a.end - b.end);
    ordered.reduce((before, slot) => {
      if (before.part === slot.part) expect(slot.start).toBeGreaterThanOrEqual(before.end);
      return slot;
    });
  }

  // The contents differ between the cases.
  const contents = template.requests.map((request) =>
    JSON.stringify(slotsOf(request).map(({ text }) => text)),
  );
  expect(new Set(contents).size).toBe(contents.length);

  // Every slot varies.
  const [first, ...others] = template.requests.map(slotsOf);
  first?.forEach(({ text }, i) => {
    if (others.every((slots) => slots.length === first.length))
      expect(new Set([text, ...others.map((slots) => slots[i]?.text)]).size).toBeGreaterThan(1);
  });

  // A judgment has its options and replies whose verdicts fit its form.
  for (const { slots, verdict, replies } of template.requests) {
    if (template.kind === 'none') {
      expect(verdict.kind).toBe('none');
      expect(slots.options).toHaveLength(0);
      continue;
    }
    expect(slots.options.length).toBeGreaterThan(0);
    expect(new Set(slots.options.map(({ label }) => label)).size).toBe(slots.options.length);
    expect(replies.length).toBeGreaterThan(1);
    for (const reply of replies) expect(Object.keys(reply.verdict)).toEqual([verdict.kind]);
    for (const meaning of Object.values(verdict.labels ?? {}))
      if (typeof meaning === 'number') expect(meaning).toBeLessThan(slots.options.length);
  }
});

describe('the corpus as a whole', () => {
  const judges = TEMPLATES.filter(({ template }) => template.kind !== 'none');
  const made = judges.filter(({ template }) => template.source === 'made here');

  test('has what the issue asks for', () => {
    expect(made.length).toBeGreaterThanOrEqual(59);
    expect(judges.length).toBeGreaterThanOrEqual(220);
    expect(judges.length - made.length).toBeGreaterThanOrEqual(150);
    expect(TEMPLATES.length - judges.length).toBeGreaterThanOrEqual(12);
  });

  test('has many clients and every protocol', () => {
    const clients = TEMPLATES.map(({ template }) => template.source.split(' ')[0]);
    expect(new Set(clients).size).toBeGreaterThanOrEqual(20);
    const protocols = new Set(TEMPLATES.map(({ template }) => template.protocol));
    expect(protocols).toEqual(new Set(Protocol.options));
  });

  test('names the version and a permissive licence of every client', () => {
    const notice = readFileSync(join(import.meta.dirname, 'NOTICE.md'), 'utf8');
    for (const { template } of TEMPLATES) {
      if (template.source === 'made here') continue;
      expect(notice).toContain(`| ${template.source.split(' ')[0]} | ${template.licence} |`);
      expect(template.source).toMatch(/^\S+ \d+\.\d+/);
      expect(['MIT', 'Apache-2.0', 'BSD-3-Clause']).toContain(template.licence);
    }
  });

  test('has no file above 100 kB', () => {
    for (const { file, path } of FILES) expect(statSync(path).size, file).toBeLessThanOrEqual(100_000);
  });

  test('has every kind and language in it', () => {
    const kinds: Kind[] = [
      'pair',
      'n-way',
      'ranking',
      'score',
      'pass',
      'category',
      'rubric',
      'reference',
      'conversation',
      'list',
      'none',
    ];
    expect(new Set(TEMPLATES.map(({ template }) => template.kind))).toEqual(new Set(kinds));
    const languages = new Set(TEMPLATES.map(({ template }) => template.language));
    for (const language of ['en', 'de', 'fr', 'es', 'zh', 'ja', 'ar']) expect(languages).toContain(language);
  });

  test('has names that stand for one template each', () => {
    expect(new Set(TEMPLATES.map(({ file }) => file)).size).toBe(TEMPLATES.length);
  });

  test('the held-back half is large enough to measure on', () => {
    expect(TEMPLATES.filter(({ half }) => half === 'unseen').length).toBeGreaterThanOrEqual(64);
  });

  test('has hostile cases of both outcomes', () => {
    const hostile = TEMPLATES.flatMap(({ template }) => template.requests).filter((one) => one.hostile);
    expect(new Set(hostile.map(({ expected }) => expected))).toEqual(new Set(['slots', 'ambiguous']));
  });
});

describe('the truth of a slot', () => {
  const chat = (content: string) => ({ messages: [{ role: 'user', content }] });
  const capture = (content: string, values: Record<string, string>): Capture => ({
    name: 'x',
    source: 'made here',
    kind: 'pair',
    language: 'en',
    protocol: 'openai-chat',
    keys: { a: { role: 'option', label: 'A' }, b: { role: 'option', label: 'B' } },
    verdict: { kind: 'choice', where: 'text' },
    cases: Array.from({ length: 5 }, () => ({
      path: '/v1/chat/completions',
      body: chat(content),
      marked: chat(`A: ${markerOf('a')}\nB: "${markerOf('b')}"`),
      values,
      replies: [],
    })),
  });

  test('comes from the marked request, whatever the value is', () => {
    const [request] = assemble(capture('A: B: \nB: "say \\"no\\""', { a: 'B: ', b: 'say "no"' })).requests;
    const [a, b] = request?.slots.options ?? [];
    expect(a).toEqual({
      label: 'A',
      slots: [{ text: 'B: ', part: 0, pointer: '/messages/0/content', start: 3, end: 6 }],
    });
    expect(b?.slots[0]).toMatchObject({ text: 'say "no"', start: 11, end: 21, encoding: 'json' });
    expect(request?.expected).toBe('slots');
  });

  test('is refused where the client changed the value', () => {
    expect(() => assemble(capture('A: yes\nB: "no"', { a: 'Yes', b: 'no' }))).toThrow('x, case 0');
  });

  test('a value with a literal in it makes the request ambiguous', () => {
    const [request] = assemble(capture('A: 1\nB: "2"\nB: "3"', { a: '1', b: '2"\nB: "3' })).requests;
    expect(request?.expected).toBe('ambiguous');
  });

  test('the literals of a marked text are what stands between the markers', () => {
    expect(piecesOf(`x${markerOf('a')}y`)).toEqual([{ literal: 'x', key: 'a' }, { literal: 'y' }]);
  });

  test.each([
    ['one way', 'A1B2C', ['A', 'B', 'C'], 1],
    ['two ways', 'A1B2B3C', ['A', 'B', 'C'], 2],
    ['no way', 'A1C', ['A', 'B', 'C'], 0],
    ['an end that is no literal', 'A1B2', ['A', 'B', ''], 1],
    ['overlapping places', 'A---C', ['A', '--', 'C'], 2],
    ['literals that would overlap', 'A--C', ['A', '--', '--C'], 0],
    ['no slots', 'A', ['A'], 1],
  ] as const)('placements: %s', (_, text, literals, ways) => {
    expect(countPlacements(text, literals)).toBe(ways);
  });
});
