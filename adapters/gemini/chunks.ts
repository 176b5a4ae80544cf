/**
 * The JSON objects that a Gemini reply is made of: one; several in a JSON array, which is how
 * `:streamGenerateContent` answers; or several server-sent events, where it was asked for with `?alt=sse`.
 */
import { readReplyJson } from '../reply-json.ts';
import { type EventJson, parseReply, readEventJsons, readEvents } from '../sse.ts';

/** How a reply is sent, told by its first characters. A server may answer a request for a stream with an object. */
export function detectReplyForm(body: string): 'object' | 'array' | 'events' {
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

export interface Chunk {
  readonly json: string;
  readonly value: unknown;
}

/** The chunks, to be read only. @throws JudgeError where the reply is no JSON */
export function readChunks(body: string): Chunk[] {
  if (detectReplyForm(body) === 'events')
    return readEvents(body).map(({ data }) => ({
      json: data,
      value: parseReply(data, 'an event of the stream'),
    }));
  const value = parseReply(body);
  if (!Array.isArray(value)) return [{ json: body, value }];
  return locateChunks(body).map(({ json }, i) => ({ json, value: value[i] }));
}
