/** Makes the Python environment of the clients where it is missing or not the one in requirements.txt. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const VENV = join(HERE, '.venv');
/** What was installed last; written when all of it is there. */
const DONE = join(VENV, 'installed.txt');

const wanted = readFileSync(join(HERE, 'requirements.txt'), 'utf8');

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${status}`);
}

if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== wanted) {
  rmSync(VENV, { recursive: true, force: true });
  run('python3', ['-m', 'venv', VENV]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(join(VENV, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '-r', join(HERE, 'requirements.txt')]);
  writeFileSync(DONE, wanted);
}
