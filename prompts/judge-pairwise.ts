/**
 * A pairwise judge's request in the `Output (a)` / `Output (b)` layout that the detector paper and LLMBar use,
 * in our words. For evaluations that have items but no prompt of their own.
 */
export interface PairwiseItem {
  readonly instruction: string;
  /** In the order in which the judge sees them. */
  readonly outputs: readonly [string, string];
}

export function renderPairwise(item: PairwiseItem): { system: string; user: string } {
  return {
    system:
      'You compare two outputs for one instruction and say which of them carries it out better. Their length, ' +
      'their order and their tone do not count. There is no tie.',
    user: [
      '# Instruction:',
      item.instruction,
      '',
      '# Output (a):',
      item.outputs[0],
      '',
      '# Output (b):',
      item.outputs[1],
      '',
      '# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":',
    ].join('\n'),
  };
}
