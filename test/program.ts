/**
 * The command line in a few files, for tests that start it as a process: its sources are stripped of their types at each
 * start, which takes as much CPU time again (`time node src/cli/remand.ts doctor`). Kept until the sources change.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** As a checkout starts it. */
export const SOURCES = join(ROOT, 'src/cli/remand.ts');
/** Below the packages that it imports. */
const KEPT = join(ROOT, 'node_modules/.remand-test');
const SAMPLES = 'training-data/sample';
/** So many are kept: several runs may be under way, each with sources of its own. */
const MOST_KEPT = 4;

let path: string | undefined;

/** Path of the script. */
export function bundledProgram(): string {
  path ??= join(bundleIn(join(KEPT, hashSources())), 'dist/src/cli/remand.js');
  return path;
}

function hashSources(): string {
  const hash = createHash('sha1');
  for (const name of globSync(['{src,adapters,prompts}/**/*.{ts,json}', `${SAMPLES}/*`], {
    cwd: ROOT,
  }).sort())
    hash.update(name).update(readFileSync(join(ROOT, name)));
  return hash.digest('hex');
}

function bundleIn(folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  const made = mkdtempSync(join(KEPT, 'new-'));
  cpSync(join(ROOT, SAMPLES), join(made, SAMPLES), { recursive: true });
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: { remand: SOURCES, 'thread-script': 'src/proxy/storage/thread-script.ts' },
    outdir: join(made, 'dist/src/cli'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Loading their packages one file after the other would be half of a start. These are asked for by few commands.
    external: ['@huggingface/inference', 'gpt-tokenizer', 'openai'],
    mainFields: ['module', 'main'],
    // Packages that are CommonJS require Node's own modules.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another worker of the test runner was faster.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
    return folder;
  }
  const age = (name: string) => statSync(join(KEPT, name)).mtimeMs;
  const whole = readdirSync(KEPT).filter((name) => !name.startsWith('new-'));
  for (const name of whole.toSorted((a, b) => age(b) - age(a)).slice(MOST_KEPT))
    rmSync(join(KEPT, name), { recursive: true, force: true });
  return folder;
}

export interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Its exit code, once all that it wrote has come; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Beside PATH, all of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node. */
  readonly flags?: readonly string[];
  readonly script?: string;
}

const { NODE_COMPILE_CACHE: compiled } = process.env;
/** Where `.ci/run` has Node keep what it compiles: a tenth of a start. */
export const COMPILED: Readonly<Record<string, string>> =
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled };

/** Starts the command as a process, with nothing else of this machine's settings. */
export function startProgram(
  args: readonly string[],
  { cwd = ROOT, env = {}, flags = [], script = bundledProgram() }: ProgramOptions = {},
): Program {
  const child = spawn(process.execPath, [...flags, script, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  const collect = (stream: Readable, name: keyof typeof text) =>
    // A letter may come in two chunks.
    stream.setEncoding('utf8').on('data', (piece) => {
      text[name] += piece;
    });
  collect(child.stdout, 'out');
  collect(child.stderr, 'err');
  return {
    child,
    out: () => text.out,
    err: () => text.err,
    ended: once(child, 'close').then(([code]) => code),
  };
}
