/** A progress bar on a terminal, and nothing anywhere else: standard error, so that the output stays clean. */
import cliProgress from 'cli-progress';
import { escapeControls } from '../records/index.ts';

interface ProgressBar {
  update(done: number, note?: string): void;
  stop(): void;
}

/** @param total null where it is not known beforehand */
export function showProgress(what: string, total: number | null): ProgressBar {
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
    update: (done, note = '') => bar.update(done, { note: escapeControls(note) }),
    stop: () => bar.stop(),
  };
}
