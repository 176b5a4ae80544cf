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
  isReview,
  openAnchorShelf,
  type ReviewRow,
  readPapers,
  type ScoreOptions,
  type Scorer,
  scoreAll,
} from '../../../audit/node.ts';
import { InputError } from '../../../errors.ts';
import { createAskTokens, PROMPT_FORMS, requestEmbedding } from '../../../models/index.ts';
import { formatJsonLine, readJsonl, writeWhole } from '../../../records/node.ts';
import { addTo, type ReasonCounts } from '../../arguments.ts';
import { asList, asOneOf, asText, asWhole, type OptionValues, optional, usual } from '../../command.ts';
import { checkNames, type Models, readModelSpec } from '../../open-models.ts';

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
    checkNames([...shelf.models(), ...writers.map(({ name }) => name)], '--anchor');
    if (setup.papers !== null && writers.length > 0) {
      const progress = models.progress('anchors', seen.papers.size * writers.length);
      let [done, failed] = [0, 0];
      const papers = keepWanted(readPapers(setup.papers, '--papers'), seen.papers);
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

async function* keepWanted(papers: AsyncIterable<Paper>, wanted: ReadonlySet<string>): AsyncGenerator<Paper> {
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
  const tally = { scored: 0, failed: 0, passed: {} as ReasonCounts, unscored: {} as ReasonCounts };
  const progress = models.progress('reviews', seen.reviews);
  const files = { scores: join(out, 'scores.jsonl'), passed: join(out, 'unscored.jsonl') };
  await writeWhole(files, async (whole) => {
    for await (const one of scoreAll(reviews, scorers, run)) {
      if ('why' in one) {
        await whole.passed.write(formatJsonLine(one));
        addTo(tally.passed, one.why);
        continue;
      }
      await whole.scores.write(formatJsonLine(one));
      const { unscored, error, ...row } = one;
      rows.push(row);
      if (error !== null) tally.failed++;
      else if (Object.keys(row.scores).length > 0) tally.scored++;
      for (const [method, why] of Object.entries(unscored)) addTo(tally.unscored, `${method}: ${why}`);
      progress(rows.length, tally.failed > 0 ? `${tally.failed} failed` : '');
    }
  });
  return {
    rows,
    methods: { anchors, tokens: scorers.flatMap(({ methods }) => methods).slice(anchors.length) },
    counts: { reviews: seen.reviews, ...tally },
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
  checkNames(
    endpoints.map(({ name }) => name),
    '--logprobs',
  );
  const observer = setup.observer === null ? null : await open(setup.observer, '--observer');
  return endpoints.map((endpoint) => createTokenScorer(endpoint, observer, { alternatives, vocabulary }));
}

// Which methods a run of `audit authorship` uses, as its command line says it.

/** The reviews of a run, counted before anything is asked. */
interface ReviewSurvey {
  reviews: number;
  /** Rows that are none: why, counted. */
  readonly passed: ReasonCounts;
  readonly papers: Set<string>;
}

export async function surveyReviews(reviews: AsyncIterable<ReviewRow>): Promise<ReviewSurvey> {
  const seen: ReviewSurvey = { reviews: 0, passed: {}, papers: new Set() };
  for await (const one of reviews) {
    if (!isReview(one)) addTo(seen.passed, one.why);
    else {
      seen.reviews++;
      seen.papers.add(one.paper);
    }
  }
  return seen;
}

/** Options of the methods, for the command's own list. */
export const setupOptions = {
  papers: optional(
    asText,
    'the papers, for anchors: JSONL, Markdown, text, an OpenReview export, or a folder',
  ),
  anchor: optional(asSpecs, 'models that write anchors: model@url[#KEY_VARIABLE]; several with ;'),
  anchors: optional(asText, 'anchors that are there already: JSONL of paper, model and text'),
  embedding: usual(
    asText,
    'wording',
    'wording (embedded: words, no meaning, no network), or model@url of an embeddings endpoint',
  ),
  logprobs: optional(
    asSpecs,
    'completions endpoints that echo log-probabilities: model@url[#KEY_VARIABLE]; several with ;',
  ),
  observer: optional(asText, 'the second endpoint of Binoculars, with the tokenizer of --logprobs'),
  'prompt-logprobs': usual(
    asOneOf(PROMPT_FORMS),
    'echo',
    'how --logprobs says them: echo, or vllm (prompt_logprobs, with exact ranks)',
  ),
  alternatives: usual(asWhole(1, 1e6), '20', 'alternatives asked for at each token'),
  vocabulary: optional(asWhole(2, 1e7), 'tokens of the model: with it, what a list leaves out is bounded'),
};
type AuthorshipSetup = ReturnType<typeof readSetup>;

/** @throws InputError for arguments that do not go together */
export function readSetup(args: OptionValues<typeof setupOptions>) {
  const { papers = null, anchors = null, observer = null, vocabulary = null, embedding, alternatives } = args;
  const { logprobs: tokens = [], anchor: anchorModels = [], 'prompt-logprobs': form } = args;
  if (observer !== null) readModelSpec(observer, '--observer');
  if (observer !== null && tokens.length === 0)
    throw new InputError('--logprobs', 'is needed beside --observer: Binoculars looks through two models');
  if (embedding !== 'wording') readModelSpec(embedding, '--embedding');
  if (anchorModels.length > 0 && papers === null)
    throw new InputError('--papers', 'is needed: anchors are reviews of the same papers');
  if (anchorModels.length === 0 && anchors === null && tokens.length === 0)
    throw new InputError('--anchor', 'is needed, or --anchors, or --logprobs, for something to score by');
  return { papers, anchorModels, anchors, embedding, tokens, observer, form, alternatives, vocabulary };
}

/** Models with `;` between them. */
function asSpecs(text: string, option: string): string[] {
  const specs = asList(';')(text, option).filter((spec) => spec !== '');
  for (const spec of specs) readModelSpec(spec, option);
  return specs;
}
