/**
 * The whole thing at the edge, as `npm run dev:edge` starts it: migrations applied to a real local D1, then a request, its
 * revised verdict, its trace, what was counted, and the page that tells of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_DEMO } from '../../src/judge/sandbox.ts';
import { until } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The two commands of the script, each with what keeps a test to itself. */
function commands(): [string[], string[]] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [migrate = '', dev = ''] = String(scripts['dev:edge']).split(' && ');
  return [migrate.split(' ').slice(1), dev.split(' ').slice(1)];
}

function wrangler(args: string[]): { child: ChildProcess; said: () => string } {
  const child = spawn(join(ROOT, 'node_modules/.bin/wrangler'), args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  onTestFinished(() => {
    // wrangler leaves workerd behind unless the group ends as one.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (said += String(piece)));
  return { child, said: () => said };
}

test('request, revised verdict, trace in D1, metric, page', { timeout: 180_000 }, async () => {
  const state = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const [migrate, dev] = commands();
  const applying = wrangler([...migrate, '--persist-to', state]);
  const [code] = await once(applying.child, 'exit');
  expect(code, applying.said()).toBe(0);
  const { said } = wrangler([...dev, '--port', '0', '--inspector-port', '0', '--persist-to', state]);
  const started = () => /Ready on (http:\/\/\S+)/.exec(said())?.[1];
  const url = (await until(started, 'the Worker is ready', 90_000)).replace('localhost', '127.0.0.1');
  expect(await (await fetch(`${url}/remand/ready`)).json()).toEqual({ status: 'ready' });

  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(SANDBOX_DEMO),
  });
  expect(answer.headers.get('x-remand-status')).toBe('revised');
  const trace = `${url}/remand/traces/${answer.headers.get('x-remand-trace')}`;
  const story = await until(
    async () => {
      const found = await fetch(trace);
      return found.status === 200 ? found : null;
    },
    'the trace is in D1',
    20_000,
  );
  expect(await story.json()).toMatchObject({ status: 'revised', biases: ['bandwagon'] });
  const metrics = await (await fetch(`${url}/remand/metrics`)).text();
  expect(metrics).toContain('remand_requests_total{status="revised"} 1\n');
  const page = await (await fetch(`${url}/remand`, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain(`/remand/traces/${answer.headers.get('x-remand-trace')}`);
  expect(page).toContain('Output (a) → Output (b)');
});
