/**
 * Reading a request for content: https://ai.google.dev/api/generate-content
 *
 * It is protobuf's JSON: names are read in `camelCase` and in `snake_case`, and Google's servers take one
 * element for a list of one, which its own examples with curl make use of.
 */
import * as z from 'zod';
import { checkedRequest, type PromptText, splicedRequest, textAt } from '../json-request.ts';
import { type JsonSource, nodeAt } from '../json-source.ts';
import type { JudgeRequest } from '../types.ts';
import { type Config, configIn, demandedSchema } from './schema.ts';
import { methodIn } from './target.ts';

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
export function readRequest(body: string, target = ''): JudgeRequest {
  const { source, sent } = checkedRequest(body, request);
  const method = methodIn(target);
  const config = configIn(sent);
  const temperature = config ? [config.name, 'temperature'] : [];
  return {
    model: method?.model ?? '',
    // Only events have room for heartbeats; a JSON array has none.
    stream: (method?.streams ?? false) && /[?&]alt=sse(?:&|$)/.test(target),
    streamByPath: method?.streams ?? false,
    schema: demandedSchema(sent, config),
    declared: sent.remand?.case,
    ...splicedRequest(source, promptTexts(source, sent), temperature),
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
  if (!Array.isArray(parts)) return textAt(source, role, [...path, 'parts', 'text']);
  return parts.flatMap((_, i) => textAt(source, role, [...path, 'parts', i, 'text']));
}

/** Without a role a content is the user's; the model's own turns are an assistant's elsewhere. */
function roleOf({ role }: Content): string {
  return role === 'model' ? 'assistant' : role || 'user';
}

function plainRequest(source: JsonSource, config: Config | null, system: string, user: string): string {
  const steady = config && nodeAt(source.root, [config.name, 'temperature'])?.type === 'number';
  return JSON.stringify({
    systemInstruction: { parts: [{ text: system }] },
    contents: [{ role: 'user', parts: [{ text: user }] }],
    ...(steady ? { generationConfig: { temperature: 0 } } : {}),
  });
}
