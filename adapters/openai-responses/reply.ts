/**
 * Reading a response, whole (https://platform.openai.com/docs/api-reference/responses/object) or as a stream of
 * typed events (https://platform.openai.com/docs/api-reference/responses-streaming).
 */
import * as z from 'zod';
import type { SampledToken } from '../../src/case/index.ts';
import { JudgeError } from '../../src/http/index.ts';
import { readSampledTokens, toSampledPart } from '../openai-api.ts';
import { few, NO_REPLY, servedFields, toReasoningPart, toServedPart } from '../reply-json.ts';
import { isEventStream, parseReply, readEvents } from '../sse.ts';
import { readTokenCounts } from '../token-usage.ts';
import type { JudgeReply } from '../types.ts';

const part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
  logprobs: z.unknown().optional(),
});
/** A message, a function call, or something that holds no verdict, such as reasoning. */
const item = z.looseObject({
  type: z.string(),
  content: few(part).nullish().catch(null),
  // Of reasoning.
  summary: few(part).nullish().catch(null),
  // Some of the tools that run at the endpoint have arguments of another form.
  name: z.string().nullish().catch(null),
  arguments: z.string().nullish().catch(null),
});
type Item = z.infer<typeof item>;

const response = z.looseObject({
  model: servedFields.model,
  output: few(item),
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: z.record(z.string(), z.unknown()).nullish(),
  error: z.unknown().optional(),
});
type Response = z.infer<typeof response>;

const event = z.looseObject({
  type: z.string(),
  output_index: z.number().optional(),
  delta: z.unknown().optional(),
  logprobs: z.unknown().optional(),
  item: z.unknown().optional(),
  response: z.unknown().optional(),
});

/** @throws JudgeError where it is cut off, or no JSON */
export function readOpenAiResponsesReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body) : replyOf(parseReply(body));
}

/** The last event has the whole response; some gateways leave its output empty, as it was streamed already. */
function readStream(body: string): JudgeReply {
  const streamed = new Streamed();
  for (const { data } of readEvents(body)) {
    if (data === '[DONE]') continue;
    const { data: one } = event.safeParse(parseReply(data, 'an event of the stream'));
    if (!one || one.type === 'error' || one.type === 'response.failed') return NO_REPLY;
    if (one.type === 'response.completed' || one.type === 'response.incomplete')
      return replyOf(one.response, streamed);
    streamed.add(one);
  }
  throw new JudgeError('the stream was cut off: it ends without response.completed');
}

/** Output put together from the events before the last. */
class Streamed {
  readonly #done = new Map<number, Item>();
  readonly #begun = new Map<number, Item>();

  add({ type, output_index: index = 0, delta, logprobs, item: told }: z.infer<typeof event>): void {
    const { data } = item.safeParse(told);
    if (data && type === 'response.output_item.done') this.#done.set(index, data);
    if (data && type === 'response.output_item.added') this.#begun.set(index, data);
    if (typeof delta !== 'string') return;
    const before = this.#begun.get(index);
    if (type === 'response.output_text.delta') {
      const [said] = before?.content ?? [];
      const text = (said?.text ?? '') + delta;
      const all = [said?.logprobs, logprobs].flatMap((some) => (Array.isArray(some) ? some : []));
      this.#begun.set(index, { type: 'message', content: [{ type: 'output_text', text, logprobs: all }] });
    } else if (type === 'response.function_call_arguments.delta') {
      const args = (before?.arguments ?? '') + delta;
      this.#begun.set(index, { ...before, type: 'function_call', arguments: args });
    }
  }

  get output(): Item[] {
    return [...new Map([...this.#begun, ...this.#done])].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  }
}

/** A response without a status is a gateway's; taken as completed. */
const ENDED = ['completed', 'incomplete'];

function replyOf(whole: unknown, streamed?: Streamed): JudgeReply {
  const { data } = response.safeParse(whole);
  if (!data || (data.error ?? null) !== null || !ENDED.includes(data.status ?? 'completed')) return NO_REPLY;
  const output = data.output.length === 0 && streamed ? streamed.output : data.output;
  const usage = data.usage ?? null;
  return {
    texts: [textOf(output)],
    ...toSampledPart([sampledIn(output)]),
    ...toReasoningPart(reasoningIn(output)),
    finish: finishOf(data),
    shape: shapeOf(output),
    usage,
    tokens: readTokenCounts(usage, 'input_tokens', 'output_tokens'),
    ...toServedPart(data.model),
  };
}

/** In the words of chat completions, which say the same of every protocol that OpenAI has. */
function finishOf({ status, incomplete_details: incomplete }: Response): string | null {
  if (status !== 'incomplete') return status ? 'stop' : null;
  return incomplete?.reason === 'max_output_tokens' ? 'length' : (incomplete?.reason ?? status);
}

function partsOf(output: readonly Item[]): z.infer<typeof part>[] {
  return output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
}

/**
 * All text there is, joined, as OpenAI's own client does (`output_text`). Of several calls the first counts, as
 * for the clients that read them (autoevals).
 */
function textOf(output: readonly Item[]): string {
  const parts = partsOf(output);
  const text = parts.map((one) => (one.type === 'output_text' ? (one.text ?? '') : '')).join('');
  const call = output.find(({ type }) => type === 'function_call')?.arguments;
  return text || call || parts.map(({ refusal }) => refusal ?? '').join('');
}

/** What was thought where the endpoint shows it (open models do), its summary where it does not. */
function reasoningIn(output: readonly Item[]): string {
  return output
    .flatMap(({ type, content, summary }) =>
      type === 'reasoning' ? ((content?.length ? content : summary) ?? []) : [],
    )
    .flatMap(({ text }) => text ?? [])
    .join('\n\n');
}

/** Of all text there is, as it is joined; none where a part of it came without. */
function sampledIn(output: readonly Item[]): SampledToken[] {
  const texts = partsOf(output).filter(({ type, text }) => type === 'output_text' && text);
  const sampled = texts.map(({ logprobs }) => readSampledTokens(logprobs));
  return sampled.every((tokens) => tokens.length > 0) ? sampled.flat() : [];
}

function shapeOf(output: readonly Item[]): string {
  const calls = output.flatMap(({ type, name }) => (type === 'function_call' ? [name ?? ''] : []));
  const logprobs = partsOf(output).some((one) => Array.isArray(one.logprobs) && one.logprobs.length > 0);
  return JSON.stringify({ calls, logprobs });
}
