/**
 * Whether the names of a template's options stand by their texts in the same way, so that nothing but the texts is exchanged:
 * in front of each, or behind each.
 */
import { labelKey } from '../counterfactual.ts';
import { CJK } from '../words/vocabulary.ts';
import { lastLine } from './align/shared-lines.ts';
import { hasWord } from './align/tokens.ts';
import { toldBeside, withoutTold } from './beside-options.ts';
import { matchTemplate, textIn } from './match.ts';
import { isFramed } from './openings.ts';
import type { Sample } from './pipeline.ts';
import { entryStart } from './roles/slot-names.ts';
import type { Template, TemplatePart } from './template.ts';

/** What stands behind a word, wherever it has no letter beside it, or a number no digit. */
function* behindWord(text: string, word: string): Generator<string> {
  // Nothing stands between the words of Chinese or Japanese, nor between these and others.
  const same = /\p{N}/u.test(word) ? /\p{N}/u : CJK.test(word) ? /(?!)/u : /\p{L}/u;
  const isSame = (sign: string) => same.test(sign) && !CJK.test(sign);
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (isSame(text.charAt(at - 1)) || isSame(text.charAt(end))) continue;
    const line = text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? '';
    const rest = text.slice(end);
    // A line that closes what it opens names the text as a whole, with who wrote it.
    yield withoutAside(rest);
    if (isFramed(line)) yield rest.replace(/^[^\n]*[\p{L}\p{N}]/u, '').trim();
  }
}

/** What a name adds to an option's own: ` (without memory)`, ` - gpt-4`, in front of what ends the line. */
const ASIDE =
  /^\s?(?:[(（[][^()（）[\]\n]{1,60}[)）\]]|[-–—|/,]\s[^\n]{1,60}?)(?=[^\p{L}\p{N}\n]{0,9}(?:\n|$))/u;

/** Below a name as long as it is: `=======`. */
const RULE = /([-=~_])\1{3,}/g;

const withoutAside = (lead: string) => lead.replace(ASIDE, '').replace(RULE, '$1$1$1').trim();

/** Where the options stand, with their names and the literals beside them. */
const placesOfOptions = (parts: readonly TemplatePart[]) =>
  parts.flatMap(({ literals, slots }, part) =>
    slots.flatMap(({ role, label }, n) =>
      role === 'option' ? [{ part, n, label, before: literals[n] ?? '', after: literals[n + 1] ?? '' }] : [],
    ),
  );

/** What stands between an option's name and its text is the same for all options, but for what a name adds; and all end alike. */
export function optionsAlike({ parts: whole }: Template): boolean {
  const parts = withoutFacts(whole);
  const leads = new Map<string, ReadonlySet<string>>();
  const repeated = new Set<boolean>();
  for (const { label, before } of placesOfOptions(parts)) {
    if (label === '' || leads.has(label)) continue;
    const entry = entryStart(before);
    const named = [...behindWord(before, before.includes(label) ? label : labelKey(label))];
    // Names that stand elsewhere leave the mark in front of each text: `→ {{option}}`.
    const mark = lastLine(before.trim());
    leads.set(label, new Set(entry !== null ? [entry.trim()] : named.length > 0 ? named : [mark]));
    repeated.add(endsTwice(before, labelKey(label)));
  }
  const [first = new Set(), ...others] = leads.values();
  const inFront = others.reduce((all, own) => all.intersection(own), first).size > 0;
  return (
    leads.size < 2 ||
    (inFront && repeated.size < 2 && endAlike(parts)) ||
    areNamedBehind(parts) ||
    areApart(parts)
  );
}

/** The parts without what they tell of each option, in the same words for all. */
function withoutFacts(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const told = toldBeside(parts);
  return told.size === 0
    ? parts
    : withoutTold(parts, [...told.values()].flat(), [...told.keys()]).map(({ literals, kept, part }) => ({
        ...part,
        literals,
        slots: kept.flatMap((slot) => part.slots[slot] ?? []),
      }));
}

/** A line between two texts that says nothing, or is set off by marks at both its ends: `--- above left, below right ---`. */
const isRuleBetween = (text: string) =>
  /^\n[^\n]*\n$/.test(text) && text.trim() !== '' && (!/\p{L}/u.test(text) || isFramed(text));

/** Whether the options stand one below the other on lines of their own, with a rule between them. */
function areApart(parts: readonly TemplatePart[]): boolean {
  const places = placesOfOptions(parts);
  const [first] = places;
  if (!first || !/(?:^|\n)$/.test(first.before) || !/^(?:\s*$|\n)/.test(places.at(-1)?.after ?? ''))
    return false;
  return places
    .slice(1)
    .every(
      ({ part, n, before }, at) => part === first.part && n === first.n + at + 1 && isRuleBetween(before),
    );
}

/** Whether a name stands twice at the end of what is in front of a text: a contestant may begin every answer with its own. */
function endsTwice(before: string, key: string): boolean {
  const text = before.slice(-LONGEST_NAMES).replace(/\s+/g, ' ');
  const name = text.lastIndexOf(key);
  for (
    let at = text.lastIndexOf(key, name - 1);
    at >= 0 && at < name;
    at = at > 0 ? text.lastIndexOf(key, at - 1) : -1
  ) {
    const length = name - at;
    if (text.slice(-length) === text.slice(-2 * length, -length)) return true;
  }
  return false;
}

/** Characters in front of a text in which two names of it may stand. */
const LONGEST_NAMES = 240;

/**
 * Whether the last option ends as the others do: at a line break, behind no fewer of them than these, or at the same sign; and below
 * it stand the lines that stand between another option and the name of the next. Or it ends with its message. What else stands
 * behind an option may be the words with which one contestant ends every answer.
 */
function endAlike(parts: readonly TemplatePart[]): boolean {
  const options = placesOfOptions(parts);
  const { after: last = '', label: lastLabel = '' } = options.at(-1) ?? {};
  const isClosed = closesFrame(parts) || standsBetweenRules(parts);
  const below = linesWithWords(last);
  const above = linesWithWords(options[0]?.before ?? '');
  return options.slice(0, -1).every(({ after, label }, n) => {
    const breaks = breaksAtStart(after);
    const next = labelKey(options[n + 1]?.label ?? '');
    const lines = linesWithWords(after);
    const named = lines.findLastIndex((line) => !behindWord(line, next).next().done);
    const further = namesAbove(
      above.slice(0, above.length - lines.length + named + 1),
      lines.slice(0, named + 1),
    );
    const closing = lines.slice(0, Math.max(0, named - further));
    return (
      closing.every(
        (line, at) =>
          isSameForm(line, below[at] ?? '') ||
          isSameForm(withoutName(line, label), withoutName(below[at] ?? '', lastLabel)),
      ) &&
      (last.trim() === '' ||
        (breaks > 0
          ? isClosed || breaksAtStart(last) >= breaks
          : breaksAtStart(last) === 0 && last.trim().charAt(0) === after.trim().charAt(0)))
    );
  });
}

/** A line that opens a frame around several texts: a fence, or a tag. */
const OPENS_FRAME = /^(?:(`{3,5}|~{3,5})\w{0,20}|<([\p{L}_][\p{L}\p{N}_.:-]{0,40})>)$/u;

/** Lines with a sign that may stand between such a line and the first text: the name of that. */
const LINES_OF_NAME = 2;

/**
 * Whether the line below the last option closes a frame around all of them, which a line above the first one's name opens. Then the
 * last one ends there, however many line breaks stand between two of them.
 */
function closesFrame(parts: readonly TemplatePart[]): boolean {
  return parts.some(({ literals, slots }) => {
    const first = slots.findIndex(({ role }) => role === 'option');
    const last = slots.findLastIndex(({ role }) => role === 'option');
    if (first < 0 || first === last) return false;
    const linesOf = (from: number, to: number) =>
      literals.slice(from, to).flatMap((literal) => literal.split('\n').map((line) => line.trim()));
    const [, closes = '', next = ''] = linesOf(last + 1, last + 2);
    const above = linesOf(0, first + 1);
    const between = linesOf(first + 1, last + 1);
    const near = linesOf(first, first + 1).filter((line) => line !== '');
    return near.slice(-1 - LINES_OF_NAME).some((opens) => {
      const [, fence, tag] = OPENS_FRAME.exec(opens) ?? [];
      if (closes !== (fence ?? `</${tag}>`) || next === closes || between.some((line) => line === closes))
        return false;
      // A fence that closes another text looks the same.
      return fence === undefined || above.filter((line) => line.startsWith(fence)).length % 2 === 1;
    });
  });
}

/**
 * Whether the same rule stands right above the name of the first option and right below the last one: `***`. A contestant that ends
 * every answer with such a line would put a second one there.
 */
function standsBetweenRules(parts: readonly TemplatePart[]): boolean {
  return parts.some(({ literals, slots }) => {
    const first = slots.findIndex(({ role }) => role === 'option');
    const last = slots.findLastIndex(({ role }) => role === 'option');
    if (first < 0 || first === last) return false;
    const [rule = '', name = ''] = (literals[first] ?? '').split('\n').slice(-2);
    const [rest, below, next = ''] = (literals[last + 1] ?? '').split('\n');
    return RULE_LINE.test(rule) && hasWord(name) && rest === '' && below === rule && hasWord(next);
  });
}

/** A line that is a rule and no fence. */
const RULE_LINE = /^([-=~_*#+])\1{2,80}$/;

/** Whether two lines differ in one word at most, such as the label of an option. */
const isSameForm = (one: string, other: string) => (differences(one, other)?.length ?? 2) <= 1;

/** A line with a name of several words as one: `[/gemma-2-9b]`. */
const withoutName = (line: string, name: string) =>
  /[^\p{L}\p{M}\p{N}]/u.test(name) ? line.replace(name, () => 'A') : line;

/** The words in which two lines differ, as `A/B`; null where they have not the same words and signs otherwise. */
function differences(one: string, other: string): string[] | null {
  const [a, b] = [one, other].map((line) => line.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? []);
  if (!a || !b || a.length !== b.length) return null;
  return a.flatMap((piece, n) => (piece === b[n] ? [] : [`${piece}/${b[n]}`]));
}

/**
 * How many lines above the last one name the next option as well, in the words in which those above the first name that:
 * `## Response B` above `<|begin_of_response_B|>`.
 */
function namesAbove(first: readonly string[], next: readonly string[]): number {
  const differ = next.map((line, n) =>
    differences(first[first.length - next.length + n] ?? '', line)
      ?.join()
      .toLowerCase(),
  );
  const name = differ.at(-1);
  return name ? differ.length - 1 - (differ.findLastIndex((one) => one !== name) + 1) : 0;
}

const breaksAtStart = (text: string) => (/^\s*/.exec(text)?.[0] ?? '').split('\n').length - 1;

const linesWithWords = (text: string) => text.split('\n').filter(hasWord);

/**
 * Whether in every request the text of an option has a line that looks like one that sets the options apart, but for its case, its
 * marks or its white space. Then one of the two is a contestant's, and nothing says which.
 */
export function namesStandInTexts(template: Template, samples: readonly Sample[]): boolean {
  const names = template.parts.flatMap(({ literals, slots }) => {
    const options = slots.flatMap(({ role }, n) => (role === 'option' ? [n] : []));
    return options.length > 1
      ? literals.slice(options[0], (options.at(-1) ?? 0) + 1).flatMap(linesOfName)
      : [];
  });
  const looksLikeName = (line: string) =>
    names.some(({ name, isWhole }) =>
      isWhole
        ? bareOf(line) === bareOf(name)
        : plainOf(line).startsWith(plainOf(name)) &&
          !/^[\p{L}\p{N}]/u.test(plainOf(line).slice(plainOf(name).length)),
    );
  return (
    names.length > 0 &&
    samples.length > 0 &&
    samples.every(({ prompt }) =>
      matchTemplate(template, prompt)?.slots.some((slot) => {
        const text = slot.role === 'option' ? textIn(prompt, slot) : null;
        return text?.split('\n').some(looksLikeName);
      }),
    )
  );
}

/** An order that no prompt gives its own judge; many warn it of one. */
const OVERRIDES =
  /(?<!\b(?:not|never|(?:tells|asks|orders|wants|instructs|telling|asking|ordering) (?:you|it|them|the judge|judges|graders) to) )(?<!n't )\b(?:ignore|disregard|forget)\b[^.!?\n]{0,30}\b(?:previous|prior|earlier|preceding|your)\b[^.!?\n]{0,20}\b(?:instructions?|orders?|prompts?)\b/i;

/** Whether a paragraph beside a slot that is judged has such an order: it stood in every answer so far, and is none of the template's words. */
export const overridesOrders = ({ parts }: Pick<Template, 'parts'>): boolean =>
  placesOfOptions(parts).some(({ before, after }) =>
    [paragraphs(before).at(-1), paragraphs(after)[0]].some((beside = '') => OVERRIDES.test(beside)),
  );

const paragraphs = (text: string) => text.split(/\n[^\S\n]*\n/).filter(hasWord);

/** A line in one case and width, with single spaces, from its first word or bracket on. */
const plainOf = (line: string) =>
  line
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s*_#>~-]+/, '')
    .trim();

/** Its letters and digits alone. */
const bareOf = (line: string) => plainOf(line).replace(/[^\p{L}\p{N}]/gu, '');

/** The lines of a literal that have words; the last one may stand in front of a text. */
function linesOfName(literal: string): { name: string; isWhole: boolean }[] {
  const lines = literal.split('\n');
  return lines.flatMap((line, n) => (hasWord(line) ? [{ name: line, isWhole: n < lines.length - 1 }] : []));
}

/** Whether each option has its name behind it, in the same words and marks as all others: `^^^ output of system 1`. */
export function areNamedBehind(parts: readonly TemplatePart[]): boolean {
  const names = placesOfOptions(parts).map(nameBehind);
  const [first, ...others] = names;
  return (
    first != null &&
    others.length > 0 &&
    others.every((one) => one !== null && one.words === first.words && one.front === first.front) &&
    names.slice(0, -1).every((one) => one && !hasWord(one.rest)) &&
    new Set(names.map((one) => one?.key)).size === names.length
  );
}

/**
 * The name of an option that stands behind it, and what stands around the two.
 *
 * @returns the name (`key`); the words from the option to the end of the name's line, less the name; what stands on the option's
 * line in `front` of it; what comes behind the name's line (`rest`). Null where the name does not stand there once
 */
function nameBehind({ before, after, label }: ReturnType<typeof placesOfOptions>[number]) {
  const line = after.split('\n').find(hasWord) ?? '';
  const lead = after.slice(0, after.indexOf(line) + line.length);
  const key = labelKey(label);
  const [start = '', end, ...more] = lead.split(key);
  const isPart = /[\p{L}\p{N}]$/u.test(start) || /^[\p{L}\p{N}]/u.test(end ?? '');
  if (key === '' || end === undefined || more.length > 0 || isPart) return null;
  const front = lastLine(before).trim();
  return hasWord(front) ? null : { key, words: `${start}\0${end}`, front, rest: after.slice(lead.length) };
}
