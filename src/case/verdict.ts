/**
 * Reading a verdict from a judge's reply, and writing one in the form the request asked for. Reading never
 * guesses: a reply that cannot be read is no verdict, with the reason. The rules live in `verdict/`, one
 * file for each kind of form; how they fare on recorded replies of real judges is in docs/verdict-reader.md.
 */
import { type Checkpoint, unlimited } from './checkpoint.ts';
import type { NoVerdictReason, Verdict, VerdictForm } from './types.ts';
import { type Choice, choiceInText, exactChoice } from './verdict/choice.ts';
import { clientTakesAnother } from './verdict/client-takes.ts';
import { type FoundJson, fieldIn, jsonIn, verdictLike } from './verdict/json.ts';
import type { ChoiceForm, Labelled } from './verdict/naming.ts';
import { ownWords } from './verdict/own-words.ts';
import { type Pass, passInText, passOf } from './verdict/pass.ts';
import { onScale, type Score, type ScoreForm, scoreInText } from './verdict/score.ts';
import { readStrictly, type Strict } from './verdict/strict.ts';
import { verdictText } from './verdict/write.ts';
import { sameVerdict } from './verdicts/index.ts';

/** What is left of a verdict when the text is taken away. */
type Read = Choice | Score | Pass | Strict | { readonly none: NoVerdictReason };

/** What the headings of a reply with two verdicts say, and few others do. */
const ORDERED = /(?:original|swapped) order/i;

/** Forms that are read in words, too. */
type WordForm = Extract<VerdictForm, { kind: 'choice' | 'score' | 'pass' }>;

/**
 * The verdict of one reply.
 * @param text the judge's own words, thinking included; nothing of the request.
 * @param options the options in the order the judge saw them; `option` of a choice is an index into them.
 * @param checkpoint called between the steps of the reading; what it throws ends the reading
 */
export function readVerdict(
  text: string,
  form: VerdictForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): Verdict {
  const verdict = asMeant(readAsSaid(text, form, options, checkpoint), form);
  checkpoint();
  return clientTakesAnother(text, form, verdict) ? { text, kind: 'none', reason: 'contradictory' } : verdict;
}

/** Where true is the bad value, true lets nothing pass. */
function asMeant(verdict: Verdict, form: VerdictForm): Verdict {
  if (verdict.kind !== 'pass' || form.kind !== 'pass' || form.polarity !== 'lower') return verdict;
  return { ...verdict, pass: !verdict.pass };
}

/**
 * A verdict in exactly the form the request asked for; null where the request does not say how, has no way to say it,
 * or asks for a form in which it would be read as another.
 */
export function writeVerdict(verdict: Verdict, form: VerdictForm, options: Labelled): string | null {
  const text = verdictText(verdict, form, options);
  return text !== null && sameVerdict(readVerdict(text, form, options), verdict) ? text : null;
}

function readAsSaid(text: string, form: VerdictForm, options: Labelled, checkpoint: Checkpoint): Verdict {
  const words = ownWords(text);
  checkpoint();
  if ('none' in words) return { text, kind: 'none', reason: words.none };
  const { said, raw } = words;
  if (form.kind === 'choice' && readVerdictPair(text, form, options, checkpoint)) {
    return { text, kind: 'none', reason: 'contradictory' };
  }
  const json = jsonIn(raw, checkpoint);
  checkpoint();
  const strict = readStrictly({ text, raw, said, json }, form);
  if (strict !== null)
    return asVerdict(
      text,
      isNone(strict, 'no-label') ? { none: json.cut ? 'truncated' : whyNothing(said) } : strict,
    );
  if (form.kind === 'scores' || form.kind === 'category' || form.kind === 'ranking' || form.kind === 'list')
    return { text, kind: 'none', reason: 'no-label' };
  const exact =
    form.kind === 'choice' ? (exactChoice(raw, form, options) ?? exactChoice(said, form, options)) : null;
  if (exact !== null) return asVerdict(text, exact);
  checkpoint();
  const fromJson = readJson(json, form, options, checkpoint);
  checkpoint();
  if (form.field !== null || json.whole) {
    if (fromJson !== null) return asVerdict(text, fromJson);
    if (json.cut) return { text, kind: 'none', reason: 'truncated' };
    if (json.whole) return { text, kind: 'none', reason: 'no-label' };
  }
  const fromText = readText(said, form, options, checkpoint);
  if (!isNone(fromText, 'no-label')) return asVerdict(text, fromText);
  return asVerdict(text, fromJson ?? { none: whyNothing(said) });
}

/**
 * The two verdicts of a reply that judges a pair in both orders (the position rows of arXiv 2505.17100:
 * `### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (b)`); null where it is not such a reply.
 * `swapped` speaks of the options as they stood in the swapped order.
 */
export function readVerdictPair(
  text: string,
  form: VerdictForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): { readonly original: Verdict; readonly swapped: Verdict } | null {
  if (!ORDERED.test(text)) return null;
  const headings = [...text.matchAll(/^[ \t#*]{0,12}(original|swapped) order[ \t*:]{0,12}$/gim)];
  const [first, second] = headings;
  if (headings.length !== 2 || !first || !second || first[1]?.toLowerCase() === second[1]?.toLowerCase())
    return null;
  const read = (from: RegExpExecArray, to: number) =>
    readVerdict(text.slice(from.index + from[0].length, to).trim(), form, options, checkpoint);
  const one = read(first, second.index);
  const two = read(second, text.length);
  return first[1]?.toLowerCase() === 'original'
    ? { original: one, swapped: two }
    : { original: two, swapped: one };
}

function readText(said: string, form: WordForm, options: Labelled, checkpoint: Checkpoint): Read {
  if (form.kind === 'choice') return choiceInText(said, form, options, checkpoint);
  return form.kind === 'score' ? scoreInText(said, form) : passInText(said);
}

/** From the field the form names, or else from the only one that reads as a verdict; null where there is none. */
function readJson(json: FoundJson, form: WordForm, options: Labelled, checkpoint: Checkpoint): Read | null {
  const { field } = form;
  const read = (value: unknown) => {
    checkpoint();
    return readValue(value, form, options);
  };
  const named = field === null ? [] : json.objects.flatMap((object) => fieldIn(object, field));
  if (named.length > 0) return agreed(named.map(read));
  const likely = json.objects.flatMap(verdictLike).map(read);
  const verdicts = likely.filter((one) => !isNone(one, 'no-label'));
  return verdicts.length === 0 ? null : agreed(verdicts);
}

function readValue(value: unknown, form: WordForm, options: Labelled): Read {
  if (form.kind === 'pass') {
    const pass = passOf(value);
    return pass === null ? { none: 'no-label' } : { pass };
  }
  if (typeof value !== 'string' && typeof value !== 'number') return { none: 'no-label' };
  const text = String(value);
  return form.kind === 'score' ? scoreValue(text, form) : choiceValue(text, form, options);
}

function scoreValue(text: string, form: ScoreForm): Score {
  const [, number, outOf] = /^\s*(-?\d{1,9}(?:\.\d{1,9})?)(?:\s*\/\s*(\d{1,9}))?\s*$/.exec(text) ?? [];
  return number === undefined ? { none: 'no-label' } : onScale(number, outOf, form);
}

function choiceValue(text: string, form: ChoiceForm, options: Labelled): Choice {
  return exactChoice(text, form, options) ?? choiceInText(text.slice(0, 500), form, options);
}

function agreed(all: readonly Read[]): Read {
  const [first] = all;
  if (first === undefined) return { none: 'no-label' };
  return all.every((one) => JSON.stringify(one) === JSON.stringify(first))
    ? first
    : { none: 'contradictory' };
}

/** Only for replies without a verdict: a refusal, a reply that stops in the middle of a sentence, or neither. */
function whyNothing(said: string): 'refusal' | 'truncated' | 'no-label' {
  if (REFUSES.test(said)) return 'refusal';
  return said.length > 200 && /[\p{L}\p{N},;(-]$/u.test(said) ? 'truncated' : 'no-label';
}

const REFUSES =
  /\b(?:i(?:'m| am) sorry|i apologi[sz]e|as an ai\b|i(?:'m| am)? (?:cannot|can't|can not|unable to|not able to|won't|will not|must decline|refuse)(?: \S+){0,3} (?:provide|decide|judge|evaluate|assist|help|choose|compare|rate|answer|comply|fulfil|claim|make|complete|engage|assess|score|determine))/i;

const isNone = (read: Read, reason: NoVerdictReason) =>
  typeof read === 'object' && 'none' in read && read.none === reason;

function asVerdict(text: string, read: Read): Verdict {
  if (read === 'tie') return { text, kind: 'tie' };
  if (typeof read === 'number') return { text, kind: 'choice', option: read };
  if ('option' in read) return { text, kind: 'choice', ...read };
  if ('items' in read) return { text, kind: 'list', items: read.items };
  if ('scores' in read) return { text, kind: 'scores', scores: read.scores };
  if ('category' in read) return { text, kind: 'category', category: read.category };
  if ('score' in read) return { text, kind: 'score', score: read.score };
  if ('pass' in read) return { text, kind: 'pass', pass: read.pass };
  return { text, kind: 'none', reason: read.none };
}
