/**
 * `npm run pipeline:sample`: the whole way from questions to a detector that is asked, on the shipped sample, each
 * step the command a user would give. Sandbox judge, written-down teacher, a tiny model on the CPU: what comes out
 * shows that the joints hold, and nothing about judges or detectors.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPython, installPython, serverOf } from '../test/training/python.ts';
import { serveTeacher } from './teacher.ts';

const ROOT = join(import.meta.dirname, '..');
const SAMPLE = join(ROOT, 'training-data/sample');
/** Milliseconds until the tiny model must be up: torch takes long to load on a busy machine. */
const LOADING = 180_000;

const { values: options } = parseArgs({
  options: {
    'without-training': { type: 'boolean', default: false },
    out: { type: 'string' },
    steps: { type: 'string', default: '3' },
  },
});

/** @returns what it wrote to standard output */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, HF_HUB_OFFLINE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${code}\n${err}${out}`);
  return out;
}

const remand = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [join(ROOT, 'src/cli/remand.ts'), ...args], env);

function tell(step: string, said: string): void {
  process.stdout.write(`\n== ${step}\n${said.trim()}\n`);
}

async function data(folder: string): Promise<string> {
  const dataset = join(folder, 'dataset');
  const base = ['--bias', 'bandwagon', '--twins', '--from', join(SAMPLE, 'word-problems.jsonl')];
  tell('remand dataset build', await remand(['dataset', 'build', ...base, '--out', dataset]));
  tell('remand dataset judge', await remand(['dataset', 'judge', '--in', dataset, '--judge', 'sandbox']));
  tell('remand dataset label', await remand(['dataset', 'label', '--in', dataset]));
  const teacher = await serveTeacher(join(SAMPLE, 'teacher.jsonl'));
  const distilled = join(folder, 'distilled');
  try {
    const from = ['--in', dataset, '--teacher', `written-down@${teacher.url}`, '--dedupe', 'none'];
    tell('remand distill', await remand(['distill', ...from, '--out', distilled]));
  } finally {
    teacher.close();
  }
  const exported = join(folder, 'exported');
  const to = ['--out', exported, '--format', 'completion,openai'];
  tell('remand export', await remand(['export', '--in', distilled, ...to]));
  return exported;
}

async function train(python: string, folder: string, examples: string): Promise<string> {
  const [tiny, trained] = [join(folder, 'tiny'), join(folder, 'trained')];
  await run(python, [join(ROOT, 'test/training/tiny.py'), examples, tiny]);
  const data = ['--model', tiny, '--train', examples, '--out', trained, '--max-steps', options.steps];
  const speed = ['--learning-rate', '0.01', '--batch', '4', '--accumulate', '1', '--no-checkpointing'];
  tell('train.py', await run(python, [join(ROOT, 'training-data/recipes/train.py'), ...data, ...speed]));
  return trained;
}

async function ask(python: string, model: string, rows: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const at = ['--host', '127.0.0.1', '--port', String(port), '--device', 'cpu'];
  const server = spawn(serverOf(python), ['serve', model, ...at], {
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
    stdio: 'ignore',
  });
  try {
    const deadline = Date.now() + LOADING;
    const up = () =>
      fetch(`${url}/health`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await up())) {
      if (Date.now() > deadline || server.exitCode !== null)
        throw new Error('transformers serve did not start');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const question = [
      'eval',
      'detector',
      '--rows',
      rows,
      '--detector',
      'rbd',
      '--concurrency',
      '1',
      '--json',
    ];
    const said = JSON.parse(await remand(question, { RBD_BASE_URL: url, RBD_MODEL: model }));
    const { n, unreadable, accuracy } = said.rbd.overall;
    tell('remand eval detector', JSON.stringify({ n, unreadable, accuracy }));
  } finally {
    server.kill('SIGKILL');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

const folder = options.out ?? mkdtempSync(join(tmpdir(), 'remand-pipeline-'));
const exported = await data(folder);
if (options['without-training']) tell('training', 'left out, as asked');
else {
  if (findPython(process.env.TRAINING_PYTHON) === null) {
    tell(
      'training',
      'installing torch, transformers and TRL (over 2 GB, minutes; TRAINING_PYTHON names one that has them)',
    );
    installPython();
  }
  const python = findPython(process.env.TRAINING_PYTHON);
  if (python === null || !existsSync(python)) throw new Error(`there is no Python interpreter at ${python}`);
  const trained = await train(python, folder, join(exported, 'completion/train.jsonl'));
  await ask(python, trained, join(folder, 'distilled/test.jsonl'));
}
