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
import { addTo, type ReasonCounts, requireOption, takeFirst } from '../arguments.ts';
import { asList, asSomeOf, asText, flag, type OptionValues, onlyWith, optional, usual } from '../command.ts';
import { CHARACTERS } from '../dry-run.ts';
import { type ModelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { tell } from '../terminal.ts';

/** Options that only `--reviews` has. */
export const reviewOptions = {
  reviews: flag('reviews of papers in place of D and D_bias: who wrote each is known'),
  ...onlyWith('reviews', {
    venue: optional(asText, KNOWN_FORMS.join(', ')),
    writer: optional(asList(';'), 'models that write, model@url[#KEY_VARIABLE]; several with ;'),
    human: optional(asText, 'reviews by people of the same papers, JSONL or CSV'),
  }),
  ...onlyWith('human', {
    edits: optional(
      asSomeOf(EDITED_EXTENTS),
      `how far models edit them, comma separated: ${EDITED_EXTENTS.join(', ')}`,
    ),
    bullets: flag('also reviews from their bullet points'),
  }),
  ...onlyWith('reviews', {
    archetypes: optional(
      asSomeOf(Object.keys(ARCHETYPES)),
      `manners beside the plain one: ${Object.keys(ARCHETYPES).join(', ')}`,
    ),
    subset: usual(asText, 'test', 'calibration, test or another part'),
  }),
};

type ReviewBuildArguments = OptionValues<typeof reviewOptions> &
  ModelArguments & {
    readonly from: string;
    readonly out: string;
    readonly limit: number;
    readonly concurrency: number;
  };

export async function buildReviews(
  args: ReviewBuildArguments,
  print: (result: object, words: () => string) => void,
): Promise<void> {
  const { subset, bullets, concurrency, edits = [] } = args;
  const venue = requireOption('--venue', args.venue, 'is needed with --reviews').toLowerCase();
  const form = findReviewForm(venue);
  if (!form)
    throw new InputError(
      '--venue',
      `no review form is known for ${venue}; known are ${KNOWN_FORMS.join(', ')}`,
    );
  if (!/^[a-z0-9_-]+$/.test(subset))
    throw new InputError('--subset', 'must be a word, since files are named by it');
  const specs = requireOption('--writer', args.writer, 'is needed with --reviews');
  const archetypes = [null, ...(args.archetypes ?? [])];
  const papers = () => takeFirst(readPapers(args.from, '--from'), args.limit);
  const people = args.human === undefined ? new Map<string, Review[]>() : await peopleIn(args.human);
  const plan = { form, venue, subset, archetypes, edits, bullets };

  const estimate = await estimateWriting(papers(), people, plan, specs.length);
  if (estimate.papers === 0) throw new InputError('--from', `${args.from} holds no papers`);
  const cost = `${estimate.calls} calls at most (${estimate.papers} papers, ${specs.length} writers), about ${estimate.input_tokens} tokens in`;
  if (!args['dry-run']) tell(`${cost}\n`);

  const counts = { written: 0, dropped: {} as ReasonCounts, files: [] as string[] };
  const ask = async (models: Models, signal: AbortSignal) => {
    const out = await models.folder(args.out);
    const progress = models.progress('reviews', estimate.reviews);
    const writers = await models.openAll(specs, '--writer');
    const csvs = Object.fromEntries(
      writers.map(({ name }) => [
        `csv ${name}`,
        join(out, `${venue}.${subset}.${name.replace(/[^\w.-]+/g, '-')}.csv`),
      ]),
    );
    counts.files = Object.values(csvs);
    const own = { reviews: join(out, 'reviews.jsonl'), dropped: join(out, 'dropped.jsonl') };
    await writeWhole({ ...own, ...csvs } as Record<string, string>, async (files) => {
      for (const { name } of writers) await files[`csv ${name}`]?.write(formatCsvLine(COLUMNS));
      const seen = new Set<string>();
      const put = async (review: Review, file: string) => {
        await files[`csv ${file}`]?.write(formatCsvLine(formatRow(review)));
      };
      const writing = { ...plan, writers };
      for await (const one of writeReviews(papers(), (paper) => people.get(paper) ?? [], writing, {
        concurrency,
        signal,
      })) {
        if ('why' in one) {
          addTo(counts.dropped, one.why);
          await files.dropped?.write(formatJsonLine(one));
          continue;
        }
        // People's own stand beside the models' in every file, as they were.
        if (!seen.has(one.paper)) {
          seen.add(one.paper);
          for (const person of people.get(one.paper) ?? []) {
            const review = { ...person, venue, subset };
            await files.reviews?.write(formatJsonLine(review));
            for (const { name } of writers) await put(review, name);
          }
        }
        await files.reviews?.write(formatJsonLine(one));
        if (one.source === 'paper' && one.archetype === null) await put(one, one.model ?? '');
        progress(++counts.written);
      }
    });
  };
  await withModels({ ...args, folder: args.out }, ask, (paid) => {
    if (counts.written === 0) process.exitCode = 1;
    const gone = Object.entries(counts.dropped).map(([why, count]) => `\n  ${count} dropped: ${why}`);
    print(
      { ...counts, ...paid },
      () =>
        `${counts.written} reviews in ${join(args.out, 'reviews.jsonl')}${gone.join('')}\n${paid.calls} calls\n`,
    );
  });
}

const COLUMNS = ['paper_id', 'review_id', 'review', 'rating', 'label'];

/** The model's name is the file's; the label says only whether it is one's. */
function formatRow({ paper, id, text, rating, author }: Review): (string | null)[] {
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

async function estimateWriting(
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
    papers: count,
    reviews: reviews * writers,
    calls: calls * writers,
    input_tokens: Math.ceil((characters * writers) / CHARACTERS),
  };
}
