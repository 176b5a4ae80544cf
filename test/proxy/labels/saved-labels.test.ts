/** Labels that the queue's order saves: simulated annotators against an order by chance. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type LabelledCase, readRecordedCases, simulateLabelling } from '../../../bench/queue.ts';
import { hasSharedData, SHARED } from '../../shared-data.ts';

const RUNS = 100;

function medianLabels(cases: readonly LabelledCase[], order: 'queue' | 'chance'): number {
  const labels = Array.from({ length: RUNS }, (_, seed) => simulateLabelling(cases, order, seed).labels);
  return labels.sort((a, b) => a - b)[RUNS >> 1] ?? 0;
}

/** One in ten verdicts moves, and most of them from wrong to right. */
const simulated = Array.from({ length: 300 }, (_, n): LabelledCase => {
  const moved = n % 10 === 0;
  return {
    ...{ status: moved ? 'revised' : 'unchanged', moved, judge: 'judge', biases: moved ? ['position'] : [] },
    ...{ before: !moved || n % 40 === 0, after: !moved || n % 40 !== 0 },
  };
});

test('with one moved verdict in ten the queue needs a fifth of the labels at most', () => {
  expect(medianLabels(simulated, 'queue')).toBeLessThan(medianLabels(simulated, 'chance') / 5);
});

test('both orders come to the same answer', () => {
  for (const order of ['queue', 'chance'] as const)
    expect(simulateLabelling(simulated, order, 1)).toMatchObject({ isSettled: true, pays: true });
});

describe.skipIf(!hasSharedData)('recorded judges (skipped without the recorded verdicts)', () => {
  const path = (name: string) => fileURLToPath(new URL(`llmbar/${name}`, SHARED));

  test('for judges that are settled by the labels there are, a fifth of them or fewer do', async () => {
    const all = await readRecordedCases(path('items.dev.jsonl'), path('verdicts.dev.jsonl'));
    for (const name of ['GPT-4/Swap', 'GPT-4/Swap_CoT', 'ChatGPT/Swap', 'ChatGPT-0301/Swap', 'PaLM2/Swap']) {
      const cases = all.get(name) ?? [];
      expect(medianLabels(cases, 'queue'), name).toBeLessThan(medianLabels(cases, 'chance') / 5);
    }
  });
});
