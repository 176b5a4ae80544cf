/** Requests for the tests of the case reader, and the one property that every case must have. */
import { expect } from 'vitest';
import { bandwagon } from '../../src/bias/bandwagon.ts';
import { applyEdits, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { type findCase, readCase } from '../../src/case/read.ts';
import type { Case, Prompt } from '../../src/case/types.ts';

/** A prompt of one user message of one or more parts. */
export function prompt(...texts: string[]): Prompt {
  return { parts: texts.map((text) => ({ role: 'user', text })) };
}

/** The case as it is read, be it evident or no more than a suggestion. */
export function found(request: Prompt, options: Parameters<typeof findCase>[1] = {}): Case {
  const subject = readCase(request, options)?.subject;
  if (!subject) throw new Error(`no case found in: ${JSON.stringify(request).slice(0, 2000)}`);
  return subject;
}

/** Exchanges the options, finds the case again, exchanges again: the request is back, byte for byte. */
export function expectSwapIsExact(request: Prompt, options: Parameters<typeof findCase>[1] = {}): void {
  const given = found(request, options);
  const swapped = applyEdits(request, editsFor(given, reversed(given)));
  const again = found(swapped, options);
  expect(movedIn(again)).toEqual(movedIn(given).toReversed());
  const back = applyEdits(swapped, editsFor(again, reversed(again)));
  expect(back).toEqual(request);
}

/** What is exchanged of each option. */
const movedIn = ({ prompt: { parts }, options }: Case) =>
  options.map(({ at, moves = [at] }) =>
    moves.map(({ part, start, end }) => parts[part]?.text.slice(start, end)),
  );

/** What a piece of a prompt says, which stands within so many JSON strings; null where it is none of their content. */
function said(slice: string, nested: number): string | null {
  try {
    return nested === 0 ? slice : said(JSON.parse(`"${slice}"`), nested - 1);
  } catch {
    return null;
  }
}

/** Every span holds the text it says it holds, inside its part, and no two of the case's pieces overlap. */
export function expectInPlace({ prompt: { parts }, instruction, options, context, noteAt }: Case): void {
  const pieces = [...options, ...(instruction ? [instruction] : []), ...context];
  for (const { text, at } of context) expect(parts[at.part]?.text.slice(at.start, at.end)).toBe(text);
  for (const { text, at, nested = 0 } of options) {
    const slice = parts[at.part]?.text.slice(at.start, at.end) ?? '';
    expect(said(slice, nested)).toBe(text);
  }
  for (const { text, at } of instruction ? [instruction] : []) {
    const slice = parts[at.part]?.text.slice(at.start, at.end) ?? '';
    expect([slice, said(slice, 1)]).toContain(text);
  }
  const spans = pieces.map(({ at }) => at).sort((a, b) => a.part - b.part || a.start - b.start);
  for (const [i, span] of spans.entries()) {
    const next = spans[i + 1];
    if (next?.part === span.part) expect(next.start).toBeGreaterThanOrEqual(span.end);
    if (noteAt.part === span.part)
      expect(noteAt.offset <= span.start || noteAt.offset >= span.end).toBe(true);
  }
  expect(noteAt.offset).toBeLessThanOrEqual(parts[noteAt.part]?.text.length ?? -1);
}

/** The request with what a majority is said to think taken out, by the first cue. */
export async function withoutCue(request: Prompt, subject: Case): Promise<Prompt> {
  const [cue] = bandwagon.spot(subject);
  const tools = { rewrite: null, signal: new AbortController().signal };
  const undone = cue ? await bandwagon.undo(subject, cue, tools) : null;
  if (!undone) throw new Error('no cue that can be undone');
  return applyEdits(request, editsFor(subject, undone));
}
