/** Installs the clients where they are missing or not the ones in the lockfile. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;

/** npm writes this file last. */
const installed = join(HERE, 'node_modules', '.package-lock.json');
const wanted = ['package-lock.json', '.npmrc'].map((name) => join(HERE, name));

function isCurrent(): boolean {
  if (!existsSync(installed)) return false;
  const at = statSync(installed).mtimeMs;
  return wanted.every((file) => statSync(file).mtimeMs <= at);
}

if (!isCurrent()) {
  // Not `npm ci`: it refuses a lockfile without the optional packages that are left out here (.npmrc).
  const { status } = spawnSync('npm', ['install', '--no-save', '--prefix', HERE], {
    cwd: HERE,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
