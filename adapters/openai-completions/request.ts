/** Reading, and writing, a completions request: https://platform.openai.com/docs/api-reference/completions/create */
import * as z from 'zod';
import { inTemplate } from '../../src/case/index.ts';
import {
  createEditableRequest,
  ownField,
  type PromptText,
  parseRequest,
  pickModelAndTemperature,
  readTurnsAt,
} from '../json-request.ts';
import type { JsonSource } from '../json-source.ts';
import { readModelInPath } from '../openai-api.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

/** A rewording is as long as the text it rewords, and the endpoint's own limit is 16 tokens. */
const REWORDING_TOKENS = 2048;

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const request = z.looseObject({
  // `/v1/engines/{engine}/…` and Azure name the model in the path.
  model: z.string().nullish(),
  prompt: z
    .union([z.string(), z.array(z.union([z.string(), z.number(), z.array(z.number())]))], {
      error: 'must be a string, or an array of strings or tokens',
    })
    .nullish(),
  stream: z.boolean().nullish(),
  echo: z.boolean().nullish(),
  remand: ownField.optional(),
});
type CompletionsRequest = z.infer<typeof request>;

/** @throws InputError naming the field that is wrong, such as `prompt[1]` */
export function readOpenAiCompletionRequest(body: string, target = ''): JudgeRequest {
  const { source, sent } = parseRequest(body, request);
  return {
    model: sent.model ?? readModelInPath(target),
    stream: sent.stream ?? false,
    streamByPath: false,
    schema: null,
    declared: sent.remand?.case,
    ...createEditableRequest(source, promptTexts(source, sent), { count: ['n'] }),
    plain: (system, user) => {
      const { model, temperature } = pickModelAndTemperature(source);
      const asked = typeof sent.prompt === 'string' ? sent.prompt : sent.prompt?.[0];
      const prompt = inTemplate(typeof asked === 'string' ? asked : '', system, user);
      return JSON.stringify({ model, prompt, max_tokens: REWORDING_TOKENS, temperature });
    },
  };
}

/**
 * The one text there is. Several prompts in a request are several judgments, tokens cannot be read here, and a
 * reply that echoes the prompt would have the prompt's labels read as the verdict: none of these is a case.
 */
function promptTexts(source: JsonSource, { prompt, echo }: CompletionsRequest): PromptText[] {
  if (echo) return [];
  if (typeof prompt === 'string') return readTurnsAt(source, ['prompt']);
  return prompt?.length === 1 ? readTurnsAt(source, ['prompt', 0]) : [];
}

/** A completions request of our own: one text, with what would be the system message before it. */
export function composeOpenAiCompletionRequest({
  model,
  system,
  user,
  parameters,
}: ModelPrompt): ComposedRequest {
  const prompt = system === null ? user : `${system}\n\n${user}`;
  return {
    path: '/v1/completions',
    headers: {},
    body: JSON.stringify({ model, prompt, ...parameters, stream: false }),
  };
}
