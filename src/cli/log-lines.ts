/** The log on standard error, the lines of one moment in one write: who writes to a pipe waits until that is done. */
import { tell } from './terminal.ts';

/** How long a line waits for others, in milliseconds. */
const MOMENT_MS = 10;

/** @returns to be called with a whole line, its end included; what waits is written when the process ends, too */
export function createLineLogger(): (line: string) => void {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') tell(waiting);
    waiting = '';
  };
  process.once('exit', write);
  return (line) => {
    waiting += line;
    timer ??= setTimeout(write, MOMENT_MS).unref();
  };
}
