/** What calls cost a key with a budget in money, in millionths of the price table's currency. */
import { computeCost, type Payer, type Prices } from '../../models/index.ts';
import type { Tokens } from '../../ports.ts';
import { RefusedError } from '../refusal.ts';
import type { Lease } from './lease.ts';

export interface PriceTable {
  /** @throws RefusedError where the model has no price: a budget in money could not be held */
  check(model: string | null): void;
  /** Whole millionths, rounded up; 0 for a model without a price: a detector of one's own, say. */
  cost(model: string, tokens: Tokens): number;
}

export function createPriceTable(prices: Prices): PriceTable {
  return {
    check(model) {
      if (model !== null && Object.hasOwn(prices, model)) return;
      throw new RefusedError(
        403,
        'no-price',
        'the budget of this key is in money, and what this request would cost is not known (REMAND_PRICES)',
      );
    },
    cost(model, tokens) {
      const cost = computeCost(model, tokens, prices);
      // Less what floating point adds: 0.1 + 0.02 is a little more than 0.12.
      return cost === null ? 0 : Math.ceil((cost.input + cost.output) * 1e6 - 1e-6);
    },
  };
}

/** Bytes of UTF-8 for a token where an endpoint does not count: few, so that a guess is seldom too low. */
const BYTES_A_TOKEN = 3;

export function estimateTokens(sent: number, received: number): Tokens {
  return { input: Math.ceil(sent / BYTES_A_TOKEN), output: Math.ceil(received / BYTES_A_TOKEN) };
}

/** A lease as the ledger of a judgment pays from it. */
export function createPayer(lease: Lease, prices: PriceTable): Payer {
  return {
    begin: lease.begin,
    left: lease.left,
    paid({ to, tokens, bytes }) {
      if (!lease.money) return;
      const { sent, received } = tokens ? { sent: 0, received: 0 } : bytes();
      lease.pay(prices.cost(to, tokens ?? estimateTokens(sent, received)));
    },
  };
}
