/** Files that hold judged texts, replies or hashes of keys: readable by nobody but the user who runs Remand. */
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of a file that is made: its owner reads and writes it. */
export const PRIVATE_FILE = 0o600;
/** Of a folder that is made. */
export const PRIVATE_FOLDER = 0o700;

/** What everybody on the machine may do. */
const OTHERS = 0o007;

/**
 * Makes the file, empty, and its folders where they do not exist yet. SQLite gives the files beside it (`-wal`, `-shm`) the
 * same mode (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode). A file that was there before keeps its
 * content and its group; everybody else on the machine loses access.
 *
 * @throws where it cannot be opened for writing
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const file = openSync(path, 'a', PRIVATE_FILE);
  try {
    const { mode, uid } = fstatSync(file);
    // Only its owner may change the mode.
    if (mode & OTHERS && uid === process.getuid?.()) fchmodSync(file, mode & 0o777 & ~OTHERS);
  } finally {
    closeSync(file);
  }
}
