/**
 * The form of a verdict from the orders alone, in any language: alternatives that are written out side by side
 * (`"Melhor: A", "Melhor: B" ou "Melhor: empate"`, `{"sieger": "links" | "rechts" | "beide"}`, `LEFT, RIGHT or NEITHER`),
 * of which each holds the name of one option.
 */

import { labelKey } from '../counterfactual.ts';
import type { VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { fieldFrom0 } from '../verdicts/spelling.ts';
import { alternativesIn, areOffered, inValues } from './choice-asked.ts';
import { asksForScore, findForm } from './find-form.ts';
import { fieldsBefore, quotedIn } from './quoted.ts';
import { formOfOne, wordField } from './words-asked.ts';

/** @returns null where the general readers know better, or nothing says how the verdict is to be given */
export function formByAlternatives(source: FormSource): VerdictForm | null {
  const known = findForm(source);
  if (source.labels.length < 2)
    return known === 'mismatch' || !asksForScore(source) ? formOfOne(source) : null;
  const choice = known !== 'mismatch' && known.kind === 'choice' ? known : null;
  if (known !== 'mismatch' && !choice) return null;
  // Where options have other names, the replies tell what a number means.
  const from0 = choice ? null : fieldFrom0(source.orders, source.labels.length);
  const found =
    inValues(source.schema, source.labels.map(labelKey)) ??
    alternativesIn(source.orders, source.labels.map(labelKey)) ??
    (from0?.write ? from0 : null);
  // `{"sieger": "A" oder "B" oder "gleich"}`: names that are offered in a field are said there, and so is a tie.
  const isOffered = found?.field && areOffered(source.orders, found.write?.labels ?? []);
  if (choice?.write && (choice.field !== null || !isOffered)) return null;
  // Of several criteria nothing says which is the verdict.
  const labels = found?.write?.labels ?? [];
  if (fieldsBefore(source.orders, quotedIn(source.orders), labels).length > 1) return null;
  return found && { kind: 'choice', ...found, field: found.field ?? choice?.field ?? null };
}

/** Whether the orders or the schema say plainly how the verdict is given, so that no reply is needed to believe it. */
export function saysFormPlainly(source: FormSource): boolean {
  const known = findForm(source);
  if (source.labels.length < 2)
    return known === 'mismatch' ? wordField(source.schema) !== null : asksForScore(source);
  const form = formByAlternatives(source) ?? (known === 'mismatch' ? null : known);
  return form !== null && (form.kind !== 'choice' || form.write !== null || form.field !== null);
}
