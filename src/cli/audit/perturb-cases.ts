/** The cases behind the figures: what was changed, and what the judge said before and after. A line of `cases.jsonl` each. */

import type { PerturbedSubmission } from '../../audit/perturb/index.ts';
import { type JudgmentRecord, readDecision } from '../../audit/perturb/index.ts';
import type { CaseLine } from '../../report/cases.ts';

/** Characters of each text: a report shows no more. */
const MOST = 1500;

export function createPairCases(threshold: number) {
  const begun = new Map<string, PerturbedSubmission>();
  let base: JudgmentRecord | null = null;
  return {
    /** Before its judgments come. */
    begin(perturbed: PerturbedSubmission): void {
      begun.set(perturbed.submission.id, perturbed);
    },
    /** @returns null for the judgment of a submission as it is, and for a pair of which one is missing */
    lineOf(record: JudgmentRecord): CaseLine | null {
      // Judgments come in the order of the submissions: what lies before this one is done with.
      for (const id of begun.keys()) {
        if (id === record.submission) break;
        begun.delete(id);
      }
      if (record.perturbation === null) {
        base = record;
        return null;
      }
      const perturbed = begun.get(record.submission);
      if (!base || !perturbed) return null;
      return caseLine(base, record, perturbed, threshold);
    },
  };
}

function caseLine(
  base: JudgmentRecord,
  record: JudgmentRecord,
  { submission, records }: PerturbedSubmission,
  threshold: number,
): CaseLine {
  const { role, mode, judge, perturbation } = record;
  const changes = records.find((one) => one.perturbation === perturbation)?.changes ?? [];
  const cut = (text: string) => (text.length > MOST ? `${text.slice(0, MOST)} …` : text);
  const said = ({ scores, unread, error }: JudgmentRecord) =>
    scores
      ? `overall ${scores.overall}, ${readDecision(scores, threshold)}`
      : error === null
        ? `no verdict that could be read (${unread})`
        : `it failed (${error})`;
  return {
    ...{
      group: `${judge}, ${role}, ${mode}`,
      behind: perturbation ?? '',
      outcome: outcomeOf(base, record, threshold),
    },
    ...{ id: submission.id, instruction: submission.title, options: [] },
    context: changes
      .slice(0, 2)
      .map(({ before, after }) =>
        cut(
          before === ''
            ? `Added: ${after.trim()}`
            : `Before: ${before.slice(0, MOST / 3)} …\n\nAfter: ${after.slice(0, MOST / 3)} …`,
        ),
      ),
    steps: [
      { what: `As it was: ${said(base)}.`, text: base.text === null ? null : cut(base.text) },
      { what: `With the change: ${said(record)}.`, text: record.text === null ? null : cut(record.text) },
    ],
  };
}

function outcomeOf(
  { scores: before }: JudgmentRecord,
  { scores: after }: JudgmentRecord,
  threshold: number,
): string {
  if (!before || !after) return 'no verdict';
  const [was, is] = [before, after].map((one) => readDecision(one, threshold));
  if (was !== is) return `${was} → ${is}`;
  if (after.overall === before.overall) return 'stayed';
  return after.overall > before.overall ? 'score raised' : 'score lowered';
}
