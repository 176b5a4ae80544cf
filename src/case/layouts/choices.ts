/** Whether a numbered list is one of choices: lists are everywhere, choices only where one is to be chosen. */
import { formFromSchema } from '../form/schema.ts';
import type { Case } from '../types.ts';

/** Orders to choose one of several things. */
export const CHOICE =
  /\b(?:choice|option|answer|statement|candidate|response|output)s?\s{0,9}(?:\(?(?:N|X|\d)\)?\b|number\b|#|\{|<)|\b(?:number|index) of (?:the|your)\b|\bwhich number\b|\bonly (?:the|its) (?:number|index)\b|\b(?:which|choose|select|pick|decide|judge|evaluate)\b[^\n]{0,60}\b(?:choices?|options?|answers?|statements?|candidates?|responses?)\b/i;
const ASKS =
  /^(?:which|what|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|select|choose|pick|complete|identify)\b/i;
const ORDERS =
  /\b(?:please|(?:can|could|would|will) you|write|implement|translate|create|generate|fix|explain|summari[sz]e|refactor|draft|list|describe|plan|help|you are|should i|do i|can i)\b/i;

/** @param orders the judge's orders, less what stands in front of the list without a label */
export function asksToChoose(subject: Case, orders: string, schema: unknown): boolean {
  const labels = subject.options.map(({ label }) => label);
  if (CHOICE.test(orders)) return true;
  const form = formFromSchema({ schema, labels, orders });
  if (form !== null && form !== 'mismatch') return true;
  // Without orders: a question, and under it nothing but its choices.
  const question = subject.instruction?.text ?? '';
  return orders.trim() === '' && (ASKS.test(question) || question.endsWith('?')) && !ORDERS.test(question);
}
