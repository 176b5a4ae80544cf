/**
 * Finding the case in a request: what is judged, each piece with the place where it stands. Layouts say what
 * they see (`layouts/`); here it is decided which reading holds, and whether the request is a judgment at all.
 * A request that could be read in two ways is left alone: no rewriting is better than a wrong one.
 */

import { InputError } from '../errors.ts';
import { type Checkpoint, FEW, unlimited } from './checkpoint.ts';
import { onlyAnswer } from './conversation.ts';
import { labelKey } from './counterfactual.ts';
import { alternativesIn } from './form/choice-asked.ts';
import { asksForScore, findForm } from './form/find-form.ts';
import { rankOrder, ranksWorstFirst } from './form/rank-order.ts';
import { asksForList, tellsFields } from './form/schema.ts';
import { asksForWorse } from './form/worse-asked.ts';
import { contains } from './layouts/bodies.ts';
import { locateDeclared } from './layouts/declared.ts';
import { enclosed } from './layouts/enclosed.ts';
import { doubtOf } from './layouts/evident.ts';
import { contestants, json } from './layouts/json-fields.ts';
import type { Finding, Layout, Page } from './layouts/layout.ts';
import { textAt } from './layouts/lines.ts';
import { marksIn } from './layouts/marks.ts';
import { notePlace } from './layouts/orders.ts';
import { peerReview } from './layouts/peer-review.ts';
import { hasNoMirror } from './layouts/places.ts';
import { sections, submission } from './layouts/sections.ts';
import { findStatements, statementAt } from './layouts/statements.ts';
import { hasMediaBetween } from './media.ts';
import { unescapeJson } from './nested.ts';
import { gapsBetween, isModels } from './own-text.ts';
import { withStatements } from './templates/finding.ts';
import { findKnown, type KnownEntry, type KnownFinding } from './templates/known.ts';
import { outlineOf } from './templates/outline.ts';
import type { Case, Option, Passage, Prompt, Span, Statement, VerdictForm } from './types.ts';
import type { FormSource } from './verdicts/kind.ts';
import { falls, rises } from './verdicts/ranking.ts';
import { occurrences } from './words/occurrences.ts';
import { BETTER, lowerCased, namesPartOfText } from './words/vocabulary.ts';

/** The more specific first: of two readings of the same delimiters the first counts. */
const LAYOUTS: readonly Layout[] = [peerReview, contestants, enclosed, json, sections, submission];

/** A prompt that puts options side by side is a judgment where its orders say that they are to be compared. */
export const COMPARES =
  /\b(?:better|best|worse|prefer\w*|superior|winner|verdict|judg\w*|impartial|evaluat\w+|compar\w+|rank\w*|choose|select|pick|decide|which\b|grade|score|rat(?:e|ing))\b/i;

/** Who asks this shows several; one labelled answer is then not what is judged. */
const WHICH_OF_SEVERAL =
  /\bwhich (?:(?:one|of (?:the|these)(?: two| three| four)?) )?(?:choice|option|answer|response|output|one|candidate|text|statement)s? (?:is|are|was|do you think is) (?:the )?(?:best|better|worst|worse)\b/i;

/** Orders of a quiz: the judge is to answer the question itself. */
const QUIZ =
  /\bmultiple[- ]choice (?:questions?|quiz|exam|test)\b|(?:^|[.!?:]\s{1,3}|\b(?:please|must|should|will|and|then)\s)answer (?:the|this|each|every)(?: (?:following|next|given))? question\b|\b(?:choose|select|pick|mark|which is) the (?:one )?(?:correct|right|true) (?:answer|option|choice|letter)\b/im;
const JUDGES =
  /\b(?:better|worse|prefer\w*|judg\w*|evaluat\w*|compar\w*|(?<!your )responses?|replies|(?:the|an?|each|this) reply|assistants?|models?|completions?|candidates?|summar\w*|translations?|accura\w+|helpful\w*|grad\w*|rat(?:e|ing)\w*|rank\w*|scor\w*|quality)\b/i;
/** The label of a choice: no more than a letter or a number, or one behind `Option`. */
const CHOICE_LABEL = /^\W{0,3}(?:(?:option|choice)\W{0,3})?(?:\p{L}|\d{1,2})\W{0,3}$/iu;
const OF_THE_OTHERS =
  /^\W{0,3}(?:all|none|neither|both) of (?:the )?(?:above|below|other|previous|these|those)(?: \p{L}{1,12}){0,3}\W{0,3}$/iu;
/** `Both A and C`, `A, B and D only`. */
const OTHERS =
  /^\W{0,3}(?:both |neither |only )?\(?([A-J])\)?(?:, ?\(?[A-J]\)?){0,4},? (?:and|or|nor|&) \(?([A-J])\)?(?: only)?\W{0,3}$/i;

/** Whether a question about the world is asked and its answers are listed: nothing is judged then. */
function isQuiz({ subject: { options }, orders }: Built): boolean {
  if (!options.every(({ label }) => CHOICE_LABEL.test(label))) return false;
  if (QUIZ.test(orders) && !JUDGES.test(orders)) return true;
  const keys = options.map(({ label }) => labelKey(label).toUpperCase());
  const isOfOthers = (text: string) => {
    const named = OTHERS.exec(text)
      ?.slice(1)
      .filter((key) => key !== undefined);
    return OF_THE_OTHERS.test(text) || (named?.every((key) => keys.includes(key.toUpperCase())) ?? false);
  };
  return options.length > 2 && options.some(({ text }) => isOfOthers(text));
}

/** Whether what looks like options are the parts of one text, in their order: who asks for the first wrong step compares no steps. */
const arePartsOfOne = ({ subject: { options }, orders }: Built): boolean =>
  options.every(({ label }) => /\d/.test(label) && namesPartOfText(label)) && !BETTER.test(orders);

/** Whether what looks like options are no answers that are compared. */
const comparesNothing = (built: Built): boolean => isQuiz(built) || arePartsOfOne(built);

export interface CaseRequest {
  /** JSON schema of the reply that the request demands, if any. */
  readonly schema?: unknown;
  /** The client's own `remand.case`, if any. */
  readonly declared?: unknown;
  /** Called between the steps of the reading; what it throws ends the reading. */
  readonly checkpoint?: Checkpoint;
  /** Leaves out the guess by the words around texts that stand between a start and an end, which takes 2 ms: a learned template reads the request. */
  readonly skipOutline?: boolean;
  /** Templates of known clients, where they are not those that are shipped. */
  readonly known?: readonly KnownEntry[];
}

/**
 * @returns null where the request is no judgment, its case is not evident, or media stand between its options
 * @throws InputError where the declared case is malformed or does not stand in the prompt
 *
 * @example findCase({ parts: [{ role: 'user', text: prompt }] })?.options[0] // { label: 'Output (a)', text: 'The product is 381.', … }
 */
export function findCase(prompt: Prompt, request: CaseRequest = {}): Case | null {
  const read = readCase(prompt, request);
  return read?.subject && read.doubt === null && !hasMediaBetween(read.subject) ? read.subject : null;
}

/** The case of a request also where the prompt does not show for certain where its options begin and end: no more than a guess. */
export function guessCase(prompt: Prompt, request: CaseRequest = {}): Case | null {
  return readCase(prompt, request)?.subject ?? null;
}

/** What is read in a request where no template was learned. */
export interface Guess {
  /** Null where something is set out like a case and must be left alone. */
  readonly subject: Case | null;
  /** The template of a known client that fits; null where none does. */
  readonly known: string | null;
  /** Why it is no more than a suggestion, as a clause; null where it is evident or the client declared it. */
  readonly doubt: string | null;
  /** Whether every text stands between a start and an end of its own, which no text holds: it is cut alike whatever it says. */
  readonly isEnclosed?: boolean;
  /** Whether that template, or the case that the client declared, fits in more than one way. */
  readonly isAmbiguous?: boolean;
}

/**
 * Parameters and errors as those of `findCase`.
 *
 * @returns undefined where nothing is set out like a case
 */
export function readCase(prompt: Prompt, request: CaseRequest = {}): Guess | undefined {
  const { schema = null, checkpoint = unlimited } = request;
  const reading: Reading = { prompt, schema, checkpoint };
  const all = pagesOf(prompt);
  if (request.declared !== undefined) {
    const declared = locateDeclared(all, request.declared);
    if (!declared) return { subject: null, known: null, doubt: null, isAmbiguous: true };
    const { finding, context } = declared;
    const built = buildCase(reading, finding, context);
    const words = openTexts(prompt).join('\n');
    if (!built && (asksForWorse(words) || ranksWorstFirst(words))) return LEFT_ALONE;
    if (!built)
      throw new InputError(
        'remand.case.options',
        'the request asks for a verdict on another number of options',
      );
    return { subject: built.subject, known: null, doubt: null };
  }
  // Examples in earlier turns are cases, too; the one to be judged comes last.
  const latest = all.slice(all.findLastIndex(({ part }) => roleOf(prompt, part) !== 'user') + 1);
  const open = all.filter(({ part }) => !answered(prompt, part));
  const early = latest.length > 0 && latest.length < all.length;
  const scopes = early ? [latest, open] : [open];
  for (const pages of scopes)
    for (const found of findKnown(prompt, pages, checkpoint, request.known)) {
      const read = readKnown(reading, found);
      // Where a text of the case may hold the template's own words, no other template is asked.
      if (read.subject || !found.finding) return read;
    }
  for (const pages of scopes) {
    const read = readPages(reading, pages, request.skipOutline);
    if (read) return read;
  }
  return undefined;
}

/**
 * The case that a template reads in a prompt, also where the worse of its options is asked for.
 *
 * @returns null where the request asks for no verdict on what the template's slots hold
 */
export function caseOf(
  prompt: Prompt,
  finding: Finding,
  schema: unknown,
  checkpoint: Checkpoint = unlimited,
): Case | null {
  const built = buildAny({ prompt, schema, checkpoint }, withStatements(finding, pagesOf(prompt)));
  if (!built) return null;
  const { subject, orders, scored } = built;
  if (subject.options.length === 1) return scored ? subject : null;
  if (comparesNothing(built)) return null;
  const { form } = subject;
  const told = form.kind !== 'choice' || form.write !== null || form.field !== null;
  return told || COMPARES.test(orders) ? subject : null;
}

function pagesOf({ parts }: Prompt): Page[] {
  return parts.map(({ text }, part) => ({ part, text, start: 0, end: text.length }));
}

const roleOf = (prompt: Prompt, part: number) => prompt.parts[part]?.role ?? '';
/** The texts of a prompt less those that a model wrote. */
export const openTexts = (prompt: Prompt): string[] =>
  prompt.parts.filter((_, part) => !answered(prompt, part)).map(({ text }) => text);

const answered = (prompt: Prompt, part: number) => isModels(roleOf(prompt, part));

const LEFT_ALONE: Guess = { subject: null, known: null, doubt: null };

/** A request that is being read. */
interface Reading {
  readonly prompt: Prompt;
  readonly schema: unknown;
  readonly checkpoint: Checkpoint;
}

function readKnown(reading: Reading, { name, finding, isAmbiguous, isEmpty }: KnownFinding): Guess {
  const built = finding && isAskedFor(finding, reading.schema) ? buildCase(reading, finding) : null;
  const certain = built && (built.scored || built.subject.options.length > 1);
  // Other JSON than a string may hold the answer among other things.
  const doubt =
    finding?.layout === 'judge-fields' && !finding.options[0]?.nested
      ? 'it may hold more than the answer'
      : null;
  // Of an empty answer a template that was learned knows more.
  return { subject: certain ? built.subject : null, known: isEmpty ? null : name, doubt, isAmbiguous };
}

/** @returns undefined where nothing is set out like a case */
function readPages(reading: Reading, pages: readonly Page[], skipOutline = false): Guess | undefined {
  const { prompt, checkpoint } = reading;
  const marks = pages.flatMap((page, i) => {
    if (i % FEW === 0) checkpoint();
    return marksIn(page, checkpoint);
  });
  const found = LAYOUTS.flatMap((layout) => {
    checkpoint();
    return layout.find(pages, marks, checkpoint);
  });
  const read = readFound(reading, found);
  if (skipOutline || (read?.subject && read.doubt === null)) return read;
  checkpoint();
  const outline = outlineOf(prompt, pages);
  const outlined = outline && readFinding(reading, outline, found);
  return outlined?.subject && outlined.doubt === null ? { ...outlined, isEnclosed: true } : read;
}

function readFound(reading: Reading, found: readonly Finding[]): Guess | undefined {
  const outer = found.filter((inner) => !found.some((other) => other !== inner && holds(other, inner)));
  const [only, ...rivals] = outer.filter(({ options }, n) => options.length > 0 && !isSeenBefore(outer, n));
  if (!only || rivals.length > 0) return found.length > 0 ? LEFT_ALONE : undefined;
  const others = found.filter((one) => one !== only);
  return readFinding(reading, only, others);
}

function readFinding(reading: Reading, only: Finding, others: readonly Finding[]): Guess {
  const { schema, checkpoint } = reading;
  const built = buildCase(reading, only);
  if (!built || !asksForVerdict(built, schema)) return LEFT_ALONE;
  checkpoint();
  const { subject, finding, orders } = built;
  return { subject, known: null, doubt: doubtOf({ subject, finding, orders, schema, others }) };
}

/** A prompt that puts options side by side has to ask for a comparison, one with a single answer for a score or a pass. */
function asksForVerdict(built: Built, schema: unknown): boolean {
  const { subject, finding, orders, scored } = built;
  if (subject.options.length === 1) return scored;
  return !comparesNothing(built) && (finding.evident || schema !== null || COMPARES.test(orders));
}

/** Styles by how strongly they set a section off; what is not named here is strongest. */
const WEAK = ['alone', 'colon', 'bold'];
function strengthOf({ style }: Finding): number {
  const at = WEAK.indexOf(style);
  return at < 0 ? WEAK.length : at;
}

/** Whether all delimiters of a reading stand in the texts of another one, which is set off at least as strongly. */
function holds(outer: Finding, inner: Finding): boolean {
  if (strengthOf(outer) < strengthOf(inner)) return false;
  const texts = [
    ...outer.options.map(({ at }) => at),
    ...outer.closed,
    ...(outer.labelled && outer.instruction ? [outer.instruction] : []),
  ];
  return inner.marks.every((mark) => texts.some((text) => contains(text, mark)));
}

/** Whether an earlier reading has the same delimiters: the more specific layout stands in front. */
function isSeenBefore(findings: readonly Finding[], n: number): boolean {
  const marksOf = (finding: Finding | undefined) =>
    (finding?.marks ?? []).map(({ part, start }) => `${part}:${start}`);
  const own = marksOf(findings[n]);
  return findings.slice(0, n).some((earlier) => {
    const marks = new Set(marksOf(earlier));
    return earlier.options.length > 0 && own.every((mark) => marks.has(mark));
  });
}

/** Whether a list is asked for where each of several things is judged. */
const isAskedFor = (finding: Finding, schema: unknown) =>
  !finding.each || asksForList(schemaOf(finding, schema));

/** Of the reply: as the request demands it or, where that tells no fields, as the prompt states it. */
const schemaOf = (finding: Finding, schema: unknown): unknown =>
  tellsFields(schema) ? schema : (finding.schema ?? schema ?? null);

interface Built {
  readonly subject: Case;
  readonly finding: Finding;
  /** What the judge is told: all but what is judged. */
  readonly orders: string;
  /** Whether a score or a pass is asked for in so many words, or by the schema. */
  readonly scored: boolean;
}

/**
 * Of a conversation in which the model speaks once, what it says is judged. Only where the template tells that a
 * conversation stands there: an answer that is written like one hides nothing of itself.
 */
function withOnlyAnswer(prompt: Prompt, finding: Finding): Finding {
  const [option, ...others] = finding.options;
  if (finding.noun !== 'conversation' || !option || others.length > 0 || option.moves || option.nested)
    return finding;
  const { part, start } = option.at;
  const answer = onlyAnswer(textAt(prompt, option.at));
  if (!answer) return finding;
  const at = { part, start: start + answer.start, end: start + answer.end };
  return {
    ...finding,
    options: [{ ...option, at, nested: answer.nested }],
    closed: [...finding.closed, option.at],
  };
}

/** @returns null also where the worse of the options is asked for */
function buildCase(...source: Parameters<typeof buildAny>): Built | null {
  const built = buildAny(...source);
  return built && asksForWorse(built.orders, built.subject.form) ? null : built;
}

function buildAny(
  { prompt, schema, checkpoint }: Reading,
  found: Finding,
  declared: readonly Span[] = found.context ?? [],
): Built | null {
  const finding = withOnlyAnswer(prompt, found);
  const { options, instruction, marks, closed, beside = [] } = finding;
  const labels = options.map(({ label }) => label);
  const told = finding.exactCase ? labels : labels.map((label) => label.toLowerCase());
  if (new Set(told).size < labels.length) return null;
  const read = pagesOf(prompt).filter(({ part }) => !answered(prompt, part));
  const material = [
    ...options.map(({ at }) => at),
    ...marks,
    ...closed,
    ...(instruction ? [instruction] : []),
  ];
  checkpoint();
  const gaps = gapsBetween(read, [...material, ...declared]);
  const context = [
    ...declared.map((at) => statementAt(prompt, at, labels, { start: 0, end: Number.POSITIVE_INFINITY })),
    ...beside.map(({ of, at }): Statement => ({ text: textAt(prompt, at), at, mentions: [], whole: at, of })),
    ...gaps.flatMap((gap, i) => {
      if (i % FEW === 0) checkpoint();
      return findStatements(prompt, [gap], labels);
    }),
  ].sort((a, b) => a.at.part - b.at.part || a.at.start - b.at.start);
  const isLost = ({ of, text, mentions }: Statement) =>
    !of && hasNoMirror(text, labels.length, mentions.length > 0);
  if (context.some(isLost)) return null;
  const ahead = textOf(prompt, gapsBetween(read, [...material, ...context.map(({ whole }) => whole)]));
  // A text in front of the options without a label may be the judge's orders as well as the instruction.
  const unlabelled = instruction && isFirst(prompt, instruction) ? textAt(prompt, instruction) : '';
  const orders = `${unlabelled}\n${ahead}`;
  const source = {
    orders,
    labels,
    noun: finding.noun,
    usual: finding.usual,
    schema: schemaOf(finding, schema),
  };
  checkpoint();
  const own = finding.formOf?.(source) ?? null;
  const form = own ?? (finding.formOf ? findForm(source) : formGuessed(source));
  if (form === 'mismatch' || namesTwoAlike(form)) return null;
  // Who is named first is the last then, unless the sign between the names says so.
  const mayBeRanking =
    form.kind === 'ranking'
      ? !rises(form.separator) && !form.bestLast
      : form.kind === 'choice' && form.write === null && ASKS_FOR_ORDER.test(orders);
  if (mayBeRanking && ranksWorstFirst(orders)) return null;
  // Of ranks 1 is the best, unless the form says otherwise. A form that was learned was read with its template's own words.
  const mayCount = form.kind === 'ranking' && !form.bestLast && !falls(form.separator);
  const order = mayCount ? rankOrder(orders, labels) : null;
  if (order === 'best-last' || (order === 'open' && !own)) return null;
  checkpoint();
  const judged = optionsOf(prompt, finding);
  if (!judged) return null;
  const passage = (at: Span): Passage => {
    const written = textAt(prompt, at);
    return { text: unescapeJson(written, finding.instructionNested ?? 0) ?? written, at };
  };
  const subject: Case = {
    layout: finding.layout,
    prompt,
    instruction: instruction && passage(instruction),
    options: judged,
    context,
    ...standardsOf(prompt, finding),
    form,
    noteAt: finding.note ?? notePlace(prompt, finding),
  };
  const scored =
    own !== null || (labels.length === 1 && !WHICH_OF_SEVERAL.test(orders) && asksForScore(source));
  return { subject, finding, orders, scored };
}

/** The form, in the words that the orders offer where these are no names: `"first", "second" or "tie"`. */
function formGuessed(source: FormSource): VerdictForm | 'mismatch' {
  const form = findForm(source);
  const isOpen = form !== 'mismatch' && form.kind === 'choice' && !form.write && form.field === null;
  const found = isOpen ? alternativesIn(source.orders, source.labels.map(labelKey)) : null;
  return found?.field === null ? { kind: 'choice', ...found } : form;
}

/** What is best `at the end` may be the answer as well as the last of an order. */
const ASKS_FOR_ORDER = /\b(?:rank|order|sort|list)/i;

function standardsOf(prompt: Prompt, { standards = [] }: Finding): Pick<Case, 'standards'> {
  const read = standards.map(({ of, at }) => ({ of, at, text: textAt(prompt, at) }));
  return read.length > 0 ? { standards: read } : {};
}

/**
 * @returns null where one is no content of the JSON string it should stand in, or where they stand within unequally
 *   many, or where what is told of one beside it names an option (`longer than Draft B`): what is exchanged as it was sent would
 *   then say something else in its new place
 */
function optionsOf(prompt: Prompt, { options }: Finding): Option[] | null {
  const levels = new Set(options.map(({ nested = 0 }) => nested));
  const read = options.flatMap(({ label, at, moves, nested = 0 }): Option[] => {
    const text = unescapeJson(textAt(prompt, at), nested);
    return text === null ? [] : [{ label, text, at, ...(nested > 0 && { nested }), ...(moves && { moves }) }];
  });
  const labels = options.map(({ label }) => label);
  const beside = options.flatMap(({ at, moves = [] }) => moves.filter((span) => !contains(at, span)));
  const namesOption = beside.some((at) => labels.some((label) => namesIt(textAt(prompt, at), label)));
  return levels.size > 1 || read.length < options.length || namesOption ? null : read;
}

/** Whether a text names an option, a bare letter only behind the options' own noun: `like Text A`, not `A. Smith` or `Vitamin A`. */
const namesIt = (text: string, label: string) => {
  const key = labelKey(label);
  return (
    text.trim() === key ||
    [label, key].some(
      (name) =>
        name.length > 1 && /\p{L}/u.test(name) && occurrences(lowerCased(text), lowerCased(name)).length > 0,
    )
  );
};

/** Whether the orders ask for one and the same label for two options: a verdict would name both. */
function namesTwoAlike(form: VerdictForm): boolean {
  if (form.kind !== 'choice' || form.write === null) return false;
  return new Set(form.write.labels).size < form.write.labels.length;
}

const isFirst = (prompt: Prompt, { part, start }: Span) =>
  prompt.parts[part]?.text.slice(0, start).trim() === '';

const textOf = (prompt: Prompt, spans: readonly Span[]) =>
  spans.map((span) => textAt(prompt, span)).join('\n');
