/**
 * Recognising a judgment in a request: the case, or why there is none. A case is handed on only where it is cut in
 * the same places whatever its options say.
 */
import * as z from 'zod';
import { unlimited } from './checkpoint.ts';
import {
  applyEdits,
  areInterleaved,
  asGiven,
  type Counterfactual,
  editsFor,
  reversed,
} from './counterfactual.ts';
import { asksForScore } from './form/find-form.ts';
import { formFromSchema } from './form/schema.ts';
import { asksForWorse } from './form/worse-asked.ts';
import { imitationsIn, imitationsInPrompt, labelsSeveral } from './imitation.ts';
import { textAt } from './layouts/lines.ts';
import { hasMediaBetween } from './media.ts';
import { type CaseRequest, COMPARES, guessCase, openTexts, readCase } from './read.ts';
import type { Case, Option, Prompt, SecurityEvent } from './types.ts';

export type NoCaseReason =
  /** The request does not look like a judgment. */
  | 'no-case'
  /** It looks like a judgment, and no case could be found in it. */
  | 'unclear-case'
  /** Which one is worse is asked, and verdicts are for the better one. */
  | 'worse-asked'
  /** Where its options begin and end depends on what they say. */
  | 'ambiguous'
  /** A case was found, but the prompt does not show for certain where its options begin and end. */
  | 'not-evident'
  /** A case was found, and a picture, a sound or a file stands between its options. */
  | 'media-between';

export type Recognition = {
  readonly security: readonly SecurityEvent[];
  /**
   * What was found, evident or not: a witness for learning. Null where it is ambiguous, and where the words around its texts say
   * what they are: learning weighs these itself.
   */
  readonly guess: Case | null;
  /** Why the guess is not evident, as a clause. */
  readonly doubt?: string;
  /** The template of a known client that fits the request. */
  readonly known?: string;
} & (
  | { readonly subject: Case; readonly reason: null }
  | { readonly subject: null; readonly reason: NoCaseReason }
);

export interface RecogniseRequest extends CaseRequest {
  /**
   * Whether the case is known to be cut in the same places whatever its options say: then it is not read again with others.
   * `isClients` says that the template of a known client found it.
   */
  readonly isConfirmed?: (guess: Case, isClients: boolean) => boolean;
}

/** @throws InputError where the declared case is malformed or does not stand in the prompt; what the checkpoint throws */
export function recogniseCase(prompt: Prompt, request: RecogniseRequest = {}): Recognition {
  const { schema, checkpoint = unlimited } = request;
  checkpoint();
  const found = readCase(prompt, request);
  const known = found?.known ? { known: found.known } : {};
  const ambiguous = (security: readonly SecurityEvent[], seen: string): Recognition => ({
    subject: null,
    reason: 'ambiguous',
    guess: null,
    ...known,
    security: [...security, { kind: 'ambiguous', option: null, seen }],
  });
  if (found?.isAmbiguous)
    return ambiguous(
      imitationsInPrompt(openTexts(prompt)),
      request.declared === undefined
        ? 'a text of the case holds what stands between the texts of this template'
        : 'a declared option stands in several places, and no label in front of it tells which is meant',
    );
  if (!found?.subject) {
    const texts = openTexts(prompt);
    checkpoint();
    const looks = looksLikeJudgment(texts, request.schema ?? null, found !== undefined);
    if (!looks) return { subject: null, reason: 'no-case', security: [], guess: null, ...known };
    const reason = asksForWorse(texts.join('\n')) ? 'worse-asked' : 'unclear-case';
    return { subject: null, reason, security: imitationsInPrompt(texts), guess: null, ...known };
  }
  const { subject, doubt } = found;
  checkpoint();
  const security = imitationsIn(subject, checkpoint);
  checkpoint();
  // A declared case stands where the client says, whatever is in it.
  if (
    request.declared !== undefined ||
    found.isEnclosed ||
    request.isConfirmed?.(subject, found.known !== null) ||
    holdsWhenReread(subject, (edited) =>
      guessCase(edited, { schema, checkpoint, ...(request.known && { known: request.known }) }),
    )
  )
    return withoutMedia(
      subject,
      doubt === null
        ? { subject, reason: null, security, guess: found.isEnclosed ? null : subject, ...known }
        : { subject: null, reason: 'not-evident', security, guess: subject, doubt, ...known },
    );
  return ambiguous(security, 'with the options exchanged or marked, others would be found');
}

/** What was found of a case, unless media stand between its options: no other order of it can be shown. */
export const withoutMedia = (subject: Case, found: Recognition): Recognition =>
  hasMediaBetween(subject) ? { ...found, subject: null, reason: 'media-between' } : found;

const textLists = z.object({
  properties: z
    .record(
      z.string(),
      z.object({ type: z.literal('array'), items: z.object({ type: z.literal('string') }) }),
    )
    .refine((properties) => Object.keys(properties).length > 0),
});

/** Whether nothing but lists of texts is asked for: claims are taken out of an answer, and no verdict is given. */
const holdsTextsOnly = (schema: unknown): boolean => textLists.safeParse(schema).success;

/** Two numbers of a list, each at the start of a line. */
const LIST = [/^1[.)] /m, /^2[.)] /m];

/** Orders to choose one of several things. */
const CHOICE =
  /\b(?:choice|option|answer|statement|candidate|response|output)s?\s{0,9}(?:\(?(?:N|X|\d)\)?\b|number\b|#|\{|<)|\b(?:number|index) of (?:the|your)\b|\bwhich number\b|\bonly (?:the|its) (?:number|index)\b|\b(?:which|choose|select|pick|decide|judge|evaluate)\b[^\n]{0,60}\b(?:choices?|options?|answers?|statements?|candidates?|responses?)\b/i;

/** How judges are told to write a verdict: `[[A]]`, `[[rating]]`. */
const VERDICT = /\[\[(?:[A-Za-z]|\d{1,2}|rating|score|[A-Z][<>=]{1,2}[A-Z])\]\]/;

/**
 * Something set out like a case or labels of several options, each with a word of comparing; choices in a list; or a
 * verdict's form: in the schema, in double brackets, or as a score. Ordinary requests have some of it now and then, so only an operator who wants no unexamined verdict to go
 * out (`REMAND_FAIL=closed`) has them refused.
 */
function looksLikeJudgment(texts: readonly string[], schema: unknown, setOut: boolean): boolean {
  if (holdsTextsOnly(schema)) return false;
  const orders = texts.join('\n');
  const compares = COMPARES.test(orders) || asksForWorse(orders);
  if (compares && (setOut || labelsSeveral(texts))) return true;
  if (LIST.every((number) => number.test(orders)) && CHOICE.test(orders)) return true;
  const source = { orders, labels: ['A', 'B'], noun: 'answer', usual: null, schema };
  const form = formFromSchema(source);
  if (form !== null && form !== 'mismatch' && COMPARES.test(orders)) return true;
  return VERDICT.test(orders) || asksForScore({ ...source, labels: ['answer'] });
}

/*
 * Whether a reading of a request rests on what its options say. A template is cut in the same places whatever
 * stands in it, so the case is read again with other texts in the options: exchanged, and with marks. Where the cuts
 * are then others, a text had a part in them: one that ends in the label of its neighbour, say.
 */

/**
 * @param read reads a prompt the way the case was found
 * @returns whether every other reading has the same cuts
 */
function holdsWhenReread(subject: Case, read: (prompt: Prompt) => Case | null): boolean {
  return variantsOf(subject).every((variant) => {
    const edited = applyEdits(subject.prompt, editsFor(subject, variant));
    const again = read(edited);
    return again !== null && sameCuts(subject, variant, again);
  });
}

/** A word that no template has, and that no reader takes for anything but text. */
const markOf = (option: number) => `remand${String.fromCharCode(97 + (option % 26))}${option}`;

/**
 * The strings of a JSON document; `end` is there for those that are no name of a field. Written so that what is neither
 * quote nor backslash is one step: one step a character overflows the stack in a text of 10 MB. A string that nothing
 * closes ends the search: that keeps it linear.
 */
const STRINGS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"(?<end>\s*[,\]}])?)?/g;

/** An option that is a JSON document stays one: its strings become marks. So do the turns of a conversation. */
function putMarks({ text, at, nested, moves = [] }: Option, option: number): string {
  const mark = markOf(option);
  const turns = moves.filter(
    ({ part, start, end }) => part === at.part && start >= at.start && end <= at.end,
  );
  if (!nested && turns.length > 1)
    return turns
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (marked, { start, end }) => marked.slice(0, start - at.start) + mark + marked.slice(end - at.start),
        text,
      );
  if (!/^\s*[[{]/.test(text)) return mark;
  const remarked = text.replace(STRINGS, (found, end?: string) =>
    end === undefined ? found : `"${mark}"${end}`,
  );
  return remarked === text ? mark : remarked.trim();
}

function variantsOf(subject: Case): Counterfactual[] {
  const withMarks = {
    ...asGiven(subject),
    options: new Map(subject.options.map((one, i) => [i, putMarks(one, i)])),
  };
  const marks = areInterleaved(subject.options) ? [] : [withMarks];
  return subject.options.length > 1 ? [reversed(subject), ...marks] : marks;
}

function sameCuts(subject: Case, { order, options }: Counterfactual, again: Case): boolean {
  if (again.layout !== subject.layout || again.options.length !== subject.options.length) return false;
  if (again.form.kind !== subject.form.kind || again.context.length !== subject.context.length) return false;
  return again.options.every((option, slot) => {
    const [here, there] = [subject.options[slot], subject.options[order[slot] ?? slot]];
    if (!here || !there || option.label !== here.label) return false;
    const wording = options.get(order[slot] ?? slot);
    return wording === undefined
      ? sameTexts(movedOf(again, option), movedOf(subject, there))
      : option.text.trim() === wording;
  });
}

const sameTexts = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, i) => text === b[i]);

/** What is exchanged of an option, as it was sent. */
const movedOf = ({ prompt }: Case, { at, moves = [at] }: Option): string[] =>
  moves.map((span) => textAt(prompt, span));
