/**
 * What stands beside a verdict in a re-judgment and has to agree with it, for the client reads both: promptfoo a
 * pass and a score, openevals a score and the sentence that closes its reasoning; and of a list the client
 * expects an entry for every claim it asked about.
 */
import type { VerdictForm } from '../types.ts';
import { fieldIn, type JsonObject, jsonIn } from './json.ts';
import { listIn } from './list.ts';
import { ownWords } from './own-words.ts';
import { passOf } from './pass.ts';

/**
 * @param text a re-judgment
 * @param before the reply whose place it is to take
 */
export function companionsAgree(text: string, before: string, form: VerdictForm): boolean {
  const { field } = form;
  if (field === null) return true;
  const objects = objectsIn(text);
  if (form.kind === 'list') {
    const [now, then] = [listIn(objects, form), listIn(objectsIn(before), form)];
    return !('items' in now && 'items' in then) || now.items.length === then.items.length;
  }
  return !objects.some(
    (object) => saysOtherwise(object, field) || (form.kind === 'pass' && scoresOtherwise(object, field)),
  );
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

/** A pass with nothing of the score, or a fail with all of it, where the score is a companion and not the verdict. */
function scoresOtherwise(object: JsonObject, field: string): boolean {
  if (field.toLowerCase() === 'score') return false;
  const pass = passOf(fieldIn(object, field)[0]);
  const [score] = fieldIn(object, 'score');
  return pass !== null && typeof score === 'number' && (pass ? score <= 0 : score >= 1);
}
