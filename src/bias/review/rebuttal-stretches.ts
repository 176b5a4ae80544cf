/** The texts of a submission's rebuttals, as far as there are any. */
import type { DroppedDraft } from '../draft.ts';
import type { Stretch } from './edit.ts';
import type { Submission } from './types.ts';

export function findRebuttalStretches({ rebuttals }: Submission): readonly Stretch[] | DroppedDraft {
  if (rebuttals.length === 0) return { dropped: 'there is no rebuttal' };
  const all = rebuttals.flatMap(({ text }, item) => (text.trim() === '' ? [] : [{ item, start: 0, text }]));
  return all.length > 0 ? all : { dropped: 'the rebuttal is empty' };
}
