/** Whether a learned template may act, and what keeps it from it: see `obstacleOf`. */

import { type Checkpoint, unlimited } from '../checkpoint.ts';
import { applyEdits, editsFor, reversed } from '../counterfactual.ts';
import { formByAlternatives, saysFormPlainly } from '../form/form-by-alternatives.ts';
import { textAt } from '../layouts/lines.ts';
import { plainLines } from '../layouts/statements.ts';
import { caseOf } from '../read.ts';
import type { Case, Mention, Prompt, Statement } from '../types.ts';
import { isUnderstood, tellingForm } from '../verdicts/index.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { namesStandInTexts, optionsAlike, overridesOrders } from './alike.ts';
import { withConstantText } from './constant-option.ts';
import { holdsList, holdsOneAnswer, standApart } from './doubts.ts';
import { findingIn, findingOf } from './finding.ts';
import { learnedParts, seenRoles, withOwnRoles } from './learned-template.ts';
import { matchTemplate } from './match.ts';
import {
  CASES_TO_CONFIRM,
  optionCount,
  type Pipeline,
  type Sample,
  sameTexts,
  shapeOf,
  wordsOf,
} from './pipeline.ts';
import { LEAST_REPLIES, readsReplies, verdictsIn } from './replies/index.ts';
import { kindReplied, optionsInReplies } from './replies/options-in-replies.ts';
import { CERTAIN, certaintyOf, LIKELY } from './roles/roles.ts';
import { suitsForm } from './suits-form.ts';
import type { Slot, Template } from './template.ts';
import { withWholeAnswers } from './whole-answers.ts';

/** Share of a pipeline's replies that must have been read; where the prompt says plainly how the verdict is written, a small judge may miss it more often. */
const LEAST_READ = 0.95;
const LEAST_READ_PLAIN = 0.5;

/** What can keep a template from acting, in the order in which it is looked for. */
type Obstacle =
  | 'disputed'
  | 'doubted'
  | 'replies'
  | 'attacked'
  | 'cases'
  | 'labels'
  | 'exchange'
  | 'judged'
  | 'unlikely'
  | 'form';

/**
 * What keeps a template from acting. A template acts where no model said that something else is judged (`disputed`), where
 * its words bear out the names that a model gave (`doubted`), and the replies that came could be read (`replies`). No order to forget the orders stands beside what is judged (`attacked`). It reads three different cases (`cases`), each to a case with certain slots. The
 * literals beside its options are alike (`labels`). Options that are exchanged are read as exchanged, and exchanged again
 * give the same prompt (`exchange`). It is known what is judged (`judged`), and a model that said it may be right (`unlikely`).
 * It is plain how the verdict is given (`form`).
 *
 * @returns null where nothing does
 */
function obstacleOf(pipeline: Pipeline, checkpoint: Checkpoint = unlimited): Obstacle | null {
  const { template, samples, origin, reader } = pipeline;
  if (!template) return 'cases';
  if (reader?.outcome === 'disputed' && reader.of === shapeOf(template)) return 'disputed';
  if (hasDoubtfulNames(pipeline, template)) return 'doubted';
  if (!repliesAreRead(pipeline)) return 'replies';
  if (overridesOrders(template)) return 'attacked';
  if (!optionsAlike(template) || namesStandInTexts(template, samples)) return 'labels';
  const cases = casesIn(template, samples, origin.schema, checkpoint);
  const isClear = () =>
    wasNamed(pipeline, template)
      ? hasOneOption(template) || isSetApart(pipeline, template, true)
      : isUnmistakable(pipeline, template);
  // No verdict fits a text that is not what is judged: then the form is not what is open.
  if (cases.length > 0 && cases.every((subject) => subject === null)) return isClear() ? 'form' : 'judged';
  if (!differ(cases)) return 'cases';
  const clean = cleanCases(cases, { template, schema: origin.schema, checkpoint });
  if (!clean) return 'exchange';
  if (!differ(clean)) return 'cases';
  if (!isClear()) return 'judged';
  if (wasNamed(pipeline, template) && hasOneOption(template) && isUnlikely(pipeline, template))
    return 'unlikely';
  return isFormEvident(pipeline) ? null : 'form';
}

/** What keeps a template from acting, and what helps. */
const WHY: Readonly<Record<Obstacle, string>> = {
  disputed: 'its own words and the model that was asked do not agree on what is judged',
  doubted: 'what the model that was asked says of its slots is in doubt: approve it if the names are right',
  replies:
    'fewer than 95 % of the replies that came (half where the prompt says plainly how the verdict is written) could be read as a verdict in the form that it asks for',
  attacked:
    'beside what is judged all requests so far tell the judge to ignore its orders, which no prompt of its own does',
  cases: `not ${CASES_TO_CONFIRM} different cases were found with slots whose edges are certain`,
  labels: 'what stands in front of its options, or behind them, is not the same for all of them',
  exchange:
    'no verdict is asked for that fits its options, or the options could not be exchanged for certain',
  judged:
    'it is not certain which of its slots is judged: no name says so. Once three replies came, the proxy asks a model (REMAND_READER_MODEL)',
  unlikely: 'the model that was asked names as judged what the words of the template hardly allow',
  form: 'the prompt does not say plainly how the verdict is written; in front of a judge its replies tell after the first few',
};

/** @returns why a learned template does not act, as a clause; null where it is confirmed, or a person decided */
export function explainOpen(pipeline: Pipeline): string | null {
  const { state, reader, samples, template } = pipeline;
  if (state !== 'learning') return null;
  const judges = template?.parts.some(({ slots }) => slots.some(({ role }) => role === 'option'));
  const why =
    samples.length < CASES_TO_CONFIRM
      ? `it takes ${CASES_TO_CONFIRM} different requests to confirm it, and ${samples.length} were given`
      : judges
        ? WHY[obstacleOf(pipeline) ?? 'cases']
        : 'none of its slots is known to hold what is judged';
  if (reader?.outcome === 'doubted') return `${why}; ${reader.model} was asked, and ${reader.reason}`;
  return reader?.reason ? `${why}; asked about it, ${reader.model} was no help: ${reader.reason}` : why;
}

/** Whether a template may act, or only its verdict is open, which the replies tell. */
export function isCut(pipeline: Pipeline, checkpoint: Checkpoint): boolean {
  const obstacle = obstacleOf(pipeline, checkpoint);
  return obstacle === null || obstacle === 'form';
}

/** Whether a template may act. */
export const isConfirmed = (pipeline: Pipeline, checkpoint: Checkpoint = unlimited): boolean =>
  obstacleOf(pipeline, checkpoint) === null;

/**
 * Whether it is evident how the verdict is given, so that a prompt that asks for none is left alone: the request says it
 * plainly, or the replies that came are read by it, which do not all say the same where one answer is judged.
 */
function isFormEvident(pipeline: Pipeline): boolean {
  const { template, answers = [] } = pipeline;
  if (template?.verdict) return true;
  const { source, subject } = formSourceIn(pipeline) ?? {};
  if (!source || !subject) return false;
  const labels = subject.options.map(({ label }) => label);
  const all = verdictsIn(subject.form, answers, labels);
  const read = all.filter(isUnderstood).length;
  // Whatever the request seems to ask for: what is never replied is not asked for.
  if (answers.length >= LEAST_REPLIES && read * 2 < answers.length) return false;
  if (tellingForm(all).length >= MOST_UNREAD && read === 0) return false;
  if (saysFormPlainly(source)) return true;
  const verdicts = new Set(all.map((verdict) => JSON.stringify(verdict)));
  // A judge that always chooses what stands first is one; of one answer, what is always said may be no verdict.
  const tells = verdicts.size > 1 || labels.length > 1;
  return answers.length >= LEAST_REPLIES && tells && readsReplies(subject.form, answers, labels);
}

/** The prompt with the most options, as replies may name each of them. */
export function longestCase(template: Template, samples: readonly Sample[]): Prompt | undefined {
  const count = (prompt: Prompt) => matchTemplate(template, prompt)?.slots.length ?? 0;
  return samples.map(({ prompt }) => prompt).toSorted((a, b) => count(b) - count(a))[0];
}

/** What the form of a template's verdicts is read from, and the case with it; null where the prompt is not certain. */
export function formSourceOf(
  template: Template,
  prompt: Prompt,
  schema: unknown,
): { readonly source: FormSource; readonly subject: Case | null } | null {
  const finding = findingIn(template, prompt);
  if (!finding) return null;
  const sources: FormSource[] = [];
  const formOf = (source: FormSource) => {
    sources.push(source);
    return formByAlternatives(source);
  };
  const subject = caseOf(prompt, { ...finding, formOf }, schema);
  const [source] = sources;
  return source ? { source, subject } : null;
}

/** The same of the first request of a pipeline, or of the one with the most options. */
function formSourceIn({ template, samples, origin }: Pipeline): ReturnType<typeof formSourceOf> {
  const prompt = template?.more ? longestCase(template, samples) : samples[0]?.prompt;
  return template && prompt ? formSourceOf(template, prompt, origin.schema) : null;
}

/** Whether one answer is judged, of which a conversation may have several turns: nothing is exchanged then. */
const hasOneOption = ({ parts }: Template) => optionCount(parts) === 1;

/** Whether a model named the slots of this very state of the template. */
const wasNamed = ({ reader }: Pipeline, template: Template) =>
  reader?.outcome === 'named' && reader.of === shapeOf(template);

/** Whether the slots of this very state of the template have names that a model gave and its own words do not bear out. */
const hasDoubtfulNames = ({ reader }: Pipeline, template: Template) =>
  reader?.outcome === 'doubted' && reader.of === shapeOf(template);

/**
 * The pipeline, confirmed where nothing keeps its template from acting. Names in doubt give way to those that the template's
 * own words tell, once these are certain.
 */
export function settle(pipeline: Pipeline, checkpoint: Checkpoint = unlimited): Pipeline {
  const all = [pipeline, withoutDoubtfulNames(pipeline)];
  const confirmed = all.find((one) => one && isConfirmed(one, checkpoint));
  if (confirmed) return { ...confirmed, state: 'confirmed' };
  const others = [withConstantOption(pipeline), ofWholeAnswers(pipeline)].filter((one) => one !== null);
  const open = others.map((one) => ({ one, obstacle: obstacleOf(one, checkpoint) }));
  const found = open.find(({ obstacle }) => obstacle === null);
  if (found) return { ...found.one, state: 'confirmed' };
  // How the verdict is given is told by the replies, and they name several.
  const named = open.find(({ obstacle }) => obstacle === 'form');
  return named && !isCut(pipeline, checkpoint) ? named.one : pipeline;
}

/** The pipeline with one slot for each answer, where its answers are set out alike; null where they are not. */
function ofWholeAnswers(pipeline: Pipeline): Pipeline | null {
  const { template, samples } = pipeline;
  if (!template || template.more || samples.length < CASES_TO_CONFIRM) return null;
  const parts = withWholeAnswers(template.parts, learnedParts(template, samples));
  return parts && { ...pipeline, template: withOwnRoles(pipeline, { ...template, parts }) };
}

/** The pipeline with two options, where its template has a slot for one and the other has been the same so far; null where none is found. */
function withConstantOption(pipeline: Pipeline): Pipeline | null {
  const { template, samples } = pipeline;
  if (!template || template.verdict || samples.length < CASES_TO_CONFIRM) return null;
  const parts = optionCount(template.parts) < 2 && withConstantText(template.parts);
  if (!parts) return null;
  const named = withOwnRoles(pipeline, { ...template, parts });
  return optionCount(named.parts) === 2 ? { ...pipeline, template: named } : null;
}

/** The pipeline with the names that its template's own words tell; null where no others are in doubt. */
export function withoutDoubtfulNames(pipeline: Pipeline): Pipeline | null {
  const { template, reader } = pipeline;
  if (!template || !reader || !hasDoubtfulNames(pipeline, template)) return null;
  // How the verdict is given was read by those names.
  const { verdict: _, ...rest } = template;
  return { ...pipeline, template: withOwnRoles(pipeline, rest), reader: { ...reader, outcome: 'refused' } };
}

/** From where on the one text that a model names is hardly what is judged: `npm run bench:templates -- --mix-up 3` shows what it does. */
const UNLIKELY = 0.02;

/** Whether the template's own words and values hardly allow its options; what they do not think of is possible. */
const isUnlikely = (pipeline: Pipeline, template: Template) =>
  (ownCertainty(pipeline, template) ?? 1) < UNLIKELY;

const ownCertainty = ({ samples, answers = [] }: Pick<Pipeline, 'samples' | 'answers'>, template: Template) =>
  certaintyOf(
    learnedParts(template, samples),
    template.parts.map(({ slots }) => slots),
    kindReplied(answers, wordsOf(template)),
  );

/** What a template reads in those requests in which every slot is certain; null where it reads no case in one. */
export const casesIn = (
  template: Template,
  samples: readonly Sample[],
  schema: unknown,
  checkpoint: Checkpoint = unlimited,
): (Case | null)[] =>
  samples.flatMap(({ prompt }) => {
    checkpoint();
    const finding = findingIn(template, prompt);
    return finding ? [caseOf(prompt, finding, schema, checkpoint)] : [];
  });

/** Whether three of the requests are different cases. */
function differ(cases: readonly (Case | null)[]): boolean {
  const texts = new Set(cases.map((subject) => JSON.stringify(subject?.options.map(({ text }) => text))));
  return texts.size >= CASES_TO_CONFIRM;
}

/** Whether a template reads a case in every request in which its slots are certain, and exchanged options as exchanged. */
export const readsCleanly = (template: Template, samples: readonly Sample[], schema: unknown): boolean =>
  (cleanCases(casesIn(template, samples, schema), { template, schema, checkpoint: unlimited }) ?? []).length >
  0;

/** A template as it reads requests whose replies have this schema. */
interface TemplateReader {
  readonly template: Template;
  readonly schema: unknown;
  readonly checkpoint: Checkpoint;
}

/**
 * The cases without those in which one option writes what stands in front of another: such a text says nothing of the template.
 *
 * @returns null where another one is no case, suits no verdict, or is not read as exchanged
 */
function cleanCases(cases: readonly (Case | null)[], reader: TemplateReader): Case[] | null {
  const clean: Case[] = [];
  for (const subject of cases) {
    if (subject === null || !suitsForm(subject, reader.template)) return null;
    const exchanged = exchangedOf(subject, reader);
    if (exchanged === 'other') return null;
    if (exchanged === 'clean') clean.push(subject);
  }
  return clean;
}

/** Whether it is known what is judged, by whatever witness. */
export const isUnmistakable = (
  pipeline: Pick<Pipeline, 'samples' | 'origin' | 'answers'>,
  template: Template,
): boolean => witnessOf(pipeline, template) !== null;

/**
 * How well it is known which texts are judged: by their names and places, and by what the general readers found in most of
 * the requests.
 *
 * @returns `likely` for options whose names leave a doubt; null where it is not known
 */
export function witnessOf(
  pipeline: Pick<Pipeline, 'samples' | 'origin' | 'answers'>,
  template: Template,
): 'certain' | 'likely' | null {
  if (!isSetApart(pipeline, template)) return null;
  const { samples, origin, answers = [] } = pipeline;
  const parts = learnedParts(template, samples);
  const slots = template.parts.map(({ slots: some }) => some);
  if (samples.some((sample) => isFoundElsewhere(sample, template))) return null;
  const certainty = ownCertainty(pipeline, template) ?? 0;
  const told = seenRoles(parts, samples);
  const found = told.filter(({ role }) => role === 'option');
  if (optionCount(template.parts) > 1) {
    if (certainty >= CERTAIN) return 'certain';
    // Of each of several criteria there is a verdict, too: then they are no options.
    if (casesIn(template, samples, origin.schema)[0]?.form.kind === 'list') return null;
    const named = [found, optionsInReplies(parts, answers)];
    return certainty >= LIKELY || named.some((some) => areOptions(slots, some)) ? 'likely' : null;
  }
  // A verdict on each of several things is one on each claim of a text, or on each text of a list.
  const form = casesIn(template, samples, origin.schema)[0]?.form;
  const ofEach =
    form?.kind === 'list' && form.fields === null && (form.template ?? '{}').split('{}').length === 2;
  if (!holdsOneAnswer(parts, slots) && !(ofEach && holdsList(parts, slots))) return null;
  return (found.length > 0 && !ofEach) || certainty >= CERTAIN ? 'certain' : null;
}

/** Whether the options are those that another witness has found, and no others. */
function areOptions(
  slots: readonly (readonly Slot[])[],
  found: readonly { readonly part: number; readonly slot: number }[],
): boolean {
  const isFound = (part: number, slot: number) => found.some((one) => one.part === part && one.slot === slot);
  return (
    found.length > 0 &&
    slots.every((own, part) => own.every(({ role }, slot) => (role === 'option') === isFound(part, slot)))
  );
}

/** Whether the first guess found what is judged in another text than the template does: then one of the two is wrong. */
function isFoundElsewhere({ prompt, guess }: Sample, template: Template): boolean {
  const slots = matchTemplate(template, prompt)?.slots ?? [];
  return (guess?.options ?? []).some(({ at }) =>
    slots.some(
      ({ role, part, at: slot }) =>
        role !== 'option' && part === at.part && slot && slot.start <= at.start && at.end <= slot.end,
    ),
  );
}

/** Whether what is judged is set apart from all else that varies, whoever named it. */
const isSetApart = ({ samples }: Pick<Pipeline, 'samples'>, template: Template, isNamed = false): boolean =>
  standApart(
    learnedParts(template, samples),
    template.parts.map(({ slots }) => slots),
    isNamed,
  );

/** Replies without a verdict that say nothing against a template: a judge refuses now and then. */
const MOST_UNREAD = 2;

/**
 * Whether a verdict was read in nearly all replies so far, or in most of them where the prompt says plainly how it is written; or in
 * the latest of one judge: another one that breaks the form says nothing of the template then.
 */
export const repliesAreRead = (pipeline: Pipeline): boolean =>
  areMostlyRead(pipeline) || isReadBy(pipeline, () => true);

/** Whether that holds of the latest replies of one of these judges. */
export function isReadBy(pipeline: Pipeline, isOne: (judge: string) => boolean): boolean {
  const heard = Map.groupBy(pipeline.heard ?? [], ({ judge }) => judge);
  return [...heard].some(([judge, replies]) => {
    const repliesRead = replies.filter(({ read }) => read).length;
    const counted = { ...pipeline, replies: replies.length, repliesRead };
    return isOne(judge) && repliesRead >= LEAST_REPLIES && areMostlyRead(counted);
  });
}

function areMostlyRead(pipeline: Pipeline): boolean {
  const { replies, repliesRead } = pipeline;
  if (replies - repliesRead <= MOST_UNREAD || repliesRead >= LEAST_READ * replies) return true;
  return repliesRead > LEAST_READ_PLAIN * replies && saysForm(pipeline);
}

/** Whether the requests themselves say plainly how the verdict is written. */
function saysForm(pipeline: Pipeline): boolean {
  const { source } = formSourceIn(pipeline) ?? {};
  return source !== undefined && saysFormPlainly(source);
}

/** How a case is read when its options are exchanged: as exchanged, in several ways, or as another one. */
function exchangedOf(
  subject: Case,
  { template, schema, checkpoint }: TemplateReader,
): 'clean' | 'ambiguous' | 'other' {
  checkpoint();
  if (subject.options.length < 2) return 'clean';
  const exchange = (one: Case) => {
    const handedOver = withNamesInSlots(one, template);
    return applyEdits(one.prompt, editsFor(handedOver, reversed(handedOver)));
  };
  const exchanged = exchange(subject);
  const match = matchTemplate(template, exchanged);
  if (match?.kind === 'ambiguous') return 'ambiguous';
  const finding = match && findingOf(template, match);
  const again = finding && caseOf(exchanged, finding, schema, checkpoint);
  if (!again) return 'other';
  const isSame =
    piecesOf(again).join('\0') === piecesOf(subject).toReversed().join('\0') &&
    sameTexts(exchange(again), subject.prompt);
  return isSame ? 'clean' : 'other';
}

/**
 * The case with those names of options alone that stand in slots. What the template says of an option in all requests (`90% prefer A.`) is
 * exchanged as well, and is another template then.
 */
function withNamesInSlots(subject: Case, template: Template): Case {
  const slots = matchTemplate(template, subject.prompt)?.slots ?? [];
  const isInSlot = ({ at: { part, start, end } }: Mention) =>
    slots.some((slot) => slot.part === part && slot.at && start < slot.at.end && slot.at.start < end);
  const labels = subject.options.map(({ label }) => label);
  const isPlain = ({ text, at }: Statement) => {
    const literals = template.parts[at.part]?.literals ?? [];
    return plainLines(literals.find((literal) => literal.includes(text)) ?? text, labels)(text);
  };
  const context = subject.context.map((one) =>
    one.mentions.length > 0 && isPlain(one) ? { ...one, mentions: one.mentions.filter(isInSlot) } : one,
  );
  return { ...subject, context };
}

/** What is exchanged of each option. */
const piecesOf = ({ options, prompt }: Case) =>
  options.map(({ at, moves = [at] }) => moves.map((span) => textAt(prompt, span)).join('\0'));
