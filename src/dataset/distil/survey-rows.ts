/**
 * The rows before anybody is asked or paid: each is checked, those that are nearly the same as an earlier one are
 * told apart, and base items that are one question are put together.
 */

import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import type { LabelledRow } from '../label-pairs.ts';
import { renderDetectorPrompt } from '../row-brief.ts';
import { createGroups, type Groups } from './groups.ts';
import { createSimilarityIndex, hashText, openNotes, type SimilarityIndex } from './similar.ts';

/** Disposed of when its rows are no longer asked for. */
export interface DistilSurvey extends Disposable {
  readonly rows: number;
  readonly duplicates: {
    readonly size: number;
    /** @param number the row's, from 0. @returns the id of the earlier row that it repeats, or null */
    get(number: number): string | null;
  };
  readonly groups: Groups;
  /** Characters of all prompts that are left. */
  readonly characters: number;
  /** How many rows have each label. */
  readonly labels: Readonly<Record<'Yes' | 'No', number>>;
}

/**
 * The prompt a detector is sent for a row.
 *
 * @throws InputError naming the row and its field
 */
export function renderRowPrompt(row: LabelledRow): string {
  try {
    return renderDetectorPrompt(row);
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    const words = cause.message.replace(`${cause.field}: `, '');
    throw new InputError(cause.field, `row ${row.id} of ${row.llm_judge_model}: ${words}`);
  }
}

/** Resemblance from which two cases stand on one side of the split, where the rows are kept all the same. */
const SAME_SIDE = 0.9;

/**
 * Rows of one case differ on purpose: in the judge, its decision, the label, and the twin that speaks for the other
 * side. Only among rows that agree in all of these is one that nearly repeats another a duplicate.
 *
 * @param dedupe resemblance in (0, 1] from which two cases are nearly the same; null to keep what is alike, on
 *   one side of the split
 * @throws InputError for a row that no prompt can be made of, or that stands twice with two labels
 */
export async function surveyRows(
  rows: AsyncIterable<LabelledRow>,
  dedupe: number | null,
): Promise<DistilSurvey> {
  const notes = openNotes();
  try {
    const groups = createGroups(notes);
    const repeatedBy = createSeen(
      notes,
      createSimilarityIndex(notes, dedupe ?? SAME_SIDE),
      groups,
      dedupe !== null,
    );
    notes.exec('CREATE TABLE duplicates (number INTEGER PRIMARY KEY, id TEXT NOT NULL)');
    const keep = notes.prepare('INSERT INTO duplicates (number, id) VALUES (?, ?)');
    const find = notes.prepare('SELECT id FROM duplicates WHERE number = ?');
    let [count, size, characters] = [0, 0, 0];
    const labels = { Yes: 0, No: 0 };
    for await (const row of rows) {
      const prompt = renderRowPrompt(row);
      groups.add(row.base, row.instruction);
      labels[row.bias_label]++;
      const repeated = repeatedBy(row);
      if (repeated === null) characters += prompt.length;
      else {
        keep.run(count, repeated);
        size++;
      }
      count++;
    }
    return {
      rows: count,
      groups,
      characters,
      labels,
      duplicates: { size, get: (number) => idIn(find.get(number)) },
      [Symbol.dispose]: () => notes.close(),
    };
  } catch (cause) {
    notes.close();
    throw cause;
  }
}

const named = z.object({ id: z.string() });
const labelled = z.object({ label: z.string() });

function idIn(row: unknown): string | null {
  return row === undefined ? null : named.parse(row).id;
}

/** @returns of each row the id of the earlier one it repeats, or null */
function createSeen(
  notes: DatabaseSync,
  similar: SimilarityIndex,
  groups: Groups,
  drops: boolean,
): (row: LabelledRow) => string | null {
  notes.exec(`
    CREATE TABLE labels (verdict BLOB PRIMARY KEY, label TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE bases (text INTEGER PRIMARY KEY, id TEXT NOT NULL);
    CREATE TABLE firsts (text INTEGER, kind BLOB, id TEXT NOT NULL, PRIMARY KEY (text, kind)) WITHOUT ROWID`);
  const keepLabel = notes.prepare('INSERT OR IGNORE INTO labels (verdict, label) VALUES (?, ?)');
  const labelOf = notes.prepare('SELECT label FROM labels WHERE verdict = ?');
  const keepBase = notes.prepare('INSERT OR IGNORE INTO bases (text, id) VALUES (?, ?)');
  const baseOf = notes.prepare('SELECT id FROM bases WHERE text = ?');
  const keepFirst = notes.prepare('INSERT INTO firsts (text, kind, id) VALUES (?, ?, ?)');
  const firstOf = notes.prepare('SELECT id FROM firsts WHERE text = ? AND kind = ?');
  return (row) => {
    const { bias_category, llm_judge_model, llm_judgment, bias_label, twin } = row;
    const verdict = hashText(JSON.stringify([row.id, llm_judge_model, llm_judgment]));
    keepLabel.run(verdict, bias_label);
    if (labelled.parse(labelOf.get(verdict)).label !== bias_label)
      throw new InputError('bias_label', `row ${row.id} of ${llm_judge_model} is labelled both Yes and No`);

    const { text, like } = similar.add(`${row.instruction}\n\n${row.choices}`);
    const alike = [text, ...like];
    for (const one of alike) groups.join(idIn(baseOf.get(one)) ?? row.base, row.base);
    keepBase.run(text, row.base);

    if (!drops) return null;
    const kind = hashText(JSON.stringify([bias_category, llm_judge_model, llm_judgment, bias_label, twin]));
    const repeated = alike.map((one) => idIn(firstOf.get(one, kind))).find((id) => id !== null) ?? null;
    if (repeated === null) keepFirst.run(text, kind, row.id);
    return repeated;
  };
}
