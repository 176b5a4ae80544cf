/**
 * Hostile traffic before the real proxy, and hostile texts before the functions that read them:
 * `npm run fuzz -- --seconds 60 [--piece requests|replies|cuts|readers] [--seed 1]`. Without a piece it is all over
 * HTTP at once. `--cases N` ends after N cases however long they take, so that a run says the same on every machine;
 * `--case N` asks one case again. What is found is printed and kept small in `test/security/fuzz-corpus/`,
 * and ends in 1.
 */
import { parseArgs } from 'node:util';
import { fuzzHttp, HTTP_PIECES } from './fuzz/http.ts';
import type { RunLength } from './fuzz/length.ts';
import { fuzzReaders } from './fuzz/readers/run.ts';

const { values } = parseArgs({
  options: {
    piece: { type: 'string', default: 'all' },
    seconds: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    case: { type: 'string' },
    workers: { type: 'string', default: '12' },
    /** Of the readers: their names, and a file that keeps what takes new branches from run to run. */
    reader: { type: 'string', multiple: true, default: [] },
    corpus: { type: 'string' },
  },
});

if (values.seconds !== undefined && values.cases !== undefined)
  throw new RangeError('--seconds and --cases: a run ends by one of them');
const seed = Number(values.seed);
const length: RunLength =
  values.cases === undefined
    ? { unit: 'seconds', count: positive('--seconds', values.seconds ?? '60') }
    : { unit: 'cases', count: positive('--cases', values.cases) };

function positive(name: string, given: string): number {
  const count = Number(given);
  if (!(count > 0)) throw new RangeError(`${name} ${given}: it must be a number above zero`);
  return count;
}

async function fuzz(): Promise<string[]> {
  if (values.piece === 'readers')
    return fuzzReaders({ seed, length, only: values.reader, corpusFile: values.corpus ?? null });
  const piece = HTTP_PIECES.find((one) => one === values.piece);
  if (!piece) throw new RangeError(`--piece ${values.piece}: it is readers, ${HTTP_PIECES.join(', ')}`);
  const only = values.case === undefined ? null : Number(values.case);
  const [from, workers] = [Number(values.from), Number(values.workers)];
  return fuzzHttp({ piece, seed, length, from, only, workers });
}

const findings = await fuzz();
for (const finding of findings) console.log(`FOUND ${finding}`);
// Timers of cases that were abandoned must not hold the process.
process.exit(findings.length > 0 ? 1 : 0);
