/** Gemini's content, as one object, a JSON array or events: https://ai.google.dev/api/generate-content */

import { isJsonObject } from '../json-object.ts';
import {
  type Fields,
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';
import { findForcedDeclaration, findGenerationConfig } from './reply-schema.ts';

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
