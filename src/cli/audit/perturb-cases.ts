/** The cases behind the figures: what was changed, and what the judge said before and after. A line of `cases.jsonl` each. */

import {
  type JudgmentRecord,
  type PerturbRecord,
  readDecision,
  type SubmissionRecord,
} from '../../audit/node.ts';
import type { CaseLine } from '../../report/index.ts';

/** Characters of each text: a report shows no more. */
const MOST = 1500;

export function createPairCases(threshold: number) {
  let submission: SubmissionRecord | null = null;
  let base: JudgmentRecord | null = null;
  return {
    /** @returns null for what is no pair: a submission, and its judgment as it is */
    lineOf(record: PerturbRecord): CaseLine | null {
      if (!('judge' in record)) submission = record;
      else if (record.perturbation === null) base = record;
      else if (base && submission) return caseLine(base, record, submission, threshold);
      return null;
    },
  };
}

function caseLine(
  base: JudgmentRecord,
  record: JudgmentRecord,
  { submission, title, perturbations }: SubmissionRecord,
  threshold: number,
): CaseLine {
  const { role, mode, judge, perturbation } = record;
  const changes = perturbations.find((one) => one.perturbation === perturbation)?.changes ?? [];
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
    ...{ id: submission, instruction: title, options: [] },
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
