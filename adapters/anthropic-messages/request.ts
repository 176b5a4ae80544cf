/** Reading, and writing, a request for a message: https://docs.anthropic.com/en/api/messages */
import * as z from 'zod';
import {
  createEditableRequest,
  createPartSchema,
  ownField,
  type PromptPiece,
  parseRequest,
  pickModelAndTemperature,
  readContentAt,
  readElements,
} from '../json-request.ts';
import { findNode, type JsonSource } from '../json-source.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const isText = (type: string) => type === 'text';
const content = z
  .union([z.string(), z.array(createPartSchema(isText))], { error: 'must be a string or an array of blocks' })
  .optional();

const request = z.looseObject({
  model: z.string().nullish(),
  system: content.nullable(),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  stream: z.boolean().nullish(),
  remand: ownField.optional(),
});
type MessagesRequest = z.infer<typeof request>;

/** @throws InputError naming the field that is wrong, such as `messages[0].content[1].text` */
export function readAnthropicRequest(body: string): JudgeRequest {
  const { source, sent } = parseRequest(body, request);
  return {
    model: sent.model ?? '',
    stream: sent.stream ?? false,
    streamByPath: false,
    schema: demandedSchema(sent),
    declared: sent.remand?.case,
    ...createEditableRequest(source, promptPieces(source, sent), {
      temperature: changeableTemperature(sent),
    }),
    plain: (system, user) => plainRequest(source, system, user),
  };
}

/** The system prompt has a field of its own and stands before the messages, wherever the field does. */
function promptPieces(source: JsonSource, sent: MessagesRequest): PromptPiece[] {
  return [
    ...readContentAt(source, 'system', ['system'], sent.system, isText),
    ...sent.messages.flatMap(({ role, content }, i) =>
      readContentAt(source, role, ['messages', i, 'content'], content, isText),
    ),
  ];
}

const tool = z.looseObject({ name: z.string(), input_schema: z.unknown().optional() });
const namedTool = z.looseObject({ type: z.literal('tool'), name: z.string() });
const anyTool = z.looseObject({ type: z.literal('any') });
const jsonSchemaFormat = z.looseObject({ type: z.literal('json_schema'), schema: z.unknown() });
const outputConfig = z.looseObject({ format: jsonSchemaFormat });

/** The tool a request forces the model to use; null where it forces none. */
export function findForcedTool(sent: Readonly<Record<string, unknown>>): z.infer<typeof tool> | null {
  const offered = readElements(sent.tools, tool);
  const choice = sent.tool_choice;
  const named = namedTool.safeParse(choice);
  if (named.success) return offered.find(({ name }) => name === named.data.name) ?? null;
  return anyTool.safeParse(choice).success && offered.length === 1 ? (offered[0] ?? null) : null;
}

function demandedSchema(sent: MessagesRequest): unknown {
  const forced = findForcedTool(sent);
  if (forced || namedTool.safeParse(sent.tool_choice).success) return forced?.input_schema ?? null;
  const format = outputConfig.safeParse(sent.output_config);
  if (format.success) return format.data.format.schema ?? null;
  // Where the format stood while it was in beta.
  const beta = jsonSchemaFormat.safeParse(sent.output_format);
  return beta.success ? (beta.data.schema ?? null) : null;
}

const thinking = z.looseObject({ type: z.string() });

/**
 * Nowhere with extended thinking: "thinking isn't compatible with temperature" (docs.anthropic.com, extended
 * thinking), so another one than the client's would be refused.
 */
function changeableTemperature(sent: MessagesRequest): readonly string[] {
  const thinks = thinking.safeParse(sent.thinking);
  return thinks.success && thinks.data.type !== 'disabled' ? [] : ['temperature'];
}

/** A verdict's token limit is too tight for a text that is written again. */
const LEAST_TOKENS = 1024;
const PLAIN_TOKENS = 4096;

function plainRequest(source: JsonSource, system: string, user: string): string {
  const limit: unknown = findNode(source.root, ['max_tokens'])?.value;
  return JSON.stringify({
    ...pickModelAndTemperature(source),
    max_tokens: typeof limit === 'number' && limit >= LEAST_TOKENS ? limit : PLAIN_TOKENS,
    system,
    messages: [{ role: 'user', content: user }],
  });
}

/** The one field that the API demands beside model and messages; long enough for a verdict with its reasons. */
const MAX_TOKENS = 4096;

/** https://docs.anthropic.com/en/api/versioning */
export const ANTHROPIC_VERSION = { 'anthropic-version': '2023-06-01' } as const;

/** A messages request of our own. */
export function composeAnthropicRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  const messages = [{ role: 'user', content: user }];
  return {
    path: '/v1/messages',
    headers: ANTHROPIC_VERSION,
    body: JSON.stringify({
      model,
      max_tokens: MAX_TOKENS,
      ...(system === null ? {} : { system }),
      messages,
      ...parameters,
      stream: false,
    }),
  };
}
