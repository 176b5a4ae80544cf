/** What reading by a template costs, whatever the text. */
import { expect, test } from 'vitest';
import { matchLiterals } from '../../src/case/templates/match.ts';

test('10 MB that nearly hold a long literal at every place take time linear in their length', () => {
  const literal = `${'ab'.repeat(500)}c`;
  const cost = (length: number) => {
    const text = `x${'ab'.repeat(length / 2)}`;
    const before = process.cpuUsage();
    expect(matchLiterals(text, ['x', literal, ''])).toBeNull();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cost(1_000_000);
  const [short, long] = [
    Math.min(cost(2_500_000), cost(2_500_000)),
    Math.min(cost(10_000_000), cost(10_000_000)),
  ];
  // Four times the text; a search that begins anew at every place would take a thousand times as long as that.
  expect(long).toBeLessThan(16 * short + 100_000);
});
