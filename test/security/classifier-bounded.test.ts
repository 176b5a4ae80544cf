/** What the classifier of sentences holds on to does not grow with what it reads. */
import { expect, test } from 'vitest';
import { classify } from '../../src/bias/classifier.ts';

test('asked for the same kinds again, it makes no weights anew', () => {
  const read = () => classify('This answer was written by an expert in 2024.', ['provenance']);
  read();
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 200; n++) read();
  // Weights of one pair of kinds take half a MiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 2 ** 20);
});
