/** What labels settle of sending back, by judge and bias. */
import { expect, test } from 'vitest';
import { countRulings } from '../../../src/proxy/labels/label-routes.ts';
import { createMetrics } from '../../../src/proxy/metrics.ts';

test('what was found together counts for each of it', async () => {
  const rulings = countRulings();
  const label = { judge: 'j', before: false, after: true };
  for (let n = 0; n < 9; n++) rulings.add({ ...label, biases: ['bandwagon+verbosity'] });
  expect(rulings.list()).toMatchObject([
    { bias: 'bandwagon', better: 9 },
    { bias: 'verbosity', better: 9 },
  ]);
  expect(rulings.isOpen('j', ['bandwagon+verbosity'])).toBe(false);
  const metrics = createMetrics();
  metrics.judged({ status: 'revised', biases: ['bandwagon+verbosity'] }, 1);
  expect(metrics.text()).toContain('remand_verdict_biases_total{bias="verbosity",status="revised"} 1');
});
