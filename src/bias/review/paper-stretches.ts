/** The stretches of a paper that a perturbation edits: section by section, those that matter for its aspect. */
import type { DroppedDraft } from '../draft.ts';
import type { Stretch } from './edit.ts';
import { findPaperSections, selectSections } from './paper-sections.ts';
import type { Submission } from './types.ts';

export function findPaperStretches(
  { paper }: Submission,
  aspect: Parameters<typeof selectSections>[1],
): readonly Stretch[] | DroppedDraft {
  if (findPaperSections(paper).length === 0) return { dropped: 'the paper has no sections' };
  const sections = selectSections(paper, aspect);
  if (sections.length === 0) return { dropped: 'no section of the paper has text enough' };
  return sections.map(({ start, end }) => ({ item: 0, start, text: paper.slice(start, end) }));
}
