/** Reading generated text, whole or as server-sent events. */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { JudgeError } from '../../src/http/index.ts';
import type { Tokens } from '../../src/ports.ts';
import { toSampledPart } from '../sampled-tokens.ts';
import { parseReply, readEvents } from '../sse.ts';
import { sumTokenCounts } from '../token-usage.ts';
import type { JudgeReply } from '../types.ts';
import { measureRepeatedPrompt } from './full-text.ts';
import { isEventReply } from './generations.ts';
import { readHuggingFaceTokens } from './logprobs.ts';

const details = z.looseObject({
  finish_reason: z.string().nullish(),
  generated_tokens: z.number().nullish(),
  input_length: z.number().nullish(),
  prefill: z.array(z.unknown()).nullish(),
  tokens: z.array(z.unknown()).nullish(),
  top_tokens: z.array(z.unknown()).nullish(),
});
const generation = z.looseObject({ generated_text: z.string(), details: details.nullish() });
type Generation = z.infer<typeof generation>;
const event = z.looseObject({
  token: z.unknown().optional(),
  generated_text: z.string().nullish(),
  details: details.nullish(),
  top_tokens: z.array(z.unknown()).nullish(),
});

/** What a whole document that is no generated text says to us: another task's, or an error inside a 200. */
const NOTHING: JudgeReply = { texts: [], finish: null, usage: null, tokens: null };

/** @throws JudgeError where it is cut off, or no JSON */
export function readHuggingFaceReply(body: string, stream: boolean, sent?: string): JudgeReply {
  return isEventReply(body, stream) ? readStream(body, sent) : readWhole(body, sent);
}

function readWhole(body: string, sent: string | undefined): JudgeReply {
  const parsed = z.union([generation, z.array(generation).min(1)]).safeParse(parseReply(body)).data;
  if (!parsed || 'error' in parsed) return NOTHING;
  const list = Array.isArray(parsed);
  const all = list ? parsed : [parsed];
  const given = all.map(({ details: one }) => ({
    details: Boolean(one),
    tokens: (one?.tokens?.length ?? 0) > 0,
    top: (one?.top_tokens?.length ?? 0) > 0,
  }));
  const sampled = all.map(({ details: one }) =>
    readHuggingFaceTokens(one?.tokens ?? [], one?.top_tokens ?? []),
  );
  return replyOf(all, JSON.stringify({ list, given }), sampled, sent);
}

function readStream(body: string, sent: string | undefined): JudgeReply {
  let last: Generation | null = null;
  const tokens: unknown[] = [];
  const tops: unknown[] = [];
  for (const { data } of readEvents(body)) {
    // Not sent by TGI itself; some gateways end every stream with it.
    if (data === '[DONE]') break;
    const parsed = event.safeParse(parseReply(data, 'an event of the stream')).data;
    if (!parsed || 'error' in parsed) return NOTHING;
    if (parsed.token) {
      tokens.push(parsed.token);
      tops.push(parsed.top_tokens ?? []);
    }
    const { generated_text: text } = parsed;
    if (typeof text === 'string') last = { generated_text: text, details: parsed.details };
  }
  if (!last) throw new JudgeError('the stream was cut off: it ends without its generated_text');
  const top = tops.some((one) => Array.isArray(one) && one.length > 0);
  const shape = JSON.stringify({ details: Boolean(last.details), top });
  return replyOf([last], shape, [readHuggingFaceTokens(tokens, tops)], sent);
}

function replyOf(
  all: readonly Generation[],
  shape: string,
  sampled: readonly (readonly SampledToken[])[],
  sent: string | undefined,
): JudgeReply {
  const first = all[0]?.details ?? null;
  return {
    texts: all.map((one) => ownWords(one, sent)),
    ...toSampledPart(sampled),
    finish: first?.finish_reason ?? null,
    shape,
    usage: null,
    tokens: first && tokensOf(first),
  };
}

/** Of `best_of` several the server has chosen one already. */
function ownWords({ generated_text: text }: Generation, sent: string | undefined): string {
  const repeated = measureRepeatedPrompt(text, sent);
  return repeated === null ? '' : text.slice(repeated);
}

/** The prompt's tokens are counted in newer versions, and listed where the client asked for them. */
function tokensOf({
  generated_tokens: output,
  input_length,
  prefill,
}: z.infer<typeof details>): Tokens | null {
  const input = input_length ?? (prefill?.length || null);
  return sumTokenCounts([input], [output]);
}
