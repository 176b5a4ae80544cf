/** What a key has spent of its budget, in words: `12 of 5000 calls today, 340 this month`. */
import type { KeyStatus } from '../../proxy/access/list-keys.ts';

/** Empty where nothing is counted. */
export function describeSpending({ limits, spent }: Pick<KeyStatus, 'limits' | 'spent'>): string {
  if (!spent) return '';
  const { day, month } = spent;
  const { callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth } = limits;
  const money = moneyPerDay !== undefined || moneyPerMonth !== undefined;
  return [
    `${against(day.calls, callsPerDay)} calls today`,
    `${against(month.calls, callsPerMonth)} this month`,
    ...(money
      ? [
          `${against(day.money, moneyPerDay)} in money today`,
          `${against(month.money, moneyPerMonth)} this month`,
        ]
      : []),
  ].join(', ');
}

function against(spent: number, budget: number | undefined): string {
  return budget === undefined ? String(spent) : `${spent} of ${budget}`;
}
