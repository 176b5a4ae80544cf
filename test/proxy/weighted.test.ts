/**
 * alpaca_eval's weighted judge: it may say one token, and its client reads p(m) / (p(m) + p(M)) from the
 * log-probabilities, whatever the token. So does the loop, and what goes out is a reply of the judge's own.
 */
import { describe, expect, test } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const RIGHT = 'It is 391.';
const WRONG = 'It is 381.';

function request(first: string, second: string): string {
  const output = (name: string, text: string) =>
    `    {\n        "model_identifier": "${name}",\n        "output": """${text}"""\n    }`;
  const content = [
    'I require a leaderboard for large language models.',
    '## Instruction\n\n{\n    "instruction": """What is 17*23?""",\n}',
    '## Model Outputs\n\nHere are the unordered outputs from the models, each with a unique model identifier.',
    `{\n${output('m', first)},\n${output('M', second)}\n}`,
    '## Task\n\nYour output is the name of the best model: only one of these identifiers (no quotes, no spaces): m or M.\n\n## Best Model Identifier',
  ].join('\n\n');
  return JSON.stringify({
    model: 'test-judge',
    messages: [{ role: 'user', content }],
    max_tokens: 1,
    temperature: 1,
    logprobs: true,
    top_logprobs: 5,
  });
}

interface Heard {
  readonly rightIsFirst: boolean;
  readonly sentBack: boolean;
}

/** One token, with what else it could have been. */
function reply(token: string, likeliest: Record<string, number>): string {
  const top = Object.entries(likeliest).map(([other, probability]) => ({
    token: other,
    logprob: Math.log(probability),
    bytes: [...Buffer.from(other)],
  }));
  const logprob = Math.log(likeliest[token] ?? 0.001);
  const content = [{ token, logprob, bytes: [...Buffer.from(token)], top_logprobs: top }];
  return JSON.stringify({
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: token },
        logprobs: { content, refusal: null },
        finish_reason: 'length',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
  });
}

async function judged(say: (heard: Heard) => string, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(({ body }, response) => {
    const text: string = JSON.parse(body.toString()).messages[0].content;
    const rightIsFirst = text.indexOf(RIGHT) < text.indexOf(WRONG);
    response
      .setHeader('content-type', 'application/json')
      .end(say({ rightIsFirst, sentBack: findRemand(text) !== null }));
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position', ...settings });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: request(WRONG, RIGHT),
  });
  const [choice] = JSON.parse(answer.body.toString()).choices;
  const top: { token: string; logprob: number }[] = choice.logprobs.content[0].top_logprobs;
  const p = Object.fromEntries(top.map(({ token, logprob }) => [token, Math.exp(logprob)]));
  return {
    status: answer.headers['x-remand-status'],
    calls: upstream.received.length,
    content: choice.message.content,
    /** As the client computes it. */
    first: (p.m ?? 0) / ((p.m ?? 0) + (p.M ?? 0)),
    choice,
  };
}

describe('the weighted judge', () => {
  test('that leans to the first place in both orders is sent back; its own new distribution goes out', async () => {
    const { status, calls, first, choice } = await judged(({ rightIsFirst, sentBack }) =>
      sentBack && !rightIsFirst ? reply('M', { M: 0.9, m: 0.1 }) : reply('m', { m: 0.7, M: 0.3 }),
    );
    expect([status, calls]).toEqual(['revised', 4]);
    expect(first).toBeCloseTo(0.1, 9);
    expect(choice).toEqual(JSON.parse(reply('M', { M: 0.9, m: 0.1 })).choices[0]);
  });

  test('is read by its distribution where chance made it say the other label', async () => {
    // Read by what was said, the two orders would agree.
    const { status, calls } = await judged(({ rightIsFirst, sentBack }) => {
      if (sentBack) return rightIsFirst ? reply('m', { m: 0.9, M: 0.1 }) : reply('M', { M: 0.9, m: 0.1 });
      return rightIsFirst ? reply('m', { m: 0.7, M: 0.3 }) : reply('M', { m: 0.7, M: 0.3 });
    });
    expect([status, calls]).toEqual(['revised', 4]);
  });

  test('that is fair stands, whatever token came out', async () => {
    const { status, calls, content, first } = await judged(({ rightIsFirst }) =>
      rightIsFirst ? reply('The', { The: 0.4, m: 0.5, M: 0.1 }) : reply('m', { m: 0.2, M: 0.8 }),
    );
    expect([status, calls, content]).toEqual(['unchanged', 2, 'm']);
    expect(first).toBeCloseTo(0.2, 9);
  });

  test('that is sure costs no second call where the operator says so', async () => {
    const judge = ({ rightIsFirst }: Heard) =>
      rightIsFirst ? reply('m', { m: 0.995, M: 0.005 }) : reply('M', { m: 0.005, M: 0.995 });
    expect(await judged(judge, { REMAND_CONFIDENT: '0.99' })).toMatchObject({
      status: 'unchanged',
      calls: 1,
    });
    expect(await judged(judge)).toMatchObject({ status: 'unchanged', calls: 2 });
  });

  test('that says no label and hardly could have gives no verdict', async () => {
    const { status } = await judged(() => reply('I', { I: 0.999, m: 0.0005, M: 0.0005 }));
    expect(status).toBe('no-verdict');
  });
});
