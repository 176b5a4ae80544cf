/** Reads a client's request to Hugging Face's text generation and writes one of our own; tells its routes apart. */
import * as z from 'zod';
import { inTemplate } from '../../src/case/index.ts';
import { parseJson } from '../../src/parse-json.ts';
import {
  createEditableRequest,
  decodeSegment,
  ownField,
  parseRequest,
  readTurnsAt,
} from '../json-request.ts';
import { findNode } from '../json-source.ts';
import type { ComposedRequest, JudgeRequest, ModelPrompt } from '../types.ts';

/** TGI: "`temperature` must be strictly positive". This close to it there is no chance left in the choice. */
const LEAST_TEMPERATURE = 0.01;
const TEMPERATURE = ['parameters', 'temperature'];

/** A rewording is as long as the text it rewords, and the server's own limit is 20 or 100 tokens. */
const REWORDING_TOKENS = 2048;

/** Only what is read here is checked; everything else is the endpoint's to judge. */
const request = z.looseObject({
  inputs: z.string(),
  model: z.string().nullish(),
  parameters: z.looseObject({ grammar: z.unknown().optional(), do_sample: z.unknown().optional() }).nullish(),
  stream: z.boolean().nullish(),
  remand: ownField.optional(),
});

/**
 * What is no request for text (another task, or a list of them, which is several judgments) has no prompt: it
 * goes on as it came.
 * @throws InputError naming the field that is wrong in one that is
 */
export function readHuggingFaceRequest(body: string, target = ''): JudgeRequest {
  if (!asksForText(body)) return createUnreadRequest(body);
  const { source, sent } = parseRequest(body, request);
  const { streams, model } = parseGenerationRoute(target) ?? { streams: 'body', model: '' };
  return {
    model: model || (sent.model ?? ''),
    stream: streams === 'path' || (streams === 'body' && (sent.stream ?? false)),
    streamByPath: streams === 'path',
    schema: demandedSchema(sent.parameters?.grammar),
    declared: sent.remand?.case,
    ...createEditableRequest(source, readTurnsAt(source, ['inputs']), {
      temperature: TEMPERATURE,
      least: LEAST_TEMPERATURE,
    }),
    // Without a temperature TGI decodes greedily.
    varies: findNode(source.root, TEMPERATURE)?.type === 'number' || sent.parameters?.do_sample === true,
    plain: (system, user) => {
      const steady = findNode(source.root, TEMPERATURE)?.type === 'number';
      return JSON.stringify({
        ...(sent.model ? { model: sent.model } : {}),
        inputs: inTemplate(sent.inputs, system, user),
        parameters: {
          max_new_tokens: REWORDING_TOKENS,
          return_full_text: false,
          ...(steady ? { temperature: LEAST_TEMPERATURE } : {}),
        },
      });
    },
  };
}

const forText = z.looseObject({ inputs: z.string() });

const asksForText = (body: string): boolean => forText.safeParse(parseJson(body)).success;

function createUnreadRequest(body: string): JudgeRequest {
  return {
    model: '',
    stream: false,
    streamByPath: false,
    prompt: { parts: [] },
    schema: null,
    declared: undefined,
    body,
    sent: null,
    edited: () => body,
    tempered: false,
    varies: true,
    plain: () => body,
  };
}

const grammar = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('json'), value: z.unknown() }),
  z.looseObject({
    type: z.literal('json_schema'),
    value: z.looseObject({ schema: z.unknown() }).transform(({ schema }) => schema),
  }),
]);

/** TGI's guidance: a JSON schema, bare or under a name. A regular expression says nothing of a field. */
function demandedSchema(sent: unknown): unknown {
  const { data } = grammar.safeParse(sent);
  return data?.value ?? null;
}

/** A request for text of our own: one text, with what would be the system message before it. */
export function composeHuggingFaceRequest({
  model,
  system,
  user,
  parameters: { temperature, ...parameters },
}: ModelPrompt): ComposedRequest {
  const inputs = system === null ? user : `${system}\n\n${user}`;
  return {
    path: '/generate',
    headers: {},
    // TGI serves one model and takes no notice of its name; servers behind a router do.
    body: JSON.stringify({
      model,
      inputs,
      parameters: {
        return_full_text: false,
        details: true,
        ...parameters,
        // "`temperature` must be strictly positive"; without one TGI decodes greedily, as 0 does elsewhere.
        ...(temperature === undefined || temperature === 0 ? {} : { temperature, do_sample: true }),
      },
    }),
  };
}

interface GenerationRoute {
  /** `path`: always; `body`: where the body has `stream: true`; `never`. */
  readonly streams: 'path' | 'body' | 'never';
  /** Empty where the server has one model only. */
  readonly model: string;
}

/** `/invocations` is SageMaker's name for TGI's root; the router puts `/hf-inference` in front of a model. */
const ROUTE =
  /^(?:\/(generate|generate_stream|invocations)?|(?:\/hf-inference)?\/models\/([^/?]+(?:\/[^/?]+)?))\/?(?:\?|$)/;

/** @returns null where the path is none of the protocol's */
export function parseGenerationRoute(target: string): GenerationRoute | null {
  const found = ROUTE.exec(target);
  if (!found) return null;
  const [, name, model = ''] = found;
  const streams = name === 'generate_stream' ? 'path' : name === 'generate' ? 'never' : 'body';
  return { streams, model: decodeSegment(model) };
}
