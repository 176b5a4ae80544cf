/**
 * Who answers in a dry run, where no model is asked: the sandbox judge for what is to be judged, and a reply of the
 * form that is demanded for everything else. What it says means nothing; it is there so that the run goes on and every
 * further call of it is met.
 */
import * as z from 'zod';
import type { Prompt } from '../case/index.ts';
import type { Fetch } from '../ports.ts';
import { createEndpoint, type EndpointQuestion } from './endpoint.ts';
import { replyTo } from './sandbox.ts';

const MODEL = 'remand-stand-in';

/** Speaks every protocol, and the two that are no conversation: embeddings, and token probabilities of a given text. */
export function createStandIn(): Fetch {
  const converse = createEndpoint({
    models: [MODEL],
    answer(question) {
      const demanded = writeDemanded(question.prompt);
      const said = demanded === null ? replyTo(question, {}) : { text: demanded };
      return {
        ...(said ?? { text: repeatEnd(question) }),
        model: question.model || MODEL,
        fingerprint: 'simulation',
        tokens: { input: 0, output: 0 },
      };
    },
  });
  return async (url, init) => {
    const { pathname } = new URL(url, 'http://endpoint.invalid');
    if (pathname.endsWith('/embeddings')) return Response.json({ data: [{ index: 0, embedding: [1, 0] }] });
    if (!pathname.endsWith('/completions') || pathname.endsWith('/chat/completions'))
      return converse(url, init);
    const { prompt } = z.object({ prompt: z.string() }).parse(JSON.parse(String(init.body)));
    return Response.json(weighTokens(prompt));
  };
}

/** Each word of a text as a token of the same probability, in both forms that endpoints give them in. */
function weighTokens(text: string): object {
  const tokens = text.match(/\s*\S+|\s+$/g) ?? [text];
  const logprob = -1;
  return {
    choices: [
      {
        logprobs: {
          tokens,
          token_logprobs: tokens.map((_, n) => (n === 0 ? null : logprob)),
          top_logprobs: tokens.map((token, n) => (n === 0 ? null : { [token]: logprob })),
        },
        prompt_token_ids: tokens.map((_, n) => n),
        prompt_logprobs: tokens.map((token, n) =>
          n === 0 ? null : { [n]: { logprob, rank: 1, decoded_token: token } },
        ),
      },
    ],
  };
}

/** Most characters of a text that is given back where nothing says what form the reply has. */
const LONGEST = 2000;

/** @returns null where the prompt names no form: it asks for a verdict, or for a text */
function writeDemanded({ parts }: Prompt): string | null {
  const all = parts.map(({ text }) => text).join('\n');
  const last = parts.at(-1)?.text ?? '';
  if (all.includes('</think> Yes')) return '<think> Nobody was asked. </think> Yes';
  const [, text] = /^<<<TEXT>>>\n([\s\S]*)\n<<<END TEXT>>>$/.exec(last) ?? [];
  if (text !== undefined) return `<<<TEXT>>>\n${text} Indeed.\n<<<END TEXT>>>`;
  const [, word] = /\b[Rr]eply with "(\w{1,20})" or "\w{1,20}" and nothing else/.exec(all) ?? [];
  if (word !== undefined) return word;
  const [, count] = /\bJSON list of (\d{1,2}) strings\b/.exec(all) ?? [];
  if (count !== undefined)
    return JSON.stringify(Array.from({ length: Number(count) }, (_, n) => `Claim ${n + 1}.`));
  const [, form] = /\bone JSON object of this form and nothing else:\n\{\n([^{}]*)\n\}$/.exec(all) ?? [];
  return form === undefined ? null : JSON.stringify(fillForm(form));
}

/** A line a field: `"name": what it asks for`, or `"name": one of 1, 2, 3`. */
function fillForm(form: string): Record<string, string | number> {
  const fields = form.split('\n').flatMap((line) => {
    const [, name, number] = /^\s*"(\w+)": (?:one of (\d+))?/.exec(line) ?? [];
    return name === undefined
      ? []
      : [[name, number === undefined ? 'Nobody was asked.' : Number(number)] as const];
  });
  return Object.fromEntries(fields);
}

/** A text where one is asked for, a list of points too: the end of the prompt and the model, so that no two questions get the same one. */
const repeatEnd = ({ model, prompt: { parts } }: EndpointQuestion): string =>
  `- ${(parts.at(-1)?.text ?? '').slice(-LONGEST)}\n${model}`;
