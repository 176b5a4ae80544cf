/** The Python environment of the training recipes: TRAINING_PYTHON, or one of our own that is made where it is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const HERE = import.meta.dirname;
const VENV = join(HERE, '.venv');
const REQUIREMENTS = join(HERE, '../../training-data/recipes/requirements.txt');
/** What was installed last; written when all of it is there. */
const DONE = join(VENV, 'installed.txt');

/** @returns the interpreter's path; null where none with the packages is at hand */
export function findPython(given: string | undefined): string | null {
  if (given) return given;
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  return existsSync(DONE) && readFileSync(DONE, 'utf8') === wanted ? join(VENV, 'bin/python') : null;
}

/** Makes the environment: torch and its libraries are more than 2 GB. */
export function installPython(): void {
  rmSync(VENV, { recursive: true, force: true });
  run('python3', ['-m', 'venv', VENV]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(join(VENV, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '-r', REQUIREMENTS]);
  writeFileSync(DONE, readFileSync(REQUIREMENTS, 'utf8'));
}

/** The server that comes with the packages. */
export const serverOf = (python: string) => join(dirname(python), 'transformers');

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${status}`);
}

if (import.meta.main && findPython(process.env.TRAINING_PYTHON) === null) installPython();
