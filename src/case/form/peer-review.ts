/**
 * The verdict of a meta-review: an overall score where one is asked for, or else the decision; by the schema, or by the
 * JSON that the prompt shows. Other fields are not read: dimensions, confidence.
 */
import * as z from 'zod';
import type { VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';

const SCORE =
  /^(?:overall|final)?_?(?:overall|score|rating|recommendation|assessment)(?:_?(?:score|rating))?$/i;
const DECISION = /^(?:final|meta)?_?(?:decision|verdict|recommendation)$/i;
/** `"overall": 1 to 10`, `"rating": <integer 1-10>`. */
const SHOWN =
  /["'](?<field>[a-z_]{3,30})["'][ \t]{0,9}:[ \t]{0,9}[<"[(]{0,2}(?:[a-z ,]{0,40}?[ (])?(?<min>\d{1,2})[ \t]{0,9}(?:to|-|–|\.\.)[ \t]{0,9}(?<max>\d{1,3})\b/gi;
/** `"decision": "reject", "poster" or "oral"`, `"decision": "accept" | "reject"`. */
const LISTED =
  /["'](?<field>[a-z_]{3,30})["'][ \t]*:[ \t]*(?<values>"[^"\n]{1,30}"(?:[ \t]*(?:,|\||\/|,? or)[ \t]*"[^"\n]{1,30}")+)/gi;

/** @returns null where neither is asked for in JSON: the general reader of forms has the word */
export function peerReviewForm({ orders, schema }: FormSource): VerdictForm | null {
  return bySchema(schema) ?? byWords(orders);
}

const property = z.looseObject({
  type: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
});
const object = z.looseObject({ properties: z.record(z.string(), property) });

function bySchema(schema: unknown): VerdictForm | null {
  const read = object.safeParse(schema);
  if (!read.success) return null;
  const fields = Object.entries(read.data.properties);
  for (const [field, { type, minimum, maximum }] of fields)
    if (SCORE.test(field) && (type === 'integer' || type === 'number'))
      return { kind: 'score', min: minimum ?? null, max: maximum ?? null, template: null, field };
  for (const [field, { enum: values }] of fields)
    if (DECISION.test(field) && values && values.length > 1 && values.every((one) => typeof one === 'string'))
      return category(field, values);
  return null;
}

function byWords(orders: string): VerdictForm | null {
  for (const { groups } of orders.matchAll(SHOWN)) {
    const { field = '', min, max } = groups ?? {};
    if (SCORE.test(field))
      return { kind: 'score', min: Number(min), max: Number(max), template: null, field };
  }
  for (const { groups } of orders.matchAll(LISTED)) {
    const { field = '', values = '' } = groups ?? {};
    if (DECISION.test(field))
      return category(
        field,
        [...values.matchAll(/"([^"]+)"/g)].map(([, one = '']) => one),
      );
  }
  return null;
}

const category = (field: string, labels: readonly string[]): VerdictForm => ({
  ...{ kind: 'category', write: { template: '{}', labels }, field },
});
