/**
 * A verdict for each of several claims about one answer, in a list: mastra's `{verdicts: [{verdict, reason}]}`,
 * ragas' `{statements: [{statement, reason, verdict}]}`. The list is one verdict: the client counts it as a whole.
 */
import * as z from 'zod';
import type { VerdictForm } from '../types.ts';

type List = Extract<VerdictForm, { kind: 'list' }>;

const Items = z.looseObject({ type: z.literal('array'), items: z.unknown() });
const Entry = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

const VERDICT = /^(?:verdict|result|passed|pass|is_?fulfilled|was_?appropriate|satisfied|attributed|label)$/i;
const VALUE = z.looseObject({ type: z.enum(['string', 'boolean', 'integer', 'number']) });

/**
 * @param resolve follows a `$ref` of the schema
 * @returns null where the field is no such list, or an entry has several fields that could be its verdict
 */
export function listInField(
  field: string,
  property: unknown,
  resolve: (raw: unknown) => unknown,
): List | null {
  const list = Items.safeParse(property);
  const entry = list.success ? Entry.safeParse(resolve(list.data.items)) : null;
  if (!entry?.success) return null;
  const named = Object.entries(entry.data.properties).filter(
    ([name, value]) => VERDICT.test(name) && VALUE.safeParse(value).success,
  );
  const [only] = named;
  return only && named.length === 1 ? { kind: 'list', field, item: only[0] } : null;
}
