/**
 * A reply as its judge meant it to be read: without its thinking, in plain characters, without markup.
 * What is read from it afterwards is a decision, never a place in the text, so characters may go.
 */
import type { NoVerdictReason } from '../../types.ts';

/** `said` is for reading prose; `raw` still has fences and emphasis, for JSON. Or why there is nothing to read. */
export type OwnWords =
  | { readonly said: string; readonly raw: string }
  | { readonly none: Extract<NoVerdictReason, 'empty' | 'truncated'> };

/** Thinking is not a verdict: neither what stands between the marks nor what a closing mark alone ends. */
export function ownWords(text: string): OwnWords {
  const spoken = withoutThinking(visibleIn(text));
  if (spoken === null) return { none: 'truncated' };
  const raw = spoken
    .normalize('NFKC')
    // Private-use characters stand for options in naming.ts: none may come from the reply itself.
    .replace(/[\uE000-\uF8FF]/g, '')
    .replace(/\r\n?/g, '\n');
  const said = withoutMarkup(middleCut(raw)).trim();
  return said === '' ? { none: 'empty' } : { said, raw };
}

/** A text without the signs that nobody sees: marks of direction, joiners, the mark of a byte order. */
export const visibleIn = (text: string): string => text.replace(/\p{Cf}/gu, '');

/** Null where the thinking does not end. A verdict in front of it counts as well as one behind it. */
function withoutThinking(text: string): string | null {
  if (!text.includes('<')) return text;
  let spoken: string[] = [];
  let from = 0;
  let thinking = false;
  for (const mark of text.matchAll(/<(\/?)think(?:ing)?>/gi)) {
    const closes = mark[1] === '/';
    if (closes && !thinking) spoken = [];
    if (!closes && !thinking) spoken.push(text.slice(from, mark.index));
    if (closes) from = mark.index + mark[0].length;
    thinking = !closes;
  }
  return thinking ? null : [...spoken, text.slice(from)].join('');
}

/**
 * Verdicts stand at the start or the end of a reply. Reading only so much of both keeps the work on a
 * hostile reply of megabytes as small as on an honest one. In UTF-16 code units.
 */
const HEAD = 8_000;
const TAIL = 16_000;

function middleCut(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n\n${text.slice(-TAIL)}`;
}

const TAGS = 'final_answer|answer|verdict|choice|decision|result|winner|score|rating';
const OPENS = new RegExp(`<(${TAGS})>`, 'gi');
const CLOSES = new RegExp(`</(?:${TAGS})>`, 'gi');

/** What there is markup in, or white space to make one of: a label alone, as many a judge replies, is plain as it is. */
const MARKED_UP = /[\\<>*`_#•‘’“”-]|[^\S\n ]| {2}/;

/** Tags such as `<answer>B</answer>` become a line `answer: B`; `\boxed{B}` becomes `[[B]]`. */
export function withoutMarkup(text: string): string {
  if (!MARKED_UP.test(text)) return text;
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\\boxed\{ ?(?:\\text\{)? ?([^{}\n]{1,60})\}{1,2}/g, '[[$1]]')
    .replace(OPENS, '\n$1: ')
    .replace(CLOSES, '\n')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\*+|`+|__/g, '')
    .replace(/^ ?(?:#{1,6} |> ?|[-•] )+/gm, '');
}
