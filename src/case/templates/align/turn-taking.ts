/**
 * Conversations that the search for shared words cut into turns. One whose number of turns differs from request to request is
 * one text.
 */
import type { TextRange } from '../../types.ts';
import { slotsBetween } from '../match.ts';

/** Who speaks at the start of a line, behind a number or a time: `{01} Tower: `, `[Customer] `. */
const SPEAKER =
  /^[^\S\n]{0,20}(?:[[({<|]?[\d:.]{1,12}[\])}>]?\s)?(\[\p{L}[^\]\n]{0,30}\]|(?:[^\p{L}\p{N}\s]{1,3}\s?)?\p{L}[^\n:：]{0,40}[:：])\s?/u;

/** A line that begins with a speaker's name. */
interface Turn {
  readonly name: string;
  /** Whether its name is a literal of the template. */
  readonly isShared: boolean;
}

/**
 * The literals less those that name speakers, where several of them take turns and not as often in all texts.
 *
 * @param texts that the literals fit
 *
 * @example joinTurns(['Call:\nA: ', '\nB: ', ''], ['Call:\nA: 1\nB: 2\nA: 3', 'Call:\nA: 4\nB: 5', …]) // ['Call:\nA: ', '']
 */
export function joinTurns(literals: readonly string[], texts: readonly string[]): string[] {
  const slots = texts.map((text) => slotsBetween(text, literals, 1) ?? []);
  const isTurn = literals.map((literal, n) => {
    if (n === 0 || n === literals.length - 1 || literal.trim().includes('\n')) return false;
    return texts.every((text, t) => {
      const end = slots[t]?.[n]?.start ?? 0;
      const line = text.slice(lineStart(text, end), end);
      return SPEAKER.exec(line)?.[0].length === line.length;
    });
  });
  const joined = [...literals];
  for (let end = literals.length - 1; end > 0; end--) {
    const first = isTurn.lastIndexOf(false, end - 1) + 1;
    const turns = texts.map((text, t) => turnsIn(text, (slots[t] ?? []).slice(first - 1, end)));
    const within = first < end ? turnsWithin(turns) : null;
    if (within) {
      const from = first + within.start;
      const front = joined[from - 1] ?? '';
      // A name that only some texts have turns in front of is one more; what begins all of them stays the template's.
      const isTurnToo = from > 1 && SPEAKER.exec(front)?.[0].length === front.length;
      joined.splice(isTurnToo ? from - 1 : from, within.end - within.start + (isTurnToo ? 1 : 0));
    }
    end = Math.min(end, first);
  }
  return joined;
}

const lineStart = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** The turns from the first slot's line to the last slot's end. */
function turnsIn(text: string, slots: readonly TextRange[]): Turn[] {
  let at = lineStart(text, slots[0]?.start ?? 0);
  const shared = slots.slice(1).map(({ start }) => lineStart(text, start));
  return text
    .slice(at, slots.at(-1)?.end)
    .split('\n')
    .flatMap((line) => {
      const isShared = shared.includes(at);
      at += line.length + 1;
      const name = SPEAKER.exec(line)?.[1];
      return name === undefined ? [] : [{ name, isShared }];
    });
}

/** Whether each text is a conversation: the same names lead several lines of it. */
export function areConversations(texts: readonly string[]): boolean {
  const all = withKnown(texts.map((text) => turnsIn(text, [{ start: 0, end: text.length }])));
  return texts.length > 1 && all.every((turns) => turns.length > 1);
}

/** The turns of those who speak more than once. */
function withKnown(texts: readonly (readonly Turn[])[]): Turn[][] {
  const all = Map.groupBy(texts.flat(), ({ name }) => name);
  return texts.map((turns) => turns.filter(({ name }) => (all.get(name)?.length ?? 0) > 1));
}

/**
 * Which of the names that all texts share are those of turns: somebody speaks both in front of them and from there on, and the
 * turns are not as many in all texts; with any one text left out, as an answer may imitate the template's names.
 */
function turnsWithin(texts: readonly (readonly Turn[])[]): TextRange | null {
  const rows = new Set(withKnown(texts).map((turns) => turns.map(({ name }) => name).join('\n')));
  if (rows.size < 2 || texts.length < 3) return null;
  const others = texts.map((_, n) => withKnown(texts.toSpliced(n, 1)));
  const count = texts[0]?.filter(({ isShared }) => isShared).length ?? 0;
  const within = Array.from({ length: count }, (_, nth) => others.every((some) => speaksAround(some, nth)));
  return within.includes(true) ? { start: within.indexOf(true), end: within.lastIndexOf(true) + 1 } : null;
}

/** Whether somebody speaks both in front of a shared name and from there on. */
function speaksAround(texts: readonly (readonly Turn[])[], nth: number): boolean {
  const [front, back] = [new Set<string>(), new Set<string>()];
  for (const turns of texts) {
    const at = turns.flatMap(({ isShared }, n) => (isShared ? [n] : []))[nth] ?? 0;
    for (const [n, { name }] of turns.entries()) (n < at ? front : back).add(name);
  }
  return front.intersection(back).size > 0;
}
