/** The command as a user runs it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(join(root, 'node_modules/.bin/node'), ['src/cli/remand.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let out = '';
  let err = '';
  // A letter may come in two chunks.
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

export function remand(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return start(args, env).ended;
}
