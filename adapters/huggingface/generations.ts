/**
 * The forms of a reply: one generation, a list of them (`POST /`, and servers other than TGI), or events that
 * hold a token each, the last of them with the generation. They end without a `[DONE]`.
 */
import { findNode, parseJsonSource, type Splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { readReplyJson } from '../reply-json.ts';
import { readEventJsons, shiftSplices } from '../sse.ts';

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
