/** Recognising a judgment by the templates that are known, wherever requests are read: in the proxy, embedded, on the command line. */
import { describeError, InputError } from '../../errors.ts';
import { checkFields } from '../../strict-fields.ts';
import { type Checkpoint, unlimited } from '../checkpoint.ts';
import { imitationsIn } from '../imitation.ts';
import type { CaseRequest } from '../read.ts';
import { type Recognition, recogniseCase, withoutMedia } from '../recognise.ts';
import type { Case, Prompt } from '../types.ts';
import { type Origin, sameOptions, type TemplateBook, type Witness } from './book.ts';
import { lastTurnOf } from './last-turn.ts';
import { type Template, templateFileSchema } from './template.ts';
import { readTemplates } from './unfold.ts';

/** A request as its case is found in it. */
export interface ReadableRequest extends Omit<CaseRequest, 'checkpoint'> {
  readonly prompt: Prompt;
}

/** Where a request comes from: templates are learned for each tenant and path apart. */
export interface RequestSource {
  /** Whose request it is; null where there are no tenants. */
  readonly tenant: string | null;
  /** The path that it was sent to, without its query. */
  readonly path: string;
  /** Called between the steps of the reading; what it throws ends the reading. */
  readonly checkpoint?: Checkpoint;
}

export interface TemplateRecognition {
  readonly found: Recognition;
  /** The template that fits the request, known or still being learned. */
  readonly template: string | null;
  /** Learns from the request, in steps. */
  readonly learn: Learning;
}

/**
 * @param checkpoint called between the parts of a step; what it throws ends the learning, and nothing was learned
 * @returns id of the pipeline that the request was added to; null where nothing was learned
 */
export type Learning = (checkpoint: Checkpoint) => Generator<void, string | null>;

/**
 * Of a request that brings the judge's earlier judgments the last turn is read alone, as the requests without any are; where nothing is
 * found in it, the whole.
 *
 * @throws InputError where the declared case is malformed or does not stand in the prompt
 *
 * @example
 * const book = createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() });
 * const { found, learn } = recogniseByTemplates(book, { prompt }, { tenant: null, path: '/v1/chat/completions' });
 * finished(learn(unlimited));
 */
export function recogniseByTemplates(
  book: TemplateBook,
  request: ReadableRequest,
  source: RequestSource,
): TemplateRecognition {
  const { checkpoint = unlimited } = source;
  const turn = request.declared === undefined ? lastTurnOf(request.prompt, checkpoint) : null;
  if (!turn) return recogniseWhole(book, request, source);
  const alone = recogniseWhole(book, { ...request, prompt: turn.prompt }, source);
  const { subject, guess } = alone.found;
  if (subject && subject.options.length > 1 && !turn.wereJudged(subject))
    return { ...alone, found: { ...alone.found, subject: null, reason: 'unclear-case' } };
  if (subject && !turn.isJudgedBefore(subject))
    return {
      ...alone,
      found: { ...alone.found, subject: turn.inWhole(subject), guess: guess && turn.inWhole(guess) },
    };
  const whole = recogniseWhole(book, request, source);
  return whole.found.subject ? whole : { ...alone, found: whole.found };
}

function recogniseWhole(
  book: TemplateBook,
  { prompt, schema, declared }: ReadableRequest,
  { tenant, path, checkpoint = unlimited }: RequestSource,
): TemplateRecognition {
  const origin = originOf(schema, tenant, path);
  const read = (guess: Case | null, witness: Witness | null) =>
    book.read(origin, prompt, guess, checkpoint, witness);
  const settled = new Map<Case | null, ReturnType<typeof read>>();
  // A template that may act has its cuts where the literals are, whatever the options say.
  const isConfirmed = (guess: Case, isClients: boolean) => {
    const reading = read(guess, isClients ? 'client' : null);
    const confirms = reading.acts && reading.kind === 'case' && sameOptions(guess, reading.subject);
    // A guess that is evident is heard only where a template acts and disputes it: otherwise this reading stands.
    if (confirms || !reading.acts) settled.set(guess, reading);
    return confirms;
  };
  const skipOutline = declared === undefined && book.read(origin, prompt, null, checkpoint).acts;
  const guessed = recogniseCase(prompt, { schema, declared, checkpoint, isConfirmed, skipOutline });
  // What the client says itself needs no template, and teaches none.
  if (declared !== undefined) return { found: guessed, template: null, learn: nothing };
  const reading = settled.get(guessed.guess) ?? read(guessed.guess, witnessIn(guessed));
  return {
    found: byTemplate(guessed, reading.kind === 'case' ? reading.subject : null, reading),
    template: reading.template,
    learn: (steps) => book.learning(origin, prompt, guessed.guess, steps),
  };
}

/**
 * Reads a request once more that was left alone, by what was learned since. Where no template that may act fits it by now, that is
 * much cheaper than the first reading.
 *
 * @returns null where it still is left alone
 * @throws what the checkpoint throws
 *
 * @example recogniseAgain(book, request, source)?.found.subject
 */
export function recogniseAgain(
  book: TemplateBook,
  request: ReadableRequest,
  source: RequestSource,
): TemplateRecognition | null {
  const { prompt, schema } = request;
  const { tenant, path, checkpoint = unlimited } = source;
  const turn = lastTurnOf(prompt, checkpoint);
  const origin = originOf(schema, tenant, path);
  const isKnown = [turn?.prompt, prompt].some((one) => one && book.read(origin, one, null, checkpoint).acts);
  const anew = isKnown ? recogniseByTemplates(book, request, source) : null;
  return anew?.found.subject ? anew : null;
}

const originOf = (schema: unknown, tenant: string | null, path: string): Origin => ({
  tenant: tenant ?? '',
  path,
  schema: schema ?? null,
});

/** Of a known client its own template says whether, and what, is judged, unless it fits in several ways. */
export function witnessIn({ known, subject, guess, reason }: Recognition): Witness | null {
  if (known !== undefined && reason !== 'ambiguous') return 'client';
  return subject && guess ? 'evident' : null;
}

function* nothing(): Generator<void, null> {
  yield;
  return null;
}

function byTemplate(
  guessed: Recognition,
  subject: Case | null,
  { kind, acts }: ReturnType<TemplateBook['read']>,
): Recognition {
  if (kind === 'worse') return { ...guessed, subject: null, reason: 'worse-asked' };
  if (!acts) return guessed;
  if (subject)
    return subject === guessed.subject
      ? guessed
      : withoutMedia(subject, {
          subject,
          reason: null,
          security: imitationsIn(subject),
          guess: guessed.guess,
        });
  if (kind === 'none') return { ...guessed, subject: null, reason: guessed.reason ?? 'unclear-case' };
  const seen = 'a text of the case holds what stands between the texts of this template';
  return {
    subject: null,
    reason: 'ambiguous',
    guess: guessed.guess,
    security: [...guessed.security, { kind: 'ambiguous', option: null, seen }],
  };
}

/**
 * @param files contents of template files
 * @param field the setting that they were given in
 * @throws InputError that names the file that is no template
 */
export function readTemplateFiles(files: readonly unknown[], field: string): Template[] {
  return files.flatMap((file, n) => readTemplateFile(file, `${field}.${n}`));
}

/**
 * @param file content of a template file
 * @param place what an error calls it
 * @throws InputError that names all fields that are wrong
 */
export function readTemplateFile(file: unknown, place: string): Template[] {
  const written = checkFields(templateFileSchema, file, (what) => new InputError(place, what));
  try {
    return readTemplates(written);
  } catch (cause) {
    throw new InputError(place, describeError(cause));
  }
}
