/** A progress bar on a terminal, and nothing anywhere else: standard error, so that the output stays clean. */
import cliProgress from 'cli-progress';
import { printable } from '../records/control.ts';

export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

/** @param total null where it is not known beforehand */
export function showProgress(what: string, total: number | null): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format:
      total === null ? `${what} {value} {note}` : `${what} {bar} {value}/{total} {eta_formatted} {note}`,
    hideCursor: true,
    etaBuffer: 50,
  });
  bar.start(total ?? 0, 0, { note: '' });
  return {
    update: (done, note = '') => bar.update(done, { note: printable(note) }),
    stop: () => bar.stop(),
  };
}
