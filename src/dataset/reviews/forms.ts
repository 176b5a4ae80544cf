/**
 * Review forms by venue and year: which fields a reviewer fills in, and which ratings there are. The fields are facts of
 * the forms; what is asked for in each is said in our words.
 */
import type { ReviewField } from '../../../prompts/index.ts';

export interface ReviewForm {
  readonly fields: readonly ReviewField[];
  readonly ratings: readonly number[];
  readonly guideline: string;
}

const ONE_TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const STEPS = [1, 3, 5, 6, 8, 10];

const ASKS: Readonly<Record<string, string>> = {
  review: 'the whole review: what the paper does, what speaks for it, what against it, and questions',
  main_review: 'strengths and weaknesses: originality, quality, clarity, significance',
  summary: 'what the paper does and claims, without criticism',
  summary_of_the_paper: 'what the paper does and claims, without criticism',
  summary_and_contributions: 'what the paper does and contributes, without criticism',
  summary_of_the_review: 'what the recommendation rests on, in a few sentences',
  strengths: 'what speaks for the paper',
  weaknesses: 'what speaks against it',
  strength_and_weaknesses: 'what speaks for the paper and what against it',
  strengths_and_weaknesses: 'what speaks for the paper and what against it',
  correctness: 'whether claims and method are right',
  clarity: 'whether it is well written',
  relation_to_prior_work: 'whether it says how it differs from earlier work',
  clarity_quality_novelty_and_reproducibility: 'clarity, quality, novelty and whether it can be reproduced',
  questions: 'questions to the authors that could change your mind',
  limitations: 'whether limits and effects on society are spoken of',
  limitations_and_societal_impact: 'whether limits and effects on society are spoken of',
};

const PLAIN = ['review'];
const FORMS: readonly (readonly [
  venue: string,
  from: number,
  to: number,
  fields: readonly string[],
  ratings: readonly number[],
])[] = [
  ['iclr', 2017, 2019, PLAIN, ONE_TO_TEN],
  ['iclr', 2020, 2020, PLAIN, [1, 3, 6, 8]],
  ['iclr', 2021, 2021, PLAIN, ONE_TO_TEN],
  ['iclr', 2022, 2022, ['summary_of_the_paper', 'main_review', 'summary_of_the_review'], STEPS],
  [
    ...(['iclr', 2023, 2023] as const),
    [
      ...['summary_of_the_paper', 'strength_and_weaknesses'],
      ...['clarity_quality_novelty_and_reproducibility', 'summary_of_the_review'],
    ],
    STEPS,
  ],
  ['iclr', 2024, 2025, ['summary', 'strengths', 'weaknesses', 'questions'], STEPS],
  ['neurips', 2016, 2019, PLAIN, ONE_TO_TEN],
  [
    ...(['neurips', 2020, 2020] as const),
    [
      ...['summary_and_contributions', 'strengths', 'weaknesses', 'correctness', 'clarity'],
      ...['relation_to_prior_work'],
    ],
    ONE_TO_TEN,
  ],
  ['neurips', 2021, 2021, ['summary', 'main_review', 'limitations_and_societal_impact'], ONE_TO_TEN],
  ['neurips', 2022, 2022, ['summary', 'strengths_and_weaknesses', 'questions', 'limitations'], ONE_TO_TEN],
  ['neurips', 2023, 2024, ['summary', 'strengths', 'weaknesses', 'questions', 'limitations'], ONE_TO_TEN],
];

/** In our words, after what both venues ask for: originality, quality, clarity, significance, and courtesy. */
const GUIDELINE =
  'Look at what the paper claims and whether it is new, whether method and evidence bear the claims, whether it is clear, ' +
  'and whether it matters to others. Be specific, fair and polite; say what would change your mind.';

/** @param venue such as `iclr2021`; null where no form is known for it */
export function findReviewForm(venue: string): (ReviewForm & { readonly called: string }) | null {
  const [, name = '', year = ''] = /^([a-z]+?)[-_ ]?(\d{4})$/i.exec(venue.trim()) ?? [];
  const found = FORMS.find(
    ([known, from, to]) => known === name.toLowerCase() && Number(year) >= from && Number(year) <= to,
  );
  if (!found) return null;
  const [, , , names, ratings] = found;
  const fields = names.map((field) => ({ name: field, asks: ASKS[field] ?? '' }));
  return {
    called: `${name.toLowerCase() === 'iclr' ? 'ICLR' : 'NeurIPS'} ${year}`,
    fields,
    ratings,
    guideline: GUIDELINE,
  };
}

/** Venues with years, as an error lists them. */
export const KNOWN_FORMS = FORMS.map(([venue, from, to]) =>
  from === to ? `${venue}${from}` : `${venue}${from}-${to}`,
);
