/**
 * The templates that are known: the operator's and those that were learned, and what a request is by them.
 */

import { type Checkpoint, runSteps, unlimited } from '../checkpoint.ts';
import { asksForWorse } from '../form/worse-asked.ts';
import { caseOf } from '../read.ts';
import type { Case, Prompt } from '../types.ts';
import { overridesOrders } from './alike.ts';
import { findingOf, isWrittenInto } from './finding.ts';
import {
  confirmToRead,
  extendToRead,
  joinTwo,
  learnFromSteps,
  readByTemplates,
  type TemplateReading,
} from './learner.ts';
import { matchTemplate, type TemplateMatch } from './match.ts';
import { type Origin, originKey, type Pipeline, sampleOf, weightOf, wordsOf } from './pipeline.ts';
import { type TemplateReply, withRepliesOf, withReply } from './replies/replied.ts';
import { createTemplateShelf, type TemplateShelf } from './shelf.ts';
import type { Template } from './template.ts';

export type { Origin, Pipeline } from './pipeline.ts';
export type { TemplateReply } from './replies/replied.ts';
export type { Template } from './template.ts';

/** `auto`: a template acts once it is confirmed. `suggest`: once a person has approved it. `off`: nothing is learned. */
export const LEARN_MODES = ['auto', 'suggest', 'off'] as const;
export type LearnMode = (typeof LEARN_MODES)[number];

/**
 * How a request is read. `acts` says whether a template decided that, which no guess then overrules; `ambiguous` that a
 * text of the case holds the template's literals, so that what belongs to which option is not certain; `worse` that the template
 * asks which of several is worse.
 */
export type Reading = { readonly template: string | null; readonly acts: boolean } & (
  | { readonly kind: 'case'; readonly subject: Case }
  | { readonly kind: 'ambiguous' | 'none' | 'worse' }
);

/** What reads a request without a learned template: the template of a known client, or a guess that is evident. */
export type Witness = 'client' | 'evident';

export interface TemplateBook {
  /**
   * @param guess what the general readers find in the prompt; a template that may act decides, unless it holds the guess's options as literals
   * @param checkpoint called between the templates that are tried; what it throws ends the reading
   * @param witness what could decide without a learned template: that of a known client, whether or not it finds a case, or an evident guess.
   *   A learned template that says otherwise is no sure one then
   */
  read(
    origin: Origin,
    prompt: Prompt,
    guess: Case | null,
    checkpoint?: Checkpoint,
    witness?: Witness | null,
  ): Reading;
  /** Learns from a request at one go: about 1 ms at 2 KB, some tenths of a second at 32 KiB. */
  learn(origin: Origin, prompt: Prompt, guess: Case | null): string | null;
  /**
   * Learns from a request in steps, between which others may be served.
   *
   * @param checkpoint called between the parts of a step; what it throws ends the learning, and nothing was learned
   * @returns id of the pipeline that it belongs to; null where nothing was learned
   */
  learning(
    origin: Origin,
    prompt: Prompt,
    guess: Case | null,
    checkpoint: Checkpoint,
  ): Generator<void, string | null>;
  /** Tells what was replied to a request of this pipeline, and whether a verdict was read from it. */
  replied(pipeline: string, reply: TemplateReply): void;
  pipelines(): readonly Pipeline[];
  /** Puts a pipeline in, new or as it was changed by a person. */
  put(pipeline: Pipeline): void;
}

export interface TemplateBookOptions {
  /** Templates of the operator; they act at once. */
  readonly templates: readonly Template[];
  readonly learn: LearnMode;
  readonly id: () => string;
  /** Where the pipelines are; one of its own where none is given. */
  readonly shelf?: TemplateShelf;
}

/** Whether judgments are read by the pipeline's template. */
export function mayAct({ state }: Pipeline, learn: LearnMode): boolean {
  return learn !== 'off' && (state === 'approved' || (state === 'confirmed' && learn === 'auto'));
}

/** @example createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() }) */
export function createTemplateBook({
  templates,
  learn,
  id,
  shelf = createTemplateShelf(),
}: TemplateBookOptions): TemplateBook {
  /** Of several that fit a request the one that says most decides, as of those that were learned. */
  const declared = templates.toSorted((a, b) => weightOf(b) - weightOf(a));

  function byOperator(
    prompt: Prompt,
    schema: unknown,
    guess: Case | null,
    checkpoint: Checkpoint,
  ): Reading | null {
    for (const template of declared) {
      checkpoint();
      const match = matchTemplate(template, prompt);
      if (!match) continue;
      const finding = match.kind === 'slots' ? findingOf(template, match) : null;
      const subject = finding && caseOf(prompt, finding, schema, checkpoint);
      if (subject && wantsWorse(template, subject))
        return { kind: 'worse', template: template.name, acts: true };
      return toDecision(template.name, match, subject, template.verdict ? null : guess);
    }
    return null;
  }

  function byLearned(
    origin: Origin,
    prompt: Prompt,
    guess: Case | null,
    checkpoint: Checkpoint,
  ): TemplateReading | null {
    if (learn === 'off') return null;
    const pipelines = shelf.of(originKey(origin, prompt));
    const known = readByTemplates(pipelines, prompt, origin.schema, checkpoint);
    if (learn === 'suggest') return known;
    if (known) {
      const isOpen = known.subject !== null && known.pipeline.state === 'learning';
      const confirmed = isOpen && confirmToRead(known.pipeline, sampleOf(prompt, guess), checkpoint);
      return confirmed ? { ...known, pipeline: confirmed } : known;
    }
    const extended = extendToRead(pipelines, sampleOf(prompt, guess), checkpoint);
    return extended && readByTemplates([extended], prompt, origin.schema, checkpoint);
  }

  function* learning(
    origin: Origin,
    prompt: Prompt,
    guess: Case | null,
    checkpoint: Checkpoint,
  ): Generator<void, string | null> {
    if (learn === 'off') return null;
    const known = shelf.of(originKey(origin, prompt));
    const learned = yield* learnFromSteps(known, { origin, sample: sampleOf(prompt, guess), id, checkpoint });
    if (!learned) return null;
    const { pipeline, left = [] } = learned;
    const before = known.find((one) => one.id === pipeline.id);
    const [gone, kept] = [true, false].map((isGone) =>
      left.filter((one) => (one.samples.length === 0) === isGone && known.includes(shelf.get(one.id) ?? one)),
    );
    for (const one of kept ?? []) shelf.update(one);
    for (const one of gone ?? []) shelf.remove(one.id);
    if (!before) {
      shelf.put(pipeline);
      return pipeline.id;
    }
    // Between two steps a person may have decided, replies may have come, and others may have pushed it out.
    const now = shelf.get(pipeline.id);
    if (!now || now.decided !== before.decided) return now?.id ?? null;
    const heard = (gone ?? []).flatMap(({ answers = [] }) => answers);
    const answered = withRepliesOf({ ...now, answers: [...heard, ...(now.answers ?? [])] }, pipeline);
    shelf.put(answered);
    const joined = joinTwo(shelf.of(originKey(origin, prompt)), answered, checkpoint);
    if (!joined) return answered.id;
    shelf.remove(joined.part.id);
    shelf.put(joined.whole);
    return joined.whole.id;
  }

  return {
    read(origin, prompt, guess, checkpoint = unlimited, witness = null) {
      const own = byOperator(prompt, origin.schema, guess, checkpoint);
      if (own) return own;
      const known = byLearned(origin, prompt, guess, checkpoint);
      const template = known?.pipeline.id ?? null;
      if (known && mayAct(known.pipeline, learn) && !(guess && witness && isBesideThePoint(known, guess))) {
        const disputed =
          witness && known.subject && !(guess && (sameWords(guess, known.subject) || isForged(known, guess)));
        if (disputed && known.pipeline.state !== 'approved')
          // A client's own template knows where it takes in no more; of two guesses one is wrong, and mostly nothing says which.
          return guess && witness === 'client' && holdsOneText(prompt, guess, known)
            ? { kind: 'case', subject: guess, template, acts: false }
            : { kind: 'none', template, acts: true };
        if (known.subject && wantsWorse(known.pipeline.template, known.subject))
          return { kind: 'worse', template, acts: true };
        // A client's own template knows which value is the good one. What a person decided holds.
        const { template: learned, state } = known.pipeline;
        const isPass = guess?.form.kind === 'pass' && known.subject?.form.kind === 'pass';
        const tells = learned?.verdict && !(isPass && witness === 'client' && state !== 'approved');
        return toDecision(known.pipeline.id, known.match, known.subject, tells ? null : guess, witness);
      }
      if (known?.pipeline.template && overridesOrders(known.pipeline.template))
        return guess
          ? { kind: 'case', subject: guess, template, acts: false }
          : { kind: 'ambiguous', template, acts: true };
      if (guess && known && isForged(known, guess)) return { kind: 'ambiguous', template, acts: true };
      return guess && !(known && cutsAcross(guess, known))
        ? { kind: 'case', subject: guess, template, acts: false }
        : { kind: 'none', template, acts: false };
    },
    learn: (origin, prompt, guess) => runSteps(learning(origin, prompt, guess, unlimited)),
    learning,
    replied(id, reply) {
      const pipeline = learn === 'off' ? undefined : shelf.get(id);
      if (pipeline) shelf.update(withReply(pipeline, reply));
    },
    pipelines: shelf.all,
    put: shelf.put,
  };
}

/** Whether a template has its judge say which of several is worse. */
const wantsWorse = (template: Template | null, { form }: Case): boolean =>
  template !== null && asksForWorse(wordsOf(template), form);

/**
 * Whether a template knows less than the guess: where all requests so far judged the same answers, those are part of its
 * literals, and what varies is something else.
 */
function isBesideThePoint({ match, subject }: TemplateReading, { options }: Case): boolean {
  if (match.kind !== 'slots' || (subject && subject.options.length > 1)) return false;
  const inLiterals = options.filter(({ at: option }) =>
    match.slots.every(
      ({ part, at }) => !at || part !== option.part || at.end <= option.start || option.end <= at.start,
    ),
  );
  return inLiterals.length > 0;
}

/**
 * Whether what the guess takes to be judged was written into one varying text of the pipeline, of which no request was read in that
 * way before.
 */
function isForged({ pipeline, match }: TemplateReading, { prompt, options, layout }: Case): boolean {
  if (pipeline.samples.length < 2 || pipeline.samples.some(({ guess }) => guess?.layout === layout))
    return false;
  return match.slots.some(
    ({ part, at }) => at && isWrittenInto(options, { ...at, part }, prompt.parts[part]?.text ?? ''),
  );
}

/**
 * Whether each of the guess's options holds nothing that varies but what is judged by the template, too, or the turns of
 * a conversation, between which the same words come again, or parts of one line that the answers so far had in common.
 */
function holdsOneText({ parts }: Prompt, { options }: Case, { match }: TemplateReading): boolean {
  return options.every(({ at }) => {
    const text = parts[at.part]?.text ?? '';
    const inside = match.slots.flatMap(({ role, part, at: slot }) =>
      part === at.part && (!slot || (at.start < slot.end && slot.start < at.end)) ? [{ role, slot }] : [],
    );
    const gaps = inside.slice(1).map(({ slot }, n) => text.slice(inside[n]?.slot?.end, slot?.start));
    const isCertain = inside.every(({ slot }) => slot !== null);
    const isConversation = isCertain && new Set(gaps).size < gaps.length;
    const ends = [text.slice(at.start, inside[0]?.slot?.start), text.slice(inside.at(-1)?.slot?.end, at.end)];
    const isLine = isCertain && ![...gaps, ...ends].some((literal) => literal.includes('\n'));
    return isConversation || isLine || inside.every(({ role }) => role === 'option');
  });
}

/**
 * Whether the guess takes an option to begin or end where no slot of the template does. Then one of the two is wrong, and
 * nothing says which.
 */
function cutsAcross({ options }: Case, { match }: TemplateReading): boolean {
  return options.some(({ at, moves = [at] }) =>
    moves.some((piece) =>
      match.slots.some(
        ({ part, at: slot }) =>
          slot !== null &&
          part === piece.part &&
          slot.start < piece.end &&
          piece.start < slot.end &&
          (slot.start !== piece.start || slot.end !== piece.end),
      ),
    ),
  );
}

/**
 * What a request is by a template that may act.
 *
 * @param guess null where the template itself tells the verdict's form, of which a guess knows nothing
 * @param witness `client` where the guess is by the template of a known client, and this one was learned
 */
function toDecision(
  template: string,
  { kind }: TemplateMatch,
  subject: Case | null,
  guess: Case | null,
  witness: Witness | null = null,
): Reading {
  if (kind === 'ambiguous') return { kind, template, acts: true };
  if (!subject) return { kind: 'none', template, acts: true };
  const decided = (best: Case): Reading => ({ kind: 'case', subject: best, template, acts: true });
  if (!guess || !sameWords(guess, subject)) return decided(subject);
  if (!sameOptions(guess, subject)) {
    // White space at an edge is the template's, and an option keeps its name from one request to the next.
    const options = subject.options.map((option, n) => ({
      ...option,
      label: guess.options[n]?.label ?? option.label,
    }));
    return decided({ ...subject, options, form: formKnown(guess, subject) });
  }
  if (witness === 'client') return decided(guess);
  // The general readers know more of how the verdict is asked for; where the other texts stand the template knows.
  const { options, noteAt } = guess;
  return decided({ ...subject, options, form: formKnown(guess, subject), noteAt });
}

/** The guess's form, unless the template alone knows which field holds the verdict. */
const formKnown = ({ form }: Case, { form: own }: Case) =>
  form.kind === 'choice' && form.field === null && own.kind === 'choice' && own.field !== null ? own : form;

/** Whether the options of two readings differ in white space at their edges at most. */
const sameWords = (a: Case, b: Case) =>
  a.options.length === b.options.length &&
  a.options.every(({ text }, n) => text.trim() === b.options[n]?.text.trim());

/** Whether the options of two readings stand in the same places. */
export const sameOptions = (a: Case, b: Case) =>
  a.options.length === b.options.length &&
  a.options.every(({ at, nested = 0 }, n) => {
    const other = b.options[n];
    return (
      other?.at.part === at.part &&
      other.at.start === at.start &&
      other.at.end === at.end &&
      (other.nested ?? 0) === nested
    );
  });
