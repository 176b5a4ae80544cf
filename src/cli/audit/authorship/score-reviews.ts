/** The two halves of `audit authorship` that ask models: anchors are written, then every review is scored. */
import { join } from 'node:path';
import {
  createAnchorScorer,
  createTokenScorer,
  type Embed,
  embedWording,
  makeAnchors,
  type Paper,
  type ReviewScores,
  type ScoringMethods,
  type TokenEndpoint,
} from '../../../audit/index.ts';
import {
  type AnchorShelf,
  anchorRecord,
  openAnchorShelf,
  type ReviewRow,
  readPapers,
  type ScoreOptions,
  type Scorer,
  scoreAll,
} from '../../../audit/node.ts';
import { InputError } from '../../../errors.ts';
import { createAskTokens, requestEmbedding } from '../../../models/index.ts';
import { formatJsonLine, readJsonl, writeWhole } from '../../../records/node.ts';
import type { Models } from '../../open-models.ts';
import type { AuthorshipSetup, ReviewSurvey } from './setup.ts';

/** Anchors of the reviews' papers, on a shelf that is to be closed. */
export async function prepareAnchors(
  out: string,
  setup: AuthorshipSetup,
  seen: ReviewSurvey,
  models: Models,
  run: ScoreOptions,
): Promise<AnchorShelf & Disposable> {
  const shelf = openAnchorShelf(join(out, 'anchors.sqlite'));
  try {
    if (setup.anchors !== null)
      for await (const anchor of readJsonl(setup.anchors, anchorRecord, '--anchors')) shelf.put(anchor);
    const writers = await Promise.all(setup.anchorModels.map((spec) => models.open(spec, '--anchor')));
    distinct([...shelf.models(), ...writers.map(({ name }) => name)], '--anchor');
    if (setup.papers !== null && writers.length > 0) {
      const progress = models.progress('anchors', seen.papers.size * writers.length);
      let [done, failed] = [0, 0];
      const papers = known(readPapers(setup.papers, '--papers'), seen.papers);
      await writeWhole({ anchors: join(out, 'anchors.jsonl') }, async (files) => {
        for await (const anchor of makeAnchors(papers, writers, run)) {
          shelf.put(anchor);
          await files.anchors.write(formatJsonLine(anchor));
          if (anchor.error !== null) failed++;
          progress(++done, failed > 0 ? `${failed} failed` : '');
        }
      });
    }
    return { ...shelf, [Symbol.dispose]: () => shelf.close() };
  } catch (cause) {
    shelf.close();
    throw cause;
  }
}

/** Scores are told apart by the model's name. */
function distinct(names: readonly string[], option: string): void {
  if (new Set(names).size < names.length)
    throw new InputError(
      option,
      `two models have one name (${names.join(', ')}): name them with name=model@url`,
    );
}

async function* known(papers: AsyncIterable<Paper>, wanted: ReadonlySet<string>): AsyncGenerator<Paper> {
  for await (const paper of papers) if (wanted.has(paper.id)) yield paper;
}

export interface ScoringOutcome {
  readonly rows: readonly ReviewScores[];
  readonly methods: ScoringMethods;
  readonly counts: {
    readonly reviews: number;
    readonly scored: number;
    readonly failed: number;
    /** Rows and reviews that nothing scores, and reviews that a method has no score of: why, counted. */
    readonly passed: Readonly<Record<string, number>>;
    readonly unscored: Readonly<Record<string, number>>;
  };
}

export async function scoreReviews(
  out: string,
  reviews: AsyncIterable<ReviewRow>,
  setup: AuthorshipSetup,
  shelf: AnchorShelf,
  seen: ReviewSurvey,
  models: Models,
  run: ScoreOptions,
): Promise<ScoringOutcome> {
  const writers = shelf.models();
  const scorers: Scorer[] = [];
  if (writers.length > 0) {
    const nearness = createAnchorScorer(shelf, writers, await embedOf(setup.embedding, models));
    scorers.push({
      methods: writers.map((model) => `anchor ${model}`),
      score: (review, signal) => nearness.score(review, signal),
    });
  }
  const anchors = scorers.flatMap(({ methods }) => methods);
  scorers.push(...(await tokenScorers(setup, models)));
  if (scorers.length === 0)
    throw new InputError('--papers', 'none of the reviews is of a paper in it, so there is no anchor');
  const rows: ReviewScores[] = [];
  const tally = {
    passed: new Map<string, number>(),
    unscored: new Map<string, number>(),
    scored: 0,
    failed: 0,
  };
  const add = (counts: Map<string, number>, why: string) => counts.set(why, (counts.get(why) ?? 0) + 1);
  const progress = models.progress('reviews', seen.reviews);
  const files = { scores: join(out, 'scores.jsonl'), passed: join(out, 'unscored.jsonl') };
  await writeWhole(files, async (whole) => {
    for await (const one of scoreAll(reviews, scorers, run)) {
      if ('why' in one) {
        await whole.passed.write(formatJsonLine(one));
        add(tally.passed, one.why);
        continue;
      }
      await whole.scores.write(formatJsonLine(one));
      const { unscored, error, ...row } = one;
      rows.push(row);
      if (error !== null) tally.failed++;
      else if (Object.keys(row.scores).length > 0) tally.scored++;
      for (const [method, why] of Object.entries(unscored)) add(tally.unscored, `${method}: ${why}`);
      progress(rows.length, tally.failed > 0 ? `${tally.failed} failed` : '');
    }
  });
  return {
    rows,
    methods: { anchors, tokens: scorers.flatMap(({ methods }) => methods).slice(anchors.length) },
    counts: {
      ...{ reviews: seen.reviews, scored: tally.scored, failed: tally.failed },
      passed: Object.fromEntries(tally.passed),
      unscored: Object.fromEntries(tally.unscored),
    },
  };
}

async function embedOf(spec: string, models: Models): Promise<Embed> {
  if (spec === 'wording') return async (text) => embedWording(text);
  const calls = await models.calls(spec, '--embedding');
  return (text, signal) => requestEmbedding(calls, text, signal);
}

async function tokenScorers(setup: AuthorshipSetup, models: Models): Promise<Scorer[]> {
  const { form, alternatives, vocabulary } = setup;
  const open = async (spec: string, option: string): Promise<TokenEndpoint> => {
    const calls = await models.calls(spec, option);
    return { name: calls.name, ask: createAskTokens(calls, { form, alternatives }) };
  };
  const endpoints = await Promise.all(setup.tokens.map((spec) => open(spec, '--logprobs')));
  distinct(
    endpoints.map(({ name }) => name),
    '--logprobs',
  );
  const observer = setup.observer === null ? null : await open(setup.observer, '--observer');
  return endpoints.map((endpoint) => createTokenScorer(endpoint, observer, { alternatives, vocabulary }));
}
