/** Recorded judgments, a line each: what the judge saw, said, and said when it was asked again. */
import type { RecordedDecision, RecordedJudgment } from '../../evaluate/index.ts';
import type { CaseLine } from '../../report/index.ts';
import type { Item } from '../../sandbox/index.ts';

/** @param judgments of one item, the original order first, then the swapped one */
export function createRecordedLines(
  voice: string,
  item: Item,
  judgments: readonly RecordedJudgment[],
): CaseLine[] {
  return judgments.map((judged, order): CaseLine => {
    const outputs = [
      { label: 'Output 1', text: item.output_1, right: item.label === 1 },
      { label: 'Output 2', text: item.output_2, right: item.label === 2 },
    ];
    const { before, after, replies, reasons, biases, remanded } = judged;
    const found = biases.length === 0 ? '' : ` for ${biases.join(', ')}`;
    return {
      ...{ group: voice, behind: 'judgments', outcome: outcomeOf(before, after) },
      id: `${item.id}, ${order === 0 ? 'original' : 'swapped'} order`,
      instruction: item.instruction,
      context: [],
      options: order === 0 ? outputs : outputs.toReversed(),
      steps: [
        { what: `The judge decided: ${said(before)}.`, text: replies[0] ?? null },
        ...reasons.slice(0, 1).map((text) => ({ what: 'The detector said:', text })),
        ...(remanded
          ? [{ what: `Sent back${found}, it decided: ${said(after)}.`, text: replies.at(-1) ?? null }]
          : [{ what: 'Nothing was sent back.', text: null }]),
      ],
    };
  });
}

function outcomeOf(before: RecordedDecision, after: RecordedDecision): string {
  if (before.right) return after.right ? 'stayed right' : 'right → wrong';
  return after.right ? 'wrong → right' : 'stayed wrong';
}

function said({ winner, readable }: RecordedDecision): string {
  if (winner === 'tie') return 'a tie';
  return winner === null || !readable ? 'no verdict that could be read' : `Output ${winner}`;
}
