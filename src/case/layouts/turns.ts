/**
 * The turns of a prompt that is one text. Whoever asks a model without a chat route writes its chat template into
 * the text by hand (`<s>[INST] … [/INST]`); what is read and rewritten is the user's turn, never the template.
 *
 * A judged answer may hold a template's tokens, and a server takes those for what they look like. Where the
 * turns do not add up to one question to the model, nothing is read: it could be read in two ways.
 */

import type { TextRange } from '../types.ts';
import { trimRange } from './lines.ts';

export interface Turn extends TextRange {
  readonly role: 'system' | 'user' | 'assistant';
}

interface Template {
  /** What opens a turn; its group says whose it is. */
  readonly opens: RegExp;
  /** What ends a turn, if anything but the next one does. */
  readonly closes: RegExp | null;
  /** Whether the system prompt stands in front of the first turn, between that and the text's first token. */
  readonly fronted?: boolean;
}

/** Tokens that no tokenizer takes for text: a text that begins with one is set in that template. */
const TEMPLATES: readonly Template[] = [
  // ChatML: Qwen, Yi, Hermes.
  { opens: /<\|im_start\|>(\w+)\n?/g, closes: /<\|im_end\|>/ },
  // Llama 3, Llama 4.
  { opens: /<\|start_header_id\|>(\w+)<\|end_header_id\|>/g, closes: /<\|eot_id\|>/ },
  { opens: /<\|header_start\|>(\w+)<\|header_end\|>/g, closes: /<\|eot\|>/ },
  // Gemma.
  { opens: /<start_of_turn>(\w+)\n?/g, closes: /<end_of_turn>/ },
  // Mistral and Llama 2; Mistral's later system prompt.
  { opens: /(\[\/?INST\]|<<\/?SYS>>|\[\/?SYSTEM_PROMPT\])/g, closes: /<\/s>/ },
  // Zephyr, Phi, OpenAssistant.
  {
    opens: /<\|(system|user|prompter|assistant)\|>\n?/g,
    closes: /<\/s>|<\|end\|>|<\|endoftext\|>|<\|im_end\|>/,
  },
  // DeepSeek.
  { opens: /<｜(User|Assistant)｜>/g, closes: /<｜end▁of▁sentence｜>/, fronted: true },
  // Command R.
  { opens: /<\|START_OF_TURN_TOKEN\|><\|(\w+)_TOKEN\|>/g, closes: /<\|END_OF_TURN_TOKEN\|>/ },
  // Harmony: gpt-oss.
  { opens: /<\|start\|>(\w+)(?:<\|channel\|>\w+)?(?:<\|message\|>)?/g, closes: /<\|(?:end|return)\|>/ },
];

/** Templates of words that any text may hold: Vicuna's, and the one that Claude's completions had. */
const WORDS: readonly (Template & { readonly asks: RegExp })[] = [
  { opens: /(?<!\S)(USER|ASSISTANT):/g, closes: null, asks: /\sASSISTANT:\s*$/ },
  {
    opens: /(?<![^\n])(?:### ?)?(Human|User|Assistant):/g,
    closes: null,
    asks: /\n(?:### ?)?Assistant:\s*$/,
  },
];

const BEGINNING =
  /^\s*(?:<s>|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|<｜begin▁of▁sentence｜>|<BOS_TOKEN>)/;

const SPEAKERS: readonly (readonly [Turn['role'], ...string[]])[] = [
  ['system', 'system', 'developer', '<<sys>>', '[system_prompt]'],
  ['user', 'user', 'human', 'prompter', '[inst]', '<</sys>>', '[/system_prompt]'],
  ['assistant', 'assistant', 'model', 'chatbot', '[/inst]'],
];

/**
 * @returns the turns that say something, in order, each less the white space around it; the whole text as the
 *   user's where it is set in no template; none where the turns are not one question to the model
 */
export function turnsIn(text: string): readonly Turn[] {
  const begun = BEGINNING.exec(text)?.[0].length ?? 0;
  for (const template of TEMPLATES) {
    const front = text.slice(begun).split(template.opens, 1)[0] ?? '';
    // Tokens further on are another text's: one that is judged, perhaps.
    const begins = front.trim() === '' || (template.fronted && begun > 0);
    if (!begins || front.length === text.length - begun) continue;
    const turns = split(text, begun, template);
    return turns && asksOnce(turns) ? dropEmptyTurns(text, turns) : [];
  }
  for (const template of WORDS) {
    const asked = template.asks.exec(text);
    if (!asked) continue;
    const turns = split(text, 0, template);
    if (turns && asksOnce(turns)) return dropEmptyTurns(text, turns);
    return [{ role: 'user', ...trimRange(text, { start: 0, end: asked.index }) }];
  }
  return [{ role: 'user', start: 0, end: text.length }];
}

/**
 * Another question in the same template. Where the text has no system turn, the user's turn says that as well.
 * @param text a prompt as `turnsIn` reads it
 */
export function inTemplate(text: string, system: string, user: string): string {
  const turns = turnsIn(text);
  const asked = turns.find(({ role }) => role === 'user');
  if (!asked || (asked.start === 0 && asked.end === text.length)) return `${system}\n\n${user}`;
  const told = turns.find(({ role }) => role === 'system');
  const answer = turns.find(({ role }) => role === 'assistant');
  const head = told
    ? text.slice(0, told.start) + system + text.slice(told.end, asked.start)
    : `${text.slice(0, asked.start)}${system}\n\n`;
  return head + user + text.slice(asked.end, answer?.start ?? text.length);
}

/** Null where a turn is nobody's known, or where one ends before its end. */
function split(text: string, begun: number, { opens, closes }: Template): Turn[] | null {
  const openers = [...text.matchAll(opens)];
  const turns: Turn[] = [];
  const front = trimRange(text, { start: begun, end: openers[0]?.index ?? begun });
  if (front.start < front.end) turns.push({ role: 'system', ...front });
  for (const [i, opener] of openers.entries()) {
    const [role] = SPEAKERS.find(([, ...names]) => names.includes((opener[1] ?? '').toLowerCase())) ?? [];
    if (!role) return null;
    const start = opener.index + opener[0].length;
    const until = openers[i + 1]?.index ?? text.length;
    const end = closes ? endOfTurn(text, { start, end: until }, closes) : until;
    if (end === null) return null;
    turns.push({ role, ...trimRange(text, { start, end }) });
  }
  return turns;
}

/** Where a turn ends, null where something follows its end. */
function endOfTurn(text: string, turn: TextRange, closes: RegExp): number | null {
  const [said = '', ...rest] = text.slice(turn.start, turn.end).split(closes);
  return rest.every((more) => more.replace(BEGINNING, '').trim() === '') ? turn.start + said.length : null;
}

/** What a judge is asked: orders, perhaps, then one question, then the answer is the model's, perhaps begun. */
function asksOnce(turns: readonly Turn[]): boolean {
  const openings = turns.filter(({ role }) => role === 'assistant').length;
  const order = turns.flatMap(({ role, start, end }) => (start < end ? [role] : [])).join(' ');
  return openings <= 1 && /^(?:system )?user(?: assistant)?$/.test(order);
}

function dropEmptyTurns(text: string, turns: readonly Turn[]): Turn[] {
  return turns.filter(({ start, end }) => text.slice(start, end).trim() !== '');
}
