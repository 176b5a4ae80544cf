/** Resident memory of a process under load, from its start on. Linux: /proc. */
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
    const { perSecond } = await load(target, { connections, seconds: each });
    seen.push({ seconds: look * each, mib: await resident(pid), answered: Math.round(perSecond * each) });
  }
  return seen;
}

/** proc(5), `VmRSS` in kB. */
async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
