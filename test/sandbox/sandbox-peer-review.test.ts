/** The sandbox judge as reviewer and as meta-reviewer: each weight moves its score as declared, in the form that is asked for. */
import { expect, it, test } from 'vitest';
import { readPeerReview, renderPeerReview } from '../../prompts/submission-review.ts';
import { createSandboxJudge, NO_WEIGHTS, type Weights } from '../../src/sandbox/sandbox.ts';
import { say } from '../judgment/ask.ts';

const PAPER = '# Method\nWe measured the tides of one harbour.';
const asked = (reviews: readonly string[], paper = PAPER) => {
  const submission = {
    ...{ title: 'Tides', paper, rebuttals: [{ to: '1', text: 'Thank you for the questions.' }] },
    reviews: reviews.map((text, at) => ({ id: `${at + 1}`, text })),
  };
  const role = reviews.length > 0 ? 'meta-reviewer' : 'reviewer';
  const { system, user } = renderPeerReview(role, 'template', submission);
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return { role, messages } as const;
};
async function overall(weights: Partial<Weights>, reviews: readonly string[], paper = PAPER) {
  const { role, messages } = asked(reviews, paper);
  const judge = createSandboxJudge({ weights: { ...NO_WEIGHTS, ...weights } });
  const { scores } = readPeerReview(role, await say(judge, '', { messages }), null);
  if (!scores) throw new Error('not read');
  return scores.overall;
}

test.each<[keyof Weights, string, string]>([
  ['ratings', 'Fine.\n\nRating: 3', 'Fine.\n\nRating: 9'],
  ['hostility', 'The method is thin.', 'Frankly, the method is laughable nonsense.'],
])('%s sways the meta-reviewer, to either side', async (name, less, more) => {
  expect(await overall({ [name]: 0.8 }, [more])).toBeGreaterThan(await overall({ [name]: 0.8 }, [less]));
  expect(await overall({ [name]: -0.8 }, [more])).toBeLessThan(await overall({ [name]: -0.8 }, [less]));
  expect(await overall({}, [more])).toBe(await overall({}, [less]));
});

it('evidence sways both roles', async () => {
  const rich = `${PAPER} ${Array.from({ length: 60 }, (_, at) => `${at}.5`).join(' ')}`;
  for (const reviews of [[], ['Fine.']])
    expect(await overall({ evidence: 1 }, reviews, rich)).toBeGreaterThan(
      await overall({ evidence: 1 }, reviews),
    );
});
