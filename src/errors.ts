/** The root of every error of Remand's own, and the one for input that is wrong. The message says what, where, and what to do. */

export class RemandError extends Error {
  override name = 'RemandError';
}

/** The caller's input is wrong; `field` names the part of it that is. */
export class InputError extends RemandError {
  override name = 'InputError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}

/** What went wrong, in words. Anything can be thrown, not only errors. */
export const describeError = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
