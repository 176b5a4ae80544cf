/**
 * A local endpoint that writes reviews as models do (much the same each time), and the reviews of people and of such
 * models, so that who wrote what is known. Everything is drawn from seeds: the same papers, the same reviews.
 */
import { draw } from '../../src/stats/seeded-draw.ts';
import { bodyOf, serve, type TestServer } from '../models/server.ts';

export interface AuthorshipEndpoint extends TestServer {
  /** How often each request body came. */
  readonly came: Map<string, number>;
  readonly calls: () => number;
}

/** Chat for anchors, `/v1/embeddings` for vectors: word counts, so that equal words are near. */
export async function authorshipEndpoint(latencyMs = 0): Promise<AuthorshipEndpoint> {
  const came = new Map<string, number>();
  let calls = 0;
  const server = await serve(async (request, response) => {
    const body = await bodyOf(request);
    came.set(body, (came.get(body) ?? 0) + 1);
    calls++;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const sent = JSON.parse(body);
    if (sent.prompt?.endsWith('TOOLONG')) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"too long"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url?.endsWith('/completions') && sent.prompt !== undefined) {
      response.end(echoed(sent.prompt));
      return;
    }
    if (request.url?.endsWith('/embeddings')) {
      const data = [{ object: 'embedding', index: 0, embedding: wordCounts(sent.input) }];
      response.end(JSON.stringify({ data, usage: { prompt_tokens: 9, total_tokens: 9 } }));
      return;
    }
    const title = /^Title: (.*)$/m.exec(sent.messages.at(-1).content)?.[1] ?? '';
    const message = { role: 'assistant', content: byModel(title, `anchor by ${sent.model}`) };
    const usage = { prompt_tokens: 300, completion_tokens: 90, total_tokens: 390 };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
  });
  return {
    url: server.url,
    came,
    calls: () => calls,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Words as tokens: those that models use are likely, all others are not; two alternatives at each. */
function echoed(prompt: string): string {
  const tokens = [...(prompt.match(/\s*\S+/g) ?? []), ' more'];
  const likely = (token: string) => (MODEL.some((sentence) => sentence.includes(token.trim())) ? -0.5 : -4);
  const own = tokens.map((token, at) => (at === 0 ? null : likely(token) - draw(3, token)));
  const top = tokens.map((token, at) =>
    at === 0 ? null : { ' the': -1.2, ' of': -1.9, [token]: likely(token) - draw(3, token) },
  );
  const logprobs = { tokens, token_logprobs: own, top_logprobs: top, text_offset: tokens.map(() => 0) };
  const usage = { prompt_tokens: tokens.length - 1, completion_tokens: 1, total_tokens: tokens.length };
  const reply = JSON.stringify({
    choices: [{ index: 0, text: '', logprobs, finish_reason: 'length' }],
    usage,
  });
  // As Python writes it.
  return prompt.endsWith('NANANA') ? reply.replace(/("token_logprobs":\[null,)[^,]+/, '$1NaN') : reply;
}

function wordCounts(text: string): number[] {
  const counts = Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = Math.floor(draw(5, word) * 64);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

const MODEL = [
  'The paper presents a novel approach to the problem of %s and demonstrates its effectiveness.',
  'The experiments are comprehensive and cover a wide range of settings and baselines.',
  'The manuscript is well-written and clearly structured, which makes it accessible to a broad audience.',
  'However, the discussion of the limitations of the method could be further expanded.',
  'It would be beneficial to provide additional insights into the computational complexity of the approach.',
  'The authors could strengthen the work by including more diverse datasets in the evaluation.',
  'Overall, the contribution is significant and offers valuable insights to the community.',
  'The theoretical analysis is rigorous and supports the empirical findings of the study.',
];
const PERSON = [
  'I had a hard time following section 3, and I work on %s myself.',
  'Why is there no comparison to the obvious thing, which is to just do nothing?',
  'Table 2 is off: the numbers do not add up with what is in the text.',
  'The trick in eq. 4 is cute, but I do not buy that it is the reason for the gain.',
  'Please fix the figures, they are unreadable in print.',
  'This was done before, see the work of the Zurich group from two years ago.',
  'I liked that they released the code; it ran on my laptop after some fiddling.',
  'My main worry is that all of this is within noise: there are no error bars anywhere.',
  'To me it is a borderline paper that would be fine with one more month of work.',
  'The rebuttal should tell us what happens with more than ten of them.',
];

/** @param of whom and what: another name draws another review */
export function byModel(title: string, of: string): string {
  return written(MODEL, 6, title, of);
}

export function byPerson(title: string, of: string): string {
  return written(PERSON, 5, title, of);
}

function written(bank: readonly string[], count: number, title: string, of: string): string {
  const order = bank
    .map((sentence, at) => ({ sentence, at: draw(at + 1, `${title} ${of}`) }))
    .sort((a, b) => a.at - b.at);
  return order
    .slice(0, count)
    .map(({ sentence }) => sentence.replace('%s', title.toLowerCase()))
    .join(' ');
}

export const titleOf = (paper: number) => `The ${paper}th Study of Things`;

/** Lines of a papers file. */
export function papersLines(count: number): string {
  return Array.from({ length: count }, (_, at) =>
    line({ id: `p${at}`, title: titleOf(at), abstract: `We study ${at} things and find that they matter.` }),
  ).join('');
}

/** Lines of reviews: of each paper some by people and one by a model; the first half of the papers calibrates. */
export function reviewLines(papers: number, people: number): string {
  let lines = '';
  for (let at = 0; at < papers; at++) {
    const head = { paper: `p${at}`, venue: 'iclr2021', subset: at < papers / 2 ? 'calibration' : 'test' };
    for (let one = 0; one < people; one++)
      lines += line({
        ...head,
        ...{ id: `h${at}-${one}`, author: 'human', rating: 4 + Math.floor(draw(9, `${at} ${one}`) * 3) },
        text: byPerson(titleOf(at), `person ${one}`),
      });
    lines += line({
      ...head,
      ...{ id: `m${at}`, author: 'model', model: 'gpt-4o', rating: 6 + (at % 2) },
      text: byModel(titleOf(at), 'asked for a review'),
    });
  }
  return lines;
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
