/** Reading Gemini's content, whole or in chunks: https://ai.google.dev/api/generate-content#generatecontentresponse */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { JudgeError } from '../../src/http/index.ts';
import type { Tokens } from '../../src/ports.ts';
import { few } from '../few.ts';
import { toReasoningPart } from '../reasoning.ts';
import { readRawJson } from '../reply-json.ts';
import { toSampledPart } from '../sampled-tokens.ts';
import { sumTokenCounts } from '../token-usage.ts';
import type { JudgeReply, Usage } from '../types.ts';
import { detectReplyForm, readChunks } from './chunks.ts';
import { readGeminiTokens } from './logprobs.ts';

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
  candidates: few(candidate).optional(),
  promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z.record(z.string(), z.unknown()).optional(),
});
type Part = z.infer<typeof part>;

/** What a whole document that is no content says to us. An error inside a 200 is one; it is passed on. */
const NOTHING: JudgeReply = { texts: [], finish: null, usage: null, tokens: null };

/** @throws JudgeError where it is cut off, or no JSON */
export function readGeminiReply(body: string): JudgeReply {
  const candidates = new Candidates();
  let usage: Usage | null = null;
  let blocked = false;
  for (const { json, value } of readChunks(body)) {
    const parsed = chunk.safeParse(value).data;
    if (!parsed || 'error' in parsed) return NOTHING;
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
  };
}

interface Gathered {
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
  readonly #byIndex = new Map<number, Gathered>();

  at(index: number): Gathered {
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

  inOrder(): Gathered[] {
    return [...this.#byIndex].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  }
}

function add(gathered: Gathered, { text, thought, functionCall }: Part, input: () => string): void {
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

function textOf({ text, input, finish }: Gathered): string {
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
