/** Anchors by paper and model in a file of their own, so that memory does not grow with the papers. For Node. */
import * as z from 'zod';
import { makePrivate, openSqlite } from '../../records/node.ts';

/** A review that a model wrote of a paper, to be compared with. */
export const anchorRecord = z.object({
  paper: z.string().min(1),
  model: z.string().min(1),
  /** Null where none could be had. */
  text: z.string().nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable().default(null),
});
export type Anchor = z.output<typeof anchorRecord>;

export interface AnchorShelf {
  put(anchor: Anchor): void;
  /** @returns null where there is none of that paper by that model */
  get(paper: string, model: string): Anchor | null;
  /** Whose anchors it holds, in the order in which they came. */
  models(): string[];
  close(): void;
}

const named = z.object({ model: z.string() });

/** @param path of the file; what it held before is gone: the anchors are in the call store and in `anchors.jsonl` */
export function openAnchorShelf(path: string): AnchorShelf {
  if (path !== ':memory:') makePrivate(path);
  const database = openSqlite(path, (opened) => {
    // Made anew by each run, so that a crash loses nothing that is not written again.
    opened.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; DROP TABLE IF EXISTS anchors');
    opened.exec(
      'CREATE TABLE anchors (paper TEXT, model TEXT, text TEXT, error TEXT, PRIMARY KEY (paper, model))',
    );
  });
  const put = database.prepare(
    'INSERT INTO anchors (paper, model, text, error) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text, error = excluded.error',
  );
  const get = database.prepare('SELECT paper, model, text, error FROM anchors WHERE paper = ? AND model = ?');
  const models = database.prepare('SELECT model FROM anchors GROUP BY model ORDER BY min(rowid)');
  return {
    put: ({ paper, model, text, error }) => void put.run(paper, model, text, error),
    get(paper, model) {
      const found = get.get(paper, model);
      return found ? anchorRecord.parse(found) : null;
    },
    models: () =>
      z
        .array(named)
        .parse(models.all())
        .map(({ model }) => model),
    close: () => database.close(),
  };
}
