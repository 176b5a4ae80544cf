/**
 * Editing the raw JSON must say the same as editing the decoded texts, whatever way the JSON is written and whatever
 * the protocol: the texts change as they should, nothing else does, and no byte outside of them moves.
 */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { applyEdits, type Edit } from '../../src/case/counterfactual.ts';

/** Park and Miller's generator (CACM 1988), so that a failure can be repeated from its seed. */
type Next = (below: number) => number;

function generator(seed: number): Next {
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

function randomText(next: Next): string {
  return Array.from({ length: next(30) }, () => CHARACTERS[next(CHARACTERS.length)]).join('');
}

/** The text as a JSON literal, each character written in one of the ways JSON allows. */
function randomLiteral(text: string, next: Next): string {
  const units = Array.from({ length: text.length }, (_, i) => {
    const unit = text[i] ?? '';
    if (next(3) === 0) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    if (unit === '/' && next(2) === 0) return '\\/';
    // Alone, JSON.stringify would take half of a raw pair for a lone surrogate.
    return /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

function randomEdits(texts: readonly string[], next: Next): Edit[] {
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

/** A text of the prompt in a body that is not yet written. */
class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON that a re-encoder would change: kept as it is. */
class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

type Tree = Text | Raw | readonly Tree[] | { readonly [key: string]: Tree } | string | number | boolean;

/** What clients send beside the prompt: nothing of it may move. */
const STRANGE: readonly (readonly [string, string])[] = [
  ['temperature', '0.70'],
  ['seed', '12345678901234567890'],
  ['prototype', '{"constructor": [1e3, -0]}'],
  ['__proto__', '{"polluted": true}'],
  ['toString', '"caf\\u00E9 \\/ \\ud83d"'],
  ['metadata', '{"text": "Output (a)", "content": "no prompt"}'],
  ['x_unknown', '[ 1.0 ,2.50, {"a":1,"a":2} ]'],
];

/** Writes a body with random white space, each text in a random spelling, and strange members in random places. */
function written(tree: Tree, next: Next, top = true): string {
  const space = () => ['', '', ' ', '\n  ', '\t'][next(5)] ?? '';
  if (tree instanceof Raw) return tree.json;
  if (tree instanceof Text) return randomLiteral(tree.text, next);
  if (Array.isArray(tree))
    return `[${tree.map((one) => space() + written(one, next, false) + space()).join(',')}]`;
  if (typeof tree !== 'object') return JSON.stringify(tree);
  const members = Object.entries(tree).map(
    ([key, one]) => `${JSON.stringify(key)}${space()}:${space()}${written(one, next, false)}`,
  );
  for (const [key, json] of top ? STRANGE : STRANGE.slice(2, 5)) {
    if (next(3) > 0) members.splice(next(members.length + 1), 0, `"${key}":${space()}${json}`);
  }
  // Of two members with one name the later counts, so the former must not be edited.
  const [name] = Object.keys(tree);
  if (top && next(4) === 0) members.unshift(`"${name}": "an earlier one"`);
  return `{${members.map((one) => space() + one + space()).join(',')}}`;
}

interface Protocol {
  readonly adapter: Adapter;
  readonly target: string;
  /** A body with the texts in their order, in one of the shapes the protocol allows. */
  readonly body: (texts: readonly Text[], next: Next) => Tree;
}

const IMAGE = new Raw('{"type": "image_url", "image_url": {"url": "https:\\/\\/x\\/", "text": "no"}}');
const CACHED = { cache_control: new Raw('{ "type":"ephemeral" , "ttl": "1h"}') };

const PROTOCOLS: readonly Protocol[] = [
  {
    adapter: huggingface,
    target: '/generate',
    body: ([first]) => ({
      inputs: first as Tree,
      parameters: { temperature: new Raw('0.60'), max_new_tokens: new Raw('1e3'), stop: ['</s>'] },
    }),
  },
  {
    adapter: openaiChat,
    target: '/v1/chat/completions',
    body: ([first, second, third], next) => ({
      messages: [
        { role: 'system', content: next(2) ? first : [{ type: 'text', text: first }] },
        { role: 'user', content: [IMAGE, { type: 'text', text: second }, { type: 'text', text: third }] },
        { role: 'assistant', content: new Raw('null'), tool_calls: [] },
      ] as Tree,
      response_format: { type: 'json_object' },
    }),
  },
  {
    adapter: openaiCompletions,
    target: '/v1/completions',
    body: ([first], next) => ({
      prompt: (next(2) ? first : [first]) as Tree,
      logit_bias: new Raw('{"50256":-1e2}'),
    }),
  },
  {
    adapter: openaiResponses,
    target: '/v1/responses',
    body: ([first, second, third]) => ({
      input: [
        new Raw('{"type": "reasoning", "summary": [{"text": "no"}]}'),
        {
          role: 'user',
          content: [
            { type: 'input_text', text: second },
            { type: 'input_image', image_url: 'x' },
          ],
        },
        { role: 'user', content: third },
      ] as Tree,
      instructions: first as Tree,
      store: true,
    }),
  },
  {
    adapter: anthropicMessages,
    target: '/v1/messages',
    body: ([first, second, third], next) => ({
      system: (next(2) ? first : [{ type: 'text', text: first, ...CACHED }]) as Tree,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: second, ...CACHED },
            { type: 'document', source: { type: 'text', data: 'no' } },
          ],
        },
        { role: 'assistant', content: third },
      ] as Tree,
      max_tokens: new Raw('1e3'),
    }),
  },
  {
    adapter: gemini,
    target: '/v1beta/models/m:generateContent',
    body: ([first, second, third], next) => ({
      contents: [
        {
          role: 'user',
          parts: [{ text: second }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: third }],
        },
      ] as Tree,
      [next(2) ? 'systemInstruction' : 'system_instruction']: {
        parts: next(2) ? { text: first } : [{ text: first }],
      } as Tree,
      generationConfig: { temperature: new Raw('0.50'), topK: new Raw('4e1') },
    }),
  },
];

/** The client's temperature, which stands nowhere else in a body, and the lowest that the protocol takes. */
function steadied(adapter: Adapter): [given: string, lowest: string] {
  if (adapter === huggingface) return ['0.60', '0.01'];
  return [adapter === gemini ? '0.50' : '0.70', '0'];
}

/** The value of a body with its texts, as they were edited, taken out of it. */
function besides(body: string, texts: readonly string[]): unknown {
  const left = texts.map((text) => text);
  return JSON.parse(body, (_, value: unknown) => {
    const at = typeof value === 'string' ? left.indexOf(value) : -1;
    return at < 0 ? value : 'a text of the prompt';
  });
}

describe.each(PROTOCOLS)('$adapter.name', ({ adapter, target, body: bodyOf }) => {
  test.each(Array.from({ length: 150 }, (_, i) => i + 1))('seed %i', (seed) => {
    const next = generator(seed * 7919);
    // Told apart, so that each can be found again.
    const all = ['<1>', '<2>', '<3>'].map((mark) => new Text(mark + randomText(next)));
    const body = written(bodyOf(all, next), next);
    const request = adapter.readRequest(body, target);
    const texts = request.prompt.parts.map(({ text }) => text);
    expect(texts).toEqual(all.slice(0, texts.length).map(({ text }) => text));
    expect(request.body).toBe(body);
    expect(request.edited([])).toBe(body);
    // Evidence is not kept among the responses of the client, which asks for that here.
    const expected = body.replace(...steadied(adapter)).replace(/("store"\s*:\s*)true/, '$1false');
    expect(request.edited([], { steady: true })).toBe(expected);

    const edits = randomEdits(texts, next);
    const edited = request.edited(edits);
    const again = adapter.readRequest(edited, target);
    expect(again.prompt).toEqual(applyEdits(request.prompt, edits));
    const now = again.prompt.parts.map(({ text }) => text);
    expect(besides(edited, now)).toEqual(besides(body, texts));
    expect(again.schema).toEqual(request.schema);
    // With every text emptied, what is left are the bytes outside of them.
    expect(outside(edited, now, adapter, target)).toEqual(outside(body, texts, adapter, target));
  });
});

/** The bytes around the prompt's texts: each text is replaced as a whole, so its spelling goes with it. */
function outside(body: string, texts: readonly string[], adapter: Adapter, target: string): string {
  const emptied = texts.map((text, part) => ({ at: { part, start: 0, end: text.length }, with: '' }));
  return adapter.readRequest(body, target).edited(emptied);
}
