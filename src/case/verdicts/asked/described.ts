/**
 * The values of a number as its description in a JSON schema tells them: `Rating (0, 2, or 4)`, `verdict (0/1)`,
 * `Score from 1-5`. Schemas made from classes (pydantic) seldom say it in any other way.
 */

/** What may be a list. Who wrote the description may be hostile, so the list itself is read by splitting it. */
const IN_BRACKETS = /\(([^()]{1,200})\)/g;
const BETWEEN_VALUES = /,\s{0,9}or\b|,|\/|\bor\b/;
const RANGE = /\b(?:from|between|scale of)\s{1,9}(\d{1,3})\s{0,9}(?:-|–|to|and)\s{0,9}(\d{1,3})\b/i;

export interface ToldValues {
  readonly min: number;
  readonly max: number;
  /** Where only some values between the two may be given, ascending. */
  readonly legal?: readonly number[];
}

/** @returns null where the description tells no values, or tells them in two ways */
export function valuesInWords(description: string): ToldValues | null {
  const listed = listIn(description);
  const range = RANGE.exec(description);
  if (listed && range) return null;
  if (listed) {
    const legal = [...new Set(listed)].toSorted((a, b) => a - b);
    const [min, max] = [legal[0], legal.at(-1)];
    return min === undefined || max === undefined || min === max ? null : { min, max, legal };
  }
  const [min, max] = [Number(range?.[1]), Number(range?.[2])];
  return min < max ? { min, max } : null;
}

/** The first list of two numbers or more in brackets. */
function listIn(description: string): number[] | null {
  for (const [, inner = ''] of description.matchAll(IN_BRACKETS)) {
    const values = inner.split(BETWEEN_VALUES).map((value) => value.trim());
    if (values.length > 1 && values.every((value) => /^\d{1,3}$/.test(value))) return values.map(Number);
  }
  return null;
}
