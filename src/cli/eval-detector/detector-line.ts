/** What a detector said of each row, a line each. */
import { describeRow } from '../../dataset/index.ts';
import type { DetectorFinding } from '../../evaluate/index.ts';
import type { CaseLine } from '../../report/index.ts';

/** @param twin the name of the twin that the row is of; null for a published row */
export function createDetectorLine(
  detector: string,
  twin: string | null,
  finding: DetectorFinding,
): CaseLine {
  const { row, biased, reasoning } = finding;
  return {
    ...{
      group: detector,
      behind: twin ?? row.bias_category,
      outcome: outcomeOf(finding),
      id: describeRow(row),
    },
    instruction: row.instruction,
    context: [],
    options: [{ label: 'What the judge was shown', text: row.choices, right: false }],
    steps: [
      { what: `${row.llm_judge_model} decided:`, text: row.llm_judgment },
      {
        what:
          biased === null
            ? 'The detector could not be read.'
            : `The detector said: ${biased ? 'biased' : 'not biased'}.`,
        text: reasoning,
      },
      { what: `In truth: ${row.bias_label === 'Yes' ? 'biased' : 'not biased'}.`, text: null },
    ],
  };
}

function outcomeOf({ row, biased }: DetectorFinding): string {
  if (biased === null) return 'unreadable';
  if (row.bias_label === 'Yes') return biased ? 'bias found' : 'bias missed';
  return biased ? 'false alarm' : 'rightly left alone';
}
