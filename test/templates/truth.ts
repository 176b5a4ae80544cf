/** What a file of the corpus knows of its requests, as the reader is asked for it. */
import type { Case, Prompt } from '../../src/case/types.ts';
import { type TemplateRequest, textParts } from './schema.ts';

export function promptOf({ body }: TemplateRequest): Prompt {
  return { parts: textParts(body).map(({ role, text }) => ({ role, text })) };
}

/** The schema of the reply as an adapter would find it. */
export function replySchemaOf({ body }: TemplateRequest): unknown {
  const at = (value: unknown, ...path: (string | number)[]): unknown =>
    path.reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    );
  return (
    at(body, 'response_format', 'json_schema', 'schema') ??
    at(body, 'text', 'format', 'schema') ??
    at(body, 'tools', 0, 'function', 'parameters') ??
    at(body, 'tools', 0, 'parameters') ??
    at(body, 'tools', 0, 'input_schema') ??
    at(body, 'generationConfig', 'responseSchema') ??
    null
  );
}

/** Whether what would be exchanged is what was put in; of a list of claims, of which nothing is, whether it is all of them. */
export function isReadRight({ options, form }: Case, { slots }: TemplateRequest): boolean {
  const [list, ...others] = options;
  const claims = slots.options.flatMap((option) => option.slots);
  const isInside = ({ part, start, end }: (typeof claims)[number]) =>
    list !== undefined && part === list.at.part && list.at.start <= start && end <= list.at.end;
  const asides = [...slots.instruction, ...slots.reference, ...slots.rubric, ...slots.context];
  const isWholeList = list !== undefined && form.kind === 'list' && others.length === 0;
  if (isWholeList && claims.every(isInside) && !asides.some(isInside)) return true;
  return (
    options.length === slots.options.length &&
    options.every(({ at, moves = [at] }, n) =>
      moves.every((span) =>
        slots.options[n]?.slots.some(
          ({ part, start, end }) => part === span.part && start === span.start && end === span.end,
        ),
      ),
    )
  );
}
