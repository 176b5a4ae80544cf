/** What a process takes under load: resident memory, from its start on, and CPU time. Linux: /proc. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { load, type Target } from './load.ts';

export interface Look {
  /** Since the load began. */
  readonly seconds: number;
  readonly mib: number;
  /** Requests answered in the time since the look before. */
  readonly answered: number;
}

/** @param looks how many, evenly over the time; the first comes before the load */
export async function memoryOver(
  pid: number,
  target: Target,
  { connections, seconds, looks }: { connections: number; seconds: number; looks: number },
): Promise<Look[]> {
  const each = seconds / looks;
  const seen: Look[] = [{ seconds: 0, mib: await resident(pid), answered: 0 }];
  for (let look = 1; look <= looks; look++) {
    const { answered } = await load(target, { connections, seconds: each });
    seen.push({ seconds: look * each, mib: await resident(pid), answered });
  }
  return seen;
}

/** proc(5), `VmRSS` in kB. */
async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Milliseconds of CPU, in the kernel and out of it, of all threads: proc(5), `stat`, fields 14 and 15. */
export async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return (((user ?? Number.NaN) + (system ?? Number.NaN)) * 1_000) / ticksPerSecond;
}
