/** How the process of a command is set up: compiled code is kept from one start to the next, and a server's heap is kept small. */

import { readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { describeError, InputError } from '../errors.ts';

/**
 * Keeps compiled code, which takes a third off the time to start. NODE_DISABLE_COMPILE_CACHE=1 keeps nothing,
 * NODE_COMPILE_CACHE names another place (https://nodejs.org/api/module.html#module-compile-cache). To be called before what
 * is to be kept is imported. A place that cannot be written to costs nothing but the time.
 */
export function setUpCompileCache(): void {
  const home = homeFolder();
  // Node's own default is below /tmp, where another user of the machine could have put code of theirs.
  if (home !== null) enableCompileCache(join(home, '.cache', 'remand'));
}

/** Now rather than at exit: a process that is killed has no exit. */
export function writeCompileCache(): void {
  flushCompileCache();
}

/**
 * Takes what `.env` in the current folder says into the environment. What the environment has stands.
 *
 * @returns the names that were taken from there; none where there is no such file
 * @throws InputError for a file that cannot be read
 */
export function loadDotEnv(): string[] {
  const read = (): string => {
    try {
      // Notepad puts a byte order mark before the first name.
      return readFileSync('.env', 'utf8').replace(/^\uFEFF/, '');
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
      throw new InputError('.env', `cannot be read: ${describeError(cause)}`);
    }
  };
  const missing = Object.entries(parseEnv(read())).filter(([name]) => process.env[name] === undefined);
  for (const [name, value] of missing) process.env[name] = value;
  return missing.map(([name]) => name).toSorted();
}

/** Null for a user that the system does not know, as containers run some. */
function homeFolder(): string | null {
  try {
    return homedir();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return null;
    throw error;
  }
}

/** How V8 is to collect in a server. A judge takes seconds; memory is what its operator pays for. */
const FLAGS = [
  // For young objects, in MiB, three times. V8 would take 16. With 2, passing a request through takes 1.4 times the CPU
  // (`npm run bench:performance -- --passed`).
  '--max-semi-space-size=8',
  // The heap is collected when it has grown by so many percent, not when it has tripled. A flag of V8, not of Node.
  '--heap-growing-percent=30',
  // While it judges, V8 sees objects live long and from then on allocates their like as old ones. Those die as soon as others when
  // requests are passed through, and hold young ones until the whole heap is collected: 1.5 times the CPU of a request, for good.
  '--no-allocation-site-pretenuring',
  '--expose-gc',
];

/**
 * Gives back what loading left behind: an installed server is ready with 86 MiB instead of 101 MiB, for 65 ms of CPU. Node has no
 * other name for it than this global, which is there by a flag.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * For what is outside V8's heap (bodies, SQLite): glibc sets aside a region for each thread, which it does not give back.
 * One region for all holds 16 MiB less under 32 judgments at once and 4 MiB less at the start, for no more CPU.
 */
const MALLOC_ARENA_MAX = '1';

/**
 * Starts the process anew with V8's flags, in place: the same process id, the same standard streams. V8 reads the size of
 * its young generation once, before any of our code runs, and NODE_OPTIONS does not take the other flag. An operator who
 * gives one of the sizes decides all of them. Nothing changes where the system cannot replace a process (Windows), in a
 * thread, or where a parent process (a process manager) talks to this one over a channel that would be lost.
 */
export function limitHeap(): void {
  const { execArgv, execPath, argv, env, platform, connected = false } = process;
  const given = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-');
  if (platform === 'win32' || connected || !isMainThread) return;
  if (/--(max|min)-semi-space-size|--heap-growing-percent/.test(given)) return;
  process.execve?.(execPath, [execPath, ...execArgv, ...FLAGS, ...argv.slice(1)], {
    MALLOC_ARENA_MAX,
    ...env,
  });
}

// Packages that one or two commands need and that are not installed with Remand, which a proxy would carry for nothing.

/** Tokens of texts, as OpenAI's newer models count them. Judged texts may hold the tokenizer's special tokens; here they are text like any other. */
export async function loadTokenCounter() {
  const { countTokens, setMergeCacheSize } = await loadOptional(
    'gpt-tokenizer',
    () => import('gpt-tokenizer/encoding/o200k_base'),
  );
  // It remembers the tokens of words, by default of 100,000: tens of MiB, filled only by long runs.
  setMergeCacheSize(10_000);
  return {
    encoding: 'o200k_base',
    count: (text: string) => countTokens(text, { disallowedSpecial: new Set() }),
  };
}

/**
 * @param load imports the package
 * @throws InputError that says how to install a package that is missing
 *
 * @example const { countTokens } = await loadOptional('gpt-tokenizer', () => import('gpt-tokenizer/encoding/o200k_base'));
 */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing || !cause.message.includes(`'${name}`)) throw cause;
    throw new InputError(
      name,
      `is a package that this command needs: npm install ${name} (or npx -p remand -p ${name} remand …)`,
    );
  }
}
