/**
 * The shape of a file of the corpus: one judge template, as requests that were sent with it.
 *
 * README.md says how the files were made and which half is which.
 */
import * as z from 'zod';

/** What a verdict looks like as a whole; `none` is a request that asks for no judgment. */
export const Kind = z.enum([
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
]);
export type Kind = z.infer<typeof Kind>;

export const Protocol = z.enum([
  'openai-chat',
  'openai-responses',
  'openai-completions',
  'anthropic-messages',
  'gemini',
]);
export type Protocol = z.infer<typeof Protocol>;

/**
 * How a value stands in the text of its part.
 *
 * - `plain`: unchanged
 * - `json`: inside a JSON string, without its quotes, other alphabets unchanged
 * - `json-ascii`: inside a JSON string, other alphabets as `\uXXXX`
 * - `repr`: inside a Python string literal
 * - `html`: with `&`, `<`, `>` and quotes as HTML entities
 * - `indented`: every line but the first has the slot's `indent` in front
 * - `trimmed`: without white space at its ends
 */
export const Encoding = z.enum(['plain', 'json', 'json-ascii', 'repr', 'html', 'indented', 'trimmed']);
export type Encoding = z.infer<typeof Encoding>;

/** One value of a case and the place where it stands. */
export const Slot = z.strictObject({
  /** The value, decoded. */
  text: z.string(),
  /** The text parts of a request are counted from 0 in the order of `textParts`. */
  part: z.number().int().min(0),
  /** JSON pointer (RFC 6901) to the part's text in the body. */
  pointer: z.string(),
  /** Where the raw value begins in the part's text, in UTF-16 code units. */
  start: z.number().int().min(0),
  /** Where the raw value ends. */
  end: z.number().int().min(0),
  encoding: Encoding.optional(),
  /** What `indented` puts in front of every line but the first. */
  indent: z.string().optional(),
  /** The same value stands in the prompt before this place. */
  again: z.literal(true).optional(),
});
export type Slot = z.infer<typeof Slot>;

export const Option = z.strictObject({
  /** What the prompt calls the option; empty where a single answer is judged. */
  label: z.string(),
  /** One slot, or one for each turn where the option is a conversation in pieces. */
  slots: z.array(Slot).min(1),
});
export type Option = z.infer<typeof Option>;

export const Slots = z.strictObject({
  instruction: z.array(Slot),
  options: z.array(Option),
  reference: z.array(Slot),
  rubric: z.array(Slot),
  /** What could sway a judge or inform it: passages, metadata, statements. */
  context: z.array(Slot),
  /** What varies and means nothing: ids, dates, nonces. */
  ignored: z.array(Slot),
});
export type Slots = z.infer<typeof Slots>;

/** What a label in a reply says. */
export const Meaning = z.union([
  z.number().int().min(0),
  z.enum(['tie', 'neither', 'pass', 'fail', 'good', 'bad', 'neutral']),
]);

export const VerdictForm = z.strictObject({
  kind: z.enum(['choice', 'score', 'scores', 'pass', 'category', 'ranking', 'list', 'none']),
  /** Where the reply has it. */
  where: z.enum(['text', 'json', 'tool', 'logprobs']),
  /** Path of the field in the JSON or in the arguments: `winner`, `scores.A`, `verdicts[].verdict`. */
  field: z.string().optional(),
  /** Label as spelled in the reply, and what it says: an option's index from 0, or a word. */
  labels: z.record(z.string(), Meaning).optional(),
  scale: z.strictObject({ min: z.number(), max: z.number() }).optional(),
  /** Which side of a score or of a boolean is the good one. */
  polarity: z.enum(['higher', 'lower']).optional(),
});
export type VerdictForm = z.infer<typeof VerdictForm>;

export const Verdict = z.union([
  z.strictObject({ choice: Meaning }),
  z.strictObject({ score: z.number() }),
  z.strictObject({ scores: z.array(z.number()) }),
  z.strictObject({ pass: z.boolean() }),
  z.strictObject({ category: z.string() }),
  /** Options by index, the best first. */
  z.strictObject({ ranking: z.array(z.number().int()) }),
  /** One verdict for each item. */
  z.strictObject({ list: z.array(z.union([z.boolean(), z.number(), z.string()])) }),
  z.strictObject({ none: z.literal(true) }),
]);
export type Verdict = z.infer<typeof Verdict>;

/** A reply that a judge would give, and the verdict that it holds. */
export const Reply = z.strictObject({
  /** The reply's text; of a tool call, its arguments as JSON. */
  text: z.string(),
  /** The name of the function, where the verdict is a tool call. */
  tool: z.string().optional(),
  verdict: Verdict,
});
export type Reply = z.infer<typeof Reply>;

export const TemplateRequest = z.strictObject({
  path: z.string().startsWith('/'),
  body: z.record(z.string(), z.unknown()),
  slots: Slots,
  verdict: VerdictForm,
  replies: z.array(Reply),
  /** A value holds text that looks like the template's own literals. */
  hostile: z.literal(true).optional(),
  /**
   * `slots`: the literals of the template can be placed in one way only. `ambiguous`: in several, so an exact reader
   * has to leave the request alone and say so.
   */
  expected: z.enum(['slots', 'ambiguous']),
});
export type TemplateRequest = z.infer<typeof TemplateRequest>;

export const JudgeTemplate = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+([-.][a-z0-9]+)*$/),
  /** The client and its version, or `made here`. */
  source: z.string(),
  /** The licence of a client's prompt text. */
  licence: z.string().optional(),
  kind: Kind,
  /** BCP 47. */
  language: z.string(),
  protocol: Protocol,
  /** What is special about it. */
  note: z.string().optional(),
  requests: z.array(TemplateRequest).min(5),
});
export type JudgeTemplate = z.infer<typeof JudgeTemplate>;

export interface TextPart {
  readonly pointer: string;
  readonly role: string;
  readonly text: string;
}

function contentParts(content: unknown, pointer: string, role: string): TextPart[] {
  if (typeof content === 'string') return [{ pointer, role, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown, i) =>
    isRecord(part) && typeof part.text === 'string'
      ? [{ pointer: `${pointer}/${i}/text`, role, text: part.text }]
      : [],
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts of a request in order: system or instructions first, then each message, then each part of it. */
export function textParts(body: Record<string, unknown>): TextPart[] {
  const parts: TextPart[] = [];
  parts.push(...contentParts(body.system, '/system', 'system'));
  parts.push(...contentParts(body.instructions, '/instructions', 'system'));
  const { systemInstruction, contents } = body;
  if (isRecord(systemInstruction))
    parts.push(...contentParts(systemInstruction.parts, '/systemInstruction/parts', 'system'));
  for (const [list, name] of [
    [body.messages, 'messages'],
    [body.input, 'input'],
  ] as const) {
    if (!Array.isArray(list)) continue;
    list.forEach((message: unknown, i) => {
      if (isRecord(message))
        parts.push(...contentParts(message.content, `/${name}/${i}/content`, String(message.role ?? 'user')));
    });
  }
  if (typeof body.input === 'string') parts.push({ pointer: '/input', role: 'user', text: body.input });
  if (typeof body.prompt === 'string') parts.push({ pointer: '/prompt', role: 'user', text: body.prompt });
  if (Array.isArray(contents))
    contents.forEach((content: unknown, i) => {
      if (isRecord(content))
        parts.push(...contentParts(content.parts, `/contents/${i}/parts`, String(content.role ?? 'user')));
    });
  return parts;
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toRepr(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll("'", text.includes('"') ? "\\'" : "'");
}

/** @returns the value as it stands in the prompt */
export function encode(text: string, encoding: Encoding = 'plain', indent = ''): string {
  switch (encoding) {
    case 'plain':
      return text;
    case 'json':
      return JSON.stringify(text).slice(1, -1);
    case 'json-ascii':
      return JSON.stringify(text)
        .slice(1, -1)
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    case 'repr':
      return toRepr(text);
    case 'html':
      return text.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign);
    case 'indented':
      return text.replaceAll('\n', `\n${indent}`);
    case 'trimmed':
      return text.trim();
  }
}
