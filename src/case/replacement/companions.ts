/**
 * What stands beside a verdict in a re-judgment and has to agree with it, for the client reads both: promptfoo a
 * pass and a score, openevals a score and the sentence that closes its reasoning; and of a list the client
 * expects an entry for every claim it asked about.
 */
import type { VerdictForm } from '../types.ts';
import { formKindOf } from '../verdicts/index.ts';
import { fieldIn, type JsonObject, jsonIn } from '../verdicts/reading/json.ts';
import { ownWords } from '../verdicts/reading/own-words.ts';

/**
 * @param text a re-judgment
 * @param before the reply whose place it is to take
 */
export function companionsAgree(text: string, before: string, form: VerdictForm): boolean {
  const { field } = form;
  if (field === null) return true;
  const objects = objectsIn(text);
  const kind = formKindOf(form);
  if (!kind.isList && objects.some((object) => saysOtherwise(object, field))) return false;
  return kind.companionsAgree?.(objects, objectsIn(before), form) ?? true;
}

function objectsIn(text: string): readonly JsonObject[] {
  const words = ownWords(text);
  return 'raw' in words ? jsonIn(words.raw).objects : [];
}

const CLOSING =
  /\bthus,? the score should be:?\s*["'`*]{0,3}([^\s"'`*]{1,40}?)["'`*]{0,3}\.?["'`*]{0,3}\s*$/i;

/** The reasoning closes with another value than the field's. */
function saysOtherwise(object: JsonObject, field: string): boolean {
  const said = CLOSING.exec(fieldIn(object, 'reasoning').map(String).join('\n').slice(-400))?.[1]?.trim();
  const [value] = fieldIn(object, field);
  if (said === undefined || value === undefined) return false;
  const numbers = [said, value].map(Number);
  const number = said !== '' && typeof value !== 'boolean' && numbers.every(Number.isFinite);
  return number ? numbers[0] !== numbers[1] : said.toLowerCase() !== String(value).trim().toLowerCase();
}
