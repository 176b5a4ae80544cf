/** Papers to be reviewed: JSONL, plain text or Markdown, one paper a file, or OpenReview's JSON export. For Node. */
import { basename, extname } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { listFiles, readJsonFile, readJsonl, readTextFile } from '../../records/node.ts';
import { readFrontTitle } from './own-authors.ts';
import { type Paper, paperLine, withoutAuthors } from './paper.ts';

const text = z.string().trim().min(1);

/** API 2 wraps each field of a note's content as `{ value }`; API 1 has it bare (docs.openreview.net). */
const field = z.union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)]);
const some = field.optional().catch(undefined);
const note = z.looseObject({
  id: text,
  content: z.looseObject({
    title: field,
    abstract: field,
    venue: some,
    venueid: some,
    decision: some,
    primary_area: some,
  }),
});
const notes = z.union([z.array(note), z.looseObject({ notes: z.array(note) }).transform((one) => one.notes)]);

/**
 * @param path a file, or a folder whose `.jsonl`, `.json`, `.md` and `.txt` files are read in the order of their names
 * @param option named in errors
 * @throws InputError naming the file and what is wrong with it, two papers of one id included
 */
export async function* readPapers(path: string, option: string): AsyncGenerator<Paper> {
  const seen = new Set<string>();
  for (const file of await listFiles(path, KINDS, option))
    for await (const paper of papersIn(file, option)) {
      if (seen.has(paper.id)) throw new InputError(option, `${file}: a second paper has the id ${paper.id}`);
      seen.add(paper.id);
      yield paper;
    }
}

const KINDS = ['.jsonl', '.json', '.md', '.txt'];

async function* papersIn(path: string, option: string): AsyncGenerator<Paper> {
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
      return yield* readJsonl(path, paperLine, option);
    case '.json':
      return yield* (await readNotes(path, option)).map(paperOf);
    case '.md':
    case '.txt':
      return yield fromText(basename(path, extname(path)), await readTextFile(path, option), path, option);
    default:
      throw new InputError(option, `${path} is none of ${KINDS.join(', ')}`);
  }
}

async function readNotes(path: string, option: string) {
  const { data } = notes.safeParse(await readJsonFile(path, option));
  if (!data)
    throw new InputError(
      option,
      `${path} is no OpenReview export: a list of notes, each with id, content.title and content.abstract`,
    );
  return data;
}

function paperOf({ id, content }: z.output<typeof note>): Paper {
  const { title, abstract, primary_area: area } = content;
  return { id, title, ...withoutAuthors(abstract), accepted: acceptedIn(content), field: area ?? null };
}

/** Null where neither a decision nor a venue says so: a paper under review is neither. */
function acceptedIn({ decision, venue, venueid }: z.output<typeof note>['content']): boolean | null {
  const said = [decision, venue, venueid].filter((one) => one !== undefined).join(' / ');
  if (/reject|withdrawn|submitted to/i.test(said)) return false;
  if (/accept|oral|poster|spotlight|notable/i.test(said)) return true;
  return null;
}

/** The title is that of front matter, else the first line, a Markdown heading or not; the rest is the text. */
function fromText(id: string, whole: string, path: string, option: string): Paper {
  const given = whole
    .replace(/^\uFEFF/, '')
    .trim()
    .replaceAll('\r\n', '\n');
  const title = readFrontTitle(given);
  if (title !== null) return { id, title, ...withoutAuthors(given), accepted: null, field: null };
  const [first = '', ...rest] = given.split('\n');
  const body = rest.join('\n').trim();
  if (first.trim() === '' || body === '')
    throw new InputError(option, `${path} must have a title on its first line and a text below it`);
  return {
    id,
    title: first.replace(/^#+\s*/, '').trim(),
    ...withoutAuthors(body),
    accepted: null,
    field: null,
  };
}
