/** Reading, and writing, a request for a response: https://platform.openai.com/docs/api-reference/responses/create */
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
  readTextAt,
} from '../json-request.ts';
import type { JsonSource } from '../json-source.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

const isText = (type: string) => type === 'input_text' || type === 'output_text';

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const message = z.looseObject({
  // The easy form of a message has no type.
  type: z.literal('message').nullish(),
  role: z.string(),
  content: z.union([z.string(), z.array(createPartSchema(isText))], {
    error: 'must be a string or an array of parts',
  }),
});
/** Calls and their outputs, reasoning, references to stored items (whose type may be missing, too). */
const otherItem = z.looseObject({ type: z.string().nullish() }).refine(
  ({ type, role, content }) => (type ? type !== 'message' : role === undefined && content === undefined),
  // Otherwise zod would blame this form, never the message.
  { abort: true },
);
const request = z.looseObject({
  model: z.string().nullish(),
  // Missing where a prompt that is stored with the endpoint is used.
  input: z
    .union([z.string(), z.array(z.union([message, otherItem]))], {
      error: 'must be a string or an array of items',
    })
    .nullish(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
  remand: ownField.optional(),
});
type ResponsesRequest = z.infer<typeof request>;

/** @throws InputError naming the field that is wrong, such as `input[0].content[1].text` */
export function readOpenAiResponsesRequest(body: string): JudgeRequest {
  const { source, sent } = parseRequest(body, request);
  return {
    model: sent.model ?? '',
    stream: sent.stream ?? false,
    streamByPath: false,
    schema: readOpenAiResponsesSchema(sent),
    declared: sent.remand?.case,
    ...createEditableRequest(
      source,
      askedTwiceIsHarmless(sent) ? promptPieces(source, sent) : [],
      // A re-judgment is stored as the client's own request would be: its id may be asked for later.
      { besides: disableStoring(source, true) },
    ),
    plain: (system, user) => plainRequest(source, system, user),
  };
}

/**
 * A second request with the same `conversation` would leave its question and its answer in it, and one in the
 * background is answered with a ticket. Neither is read: a prompt without parts is no case.
 */
function askedTwiceIsHarmless({ conversation, background }: ResponsesRequest): boolean {
  return (conversation ?? null) === null && !background;
}

/** The instructions come first, as the model sees them, wherever the body has them. */
function promptPieces(source: JsonSource, { input }: ResponsesRequest): PromptPiece[] {
  const instructions = readTextAt(source, 'system', ['instructions']);
  if (typeof input === 'string') return [...instructions, ...readTextAt(source, 'user', ['input'])];
  const items = (input ?? []).flatMap((item, index): PromptPiece[] => {
    const { success, data } = message.safeParse(item);
    if (!success) return ['media'];
    return readContentAt(source, data.role, ['input', index, 'content'], data.content, isText);
  });
  return [...instructions, ...items];
}

function plainRequest(source: JsonSource, system: string, user: string): string {
  const { model, temperature } = pickModelAndTemperature(source);
  // The endpoint would keep it among the client's responses.
  return JSON.stringify({ model, instructions: system, input: user, temperature, store: false });
}

/** A responses request of our own. Nothing of it is kept with the endpoint. */
export function composeOpenAiResponsesRequest({
  model,
  system,
  user,
  parameters,
}: ModelPrompt): ComposedRequest {
  const instructions = system === null ? {} : { instructions: system };
  return {
    path: '/v1/responses',
    headers: {},
    body: JSON.stringify({ model, ...instructions, input: user, store: false, ...parameters, stream: false }),
  };
}

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  parameters: z.unknown().optional(),
});
const named = z.looseObject({ type: z.literal('function'), name: z.string() });
const allowed = z.looseObject({
  type: z.literal('allowed_tools'),
  mode: z.literal('required'),
  tools: z.tuple([named]),
});
const format = z.looseObject({
  format: z.looseObject({ type: z.literal('json_schema'), schema: z.unknown().optional() }),
});
const anyObject = z.looseObject({ format: z.looseObject({ type: z.literal('json_object') }) });

type Sent = Readonly<Record<string, unknown>>;

/** Null where only the prompt says how the verdict is to be written. */
function readOpenAiResponsesSchema(sent: Sent): unknown {
  const forced = findForcedResponsesFunction(sent);
  if (forced) return forced.parameters ?? null;
  // Any JSON object.
  if (anyObject.safeParse(sent.text).success) return { type: 'object' };
  const text = format.safeParse(sent.text);
  return text.success ? (text.data.format.schema ?? null) : null;
}

/** The function a request forces the model to call; null where it forces none. */
export function findForcedResponsesFunction({
  tools,
  tool_choice: choice,
}: Sent): z.infer<typeof functionTool> | null {
  const offered = Array.isArray(tools) ? tools.map((tool) => functionTool.safeParse(tool).data) : [];
  const only = allowed.safeParse(choice).data?.tools[0] ?? choice;
  const { data } = named.safeParse(only);
  if (data) return offered.find((tool) => tool?.name === data.name) ?? null;
  // Another tool beside it, such as a web search, may be called instead.
  return choice === 'required' && offered.length === 1 ? (offered[0] ?? null) : null;
}
