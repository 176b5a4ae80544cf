/**
 * The places at which a slot of a template may begin or end: line breaks and delimiters.
 *
 * A prompt is cut into words, the delimiters one by one, spaces and line breaks.
 */

export interface Token {
  readonly kind: 'word' | 'delimiter' | 'space' | 'break';
  readonly text: string;
  /** Offset of the token in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** What opens and what closes. A mark that is both closes what it opened. */
export const CLOSES: Readonly<Record<string, string>> = Object.fromEntries(
  '() [] {} <> “” „“ «» ‹› 「」 『』 【】 （） 〈〉 《》 〔〕 〖〗 ［］ ｢｣ ⟨⟩ "" \'\' `` ||'
    .split(' ')
    .map(([open, close]) => [open, close]),
);

const BRACKETS: ReadonlySet<string> = new Set([...Object.keys(CLOSES), ...Object.values(CLOSES)]);
const LABEL_ENDS: ReadonlySet<string> = new Set(':：=→·—–-›⇒►▶•');
const SENTENCE_ENDS: ReadonlySet<string> = new Set('.!?。！？؟;；');

/** A wide space sets a label off from its text in Japanese. */
const WIDE_SPACE = '\u3000';
const SPACE = /[^\S\r\n\t\u3000]/;
const WORD = /[\p{L}\p{N}]/u;

export const isSentenceEnd = (token: Token | undefined) =>
  token?.kind === 'delimiter' && SENTENCE_ENDS.has(token.text);

/** Whether a text says anything: it holds a letter or a digit. */
export const hasWord = (text: string) => WORD.test(text);

/** Where a text stands in another. */
export const placesOfText = (text: string, sought: string): number[] =>
  sought === ''
    ? []
    : Array.from(text.matchAll(new RegExp(RegExp.escape(sought), 'gu')), ({ index }) => index);

/** The text less the characters at its end that are among `marks`. */
export function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Whether the character at `at` separates words here: a colon in `10:30` and a full stop in `3.5` do not. */
function separates(text: string, at: number): boolean {
  const char = text.charAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  if (char === "'") return !(WORD.test(before) && WORD.test(after));
  if (char === ':') return !(/\d/.test(before) && /\d/.test(after)) && text.slice(at + 1, at + 3) !== '//';
  // At the start of a line a short dash is a bullet, which belongs to its item.
  if (char === '—' || char === '–' || char === '-')
    return (SPACE.test(before) || (char === '—' && !/\S/.test(before))) && (after === '' || /\s/.test(after));
  if (char === '*') return before === '*' || after === '*';
  if (char === '\t' || char === WIDE_SPACE || BRACKETS.has(char) || LABEL_ENDS.has(char)) return true;
  if (SENTENCE_ENDS.has(char)) return after === '' || /\s/.test(after) || char > '\u02ff';
  return false;
}

/** Whether a delimiter ends a label rather than a sentence. */
export const isLabelEnd = (token: Token | undefined) =>
  token?.kind === 'delimiter' && LABEL_ENDS.has(token.text);

/**
 * Cuts a text into tokens that cover it without a gap. Takes time linear in the text's length.
 *
 * @example tokensOf('Question: Why?') // 'Question', ':', ' ', 'Why', '?'
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], start: number, end: number) => {
    if (end > start) tokens.push({ kind, text: text.slice(start, end), start, end });
  };
  let from = 0;
  const words = (until: number) => {
    for (let start = from; start < until; ) {
      const space = SPACE.test(text.charAt(start));
      let end = start + 1;
      while (end < until && SPACE.test(text.charAt(end)) === space) end++;
      add(space ? 'space' : 'word', start, end);
      start = end;
    }
  };
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    const isBreak = char === '\n' || char === '\r';
    if (!isBreak && !separates(text, at)) {
      at++;
      continue;
    }
    words(at);
    const end = char === '\r' && text.charAt(at + 1) === '\n' ? at + 2 : at + 1;
    add(isBreak ? 'break' : 'delimiter', at, end);
    from = at = end;
  }
  words(text.length);
  return tokens;
}

/** Whether a line with this in front of a name and behind it may be a heading or an item of any text: `## Summary`, `- **Cost:**`. */
export const isMarkdown = (lead: string, tail: string) =>
  /^[#*_>\s-]*$/.test(lead) && /^[*_:：\s]*$/.test(tail);
