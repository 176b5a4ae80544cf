/**
 * What the commands in the documentation find when they run: servers in place of those that the pages name, and a folder
 * with the files that a reader would have.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyLimits } from '../../src/evaluate/card/measure-card.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { startServer } from '../../src/proxy/server.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/index.ts';
import { bodyOf, serve } from '../models/server.ts';
import { bundledProgram, COMPILED } from '../program.ts';
import { keyOf } from '../proxy/servers.ts';
import { ROOT } from './blocks.ts';

/** Rows of each sample that are used. */
const ROWS = 4;

export interface StandIns {
  /** A command with the addresses of the servers here in place of those that it names. */
  readonly redirect: (code: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** A new folder with the files. */
  openFolder(): string;
}

async function startProxy(closing: AsyncDisposableStack, settings: Record<string, string>): Promise<string> {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', REMAND_TRACES: ':memory:', ...settings });
  const server = await startServer(config, () => undefined);
  closing.defer(() => server.close());
  return server.url;
}

/** A reasoning model that thinks and says Yes or No, as the label in its prompt's case happens to be drawn. */
async function startTeacher(closing: AsyncDisposableStack): Promise<string> {
  const server = await serve(async (request, response) => {
    const body = await bodyOf(request);
    const message = {
      role: 'assistant',
      content: body.length % 2 === 0 ? 'Yes' : 'No',
      reasoning_content: 'The statement names what most people prefer.',
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  });
  closing.defer(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** @param closing what ends the servers and removes the files */
export async function startStandIns(closing: AsyncDisposableStack): Promise<StandIns> {
  const root = mkdtempSync(join(tmpdir(), 'remand-docs-'));
  closing.defer(() => rmSync(root, { recursive: true, force: true }));
  const admin = await keyOf('admin', ['admin']);
  const [judge, proxy, guarded, teacher] = await Promise.all([
    startProxy(closing, { REMAND_MODE: 'off' }),
    startProxy(closing, {}),
    startProxy(closing, { REMAND_ACCESS: 'keys', REMAND_KEYS: JSON.stringify([admin.record]) }),
    startTeacher(closing),
  ]);
  const records = await judgeSome(proxy);
  const files = writeFiles(records);
  const program = bundledProgram();
  writeTools(join(root, 'bin'), program);
  return {
    redirect: (code) =>
      code
        .replaceAll(/https:\/\/(?:api\.deepseek\.com|…)/g, teacher)
        .replaceAll(
          /https:\/\/(?:api\.openai\.com|api\.anthropic\.com|generativelanguage\.googleapis\.com)/g,
          judge,
        )
        .replaceAll('http://localhost:8000', judge)
        .replaceAll('https://remand.example', guarded)
        .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):8787(?=\/remand\/audits)/g, guarded)
        .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):8787/g, proxy),
    env: {
      PATH: `${join(root, 'bin')}:${process.env.PATH ?? ''}`,
      ...COMPILED,
      HOME: root,
      GITHUB_STEP_SUMMARY: join(root, 'summary.md'),
      JUDGE_API_KEY: 'sk-none',
      OPENAI_API_KEY: 'sk-none',
      ANTHROPIC_API_KEY: 'sk-none',
      GEMINI_API_KEY: 'none',
      KEY: admin.key,
      ADMIN: admin.key,
    },
    openFolder() {
      const folder = mkdtempSync(join(root, 'block-'));
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(folder, name, '..'), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return folder;
    },
  };
}

/** Twelve judgments of different sums, each labelled by a person. Their records, a line each. */
async function judgeSome(proxy: string): Promise<string> {
  const send = async (path: string, body: string) => {
    const reply = await fetch(proxy + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (!reply.ok) throw new Error(await reply.text());
    return reply;
  };
  const requests = Array.from({ length: COUNT }, (_, index) => requestOf(index));
  await Promise.all(requests.map((request) => send('/v1/chat/completions', request)));
  const records = await (await fetch(`${proxy}/remand/records`)).text();
  const labels = linesOf(records).map(({ item, choice }) => ({
    item,
    label: choice,
    annotator: 'anna',
    random: true,
  }));
  await send('/remand/labels', toLines([...new Map(labels.map((label) => [label.item, label])).values()]));
  return records;
}

const COUNT = 12;
const requestOf = (index: number) => JSON.stringify(SANDBOX_DEMO).replaceAll('*23', `*${index + 23}`);

interface RecordLine {
  readonly item: string;
  readonly order: string;
  readonly choice: number;
}
const linesOf = (text: string): RecordLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const toLines = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');

/** By name: what the pages take for granted. */
function writeFiles(records: string): Readonly<Record<string, string>> {
  const sample = (name: string) =>
    readFileSync(join(ROOT, 'training-data/sample', name), 'utf8')
      .split('\n')
      .slice(0, ROWS)
      .join('\n');
  const samples = ['arithmetic', 'instructions', 'papers', 'submissions'].map((name) => `${name}.jsonl`);
  const requests = Array.from({ length: COUNT }, (_, index) => JSON.parse(requestOf(index)));
  const ranked = linesOf(records).map((line, index) => ({
    ...line,
    contestants: [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ][index % 3],
    choice: index % 2,
  }));
  const items = Array.from({ length: 40 }, (_, i) => i);
  return {
    ...Object.fromEntries(samples.map((name) => [`training-data/sample/${name}`, sample(name)])),
    'my-cases.jsonl': sample('arithmetic.jsonl'),
    'cases.jsonl': sample('arithmetic.jsonl'),
    'papers.jsonl': sample('papers.jsonl'),
    'requests.jsonl': toLines(requests),
    'results.json': JSON.stringify(requests),
    'log.jsonl': toLines(
      requests.map((body) => ({ body, response: { choices: [{ message: { content: 'Output (a)' } }] } })),
    ),
    'anchors.jsonl': toLines(requests.slice(0, 3).map((body) => ({ body }))),
    'may.jsonl': toLines(items.map((i) => ({ item: `q${i}`, judge: 'm', score: i % 7 }))),
    'june.jsonl': toLines(items.map((i) => ({ item: `q${i}`, judge: 'm', score: (i % 7) + (i % 2) }))),
    'judgments.jsonl': toLines(ranked),
    'labels.jsonl': toLines(
      [...new Set(linesOf(records).map(({ item }) => item))].map((item, index) => ({
        item,
        label: index % 2,
      })),
    ),
    'verdicts.jsonl': toLines(
      items.map((i) => ({ model: 'm', i, pref: (i % 10) / 10 + 0.05, chars: 900 + 37 * i })),
    ),
    'instructions.jsonl': toLines(
      items.map((i) => ({ i, baseline_chars: 1000 + 11 * i, difficulty_est: (i % 5) - 2 })),
    ),
    'prices.json': JSON.stringify({ 'gpt-4.1-mini': { input: 0.4, output: 1.6 } }),
    // No judge is beyond these.
    'card.limits.json': JSON.stringify(
      Object.fromEntries(applyLimits({}).map(({ name, kind }) => [name, kind === 'least' ? 0 : 1])),
    ),
  };
}

/**
 * `npx remand` and `npm start` of this checkout; a server is stopped as soon as it says where it listens. `npm ci` has
 * been done. Nothing else of npm is at hand, and no other package.
 */
function writeTools(bin: string, entry: string): void {
  mkdirSync(bin);
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  write(
    'npx',
    `#!/bin/sh
[ "$1" = remand ] || { echo "npx $1 is not at hand" >&2; exit 64; }
shift
case "$*" in serve* | "try --keep") exec serve-once "$@" ;; esac
exec "${process.execPath}" "${entry}" "$@"
`,
  );
  write(
    'npm',
    `#!/bin/sh
case "$*" in
  ci) ;;
  start) exec serve-once serve ;;
  *) echo "npm $* is not at hand" >&2; exit 64 ;;
esac
`,
  );
  write(
    'serve-once',
    `#!${process.execPath}
const { spawn } = require('node:child_process');
const server = spawn(process.execPath, [${JSON.stringify(entry)}, ...process.argv.slice(2)], { env: { ...process.env, PORT: '0' } });
let text = '';
for (const stream of [server.stdout, server.stderr])
  stream.on('data', (part) => {
    text += part;
    if (/http:\\/\\/\\S+:\\d+/.test(text)) server.kill();
  });
server.on('exit', (code, signal) => {
  process.stderr.write(text);
  process.exitCode = signal === 'SIGTERM' ? 0 : code;
});
`,
  );
}
