/** Reading a chat-completions request: https://platform.openai.com/docs/api-reference/chat/create */
import type { Node } from 'jsonc-parser';
import * as z from 'zod';
import type { Edit } from '../../src/case/counterfactual.ts';
import { InputError } from '../../src/case/errors.ts';
import type { PromptPart } from '../../src/case/types.ts';
import { type JsonSource, nodeAt, readJson, type Splice, splice, withoutMember } from '../json-source.ts';
import { editSplices } from '../prompt-edits.ts';
import type { JudgeRequest } from '../types.ts';

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const contentPart = z
  .looseObject({ type: z.string(), text: z.unknown().optional() })
  // Images, audio and files are not text; they are passed on.
  .refine((part) => part.type !== 'text' || typeof part.text === 'string', {
    path: ['text'],
    error: 'must be a string',
  });
const message = z.looseObject({
  role: z.string(),
  content: z
    .union([z.string(), z.null(), z.array(contentPart)], { error: 'must be a string or an array of parts' })
    .optional(),
});
const request = z.looseObject({
  // Azure and `/v1/engines/{engine}/…` name the model in the path.
  model: z.string().nullish(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  remand: z.looseObject({}).optional(),
});
type ChatRequest = z.infer<typeof request>;

/** @throws InputError naming the field that is wrong, such as `messages[0].content` */
export function readRequest(body: string): JudgeRequest {
  const source = readJson(body);
  const parsed = request.safeParse(source.value);
  if (!parsed.success) throw inputError(parsed.error, source.value);
  const sent = parsed.data;
  const texts = promptTexts(source, sent);
  const prompt = { parts: texts.map(({ role, text }) => ({ role, text })) };
  const own = withoutMember(source.root, 'remand');
  return {
    model: sent.model ?? '',
    stream: sent.stream ?? false,
    streamByPath: false,
    prompt,
    schema: demandedSchema(sent),
    declared: sent.remand?.case,
    body: splice(body, own),
    edited(edits: readonly Edit[], options = {}) {
      const literals = texts.map((text) => text.literal);
      const steady = options.steady ? temperatureZero(source) : [];
      return splice(body, [...own, ...editSplices(source, literals, edits), ...steady]);
    },
    plain: (system, user) => plainRequest(source, system, user),
  };
}

function inputError(error: z.ZodError, value: unknown): InputError {
  const issue = deepest(error.issues[0]);
  const field = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
    '',
  );
  const missing =
    issue.code === 'invalid_type' && issue.path.length > 0 && at(value, issue.path) === undefined;
  return new InputError(field || 'body', missing ? 'is required' : issue.message);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code: string | undefined;
}

/** Of a union's complaints the one that got furthest is about what the client meant. */
function deepest(issue: z.core.$ZodIssue | undefined): Issue {
  if (!issue) return { path: [], message: 'is not a chat-completions request', code: undefined };
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flatMap((issues) => issues.slice(0, 1).map(deepest))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!inner || inner.path.length === 0) return issue;
  return { ...inner, path: [...issue.path, ...inner.path] };
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

interface PromptText extends PromptPart {
  readonly literal: Node;
}

function promptTexts(source: JsonSource, sent: ChatRequest): PromptText[] {
  return sent.messages.flatMap(({ role, content }, index) => {
    const textAt = (path: (string | number)[], text: string): PromptText[] => {
      const literal = nodeAt(source.root, ['messages', index, 'content', ...path]);
      return literal ? [{ role, text, literal }] : [];
    };
    if (typeof content === 'string') return textAt([], content);
    return (content ?? []).flatMap((part, i) =>
      part.type === 'text' && typeof part.text === 'string' ? textAt([i, 'text'], part.text) : [],
    );
  });
}

const jsonSchemaFormat = z.looseObject({
  type: z.literal('json_schema'),
  json_schema: z.looseObject({ schema: z.unknown().optional() }),
});
const functionDefinition = z.looseObject({ name: z.string(), parameters: z.unknown().optional() });
const tools = z.array(z.unknown()).transform((all) =>
  all.flatMap((tool) => {
    const parsed = z.looseObject({ function: functionDefinition }).safeParse(tool);
    return parsed.success ? [parsed.data.function] : [];
  }),
);
const namedTool = z.looseObject({ function: z.looseObject({ name: z.string() }) });

/** The function a request forces the model to call; null where it forces none. */
export function forcedFunction(sent: Readonly<Record<string, unknown>>): {
  readonly name: string;
  readonly parameters?: unknown;
} | null {
  const offered = tools.catch([]).parse(sent.tools);
  const named = namedTool.safeParse(sent.tool_choice);
  if (named.success) return offered.find((one) => one.name === named.data.function.name) ?? null;
  if (sent.tool_choice === 'required' && offered.length === 1) return offered[0] ?? null;
  // The form before tools (2023), still sent by alpaca_eval.
  const legacy = z.looseObject({ name: z.string() }).safeParse(sent.function_call);
  if (!legacy.success) return null;
  const functions = z.array(functionDefinition).safeParse(sent.functions);
  return functions.success ? (functions.data.find((one) => one.name === legacy.data.name) ?? null) : null;
}

function demandedSchema(sent: ChatRequest): unknown {
  const forced = forcedFunction(sent);
  if (forced) return forced.parameters ?? null;
  const format = jsonSchemaFormat.safeParse(sent.response_format);
  return format.success ? (format.data.json_schema.schema ?? null) : null;
}

function temperatureZero(source: JsonSource): Splice[] {
  const node = nodeAt(source.root, ['temperature']);
  if (node?.type !== 'number' || node.value === 0) return [];
  return [{ start: node.offset, end: node.offset + node.length, with: '0' }];
}

function plainRequest(source: JsonSource, system: string, user: string): string {
  const model = nodeAt(source.root, ['model']);
  const steady = nodeAt(source.root, ['temperature'])?.type === 'number';
  return JSON.stringify({
    ...(typeof model?.value === 'string' ? { model: model.value } : {}),
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(steady ? { temperature: 0 } : {}),
  });
}
