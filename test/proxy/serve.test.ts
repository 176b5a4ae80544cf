/** `remand serve`, as a newcomer starts it: in a process of its own. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { type Program, type ProgramOptions, SOURCES, startProgram } from '../program.ts';
import { exchange, until } from './servers.ts';

/** In an empty folder, with nothing of this machine's settings. */
function serve(
  args: string[],
  env: Record<string, string> = {},
  { configFile, ...options }: ProgramOptions & { readonly configFile?: string | undefined } = {},
): Program {
  const cwd = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  if (configFile !== undefined) writeFileSync(join(cwd, 'remand.config.json'), configFile);
  const program = startProgram(['serve', ...args], { ...options, cwd, env: { PORT: '0', ...env } });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
}

test('with nothing set: the sandbox answers, the printed request works, and the loop is seen', async () => {
  const { child, out, err, ended } = serve(['--json'], {}, { script: SOURCES });
  await until(() => out().includes('\n'), 'the server has started');
  const { url, judge, detector } = JSON.parse(out());
  expect({ judge, detector }).toEqual({ judge: 'sandbox', detector: 'probe' });
  await until(() => err().includes('curl'), 'a request to try is printed');
  expect(err()).toContain('sandbox judge');
  const [, printed = ''] = /-d '(.*)'/s.exec(err()) ?? [];
  expect(JSON.parse(printed.replaceAll("'\\''", "'"))).toEqual(SANDBOX_DEMO);
  const answer = await exchange(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(SANDBOX_DEMO),
  });
  expect(answer.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': 'bandwagon' });
  expect((await exchange(`${url}/remand/traces/${answer.headers['x-remand-trace']}`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(out().trim().split('\n')).toHaveLength(1);
});

test.each<[string, string[], Record<string, string>, string | undefined]>([
  ['REMAND_ROUNDS', [], { REMAND_ROUNDS: 'many' }, undefined],
  ['PORT', ['--port', 'x'], {}, undefined],
  ['REMAND_MOOD', [], {}, '{"REMAND_MOOD": "good"}'],
  ['remand.config.json', [], {}, '{oops'],
])('a mistake in %s ends it with 2 and names it', async (field, args, env, configFile) => {
  const { err, ended } = serve(args, env, { configFile });
  expect(await ended).toBe(2);
  expect(err()).toContain(field);
  expect(err()).not.toMatch(/^\s+at /m);
});

test.runIf(process.platform === 'linux').each<[string, string[], string]>([
  [
    'by itself',
    [],
    '--max-semi-space-size=8 --heap-growing-percent=30 --no-allocation-site-pretenuring --expose-gc',
  ],
  ['as its operator says', ['--max-semi-space-size=32'], '--max-semi-space-size=32'],
])('it bounds the heap %s, in the process that was started', async (_how, flags, expected) => {
  const { child, out } = serve(['--json'], {}, { flags, script: SOURCES });
  await until(() => out().includes('\n'), 'the server has started');
  const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
  expect(words.slice(1, words.indexOf(SOURCES)).join(' ')).toBe(expected);
});

test('a port that is taken ends it with 1', async () => {
  const first = serve(['--json'], { REMAND_TRACES: 'off' });
  await until(() => first.out().includes('\n'), 'the first has started');
  const { port } = new URL(JSON.parse(first.out()).url);
  const second = serve([], { PORT: port, REMAND_TRACES: 'off' });
  expect(await second.ended).toBe(1);
  expect(second.err()).toMatch(/EADDRINUSE|in use/);
});

test('a log that nobody reads any more is counted, and ends nothing', async () => {
  const { child, out, ended } = serve(['--json'], { REMAND_TRACES: 'off' });
  await until(() => out().includes('\n'), 'the server has started');
  const { url } = JSON.parse(out());
  child.stdout.destroy();
  child.stderr.destroy();
  const body = JSON.stringify(SANDBOX_DEMO);
  await until(async () => {
    const answer = await exchange(`${url}/v1/chat/completions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    const metrics = await exchange(`${url}/remand/metrics`);
    return /^remand_not_stored_total [2-9]$/m.test(metrics.body.toString());
  }, 'each write that failed is counted');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('npx can run it from a checkout: the file is executable', () => {
  expect(statSync(SOURCES).mode & 0o111).toBe(0o111);
});
