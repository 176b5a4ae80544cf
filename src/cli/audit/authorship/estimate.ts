/** What a run of `audit authorship` would ask, counted before it asks anything. */
import { renderAnchor } from '../../../../prompts/index.ts';
import { isReview, type ReviewRow, readPapers } from '../../../audit/node.ts';
import type { AuthorshipSetup } from './setup.ts';

export interface ReviewSurvey {
  reviews: number;
  /** Rows that are none. */
  passed: number;
  readonly papers: Set<string>;
  characters: number;
}

export async function surveyReviews(reviews: AsyncIterable<ReviewRow>): Promise<ReviewSurvey> {
  const seen: ReviewSurvey = { reviews: 0, passed: 0, papers: new Set(), characters: 0 };
  for await (const one of reviews) {
    if (!isReview(one)) seen.passed++;
    else {
      seen.reviews++;
      seen.papers.add(one.paper);
      seen.characters += one.text.length;
    }
  }
  return seen;
}

interface AuthorshipEstimate {
  readonly reviews: number;
  readonly papers: number;
  readonly anchors: number;
  readonly embeddings: number;
  readonly token_calls: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Characters of English text for each token: a rule of thumb, for an estimate. */
const CHARACTERS = 4;
/** Of an anchor: a full review. */
const OUTPUT = 700;

export async function estimateAuthorship(
  seen: ReviewSurvey,
  setup: AuthorshipSetup,
): Promise<AuthorshipEstimate> {
  let [papers, characters] = [0, 0];
  if (setup.papers !== null && setup.anchorModels.length > 0)
    for await (const paper of readPapers(setup.papers, '--papers')) {
      if (!seen.papers.has(paper.id)) continue;
      papers++;
      const { system, user } = renderAnchor(paper);
      characters += system.length + user.length;
    }
  const anchors = papers * setup.anchorModels.length;
  const endpoint = setup.embedding !== 'wording';
  const embeddings = endpoint ? seen.reviews + anchors : 0;
  const endpoints = setup.tokens.length * (setup.observer === null ? 1 : 2);
  const token_calls = seen.reviews * endpoints;
  const asked = characters * setup.anchorModels.length;
  const read = seen.characters * ((endpoint ? 1 : 0) + endpoints);
  return {
    ...{ reviews: seen.reviews, papers: seen.papers.size, anchors, embeddings, token_calls },
    calls: anchors + embeddings + token_calls,
    input_tokens: Math.ceil((asked + read) / CHARACTERS) + (endpoint ? anchors * OUTPUT : 0),
    output_tokens: anchors * OUTPUT + token_calls,
  };
}
