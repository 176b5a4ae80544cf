/** `remand dataset build --reviews`: reviews whose author is known, for papers with the form of their venue and year. */
import { join } from 'node:path';
import { renderVenueReview } from '../../../prompts/index.ts';
import { isHuman, type Review } from '../../audit/index.ts';
import { isReview, readPapers, readReviews } from '../../audit/node.ts';
import {
  ARCHETYPES,
  EDITED_EXTENTS,
  findReviewForm,
  KNOWN_FORMS,
  type WritingSetup,
  writeReviews,
} from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { formatCsvLine, formatJsonLine, writeWhole } from '../../records/node.ts';
import { parseOneOf, parseWholeNumber, readLimit, runInterruptible, takeFirst } from '../arguments.ts';
import { type ModelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { print, tell } from '../terminal.ts';
import { checkNames } from './dataset-judge.ts';

/** Arguments that only `--reviews` has. */
export const reviewArguments = {
  reviews: {
    type: 'boolean',
    default: false,
    description: 'reviews of papers in place of D and D_bias: who wrote each is known',
  },
  venue: { type: 'string', description: `with --reviews: ${KNOWN_FORMS.join(', ')}` },
  writer: {
    type: 'string',
    description: 'with --reviews: models that write, model@url[#KEY_VARIABLE]; several with ;',
  },
  human: {
    type: 'string',
    description: 'with --reviews: reviews by people of the same papers, JSONL or CSV',
  },
  edits: {
    type: 'string',
    description: `with --human: how far models edit them, comma separated: ${EDITED_EXTENTS.join(', ')}`,
  },
  bullets: {
    type: 'boolean',
    default: false,
    description: 'with --human: also reviews from their bullet points',
  },
  archetypes: {
    type: 'string',
    description: `with --reviews: manners beside the plain one: ${Object.keys(ARCHETYPES).join(', ')}`,
  },
  subset: {
    type: 'string',
    default: 'test',
    description: 'with --reviews: calibration, test or another part',
  },
} as const;

interface ReviewBuildArguments extends Omit<ModelArguments, 'store' | 'keyVariable'> {
  readonly from: string;
  readonly out: string;
  readonly store?: string | undefined;
  readonly venue?: string | undefined;
  readonly writer?: string | undefined;
  readonly human?: string | undefined;
  readonly edits?: string | undefined;
  readonly bullets: boolean;
  readonly archetypes?: string | undefined;
  readonly subset: string;
  readonly limit?: string | undefined;
  readonly concurrency: string;
  readonly 'dry-run': boolean;
  readonly json: boolean;
}

export async function buildReviews(args: ReviewBuildArguments): Promise<void> {
  const venue = needed('--venue', args.venue).toLowerCase();
  const form = findReviewForm(venue);
  if (!form)
    throw new InputError(
      '--venue',
      `no review form is known for ${venue}; known are ${KNOWN_FORMS.join(', ')}`,
    );
  if (!/^[a-z0-9_-]+$/.test(args.subset))
    throw new InputError('--subset', 'must be a word, since files are named by it');
  const specs = needed('--writer', args.writer)
    .split(';')
    .map((spec) => spec.trim());
  const edits = names('--edits', args.edits, EDITED_EXTENTS);
  const archetypes = [null, ...names('--archetypes', args.archetypes, Object.keys(ARCHETYPES))];
  if (args.human === undefined && (edits.length > 0 || args.bullets))
    throw new InputError('--human', 'is needed: edits and bullet points are of reviews by people');
  const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
  const papers = () => takeFirst(readPapers(args.from, '--from'), readLimit(args.limit));
  const people = args.human === undefined ? new Map<string, Review[]>() : await peopleIn(args.human);
  const plan = { form, venue, subset: args.subset, archetypes, edits, bullets: args.bullets };
  const printResult = (result: object, words: string) =>
    void print(args.json ? `${JSON.stringify(result)}\n` : `${words}\n`);

  const estimate = await estimated(papers(), people, plan, specs.length);
  if (estimate.papers === 0) throw new InputError('--from', `${args.from} holds no papers`);
  const cost = `${estimate.calls} calls at most (${estimate.papers} papers, ${specs.length} writers), about ${estimate.input_tokens} tokens in`;
  if (!args['dry-run']) tell(`${cost}\n`);

  const counts = { written: 0, dropped: {} as Record<string, number>, files: [] as string[] };
  const store = args.store ?? join(args.out, 'calls.sqlite');
  const ask = async (models: Models) => {
    const out = await models.folder(args.out);
    const progress = models.progress('reviews', estimate.reviews);
    const writers = await Promise.all(specs.map((spec) => models.open(spec, '--writer')));
    checkNames(writers.map(({ name }) => name));
    const csvs = Object.fromEntries(
      writers.map(({ name }) => [
        `csv ${name}`,
        join(out, `${venue}.${args.subset}.${name.replace(/[^\w.-]+/g, '-')}.csv`),
      ]),
    );
    counts.files = Object.values(csvs);
    const own = { reviews: join(out, 'reviews.jsonl'), dropped: join(out, 'dropped.jsonl') };
    await runInterruptible((signal) =>
      writeWhole({ ...own, ...csvs } as Record<string, string>, async (files) => {
        for (const { name } of writers) await files[`csv ${name}`]?.write(formatCsvLine(COLUMNS));
        const seen = new Set<string>();
        const put = async (review: Review, file: string) => {
          await files[`csv ${file}`]?.write(formatCsvLine(published(review)));
        };
        const writing = { ...plan, writers };
        for await (const one of writeReviews(papers(), (paper) => people.get(paper) ?? [], writing, {
          concurrency,
          signal,
        })) {
          if ('why' in one) {
            counts.dropped[one.why] = (counts.dropped[one.why] ?? 0) + 1;
            await files.dropped?.write(formatJsonLine(one));
            continue;
          }
          // People's own stand beside the models' in every file, as they were.
          if (!seen.has(one.paper)) {
            seen.add(one.paper);
            for (const person of people.get(one.paper) ?? []) {
              const review = { ...person, venue, subset: args.subset };
              await files.reviews?.write(formatJsonLine(review));
              for (const { name } of writers) await put(review, name);
            }
          }
          await files.reviews?.write(formatJsonLine(one));
          if (one.source === 'paper' && one.archetype === null) await put(one, one.model ?? '');
          progress(++counts.written);
        }
      }),
    );
  };
  await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, ask, (paid) => {
    if (counts.written === 0) process.exitCode = 1;
    const gone = Object.entries(counts.dropped).map(([why, count]) => `\n  ${count} dropped: ${why}`);
    printResult(
      { ...counts, ...paid },
      `${counts.written} reviews in ${join(args.out, 'reviews.jsonl')}${gone.join('')}\n${paid.calls} calls`,
    );
  });
}

const COLUMNS = ['paper_id', 'review_id', 'review', 'rating', 'label'];

/** The model's name is the file's; the label says only whether it is one's. */
function published({ paper, id, text, rating, author }: Review): (string | null)[] {
  return [paper, id, text, rating === null ? null : `${rating}`, author === 'human' ? 'human' : 'ai'];
}

async function peopleIn(path: string): Promise<Map<string, Review[]>> {
  const people = new Map<string, Review[]>();
  for await (const one of readReviews([path], '--human')) {
    if (!isReview(one) || !isHuman(one)) continue;
    const own = people.get(one.paper) ?? [];
    people.set(one.paper, own);
    own.push(one);
  }
  if (people.size === 0) throw new InputError('--human', `${path} holds no review by a person`);
  return people;
}

/** Characters of English text for each token: a rule of thumb, for an estimate. */
const CHARACTERS = 4;

async function estimated(
  papers: ReturnType<typeof readPapers>,
  people: ReadonlyMap<string, readonly Review[]>,
  { form, archetypes, edits, bullets }: Omit<WritingSetup, 'writers'>,
  writers: number,
) {
  let [count, reviews, calls, characters] = [0, 0, 0, 0];
  for await (const { id, title, text, accepted } of papers) {
    count++;
    const asked = { ...form, title, text, venue: form.called, accepted, manner: null, points: null };
    const { system, user } = renderVenueReview(asked);
    const own = people.get(id) ?? [];
    const said = own.reduce((sum, review) => sum + review.text.length, 0);
    const wholes = archetypes.length + (bullets ? own.length : 0);
    reviews += wholes + own.length * edits.length;
    calls += wholes + own.length * (edits.length + (bullets ? 1 : 0));
    characters += wholes * (system.length + user.length) + said * (edits.length + (bullets ? 1 : 0));
  }
  return {
    ...{ papers: count, reviews: reviews * writers, calls: calls * writers },
    input_tokens: Math.ceil((characters * writers) / CHARACTERS),
  };
}

function names<T extends string>(option: string, list: string | undefined, known: readonly T[]): T[] {
  if (list === undefined || list === '') return [];
  return [...new Set(list.split(',').map((name) => parseOneOf(option, name.trim(), known)))];
}

function needed(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new InputError(option, 'is needed with --reviews');
  return value;
}
