/** Conversations that are handed over in one piece: a list of turns in JSON, or lines that begin with who speaks. */

import type { TextRange } from './types.ts';

/** Where the text of a turn stands, in so many JSON strings. */
interface Turn {
  readonly speaker: 'model' | 'other';
  readonly start: number;
  readonly end: number;
  readonly nested: number;
}

/** Names of the model's role, in the protocols of chat models and in transcripts. */
export const MODELS: ReadonlySet<string> = new Set(['assistant', 'model', 'ai', 'agent', 'bot', 'chatbot']);
/** Those of whoever speaks in a transcript, for a regular expression. */
export const SPEAKERS = ['user', 'human', 'customer', 'client', 'system', ...MODELS].join('|');

/** Longer conversations are judged as a whole. */
const MOST_TURNS = 100;

/**
 * What the model says in a conversation in which it speaks once: that is what is judged of it.
 *
 * @returns null where the text is no conversation, or the model speaks more often
 */
export function onlyAnswer(text: string): Turn | null {
  const turns = /^\s*\[\s*\{/.test(text) ? turnsInList(text) : turnsInLines(text);
  const [answer, ...more] = turns.filter(({ speaker }) => speaker === 'model');
  return answer && more.length === 0 && turns.length > 1 ? answer : null;
}

/**
 * `[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]`, also as Python prints it; none where an
 * entry is no such turn.
 */
function turnsInList(text: string): Turn[] {
  const turns: Turn[] = [];
  let fields = new Map<string, TextRange>();
  let key: string | null = null;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"' || sign === "'") {
      const start = at + 1;
      at = endOfString(text, at);
      if (at < 0) return [];
      if (depth === 2 && key !== null) fields.set(key, { start, end: at });
      key = depth === 2 && key === null ? text.slice(start, at) : null;
    } else if (sign === '[' || sign === '{') {
      depth++;
      if (depth === 2) fields = new Map();
    } else if (sign === ']' || sign === '}') {
      if (depth === 2) {
        const [role, content] = [fields.get('role'), fields.get('content')];
        if (!role || !content || turns.length >= MOST_TURNS) return [];
        const speaker = MODELS.has(text.slice(role.start, role.end)) ? 'model' : 'other';
        turns.push({ speaker, ...content, nested: text.charAt(content.end) === '"' ? 1 : 0 });
      }
      depth--;
    } else if (sign === ',') key = null;
  }
  return depth === 0 ? turns : [];
}

/** Where the string ends that begins with a quotation mark; -1 where nothing closes it. */
function endOfString(text: string, opening: number): number {
  const quote = text.charAt(opening);
  for (let at = opening + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) return at;
  }
  return -1;
}

const SPEAKER = new RegExp(`^(${SPEAKERS}): `, 'gim');

/** `user: …`, and below it `assistant: …`; none where the user does not open it. */
function turnsInLines(text: string): Turn[] {
  const marks = Array.from(text.matchAll(SPEAKER)).slice(0, MOST_TURNS + 1);
  const turns = marks.map(({ 0: mark, 1: name = '', index }, n): Turn => {
    const speaker = MODELS.has(name.toLowerCase()) ? 'model' : 'other';
    return { speaker, start: index + mark.length, end: marks[n + 1]?.index ?? text.length, nested: 0 };
  });
  const [first] = turns;
  const opens = first?.speaker === 'other' && marks[0]?.index === 0;
  return opens && turns.length <= MOST_TURNS
    ? turns.map((turn) => ({ ...turn, end: trimmedEnd(text, turn) }))
    : [];
}

const trimmedEnd = (text: string, { start, end }: Turn) => start + text.slice(start, end).trimEnd().length;
