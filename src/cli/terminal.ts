/** What a command writes: names, models' words and file names may hold anything, and a terminal obeys control characters. */
import { printable } from '../records/control.ts';

/** Writes on standard output. JSON stays JSON of the same value. */
export function print(text: string): void {
  process.stdout.write(printable(text));
}

/** Writes on standard error: what is said beside the output. */
export function tell(text: string): void {
  process.stderr.write(printable(text));
}
