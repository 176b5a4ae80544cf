/** Progress on standard error, so that the output stays clean: a bar on a terminal, elsewhere a line now and then. */
import cliProgress, { type Options, type Params } from 'cli-progress';
import { type Clock, systemClock } from '../ports.ts';
import { escapeControls } from '../records/index.ts';
import { tell } from './terminal.ts';

export interface ProgressBar {
  update(done: number, note?: string): void;
  stop(): void;
}

/** @param total null where it is not known beforehand */
export function showProgress(what: string, total: number | null): ProgressBar {
  if (!process.stderr.isTTY) return writeProgress(what, total, tell, systemClock);
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: (
      { barCompleteString = '', barIncompleteString = '', barsize = 0 }: Options,
      params: Params,
      { note },
    ) => {
      const full = Math.round(params.progress * barsize);
      const drawn = barCompleteString.slice(0, full) + barIncompleteString.slice(0, barsize - full);
      return formatProgress(what, total, {
        drawn,
        note: String(note),
        done: params.value,
        seconds: (Date.now() - params.startTime) / 1000,
      });
    },
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  });
  bar.start(total ?? 0, 0, { note: '' });
  return {
    update: (done, note = '') => bar.update(done, { note: escapeControls(note) }),
    stop: () => bar.stop(),
  };
}

/** A short run writes nothing. */
const FIRST_LINE_MS = 10_000;
const LONGEST_MS = 300_000;

/**
 * A line after ten seconds, the next after twice the time, and so on, at least every five minutes: a log shows that the run
 * goes on, and is not filled by it.
 *
 * @param write takes a line with its end
 */
export function writeProgress(
  what: string,
  total: number | null,
  write: (line: string) => void,
  clock: Clock,
): ProgressBar {
  const began = clock.elapsed();
  let [next, pause] = [began + FIRST_LINE_MS, FIRST_LINE_MS];
  return {
    update(done, note = '') {
      const now = clock.elapsed();
      if (now < next) return;
      pause = Math.min(2 * pause, LONGEST_MS);
      next = now + pause;
      write(`${formatProgress(what, total, { drawn: '', done, seconds: (now - began) / 1000, note })}\n`);
    },
    stop() {},
  };
}

interface ProgressState {
  /** The bar; empty for none. */
  readonly drawn: string;
  readonly done: number;
  /** Since the start. */
  readonly seconds: number;
  readonly note: string;
}

/**
 * How many of how many, how many each second (or minute), and how long the rest takes at that rate.
 *
 * @example formatProgress('verdicts', 90, { drawn: '██░░', done: 30, seconds: 10, note: '2 failed' })
 * // 'verdicts ██░░ 30/90, 3.0 per second, 20s left, 2 failed'
 */
export function formatProgress(
  what: string,
  total: number | null,
  { drawn, done, seconds, note }: ProgressState,
): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const pace =
    rate === 0 ? [] : [rate < 1 ? `${(60 * rate).toFixed(1)} per minute` : `${rate.toFixed(1)} per second`];
  const left = total === null || rate === 0 ? [] : [`${formatTime((total - done) / rate)} left`];
  const count =
    total === null ? `${what} ${done}` : `${what} ${drawn === '' ? '' : `${drawn} `}${done}/${total}`;
  return [count, ...pace, ...left, ...(note === '' ? [] : [note])].join(', ');
}

function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  const minutes = Math.round(whole / 60);
  return minutes < 60 ? `${minutes}min` : `${Math.floor(minutes / 60)}h ${minutes % 60}min`;
}
