/** Submissions with their reviews and rebuttals: JSONL, or OpenReview's JSON export of forums. For Node. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Submission } from '../../bias/index.ts';
import { describeError, InputError } from '../../errors.ts';
import { readJsonl } from '../../records/node.ts';
import { convertForum, forums } from './openreview.ts';
import { submissionLine } from './submission-line.ts';

/**
 * @param option named in errors
 * @throws InputError naming the file and what is wrong with it, two submissions of one id included
 */
export async function* readSubmissions(path: string, option: string): AsyncGenerator<Submission> {
  const seen = new Set<string>();
  for await (const one of submissionsIn(path, option)) {
    if (seen.has(one.id)) throw new InputError(option, `${path}: a second submission has the id ${one.id}`);
    seen.add(one.id);
    yield one;
  }
}

async function* submissionsIn(path: string, option: string): AsyncGenerator<Submission> {
  const kind = extname(path).toLowerCase();
  if (kind === '.jsonl') return yield* readJsonl(path, submissionLine, option);
  if (kind !== '.json') throw new InputError(option, `${path} is neither .jsonl nor .json`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new InputError(option, `${path}: ${describeError(cause)}`);
  }
  const { data } = forums.safeParse(value);
  if (!data)
    throw new InputError(
      option,
      `${path} is no OpenReview export: a list of notes, each with id, content.title and details.replies`,
    );
  yield* data.map(convertForum);
}
