/**
 * Replies of OpenAI's chat completions and of its older completions: `choices`, whole or as server-sent events. What they say,
 * and another text in one that came.
 */
import * as z from 'zod';
import type { SampledToken } from '../src/case/index.ts';
import { JudgeError } from '../src/http/index.ts';
import {
  findNode,
  type JsonNode,
  parseJsonSource,
  replaceNode,
  replaceText,
  type Splice,
  splice,
} from './json-source.ts';
import { readColumnTokens, readSampledTokens, toSampledPart } from './openai-api.ts';
import { few, NO_REPLY, servedFields, toReasoningPart, toServedPart } from './reply-json.ts';
import { isEventStream, parseReply, readEventJsons, readEvents, shiftSplices } from './sse.ts';
import { readTokenCounts } from './token-usage.ts';
import type { JudgeReply, Usage } from './types.ts';

// Fields that nobody reads are left out of what is parsed: most of a reply is such.
const called = z.object({ name: z.string().nullish(), arguments: z.string().nullish() });
const call = z.object({ index: z.number().optional(), function: called.nullish() });
/** Mistral's reasoning models think in a part of the content. */
const thoughts = z
  .array(z.object({ text: z.string().optional() }))
  .optional()
  .catch(undefined);
/** A whole message, or the piece of one in a stream. */
const said = z.object({
  // Mistral and some gateways answer in parts.
  content: z
    .union([z.string(), few(z.object({ text: z.string().optional(), thinking: thoughts }))])
    .nullish(),
  // DeepSeek, SGLang and older vLLM; newer vLLM and OpenRouter. Of another form, it is none.
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  refusal: z.string().nullish(),
  tool_calls: few(call).nullish(),
  function_call: called.nullish(),
});
type ChatMessage = z.infer<typeof said>;

const choice = z.object({
  index: z.number().optional(),
  message: said.nullish(),
  delta: said.nullish(),
  // Of completions.
  text: z.string().nullish().catch(null),
  finish_reason: z.string().nullish(),
  logprobs: z.unknown().optional(),
});
type Choice = z.infer<typeof choice>;
const contentLogprobs = z.object({ content: z.unknown() });
const reply = z.object({
  ...servedFields,
  choices: few(choice),
  usage: z.record(z.string(), z.unknown()).nullish(),
  error: z.unknown().optional(),
});
/** Some servers end a stream with a chunk that has usage and no choices at all. */
const chunk = reply.extend({ choices: few(choice).nullish() });

interface Dialect {
  /** What a choice, whole or a piece of one, says. */
  saidIn(choice: Choice): ChatMessage | null | undefined;
  tokensIn(logprobs: unknown): SampledToken[];
}

const CHAT: Dialect = {
  saidIn: ({ message, delta }) => message ?? delta,
  tokensIn: (logprobs) => readSampledTokens(contentLogprobs.safeParse(logprobs).data?.content),
};
const COMPLETIONS: Dialect = {
  saidIn: ({ text }) => (typeof text === 'string' ? { content: text } : null),
  tokensIn: readColumnTokens,
};

/** @throws JudgeError where it is cut off, or no JSON */
export function readOpenAiChatReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body, CHAT) : readWhole(body, CHAT);
}

/** @throws JudgeError where it is cut off, or no JSON */
export function readOpenAiCompletionReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body, COMPLETIONS) : readWhole(body, COMPLETIONS);
}

function readWhole(body: string, dialect: Dialect): JudgeReply {
  const parsed = reply.safeParse(parseReply(body)).data;
  if (!parsed || 'error' in parsed) return NO_REPLY;
  // A chat completion, say, has choices without a text.
  if (dialect === COMPLETIONS && parsed.choices.some((one) => !dialect.saidIn(one))) return NO_REPLY;
  const choices = new Choices(dialect);
  for (const [index, one] of parsed.choices.entries()) choices.add(one, index);
  return { ...choices.reply(parsed.usage ?? null), ...toServedPart(parsed.model, parsed.system_fingerprint) };
}

function readStream(body: string, dialect: Dialect): JudgeReply {
  const choices = new Choices(dialect);
  let usage: Usage | null = null;
  let served: Pick<JudgeReply, 'served'> = {};
  let done = false;
  for (const { data } of readEvents(body)) {
    done = data === '[DONE]';
    if (done) break;
    const parsed = chunk.safeParse(parseReply(data, 'an event of the stream')).data;
    if (!parsed || 'error' in parsed) return NO_REPLY;
    for (const one of parsed.choices ?? []) choices.add(one, 0);
    usage = parsed.usage ?? usage;
    if (served.served === undefined) served = toServedPart(parsed.model, parsed.system_fingerprint);
  }
  if (!done && !choices.finished) {
    throw new JudgeError('the stream was cut off: it ends with neither a finish_reason nor [DONE]');
  }
  return { ...choices.reply(usage), ...served };
}

interface StreamState {
  readonly index: number;
  content: string;
  reasoning: string;
  refusal: string;
  arguments: Map<number, string>;
  /** Of the functions called. */
  names: string[];
  logprobs: boolean;
  sampled: SampledToken[];
  finish: string | null;
}

/** The choices of a reply, put together from however many pieces they came in. */
class Choices {
  readonly #byIndex = new Map<number, StreamState>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(one: Choice, fallbackIndex: number): void {
    const index = one.index ?? fallbackIndex;
    const gathered = this.#byIndex.get(index) ?? {
      index,
      content: '',
      reasoning: '',
      refusal: '',
      arguments: new Map<number, string>(),
      names: [],
      logprobs: false,
      sampled: [],
      finish: null,
    };
    this.#byIndex.set(index, gathered);
    gathered.finish = one.finish_reason ?? gathered.finish;
    gathered.logprobs ||= one.logprobs !== null && one.logprobs !== undefined;
    if (one.logprobs) for (const token of this.#dialect.tokensIn(one.logprobs)) gathered.sampled.push(token);
    const piece = this.#dialect.saidIn(one);
    if (!piece) return;
    gathered.content += contentText(piece);
    gathered.reasoning += reasoningText(piece);
    gathered.refusal += piece.refusal ?? '';
    for (const [position, { index: slot = position, function: called }] of (
      piece.tool_calls ?? []
    ).entries()) {
      gathered.arguments.set(slot, (gathered.arguments.get(slot) ?? '') + (called?.arguments ?? ''));
      if (called?.name) gathered.names.push(called.name);
    }
    if (piece.function_call) {
      gathered.arguments.set(0, (gathered.arguments.get(0) ?? '') + (piece.function_call.arguments ?? ''));
      if (piece.function_call.name) gathered.names.push(piece.function_call.name);
    }
  }

  /** Whether there are choices and every one of them has ended. */
  get finished(): boolean {
    return this.#byIndex.size > 0 && [...this.#byIndex.values()].every(({ finish }) => finish !== null);
  }

  reply(usage: Usage | null): JudgeReply {
    const sorted = [...this.#byIndex.values()].toSorted((a, b) => a.index - b.index);
    return {
      texts: sorted.map(textOf),
      ...toSampledPart(sorted.map(({ sampled }) => sampled)),
      ...toReasoningPart(sorted[0]?.reasoning ?? ''),
      finish: sorted[0]?.finish ?? null,
      ...(sorted.length > 1 && { finishes: sorted.map(({ finish }) => finish) }),
      shape: sorted.map(shapeOf).join(),
      usage,
      tokens: readTokenCounts(usage, 'prompt_tokens', 'completion_tokens'),
    };
  }
}

/** What a client's parser looks for first: is it a function's arguments or a text, and are there log-probabilities? */
function shapeOf({ content, arguments: calls, names, logprobs }: StreamState): string {
  const place = calls.size > 0 ? JSON.stringify(names) : content === '' ? 'nothing' : 'content';
  return logprobs ? `${place} logprobs` : place;
}

function contentText({ content }: ChatMessage): string {
  if (!content) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

/** Servers that send both fields say the same in both. */
function reasoningText({ reasoning_content, reasoning, content }: ChatMessage): string {
  const parts = Array.isArray(content) ? content.flatMap(({ thinking }) => thinking ?? []) : [];
  return reasoning_content ?? reasoning ?? parts.map(({ text }) => text ?? '').join('');
}

/** With several tool calls the first counts, as for the clients that read them (autoevals). */
function textOf({ content, refusal, arguments: calls }: StreamState): string {
  return content || [...calls].toSorted(([a], [b]) => a - b)[0]?.[1] || refusal;
}

/**
 * Putting another text where a reply has its verdict: in every choice's text, or in the arguments of the
 * function it calls. Log-probabilities of the words that were there are taken out with them.
 */
export function replaceChoiceText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? inEvents(body, text) : inWhole(body, text);
}

function inWhole(body: string, text: string): string {
  const { root } = parseJsonSource(body, 'reply');
  return splice(
    body,
    choicesOf(root).flatMap(({ choice, places }) => {
      const place = places.find(speaks) ?? places[0];
      return place ? [replaceText(place.node, text), ...dropLogprobs(choice)] : [];
    }),
  );
}

/** The first piece of a choice gets the whole text, its later pieces none; the chunks stay as many as they were. */
function inEvents(body: string, text: string): string {
  const chunks = readEventJsons(body).flatMap((event) =>
    choicesOf(parseJsonSource(event.json, 'event').root).map((found) => ({ ...found, event })),
  );
  const kinds = new Map(
    [...Map.groupBy(chunks, ({ index }) => index)].map(([index, pieces]) => {
      const all = pieces.flatMap((chunk) => chunk.places);
      return [index, (all.find(speaks) ?? all[0])?.kind] as const;
    }),
  );
  const begun = new Set<unknown>();
  const splices: Splice[] = [];
  for (const { index, choice, places, event } of chunks) {
    const place = places.find((one) => one.kind === kinds.get(index));
    const here = place ? [replaceText(place.node, begun.has(index) ? '' : text)] : [];
    if (place) begun.add(index);
    splices.push(...shiftSplices(event, [...here, ...dropLogprobs(choice)]));
  }
  return splice(body, splices);
}

interface Place {
  readonly kind: 'content' | 'tool' | 'function';
  readonly node: JsonNode;
}

/** The choices of a reply or a chunk, with the places where a verdict may stand, likeliest first. */
function choicesOf(root: JsonNode): { index: unknown; choice: JsonNode; places: Place[] }[] {
  const choices = findNode(root, ['choices'])?.items ?? [];
  return choices.map((choice, position) => {
    const said = findNode(choice, ['message']) ?? findNode(choice, ['delta']) ?? choice;
    const place = (kind: Place['kind'], path: (string | number)[]): Place[] => {
      const node = findNode(said, path);
      return node ? [{ kind, node }] : [];
    };
    return {
      index: findNode(choice, ['index'])?.value ?? position,
      choice,
      places: [
        ...place('content', [said === choice ? 'text' : 'content']),
        ...place('tool', ['tool_calls', 0, 'function', 'arguments']),
        ...place('function', ['function_call', 'arguments']),
      ],
    };
  });
}

/** Not null and not empty. */
function speaks({ node }: Place): boolean {
  return node.type === 'array' || (typeof node.value === 'string' && node.value !== '');
}

function dropLogprobs(choice: JsonNode): Splice[] {
  const node = findNode(choice, ['logprobs']);
  if (node?.type !== 'object') return [];
  return [replaceNode(node, 'null')];
}
