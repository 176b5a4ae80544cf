/**
 * What a model said of a template, checked against what was seen of it. It names slots and says how the verdict is
 * given; whatever does not hold in the requests and replies that came is refused, and all stays as it was.
 */
import * as z from 'zod';
import { parseJson } from '../../../parse-json.ts';
import { textAt } from '../../layouts/lines.ts';
import type { Span } from '../../types.ts';
import { countOptions, formFromFile, type VerdictFile, verdictFileSchema } from '../../verdicts/index.ts';
import { beginsAnOrder, rolesOfLabel } from '../../words/vocabulary.ts';
import { isList } from '../align/edges.ts';
import { hasWord, placesOfText } from '../align/tokens.ts';
import { areNamedBehind, optionsAlike } from '../alike.ts';
import { casesIn, isConfirmed, longestCase, readsCleanly } from '../confirmation.ts';
import { findingIn, forNames } from '../finding.ts';
import { hasMore } from '../learned-template.ts';
import { optionCount, type Pipeline, sameLiterals, shapeOf } from '../pipeline.ts';
import { areRead, readsReplies, verdictsIn, verdictsOnAny } from '../replies/index.ts';
import { counted, formReplied, openForm } from '../replies/replied.ts';
import { entryStart } from '../roles/slot-names.ts';
import type { Slot, Template } from '../template.ts';
import { naming, TextCut, withCuts } from './reader-cuts.ts';
import { hasOpenPolarity, nameIn, unknownPoints } from './reader-question.ts';
import type { ReaderRecord } from './reader-record.ts';

/** Slots that are named at most, and characters of an answer that are read. */
const MOST_SLOTS = 64;
const LONGEST = 32_000;
/** Words of a line that is a name rather than a sentence. */
const LONGEST_NAME = 4;

const Answer = z.strictObject({
  judgment: z.boolean(),
  slots: z.array(z.strictObject({ slot: z.int().min(1), ...naming })).max(MOST_SLOTS),
  cuts: z.array(TextCut).min(1).max(MOST_SLOTS).readonly().nullable().default(null),
  verdict: verdictFileSchema.nullable(),
});
type Answer = z.infer<typeof Answer>;

/** Who was asked, and when. */
export type AskedModel = Pick<ReaderRecord, 'model' | 'asked' | 'tokens'>;

/** What an answer comes to, and why not all of it was taken over. */
interface Taken {
  readonly outcome: ReaderRecord['outcome'];
  readonly reason: string | null;
  /** The pipeline with what was taken over; absent where nothing was. */
  readonly next?: Pipeline;
  /** Whether its slots stand where the model cut. */
  readonly cut?: true;
}

/**
 * The pipeline with what a model's answer comes to. A reason is in our own words, never the model's. What acts already
 * changes only to what acts, too. Where the model says that something else is judged it no longer acts: one of the two is
 * wrong, and nothing says which.
 *
 * @param of the state of the template that the model was asked about
 * @param text the model's reply
 */
export function withAnswer(pipeline: Pipeline, of: string, text: string, asked: AskedModel): Pipeline {
  const { outcome, reason, next, cut } = takenFrom(pipeline, of, text);
  const reader = { ...asked, of, times: timesOf(pipeline) + 1, outcome, reason };
  if (
    pipeline.state === 'confirmed' &&
    (outcome === 'no-judgment' || (next && judgesOther(pipeline, next)))
  ) {
    const other = reason ?? 'it takes another text for what is judged';
    return { ...pipeline, state: 'learning', reader: { ...reader, outcome: 'disputed', reason: other } };
  }
  if (!next?.template) return { ...pipeline, reader };
  const named = { ...next, reader: { ...reader, of: shapeOf(next.template), ...(cut && { cut }) } };
  if (isConfirmed(named)) return { ...named, state: 'confirmed' };
  if (pipeline.state !== 'confirmed') return named;
  const kept = { reason: reason ?? 'the template acts, and would not with it', outcome: 'refused' } as const;
  return { ...pipeline, reader: { ...reader, ...(outcome === 'named' && kept) } };
}

/** Cuts that fit all requests are taken over whatever becomes of the names. */
function takenFrom(pipeline: Pipeline, of: string, text: string): Taken {
  const refused = (reason: string, next?: Pipeline): Taken => ({
    outcome: 'refused',
    reason,
    ...(next && { next, cut: true }),
  });
  const { template } = pipeline;
  if (!template || shapeOf(template) !== of) return refused('the template changed while the model was asked');
  const answer = parseReaderAnswer(text);
  if (typeof answer === 'string') return refused(answer);
  const points = unknownPoints(pipeline);
  if (points.includes('cut') && !answer.cuts)
    return refused('it names slots that are certain in too few requests');
  const cut = answer.cuts ? withCuts(pipeline, template, answer.cuts) : { template, cuts: null };
  if (typeof cut === 'string') return refused(cut);
  const isList = cut.template.more === true && !template.more;
  const isCut = isList || !sameLiterals(cut.template, template);
  const base = isCut ? { ...pipeline, template: cut.template } : pipeline;
  const own = isCut ? base : undefined;
  if (!answer.judgment)
    return {
      ...refused('the model takes it for no judgment', own && withoutOptions(own)),
      outcome: 'no-judgment',
    };
  const byModel = namedBy(base, { ...answer, cuts: cut.cuts }, true);
  // What the template's own words say holds where the model's names do not.
  const holds = typeof byModel !== 'string' && (byModel.reason === null || byModel.reason === READS_FEW);
  const isKnown = !holds && !isCut && !points.includes('roles');
  const found = isKnown ? namedBy(base, answer, false) : byModel;
  if (typeof found === 'string') return refused(found, own);
  const { named: next, reason, isDoubted } = found;
  // What acts already is not named in doubt.
  if (isDoubted && pipeline.state === 'confirmed') return refused(reason ?? '', own);
  return { outcome: isDoubted ? 'doubted' : 'named', reason, next, ...(answer.cuts && { cut: true }) };
}

/**
 * Whether another template does not take for an option what this one does. Of one conversation that is judged it may take more
 * turns; of several options it may not take more, because what is exchanged has to be the same.
 */
function judgesOther({ template, samples, origin }: Pipeline, { template: other }: Pipeline): boolean {
  return samples.some((sample) => {
    const [ours, theirs] = [template, other].map(
      (one) => one && casesIn(one, [sample], origin.schema)[0]?.options.map(({ at, moves = [at] }) => moves),
    );
    if (!ours || !theirs) return false;
    if (ours.length !== theirs.length) return true;
    return ours.some((own, n) => {
      const its = theirs[n] ?? [];
      return !isWithin(own, its) || (ours.length > 1 && !isWithin(its, own));
    });
  });
}

/** Whether each of these spans touches one of those. */
const isWithin = (these: readonly Span[], those: readonly Span[]) =>
  these.every((a) => those.some((b) => a.part === b.part && a.start <= b.end && b.start <= a.end));

/** The pipeline with a template in which nothing is judged. */
const withoutOptions = (pipeline: Pipeline): Pipeline => ({
  ...pipeline,
  template: pipeline.template && {
    ...pipeline.template,
    parts: pipeline.template.parts.map((part) => ({
      ...part,
      slots: part.slots.map((slot) =>
        slot.role === 'option' ? { ...slot, role: 'context', label: '' } : slot,
      ),
    })),
  },
});

/** The pipeline after a call that came to nothing. */
export function withFailure(pipeline: Pipeline, of: string, reason: string, asked: AskedModel): Pipeline {
  const times = timesOf(pipeline) + 1;
  return { ...pipeline, reader: { ...asked, of, times, outcome: 'failed', reason } };
}

const timesOf = ({ reader }: Pipeline) => reader?.times ?? 0;

/**
 * The pipeline with what holds of the answer. Names are taken over without a form of the verdict that does not hold: the
 * replies may tell another.
 *
 * @param roles whether the slots are named, and not the form of the verdict alone
 * @returns in words what is wrong with all of it, or as the `reason` what is wrong with a part of it
 */
function namedBy(pipeline: Pipeline, answer: Answer, roles: boolean): Named | string {
  const { template, samples, origin } = pipeline;
  const slots = answer.cuts?.map(({ role, label }, n) => ({ slot: n + 1, role, label })) ?? answer.slots;
  const told = template && roles ? withRoles(template, slots) : template && { named: template, doubt: null };
  if (typeof told === 'string') return told;
  if (!told) return 'the template is gone';
  const { named, doubt } = told;
  const prompts = samples.map(({ prompt }) => prompt);
  if (answer.cuts && named.more && !hasMore(named, prompts))
    return 'its options are no list in all requests seen';
  if (roles && answer.verdict?.kind !== 'list' && judgesList(pipeline, named))
    return 'it takes a list of several texts for one that is judged';
  // Names tell whoever looks at the template what is judged, where it may not act for another reason.
  const without = (reason: string) => (roles ? { named: { ...pipeline, template: named }, reason } : reason);
  const inDoubt = (reason: string) => ({ named: { ...pipeline, template: named }, reason, isDoubted: true });
  if (doubt) return inDoubt(doubt);
  if (!optionsAlike(named)) return without(NOT_ALIKE);
  const formed = withForm({ ...pipeline, template: named }, answer.verdict);
  if (formed === OTHER_COUNT && roles && optionCount(named.parts) > 1) return inDoubt(formed);
  if (typeof formed === 'string')
    return formed === READS_FEW || formed === NO_FORM ? without(formed) : formed;
  return formed.template && readsCleanly(formed.template, samples, origin.schema)
    ? { named: formed, reason: null }
    : without('the options of the requests seen cannot be exchanged by it');
}

/** A pipeline with names that a model gave, and what is wrong with a part of them. */
interface Named {
  readonly named: Pipeline;
  readonly reason: string | null;
  /** Whether the template's own words do not bear the names out. */
  readonly isDoubted?: boolean;
}

const NOT_ALIKE = 'what stands in front of its options, or behind them, is not alike';

/** @returns what is wrong with it, in words */
function parseReaderAnswer(text: string): Answer | string {
  if (text.length > LONGEST) return 'the answer is too long';
  const json = parseJson(withoutFence(text.trim()));
  if (json === undefined) return 'the answer is no JSON';
  const read = Answer.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const [field, ...rest] = issue?.path ?? [];
  const known = typeof field === 'string' && field in Answer.shape;
  return `the answer is not of the form asked for${known ? `: ${[field, ...rest.filter((one) => typeof one === 'number')].join('.')}` : ''}`;
}

/** Models put JSON into a block of code even where they are asked not to. */
function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```')) return text;
  return text.slice(text.indexOf('\n') + 1, -3);
}

/** The template with its slots named, and what its own words do not bear out of that; in words what is wrong with all of it. */
function withRoles(
  template: Template,
  slots: Answer['slots'],
): { readonly named: Template; readonly doubt: string | null } | string {
  const named = withOwnNames(slots);
  const all = template.parts.flatMap((part) => part.slots).length;
  if (named.length === 0) return 'it names no slot';
  if (named.some(({ slot }) => slot > all)) return 'it names a slot that does not exist';
  if (new Set(named.map(({ slot }) => slot)).size < named.length) return 'it names a slot twice';
  // The names may stand in a row elsewhere: above a table, or in what is said of messages that hold nothing else.
  const names = [...new Set(named.flatMap(({ role, label }) => (role === 'option' && label ? [label] : [])))];
  const inOrder = named
    .toSorted((a, b) => a.slot - b.slot)
    .flatMap(({ role, label }) => (role === 'option' ? label : []));
  const areCounted = beginsAnOrder([...new Set(inOrder)]);
  const areListed = template.parts.some(({ literals }) => literals.some((literal) => lists(literal, names)));
  let number = 0;
  const wrong: string[] = [];
  let isUnnamed = false;
  // What stands in front of each part of the first option stands in front of the same part of the others.
  const fronts = new Map<string, string[]>();
  const goesOn = (label: string, literals: readonly string[], n: number) => {
    const own = fronts.get(label) ?? [];
    const front = (literals[n] ?? '').replaceAll(label, '\0');
    fronts.set(label, [...own, front]);
    const [[first, all] = ['', []]] = fronts;
    return own.length > 0 && names.length > 1 && (label === first || all[own.length] === front);
  };
  const parts = template.parts.map(({ role: author, literals, slots: own }) => ({
    role: author,
    literals,
    slots: own.map((slot, n): Slot => {
      const one = named.find((answer) => answer.slot === number + 1);
      number++;
      if (!one) return slot;
      const { role, label } = one;
      const why = role === slot.role ? null : contradiction(author, role, literals[n] ?? '');
      if (why) wrong.push(why);
      // The entries of a list may be counted.
      const isCounted = areCounted && entryStart(literals[n] ?? '') !== null;
      const isNamed =
        role !== 'option' || label === '' || areListed || isCounted || goesOn(label, literals, n);
      isUnnamed ||= !isNamed && !standsIn(label, nearest(literals, n, label));
      return { ...slot, role, label: role === 'option' ? label : '' };
    }),
  }));
  const areBehind = areNamedBehind(parts);
  const options = parts.flatMap((part) => part.slots.filter(({ role }) => role === 'option'));
  const labels = Map.groupBy(options, ({ label }) => label);
  // A name in another sentence may be none; where what follows the names is not alike either, nothing is exchanged anyway.
  const mayBeNone = labels.size > 1 && !areBehind && !areListed;
  // A name that stands by another option says that the two are mixed up.
  if (isUnnamed && !areBehind && namesOther(parts)) return UNNAMED;
  const isFramed = !mayBeNone || !optionsAlike({ ...template, parts }) || framedAlike(parts);
  const doubt = wrong[0] ?? (isUnnamed && !areBehind ? UNNAMED : null) ?? (isFramed ? null : NOT_ALIKE);
  if (options.length === 0) return doubt ?? 'it names nothing that is judged';
  if (labels.size === 1 && !labels.has('')) return doubt ?? 'it names one of several options';
  if (labels.size > 1 && labels.has('')) return doubt ?? 'it leaves an option without a name';
  if (new Set([...labels.values()].map(({ length }) => length)).size > 1)
    return doubt ?? 'its options have different numbers of slots';
  const { name, more } = template;
  return { named: { name, parts, ...(more && labels.size === 2 && { more }) }, doubt };
}

const UNNAMED = 'it gives an option a name that does not stand by it';

/** Whether the name of an option stands by another one, and not by its own. */
function namesOther(parts: Template['parts']): boolean {
  const options = parts.flatMap(({ literals, slots }) =>
    slots.flatMap(({ role, label }, n) => (role === 'option' ? [{ label, literals, n }] : [])),
  );
  return options.some(({ label, literals, n }) => {
    const standsBy = (one: (typeof options)[number]) => standsIn(label, nearest(one.literals, one.n, label));
    return (
      !standsIn(label, nearest(literals, n, label)) &&
      options.some((one) => one.label !== label && standsBy(one))
    );
  });
}

/** The options' names less the words that all of them end in: `Left` and `Right` of `Left result` and `Right result`. */
function withOwnNames(slots: Answer['slots']): Answer['slots'] {
  const names = [...new Set(slots.flatMap(({ role, label }) => (role === 'option' && label ? [label] : [])))];
  const words = names.map((name) => name.split(' '));
  const last = words[0]?.at(-1);
  if (names.length < 2 || words.some((one) => one.length < 2 || one.at(-1) !== last)) return slots;
  return withOwnNames(
    slots.map((slot) => ({ ...slot, label: slot.label.slice(0, Math.max(0, slot.label.lastIndexOf(' '))) })),
  );
}

/** Whether a text names all of several, one after the other, once or again and again in this order. */
function lists(text: string, names: readonly string[]): boolean {
  const places = names.flatMap((name, option) => placesOfText(text, name).map((at) => ({ at, option })));
  const order = places.toSorted((a, b) => a.at - b.at).map(({ option }) => option);
  const isWhole = order.length > 0 && order.length % names.length === 0;
  return names.length > 1 && isWhole && order.every((option, n) => option === n % names.length);
}

/** Whether what stands in front of an option's name in its clause is the same for all, but for what counts and for short words. */
function framedAlike(parts: Template['parts']): boolean {
  const frames = new Map<string, string>();
  for (const { literals, slots } of parts)
    for (const [n, { role, label }] of slots.entries()) {
      if (role !== 'option' || frames.has(label)) continue;
      const line =
        nearest(literals, n, label)
          .split('\n')
          .findLast((one) => standsIn(label, one)) ?? '';
      const front = line.slice(0, line.lastIndexOf(label));
      const clause = front.split(/(?<!\p{N})[.;:!?。；：！？]/u).at(-1) ?? '';
      frames.set(label, clause.replaceAll(/\p{N}+|(?<!\p{L})\p{L}{1,3}(?!\p{L})/gu, '').trim());
    }
  return new Set(frames.values()).size === 1;
}

/** What a slot's own name says may be filled in, and not be turned round. */
function contradiction(author: string, role: Slot['role'], before: string): string | null {
  if (role === 'option' && (author === 'assistant' || author === 'model'))
    return 'it takes an earlier reply for an option';
  const name = nameIn(before);
  // In a sentence such a word may be beside the point.
  const told = name.trim().split(/\s+/).length <= LONGEST_NAME ? rolesOfLabel(name) : [];
  const other = told.some(([first]) => first === 'reference' || first === 'rubric');
  return other && role === 'option' ? 'it takes for an option what its name says is none' : null;
}

/**
 * The last lines in front of a slot that have a word; where the name does not stand in these, the line of the slots in front
 * of it: `## {{name}} ({{context}})`.
 */
function nearest(literals: readonly string[], slot: number, name: string): string {
  const own = literals[slot] ?? '';
  // A sign may be the name: `㉠ `.
  const isNear = (line: string, n: number, all: readonly string[]) => hasWord(line) || n === all.length - 1;
  const lines = own.split('\n').filter(isNear).slice(-4).join('\n').slice(-300);
  if (standsIn(name, lines)) return lines;
  const [rest = ''] = own.split('\n');
  return `${literals.slice(0, slot).join('⟦⟧').split('\n').at(-1)}⟦⟧${rest}`.slice(-300);
}

/** Whether a name stands in a text by itself, or as a word that ends in another way: `rot` in `die rote Fassung`. */
const standsIn = (label: string, text: string) => {
  for (let at = text.lastIndexOf(label); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(label, at - 1)) {
    const latin = /^[\p{Script=Latin}\p{N}]+$/u.test(label);
    const ending = /^\p{Script=Latin}{0,2}(?![\p{Script=Latin}\p{N}])/u.test(text.slice(at + label.length));
    const ends = label.length > 2 ? ending : !/^[\p{Script=Latin}\p{N}]/u.test(text.slice(at + label.length));
    if (!latin || (ends && !/[\p{Script=Latin}\p{N}]/u.test(text.charAt(at - 1)))) return true;
  }
  return false;
};

/** Whether the one text that is judged is a list of several in the requests seen. */
function judgesList({ samples }: Pipeline, template: Template): boolean {
  const judged = samples.flatMap(({ prompt }) => {
    const finding = findingIn(template, prompt);
    return finding?.single ? finding.options.map(({ at }) => textAt(prompt, at)) : [];
  });
  return judged.length > 0 && isList(judged);
}

/** The pipeline with the verdict's form, where its texts leave it open; in words what is wrong. */
function withForm(pipeline: Pipeline, verdict: VerdictFile | null): Pipeline | string {
  const { template, samples, origin, answers = [] } = pipeline;
  if (!template) return 'the template is gone';
  const prompt = template.more ? longestCase(template, samples) : samples[0]?.prompt;
  const finding = prompt && findingIn(template, prompt);
  if (!finding) return 'it reads no case in the requests seen';
  const labels = finding.options.map(({ label }) => label);
  // Who chooses between several has not judged one.
  if (verdict && labels.length === 1 && (countOptions(verdict) ?? 1) > 1) return OTHER_COUNT;
  const cases = casesIn(template, samples, origin.schema);
  const [subject] = cases;
  const known = subject && cases.every((one) => one !== null) ? subject : null;
  const open =
    !known ||
    hasOpenPolarity(known) ||
    openForm(template, prompt, origin.schema, answers) !== null ||
    !readsReplies(known.form, answers, labels);
  if (!open) return counted(pipeline, verdictsIn(known.form, answers, labels));
  // The model tells it for as many options as the request has that it was shown.
  const told = template.more && verdict ? (forNames(verdict, labels) ?? verdict) : verdict;
  const wrong = wrongIn(told, answers, labels, template.more ?? false);
  // Once it is known what is judged, the replies may tell what the model does not.
  const best = wrong === null ? told : formReplied(template, answers, labels);
  if (best)
    return counted(
      { ...pipeline, template: { ...template, verdict: best } },
      verdictsIn(formFromFile(best), answers, labels),
    );
  return known && !verdict ? counted(pipeline, verdictsIn(known.form, answers, labels)) : (wrong ?? '');
}

const OTHER_COUNT = 'its form of the verdict is for another number of options';
const NO_FORM = 'it tells no form of the verdict, and the prompt tells none';
const READS_FEW = 'its form of the verdict reads fewer than 95 % of the replies';

/** What is wrong with a form of the verdict, in words; null where nothing is. */
function wrongIn(
  verdict: VerdictFile | null,
  answers: readonly string[],
  labels: readonly string[],
  more: boolean,
): string | null {
  if (!verdict) return NO_FORM;
  if ((countOptions(verdict) ?? labels.length) !== labels.length) return OTHER_COUNT;
  const verdicts = more
    ? verdictsOnAny(verdict, answers, labels)
    : verdictsIn(formFromFile(verdict), answers, labels);
  return areRead(verdicts, labels) ? null : READS_FEW;
}
