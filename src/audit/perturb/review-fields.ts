/** A review that comes as fields, as text: headed sections, then a line for each rating. */

const PROSE = [
  'summary',
  'summary_of_the_paper',
  'main_review',
  'review',
  'strengths',
  'strength',
  'strengths_and_weaknesses',
  'weaknesses',
  'weakness',
  'questions',
  'limitations',
];
const RATINGS = ['soundness', 'presentation', 'contribution', 'rating', 'recommendation', 'confidence'];

/** @returns empty where it has none of the fields that reviews have */
export function formatReviewFields(fields: Readonly<Record<string, unknown>>): string {
  const named = (name: string): string => {
    const value = fields[name];
    const bare = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    if (Array.isArray(bare)) return bare.map((one) => `- ${one}`).join('\n');
    return typeof bare === 'string' || typeof bare === 'number' ? String(bare).trim() : '';
  };
  const title = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll('_', ' ');
  const present = (names: readonly string[]) => names.filter((name) => named(name) !== '');
  const prose = present(PROSE).map((name) => `## ${title(name)}\n${named(name)}`);
  const ratings = present(RATINGS).map((name) => `${title(name)}: ${named(name)}`);
  return [...prose, ...(ratings.length > 0 ? [ratings.join('\n')] : [])]
    .map((block) => `${block}\n`)
    .join('\n');
}
