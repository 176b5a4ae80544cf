/**
 * Finds texts that are nearly the same as one seen before, among hundreds of thousands (MinHash; Broder 1997), in
 * memory that does not grow with them.
 */

import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

export interface SimilarityIndex {
  /**
   * The number of a text, the same for the same text (case and spacing apart), and the numbers of those seen
   * before that resemble it as much as the threshold or more.
   */
  add(text: string): { readonly text: number; readonly like: readonly number[] };
}

/** Texts compared with one text: those that share the most bands. A limit for data that is all of one template. */
const COMPARED = 32;
/** Texts looked at in one band, the earliest, for the same reason. */
const MET = 256;

const numbered = z.object({ id: z.number() });
const kept = z.object({ plain: z.string() });

/**
 * @param notes where the texts are kept
 * @param threshold resemblance in (0, 1] from which two texts are nearly the same; 1 for the same shingles
 */
export function createSimilarityIndex(notes: DatabaseSync, threshold: number): SimilarityIndex {
  notes.exec(`
    CREATE TABLE texts (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, plain TEXT NOT NULL);
    CREATE TABLE bands (band INTEGER, hash INTEGER, id INTEGER, PRIMARY KEY (band, hash, id)) WITHOUT ROWID;
    CREATE TABLE likes (one INTEGER, id INTEGER, PRIMARY KEY (one, id)) WITHOUT ROWID`);
  const rows = chooseBandRows(threshold);
  const find = notes.prepare('SELECT id FROM texts WHERE key = ?');
  const read = notes.prepare('SELECT plain FROM texts WHERE id = ?');
  const keep = notes.prepare('INSERT INTO texts (key, plain) VALUES (?, ?)');
  const meet = notes.prepare(`SELECT id FROM bands WHERE band = ? AND hash = ? ORDER BY id LIMIT ${MET}`);
  const keepBand = notes.prepare('INSERT INTO bands (band, hash, id) VALUES (?, ?, ?)');
  const likes = notes.prepare('SELECT id FROM likes WHERE one = ? ORDER BY id');
  const keepLike = notes.prepare('INSERT INTO likes (one, id) VALUES (?, ?)');

  const compared = (shingles: ReadonlySet<number>, bands: readonly number[]) => {
    const shared = new Map<number, number>();
    for (const [band, hash] of bands.entries())
      for (const found of meet.iterate(band, hash)) {
        const { id } = numbered.parse(found);
        shared.set(id, (shared.get(id) ?? 0) + 1);
      }
    const likeliest = [...shared]
      .filter(([, bands]) => bands >= SHARED_BANDS)
      .toSorted(([a, x], [b, y]) => y - x || a - b)
      .slice(0, COMPARED);
    return likeliest
      .map(([id]) => id)
      .filter((id) => computeResemblance(shingles, cutShingles(kept.parse(read.get(id)).plain)) >= threshold);
  };

  return {
    add(text) {
      const plain = normaliseText(text);
      const key = hashText(plain);
      const known = find.get(key);
      if (known) {
        const { id } = numbered.parse(known);
        return { text: id, like: likes.all(id).map((one) => numbered.parse(one).id) };
      }
      const shingles = cutShingles(plain);
      const bands = computeBands(computeSignature(shingles), rows);
      const like = compared(shingles, bands);
      const id = Number(keep.run(key, plain).lastInsertRowid);
      for (const [band, hash] of bands.entries()) keepBand.run(band, hash, id);
      for (const other of like) {
        keepLike.run(id, other);
        keepLike.run(other, id);
      }
      return { text: id, like };
    },
  };
}

/** Characters of a shingle: short enough for languages that write no spaces. */
const WIDTH = 5;
/** Hash functions of a signature. */
const SIGNATURE_LENGTH = 128;

/** The text without what does not make two questions different: case, spacing, and Unicode's other spellings. */
export function normaliseText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** @returns the distinct hashes of all runs of five characters; of a shorter text, its own */
export function cutShingles(text: string): Set<number> {
  const plain = normaliseText(text);
  const found = new Set<number>();
  for (let start = 0; start <= Math.max(0, plain.length - WIDTH); start++) {
    // FNV-1a.
    let hash = 0x811c9dc5;
    const end = Math.min(plain.length, start + WIDTH);
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ plain.charCodeAt(at), 0x01000193);
    found.add(hash >>> 0);
  }
  return found;
}

/** Shared part of all shingles of both, in [0, 1] (Jaccard). */
export function computeResemblance(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** @returns the least value of each hash function over the set: two sets agree in each with their resemblance's chance */
export function computeSignature(shingles: ReadonlySet<number>): Uint32Array {
  const least = new Uint32Array(SIGNATURE_LENGTH).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let i = 0; i < SIGNATURE_LENGTH; i++) {
      // One well mixed hash each: the finaliser of MurmurHash3 over the shingle and the function's number.
      let hash = shingle ^ Math.imul(i + 1, 0x9e3779b1);
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      hash = (hash ^ (hash >>> 16)) >>> 0;
      if (hash < (least[i] ?? 0)) least[i] = hash;
    }
  }
  return least;
}

/** Bands that two texts must share to be compared: one is often shared by chance where texts follow a template. */
const SHARED_BANDS = 2;

/**
 * How a signature is cut into bands so that sets of this resemblance share two bands with a chance of .99 or more,
 * 1 - (1 - p)^b - b p (1 - p)^(b - 1) where p = s^r, at the fewest accidental meetings.
 *
 * @returns r, the hash values of a band
 */
export function chooseBandRows(threshold: number): number {
  const missed = (rows: number) => {
    const [bands, p] = [SIGNATURE_LENGTH / rows, threshold ** rows];
    return (1 - p) ** bands + bands * p * (1 - p) ** (bands - 1);
  };
  return [16, 8, 4, 2].find((rows) => missed(rows) <= 0.01) ?? 1;
}

/** One number for each band. */
function computeBands(signature: Uint32Array, rows: number): number[] {
  return Array.from({ length: SIGNATURE_LENGTH / rows }, (_, band) => {
    let hash = 0x811c9dc5;
    for (const value of signature.subarray(band * rows, (band + 1) * rows)) {
      hash = Math.imul(hash ^ value, 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    }
    return hash >>> 0;
  });
}

// What must be remembered of every row, kept on the disk so that memory does not grow with the rows. For Node.

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
