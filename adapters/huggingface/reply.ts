/** Reads replies of Hugging Face's text generation: whole or as events, with log-probabilities, with or without the prompt before them. */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { JudgeError } from '../../src/http/index.ts';
import type { Tokens } from '../../src/ports.ts';
import {
  findNode,
  type JsonNode,
  parseJsonSource,
  replaceText,
  type Splice,
  splice,
} from '../json-source.ts';
import { createLikelyToken, toSampledPart } from '../openai-api.ts';
import { NO_REPLY, readReplyJson } from '../reply-json.ts';
import { parseReply, readEventJsons, readEvents, shiftSplices } from '../sse.ts';
import { sumTokenCounts } from '../token-usage.ts';
import type { JudgeReply } from '../types.ts';

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

/** @throws JudgeError where it is cut off, or no JSON */
export function readHuggingFaceReply(body: string, stream: boolean, sent?: string): JudgeReply {
  return isEventReply(body, stream) ? readStream(body, sent) : readWhole(body, sent);
}

function readWhole(body: string, sent: string | undefined): JudgeReply {
  const parsed = z.union([generation, z.array(generation).min(1)]).safeParse(parseReply(body)).data;
  if (!parsed || 'error' in parsed) return NO_REPLY;
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
    if (!parsed || 'error' in parsed) return NO_REPLY;
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

const token = z.looseObject({ text: z.string(), logprob: z.number(), special: z.boolean().nullish() });
const likeliest = z.array(token).catch([]);

/**
 * Without the special ones, which are no part of the text.
 * @param tops `top_tokens`: a list for each token, empty where none were asked for
 * @returns none where any token is not in that form, for the others would not be where they seem to be
 */
function readHuggingFaceTokens(tokens: readonly unknown[], tops: readonly unknown[]): SampledToken[] {
  const { data } = z.array(token).safeParse(tokens);
  return (data ?? []).flatMap(({ text, logprob, special }, at) =>
    special
      ? []
      : [
          {
            ...createLikelyToken(text, logprob),
            likeliest: likeliest.parse(tops[at]).map((one) => createLikelyToken(one.text, one.logprob)),
          },
        ],
  );
}

/** Told by the first character: a server may answer a request for a stream with JSON. */
export function isEventReply(body: string, asked: boolean): boolean {
  return asked && !/^\s*[[{]/.test(body);
}

/** A JSON value of a reply, and how a splice of the text it was read from becomes one of the reply. */
export interface ReplyPiece {
  readonly root: JsonNode;
  readonly moved: (splices: readonly Splice[]) => readonly Splice[];
}

/** The generations, or the events. @throws JudgeError where it is no JSON */
export function readReplyPieces(body: string, stream: boolean): ReplyPiece[] {
  if (isEventReply(body, stream))
    return readEventJsons(body).map((event) => ({
      root: parseJsonSource(event.json, 'event').root,
      moved: (splices) => shiftSplices(event, splices),
    }));
  const { root } = readReplyJson(body);
  const all = root.type === 'array' ? (root.items ?? []) : [root];
  return all.map((one) => ({ root: one, moved: (splices) => splices }));
}

/** The generated text of a piece; null where it has none. */
export function findGeneratedText({ root }: ReplyPiece): (JsonNode & { readonly value: string }) | null {
  const node = findNode(root, ['generated_text']);
  return node?.type === 'string' ? { ...node, value: String(node.value) } : null;
}

const asked = z.looseObject({
  inputs: z.string(),
  parameters: z.looseObject({ return_full_text: z.boolean().nullish() }).nullish().catch(null),
});

/** As many letters of a prompt as tell that a text begins with it. */
const TELLING = 32;

/**
 * How much of a generated text is the prompt.
 * @param sent body of the request
 * @returns 0 where it repeats nothing; null where it repeats it inexactly, so that nothing tells where it ends
 */
export function measureRepeatedPrompt(generated: string, sent: string | undefined): number | null {
  if (sent === undefined) return 0;
  const { data } = asked.safeParse(JSON.parse(sent));
  const full = data?.parameters?.return_full_text ?? null;
  if (!data || full === false) return 0;
  if (generated.startsWith(data.inputs)) return data.inputs.length;
  const beginning = lettersOf(data.inputs).slice(0, TELLING);
  const alike = beginning.length === TELLING && lettersOf(generated).startsWith(beginning);
  return full || alike ? null : 0;
}

/** Less what a tokenizer may change on the way there and back: its own tokens, and white space. */
function lettersOf(text: string): string {
  return text.slice(0, 40 * TELLING).replace(/<[^<>\s]{1,40}>|[^\p{L}\p{N}]/gu, '');
}

/** The reply to an edited request, with the client's own prompt where it repeats the edited one. */
export function restoreOwnPrompt(body: string, stream: boolean, sent: string, own: string): string {
  const inputs = asked.safeParse(JSON.parse(own)).data?.inputs;
  if (inputs === undefined || sent === own) return body;
  const splices = readReplyPieces(body, stream).flatMap((piece): readonly Splice[] => {
    const text = findGeneratedText(piece);
    const length = text && measureRepeatedPrompt(text.value, sent);
    if (!text || !length) return [];
    return piece.moved([replaceText(text, inputs + text.value.slice(length))]);
  });
  return splice(body, splices);
}
