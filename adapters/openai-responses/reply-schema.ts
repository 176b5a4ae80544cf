/** The JSON schema of the verdict that a request for a response demands: a forced function's, or the text's. */
import * as z from 'zod';

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
export function readOpenAiResponsesSchema(sent: Sent): unknown {
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
