/**
 * The template of several requests of one pipeline: what is the same in all of them is literal, what differs is a slot, and the
 * words around the slots say what these hold.
 */

import { type Checkpoint, runSteps, unlimited } from '../checkpoint.ts';
import type { Case, Prompt, Span } from '../types.ts';
import { occurrences } from '../words/occurrences.ts';
import { literalSteps } from './align/align.ts';
import { withEvenLists } from './align/lists.ts';
import { hasWord } from './align/tokens.ts';
import { matchLiterals, matchTemplate } from './match.ts';
import { leadOf } from './openings.ts';
import { optionCount, type Pipeline, type Sample, wordsOf } from './pipeline.ts';
import { kindReplied, optionsInReplies } from './replies/options-in-replies.ts';
import { assignRoles, type SeenRole } from './roles/roles.ts';
import { isInJson, type LearnedPart } from './roles/slot-names.ts';
import type { Slot, Template } from './template.ts';

/**
 * The template of several prompts of one pipeline.
 *
 * @param prompts two or more, with the same roles
 * @param guesses what was read in each of them without a template, in the same order
 */
export const learnTemplate = (
  name: string,
  prompts: readonly Prompt[],
  guesses: readonly (Case | null)[] = [],
): Template => {
  const read = prompts.map((prompt, n) => ({ prompt, guess: guesses[n] ?? null }));
  return runSteps(templateSteps(name, read, [], unlimited));
};

/** A request with what was read in it without a template. */
type GuessedPrompt = Pick<Sample, 'prompt' | 'guess'>;

export function* templateSteps(
  name: string,
  samples: readonly GuessedPrompt[],
  replies: readonly string[],
  checkpoint: Checkpoint,
): Generator<void, Template> {
  const prompts = samples.map(({ prompt }) => prompt);
  const [first] = prompts;
  const learned: LearnedPart[] = [];
  const learnedFrom: (readonly string[])[] = [];
  for (const [part, { role }] of (first?.parts ?? []).entries()) {
    const given = prompts.map(({ parts }) => parts[part]?.text ?? '');
    let texts = withEvenLists(given);
    let literals: readonly string[] = yield* literalSteps(texts, checkpoint);
    // A list whose second entry is empty leaves no slot in which the others could stand.
    if (given.some((text) => !matchLiterals(text, literals))) {
      texts = given;
      literals = yield* literalSteps(texts, checkpoint);
    }
    literals = withWholeOptions(literals, samples, part);
    learnedFrom.push(texts);
    yield;
    learned.push({ role, literals, values: valuesIn(literals, texts) });
    yield;
  }
  const slots = rolesOf(learned, seenRoles(learned, samples), replies);
  const parts = learned.map(({ role, literals }, n) => {
    const own = slots[n] ?? [];
    return { role, literals: withoutOpenings(literals, own, learnedFrom[n] ?? []), slots: own };
  });
  return { name, parts, ...(hasMore({ name, parts, more: true }, prompts) && { more: true }) };
}

/**
 * The literals less what every answer begins or ends with (`I hope this helps!`): each request was read without a template, and
 * its options hold these words, and lack the same, or a closing tag says where each ends.
 */
function withWholeOptions(
  literals: readonly string[],
  samples: readonly GuessedPrompt[],
  part: number,
): readonly string[] {
  const found = samples.map((sample) => wholeOptions(literals, sample, part));
  const [first] = found;
  if (!first || found.some((one) => JSON.stringify(one) !== JSON.stringify(first))) return literals;
  return literals.map((literal, n) =>
    literal.slice(first[n - 1]?.tail.length ?? 0, literal.length - (first[n]?.head.length ?? 0)),
  );
}

/** Characters in which a closing tag begins behind its text. */
const TAG = 20;

/** What each slot lacks of the option that it stands in; null where the guess reads others, or it is not certain. */
function wholeOptions(
  literals: readonly string[],
  { prompt, guess }: GuessedPrompt,
  part: number,
): ({ readonly head: string; readonly tail: string } | null)[] | null {
  const text = prompt.parts[part]?.text ?? '';
  const slots = matchLiterals(text, literals);
  const options = guess?.options.filter(({ at, moves }) => at.part === part && !moves) ?? [];
  if (!slots || options.length === 0) return null;
  const lacking = slots.map((slot) => {
    const option = slot && options.find(({ at }) => at.start <= slot.start && slot.end <= at.end);
    if (!slot || !option) return null;
    return {
      head: text.slice(option.at.start, slot.start),
      tail: text.slice(slot.end, option.at.end),
      option,
    };
  });
  const whole = lacking.filter((one) => one !== null);
  const [first] = whole;
  const isEach =
    new Set(whole.map(({ option }) => option)).size === whole.length &&
    whole.length === guess?.options.length;
  const isSame =
    whole.length > 1 && whole.every(({ head, tail }) => head === first?.head && tail === first.tail);
  // A line of signs is the template's.
  const isText = ({ head, tail }: { head: string; tail: string }) =>
    (head === '' || hasWord(head.trimStart().split('\n')[0] ?? '')) &&
    (tail === '' || hasWord(tail.trimEnd().split('\n').at(-1) ?? ''));
  const areTagged = whole.every(({ option: { at } }) => /^\s*<\//.test(text.slice(at.end, at.end + TAG)));
  return isEach && whole.every(isText) && (isSame || areTagged)
    ? lacking.map((one) => one && { head: one.head, tail: one.tail })
    : null;
}

/** Longer lists of options that are seen before they are believed: one may be an answer that names the next option. */
const LEAST_LONGER = 2;

/** Whether the template's options are the first two of a list whose length differs from request to request. */
export function hasMore(template: Template, prompts: readonly Prompt[]): boolean {
  if (optionCount(template.parts) !== 2) return false;
  const counts = prompts.map((prompt) => {
    const match = matchTemplate(template, prompt);
    return match?.kind === 'slots' ? optionCount([match]) : 0;
  });
  return !counts.includes(0) && counts.filter((count) => count > 2).length >= LEAST_LONGER;
}

/** By the names in the literals; where the judge chose between more texts in its replies than these tell of, by what it said. */
function rolesOf(
  parts: readonly LearnedPart[],
  seen: readonly SeenRole[],
  replies: readonly string[],
): Slot[][] {
  const replied = kindReplied(replies, wordsOf({ parts }));
  const slots = assignRoles(parts, seen, replied);
  const chosen = optionsInReplies(parts, replies, (part, slot) => slots[part]?.[slot]?.role === 'option');
  const asides = seen.filter(
    ({ role, part, slot }) =>
      role !== 'option' && !chosen.some((one) => one.part === part && one.slot === slot),
  );
  // Options that are only counted are called as the judge calls them.
  const isUnnamed = chosen.every(({ part, slot }) => {
    const { role, label = '' } = slots[part]?.[slot] ?? {};
    const line = (parts[part]?.literals[slot] ?? '').trimEnd().split('\n').at(-1) ?? '';
    return role === 'option' && occurrences(line, label).length === 0;
  });
  const count = optionCount(slots.map((own) => ({ slots: own })));
  const named =
    chosen.length > count || (chosen.length > 1 && chosen.length === count && isUnnamed)
      ? assignRoles(parts, [...asides, ...chosen], replied)
      : slots;
  return named.map((own, part) =>
    own.map((slot, n) => {
      const { literals = [], values = [] } = parts[part] ?? {};
      const isQuote = slot.encoding === 'json' && !isInJson(literals[n] ?? '', values[n] ?? []);
      return isQuote ? { ...slot, encoding: 'plain' } : slot;
    }),
  );
}

/** The template with the options that the replies name, where its own words name none. */
export function withOptionsReplied(pipeline: Pipeline): Template | null {
  const { template } = pipeline;
  if (!template || template.verdict) return template;
  const named = withOwnRoles(pipeline, template);
  const others = (one: Template) => one.parts.map(({ slots }) => slots.map(({ role }) => role)).join();
  return optionCount(named.parts) > optionCount(template.parts) || others(named) === others(template)
    ? named
    : template;
}

/** A template of the pipeline with its slots named by its own words, the guesses and the replies. */
export function withOwnRoles({ samples, answers = [] }: Pipeline, template: Template): Template {
  const parts = learnedParts(template, samples);
  const slots = rolesOf(parts, seenRoles(parts, samples), answers);
  return { ...template, parts: template.parts.map((part, n) => ({ ...part, slots: slots[n] ?? [] })) };
}

/** The literals less the openings of answers at their ends, where all requests are still read for certain. */
function withoutOpenings(
  literals: readonly string[],
  slots: readonly Slot[],
  texts: readonly string[],
): readonly string[] {
  const certain = (all: readonly string[]) =>
    texts.flatMap((text) => matchLiterals(text, all) ?? []).filter((at) => at !== null).length;
  const isOption = (slot: number) => slots[slot]?.role === 'option';
  const shorter = literals.map((literal, n) =>
    isOption(n) ? literal.slice(0, literal.length - leadOf(literal, slots[n]?.label ?? '').opening) : literal,
  );
  return certain(shorter) >= certain(literals) ? shorter : literals;
}

/** For each slot the values that it has in the texts, less those whose edges are not certain. */
function valuesIn(literals: readonly string[], texts: readonly string[]): string[][] {
  const matches = texts.map(
    (text) => matchLiterals(text, literals)?.map((at) => at && text.slice(at.start, at.end)) ?? [],
  );
  return literals.slice(1).map((_, slot) => matches.flatMap((match) => match[slot] ?? []));
}

/**
 * Options and instruction as most of the guesses have them, where these fit the slots to the character.
 *
 * @returns for each part and slot what it is; nothing where the guesses do not fit or do not agree
 */
export function seenRoles(parts: readonly LearnedPart[], samples: readonly GuessedPrompt[]): SeenRole[] {
  const votes = new Map<string, { roles: SeenRole[]; count: number }>();
  for (const { prompt, guess } of samples) {
    const roles = guess && rolesIn(parts, prompt, guess);
    if (!roles) continue;
    const key = JSON.stringify(roles);
    votes.set(key, { roles, count: (votes.get(key)?.count ?? 0) + 1 });
  }
  const [best] = [...votes.values()].sort((a, b) => b.count - a.count);
  return best && best.count * 2 > samples.length ? best.roles : [];
}

function rolesIn(parts: readonly LearnedPart[], prompt: Prompt, guess: Case): SeenRole[] | null {
  const places = parts.flatMap(({ literals }, part) =>
    (matchLiterals(prompt.parts[part]?.text ?? '', literals) ?? []).map((at, slot) => ({ part, slot, at })),
  );
  const slotAt = (span: Span) =>
    places.find(({ part, at }) => part === span.part && at?.start === span.start && at.end === span.end);
  const roles: SeenRole[] = [];
  for (const { label, at, moves } of guess.options) {
    if (moves) return null;
    const place = slotAt(at);
    if (!place) return null;
    const { part, slot } = place;
    roles.push({ part, slot, role: 'option', label: guess.options.length > 1 ? label : '' });
  }
  const asked = guess.instruction && slotAt(guess.instruction.at);
  if (asked) roles.push({ part: asked.part, slot: asked.slot, role: 'instruction', label: '' });
  return roles;
}

/** Messages of a template with what stood in their slots. */
export const learnedParts = (
  { parts, more }: Pick<Template, 'parts' | 'more'>,
  samples: readonly Sample[],
): LearnedPart[] =>
  parts.map(({ role, literals }, part) => {
    const texts = samples.map(({ prompt }) => prompt.parts[part]?.text ?? '');
    return { role, literals, values: valuesIn(literals, more ? withEvenLists(texts) : texts) };
  });
