/**
 * The values of a number as its description in a JSON schema tells them: `Rating (0, 2, or 4)`, `verdict (0/1)`,
 * `Score from 1-5`. Schemas made from classes (pydantic) seldom say it in any other way.
 */

const LIST = /\(\s*(\d{1,3}(?:\s*(?:,\s*(?:or\s+)?|\/|\bor\b)\s*\d{1,3})+)\s*\)/;
const RANGE = /\b(?:from|between|scale of)\s+(\d{1,3})\s*(?:-|–|to|and)\s*(\d{1,3})\b/i;

export interface ToldValues {
  readonly min: number;
  readonly max: number;
  /** Where only some values between the two may be given, ascending. */
  readonly legal?: readonly number[];
}

/** @returns null where the description tells no values, or tells them in two ways */
export function valuesInWords(description: string): ToldValues | null {
  const listed = LIST.exec(description)?.[1];
  const range = RANGE.exec(description);
  if (listed !== undefined && range) return null;
  if (listed !== undefined) {
    const legal = [...new Set(listed.match(/\d+/g)?.map(Number))].toSorted((a, b) => a - b);
    const [min, max] = [legal[0], legal.at(-1)];
    return min === undefined || max === undefined || min === max ? null : { min, max, legal };
  }
  const [min, max] = [Number(range?.[1]), Number(range?.[2])];
  return min < max ? { min, max } : null;
}
