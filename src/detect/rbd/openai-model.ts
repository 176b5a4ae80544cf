/** A detector model behind an OpenAI-compatible endpoint: vLLM, TGI, SGLang, llama.cpp, a provider. */
import type { Fetch } from '../../ports.ts';
import {
  type DetectorModel,
  postJson,
  readCompletion,
  rethrow,
  retryDetectorModel,
} from './detector-model.ts';

export interface OpenAiDetectorOptions {
  /** With or without `/v1`, as for the judge. */
  readonly baseURL: string;
  readonly model: string;
  /** Null for an endpoint that wants none. */
  readonly apiKey: string | null;
  readonly fetch: Fetch;
  /**
   * Further fields of the request. Default: temperature 0, so that a verdict is examined the same way twice.
   * A model that refuses a temperature is given `{}`.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** How often a call that failed in passing is made again; default 2. */
  readonly retries?: number;
  /** Longest single wait before that, in milliseconds; default 8000. */
  readonly maxWaitMs?: number;
}

/** @example createOpenAiDetectorModel({ baseURL: 'http://localhost:8000', model: 'rbd-8b', apiKey: null, fetch }) */
export function createOpenAiDetectorModel(options: OpenAiDetectorOptions): DetectorModel {
  const { model, fetch, parameters = { temperature: 0 }, retries = 2, maxWaitMs = 8000 } = options;
  const from = `the detector model ${model}`;
  return retryDetectorModel(model, {
    policy: { retries, maxWaitMs },
    keys: [options.apiKey],
    async once(prompt, signal) {
      try {
        const reply = await postJson(
          fetch,
          `${withVersion(options.baseURL)}/chat/completions`,
          {
            headers: options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` },
            body: { ...parameters, model, messages: [{ role: 'user', content: prompt }], stream: false },
          },
          signal,
        );
        return readCompletion(reply, from);
      } catch (error) {
        return rethrow(error, from, signal);
      }
    },
  });
}

/** `http://localhost:8000` means `http://localhost:8000/v1`; a base with a path of its own is kept. */
function withVersion(baseURL: string): string {
  const bare = baseURL.replace(/(?<!\/)\/+$/, '');
  return new URL(bare).pathname === '/' ? `${bare}/v1` : bare;
}
