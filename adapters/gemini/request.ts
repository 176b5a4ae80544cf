/** Reads a client's request to Gemini and writes one of our own; the path names the model, the configuration the reply's form. */
import * as z from 'zod';
import {
  createEditableRequest,
  decodeSegment,
  ownField,
  type PromptPiece,
  parseRequest,
  readTextAt,
} from '../json-request.ts';
import { findNode, type JsonSource } from '../json-source.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

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
  remand: ownField.optional(),
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
  const inSnakeCase = config?.settings.candidate_count !== undefined;
  return {
    model: method?.model ?? '',
    // Only events have room for heartbeats; a JSON array has none.
    stream: (method?.streams ?? false) && /[?&]alt=sse(?:&|$)/.test(target),
    streamByPath: method?.streams ?? false,
    schema: readGeminiSchema(sent, config),
    declared: sent.remand?.case,
    ...createEditableRequest(source, promptPieces(source, sent), {
      temperature,
      count: [config?.name ?? 'generationConfig', inSnakeCase ? 'candidate_count' : 'candidateCount'],
    }),
    plain: (system, user) => plainRequest(source, config, system, user),
  };
}

function promptPieces(source: JsonSource, sent: ContentRequest): PromptPiece[] {
  const instruction = sent.systemInstruction ? 'systemInstruction' : 'system_instruction';
  const { contents } = sent;
  return [
    ...piecesOf(source, 'system', [instruction], sent[instruction]),
    ...(Array.isArray(contents)
      ? contents.flatMap((one, i) => piecesOf(source, roleOf(one), ['contents', i], one))
      : piecesOf(source, roleOf(contents), ['contents'], contents)),
  ];
}

function piecesOf(
  source: JsonSource,
  role: string,
  path: readonly (string | number)[],
  said: Content | null | undefined,
): PromptPiece[] {
  const parts = said?.parts ?? [];
  const pieceAt = (...at: (string | number)[]): PromptPiece[] => {
    const text = readTextAt(source, role, [...path, 'parts', ...at, 'text']);
    return text.length > 0 ? text : ['media'];
  };
  return Array.isArray(parts) ? parts.flatMap((_, i) => pieceAt(i)) : pieceAt();
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

interface GeminiMethod {
  /** Without the `models/` before it, decoded. */
  readonly model: string;
  readonly streams: boolean;
}

/** Vertex AI has more in front (`/v1/projects/{p}/…/publishers/google`), and endpoints of tuned models. */
const METHOD =
  /^[^?]*\/(?:models|tunedModels|endpoints)\/([^/?]+?)(?::|%3[Aa])(generateContent|streamGenerateContent)\/?(?:\?|$)/;

/** @returns null where the path is none of the protocol's judgments */
export function parseGeminiMethod(target: string): GeminiMethod | null {
  const [, model, method] = METHOD.exec(target) ?? [];
  return model === undefined
    ? null
    : { model: decodeSegment(model), streams: method === 'streamGenerateContent' };
}

/** The generation settings, and the name they were sent under. */
interface GenerationConfig {
  readonly name: 'generationConfig' | 'generation_config';
  readonly settings: Readonly<Record<string, unknown>>;
}

const format = z.looseObject({ text: z.looseObject({ schema: z.unknown().optional() }).optional() });
const settings = z.record(z.string(), z.unknown());

type Sent = Readonly<Record<string, unknown>>;

export function findGenerationConfig(sent: Sent): GenerationConfig | null {
  for (const name of ['generationConfig', 'generation_config'] as const) {
    const found = settings.safeParse(sent[name]);
    if (found.success) return { name, settings: found.data };
  }
  return null;
}

/** As JSON Schema, whichever of the two languages it was sent in; null where the request demands none. */
function readGeminiSchema(sent: Sent, config: GenerationConfig | null): unknown {
  const forced = findForcedDeclaration(sent);
  const demanded = forced && parametersOf(forced);
  if (demanded) return demanded;
  const { responseJsonSchema, response_json_schema, responseSchema, response_schema } =
    config?.settings ?? {};
  const { responseFormat, response_format } = config?.settings ?? {};
  return asJsonSchema(
    responseJsonSchema ??
      response_json_schema ??
      responseSchema ??
      response_schema ??
      schemaOfText(responseFormat ?? response_format) ??
      null,
  );
}

/** Of the list of formats, one for each medium, that takes the place of the other fields. */
function schemaOfText(formats: unknown): unknown {
  return [formats].flat().flatMap((one) => format.safeParse(one).data?.text?.schema ?? [])[0];
}

/** Google's own schemas are OpenAPI's with the types written large: `STRING`. */
function asJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : asJsonSchema(value),
    ]),
  );
}

const declaration = z.looseObject({
  name: z.string(),
  parameters: z.unknown().optional(),
  parametersJsonSchema: z.unknown().optional(),
  parameters_json_schema: z.unknown().optional(),
});
const tool = z.looseObject({
  functionDeclarations: z.array(declaration).optional(),
  function_declarations: z.array(declaration).optional(),
});
const calling = z.looseObject({
  mode: z.string(),
  allowedFunctionNames: z.array(z.string()).optional(),
  allowed_function_names: z.array(z.string()).optional(),
});
const toolConfig = z.looseObject({
  functionCallingConfig: calling.optional(),
  function_calling_config: calling.optional(),
});

/** The one function that mode ANY leaves the model to call; null where it has a choice. */
export function findForcedDeclaration(sent: Sent): z.infer<typeof declaration> | null {
  const config = toolConfig.safeParse(sent.toolConfig ?? sent.tool_config).data;
  const how = config?.functionCallingConfig ?? config?.function_calling_config;
  if (how?.mode.toUpperCase() !== 'ANY') return null;
  const all = z.array(tool).safeParse(sent.tools).data ?? [];
  const offered = all.flatMap((one) => one.functionDeclarations ?? one.function_declarations ?? []);
  const names = how.allowedFunctionNames ?? how.allowed_function_names ?? [];
  const [only, ...others] = names.length > 0 ? offered.filter(({ name }) => names.includes(name)) : offered;
  return only && others.length === 0 ? only : null;
}

function parametersOf(called: z.infer<typeof declaration>): unknown {
  const { parametersJsonSchema, parameters_json_schema, parameters } = called;
  return asJsonSchema(parametersJsonSchema ?? parameters_json_schema ?? parameters ?? null);
}
