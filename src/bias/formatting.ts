/**
 * Formatting: the verdict follows headings, bullets, bold type, tables and emoji. Undone by giving every option as plain
 * text: its marking goes; its words, numbers and code stay, and emoji that stand for a word (`Water: ✅`).
 */
import { splitSentences } from '../case/index.ts';
import { rewriteSide } from './draft.ts';
import { rewriteEach } from './reword.ts';
import type { Bias } from './types.ts';

/** So many more marks than any other option has are seen at a glance; and so many times as many. */
const MARGIN = 3;
const RATIO = 2;

/** Longer texts are not rendered: a hostile one of this length takes a quarter of a second. */
const LONGEST = 32 * 1024;

/** Each is one mark. */
const MARK =
  /^ {0,3}#{1,6} |^[ \t]{0,12}[-*+] |\*\*[^*\n]{1,200}\*\*|__[^_\n]{1,200}__|^ {0,3}\|[^|\n]{0,200}\||\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gmu;

export const formatting: Bias = {
  name: 'formatting',
  definition:
    'The choice follows how an answer is set out: headings, bullet points, bold type, tables or emoji make it look ' +
    'better, whether or not it says more.',
  expectation: 'invariant',
  trait: 'layout',

  spot(subject) {
    const marks = subject.options.map(({ text }) => countMarks(text));
    if (marks.length < 2) return [];
    const [most = 0, next = 0] = marks.toSorted((a, b) => b - a);
    if (most - next < MARGIN || most < RATIO * next) return [];
    return [
      {
        bias: 'formatting',
        favours: marks.indexOf(most),
        seen: `it has ${most} marks such as headings, bullets and bold type, no other more than ${next}`,
        strength: 1 - next / most,
      },
    ];
  },

  async undo(subject) {
    if (subject.options.some(({ text }) => text.length > LONGEST)) return null;
    // Loaded where there is something to render: most cases have nothing, and a server starts without it.
    const { renderPlain } = await import('./plain-text.ts');
    return rewriteEach(subject, (text) => (countMarks(text) > 0 ? renderPlain(text) : text));
  },

  /** One side is set out in bullets, its first sentence in bold type; its words stay. */
  async inject(draft, { side }) {
    const set = rewriteSide(draft, side, setOut);
    const isMarked = set.options.some(
      (text, index) => countMarks(text) >= countMarks(draft.options[index] ?? '') + MARGIN,
    );
    return isMarked ? set : { dropped: 'the option has too few sentences to be set out' };
  },
};

/** Headings, bullets, rows of tables, emoji and words in bold type. */
export const countMarks = (text: string): number => text.match(MARK)?.length ?? 0;

/** A bullet for each sentence; a text that has code, lists or tables of its own is left as it is. */
function setOut(text: string): string {
  if (/^[ \t]*(?:[-*+|>#]|\d+[.)]|```)/m.test(text)) return text;
  const sentences = text
    .split('\n')
    .flatMap(splitSentences)
    .map((one) => one.trim());
  return sentences.map((one, n) => (n === 0 ? `**${one}**\n` : `- ${one}`)).join('\n');
}
