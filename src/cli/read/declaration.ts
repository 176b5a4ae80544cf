/** The `remand.case` that a client would send so that its request is read as it is read here. */

import { type Case, recogniseCase, type Span } from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import type { RequestReading } from './readings.ts';

/** `remand.case`; as `src/case/layouts/declared.ts` reads it. */
interface CaseDeclaration {
  readonly instruction?: string;
  readonly options: readonly { readonly label: string; readonly text: string }[];
  readonly context?: readonly string[];
}

/** A declaration may hold so many texts of context. */
const MOST_CONTEXT = 100;

/** @returns the declaration, or why there is none by which the same texts would be found */
export function createDeclaration({ subject, given, advice }: RequestReading): CaseDeclaration | string {
  if (!subject) return advice ?? 'it is left alone';
  const { instruction, options, context } = subject;
  if (options.some(({ moves }) => moves !== undefined))
    return 'an option stands in several places, which a declaration cannot say';
  const contexts = context.map(({ text }) => text).filter((text) => text !== '');
  const declared: CaseDeclaration = {
    ...(instruction && instruction.text !== '' && { instruction: instruction.text }),
    options: options.map(({ label, text }) => ({ label, text })),
    ...(contexts.length > 0 && { context: contexts.slice(0, MOST_CONTEXT) }),
  };
  const { prompt, schema } = given.request;
  try {
    const found = recogniseCase(prompt, { schema, declared }).subject;
    if (found && samePlaces(found, subject)) return declared;
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    return cause.message;
  }
  return 'its texts stand in the prompt more than once, and a declaration would find others';
}

const samePlaces = (a: Case, b: Case) =>
  a.options.every(({ at }, n) => isSame(at, b.options[n]?.at)) &&
  isSame(a.instruction?.at, b.instruction?.at);

const isSame = (a: Span | undefined, b: Span | undefined) =>
  a?.part === b?.part && a?.start === b?.start && a?.end === b?.end;
