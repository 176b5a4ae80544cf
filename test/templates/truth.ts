/** What a file of the corpus knows of its requests, as the reader is asked for it. */
import type { Case, Prompt } from '../../src/case/types.ts';
import { type Slot, type TemplateRequest, textParts } from './schema.ts';

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
    options.every(({ at, moves = [at] }, n) => {
      const own = slots.options[n]?.slots ?? [];
      return (
        isWholeConversation(at, own, slots) ||
        moves.every((span) =>
          own.some(({ part, start, end }) => part === span.part && start === span.start && end === span.end),
        )
      );
    })
  );
}

/** Whether a place holds all turns of a conversation, the user's among them, and nothing else that was put in. */
function isWholeConversation(
  at: Case['options'][number]['at'],
  turns: readonly Slot[],
  { options, reference, rubric }: TemplateRequest['slots'],
): boolean {
  const isInside = ({ part, start, end }: Slot) => part === at.part && at.start <= start && end <= at.end;
  const others = [...options.flatMap(({ slots }) => slots), ...reference, ...rubric];
  return (
    new Set(turns.map(({ text }) => text)).size > 1 &&
    turns.every(isInside) &&
    others.every((one) => turns.includes(one) || !isInside(one))
  );
}
