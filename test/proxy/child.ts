/** The proxy in a process of its own, as `remand serve` starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { exchange, until } from './servers.ts';

const CLI = fileURLToPath(new URL('../../src/cli/remand.ts', import.meta.url));

export interface ChildProxy {
  readonly child: ChildProcess;
  readonly url: string;
  /** Seconds of CPU that it took until the first 200 of `/remand/ready`. */
  readonly cpuSeconds: number;
}

/** @param folder where it runs; the settings are all that it has */
export async function startChild(folder: string, settings: Record<string, string>): Promise<ChildProxy> {
  const child = spawn(process.execPath, [CLI, 'serve', '--json'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  await until(() => out.includes('\n'), 'the server has started');
  const { url } = JSON.parse(out);
  expect((await exchange(`${url}/remand/ready`)).status).toBe(200);
  const metrics = (await exchange(`${url}/remand/metrics`)).body.toString();
  const cpuSeconds = Number(/^process_cpu_seconds (\S+)$/m.exec(metrics)?.[1]);
  return { child, url, cpuSeconds };
}
