/** Text generation as TGI answers it: https://huggingface.github.io/text-generation-inference */
import * as z from 'zod';
import { formatEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';

const parameters = z.looseObject({
  inputs: z.string().catch(''),
  parameters: z
    .looseObject({
      details: z.boolean().nullish().catch(null),
      return_full_text: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

export function writeHuggingFaceReply(said: RequestedAnswer): WireReply {
  const { inputs, parameters: asked } = parameters.parse(said.fields);
  const generated_text = asked?.return_full_text ? inputs + said.text : said.text;
  const tokens = tokensOf(said);
  const counts = { finish_reason: 'eos_token', generated_tokens: tokens.length, seed: null };
  const input = said.tokens ? { input_length: said.tokens.input } : {};
  if (said.stream) {
    const details = { ...counts, ...input };
    return {
      events: tokens.map((token, i, all) =>
        i === all.length - 1
          ? formatEvent({ index: i + 1, token, generated_text, details })
          : formatEvent({ index: i + 1, token, generated_text: null, details: null }),
      ),
    };
  }
  const details = asked?.details ? { details: { ...counts, prefill: [], tokens, ...input } } : {};
  const generation = { generated_text, ...details };
  // TGI's own route answers with an object, those that it has for older clients with a list.
  const own = /^\/generate/.test(said.target);
  return { json: JSON.stringify(own ? generation : [generation]) };
}

/** There is no chance in what this endpoint says, so every token's probability is 1 and its logarithm 0. */
function tokensOf({ text }: RequestedAnswer): object[] {
  const pieces = splitWords(text);
  return (pieces.length > 0 ? pieces : [text]).map((piece, id) => ({
    id,
    text: piece,
    logprob: 0,
    special: false,
  }));
}
