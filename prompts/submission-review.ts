/**
 * What a judge is asked as the reviewer of a paper, and as the meta-reviewer who reads the reviews, the rebuttals and the
 * paper and decides; in three ways of prompting: nothing but the task, the dimensions explained, a template to fill
 * in (after arXiv 2502.12510). Answered in JSON, read strictly. In our words.
 */
import * as z from 'zod';
import { readPlainJson } from './reply-text.ts';

export const REVIEW_ROLES = ['reviewer', 'meta-reviewer'] as const;
export type ReviewRole = (typeof REVIEW_ROLES)[number];

export const REVIEW_MODES = ['none', 'dimension', 'template'] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];

export const REVIEW_DECISIONS = ['reject', 'poster', 'spotlight', 'oral'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

export interface ReviewedSubmission {
  readonly title: string;
  readonly paper: string;
  readonly reviews: readonly { readonly id: string; readonly text: string }[];
  readonly rebuttals: readonly { readonly to: string | null; readonly text: string }[];
}

const SYSTEM: Readonly<Record<ReviewRole, string>> = {
  reviewer: 'You review papers for a scientific conference.',
  'meta-reviewer':
    'You are the meta-reviewer of papers for a scientific conference: you read paper, reviews and rebuttals, and decide.',
};
const REVIEWER_FORM =
  '{"summary": "...", "strengths": ["..."], "weaknesses": ["..."], "contribution": 1 to 4, "soundness": 1 to 4, ' +
  '"presentation": 1 to 4, "overall": 1 to 10}';
const META_FORM =
  '{"summary": "...", "justification": "...", "overall": 1 to 10, "decision": "reject", "poster", "spotlight" or "oral"}';
/** The least overall score at which a paper is accepted, where nothing else is said. */
const THRESHOLD = 6;

function renderScales(threshold: number): string {
  return (
    `Scales are whole numbers: from 1 (poor) to 4 (excellent), overall from 1 (strong reject) to 10 (award), where ${threshold} is ` +
    'just good enough for acceptance.'
  );
}
const LEVELS =
  'A paper that is accepted is shown as a poster, the better ones as a spotlight, the very best as an oral.';

const REVIEWER_WAYS: Readonly<Record<ReviewMode, string>> = {
  none: '',
  dimension:
    '\n\n# What to look at\nOne after the other, each by itself:\n' +
    '- Contribution: is the question of weight, and what is new against the work that is known?\n' +
    '- Soundness: do the method and the evidence bear the claims, and could the work be checked?\n' +
    '- Presentation: is it clear, in order and well written, and is it placed among earlier work?\n' +
    'Then overall, from these.',
  template:
    '\n\n# How a review is written here\n' +
    '- "summary": two or three sentences on what the paper does, in your own words, without a judgment.\n' +
    '- "strengths": two to five, each with the place in the paper that shows it.\n' +
    '- "weaknesses": two to five, each with what would mend it, the gravest first.\n' +
    '- "contribution", "soundness", "presentation": each must follow from what stands above it.\n' +
    '- "overall": must follow from all of it.',
};
const META_WAYS: Readonly<Record<ReviewMode, string>> = {
  none: '',
  dimension:
    '\n\n# What to look at\nOne after the other, each by itself, as far as the material tells:\n' +
    '- Contribution: what is new and of weight in the paper?\n' +
    '- Soundness: do the method and the evidence bear the claims?\n' +
    '- Presentation: is the paper clear?\n' +
    '- Reviews: which points are borne out by the paper?\n' +
    '- Rebuttal: which points does it answer with facts?\n' +
    'Then overall, from these.',
  template:
    '\n\n# How a meta-review is written here\n' +
    '- "summary": what the paper does, where the reviewers agree, and where they do not.\n' +
    '- "justification": which points decide, whether the paper bears them out, and which the rebuttal settled.\n' +
    '- "overall" and "decision": must follow from the justification, and fit each other.',
};

/**
 * @param threshold the least overall score at which a paper is accepted
 * @returns the same words for the same submission
 */
export function renderPeerReview(
  role: ReviewRole,
  mode: ReviewMode,
  submission: ReviewedSubmission,
  threshold = THRESHOLD,
): { readonly system: string; readonly user: string } {
  const scales = renderScales(threshold);
  const form = `Reply with one JSON object of exactly this form and nothing else:\n${role === 'reviewer' ? REVIEWER_FORM : META_FORM}`;
  const { title, paper, reviews, rebuttals } = submission;
  const shown = `# Paper\nTitle: ${title}\n\n${paper.trim()}`;
  if (role === 'reviewer')
    return {
      system: SYSTEM.reviewer,
      user: `${shown}\n\n# Your task\nReview this paper. ${scales}${REVIEWER_WAYS[mode]}\n\n# Your reply\n${form}`,
    };
  const material = [
    shown,
    ...reviews.map(({ text }, at) => `# Review ${at + 1}\n${text.trim()}`),
    ...rebuttals.map(({ to, text }) => {
      const at = reviews.findIndex(({ id }) => id === to);
      return `# Rebuttal of the authors${at < 0 ? '' : ` to review ${at + 1}`}\n${text.trim()}`;
    }),
  ];
  return {
    system: SYSTEM['meta-reviewer'],
    user: `${material.join('\n\n')}\n\n# Your task\nDecide about this paper. ${scales} ${LEVELS}${META_WAYS[mode]}\n\n# Your reply\n${form}`,
  };
}

const toFour = z.int().min(1).max(4);
const toTen = z.int().min(1).max(10);
const texts = z.union([z.string(), z.array(z.string())]);
const reviewerReply = z.object({
  summary: z.string(),
  strengths: texts,
  weaknesses: texts,
  contribution: toFour,
  soundness: toFour,
  presentation: toFour,
  overall: toTen,
});
const metaReply = z.object({
  overall: toTen,
  decision: z
    .string()
    .transform((said) => said.trim().toLowerCase())
    .pipe(z.enum(REVIEW_DECISIONS)),
});

export interface PeerReviewScores {
  /** 1 to 4; null where the role gives none. */
  readonly contribution: number | null;
  readonly soundness: number | null;
  readonly presentation: number | null;
  /** 1 to 10. */
  readonly overall: number;
  readonly decision: ReviewDecision | null;
}

export const UNREAD_REASONS = ['truncated', 'empty', 'not JSON', 'wrong fields'] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

/** Finish reasons of the protocols for a reply that was cut off. */
const CUT = /^(?:length|max_tokens|MAX_TOKENS|incomplete|max_output_tokens)$/;

/**
 * Thoughts before the JSON and one fence around it are let pass; any other reply is no verdict.
 *
 * @param finish the protocol's finish reason; null for none
 */
export function readPeerReview(
  role: ReviewRole,
  reply: string,
  finish: string | null,
):
  | { readonly scores: PeerReviewScores; readonly unread: null }
  | { readonly scores: null; readonly unread: UnreadReason } {
  const none = (unread: UnreadReason) => ({ scores: null, unread });
  if (finish !== null && CUT.test(finish)) return none('truncated');
  const read = readPlainJson(reply);
  if (read.unread !== null) return none(read.unread);
  const { value } = read;
  if (role === 'reviewer') {
    const { data } = reviewerReply.safeParse(value);
    if (!data) return none('wrong fields');
    const { contribution, soundness, presentation, overall } = data;
    return { scores: { contribution, soundness, presentation, overall, decision: null }, unread: null };
  }
  const { data } = metaReply.safeParse(value);
  if (!data) return none('wrong fields');
  const rest = { contribution: null, soundness: null, presentation: null };
  return { scores: { ...rest, overall: data.overall, decision: data.decision }, unread: null };
}

/** In which role a request asks for a review, and where in it the paper stands; null where it asks for none. For simulated judges. */
export function findPeerReview(
  system: string,
  user: string,
): { readonly role: ReviewRole; readonly paper: { readonly start: number; readonly end: number } } | null {
  const role = REVIEW_ROLES.find((one) => system === SYSTEM[one]);
  const found = /^# Paper\nTitle: .*\n\n([\s\S]*?)\n\n# (?:Review 1|Your task)\n/d.exec(user)?.indices?.[1];
  return role && found ? { role, paper: { start: found[0], end: found[1] } } : null;
}

/** What a judge given `renderPeerReview` answers, for simulated judges. */
export function writePeerReview(
  role: ReviewRole,
  { contribution, soundness, presentation, overall, decision }: PeerReviewScores,
  words: string,
): string {
  return JSON.stringify(
    role === 'meta-reviewer'
      ? { summary: words, justification: words, overall, decision }
      : {
          summary: words,
          strengths: [words],
          weaknesses: [words],
          contribution,
          soundness,
          presentation,
          overall,
        },
  );
}
