/**
 * Hostile traffic before the real proxy, and hostile texts before the functions that read them:
 * `npm run fuzz -- --seconds 60 [--piece readers] [--seed 1]`. Without a piece it is everything over HTTP, where
 * `--case N` asks one case again. What is found is printed, and ends in 1.
 */
import { parseArgs } from 'node:util';
import { fuzzHttp } from './fuzz/http.ts';
import { fuzzReaders } from './fuzz/readers/run.ts';

const { values } = parseArgs({
  options: {
    piece: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    case: { type: 'string' },
    workers: { type: 'string', default: '12' },
    /** Of the readers: their names, and a file that keeps what takes new branches from run to run. */
    reader: { type: 'string', multiple: true, default: [] },
    corpus: { type: 'string' },
  },
});

const [seed, seconds] = [Number(values.seed), Number(values.seconds)];

async function fuzz(): Promise<string[]> {
  switch (values.piece) {
    case 'readers':
      return fuzzReaders({ seed, seconds, only: values.reader, corpusFile: values.corpus ?? null });
    case 'all':
      return fuzzHttp({
        seed,
        seconds,
        from: Number(values.from),
        only: values.case === undefined ? null : Number(values.case),
        workers: Number(values.workers),
      });
    default:
      throw new RangeError(`--piece ${values.piece}: it is all or readers`);
  }
}

const findings = await fuzz();
for (const finding of findings) console.log(`FOUND ${finding}`);
// Timers of cases that were abandoned must not hold the process.
process.exit(findings.length > 0 ? 1 : 0);
