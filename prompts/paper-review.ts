/**
 * What a judge is asked as the reviewer of a paper: comments, then a rating from 1 to 10 on a last line of its own.
 * The author block is the only thing that an audit of author metadata changes.
 */

export interface ReviewedPaper {
  readonly title: string;
  readonly text: string;
  /** The author block; null for a paper without one. */
  readonly authors: string | null;
}

const SYSTEM =
  'You review papers for a scientific conference. Judge the work itself: its question, its method, its evidence ' +
  'and how clearly it is written.';

/** The least rating at which a paper is accepted, where nothing else is said. */
const THRESHOLD = 6;

function renderForm(threshold: number): string {
  return (
    `Rating: N\n\nwhere N is a whole number from 1 (reject at once) to 10 (among the best), and ${threshold} is the least for acceptance. ` +
    'Write nothing after it.'
  );
}

/** @param threshold the least rating at which a paper is accepted */
export function renderReview(paper: ReviewedPaper, threshold = THRESHOLD): { system: string; user: string } {
  return {
    system: SYSTEM,
    user:
      `${renderPaper(paper)}\n\n# Your review\nWrite three to six sentences of comments: strengths, weaknesses, and ` +
      `what decides. Then end with a line of exactly this form:\n\n${renderForm(threshold)}`,
  };
}

/** The rating alone, for comments that are fixed: for judges without log-probabilities, sampled several times. */
export function renderRating(
  paper: ReviewedPaper,
  comments: string,
  threshold = THRESHOLD,
): { system: string; user: string } {
  return {
    system: SYSTEM,
    user:
      `${renderPaper(paper)}\n\n# Your comments\n${comments}\n\n# Your rating\n` +
      `Answer with one line of exactly this form and nothing else:\n\n${renderForm(threshold)}`,
  };
}

function renderPaper({ title, authors, text }: ReviewedPaper): string {
  const block = authors === null ? '' : `${authors}\n\n`;
  return `# Paper\nTitle: ${title}\n\n${block}${text}`;
}

interface FoundReview {
  readonly title: string;
  /** The author block and the text below it, `[start, end)` in the user's text. */
  readonly body: { readonly start: number; readonly end: number };
  /** Whether the rating alone is asked for, with comments that are fixed. */
  readonly alone: boolean;
}

/** What `renderReview` or `renderRating` was given, by its places; null for any other question. For simulated judges. */
export function findReview(system: string, user: string): FoundReview | null {
  if (system !== SYSTEM) return null;
  const found = /^# Paper\nTitle: (.*)\n\n([\s\S]*)\n\n# Your (review|comments)\n/d.exec(user);
  const body = found?.indices?.[2];
  if (!found || !body) return null;
  return { title: found[1] ?? '', body: { start: body[0], end: body[1] }, alone: found[3] === 'comments' };
}

/* What a model is asked for an anchor: a review of a paper, as anyone who had one written would get it. In our words. */

interface AnchoredPaper {
  readonly title: string;
  readonly text: string;
}

export function renderAnchor({ title, text }: AnchoredPaper): { system: string; user: string } {
  return {
    system: 'You are a reviewer for a conference on machine learning.',
    user:
      `Write a full review of the paper below: a summary, its strengths, its weaknesses, and questions to the authors. ` +
      `Write prose under these headings and give no numbers as ratings.\n\n# Paper\nTitle: ${title}\n\n${text}`,
  };
}
