/** The requests in files: bodies of any protocol, alone, one a line, in lines of a log or a batch, or in logs of evaluation tools. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import * as z from 'zod';
import { type Adapter, DEFAULT_ADAPTER, detectProtocol, type JudgeRequest } from '../../../adapters/index.ts';
import { describeError, InputError } from '../../errors.ts';
import { JudgeError } from '../../http/index.ts';
import { findLoggedCalls, type LoggedCall } from '../../logs/index.ts';
import { readEvalSamples } from '../../logs/node.ts';
import { readNumberedJsonl } from '../../records/node.ts';
import { openTable } from './table-rows.ts';

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
  /** The reply's body as it came, in the request's protocol; null where a log has none, or no more than the reply's words. */
  readonly response: string | null;
  /** Whether the reply ended where no more tokens were allowed. */
  readonly isCut: boolean;
  /** Why no reply could be read from what stands beside the request; null where one was, or nothing stands there. */
  readonly unread: string | null;
  /** Whose texts the options are, in the order in which they stand in the prompt; null where a log does not say it. */
  readonly contestants: readonly string[] | null;
  /** What several judgments were made from, such as a question; null where a log does not say it. */
  readonly group: string | null;
  /** Whether the log has left the system message out: what the judge was told is not known as a whole. */
  readonly lacksSystem: boolean;
}

/** What is told of files beside their requests. */
export interface GivenNotes {
  /** What the tool that wrote a file does not write down, in words. */
  readonly missing: string[];
}

/** What may stand around a body: a line of a log, or of a batch of OpenAI, Anthropic or Gemini. */
const Envelope = z.looseObject({
  path: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  custom_id: z.string().optional().catch(undefined),
  body: z.unknown().optional(),
  params: z.unknown().optional(),
  request: z.unknown().optional(),
  response: z.unknown().optional(),
  contestants: z.unknown().optional(),
  group: z
    .union([z.string().min(1), z.number().transform(String)])
    .optional()
    .catch(undefined),
});
/** `{request: {path, body: "…"}}`, and one more. */
const DEEPEST = 4;

/**
 * @param paths a `.json` holds a request, a list of them or a log, a `.jsonl` one a line, a `.csv`, `.tsv` or `.parquet` one a row,
 *   a `.eval` a log of Inspect; every other file is the text of one message of a user
 * @throws InputError naming the file and the line
 */
export const readGivenRequests = (paths: readonly string[]): Promise<GivenRequest[]> =>
  Array.fromAsync(streamGivenRequests(paths, { missing: [] }));

/** The same one by one: a log of any length needs no more memory than its longest line, or document. */
export async function* streamGivenRequests(
  paths: readonly string[],
  notes: GivenNotes,
): AsyncGenerator<GivenRequest> {
  const replies = await readBatchReplies(paths);
  const prompts = await readJudgePrompts(paths);
  const missing = new Map<string, number>();
  for (const path of paths)
    for await (const { text, value, isList, place } of valuesIn(path)) {
      if (text !== undefined) {
        yield messageOf(text, place);
        continue;
      }
      if (BatchReply.safeParse(value).success || JudgePrompt.safeParse(value).success) continue;
      const log = findLoggedCalls(value);
      for (const [what, count] of log?.missing ?? []) missing.set(what, (missing.get(what) ?? 0) + count);
      if (log)
        for (const [n, call] of log.calls.entries()) {
          const system = call.systemPrompt === undefined ? null : prompts.get(call.systemPrompt);
          const lacksSystem = system === undefined;
          if (lacksSystem) missing.set(NO_SYSTEM, (missing.get(NO_SYSTEM) ?? 0) + 1);
          const whole = withSystem(call, system ?? null);
          yield { ...requestIn(whole, `${place}#${n + 1}`, replies), lacksSystem };
        }
      else if (isList && Array.isArray(value))
        for (const [n, one] of value.entries()) yield requestIn(one, `${place}[${n}]`, replies);
      else yield requestIn(value, place, replies);
    }
  notes.missing.push(...[...missing].map(([what, count]) => `${count} ${what}`));
}

/** What the log of a benchmark lacks where the file of its prompts is not named, too. */
const NO_SYSTEM =
  'system messages, without which a judge cannot be asked again: of MT-Bench name judge_prompts.jsonl as well';

const withSystem = ({ body, ...call }: LoggedCall, system: string | null): LoggedCall => ({
  ...call,
  body:
    system === null ? body : { ...body, messages: [{ role: 'system', content: system }, ...body.messages] },
});

interface FileContent {
  readonly place: string;
  /** A document, or a line of several. */
  readonly value?: unknown;
  /** Whether it may be a list of requests. */
  readonly isList?: boolean;
  /** Of a file that is no JSON. */
  readonly text?: string;
}

async function* valuesIn(path: string): AsyncGenerator<FileContent> {
  const rows = openTable(path);
  if (rows) return yield* rows;
  switch (extname(path).toLowerCase()) {
    case '.jsonl':
    case '.ndjson':
      for await (const { line, record } of readNumberedJsonl(path, z.unknown()))
        yield { value: record, place: `${path}:${line}` };
      return;
    case '.json':
      yield { value: parseRequest(utf8Of(path), path), isList: true, place: path };
      return;
    case '.eval':
      for await (const { name, sample } of readEvalSamples(path)) yield { value: sample, place: name };
      return;
    default:
      yield { text: utf8Of(path), place: path };
  }
}

/** A line of what came back of a batch of OpenAI's: the request stands in the file that was sent. */
const BatchReply = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ body: z.unknown() }).nullable(),
  body: z.undefined().optional(),
  request: z.undefined().optional(),
});

/** @throws InputError where two files reply to one id: several batches may count their requests alike */
async function readBatchReplies(paths: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const replies = new Map<string, unknown>();
  const files = new Map<string, string>();
  for await (const { path, line } of linesLike(paths, BatchReply)) {
    const id = line.custom_id;
    const other = files.get(id);
    if (other !== undefined && other !== path)
      throw new InputError(
        path,
        `replies to the custom_id ${JSON.stringify(id)}, and so does ${other}: give each batch to a run of its own`,
      );
    files.set(id, path);
    replies.set(id, line.response);
  }
  return replies;
}

/** A line of FastChat's `judge_prompts.jsonl`. */
const JudgePrompt = z.looseObject({
  name: z.string(),
  system_prompt: z.string(),
  prompt_template: z.string(),
});

/** @returns system messages by the names of their prompts */
async function readJudgePrompts(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const lines = await Array.fromAsync(linesLike(paths, JudgePrompt));
  return new Map(lines.map(({ line }) => [line.name, line.system_prompt]));
}

/** The lines of files of one kind: the first line tells what a file is. */
async function* linesLike<T>(
  paths: readonly string[],
  kind: z.ZodType<T>,
): AsyncGenerator<{ path: string; line: T }> {
  for (const path of paths) {
    if (!/\.(?:jsonl|ndjson)$/i.test(path)) continue;
    for await (const { record } of readNumberedJsonl(path, z.unknown())) {
      const { data } = kind.safeParse(record);
      if (!data) break;
      yield { path, line: data };
    }
  }
}

/** Editors end a file's last line; a prompt ends where its text does. */
function messageOf(text: string, path: string): GivenRequest {
  const content = text.replace(/\r?\n$/, '');
  if (content.trim() === '') throw new InputError(path, 'holds no text');
  const request = DEFAULT_ADAPTER.readRequest(JSON.stringify({ messages: [{ role: 'user', content }] }));
  const { name } = DEFAULT_ADAPTER;
  const nothing = { reply: null, response: null, isCut: false, unread: null, contestants: null, group: null };
  return { place: path, protocol: name, path: name, request, lacksSystem: false, ...nothing };
}

function requestIn(value: unknown, place: string, replies: ReadonlyMap<string, unknown>): GivenRequest {
  let inner = value;
  let path: string | null = null;
  let replied: unknown = null;
  let contestants: readonly string[] | null = null;
  let group: string | null = null;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const envelope = Envelope.safeParse(inner).data;
    if (!envelope) throw new InputError(place, 'is no request: it must be a JSON object');
    path ??= pathOf(envelope.path ?? envelope.url);
    contestants ??= contestantsIn(envelope.contestants, place);
    group ??= envelope.group ?? null;
    replied ??= envelope.response ?? replies.get(envelope.custom_id ?? '');
    const within = envelope.body ?? envelope.params ?? envelope.request;
    if (within === undefined || within === null) break;
    inner = typeof within === 'string' ? parseRequest(within, place) : within;
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
    return {
      place,
      protocol: adapter.name,
      path: path ?? adapter.name,
      request,
      contestants,
      group,
      lacksSystem: false,
      ...replyIn(replied, adapter, request),
    };
  } catch (cause) {
    throw cause instanceof InputError ? new InputError(place, cause.message) : cause;
  }
}

const Contestants = z.array(z.string().min(1)).min(2);

/** @throws InputError where they are no names, or one stands twice */
function contestantsIn(value: unknown, place: string): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const { data } = Contestants.safeParse(value);
  if (!data) throw new InputError(place, 'contestants: must be a list of two or more names');
  const twice = data.find((name, n) => data.indexOf(name) !== n);
  if (twice !== undefined) throw new InputError(place, `contestants: "${twice}" stands twice`);
  return data;
}

/** Of a failure, of what is cut off, and of another protocol's reply: no judge's own words look like that. */
const BODY =
  /^(?:\{\s{0,9}"(?:error"|choices"|candidates"|type": ?"error"|id": ?"(?:chatcmpl|cmpl|msg|resp)[-_])|<!doctype|<html|data: |event: )/i;

/**
 * A reply's first text and its body, as an object, as text, or in an envelope (`{status, body}`); nulls where there is none.
 * A text that is no body is the reply's own words.
 */
function replyIn(
  value: unknown,
  adapter: Adapter,
  request: JudgeRequest,
): Pick<GivenRequest, 'reply' | 'response' | 'isCut' | 'unread'> {
  const none = { reply: null, response: null, isCut: false, unread: null };
  const enveloped = Envelope.safeParse(value).data;
  const body = enveloped?.body ?? value;
  if (body === null || body === undefined) return none;
  const response = typeof body === 'string' ? body : JSON.stringify(body);
  const otherwise = (unread: string) =>
    typeof body !== 'string' || BODY.test(body.trimStart()) || body.trim() === ''
      ? { ...none, unread }
      : { ...none, reply: body };
  try {
    const { texts, finish } = adapter.readReply(response, request.stream, request.body);
    const [reply] = texts;
    return reply === undefined
      ? otherwise(`it is no reply of ${adapter.name}`)
      : { reply, response, isCut: finish === 'length', unread: null };
  } catch (cause) {
    // A log keeps failures, too: nothing is learned from them.
    if (cause instanceof JudgeError) return otherwise(cause.message);
    throw cause;
  }
}

/** Of a URL its path and query. */
function pathOf(said: string | undefined): string | null {
  if (said === undefined) return null;
  const url = URL.canParse(said) ? new URL(said) : null;
  return url ? `${url.pathname}${url.search}` : said;
}

function parseRequest(text: string, place: string): unknown {
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
