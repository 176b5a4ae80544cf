/** Gemini's content, as one object, a JSON array or events: https://ai.google.dev/api/generate-content */
import { configIn, forcedDeclaration } from '../../../adapters/gemini/schema.ts';
import { gemini as adapter } from '../../../adapters/gemini.ts';
import { isJsonObject } from '../../../adapters/json-object.ts';
import { data, each, type Fields, type Protocol, type Said, words } from './types.ts';

export const gemini: Protocol = {
  adapter,
  samples: { field: 'generationConfig.candidateCount', in: candidateCount },
  write(said) {
    if (!said.stream) return { json: JSON.stringify(content(said, parts(said), true)) };
    const chunks = parts(said).map((part, i, all) => content(said, [part], i === all.length - 1));
    // Without `alt=sse` a stream is an array that grows.
    return /[?&]alt=sse(?:&|$)/.test(said.target)
      ? { events: chunks.map(data) }
      : { json: JSON.stringify(chunks) };
  },
};

function candidateCount(fields: Fields): unknown {
  const settings = configIn(fields)?.settings;
  return settings?.candidateCount ?? settings?.candidate_count;
}

function content(said: Said, spoken: readonly object[], last: boolean): object {
  const candidates = each(said, (index) => ({
    content: { parts: spoken, role: 'model' },
    ...(last ? { finishReason: 'STOP' } : {}),
    index,
  }));
  return { candidates, ...usageOf(said), modelVersion: said.model, responseId: said.hash };
}

/** What is said, in one part or, for a stream, in many. A function's arguments are an object. */
function parts({ fields, text, stream }: Said): object[] {
  const forced = forcedDeclaration(fields);
  if (forced && isJsonObject(text)) return [{ functionCall: { name: forced.name, args: JSON.parse(text) } }];
  const pieces = stream ? words(text) : [];
  return (pieces.length > 0 ? pieces : [text]).map((piece) => ({ text: piece }));
}

function usageOf({ tokens, samples }: Said): object {
  if (!tokens) return {};
  const { input: promptTokenCount, output } = tokens;
  const candidatesTokenCount = output * samples;
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return { usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount } };
}
