/** Biases that are phrases in an option: spotted where one option has more of them than any other, undone by cutting them. */
import { type Case, type Cue, type Cut, cutPhrases, type FoundCue, quote } from '../case/index.ts';
import { rewriteEach } from './reword.ts';
import type { Bias } from './types.ts';

type FindPhrases = (text: string) => readonly Cut[];

/** @param what is seen in it, before a quotation: `claims of certainty` */
export function spotPhrases(subject: Case, bias: string, what: string, find: FindPhrases): Cue[] {
  const found = subject.options.map(({ text }) => find(text));
  if (found.length < 2) return [];
  const counts = found.map(({ length }) => length);
  const [most = 0, next = 0] = counts.toSorted((a, b) => b - a);
  if (most === next) return [];
  const favours = counts.indexOf(most);
  const [first] = found[favours] ?? [];
  const text = subject.options[favours]?.text ?? '';
  if (!first) return [];
  const seen = `it has more ${what} than any other, ${most} to ${next}: "${quote(text, first)}"`;
  return [{ bias, favours, seen, strength: 1 - next / most }];
}

/** Every option without its phrases: what they were about stays. */
export async function undoPhrases(subject: Case, find: FindPhrases): ReturnType<Bias['undo']> {
  return rewriteEach(subject, (text) => {
    const found = find(text);
    return found.length > 0 ? cutPhrases(text, found) : text;
  });
}

/** Whether a place stands behind a quotation mark that is not closed: what a text quotes it does not say itself. */
export function isQuoted(text: string, { start, sentence }: FoundCue): boolean {
  const before = text.slice(sentence.start, start);
  const straight = before.split('"').length - 1;
  const count = (marks: RegExp) => before.match(marks)?.length ?? 0;
  // „German“ closes with what “English” opens with.
  const german = count(/„/g);
  const open = german > 0 ? german - count(/“/g) : count(/“/g) - count(/”/g);
  return straight % 2 === 1 || open + count(/[«「『]/g) > count(/[»」』]/g);
}
