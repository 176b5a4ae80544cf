/** Several choices in one reply (`n` above 1): which verdict they are, and whether others can take their place. */
import { describe, expect, test } from 'vitest';
import { asGiven } from '../../src/case/counterfactual.ts';
import { createAsk } from '../../src/judgment/run-judgment.ts';
import { found, prompt } from '../case/requests.ts';

const RATED = prompt(
  'Rate the response on a scale of 1 to 5.\n\nResponse:\nHi.\n\nReply with the score only.',
);
const G_EVAL = prompt(
  'Your task is to rate the summary on one metric.\n\nEvaluation Steps:\n\n1. Read the article.\n2. Read the summary.\n3. Assign a score for coherence on a scale of 1 to 5.\n\n\nExample:\n\n\nSource Text:\n\nOnce.\n\nSummary:\n\nOne time.\n\n\nEvaluation Form (scores ONLY):\n\n- Coherence:',
);

/** The verdict on each of the replies: the first one's, then that of every re-judgment. */
async function verdicts(
  request: typeof RATED,
  ...replies: { readonly texts: readonly string[]; readonly finishes?: readonly string[] }[]
) {
  const subject = found(request);
  const left = [...replies, ...replies.slice(-1)];
  const ask = createAsk(subject, async () => {
    const { texts = [], finishes } = left.shift() ?? {};
    const read = { texts, finish: finishes?.[0] ?? 'stop', usage: null, tokens: null };
    return { reply: null, read: { ...read, ...(finishes && { finishes }) } };
  });
  const { signal } = new AbortController();
  const first = (await ask({ kind: 'judge' }, signal)).verdict;
  const told = { verdict: first, biases: [], reasoning: 'It is long.', round: 1 };
  const remand = { kind: 'remand', of: asGiven(subject), ...told } as const;
  return replies.length === 1 ? [first] : [first, (await ask(remand, signal)).verdict];
}

describe('scores', () => {
  test('are their mean where the client takes that', async () => {
    expect(found(G_EVAL).form).toMatchObject({ kind: 'score', min: 1, max: 5, mean: true });
    expect(await verdicts(G_EVAL, { texts: ['2', '3', '5', '4'] })).toMatchObject([{ score: 3.5 }]);
  });
  test('one that cannot be read leaves no mean', async () => {
    expect(await verdicts(G_EVAL, { texts: ['2', '3', 'I cannot say'] })).toMatchObject([
      { kind: 'none', reason: 'contradictory' },
    ]);
  });
  test('are none where nothing tells what the client takes, and most differ', async () => {
    expect(await verdicts(RATED, { texts: ['2', '3', '4'] })).toMatchObject([
      { kind: 'none', reason: 'contradictory' },
    ]);
    expect(await verdicts(RATED, { texts: ['2', '4', '4'] })).toMatchObject([{ score: 4 }]);
  });
});

test.each([
  ['every choice ended', ['stop', 'stop', 'stop'], { kind: 'score', score: 2 }],
  ['one was cut off', ['stop', 'stop', 'length'], { kind: 'none', reason: 'truncated' }],
  ['one was filtered', ['stop', 'content_filter', 'stop'], { kind: 'none', reason: 'malformed' }],
])('a re-judgment of which %s', async (_, finishes, verdict) => {
  const first = { texts: ['4', '4', '4'], finishes: ['stop', 'stop', 'stop'] };
  const [, again] = await verdicts(RATED, first, { texts: ['2', '2', '2'], finishes });
  expect(again).toMatchObject(verdict);
});
