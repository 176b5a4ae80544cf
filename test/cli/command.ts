/** The command as a user runs it: in a process of its own, or in a thread that runs one command after the other. */
import type { ChildProcess } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { bundledProgram, startProgram } from '../program.ts';

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  /** Without the lines that say how far a run is: one that takes ten seconds writes them, on a busy machine any. */
  readonly err: string;
}

const withoutProgress = (err: string) =>
  err.replaceAll(/^[\w -]+ \d+(?:\/\d+)?(?:, \d+\.\d per (?:second|minute)[^\n]*)?\n/gm, '');

/** A process: for what is killed, interrupted, or reads and writes while the test looks on. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const { child, out, err, ended } = startProgram(args, { env });
  return { child, ended: ended.then((code) => ({ code, out: out(), err: withoutProgress(err()) })) };
}

/** Threads that wait for a command. Loading the command line is most of the time that a short command takes. */
const idle: Worker[] = [];

/** Runs a command to its end, in a thread: the same entry, with words, environment, output and exit code of its own. */
export function remand(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const thread =
    idle.pop() ??
    new Worker(new URL('./command-thread.js', import.meta.url), { workerData: bundledProgram() });
  thread.ref();
  const ended = new Promise<Ended>((resolve, reject) => {
    thread.once('message', (said: Ended) => {
      thread.off('error', reject).unref();
      idle.push(thread);
      resolve({ ...said, err: withoutProgress(said.err) });
    });
    thread.once('error', reject);
  });
  thread.postMessage({ args, env: { PATH: process.env.PATH ?? '', ...env } });
  return ended;
}

/** Commands one after the other. */
export async function remandEach(commands: readonly (readonly string[])[]): Promise<Ended[]> {
  const all: Ended[] = [];
  for (const args of commands) all.push(await remand(args));
  return all;
}

/**
 * A command's options with others in their place: no option may be given twice.
 *
 * @param usual options with their values
 * @param own `--name`, `value`, `--name`, `value`
 */
export function replaceOptions(usual: Readonly<Record<string, string>>, own: readonly string[]): string[] {
  const options = new Map(Object.entries(usual));
  for (let at = 0; at < own.length; at += 2) options.set(own[at] ?? '', own[at + 1] ?? '');
  return [...options].flat();
}

/** The text of a result without where it comes from: two runs of one command differ in their dates and folders. */
export function dropOrigin(text: string): unknown {
  return JSON.parse(text, (name, value) => (name === 'origin' ? undefined : value));
}
