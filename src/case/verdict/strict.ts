/**
 * Forms of which only the label is read, never the words around it: those of known clients (`rule`), labels
 * with a strength, categories, and a score for every option. Prose in these forms is no verdict to its client.
 */
import type { VerdictForm } from '../types.ts';
import type { Choice } from './choice.ts';
import { type Grade, gradeIn, keysOf } from './graded.ts';
import type { FoundJson } from './json.ts';
import { fieldIn } from './json.ts';
import { type List, listIn } from './list.ts';
import type { Pass } from './pass.ts';
import { type Ranking, rankingInField, rankingInText } from './ranking.ts';
import { ruledLabel } from './ruled.ts';
import { type Scores, scoresInFields, scoresInText } from './scores.ts';

export type Strict =
  | Exclude<Choice, number>
  | number
  | Exclude<Grade, 'tie'>
  | Pass
  | Scores
  | Ranking
  | List
  | { readonly category: string };

/** A reply in the two states in which it is read: as the client gets it, and without the judge's thinking. */
export interface Reply {
  readonly text: string;
  readonly raw: string;
  readonly said: string;
  readonly json: FoundJson;
}

/** @returns null where the form is read in words, too */
export function readStrictly(reply: Reply, form: VerdictForm): Strict | null {
  if (form.kind === 'scores') return scoresOf(reply, form);
  if (form.kind === 'ranking') return rankingOf(reply, form);
  if (form.kind === 'list') return listIn(reply.json.objects, form);
  const write = form.kind === 'score' ? null : form.write;
  const { field } = form;
  if (form.kind === 'category')
    return field === null ? categoryInText(reply, form) : categoryInField(reply, field, form);
  if (!write) return null;
  if (keysOf(write)) return inBoth(reply, (text) => gradeIn(text, write));
  const { rule } = write;
  if (rule === undefined) return null;
  if (field !== null) {
    const values = reply.json.objects.flatMap((object) => fieldIn(object, field));
    const decisions = values.map((value) => write.labels.indexOf(String(value).trim()));
    const [first] = decisions;
    if (first === undefined || first < 0) return { none: 'no-label' };
    return decisions.every((one) => one === first) ? decided(first, form) : { none: 'contradictory' };
  }
  const tie = form.kind === 'choice' ? form.tie : null;
  const read = inBoth(reply, (text) => ruledLabel(text, { ...write, rule }, tie));
  return typeof read === 'number' ? decided(read, form) : read;
}

const decided = (label: number, { kind }: VerdictForm) => (kind === 'pass' ? { pass: label === 0 } : label);

/**
 * The client's parser sees the thinking, too, where a judge puts it into its reply: what it would take there
 * must be what the judge said in the end.
 */
function inBoth<T extends object | string | number>(
  { text, raw }: Reply,
  read: (text: string) => T,
): T | { none: 'contradictory' } {
  const [whole, own] = [read(text), read(raw)];
  return JSON.stringify(whole) === JSON.stringify(own) ? own : { none: 'contradictory' };
}

function scoresOf(reply: Reply, form: Extract<VerdictForm, { kind: 'scores' }>): Scores {
  const { fields } = form;
  if (fields === null) {
    // A line for each option is read by no known client: markup does not matter there.
    const named = form.template !== null && /\p{L}/u.test(form.template);
    return named ? scoresInText(reply.said, form) : inBoth(reply, (text) => scoresInText(text, form));
  }
  const [object, ...more] = reply.json.objects;
  if (!object) return { none: 'no-label' };
  if (more.length > 0) return { none: 'contradictory' };
  return scoresInFields(
    fields.map((field) => fieldIn(object, field)[0]),
    form,
  );
}

function rankingOf(reply: Reply, form: Extract<VerdictForm, { kind: 'ranking' }>): Ranking {
  const { field } = form;
  if (field === null) return inBoth(reply, (text) => rankingInText(text, form));
  return rankingInField(
    reply.json.objects.flatMap((object) => fieldIn(object, field)),
    form,
  );
}

type CategoryForm = Extract<VerdictForm, { kind: 'category' }>;

function categoryInField({ json }: Reply, field: string, { write }: CategoryForm): Strict {
  const values = new Set(json.objects.flatMap((object) => fieldIn(object, field)).map(String));
  const [only = ''] = values;
  if (values.size > 1) return { none: 'contradictory' };
  return write.labels.includes(only) ? { category: only } : { none: 'no-label' };
}

/** A letter is a category only where it stands alone: on the first line or on the last. */
function categoryInText(reply: Reply, { write }: CategoryForm): Strict {
  const { rule } = write;
  if (rule !== undefined) {
    const read = inBoth(reply, (text) => ruledLabel(text, { ...write, rule }, null));
    if (typeof read === 'object') return read;
    return { category: write.labels[Number(read)] ?? '' };
  }
  const lines = reply.said.split('\n').filter((line) => line.trim() !== '');
  const found = new Set(
    [lines[0], lines.at(-1)].flatMap((line = '') => {
      const letter = /^\s*["'([]{0,2}([\p{L}\p{N}]+)["')\]]{0,2}\.?\s*$/u.exec(line)?.[1] ?? '';
      return write.labels.includes(letter) ? [letter] : [];
    }),
  );
  const [only] = found;
  if (found.size > 1) return { none: 'contradictory' };
  return only === undefined ? { none: 'no-label' } : { category: only };
}
