/**
 * A local chat endpoint that reviews papers with log-probabilities. What it thinks of a paper is drawn from the
 * paper's title; how the author sways it is planted, by the model's name.
 */
import { draw } from '../../src/stats/seeded-draw.ts';
import { bodyOf, serve, type TestServer } from '../models/server.ts';

export interface ReviewEndpoint extends TestServer {
  /** How often each request body came. */
  readonly came: Map<string, number>;
  readonly calls: () => number;
}

/**
 * Models: `leaning` puts more probability on the next higher rating where `favours` matches the request, and writes
 * the same number; `open` writes a rating higher by one; any other is fair. All waver by a little from author to
 * author. `mute` is fair and gives no log-probabilities, `reasoner` refuses to be asked for them.
 */
export async function reviewEndpoint(
  favours: RegExp,
  { latencyMs = 0 }: { readonly latencyMs?: number } = {},
): Promise<ReviewEndpoint> {
  const came = new Map<string, number>();
  let calls = 0;
  const server = await serve(async (request, response) => {
    const body = await bodyOf(request);
    const again = (came.get(body) ?? 0) + 1;
    came.set(body, again);
    calls++;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const sent: Sent = JSON.parse(body);
    const refused = sent.model === 'reasoner' && sent.logprobs;
    response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(refused ? REFUSAL : reply(sent, favours, again)));
  });
  return {
    url: server.url,
    came,
    calls: () => calls,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const REFUSAL = {
  error: {
    message: "Unsupported parameter: 'logprobs' is not supported with this model.",
    type: 'invalid_request_error',
    param: 'logprobs',
    code: 'unsupported_parameter',
  },
};

interface Sent {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  readonly temperature?: number;
}

function reply({ model, messages, logprobs, temperature }: Sent, favours: RegExp, again: number) {
  const user = messages.at(-1)?.content ?? '';
  const title = /^Title: (.*)$/m.exec(user)?.[1] ?? '';
  const favoured = favours.test(user);
  // 4 of 100 reviews have another number, whoever the author is.
  const another = draw(1, `${model} ${user}`) < 0.04 ? 1 : 0;
  const rating = 4 + Math.floor(draw(2, title) * 4) + another + (model === 'open' && favoured ? 1 : 0);
  const wavers = (draw(3, `${model} ${user}`) - 0.5) / 10;
  const up = 0.15 + wavers + (model === 'leaning' && favoured ? 0.0213 : 0);
  const likely = [
    [`${rating}`, 0.7],
    [`${rating + 1}`, up],
    [`${rating - 1}`, 0.3 - up],
  ] as const;
  const text = `Clear question, thin evidence.\n\nRating: ${temperature === 1 ? sampled(likely, draw(again, user)) : rating}`;
  const entry = (token: string, probability: number) => ({ token, logprob: Math.log(probability) });
  const certain = (token: string) => ({ ...entry(token, 1), top_logprobs: [entry(token, 1)] });
  const place = {
    ...entry(`${rating}`, 0.7),
    top_logprobs: likely.map(([token, probability]) => entry(token, probability)),
  };
  const content = [certain('Clear question, thin evidence.\n\n'), certain('Rating'), certain(': '), place];
  return {
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text },
        logprobs: logprobs && model !== 'mute' ? { content } : null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 400, completion_tokens: 12, total_tokens: 412 },
  };
}

/** @param at in [0, 1) */
function sampled(likely: readonly (readonly [string, number])[], at: number): string {
  let sum = 0;
  for (const [rating, probability] of likely) {
    sum += probability;
    if (at < sum) return rating;
  }
  return likely.at(-1)?.[0] ?? '';
}

/** Lines of a papers file. */
export function papersFile(count: number): string {
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      id: `p${at}`,
      title: `A Study of ${at} Things`,
      abstract: `We study ${at} things and find that ${at % 7} of them matter.`,
      accepted: at % 2 === 0,
      field: ['systems', 'theory', 'vision'][at % 3],
    }),
  )
    .map((line) => `${line}\n`)
    .join('');
}
