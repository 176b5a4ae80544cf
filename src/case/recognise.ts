/**
 * Recognising a judgment in a request: the case, or why there is none. A case is handed on only where it is cut in
 * the same places whatever its options say.
 */

import * as z from 'zod';
import { unlimited } from './checkpoint.ts';
import { asksForScore } from './find-form.ts';
import { formFromSchema } from './form/schema.ts';
import { imitationsIn, imitationsInPrompt, labelsSeveral } from './imitation.ts';
import { type CaseRequest, COMPARES, guessCase, openTexts, readCase } from './read.ts';
import { holdsWhenReread } from './reread.ts';
import type { Case, Prompt, SecurityEvent } from './types.ts';

export type NoCaseReason =
  /** The request does not look like a judgment. */
  | 'no-case'
  /** It looks like a judgment, and no case could be found in it. */
  | 'unclear-case'
  /** Where its options begin and end depends on what they say. */
  | 'ambiguous'
  /** A case was found, but the prompt does not show for certain where its options begin and end. */
  | 'not-evident';

export type Recognition = {
  readonly security: readonly SecurityEvent[];
  /** What was found, evident or not: a witness for learning. Null where it is ambiguous. */
  readonly guess: Case | null;
  /** Why the guess is not evident, as a clause. */
  readonly doubt?: string;
  /** The template of a known client that fits the request. */
  readonly known?: string;
} & (
  | { readonly subject: Case; readonly reason: null }
  | { readonly subject: null; readonly reason: NoCaseReason }
);

/** @throws InputError where the declared case is malformed or does not stand in the prompt; what the checkpoint throws */
export function recogniseCase(prompt: Prompt, request: CaseRequest = {}): Recognition {
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
      'a text of the case holds what stands between the texts of this template',
    );
  if (!found?.subject) {
    const texts = openTexts(prompt);
    checkpoint();
    const looks = looksLikeJudgment(texts, request.schema ?? null, found !== undefined);
    return looks
      ? { subject: null, reason: 'unclear-case', security: imitationsInPrompt(texts), guess: null, ...known }
      : { subject: null, reason: 'no-case', security: [], guess: null, ...known };
  }
  const { subject, doubt } = found;
  checkpoint();
  const security = imitationsIn(subject, checkpoint);
  checkpoint();
  // A declared case stands where the client says, whatever is in it.
  if (
    request.declared !== undefined ||
    holdsWhenReread(subject, (edited) =>
      guessCase(edited, { schema, checkpoint, ...(request.known && { known: request.known }) }),
    )
  )
    return doubt === null
      ? { subject, reason: null, security, guess: subject, ...known }
      : { subject: null, reason: 'not-evident', security, guess: subject, doubt, ...known };
  return ambiguous(security, 'with the options exchanged or marked, others would be found');
}

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
  if (COMPARES.test(orders) && (setOut || labelsSeveral(texts))) return true;
  if (LIST.every((number) => number.test(orders)) && CHOICE.test(orders)) return true;
  const source = { orders, labels: ['A', 'B'], noun: 'answer', usual: null, schema };
  const form = formFromSchema(source);
  if (form !== null && form !== 'mismatch' && COMPARES.test(orders)) return true;
  return VERDICT.test(orders) || asksForScore({ ...source, labels: ['answer'] });
}
