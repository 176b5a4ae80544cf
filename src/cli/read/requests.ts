/** The requests in files: bodies of any protocol, alone, one a line, or in lines of a log or a batch. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import * as z from 'zod';
import { type Adapter, DEFAULT_ADAPTER, detectProtocol, type JudgeRequest } from '../../../adapters/index.ts';
import { describeError, InputError } from '../../errors.ts';
import { JudgeError } from '../../http/index.ts';
import { readNumberedJsonl } from '../../records/node.ts';

/** A request, and where it was given. */
export interface GivenRequest {
  /** `requests.jsonl:3`, `all.json[2]`, `prompt.txt`. */
  readonly place: string;
  readonly protocol: string;
  /** The path that it was sent to; the protocol's name where it is not known. */
  readonly path: string;
  readonly request: JudgeRequest;
  /** What the judge replied, where a log's line has it beside the request. */
  readonly reply: string | null;
}

/** What may stand around a body: a line of a log, or of a batch of OpenAI, Anthropic or Gemini. */
const Envelope = z.looseObject({
  path: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  body: z.unknown().optional(),
  params: z.unknown().optional(),
  request: z.unknown().optional(),
  response: z.unknown().optional(),
});
/** `{request: {path, body: "…"}}`, and one more. */
const DEEPEST = 4;

/**
 * @param path a `.json` holds a request or a list of them, a `.jsonl` one a line; every other file is the text of one
 *   message of a user
 * @throws InputError naming the file and the line
 */
export async function readGivenRequests(path: string): Promise<GivenRequest[]> {
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson': {
      const given: GivenRequest[] = [];
      for await (const { line, record } of readNumberedJsonl(path, z.unknown()))
        given.push(requestIn(record, `${path}:${line}`));
      return given;
    }
    case '.json': {
      const value = parsed(utf8Of(path), path);
      return Array.isArray(value)
        ? value.map((one: unknown, n) => requestIn(one, `${path}[${n}]`))
        : [requestIn(value, path)];
    }
    default:
      return [messageOf(path)];
  }
}

/** Editors end a file's last line; a prompt ends where its text does. */
function messageOf(path: string): GivenRequest {
  const content = utf8Of(path).replace(/\r?\n$/, '');
  if (content.trim() === '') throw new InputError(path, 'holds no text');
  const request = DEFAULT_ADAPTER.readRequest(JSON.stringify({ messages: [{ role: 'user', content }] }));
  const { name } = DEFAULT_ADAPTER;
  return { place: path, protocol: name, path: name, request, reply: null };
}

function requestIn(value: unknown, place: string): GivenRequest {
  let inner = value;
  let path: string | null = null;
  let replied: unknown = null;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const envelope = Envelope.safeParse(inner).data;
    if (!envelope) throw new InputError(place, 'is no request: it must be a JSON object');
    path ??= pathOf(envelope.path ?? envelope.url);
    replied ??= envelope.response;
    const within = envelope.body ?? envelope.params ?? envelope.request;
    if (within === undefined || within === null) break;
    inner = typeof within === 'string' ? parsed(within, place) : within;
  }
  const body = z.looseObject({}).safeParse(inner).data;
  const adapter = body && detectProtocol(body, path);
  if (!adapter)
    throw new InputError(
      place,
      'is no request that can be read: its body has none of messages, input, prompt, contents and inputs',
    );
  try {
    const request = adapter.readRequest(JSON.stringify(body), path ?? undefined);
    const reply = replyIn(replied, adapter, request);
    return { place, protocol: adapter.name, path: path ?? adapter.name, request, reply };
  } catch (cause) {
    throw cause instanceof InputError ? new InputError(place, cause.message) : cause;
  }
}

/** The first text of a reply, as an object, as text, or in an envelope (`{status, body}`); null where there is none. */
function replyIn(value: unknown, adapter: Adapter, request: JudgeRequest): string | null {
  const enveloped = Envelope.safeParse(value).data;
  const body = enveloped?.body ?? value;
  if (body === null || body === undefined) return null;
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return adapter.readReply(text, request.stream, request.body).texts[0] ?? null;
  } catch (cause) {
    // A log keeps failures, too: nothing is learned from them.
    if (cause instanceof JudgeError) return null;
    throw cause;
  }
}

/** Of a URL its path and query. */
function pathOf(said: string | undefined): string | null {
  if (said === undefined) return null;
  const url = URL.canParse(said) ? new URL(said) : null;
  return url ? `${url.pathname}${url.search}` : said;
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new InputError(place, `not valid JSON: ${cause.message}`);
  }
}

function utf8Of(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new InputError(path, `cannot be read: ${describeError(cause)}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError(path, 'is not UTF-8 text');
  }
}
