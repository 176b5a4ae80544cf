/**
 * Reading, and writing, a request for content: https://ai.google.dev/api/generate-content
 *
 * It is protobuf's JSON: names are read in `camelCase` and in `snake_case`, and Google's servers take one
 * element for a list of one, which its own examples with curl make use of.
 */
import * as z from 'zod';
import { createEditableRequest, type PromptText, parseRequest, readTextAt } from '../json-request.ts';
import { findNode, type JsonSource } from '../json-source.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';
import { findGenerationConfig, type GenerationConfig, readGeminiSchema } from './reply-schema.ts';
import { parseGeminiMethod } from './target.ts';

/** Only what is read here is checked; images, files and function calls are passed on. */
const part = z.looseObject({ text: z.string({ error: 'must be a string' }).optional() });
const oneOrMore = <T extends z.ZodType>(element: T) =>
  z.union([z.array(element), element], { error: 'must be a list' });
const content = z.looseObject({
  role: z.string().nullish(),
  parts: oneOrMore(part).optional(),
});
const request = z.looseObject({
  contents: z.union([z.array(content).min(1), content], { error: 'must be a list of contents' }),
  systemInstruction: content.nullish(),
  system_instruction: content.nullish(),
  remand: z.looseObject({}).optional(),
});
type ContentRequest = z.infer<typeof request>;
type Content = z.infer<typeof content>;

/**
 * @param target path and query, which say the model and whether to stream
 * @throws InputError naming the field that is wrong, such as `contents[0].parts[1].text`
 */
export function readGeminiRequest(body: string, target = ''): JudgeRequest {
  const { source, sent } = parseRequest(body, request);
  const method = parseGeminiMethod(target);
  const config = findGenerationConfig(sent);
  const temperature = config ? [config.name, 'temperature'] : [];
  return {
    model: method?.model ?? '',
    // Only events have room for heartbeats; a JSON array has none.
    stream: (method?.streams ?? false) && /[?&]alt=sse(?:&|$)/.test(target),
    streamByPath: method?.streams ?? false,
    schema: readGeminiSchema(sent, config),
    declared: sent.remand?.case,
    ...createEditableRequest(source, promptTexts(source, sent), temperature),
    plain: (system, user) => plainRequest(source, config, system, user),
  };
}

function promptTexts(source: JsonSource, sent: ContentRequest): PromptText[] {
  const instruction = sent.systemInstruction ? 'systemInstruction' : 'system_instruction';
  const { contents } = sent;
  return [
    ...textsOf(source, 'system', [instruction], sent[instruction]),
    ...(Array.isArray(contents)
      ? contents.flatMap((one, i) => textsOf(source, roleOf(one), ['contents', i], one))
      : textsOf(source, roleOf(contents), ['contents'], contents)),
  ];
}

function textsOf(
  source: JsonSource,
  role: string,
  path: readonly (string | number)[],
  said: Content | null | undefined,
): PromptText[] {
  const parts = said?.parts ?? [];
  if (!Array.isArray(parts)) return readTextAt(source, role, [...path, 'parts', 'text']);
  return parts.flatMap((_, i) => readTextAt(source, role, [...path, 'parts', i, 'text']));
}

/** Without a role a content is the user's; the model's own turns are an assistant's elsewhere. */
function roleOf({ role }: Content): string {
  return role === 'model' ? 'assistant' : role || 'user';
}

function plainRequest(
  source: JsonSource,
  config: GenerationConfig | null,
  system: string,
  user: string,
): string {
  const steady = config && findNode(source.root, [config.name, 'temperature'])?.type === 'number';
  return JSON.stringify({
    systemInstruction: { parts: [{ text: system }] },
    contents: [{ role: 'user', parts: [{ text: user }] }],
    ...(steady ? { generationConfig: { temperature: 0 } } : {}),
  });
}

/** A generateContent request of our own; the parameters are fields of its `generationConfig`. */
export function composeGeminiRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  return {
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: {},
    body: JSON.stringify({
      ...(system === null ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: parameters,
    }),
  };
}
