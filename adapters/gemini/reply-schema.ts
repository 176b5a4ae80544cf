/**
 * How a Gemini request itself demands the verdict: a schema of the reply, or a function that must be called.
 * https://ai.google.dev/gemini-api/docs/structured-output, …/function-calling
 */
import * as z from 'zod';

/** The generation settings, and the name they were sent under. */
export interface GenerationConfig {
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
export function readGeminiSchema(sent: Sent, config: GenerationConfig | null): unknown {
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
