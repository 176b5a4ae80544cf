/** Reads Gemini's replies: one object, a JSON array or events; their texts, calls and log-probabilities. */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { JudgeError } from '../../src/http/index.ts';
import type { Tokens } from '../../src/ports.ts';
import { createLikelyToken, toSampledPart } from '../openai-api.ts';
import {
  few,
  NO_REPLY,
  readRawJson,
  readReplyJson,
  servedFields,
  toReasoningPart,
  toServedPart,
} from '../reply-json.ts';
import { type EventJson, parseReply, readEventJsons, readEvents } from '../sse.ts';
import { sumTokenCounts } from '../token-usage.ts';
import type { JudgeReply, Usage } from '../types.ts';

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ name: z.string().optional() }).optional(),
});
const candidate = z.looseObject({
  index: z.number().optional(),
  content: z.looseObject({ parts: few(part).optional() }).nullish(),
  finishReason: z.string().nullish(),
  logprobsResult: z.unknown().optional(),
});
const chunk = z.looseObject({
  modelVersion: servedFields.model,
  candidates: few(candidate).optional(),
  promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z.record(z.string(), z.unknown()).optional(),
});
type Part = z.infer<typeof part>;

/** @throws JudgeError where it is cut off, or no JSON */
export function readGeminiReply(body: string): JudgeReply {
  const candidates = new Candidates();
  let usage: Usage | null = null;
  let blocked = false;
  let model: string | null = null;
  for (const { json, value } of readChunks(body)) {
    const parsed = chunk.safeParse(value).data;
    if (!parsed || 'error' in parsed) return NO_REPLY;
    for (const [place, one] of (parsed.candidates ?? []).entries()) {
      const gathered = candidates.at(one.index ?? place);
      gathered.finish = one.finishReason ?? gathered.finish;
      gathered.logprobs ||= one.logprobsResult !== undefined;
      for (const token of readGeminiTokens(one.logprobsResult)) gathered.sampled.push(token);
      for (const [i, piece] of (one.content?.parts ?? []).entries())
        add(gathered, piece, () =>
          readRawJson(json, ['candidates', place, 'content', 'parts', i, 'functionCall', 'args']),
        );
    }
    // Each chunk counts anew, and upwards.
    usage = parsed.usageMetadata ?? usage;
    model ??= parsed.modelVersion ?? null;
    blocked ||= parsed.promptFeedback?.blockReason !== undefined;
  }
  const all = candidates.inOrder();
  const whole = detectReplyForm(body) === 'object' || blocked;
  if (!whole && (all.length === 0 || all.some(({ finish }) => finish === null)))
    throw new JudgeError('the stream was cut off: it ends without a finishReason');
  return {
    texts: all.map(textOf),
    ...toSampledPart(all.map(({ sampled }) => sampled)),
    ...toReasoningPart(all[0]?.thought ?? ''),
    finish: finishOf(all[0]?.finish ?? null),
    ...(all.length > 1 && { finishes: all.map(({ finish }) => finishOf(finish)) }),
    shape: JSON.stringify(all.map(({ called, logprobs }) => [called, logprobs])),
    usage,
    tokens: usage && tokensOf(usage),
    ...toServedPart(model),
  };
}

interface StreamState {
  text: string;
  thought: string;
  /** The first call's arguments, as the JSON text that was received. */
  input: string;
  readonly called: string[];
  logprobs: boolean;
  readonly sampled: SampledToken[];
  finish: string | null;
}

class Candidates {
  readonly #byIndex = new Map<number, StreamState>();

  at(index: number): StreamState {
    const found = this.#byIndex.get(index) ?? {
      text: '',
      thought: '',
      input: '',
      called: [],
      logprobs: false,
      sampled: [],
      finish: null,
    };
    this.#byIndex.set(index, found);
    return found;
  }

  inOrder(): StreamState[] {
    return [...this.#byIndex].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  }
}

function add(gathered: StreamState, { text, thought, functionCall }: Part, input: () => string): void {
  if (thought) {
    gathered.thought += text ?? '';
    return;
  }
  gathered.text += text ?? '';
  if (!functionCall) return;
  if (gathered.called.length === 0) gathered.input = input();
  gathered.called.push(functionCall.name ?? '');
}

/** Reasons that leave what was said to stand. After the others (SAFETY, RECITATION …) it is a fragment. */
const SPOKEN = ['STOP', 'MAX_TOKENS', 'FINISH_REASON_UNSPECIFIED', null];

function textOf({ text, input, finish }: StreamState): string {
  if (!SPOKEN.includes(finish)) return '';
  return text.trim() === '' ? input || text : text;
}

/** The proxy knows a reply that ran out of tokens by OpenAI's word for it; the other reasons stay Google's. */
function finishOf(reason: string | null): string | null {
  return reason === 'MAX_TOKENS' ? 'length' : reason;
}

/** Thoughts are paid for as output, what tools answered as input; neither is in the other's count. */
function tokensOf(counts: Usage): Tokens | null {
  const { promptTokenCount: input, candidatesTokenCount: output = 0 } = counts;
  const { thoughtsTokenCount: thoughts = 0, toolUsePromptTokenCount: tools = 0 } = counts;
  return sumTokenCounts([input, tools], [output, thoughts]);
}

const scoredCandidate = z.looseObject({ token: z.string(), logProbability: z.number() });
const result = z.looseObject({
  chosenCandidates: z.array(scoredCandidate),
  topCandidates: z
    .array(z.looseObject({ candidates: z.array(scoredCandidate).nullish().catch(null) }))
    .nullish()
    .catch(null),
});

/** @returns none where it is not in that form */
function readGeminiTokens(logprobsResult: unknown): SampledToken[] {
  const { data } = result.safeParse(logprobsResult);
  if (!data) return [];
  return data.chosenCandidates.map(({ token, logProbability }, step) => ({
    ...createLikelyToken(token, logProbability),
    likeliest: (data.topCandidates?.[step]?.candidates ?? []).map((one) =>
      createLikelyToken(one.token, one.logProbability),
    ),
  }));
}

/** How a reply is sent, told by its first characters. A server may answer a request for a stream with an object. */
function detectReplyForm(body: string): 'object' | 'array' | 'events' {
  if (/^\s*\[/.test(body)) return 'array';
  // A field of an event or a comment. Whatever else it is, is to be refused as no JSON.
  return /^\s*(?:data|event|id|retry|:)/.test(body) ? 'events' : 'object';
}

/** The chunks, each with its text and where it begins. */
export function locateChunks(body: string): EventJson[] {
  switch (detectReplyForm(body)) {
    case 'object':
      return [{ json: body, start: 0 }];
    case 'array':
      return (readReplyJson(body).root.items ?? []).map(({ offset, length }) => ({
        json: body.slice(offset, offset + length),
        start: offset,
      }));
    case 'events':
      return readEventJsons(body);
  }
}

interface Chunk {
  readonly json: string;
  readonly value: unknown;
}

/** The chunks, to be read only. @throws JudgeError where the reply is no JSON */
function readChunks(body: string): Chunk[] {
  if (detectReplyForm(body) === 'events')
    return readEvents(body).map(({ data }) => ({
      json: data,
      value: parseReply(data, 'an event of the stream'),
    }));
  const value = parseReply(body);
  if (!Array.isArray(value)) return [{ json: body, value }];
  return locateChunks(body).map(({ json }, i) => ({ json, value: value[i] }));
}
