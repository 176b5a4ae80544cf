/** The Worker fits the free plan: its script packed is below 1,024 KiB. Start-up and CPU: `npm run bench:edge`. */
import { expect, test } from 'vitest';
import { scriptSize } from '../../bench/edge/build.ts';

test('the script is below 1,024 KiB, packed', async () => {
  const bytes = await scriptSize();
  expect(bytes).toBeLessThan(1024 * 1024);
  // A script without the loop in it would fit, too.
  expect(bytes).toBeGreaterThan(100_000);
});
