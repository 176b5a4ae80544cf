/** Writing Gemini's content: of our own, as one object, a JSON array or events; another text, or a higher usage, in what came. */

import {
  findNode,
  type JsonNode,
  parseJsonSource,
  replaceNode,
  type Splice,
  splice,
} from '../json-source.ts';
import { isJsonObject } from '../reply-json.ts';
import {
  type Fields,
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';
import { shiftSplices } from '../sse.ts';
import { raiseNumbers } from '../token-usage.ts';
import type { Usage } from '../types.ts';
import { locateChunks } from './reply.ts';
import { findForcedDeclaration, findGenerationConfig } from './request.ts';

export function writeGeminiReply(said: RequestedAnswer): WireReply {
  if (!said.stream) return { json: JSON.stringify(content(said, parts(said), true)) };
  const chunks = parts(said).map((part, i, all) => content(said, [part], i === all.length - 1));
  // Without `alt=sse` a stream is an array that grows.
  return /[?&]alt=sse(?:&|$)/.test(said.target)
    ? { events: chunks.map(formatEvent) }
    : { json: JSON.stringify(chunks) };
}

/** How many answers a request asks for, as it says. */
export function findCandidateCount(fields: Fields): unknown {
  const settings = findGenerationConfig(fields)?.settings;
  return settings?.candidateCount ?? settings?.candidate_count;
}

function content(said: RequestedAnswer, spoken: readonly object[], last: boolean): object {
  const candidates = mapSamples(said, (index) => ({
    content: { parts: spoken, role: 'model' },
    ...(last ? { finishReason: 'STOP' } : {}),
    index,
  }));
  return { candidates, ...usageOf(said), modelVersion: said.model, responseId: said.hash };
}

/** What is said, in one part or, for a stream, in many. A function's arguments are an object. */
function parts({ fields, text, stream }: RequestedAnswer): object[] {
  const forced = findForcedDeclaration(fields);
  if (forced && isJsonObject(text)) return [{ functionCall: { name: forced.name, args: JSON.parse(text) } }];
  const pieces = stream ? splitWords(text) : [];
  return (pieces.length > 0 ? pieces : [text]).map((piece) => ({ text: piece }));
}

function usageOf({ tokens, samples }: RequestedAnswer): object {
  if (!tokens) return {};
  const { input: promptTokenCount, output } = tokens;
  const candidatesTokenCount = output * samples;
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return { usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount } };
}

/**
 * Putting another text where a Gemini reply has its verdict: in every candidate the first of its texts says
 * all, the others nothing. Where it has no text it is the arguments of the function it calls, provided that the
 * new text is a JSON object. Log-probabilities of the words that were there are taken out with them.
 */
export function replaceGeminiText(body: string, text: string): string {
  const pieces = piecesIn(body);
  const splices = [...Map.groupBy(pieces, ({ candidate }) => candidate).values()].flatMap((all) => {
    const texts = all.flatMap((piece) => piece.texts);
    const calls = all.flatMap((piece) => piece.calls);
    const silenced = all.flatMap((piece) => piece.logprobs.map((place) => putJson(place, 'null')));
    const [call] = calls;
    if (call && !texts.some(speaks)) return isJsonObject(text) ? [putJson(call, text), ...silenced] : [];
    const first = texts.find(speaks) ?? texts[0];
    return [
      ...texts.map((place) => putJson(place, JSON.stringify(place === first ? text : ''))),
      ...(first ? silenced : []),
    ];
  });
  return splice(body, splices);
}

/** A value of a reply, and how a splice of its chunk becomes one of the reply. */
interface Place {
  readonly node: JsonNode;
  readonly moved: (splice: Splice) => Splice;
}

/** A candidate's part in one chunk. */
interface Piece {
  readonly candidate: unknown;
  readonly texts: readonly Place[];
  readonly calls: readonly Place[];
  readonly logprobs: readonly Place[];
}

function piecesIn(body: string): Piece[] {
  return locateChunks(body).flatMap((chunk) => {
    const moved = (one: Splice): Splice => shiftSplices(chunk, [one])[0] ?? one;
    const candidates = findNode(parseJsonSource(chunk.json, 'reply').root, ['candidates'])?.items ?? [];
    return candidates.map((candidate, position) => {
      const parts = findNode(candidate, ['content', 'parts'])?.items ?? [];
      const said = parts.filter((part) => findNode(part, ['thought'])?.value !== true);
      const places = (nodes: readonly JsonNode[], path: readonly string[]): Place[] =>
        nodes.flatMap((node) => {
          const found = findNode(node, path);
          return found ? [{ node: found, moved }] : [];
        });
      return {
        candidate: findNode(candidate, ['index'])?.value ?? position,
        texts: places(said, ['text']),
        calls: places(said, ['functionCall', 'args']),
        logprobs: [...places([candidate], ['logprobsResult']), ...places([candidate], ['avgLogprobs'])],
      };
    });
  });
}

function putJson({ node, moved }: Place, json: string): Splice {
  return moved(replaceNode(node, json));
}

function speaks({ node }: Place): boolean {
  return typeof node.value === 'string' && node.value.trim() !== '';
}

/** In the last chunk that counts: each counts anew, and upwards. */
export function addGeminiUsage(body: string, added: readonly Usage[]): string {
  if (added.length === 0) return body;
  for (const chunk of locateChunks(body).toReversed()) {
    if (!chunk.json.includes('"usageMetadata"')) continue;
    const usage = findNode(parseJsonSource(chunk.json, 'reply').root, ['usageMetadata']);
    if (usage?.type !== 'object') continue;
    const splices = [...raiseNumbers(chunk.json, usage, added), ...raisedDetails(chunk.json, usage, added)];
    return splice(body, shiftSplices(chunk, splices));
  }
  return body;
}

/** `promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }]` and its like, each by its own modality. */
function raisedDetails(json: string, usage: JsonNode, added: readonly Usage[]): Splice[] {
  return (usage.members ?? []).flatMap(({ name, node }) =>
    (node.items ?? []).flatMap((entry) => {
      const modality: unknown = findNode(entry, ['modality'])?.value;
      const same = added.flatMap((counts) => entriesOf(counts[name], modality));
      return entry.type === 'object' ? raiseNumbers(json, entry, same) : [];
    }),
  );
}

function entriesOf(list: unknown, modality: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one) => typeof one === 'object' && one !== null && one.modality === modality);
}
