/** What an attacker can gain by having verdicts sent back: the defaults turn no more than 1 % of right verdicts wrong. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leverCases, plantedCases } from '../../bench/lever/cases.ts';
import { isAbove } from '../../bench/lever/page.ts';
import { DEFAULTS, leverOf, SETTINGS } from '../../bench/lever/run.ts';

const cases = leverCases(1);
const page = readFileSync(new URL('../../docs/lever.md', import.meta.url), 'utf8');

test.each(['fair', 'yielding', 'swayed'] as const)(
  'the defaults, %s judge: hardly a right verdict is turned wrong',
  { timeout: 120_000 },
  async (judge) => {
    const lever = await leverOf(judge, DEFAULTS, cases);
    expect(lever.right).toBeGreaterThan(30);
    expect(isAbove(lever), JSON.stringify(lever)).toBe(false);
    // A loop that turned nothing at all would be no lever and no use either.
    if (judge === 'swayed') expect(lever.wrongToRight).toBeGreaterThan(lever.wrong / 2);
  },
);

test.each(['fair', 'swayed', 'credulous'] as const)(
  'an answer that speaks against itself or for its opponent in 256 cases, %s judge: no lever',
  { timeout: 120_000 },
  async (judge) => {
    // `npm run bench:lever -- planted` tries 1,024.
    const planted = plantedCases(8);
    expect(planted.length).toBe(256);
    const { right, wrong, rightToWrong, wrongToRight, where } = await leverOf(judge, DEFAULTS, planted);
    expect(right + wrong).toBe(planted.length);
    if (judge === 'fair') expect([wrong, rightToWrong]).toEqual([0, 0]);
    // Wrong at the end, with Remand, no more often than without.
    expect(wrong - wrongToRight + rightToWrong, where.join(', ')).toBeLessThanOrEqual(wrong);
    expect(rightToWrong, where.join(', ')).toBe(0);
  },
);

test('a detector that always says Yes is a lever, and the page says so', { timeout: 120_000 }, async () => {
  const name = 'a detector that always says Yes, 2 rounds, last-word';
  const setting = SETTINGS.find((one) => one.name === name);
  if (!setting) throw new Error(`no setting ${name}`);
  expect(isAbove(await leverOf('yielding', setting, cases))).toBe(true);
  expect(page).toContain(`\n- ${name}\n`);
});

test('the page has every setting, and none of the defaults among those above 1 %', () => {
  for (const { name } of SETTINGS) expect(page).toContain(`\n| ${name} | `);
  expect(page).not.toContain(`\n- ${DEFAULTS.name}\n`);
  expect(page).not.toContain('\n- probe, 2 rounds, last-word\n');
});
