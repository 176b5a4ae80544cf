/** What must be remembered of every row, kept on the disk so that memory does not grow with the rows. For Node. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** What SQLite may hold in memory, in KiB. */
const CACHE_KIB = 16 * 1024;

/** A database in a temporary file of SQLite's own, without a name: it goes when it is closed, or with the process. */
export function openNotes(): DatabaseSync {
  const notes = new DatabaseSync('');
  // Never committed and never read again, it needs no journal; it writes what the cache cannot hold.
  notes.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN`);
  return notes;
}

/** A text of any length as a short key, another for another text (SHA-256). */
export function hashText(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
