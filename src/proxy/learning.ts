/** Templates in the proxy: recognising a judgment by them, and learning from a request once its answer is on the way. */
import type { JudgeRequest } from '../../adapters/types.ts';
import type { Checkpoint } from '../case/checkpoint.ts';
import { imitationsIn } from '../case/imitation.ts';
import { type Recognition, recogniseCase } from '../case/recognise.ts';
import { createTemplateBook, type Origin, type TemplateBook } from '../case/templates/book.ts';
import type { TemplateShelf } from '../case/templates/shelf.ts';
import type { Template } from '../case/templates/template.ts';
import { parseTemplates } from '../case/templates/unfold.ts';
import type { Case } from '../case/types.ts';
import { InputError } from '../errors.ts';
import type { Config } from './config.ts';

/**
 * @param shelf where the pipelines are that are learned
 * @throws InputError where one of the operator's templates is none
 */
export function templatesFor(config: Config, id: () => string, shelf: TemplateShelf): TemplateBook {
  return createTemplateBook({ templates: operatorTemplates(config), learn: config.REMAND_LEARN, id, shelf });
}

/** @throws InputError where one of them is none */
export function operatorTemplates(config: Config): Template[] {
  return config.REMAND_TEMPLATES.flatMap((template, n) => {
    try {
      return parseTemplates(template);
    } catch (cause) {
      throw new InputError(`REMAND_TEMPLATES.${n}`, cause instanceof Error ? cause.message : String(cause));
    }
  });
}

export interface TemplateRecognition {
  readonly found: Recognition;
  /** The template that fits the request, known or still being learned. */
  readonly template: string | null;
  /** Learns from the request; call it once the answer is on its way. */
  readonly learn: () => void;
}

/**
 * @param from.tenant whose request it is; null where the proxy has no keys
 * @param from.path the path that it was sent to, without its query
 * @param from.checkpoint called between the steps of the reading; what it throws ends the reading
 * @throws InputError where the declared case is malformed or does not stand in the prompt
 */
export function recogniseBy(
  book: TemplateBook,
  { prompt, schema, declared }: JudgeRequest,
  {
    tenant,
    path,
    checkpoint,
  }: { readonly tenant: string | null; readonly path: string; readonly checkpoint: Checkpoint },
): TemplateRecognition {
  const guessed = recogniseCase(prompt, { schema, declared, checkpoint });
  // What the client says itself needs no template, and teaches none.
  if (declared !== undefined) return { found: guessed, template: null, learn: () => undefined };
  const origin: Origin = { tenant: tenant ?? '', path, schema: schema ?? null };
  const reading = book.read(origin, prompt, guessed.subject);
  return {
    found: byTemplate(guessed, reading.kind === 'case' ? reading.subject : null, reading),
    template: reading.template,
    learn: () => book.learn(origin, prompt, guessed.subject),
  };
}

function byTemplate(
  guessed: Recognition,
  subject: Case | null,
  { kind, acts }: ReturnType<TemplateBook['read']>,
): Recognition {
  if (!acts) return guessed;
  if (subject)
    return subject === guessed.subject ? guessed : { subject, reason: null, security: imitationsIn(subject) };
  if (kind === 'none')
    return { subject: null, reason: guessed.reason ?? 'unclear-case', security: guessed.security };
  const seen = 'a text of the case holds what stands between the texts of this template';
  return {
    subject: null,
    reason: 'ambiguous',
    security: [...guessed.security, { kind: 'ambiguous', option: null, seen }],
  };
}
