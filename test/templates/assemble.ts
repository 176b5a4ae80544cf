/**
 * Makes the files of the corpus from captures: what a client sent for a case, and what it sent for the same case with a
 * marker in the place of each value. The markers show the template's literals, so the places of the values are known
 * from what was put in; no reader of ours has a part in it.
 *
 * Run: `node test/templates/assemble.ts CAPTURES.jsonl...`
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  Encoding,
  encode,
  JudgeTemplate,
  Kind,
  type Option,
  Protocol,
  Reply,
  type Slot,
  type Slots,
  type TemplateRequest,
  textParts,
  VerdictForm,
} from './schema.ts';

const Role = z.enum(['instruction', 'option', 'reference', 'rubric', 'context', 'ignored']);

export const Capture = z.strictObject({
  name: z.string(),
  source: z.string(),
  licence: z.string().optional(),
  kind: Kind,
  language: z.string(),
  protocol: Protocol,
  note: z.string().optional(),
  /** What each value is; an option's turns are several keys with one label. */
  keys: z.record(z.string(), z.strictObject({ role: Role, label: z.string().optional() })),
  verdict: VerdictForm,
  cases: z.array(
    z.strictObject({
      path: z.string(),
      body: z.record(z.string(), z.unknown()),
      /** The same request with `markerOf(key)` in the place of each value. */
      marked: z.record(z.string(), z.unknown()),
      values: z.record(z.string(), z.string()),
      hostile: z.literal(true).optional(),
      replies: z.array(Reply),
      /** Where the labels of this case are others. */
      verdict: VerdictForm.optional(),
      labels: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
export type Capture = z.infer<typeof Capture>;

/** @returns what stands in a marked request in the place of the value */
export const markerOf = (key: string): string => `SLOT${key}TOLS`;

interface Piece {
  readonly literal: string;
  /** The slot behind the literal; none behind the last. */
  readonly key?: string;
}

/** The literals of a marked text, each with the key of the slot behind it. */
export function piecesOf(marked: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of marked.matchAll(/SLOT([A-Za-z0-9_]+?)TOLS/g)) {
    pieces.push({ literal: marked.slice(from, found.index), key: found[1] ?? '' });
    from = found.index + found[0].length;
  }
  pieces.push({ literal: marked.slice(from) });
  return pieces;
}

interface Place {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly encoding: Encoding;
  readonly indent: string;
}

const ENCODINGS = Encoding.options;

/** What stands in front of the slot in its line, as white space or a Markdown quotation. */
function indentOf(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return /^[\s>|]*$/.test(line) ? line : (/^\s*/.exec(line)?.[0] ?? '');
}

/** @returns the places of the values in the text, or the first difference as an error */
function placesIn(text: string, pieces: readonly Piece[], values: Readonly<Record<string, string>>): Place[] {
  const place = (i: number, from: number): Place[] | undefined => {
    const piece = pieces[i];
    if (!piece) return undefined;
    const { literal, key } = piece;
    if (!text.startsWith(literal, from)) return undefined;
    const start = from + literal.length;
    if (key === undefined) return start === text.length ? [] : undefined;
    const value = values[key];
    if (value === undefined) throw new Error(`no value for ${key}`);
    const before = text.slice(0, start);
    const tried = new Set<string>();
    for (const encoding of ENCODINGS)
      for (const indent of encoding === 'indented' ? [indentOf(before), '    ', '  ', '\t', '> '] : ['']) {
        const raw = encode(value, encoding, indent);
        if (tried.has(raw) || !text.startsWith(raw, start)) continue;
        tried.add(raw);
        const rest = place(i + 1, start + raw.length);
        if (rest) return [{ key, start, end: start + raw.length, encoding, indent }, ...rest];
      }
    return undefined;
  };
  const found = place(0, 0);
  if (found) return found;
  let at = 0;
  for (const { literal, key } of pieces) {
    if (!text.startsWith(literal, at)) {
      throw new Error(
        `expected ${JSON.stringify(literal.slice(0, 120))} but there is ${JSON.stringify(text.slice(at, at + 120))}`,
      );
    }
    at += literal.length + (key === undefined ? 0 : (values[key] ?? '').length);
  }
  throw new Error('the values do not fit');
}

/** In how many ways the literals can be placed in the text, in order and covering both ends; 2 stands for more. */
export function countPlacements(text: string, literals: readonly string[]): 0 | 1 | 2 {
  const [first = '', ...rest] = literals;
  if (rest.length === 0) return text === first ? 1 : 0;
  if (!text.startsWith(first)) return 0;
  /** ways[p]: in how many ways the literals so far end at or before p, at most 2. */
  let ways = new Uint8Array(text.length + 1).fill(1, first.length);
  rest.forEach((literal, i) => {
    const isLast = i === rest.length - 1;
    const next = new Uint8Array(text.length + 1);
    const add = (start: number) => {
      const end = start + literal.length;
      next[end] = Math.min(2, (next[end] ?? 0) + (ways[start] ?? 0));
    };
    if (isLast) {
      if (text.endsWith(literal) && text.length >= literal.length) add(text.length - literal.length);
    } else if (literal === '') {
      for (let p = 0; p <= text.length; p++) add(p);
    } else {
      for (let p = text.indexOf(literal); p >= 0; p = text.indexOf(literal, p + 1)) add(p);
    }
    let sum = 0;
    ways = next.map((count, p) => {
      sum = p === text.length && isLast ? count : Math.min(2, sum + count);
      return sum;
    });
  });
  const count = ways[text.length] ?? 0;
  return count === 0 ? 0 : count === 1 ? 1 : 2;
}

type Case = Capture['cases'][number];

function assembleRequest(capture: Capture, one: Case): TemplateRequest {
  const marked = textParts(one.marked);
  const parts = textParts(one.body);
  const slots: Slots = { instruction: [], options: [], reference: [], rubric: [], context: [], ignored: [] };
  const seen = new Set<string>();
  let ways = 1;
  parts.forEach(({ pointer, text }, part) => {
    const pieces = piecesOf(marked[part]?.text ?? '');
    if (marked[part]?.pointer !== pointer) throw new Error(`${pointer}: another part than the marked one`);
    const literals = pieces.map(({ literal }) => literal);
    ways *= Math.max(1, countPlacements(text, literals));
    for (const { key, start, end, encoding, indent } of placesIn(text, pieces, one.values)) {
      const what = capture.keys[key];
      if (!what) throw new Error(`no role for ${key}`);
      const value = one.values[key] ?? '';
      const slot: Slot = {
        text: encoding === 'trimmed' ? value.trim() : value,
        part,
        pointer,
        start,
        end,
        ...(encoding !== 'plain' && { encoding }),
        ...(indent !== '' && { indent }),
        ...(seen.has(key) && { again: true }),
      };
      seen.add(key);
      if (what.role !== 'option') {
        slots[what.role].push(slot);
        continue;
      }
      const label = one.labels?.[key] ?? what.label ?? '';
      const option = slots.options.find((option) => option.label === label);
      if (option) option.slots.push(slot);
      else slots.options.push({ label, slots: [slot] } satisfies Option);
    }
  });
  for (const key of Object.keys(one.values))
    if (!seen.has(key)) throw new Error(`${key} does not stand in the request`);
  return {
    path: one.path,
    body: one.body,
    slots,
    verdict: one.verdict ?? capture.verdict,
    replies: one.replies,
    ...(one.hostile && { hostile: one.hostile }),
    expected: ways > 1 ? 'ambiguous' : 'slots',
  };
}

/** @throws Error where a value is not where the markers say */
export function assemble(capture: Capture): JudgeTemplate {
  const { cases, keys: _, verdict: __, ...head } = capture;
  const requests = cases.map((one, i) => {
    try {
      return assembleRequest(capture, one);
    } catch (error) {
      throw new Error(`${capture.name}, case ${i}: ${error instanceof Error ? error.message : error}`);
    }
  });
  return JudgeTemplate.parse({ ...head, requests });
}

/**
 * Which half a template belongs to: `unseen` if its source stands there or, of a client's, if `unseen/sources/clients`
 * names it; otherwise `seen`.
 */
export function halfOf(name: string, folder = import.meta.dirname): 'seen' | 'unseen' {
  const sources = join(folder, 'unseen', 'sources');
  if (existsSync(join(sources, `${name}.txt`))) return 'unseen';
  const list = join(sources, 'clients');
  return existsSync(list) && readFileSync(list, 'utf8').split('\n').includes(name) ? 'unseen' : 'seen';
}

/** Writes the template into its half. */
export function writeTemplate(template: JudgeTemplate, folder = import.meta.dirname): void {
  const half = join(folder, halfOf(template.name, folder));
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, `${template.name}.json`), `${JSON.stringify(template, null, 1)}\n`);
}

if (import.meta.main) {
  let failures = 0;
  for (const file of process.argv.slice(2))
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      try {
        writeTemplate(assemble(Capture.parse(JSON.parse(line))));
      } catch (error) {
        failures++;
        console.error(error instanceof Error ? error.message : error);
      }
    }
  console.error(`${failures} could not be assembled`);
}
