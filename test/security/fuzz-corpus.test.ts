/** What fuzzing found once (`npm run fuzz`) is not to come back. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Arena, openArena } from '../../bench/fuzz/arena.ts';
import { faultOf } from '../../bench/fuzz/readers/fault.ts';
import { readerNamed } from '../../bench/fuzz/readers/readers.ts';
import {
  type ExchangeRegression,
  exchangeOf,
  REGRESSIONS,
  type ReaderRegression,
} from '../../bench/fuzz/regression.ts';
import { expectLinear } from '../cost.ts';

/** Characters of a slow sample's end. */
const LAP = 200;

function found<T>(kind: string): [name: string, finding: T][] {
  return readdirSync(REGRESSIONS)
    .filter((name) => name.startsWith(kind))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, REGRESSIONS), 'utf8'))]);
}

describe('readers', () => {
  test.each(found<ReaderRegression>('readers-'))('%s', async (_name, { reader: name, text, what }) => {
    const reader = readerNamed(name);
    expect(await faultOf(reader, text)).toBeNull();
    // It goes on as it ends, for as long as it takes to see how the time grows.
    if (what === 'slow')
      expectLinear(
        (length) => text + text.slice(-LAP).repeat(length / LAP),
        (longer) => reader.open(longer)?.(),
        100 * LAP,
      );
  });
});

const exchanges = found<ExchangeRegression>('http-');

describe.skipIf(exchanges.length === 0)('over HTTP', () => {
  let arena: Arena;
  const beside: string[] = [];

  beforeAll(async () => {
    arena = await openArena((wrong) => beside.push(wrong));
  });

  afterAll(async () => {
    expect([...(await arena.close()), ...beside]).toEqual([]);
  });

  test.each(exchanges)('%s', { timeout: 60_000 }, async (_name, finding) => {
    expect((await arena.ask(exchangeOf(finding))).wrong).toBeNull();
  });
});
