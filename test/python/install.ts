/**
 * Makes the Python environments of the clients where one is missing or not the one in requirements/: the clients that go
 * together, and ragas, which wants older packages than they do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENTS } from './environments.ts';

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${status}`);
}

for (const { folder, python, requirements } of ENVIRONMENTS) {
  /** What was installed last; written when all of it is there. */
  const done = join(folder, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) continue;
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(python, ['-m', 'pip', 'install', ...quiet, '-r', requirements]);
  writeFileSync(done, wanted);
}
