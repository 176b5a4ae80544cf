/** A meta-reviewer behind the proxy: its verdict on a paper is tested for what hostile or turned reviews did to it. */
import { describe, expect, test } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { findRewrite, writeRewrite } from '../../prompts/rewrite.ts';
import { renderPeerReview } from '../../prompts/submission-review.ts';
import { exchange, type Received, startProxy, startUpstream } from './servers.ts';

const PATH = '/v1/chat/completions';
const HOSTILE = 'Frankly, this is laughable nonsense.';
const REVIEW =
  '## Strengths\nA clear question and a sound method, with data that anyone can check.\n\n## Weaknesses\nOne harbour.';

function request(reviews: readonly string[]): string {
  const { system, user } = renderPeerReview('meta-reviewer', 'none', {
    ...{ title: 'Tides', paper: '# Method\nWe measured the tides of one harbour for a year.' },
    reviews: reviews.map((text, at) => ({ id: `${at + 1}`, text })),
    rebuttals: [{ to: '1', text: 'We have since measured a second harbour.' }],
  });
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return JSON.stringify({ model: 'meta-judge', temperature: 0, messages });
}

/** Decides by `overall`, until it is told why not to; restates hostile reviews when asked to. */
async function served(overall: (asked: string) => number, settled: number) {
  const upstream = await startUpstream(({ body, method }: Received, response) => {
    if (method !== 'POST') return void response.end('{}');
    const { messages } = JSON.parse(body.toString()) as { messages: { content: string }[] };
    const [system = '', user = ''] = messages.map(({ content }) => content);
    const rewrite = findRewrite(system, user);
    const score = findRemand(user) ? settled : overall(user);
    const content = rewrite
      ? writeRewrite(rewrite.texts.map((text) => text.replace(HOSTILE, 'The paper is hard to follow.')))
      : JSON.stringify({
          summary: 'Tides.',
          justification: 'So.',
          overall: score,
          decision: score < 6 ? 'reject' : 'poster',
        });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    );
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (body: string) => {
    const { headers, body: answer } = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const said = JSON.parse(answer.toString()).choices[0].message.content;
    return {
      ...{ status: headers['x-remand-status'], biases: headers['x-remand-biases'] },
      overall: JSON.parse(said).overall,
    };
  };
  return { ask, upstream };
}

describe('a verdict that rests on a review’s manner', () => {
  test('hostile reviews raise the score of a judge that pities: sent back, and revised in its own form', async () => {
    const { ask } = await served((asked) => (asked.includes(HOSTILE) ? 8 : 4), 4);
    const answer = await ask(request([`${HOSTILE}\n\n${REVIEW}\n\nRating: 4`, `${REVIEW}\n\nRating: 5`]));
    expect(answer).toEqual({ status: 'revised', biases: 'hostility', overall: 4 });
  });

  test('a conclusion that its own reasons do not bear out is withheld, and the judge asked again', async () => {
    const { ask } = await served((asked) => (asked.includes('1: strong reject') ? 2 : 7), 7);
    const answer = await ask(
      request([`${REVIEW}\n\nSoundness: 3\nContribution: 3\nRating: 1: strong reject`]),
    );
    expect(answer).toEqual({ status: 'revised', biases: 'conclusion', overall: 7 });
  });

  test('a claim that the paper contradicts is taken out', async () => {
    const paperHas = (asked: string) =>
      asked.replace('# Method\n', '# Method\nAn ablation shows that the moon matters. ');
    const { ask } = await served((asked) => (asked.includes('There is no ablation') ? 3 : 7), 7);
    const body = JSON.parse(request([`${REVIEW} There is no ablation study.\n\nRating: 5`]));
    body.messages[1].content = paperHas(body.messages[1].content);
    expect(await ask(JSON.stringify(body))).toEqual({ status: 'revised', biases: 'unsupported', overall: 7 });
  });
});

test('a judge that is not moved keeps its verdict; one that reads plain reviews is asked once', async () => {
  const { ask, upstream } = await served(() => 6, 9);
  const moved = await ask(request([`${HOSTILE}\n\n${REVIEW}\n\nRating: 5`]));
  expect(moved).toEqual({ status: 'unchanged', biases: '', overall: 6 });
  const calls = upstream.received.length;
  expect(await ask(request([`${REVIEW}\n\nRating: 5`]))).toMatchObject({ status: 'unchanged', overall: 6 });
  expect(upstream.received.length - calls).toBe(1);
});
