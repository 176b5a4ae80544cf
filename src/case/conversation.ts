/** Conversations that are handed over in one piece: a list of turns in JSON, or lines that begin with who speaks. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Where the text of a turn stands, in so many JSON strings. */
interface Turn {
  readonly speaker: 'model' | 'other';
  readonly start: number;
  readonly end: number;
  readonly nested: number;
}

/** Names of the model's role, in the protocols of chat models and in transcripts. */
export const MODELS: ReadonlySet<string> = new Set(['assistant', 'model', 'ai', 'agent', 'bot', 'chatbot']);

/** Longer conversations are judged as a whole. */
const MOST_TURNS = 100;

/**
 * What the model says in a conversation in which it speaks once.
 *
 * @returns null where the text is no conversation, or the model speaks more often
 */
export function onlyAnswer(text: string): Turn | null {
  const turns = /^\s*\[\s*\{/.test(text) ? turnsInJson(text) : turnsInLines(text);
  const [answer, ...more] = turns.filter(({ speaker }) => speaker === 'model');
  return answer && more.length === 0 && turns.length > 1 ? answer : null;
}

/** `[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]`; none where an entry is no such turn. */
function turnsInJson(text: string): Turn[] {
  const errors: ParseError[] = [];
  const list = parseTree(text, errors);
  const entries = list?.type === 'array' ? (list.children ?? []) : [];
  if (errors.length > 0 || entries.length > MOST_TURNS) return [];
  const turns = entries.flatMap((entry): Turn[] => {
    const [role, content] = [valueIn(entry, 'role'), valueIn(entry, 'content')];
    if (role?.type !== 'string' || content?.type !== 'string') return [];
    const speaker = MODELS.has(String(role.value)) ? 'model' : 'other';
    return [{ speaker, start: content.offset + 1, end: content.offset + content.length - 1, nested: 1 }];
  });
  return turns.length === entries.length ? turns : [];
}

function valueIn({ children = [] }: Node, name: string): Node | undefined {
  return children.find(({ children: [key] = [] }) => key?.value === name)?.children?.[1];
}

const SPEAKER = /^(user|human|customer|client|system|assistant|model|ai|agent|bot|chatbot): /gim;

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
