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

/** Of errors about a file whose path the message around them says. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not read or write it',
  EROFS: 'its disk can only be read',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};

/** What went wrong, in words. Anything can be thrown, not only errors. */
export function describeError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const isOfFile = 'code' in cause && ('path' in cause || ('syscall' in cause && cause.syscall === 'read'));
  return (isOfFile && FILE_ERRORS[String(cause.code)]) || cause.message;
}
