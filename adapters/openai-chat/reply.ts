/** Reading a chat-completions reply, whole or as server-sent events. */
import { createParser } from 'eventsource-parser';
import * as z from 'zod';
import { JudgeError } from '../../src/judge/errors.ts';
import type { Tokens } from '../../src/judge/types.ts';
import type { JudgeReply, Usage } from '../types.ts';

const call = z.looseObject({
  index: z.number().optional(),
  function: z.looseObject({ arguments: z.string().nullish() }).nullish(),
});
/** A whole message, or the piece of one in a stream. */
const said = z.looseObject({
  // Mistral and some gateways answer in parts.
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
  function_call: z.looseObject({ arguments: z.string().nullish() }).nullish(),
});
type Said = z.infer<typeof said>;

const choice = z.looseObject({
  index: z.number().optional(),
  message: said.nullish(),
  delta: said.nullish(),
  finish_reason: z.string().nullish(),
});
const reply = z.looseObject({
  choices: z.array(choice),
  usage: z.record(z.string(), z.unknown()).nullish(),
});
/** Some servers end a stream with a chunk that has usage and no choices at all. */
const chunk = reply.extend({ choices: z.array(choice).nullish() });

/** Whether a reply is a stream of events. Some servers answer a request for one with a plain JSON. */
export function isEventStream(body: string, asked: boolean): boolean {
  return asked && !/^\s*\{/.test(body);
}

/** @throws JudgeError where it is no whole chat-completions reply */
export function readReply(body: string, stream: boolean): JudgeReply {
  return isEventStream(body, stream) ? readStream(body) : readWhole(body);
}

function readWhole(body: string): JudgeReply {
  const parsed = check(reply, parseJson(body, 'the reply'), 'the reply');
  const choices = new Choices();
  for (const [index, one] of parsed.choices.entries()) choices.add(one, index);
  return choices.reply(parsed.usage ?? null);
}

function readStream(body: string): JudgeReply {
  const choices = new Choices();
  let usage: Usage | null = null;
  let done = false;
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') done = true;
      if (done) return;
      const parsed = check(chunk, parseJson(data, 'an event of the stream'), 'an event of the stream');
      for (const one of parsed.choices ?? []) choices.add(one, 0);
      usage = parsed.usage ?? usage;
    },
  });
  // The blank line that ends the last event is missing from some servers' streams.
  parser.feed(`${body}\n\n`);
  if (!done && !choices.finished) {
    throw new JudgeError('the stream was cut off: it ends with neither a finish_reason nor [DONE]');
  }
  return choices.reply(usage);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JudgeError(`${what} is not valid JSON, cut off after ${text.length} characters perhaps`, {
      cause,
    });
  }
}

const failure = z.looseObject({
  error: z.union([z.string(), z.looseObject({ message: z.string().optional() })]),
});

function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const failed = failure.safeParse(value);
  if (failed.success) {
    const { error } = failed.data;
    const message = typeof error === 'string' ? error : (error.message ?? JSON.stringify(error));
    throw new JudgeError(`${what} is an error inside a success: ${message}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new JudgeError(
    `${what} is not a chat completion: ${issue?.path.map(String).join('.')} ${issue?.message}`,
    { cause: parsed.error },
  );
}

interface Gathered {
  content: string;
  refusal: string;
  arguments: Map<number, string>;
  finish: string | null;
}

/** The choices of a reply, put together from however many pieces they came in. */
class Choices {
  readonly #byIndex = new Map<number, Gathered>();

  add(one: z.infer<typeof choice>, fallbackIndex: number): void {
    const index = one.index ?? fallbackIndex;
    const gathered = this.#byIndex.get(index) ?? {
      content: '',
      refusal: '',
      arguments: new Map<number, string>(),
      finish: null,
    };
    this.#byIndex.set(index, gathered);
    gathered.finish = one.finish_reason ?? gathered.finish;
    const piece = one.message ?? one.delta;
    if (!piece) return;
    gathered.content += contentText(piece);
    gathered.refusal += piece.refusal ?? '';
    for (const [position, { index: slot = position, function: called }] of (
      piece.tool_calls ?? []
    ).entries()) {
      gathered.arguments.set(slot, (gathered.arguments.get(slot) ?? '') + (called?.arguments ?? ''));
    }
    if (piece.function_call) {
      gathered.arguments.set(0, (gathered.arguments.get(0) ?? '') + (piece.function_call.arguments ?? ''));
    }
  }

  /** Whether there are choices and every one of them has ended. */
  get finished(): boolean {
    return this.#byIndex.size > 0 && [...this.#byIndex.values()].every(({ finish }) => finish !== null);
  }

  reply(usage: Usage | null): JudgeReply {
    const sorted = [...this.#byIndex].toSorted(([a], [b]) => a - b).map(([, gathered]) => gathered);
    return {
      texts: sorted.map(textOf),
      finish: sorted[0]?.finish ?? null,
      usage,
      tokens: usage ? tokensOf(usage) : null,
    };
  }
}

function contentText({ content }: Said): string {
  if (!content) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

/** With several tool calls the first counts, as for the clients that read them (autoevals). */
function textOf({ content, refusal, arguments: calls }: Gathered): string {
  const first = [...calls].toSorted(([a], [b]) => a - b)[0]?.[1];
  return content || first || refusal;
}

function tokensOf(usage: Usage): Tokens | null {
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : null;
}
