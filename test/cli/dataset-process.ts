/** Many dataset commands in one process, where starting a process for each would be most of the time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Outcome {
  /** What the command wrote to standard output. */
  readonly out: string;
  /** Name and message of the error it ended with; null where it came to its end. */
  readonly error: { readonly name: string; readonly message: string } | null;
}

/** Runs each command after the other, its words as after `remand dataset`. Their output is kept apart. */
const RUNNER = `
import { runCommand } from 'citty';
import { datasetBuildCommand } from './src/cli/dataset/dataset-build.ts';
import { datasetJudgeCommand } from './src/cli/dataset/dataset-judge.ts';
import { datasetLabelCommand } from './src/cli/dataset/dataset-label.ts';
const commands = { build: datasetBuildCommand, judge: datasetJudgeCommand, label: datasetLabelCommand };
const write = process.stdout.write.bind(process.stdout);
const outcomes = [];
for (const [name, ...rawArgs] of JSON.parse(process.argv[1])) {
  let out = '';
  process.stdout.write = (text) => { out += text; return true; };
  let error = null;
  await runCommand(commands[name], { rawArgs }).catch(({ name, message }) => { error = { name, message }; });
  outcomes.push({ out, error });
}
write(JSON.stringify(outcomes));
process.exitCode = 0;
`;

export function datasetCommands(commands: readonly (readonly string[])[]): Promise<Outcome[]> {
  const node = join(root, 'node_modules/.bin/node');
  const child = spawn(node, ['--input-type=module', '-e', RUNNER, JSON.stringify(commands)], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '' },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(err))));
  });
}
