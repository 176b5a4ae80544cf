/**
 * How long `remand --help` and `remand --version` take, beside Node that does nothing: `npm run bench:help`. Each runs in turn,
 * so that a busy machine is busy for all of them.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const RUNS = 15;
const ENTRY = join(import.meta.dirname, '..', 'src', 'cli', 'remand.ts');
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'remand --version': [ENTRY, '--version'],
  'remand --help': [ENTRY, '--help'],
  'remand serve --help': [ENTRY, 'serve', '--help'],
};

const run = promisify(execFile);
const taken = new Map<string, number[]>(Object.keys(COMMANDS).map((name) => [name, []]));
// The first run of each fills the cache of compiled code.
for (let n = 0; n <= RUNS; n++)
  for (const [name, args] of Object.entries(COMMANDS)) {
    const began = performance.now();
    await run(process.execPath, [...args]);
    if (n > 0) taken.get(name)?.push(performance.now() - began);
  }
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const bare = median(taken.get('node -e 0') ?? []);
console.table(
  Object.fromEntries(
    [...taken].map(([name, all]) => [
      name,
      { 'median ms': Math.round(median(all)), 'of bare Node': (median(all) / bare).toFixed(1) },
    ]),
  ),
);
const help = median(taken.get('remand --help') ?? []);
if (help > 300) console.log(`remand --help took ${Math.round(help)} ms; 300 are allowed on a quiet machine`);
