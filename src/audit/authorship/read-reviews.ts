/** Reviews from files: our own records as JSONL, and the published CSV and Parquet layout as it is. For Node. */
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { listFiles, readCsv, readJsonl } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';
import { isHuman, type Review, reviewRecord } from './review.ts';

/**
 * The published layout of arXiv 2502.19614: `<conference>.<subset>.<model>.csv`, with columns that differ by conference
 * and year. A row whose columns are shifted is named, never read as if it fitted.
 */
interface PublishedName {
  /** Such as `iclr2021`. */
  readonly venue: string;
  /** `calibration`, `test`, `extended`. */
  readonly subset: string;
  /** The model that wrote those of the reviews that a model wrote. */
  readonly model: string;
}

/** @returns null for a name of another form */
export function parsePublishedName(path: string): PublishedName | null {
  const found = /^([^.]+)\.([^.]+)\.(.+)\.(?:csv|parquet)$/i.exec(basename(path));
  const [, venue, subset, model] = found ?? [];
  return venue && subset && model
    ? { venue: venue.toLowerCase(), subset: subset.toLowerCase(), model }
    : null;
}

/** Which column is what, where a file's own names are not known. */
export interface ColumnNames {
  readonly paper?: string;
  readonly label?: string;
  readonly rating?: string;
  readonly id?: string;
  /** Joined in this order. */
  readonly text?: readonly string[];
}

const KNOWN = {
  paper: ['paper_id', 'paper', 'paperid', 'forum', 'submission_id', 'paper_number'],
  label: ['label', 'is_ai', 'ai_generated', 'generated', 'source', 'author', 'class'],
  rating: ['rating', 'recommendation', 'overall', 'overall_score', 'overall_rating', 'score'],
  id: ['review_id', 'id', 'note_id'],
  whole: ['review', 'review_text', 'clean_review', 'text', 'comments', 'comment'],
} as const;

/** Fields of the review forms of ICLR and NeurIPS from 2016 on that hold prose, in the order of the forms. */
const PROSE = [
  ...[
    'summary',
    'summary_of_the_paper',
    'paper_summary',
    'summary_of_contributions',
    'summary_and_contributions',
  ],
  ...['review', 'main_review', 'qualitative_assessment', 'comments', 'strengths', 'weaknesses'],
  ...[
    'strength_and_weaknesses',
    'strengths_and_weaknesses',
    'correctness',
    'clarity',
    'relation_to_prior_work',
  ],
  ...['clarity_quality_novelty_and_reproducibility', 'summary_of_the_review', 'questions', 'limitations'],
  ...['limitations_and_societal_impact', 'additional_feedback', 'additional_comments'],
];

/** @returns a review, or why the row is none, in words */
type RowReader = (row: Readonly<Record<string, unknown>>, where: string) => Review | string;

/**
 * @param names of the file's columns
 * @param own in place of what is known
 * @returns why the file cannot be read, in words, where a column that is needed cannot be told
 */
function createPublishedReader(
  { venue, subset, model }: PublishedName,
  names: readonly string[],
  own: ColumnNames = {},
): RowReader | string {
  const plain = new Map(names.map((name) => [name.toLowerCase().replace(/[\s-]+/g, '_'), name]));
  const first = (known: readonly string[]) => known.flatMap((one) => plain.get(one) ?? []).at(0);
  const paper = own.paper ?? first(KNOWN.paper);
  const label = own.label ?? first(KNOWN.label);
  const rating = own.rating ?? first(KNOWN.rating);
  const id = own.id ?? first(KNOWN.id);
  const whole = first(KNOWN.whole);
  const prose = PROSE.flatMap((one) => plain.get(one) ?? []).filter((name) => name !== label);
  const texts = own.text ?? (prose.length > 1 || !whole ? prose : [whole]);
  const has = `; it has ${names.join(', ')}, and --columns says which is what`;
  if (paper === undefined) return `no column names the paper${has}`;
  if (label === undefined) return `no column says who wrote a review${has}`;
  if (texts.length === 0) return `no column holds a review's text${has}`;
  return (row, where) => {
    const value = (name: string | undefined) => (name === undefined ? '' : textOf(row[name]));
    const author = authorIn(value(label), model);
    if (author === null) return describeShift(label, value(label));
    if (value(paper) === '' || value(paper).length > 100 || /\n/.test(value(paper)))
      return describeShift(paper, value(paper));
    const rated = ratingIn(value(rating));
    if (rated === undefined) return describeShift(rating ?? '', value(rating));
    const parts = texts.map(value).filter((part) => part !== '');
    const lone = texts.find((name) => /^[\d.,\s]+$/.test(value(name)));
    if (lone !== undefined) return describeShift(lone, value(lone));
    return {
      id: value(id) || where,
      paper: value(paper),
      venue,
      subset,
      author,
      model: author === 'model' ? model : null,
      source: author === 'model' ? 'paper' : null,
      edit: null,
      of: null,
      archetype: null,
      rating: rated,
      text: parts.join('\n\n'),
    };
  };
}

/** Without what the cell says: one reason counts all rows of its kind. */
function describeShift(column: string, value: string): string {
  const what = value === '' ? 'is empty' : /^[\d.,\s]+$/.test(value) ? 'holds a number' : 'holds other words';
  return `columns are shifted: ${column} ${what}`;
}

/** Missing values as pandas writes them. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value).trim();
  return /^(?:nan|none|null|n\/a)$/i.test(text) ? '' : text;
}

function authorIn(label: string, model: string): Review['author'] {
  const said = label.toLowerCase();
  if (/^(?:human|person|0|0\.0|false)$/.test(said)) return 'human';
  if (/^(?:ai|llm|machine|model|generated|ai[- _]generated|1|1\.0|true)$/.test(said)) return 'model';
  return said !== '' && (said === model.toLowerCase() || MODEL.test(said)) ? 'model' : null;
}

/** A model's name and nothing else: letters, digits and the marks between them. */
const MODEL = /^(?:gpt|claude|gemini|llama|qwen|mistral|deepseek)[\w.:-]{0,40}$/;

/** `6: marginally above the threshold` is 6, and `3,5` is 3.5; null where the cell is empty, undefined where it holds something else. */
function ratingIn(cell: string): number | null | undefined {
  if (cell === '') return null;
  const found = /^(-?\d{1,3}(?:[.,]\d+)?)(?:\s*(?:[:/(]|$)|\s+-)/.exec(cell);
  return found?.[1] === undefined ? undefined : Number(found[1].replace(',', '.'));
}

/** A review, or a row that is none: where it stands and why, in words. */
export type ReviewRow = Review | { readonly where: string; readonly why: string };

export function isReview(read: ReviewRow): read is Review {
  return 'text' in read;
}

const KINDS = ['.jsonl', '.csv', '.parquet'];

/**
 * One at a time, in the order of the files' names where a folder is given. The published files of one venue hold the same
 * people beside each model: a review that stands in several is read once, and its copies are named.
 *
 * @param option named in errors
 * @throws InputError for a file that cannot be read at all, or whose columns cannot be told
 */
export async function* readReviews(
  paths: readonly string[],
  option: string,
  columns: ColumnNames = {},
): AsyncGenerator<ReviewRow> {
  const seen = new Set<string>();
  for await (const one of readRows(paths, option, columns)) {
    const keys = isReview(one) ? listKeys(one) : [];
    if (keys.some((key) => seen.has(key))) yield { where: 'id' in one ? one.id : one.where, why: COPY };
    else yield one;
    for (const key of keys) seen.add(key);
  }
}

const COPY = 'a copy of a review that was read before';

/** What no two reviews share: venue, paper and id, of one kind of author; of a person, paper and words as well. */
function listKeys(review: Review): string[] {
  const { id, venue, paper, author, model, edit, text } = review;
  const words = text.trim().replace(/\s+/g, ' ');
  const named = [[venue, paper, author, model, edit, id], ...(isHuman(review) ? [[paper, words]] : [])];
  // A digest, since all of them are held.
  return named.map((parts) => createHash('sha256').update(JSON.stringify(parts)).digest('base64'));
}

async function* readRows(
  paths: readonly string[],
  option: string,
  columns: ColumnNames,
): AsyncGenerator<ReviewRow> {
  for (const path of paths)
    for (const file of await listFiles(path, KINDS, option, true)) {
      if (!KINDS.includes(extname(file).toLowerCase()))
        throw new InputError(option, `${file} is none of ${KINDS.join(', ')}`);
      if (extname(file).toLowerCase() === '.jsonl') yield* readJsonl(file, reviewRecord, option);
      else yield* readPublished(file, option, columns);
    }
}

const row = z.record(z.string(), z.unknown());

async function* readPublished(path: string, option: string, columns: ColumnNames): AsyncGenerator<ReviewRow> {
  const name = parsePublishedName(path);
  if (!name)
    throw new InputError(
      option,
      `${path} is not named <conference>.<subset>.<model>, so its venue, its use and its model are not known`,
    );
  let reader: RowReader | null = null;
  let misfits: ReviewRow[] = [];
  const onMisfit = (where: string) => {
    misfits.push({
      where,
      why: 'columns are shifted: the row has more or fewer values than there are columns',
    });
  };
  const rows =
    extname(path).toLowerCase() === '.csv'
      ? readCsv(path, row, { field: option, onMisfit })
      : readParquet(path, row, { field: option });
  let count = 0;
  for await (const one of rows) {
    yield* misfits;
    misfits = [];
    if (!reader) {
      const made = createPublishedReader(name, Object.keys(one), columns);
      if (typeof made === 'string') throw new InputError(option, `${path}: ${made}`);
      reader = made;
    }
    const where = `${basename(path)}: row ${++count}`;
    const read = reader(one, where);
    yield typeof read === 'string' ? { where, why: read } : read;
  }
  yield* misfits;
}
