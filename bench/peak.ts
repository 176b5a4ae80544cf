/** A command as a user starts it, a process of its own: how long it takes, and the peak of its resident memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Milliseconds between two looks at a process: its peak can only rise, so that only its last moments go unseen. */
const LOOK = 10;

/**
 * V8 lets garbage lie until a limit that it raises with the garbage: a longer run would look bigger than it is.
 * Within a small heap what is held shows, and what grows without end ends the process.
 */
const HEAP = ['--max-old-space-size=128', '--max-semi-space-size=8'];

export interface Peak {
  readonly seconds: number;
  /** VmHWM, in MiB. Linux only. */
  readonly peak_mib: number;
}

/** @param words of the command line, after `remand` */
export async function peakOf(words: readonly string[]): Promise<Peak> {
  const script = fileURLToPath(new URL('../src/cli/remand.ts', import.meta.url));
  const begun = performance.now();
  const child = spawn(process.execPath, [...HEAP, script, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const look = async () => {
    // Gone between the look and the reading: the process has ended.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
  };
  const looking = setInterval(look, LOOK);
  const [code] = await once(child, 'close');
  clearInterval(looking);
  if (code !== 0) throw new Error(`remand ${words.slice(0, 2).join(' ')} ended with ${code}`);
  if (peak === 0) throw new Error('no peak of memory was read: /proc is Linux');
  return { seconds: (performance.now() - begun) / 1000, peak_mib: Math.round(peak / 1024) };
}
