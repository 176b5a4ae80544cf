/** A command that ends before its work is done, without failure: it says what is to be done about it. */
import { RemandError } from '../errors.ts';

export abstract class EarlyEnd extends RemandError {
  override name = 'EarlyEnd';
  /** Whether the command can be started again at once. */
  readonly again: boolean = false;
  /** With `--json`: one document. */
  abstract readonly report: object;
}
