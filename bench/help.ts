/**
 * How long `--help` of every command and `--version` take in the package as it is built, as multiples of Node that does nothing: `npm run bench:help`, or with
 * names of commands for those alone. Each runs in turn with a bare Node before it, so that a busy machine is busy for both.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CommandUsage, describeCommand } from '../src/cli/usage.ts';

const RUNS = 7;
/** Bare Node takes 40 ms on a quiet machine, and 300 ms are allowed there. */
const MOST = 300 / 40;
const ENTRY = join(import.meta.dirname, '..', 'dist', 'src', 'cli', 'remand.js');

function listCommands({ subCommands = {} }: CommandUsage, words: readonly string[] = []): string[][] {
  return [
    [...words, '--help'],
    ...Object.entries(subCommands).flatMap(([name, one]) => listCommands(one, [...words, name])),
  ];
}

const run = promisify(execFile);
async function time(args: readonly string[]): Promise<number> {
  const began = performance.now();
  await run(process.execPath, [...args]);
  return performance.now() - began;
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const wanted = process.argv.slice(2);
const commands = [['--version'], ...listCommands(await describeCommand())].filter(
  (words) => wanted.length === 0 || wanted.includes(words[0] ?? ''),
);
const slow: string[] = [];
for (const words of commands) {
  const name = `remand ${words.join(' ')}`;
  // The first run fills the cache of compiled code.
  await time([ENTRY, ...words]);
  const pairs: (readonly [bare: number, own: number])[] = [];
  for (let n = 0; n < RUNS; n++) pairs.push([await time(['-e', '0']), await time([ENTRY, ...words])]);
  const of = median(pairs.map(([bare, own]) => own / bare));
  if (of > MOST) slow.push(name);
  console.log(
    `${name.padEnd(34)} ${median(pairs.map(([, own]) => own)).toFixed(0)} ms, ${of.toFixed(1)} times bare Node`,
  );
}
if (slow.length > 0) {
  console.log(`more than ${MOST} times bare Node: ${slow.join(', ')}`);
  process.exitCode = 1;
}
