/**
 * Which branches a run took: this thread's modules of `src/` and `adapters/` are loaded with istanbul's counters.
 * Jazzer.js would do it natively; its only build for Linux (4.0.0) needs glibc 2.38, which long-lived distributions
 * do not have.
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createInstrumenter } from 'istanbul-lib-instrument';

interface Counters {
  readonly s: Readonly<Record<string, number>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

export interface Coverage {
  /** How many statements and branches were taken for the first time since the last call. */
  fresh(): number;
  readonly taken: number;
  readonly total: number;
}

const VARIABLE = '__remand_fuzz_coverage__';

/** Modules that are imported from now on count. */
export function countCoverage(): Coverage {
  const instrumenter = createInstrumenter({ esModules: true, coverageVariable: VARIABLE, compact: true });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (loaded.format !== 'module-typescript' || !/\/(?:src|adapters)\/[^?]+\.ts$/.test(url)) return loaded;
      const plain = stripTypeScriptTypes(String(loaded.source));
      return { ...loaded, format: 'module', source: instrumenter.instrumentSync(plain, fileURLToPath(url)) };
    },
  });
  let waiting: Counter[] | null = null;
  let [taken, total] = [0, 0];
  const fresh = () => {
    if (waiting === null) {
      waiting = counters();
      total = waiting.length;
    }
    const before = waiting.length;
    // Almost always none was taken; then nothing is made anew.
    if (waiting.some(isTaken)) waiting = waiting.filter((one) => !isTaken(one));
    taken += before - waiting.length;
    return before - waiting.length;
  };
  return {
    fresh,
    get taken() {
      return taken;
    },
    get total() {
      return total;
    },
  };
}

/** One counter, as istanbul keeps it: its holder's, under this key. */
interface Counter {
  readonly of: Readonly<Record<number, number>>;
  readonly key: number;
}

const isTaken = ({ of, key }: Counter) => (of[key] ?? 0) > 0;

function counters(): Counter[] {
  const files = (globalThis as unknown as Record<string, Record<string, Counters> | undefined>)[VARIABLE];
  return Object.values(files ?? {}).flatMap(({ s, b }) =>
    [s, ...Object.values(b)].flatMap((of) => Object.keys(of).map((key) => ({ of, key: Number(key) }))),
  );
}
