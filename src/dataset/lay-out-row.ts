/** From a draft to a row: the options named, the statements said of them. */
import type { Draft } from '../bias/index.ts';
import type { DatasetRow } from './dataset-row.ts';

interface RowHead {
  readonly id: string;
  readonly base: string;
  readonly biases: readonly string[];
  readonly twin: boolean;
  readonly set: 'd' | 'd_bias';
}

/** @param numbered whether the options are named by number */
export function layOutRow(head: RowHead, draft: Draft, numbered: boolean): DatasetRow {
  const labels = draft.options.map((_, index) => labelFor(index, numbered));
  return {
    ...head,
    biases: [...head.biases],
    instruction: draft.instruction,
    options: [...draft.options],
    labels,
    right: draft.right,
    statements: draft.statements.map(({ wording, favours }) =>
      wording.replaceAll('{option}', labels[favours] ?? ''),
    ),
  };
}

/** How options are named in datasets: pairs by letter, as LLMBar and the detector paper do, choices by number. */
function labelFor(index: number, numbered: boolean): string {
  return numbered ? `Choice ${index + 1}` : `Output (${String.fromCharCode('a'.charCodeAt(0) + index)})`;
}
