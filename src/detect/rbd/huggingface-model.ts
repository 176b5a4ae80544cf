/** A detector model on Hugging Face: a provider's, or a dedicated Inference Endpoint. */
import type { Fetch } from '../../ports.ts';
import {
  createStrictFetch,
  type DetectorModel,
  readCompletion,
  rethrow,
  retryDetectorModel,
} from './detector-model.ts';

export interface HuggingFaceDetectorOptions {
  /** Model id on the hub, `owner/model`. */
  readonly model: string;
  /** `HF_TOKEN`. */
  readonly token: string;
  /** Chat-completion URL of a dedicated Inference Endpoint; without it, the hub's providers are asked. */
  readonly endpointUrl?: string;
  readonly fetch: Fetch;
  /** Further fields of the request. Default: temperature 0 and 8192 tokens (some providers stop at a few hundred). */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** How often a call that failed in passing is made again; default 2. */
  readonly retries?: number;
  /** Longest single wait before that, in milliseconds; default 8000. */
  readonly maxWaitMs?: number;
}

/** @example createHuggingFaceDetectorModel({ model: 'joyfine/RBD-8B', token: 'hf_0123', fetch }) */
export function createHuggingFaceDetectorModel(options: HuggingFaceDetectorOptions): DetectorModel {
  const { model, fetch, endpointUrl, retries = 2, maxWaitMs = 8000 } = options;
  const { parameters = { temperature: 0, max_tokens: 8192 } } = options;
  const from = `the detector model ${model}`;
  return retryDetectorModel(model, {
    policy: { retries, maxWaitMs },
    keys: [options.token],
    async once(prompt, signal) {
      // Loaded with the first call: a server without a detector model saves its memory.
      const { InferenceClient } = await import('@huggingface/inference');
      const client = new InferenceClient(options.token);
      try {
        const reply: unknown = await client.chatCompletion(
          {
            ...parameters,
            model,
            messages: [{ role: 'user', content: prompt }],
            ...(endpointUrl === undefined ? {} : { endpointUrl }),
          },
          // The client would send a 503 again without delay or limit.
          { fetch: createStrictFetch(fetch, signal), signal, retry_on_error: false },
        );
        return readCompletion(reply, from);
      } catch (error) {
        return rethrow(error, from, signal);
      }
    },
  });
}
