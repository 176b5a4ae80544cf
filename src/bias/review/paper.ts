/** The stretches of a paper that a perturbation edits: section by section, those that matter for its aspect. */
import type { Dropped } from '../draft.ts';
import type { Stretch } from './edit.ts';
import { sectionsFor, sectionsOf } from './sections.ts';
import type { Submission } from './types.ts';

export function paperStretches(
  { paper }: Submission,
  aspect: Parameters<typeof sectionsFor>[1],
): readonly Stretch[] | Dropped {
  if (sectionsOf(paper).length === 0) return { dropped: 'the paper has no sections' };
  const sections = sectionsFor(paper, aspect);
  if (sections.length === 0) return { dropped: 'no section of the paper has text enough' };
  return sections.map(({ start, end }) => ({ item: 0, start, text: paper.slice(start, end) }));
}
