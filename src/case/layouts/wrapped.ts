/**
 * Texts that a template wraps: a fence of code, quotation marks or a tag between the label and the text. What is judged
 * is the inside. An answer may be one block of code or one quotation as well, so a wrapper is the template's only where
 * all options have it and something else says so, too: the question has the same, or no answer is written so.
 */

import type { Prompt, Span } from '../types.ts';
import type { Finding } from './layout.ts';
import { type Range, trimmed } from './lines.ts';

interface Wrapper {
  /** What both sides are called: two texts are wrapped alike where this is the same. */
  readonly kind: string;
  readonly inside: Range;
  /** Where the wrapper ends. */
  readonly end: number;
}

const FENCE = /^(`{3,9}|~{3,9})[ \t]{0,9}(\w{0,20})[ \t]{0,9}\r?\n/;
const TAG = /^<([A-Za-z][\w-]{0,40})>/;
const QUOTES = new Map([
  ['"""', '"""'],
  ["'''", "'''"],
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
  ['„', '“'],
  ['「', '」'],
]);
/** Kinds that no answer is written in as a whole. */
const EVIDENT = /^(?:tag |"""|''')/;

/** @returns the finding with the insides as its options and its instruction, where the template wraps them */
export function unwrapped(prompt: Prompt, finding: Finding): Finding {
  const { options, instruction } = finding;
  if (options.length === 0 || options.some(({ moves, nested }) => moves || nested)) return finding;
  const wrappers = options.map(({ at }) => wrapperOf(prompt, at));
  const asked = instruction && wrapperOf(prompt, instruction);
  const [first] = wrappers;
  const alike = wrappers.every((one) => one && kindOf(one.kind) === kindOf(first?.kind ?? ''));
  if (!first || !alike) return finding;
  // Where an empty one would begin, its wrapper does not say.
  if (wrappers.some((one) => one?.inside.end === one?.inside.start)) return finding;
  const alsoAsked = asked !== null && kindOf(asked.kind) === kindOf(first.kind);
  if (!alsoAsked && !(EVIDENT.test(first.kind) && options.length > 1)) return finding;
  const inside = (at: Span, wrapper: Wrapper | null | undefined): Span =>
    wrapper ? { part: at.part, ...wrapper.inside } : at;
  const last = options.at(-1)?.at;
  const end = wrappers.at(-1)?.end;
  return {
    ...finding,
    // Its fences are no orders.
    marks: [...finding.marks, ...options.flatMap(({ at }, i) => edges(at, wrappers[i]))],
    options: options.map((option, i) => ({ ...option, at: inside(option.at, wrappers[i]) })),
    instruction: instruction && alsoAsked ? inside(instruction, asked) : instruction,
    wrapped: options.map(({ at }, i) => ({ ...at, end: wrappers[i]?.end ?? at.end })),
    after:
      last && end !== undefined && finding.after.part === last.part && finding.after.offset <= last.end
        ? { part: last.part, offset: end }
        : finding.after,
  };
}

const edges = (at: Span, wrapper: Wrapper | null | undefined): Span[] =>
  wrapper
    ? [
        { part: at.part, start: at.start, end: wrapper.inside.start },
        { part: at.part, start: wrapper.inside.end, end: wrapper.end },
      ]
    : [];

/** `<opik_input>` and `<opik_output>` are of one kind. */
const kindOf = (kind: string) => (kind.startsWith('tag ') ? 'tag' : kind);

/** The wrapper that a text begins with, closed once: at its end, or where the judge's orders follow. */
function wrapperOf({ parts }: Prompt, { part, start, end }: Span): Wrapper | null {
  const text = parts[part]?.text ?? '';
  const head = text.slice(start, Math.min(end, start + 80));
  const fence = FENCE.exec(head);
  if (fence) {
    const [opener, marks = ''] = fence;
    // A block inside the block has fences of its own.
    const closers = [
      ...text.slice(start + opener.length, end).matchAll(/(?:^|\n)[ \t]*(`{3,9}|~{3,9})[ \t]*\r?(?=\n|$)/g),
    ];
    const closer = closers.at(-1);
    if (!closer || closer[1] !== marks) return null;
    const at = start + opener.length + closer.index;
    return wrapper(text, `fence ${fence[2]}`, start + opener.length, at, at + closer[0].length, end);
  }
  const tag = TAG.exec(head);
  const quote = [...QUOTES.keys()].find((one) => head.startsWith(one));
  const opener = tag?.[0] ?? quote;
  const closer = tag ? `</${tag[1]}>` : QUOTES.get(quote ?? '');
  if (opener === undefined || closer === undefined) return null;
  const at = text.indexOf(closer, start + opener.length);
  if (at < 0 || at + closer.length > end) return null;
  const again = text.slice(at + closer.length, end);
  // Of several the last, where that closes the text: words in quotation marks stand in many an answer.
  if (again.includes(closer) || (tag && again.includes(opener))) {
    if (!text.slice(start, end).endsWith(closer) || tag || opener.length > 1) return null;
    return wrapper(text, opener, start + opener.length, end - closer.length, end, end);
  }
  const kind = tag ? `tag ${tag[1]}` : opener;
  return wrapper(text, kind, start + opener.length, at, at + closer.length, end);
}

function wrapper(
  text: string,
  kind: string,
  start: number,
  end: number,
  until: number,
  last: number,
): Wrapper | null {
  // Behind the wrapper the judge's orders stand in lines of their own.
  if (!/^[ \t]*(?:\r?\n|$)/.test(text.slice(until, last))) return null;
  return { kind, inside: trimmed(text, { start, end }), end: until };
}
