/** What a server says beside an error status is why: the error that a person reads gets its sentence, less any key. */
import * as z from 'zod';
import type { Clock } from '../ports.ts';
import { JudgeError } from './judge-errors.ts';
import { readText } from './send.ts';

/** Characters of a server's sentence. */
const MOST = 300;
/** Bytes of an error's body that are read, and for how long at most, in milliseconds. */
const LARGEST = 1 << 16;
const PATIENCE_MS = 5_000;
/** Shorter ones are placeholders such as `none`, and would take words out of a sentence. */
const SHORTEST_KEY = 8;
/** As the providers' keys begin; those of others are known where they are sent. */
const KEY_SHAPES = /\b(?:sk|pk|rk|gsk|xai|hf|rmd|nvapi)[-_][\w*.-]{8,}|\bAIza[\w-]{20,}|\b(?<=Bearer )\S+/g;

const text = z.string().min(1);
/** OpenAI's, Anthropic's and Gemini's; TGI's and Hugging Face's; those of FastAPI, which vLLM and many others are made with. */
const body = z.union([
  z.object({ error: z.object({ message: text }) }).transform(({ error }) => error.message),
  z.object({ error: text }).transform(({ error }) => error),
  z.object({ message: text }).transform(({ message }) => message),
  z.object({ detail: text }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: text })).min(1) })
    .transform(({ detail }) => detail.map(({ msg }) => msg).join('; ')),
  z.tuple([z.object({ error: z.object({ message: text }) })]).transform(([{ error }]) => error.message),
]);

/**
 * The same work; where it ends in an error status, whose body nobody has read, its message has the server's sentence.
 *
 * @param by.keys that were sent, which a server may quote
 * @throws as the work does: a JudgeError keeps its status and the response's headers
 */
export async function explainError<T>(
  work: Promise<T>,
  by: { readonly keys: readonly (string | null)[]; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof JudgeError) || !cause.response?.body) throw cause;
    const { status, headers, body: unread, bodyUsed } = cause.response;
    // Whoever asks the same at the same time has the same error.
    if (bodyUsed || unread.locked) throw cause;
    const enough = AbortSignal.any([by.signal, by.clock.after(PATIENCE_MS)]);
    const said = findSentence(await textOf(unread, enough), by.keys);
    throw new JudgeError(said === '' ? cause.message : `${cause.message}: ${said}`, {
      status: cause.status,
      retryable: cause.retryable,
      response: new Response(null, { status, headers }),
      cause: cause.cause,
    });
  }
}

/** Empty where it cannot be read: the status has to do then. */
async function textOf(unread: ReadableStream<Uint8Array>, enough: AbortSignal): Promise<string> {
  try {
    const bounded = unread.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal: enough });
    return await readText(new Response(bounded), { maxBytes: LARGEST });
  } catch (cause) {
    if (cause instanceof JudgeError) return '';
    throw cause;
  }
}

/** @returns one line, fit for a terminal; empty where the body says nothing to people */
export function findSentence(said: string, keys: readonly (string | null)[]): string {
  const whole = wordsIn(said);
  const known = keys.filter((key) => key !== null && key.length >= SHORTEST_KEY);
  const masked = known
    .reduce<string>((clean, key) => clean.replaceAll(String(key), '[key]'), whole)
    .replace(KEY_SHAPES, '[key]');
  // Control characters could write anything on a person's terminal.
  const line = masked.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

function wordsIn(said: string): string {
  try {
    const read = body.safeParse(JSON.parse(said));
    return read.success ? read.data : said;
  } catch {
    // No JSON. A page of HTML is of a gateway on the way, and tells people nothing that its status does not.
    return /^\s*</.test(said) ? '' : said;
  }
}
