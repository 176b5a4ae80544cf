/**
 * What long inputs cost, told so that a busy machine does not matter: CPU time on inputs of three lengths, and how it
 * grows from one to the next.
 */
import { expect } from 'vitest';
import { BETWEEN, growthOf } from './security/cpu-time.ts';

/**
 * Expects work to cost about four times as much on an input that is four times as long. workerd has no clock of CPU time:
 * there the work is done once, and nothing is measured.
 *
 * @param make an input of about so many characters or parts
 * @param length of the shortest input; the longest has four times as many
 * @param what names the input where it costs too much
 */
export function expectLinear<T>(
  make: (length: number) => T,
  work: (input: T) => unknown,
  length: number,
  what = '',
): void {
  if (navigator.userAgent === 'Cloudflare-Workers') {
    work(make(4 * length));
    return;
  }
  // Made once: only the work is measured.
  const inputs = new Map([length, 2 * length, 4 * length].map((each) => [String(each), make(each)]));
  const { ms, exponent } = growthOf(String, (key) => work(inputs.get(key) as T), length);
  expect(exponent ?? 0, `${what}: ${ms.toFixed(0)} ms for the longest`).toBeLessThan(BETWEEN);
}
