/**
 * The rows before anybody is asked or paid: each is checked, those that are nearly the same as an earlier one are
 * told apart, and base items that are one question are put together.
 */
import { InputError } from '../../case/errors.ts';
import { renderBrief } from '../../detect/rbd/prompt.ts';
import type { LabelledRow } from '../label.ts';
import { briefOf } from '../row-brief.ts';
import { createGroups, type Groups } from './groups.ts';
import { createSimilar, type Similar } from './similar.ts';

export interface Survey {
  readonly rows: number;
  /** By the row's number, from 0: the id of the earlier row that it repeats. */
  readonly duplicates: ReadonlyMap<number, string>;
  readonly groups: Groups;
  /** Characters of all prompts that are left. */
  readonly characters: number;
}

const never = new AbortController().signal;

/**
 * The prompt a detector is sent for a row.
 *
 * @throws InputError naming the row and its field
 */
export function promptOf(row: LabelledRow): string {
  try {
    return renderBrief(briefOf(row, never));
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    const words = cause.message.replace(`${cause.field}: `, '');
    throw new InputError(cause.field, `row ${row.id} of ${row.llm_judge_model}: ${words}`);
  }
}

/**
 * Rows of one case differ on purpose: in the judge, its decision, the label, and the twin that speaks for the other
 * side. Only among rows that agree in all of these is one that nearly repeats another a duplicate.
 *
 * @param dedupe resemblance in (0, 1] from which two cases are nearly the same; null to keep what is alike
 * @throws InputError for a row that no prompt can be made of, or that stands twice with two labels
 */
export async function survey(rows: AsyncIterable<LabelledRow>, dedupe: number | null): Promise<Survey> {
  const groups = createGroups();
  const similar = createSimilar(dedupe ?? 1);
  try {
    const repeatedBy = createSeen(similar, groups, dedupe !== null);
    const duplicates = new Map<number, string>();
    let count = 0;
    let characters = 0;
    for await (const row of rows) {
      const prompt = promptOf(row);
      groups.add(row.base, row.instruction);
      const repeated = repeatedBy(row);
      if (repeated === null) characters += prompt.length;
      else duplicates.set(count, repeated);
      count++;
    }
    return { rows: count, duplicates, groups, characters };
  } finally {
    similar.close();
  }
}

/** @returns of each row the id of the earlier one it repeats, or null */
function createSeen(similar: Similar, groups: Groups, drops: boolean): (row: LabelledRow) => string | null {
  const labels = new Map<string, string>();
  const bases = new Map<number, string>();
  const kinds = new Map<string, number>();
  const ids = new Map<string, string>();
  return (row) => {
    const { bias_category, llm_judge_model, llm_judgment, bias_label, twin } = row;
    const verdict = JSON.stringify([row.id, llm_judge_model, llm_judgment]);
    if ((labels.get(verdict) ?? bias_label) !== bias_label)
      throw new InputError('bias_label', `row ${row.id} of ${llm_judge_model} is labelled both Yes and No`);
    labels.set(verdict, bias_label);

    const { text, like } = similar.add(`${row.instruction}\n\n${row.choices}`);
    const alike = [text, ...like];
    for (const one of alike) groups.join(bases.get(one) ?? row.base, row.base);
    if (!bases.has(text)) bases.set(text, row.base);

    const name = JSON.stringify([bias_category, llm_judge_model, llm_judgment, bias_label, twin]);
    const kind = kinds.get(name) ?? kinds.size;
    kinds.set(name, kind);
    const repeated = drops
      ? alike.map((one) => ids.get(`${one} ${kind}`)).find((id) => id !== undefined)
      : undefined;
    if (repeated === undefined) ids.set(`${text} ${kind}`, row.id);
    return repeated ?? null;
  };
}
