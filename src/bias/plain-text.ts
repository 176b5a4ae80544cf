/** Markdown as plain text: its marking goes; its words, numbers, code and the signs that stand for a word stay. */
import MarkdownIt, { type Token } from 'markdown-it';

/** One emoji or several in a row. */
const EMOJI =
  /(?:(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\uFE0F|\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic}){0,8} ?)+/gu;

/** Yes and no, stars, thumbs, arrows, plus and minus, colours and flags say something wherever they stand. */
const TELLING =
  /[✅✔❎❌✖⭐👍👎⬆⬇⬅➡↗↘↙↖↔↕🔼🔽➕➖➗🟰🔴🟠🟡🟢🔵🟣🟤⚫⚪🟥🟧🟨🟩🟦🟪🟫⬛⬜]|\p{Regional_Indicator}/u;

/** Any other emoji adorns a word or a sentence that it stands behind, and a word in front of which it stands. */
const BEFORE_EMOJI = /[\p{L}\p{M}\p{N}.!?…。！？]["'”’)*_]{0,4}[ \t]{0,4}$/u;
const BEHIND_EMOJI = /^["'“‘(*_`]{0,4}[\p{L}\p{N}]/u;

/** Marks of a list or a quotation that may be the sign of a number: `> 5`, `+ 7`, `- - 5`. */
const SIGNED_NUMBER =
  /^[ \t]{0,12}(?:(?:(?:\d{1,9}[.)]|[-*+])[ \t]{1,4})?(?:>|\+[ \t])|(?:\d{1,9}[.)]|[-*+])[ \t]{1,4}-[ \t])[ \t]{0,4}(?=\d)/;

/** Links and HTML stay as they are written. */
const MARKDOWN = new MarkdownIt({ html: false }).disable([
  'link',
  'image',
  'autolink',
  'html_inline',
  'entity',
  'reference',
  'newline',
  'text_join',
]);

/** A text without its marking; as it is where a word or a number would be lost by that. The sign of a number stays. */
export function renderPlain(text: string): string {
  const plain = joinBlocks(blocksIn(text), text.split('\n'));
  return wordsIn(plain) === wordsIn(text) ? plain : text;
}

/** Chinese and Japanese characters are words of their own: nothing is joined where a mark between them goes. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu;

const wordsIn = (text: string): string => (text.replaceAll('\uFE0F', '').match(WORDS) ?? []).join(' ');

/** A paragraph, a row of a table or a code block, without its marking. */
interface Block {
  readonly text: string;
  /** Lines of the text that it stands in, the last not included. */
  readonly from: number;
  readonly to: number;
}

function blocksIn(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  /** Of the items of numbered lists that have begun and have no text yet. */
  let number = '';
  let row: { readonly cells: string[]; readonly map: [number, number] } | null = null;
  const add = (words: string, [from, to]: readonly [number, number]) => {
    const signed = words.split('\n').map((line, n) => withSign(line, lines[from + n] ?? ''));
    blocks.push({ text: number + signed.join('\n'), from, to });
    number = '';
  };
  for (const token of MARKDOWN.parse(text, {})) {
    const map = token.map ?? [0, 0];
    if (token.type === 'list_item_open' && token.info !== '') number += `${token.info}${token.markup} `;
    else if (token.type === 'tr_open') row = { cells: [], map };
    else if (token.type === 'tr_close' && row) {
      add(row.cells.join(', '), row.map);
      row = null;
    } else if (token.type === 'fence' || token.type === 'code_block') {
      // As it is written, with the number of its list in front.
      number = '';
      add(
        lines
          .slice(...map)
          .join('\n')
          .trimEnd(),
        map,
      );
    } else if (token.type === 'inline' && row) row.cells.push(renderInline(token));
    else if (token.type === 'inline') add(renderInline(token), map);
  }
  return blocks;
}

/** A line with the mark in front of its number, as its source has it. Its place in a numbered list is told elsewhere. */
function withSign(line: string, source: string): string {
  const mark = SIGNED_NUMBER.exec(source)?.[0].trimStart() ?? '';
  return line.trimStart().startsWith(mark.trimEnd())
    ? line
    : mark.replace(/^\d{1,9}[.)][ \t]{1,4}/, '') + line;
}

/** As far apart as they were: a blank line, or none. */
function joinBlocks(blocks: readonly Block[], lines: readonly string[]): string {
  return blocks
    .map(({ text, from }, n) => {
      const before = blocks[n - 1];
      if (!before) return text;
      const isApart =
        lines.slice(before.to, from).some((line) => line.trim() === '') || lines[before.to - 1] === '';
      return (isApart ? '\n\n' : '\n') + text;
    })
    .join('');
}

/** Bold type, as it is counted. */
const PAIR = /\*\*(?!\s)[^*\n]{1,200}(?<!\s)\*\*|__(?!\s)[^_\n]{1,200}(?<!\s)__/g;

/** The words of a paragraph without bold type and emoji. Within a word or a number (`2**3**4`) stars are no marks. */
function renderInline({ content, children }: Token): string {
  const pieces: { readonly from: number; readonly to: number; readonly token: Token }[] = [];
  let at = 0;
  for (const token of children ?? []) {
    const to = at + lengthOf(token, content, at);
    pieces.push({ from: at, to, token });
    at = to;
  }
  const inWord = (place: number) => /[\p{Script=Latin}\p{N}]/u.test(content.charAt(place));
  const open: number[] = [];
  const dropped = new Set<number>();
  for (const [n, { from, to, token }] of pieces.entries()) {
    if (token.type === 'strong_open') open.push(n);
    if (token.type !== 'strong_close') continue;
    const began = open.pop() ?? n;
    if (!inWord((pieces[began]?.from ?? 0) - 1) && !inWord(to)) dropped.add(began).add(n);
    if (from === to) dropped.delete(n);
  }
  // CommonMark pairs no marks between a letter and a quotation mark, as texts without spaces have them: これは**「富士山」**です。
  const unpaired = pieces
    .map(({ from, to, token }) => (token.type === 'text' ? content.slice(from, to) : '\0'.repeat(to - from)))
    .join('');
  const marks = unpaired
    .matchAll(PAIR)
    .map(({ 0: pair, index }) => ({ index, end: index + pair.length }))
    .filter(({ index, end }) => !inWord(index - 1) && !inWord(end))
    .flatMap(({ index, end }) => [index, end - 2])
    .toArray();
  return pieces
    .map(({ from, to, token }, n) => {
      if (dropped.has(n)) return '';
      if (token.type !== 'text') return content.slice(from, to);
      const own = marks.filter((mark) => from <= mark && mark < to);
      const starts = [from, ...own.map((mark) => mark + 2)];
      return starts.map((start, k) => withoutEmoji(content, start, own[k] ?? to)).join('');
    })
    .join('');
}

/** How many characters a token takes in the paragraph that it was read from. */
function lengthOf({ type, content, markup }: Token, paragraph: string, at: number): number {
  if (type === 'text') return content.length;
  if (type === 'hardbreak') return /^\\\n[ \t]*/.exec(paragraph.slice(at))?.[0].length ?? 0;
  if (type !== 'code_inline') return markup.length;
  const start = at + markup.length;
  const inside = paragraph.slice(start, start + content.length).replaceAll('\n', ' ');
  // One space at both ends belongs to the marking.
  return 2 * markup.length + content.length + (inside === content ? 0 : 2);
}

/** A piece of a paragraph without the emoji that adorn it. Whatever stands for a word stays: `Water: ✅`, `Mood: 😀`. */
function withoutEmoji(paragraph: string, from: number, to: number): string {
  return paragraph.slice(from, to).replace(EMOJI, (found, at: number) => {
    const [start, end] = [from + at, from + at + found.length];
    const before = paragraph.slice(Math.max(0, start - NEAR), start);
    const behind = paragraph.slice(end, end + NEAR);
    if (TELLING.test(found) || !(BEFORE_EMOJI.test(before) || BEHIND_EMOJI.test(behind))) return found;
    return /\S$/.test(before) && /^\S/.test(behind) && !found.endsWith(' ') ? ' ' : '';
  });
}

/** Characters beside an emoji that say what it does there. */
const NEAR = 12;
