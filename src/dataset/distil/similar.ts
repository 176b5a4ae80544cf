/**
 * Finding texts that are nearly the same as one seen before, among hundreds of thousands, with memory that does
 * not grow: bands and texts stand in a temporary database, and what the bands bring together is compared
 * shingle by shingle, so that what is found is no estimate.
 */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { hashText } from './notes.ts';
import {
  chooseBandRows,
  computeBands,
  computeResemblance,
  computeSignature,
  cutShingles,
  normaliseText,
  SHARED_BANDS,
} from './shingles.ts';

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
