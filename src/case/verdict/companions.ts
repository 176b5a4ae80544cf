/**
 * What stands beside a verdict in a re-judgment and has to agree with it, for the client reads both: promptfoo a
 * pass and a score, openevals a score and the sentence that closes its reasoning; and of a list the client
 * expects an entry for every claim it asked about.
 */
import type { VerdictForm } from '../types.ts';
import { fieldIn, isBeside, type JsonObject, jsonIn } from './json.ts';
import { type ListForm, listIn } from './list.ts';
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
    const first = objectsIn(before);
    const [now, then] = [listIn(objects, form), listIn(first, form)];
    if (!('items' in now && 'items' in then)) return true;
    return now.items.length === then.items.length && namesTheSame(objects, first, form);
  }
  return !objects.some(
    (object) => saysOtherwise(object, field) || (form.kind === 'pass' && scoresOtherwise(object, field)),
  );
}

/** Whether every entry is on what the one in its place was on: the same number, the same claim, the same criterion. */
function namesTheSame(now: readonly JsonObject[], then: readonly JsonObject[], form: ListForm): boolean {
  const [entries, before] = [now, then].map((objects) => entriesOf(objects, form));
  return (before ?? []).every((entry, i) =>
    Object.entries(entry).every(
      ([name, value]) =>
        name === form.item || isBeside(name) || asSaid(entries?.[i]?.[name]) === asSaid(value),
    ),
  );
}

const entriesOf = (objects: readonly JsonObject[], { field }: ListForm): JsonObject[] =>
  objects.flatMap((object) => fieldIn(object, field)).flat() as JsonObject[];

/** A judge may copy a claim with another full stop. */
const asSaid = (value: unknown) =>
  typeof value === 'string'
    ? value
        .toLowerCase()
        .replace(/\s+/g, ' ')
        .replace(/^["'\s]+/, '')
        .replace(/(?<!["'.\s])["'.\s]+$/, '')
    : JSON.stringify(value);

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
