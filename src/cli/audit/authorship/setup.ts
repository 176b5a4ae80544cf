/** Which methods a run of `audit authorship` uses, as its command line says it. */

import { isReview, type ReviewRow } from '../../../audit/node.ts';
import { InputError } from '../../../errors.ts';
import { PROMPT_FORMS, type PromptForm } from '../../../models/index.ts';
import { parseOneOf, parseWholeNumber } from '../../arguments.ts';
import { readModelSpec } from '../../open-models.ts';

/** The reviews of a run, counted before anything is asked. */
export interface ReviewSurvey {
  reviews: number;
  /** Rows that are none. */
  passed: number;
  readonly papers: Set<string>;
}

export async function surveyReviews(reviews: AsyncIterable<ReviewRow>): Promise<ReviewSurvey> {
  const seen: ReviewSurvey = { reviews: 0, passed: 0, papers: new Set() };
  for await (const one of reviews) {
    if (!isReview(one)) seen.passed++;
    else {
      seen.reviews++;
      seen.papers.add(one.paper);
    }
  }
  return seen;
}

export interface AuthorshipSetup {
  /** Path of the papers; null for none. */
  readonly papers: string | null;
  /** Specifications of the models that write anchors. */
  readonly anchorModels: readonly string[];
  /** Path of anchors that are there already; null for none. */
  readonly anchors: string | null;
  /** `wording`, or the specification of an embeddings endpoint. */
  readonly embedding: string;
  /** Specifications of the endpoints that are asked for token probabilities of each review. */
  readonly tokens: readonly string[];
  /** The other endpoint of Binoculars; null for none. */
  readonly observer: string | null;
  readonly form: PromptForm;
  readonly alternatives: number;
  readonly vocabulary: number | null;
}

/** Arguments of the methods, for the command's own list. */
export const setupArguments = {
  papers: {
    type: 'string',
    description: 'the papers, for anchors: JSONL, Markdown, text, an OpenReview export, or a folder',
  },
  anchor: {
    type: 'string',
    description: 'models that write anchors: model@url[#KEY_VARIABLE]; several with ;',
  },
  anchors: { type: 'string', description: 'anchors that are there already: JSONL of paper, model and text' },
  embedding: {
    type: 'string',
    default: 'wording',
    description: 'wording (embedded: words, no meaning, no network), or model@url of an embeddings endpoint',
  },
  logprobs: {
    type: 'string',
    description:
      'completions endpoints that echo log-probabilities: model@url[#KEY_VARIABLE]; several with ;',
  },
  observer: {
    type: 'string',
    description: 'the second endpoint of Binoculars, with the tokenizer of --logprobs',
  },
  'prompt-logprobs': {
    type: 'string',
    default: 'echo',
    description: 'how --logprobs says them: echo, or vllm (prompt_logprobs, with exact ranks)',
  },
  alternatives: { type: 'string', default: '20', description: 'alternatives asked for at each token' },
  vocabulary: {
    type: 'string',
    description: 'tokens of the model: with it, what a list leaves out is bounded',
  },
} as const;

interface SetupArguments {
  readonly papers?: string | undefined;
  readonly anchor?: string | undefined;
  readonly anchors?: string | undefined;
  readonly embedding: string;
  readonly logprobs?: string | undefined;
  readonly observer?: string | undefined;
  readonly 'prompt-logprobs': string;
  readonly alternatives: string;
  readonly vocabulary?: string | undefined;
}

/** @throws InputError for arguments that do not go together */
export function readSetup(args: SetupArguments): AuthorshipSetup {
  const { papers, anchor, anchors, embedding, vocabulary } = args;
  const tokens = listed(args.logprobs);
  for (const spec of tokens) readModelSpec(spec, '--logprobs');
  if (args.observer !== undefined) readModelSpec(args.observer, '--observer');
  if (args.observer !== undefined && tokens.length === 0)
    throw new InputError('--logprobs', 'is needed beside --observer: Binoculars looks through two models');
  const anchorModels = listed(anchor);
  for (const spec of anchorModels) readModelSpec(spec, '--anchor');
  if (embedding !== 'wording') readModelSpec(embedding, '--embedding');
  if (anchorModels.length > 0 && papers === undefined)
    throw new InputError('--papers', 'is needed: anchors are reviews of the same papers');
  if (anchorModels.length === 0 && anchors === undefined && tokens.length === 0)
    throw new InputError('--anchor', 'is needed, or --anchors, or --logprobs, for something to score by');
  return {
    ...{ papers: papers ?? null, anchorModels, anchors: anchors ?? null, embedding, tokens },
    observer: args.observer ?? null,
    form: parseOneOf('--prompt-logprobs', args['prompt-logprobs'], PROMPT_FORMS),
    alternatives: parseWholeNumber('--alternatives', args.alternatives, 1, 1e6),
    vocabulary: vocabulary === undefined ? null : parseWholeNumber('--vocabulary', vocabulary, 2, 1e7),
  };
}

function listed(specs: string | undefined): string[] {
  return (specs ?? '')
    .split(';')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
}
