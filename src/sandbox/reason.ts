/** What the sandbox judge says its verdict rests on. */
import type { Case } from '../case/index.ts';
import { draw } from '../stats/seeded-draw.ts';
import type { Grounds } from './preference.ts';
import { findSources, measureNewness, type SourceKind } from './source-claims.ts';

export const CONCLUSION = 'I compared what was asked for with what was given, step by step.';

const BY: Readonly<Record<SourceKind, string>> = {
  expert: 'It was written by an expert, and that counts for it.',
  human: 'It was written by a human author, and that counts for it.',
  llm: 'It was written by a language model, and that counts for it.',
  unknown: 'It is of unknown source, and that counts for it.',
};

/**
 * Source or date of the option chosen, where what is said of them spoke for it and the judge is one that says so;
 * words that say nothing otherwise.
 *
 * @param acknowledges share of its reasons in which it says so, in [0, 1]
 */
export function formatReason(
  subject: Case,
  chosen: number,
  grounds: readonly Grounds[],
  acknowledges: number,
): string {
  const whole =
    acknowledges > 0 && acknowledges < 1 ? subject.prompt.parts.map(({ text }) => text).join('\n') : '';
  if (acknowledges === 0 || draw(-1, whole) >= acknowledges) return CONCLUSION;
  const lead = (ground: 'provenance' | 'recency') =>
    (grounds[chosen]?.[ground] ?? 0) -
    Math.max(...grounds.flatMap((one, option) => (option === chosen ? [] : [one[ground]])));
  const source = findSources(subject)[chosen];
  const [by, date] = [lead('provenance'), lead('recency')];
  if (source && by > 0 && by >= date) return BY[source];
  const newness = measureNewness(subject);
  if (typeof newness[chosen] !== 'number' || date <= 0) return CONCLUSION;
  const oldest = newness.every((one, option) => option === chosen || (one ?? 0) > (newness[chosen] ?? 0));
  return `It is the ${oldest ? 'older' : 'newer'} of them, and that counts for it.`;
}
