/** The proxy in a process of its own, as `remand serve` starts it. */
import { expect, onTestFinished } from 'vitest';
import { type Program, startProgram } from '../program.ts';
import { exchange, until } from './servers.ts';

export interface ChildProxy extends Program {
  readonly url: string;
  /** Seconds of CPU that it took until the first 200 of `/remand/ready`. */
  readonly cpuSeconds: number;
}

/** @param cwd where it runs; the settings are all that it has */
export async function startChild(cwd: string, settings: Record<string, string>): Promise<ChildProxy> {
  const program = startProgram(['serve', '--json'], { cwd, env: { PORT: '0', ...settings } });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await until(() => program.out().includes('\n'), 'the server has started');
  const { url } = JSON.parse(program.out());
  expect((await exchange(`${url}/remand/ready`)).status).toBe(200);
  const metrics = (await exchange(`${url}/remand/metrics`)).body.toString();
  const cpuSeconds = Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
  return { ...program, url, cpuSeconds };
}
