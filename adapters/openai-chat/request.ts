/** Reading, and writing, a chat-completions request: https://platform.openai.com/docs/api-reference/chat/create */
import * as z from 'zod';
import {
  createEditableRequest,
  createPartSchema,
  disableStoring,
  ownField,
  type PromptPiece,
  parseRequest,
  pickModelAndTemperature,
  readContentAt,
  readElements,
} from '../json-request.ts';
import type { JsonSource } from '../json-source.ts';
import { readModelInPath } from '../openai-api.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const isText = (type: string) => type === 'text';
const message = z.object({
  role: z.string(),
  content: z
    .union([z.string(), z.null(), z.array(createPartSchema(isText))], {
      error: 'must be a string or an array of parts',
    })
    .optional(),
});
const request = z.looseObject({
  // Azure and `/v1/engines/{engine}/…` name the model in the path.
  model: z.string().nullish(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  remand: ownField.optional(),
});
type ChatRequest = z.infer<typeof request>;

/** @throws InputError naming the field that is wrong, such as `messages[0].content` */
export function readOpenAiChatRequest(body: string, target = ''): JudgeRequest {
  const { source, sent } = parseRequest(body, request);
  return {
    model: sent.model ?? readModelInPath(target),
    stream: sent.stream ?? false,
    streamByPath: false,
    schema: demandedSchema(sent),
    declared: sent.remand?.case,
    ...createEditableRequest(source, promptPieces(source, sent), {
      besides: disableStoring(source, false),
      count: ['n'],
    }),
    plain: (system, user) => plainRequest(source, system, user),
  };
}

function promptPieces(source: JsonSource, sent: ChatRequest): PromptPiece[] {
  return sent.messages.flatMap(({ role, content }, index) =>
    readContentAt(source, role, ['messages', index, 'content'], content, isText),
  );
}

const jsonSchemaFormat = z.looseObject({
  type: z.literal('json_schema'),
  json_schema: z.looseObject({ schema: z.unknown().optional() }),
});
const jsonObjectFormat = z.looseObject({ type: z.literal('json_object') });
const functionDefinition = z.looseObject({ name: z.string(), parameters: z.unknown().optional() });
const offeredTool = z.looseObject({ function: functionDefinition });
const namedTool = z.looseObject({ function: z.looseObject({ name: z.string() }) });

const namedFunction = z.looseObject({ name: z.string() });

const allowedTools = z.looseObject({
  type: z.literal('allowed_tools'),
  allowed_tools: z.looseObject({ mode: z.literal('required'), tools: z.tuple([namedTool]) }),
});

/** The function a request forces the model to call; null where it forces none. */
export function findForcedChatFunction(sent: Readonly<Record<string, unknown>>): {
  readonly name: string;
  readonly parameters?: unknown;
} | null {
  // Most requests name no tool, and a schema that is not met costs more than one that is.
  if (sent.tool_choice === undefined && sent.function_call === undefined) return null;
  const offered = readElements(sent.tools, offeredTool).map((tool) => tool.function);
  const only = allowedTools.safeParse(sent.tool_choice).data?.allowed_tools.tools[0];
  const named = namedTool.safeParse(only ?? sent.tool_choice);
  if (named.success) return offered.find((one) => one.name === named.data.function.name) ?? null;
  if (sent.tool_choice === 'required' && offered.length === 1) return offered[0] ?? null;
  // The form before tools (2023), still sent by alpaca_eval.
  const legacy = namedFunction.safeParse(sent.function_call);
  if (!legacy.success) return null;
  const functions = z.array(functionDefinition).safeParse(sent.functions);
  return functions.success ? (functions.data.find((one) => one.name === legacy.data.name) ?? null) : null;
}

function demandedSchema(sent: ChatRequest): unknown {
  const forced = findForcedChatFunction(sent);
  if (forced) return forced.parameters ?? null;
  if (sent.response_format === undefined) return null;
  // Any JSON object.
  if (jsonObjectFormat.safeParse(sent.response_format).success) return { type: 'object' };
  const format = jsonSchemaFormat.safeParse(sent.response_format);
  return format.success ? (format.data.json_schema.schema ?? null) : null;
}

function plainRequest(source: JsonSource, system: string, user: string): string {
  const { model, temperature } = pickModelAndTemperature(source);
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    temperature,
  });
}

/** A chat-completions request of our own. */
export function composeOpenAiChatRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  const messages = [
    ...(system === null ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: user },
  ];
  return {
    path: '/v1/chat/completions',
    headers: {},
    body: JSON.stringify({ model, messages, ...parameters, stream: false }),
  };
}
