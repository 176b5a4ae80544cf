/**
 * Whether a request asks for a reply that may be given again: the likeliest one (temperature 0, no sampling), or the
 * one that belongs to a seed. At any other temperature several replies are several opinions, and one opinion given
 * out many times would pass for agreement.
 */
import * as z from 'zod';

const sampling = z.object({
  temperature: z.number().optional(),
  seed: z.number().nullish(),
  do_sample: z.boolean().optional(),
});

/** Functions of the client's own, in the words of the protocols. Tools that an endpoint runs (search) see another world each day. */
const ownTool = z.union([
  z.object({ type: z.enum(['function', 'custom']) }),
  z.object({ type: z.never().optional(), input_schema: z.unknown() }),
  z.strictObject({ functionDeclarations: z.unknown() }),
  z.strictObject({ function_declarations: z.unknown() }),
]);

const request = z.object({
  ...sampling.shape,
  /** Gemini's and Hugging Face's place for the same. */
  generationConfig: sampling.optional(),
  generation_config: sampling.optional(),
  parameters: sampling.optional(),
  tools: z.array(ownTool).nullish(),
  // What rests on something that the endpoint keeps is not told by the request alone.
  previous_response_id: z.null().optional(),
  conversation: z.null().optional(),
  background: z.literal(false).nullish(),
  cachedContent: z.never().optional(),
  web_search_options: z.never().optional(),
});

/** @param body the whole request, as JSON */
export function isDeterministic(body: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return false;
  }
  const read = request.safeParse(parsed);
  if (!read.success) return false;
  const { generationConfig, generation_config, parameters } = read.data;
  return [read.data, generationConfig, generation_config, parameters].some(
    (said) => said && (said.temperature === 0 || typeof said.seed === 'number' || said.do_sample === false),
  );
}
