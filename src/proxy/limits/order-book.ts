/** What is known of how often judges disagree with themselves, by judge, caller and kind of case. Kept by this process alone. */
import { createOrderChecks, type OrderChecks } from '../../loop/index.ts';

/** Judges and kinds of case of which it is known; the oldest makes room. */
const MOST = 500;

/** @param floor share of all verdicts that is checked in any case */
export function createOrderBook(floor: number): (...key: readonly (string | null)[]) => OrderChecks {
  const known = new Map<string, OrderChecks>();
  return (...parts) => {
    const key = JSON.stringify(parts);
    const checks = known.get(key) ?? createOrderChecks({ floor });
    known.delete(key);
    known.set(key, checks);
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return checks;
  };
}
