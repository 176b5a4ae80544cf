/** LangChain's pairwise evaluators: brackets in text, the last line alone read; whole and streamed. */
import { loadEvaluator } from '@langchain/classic/evaluation';
import { ChatOpenAI } from '@langchain/openai';
import { beforeEach, vi } from 'vitest';
import { ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const FIRST = 'The first response comes first.\n[[A]]';
const SECOND = 'The second response is right.\n[[B]]';

const FORMS = [
  { form: 'text', rest: {}, protocol: '/v1/chat/completions' },
  { form: 'text, streamed', rest: { streaming: true }, protocol: '/v1/chat/completions' },
  { form: 'text', rest: { useResponsesApi: true }, protocol: '/v1/responses' },
  { form: 'text, streamed', rest: { useResponsesApi: true, streaming: true }, protocol: '/v1/responses' },
] as const;

/** Streaming over chat completions, it estimates the usage with a table that it fetches; it does without one, too. */
beforeEach(() => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) =>
    String(args[0]).startsWith('https://tiktoken.pages.dev/')
      ? Promise.resolve(Response.json({}))
      : fetch(...args),
  );
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

for (const kind of ['pairwise_string', 'labeled_pairwise_string'] as const) {
  for (const { form, rest, protocol } of FORMS) {
    conforms({
      client: '@langchain/classic',
      call: kind,
      protocol,
      form,
      bias: 'position',
      ...ofPairs(FIRST, SECOND),
      garbage: 'Both responses have their merits.',
      async ask(base) {
        const configuration = { baseURL: `${base}/v1` };
        const options = { apiKey: 'sk-not-a-real-key', model: 'gpt-4o', maxRetries: 0, temperature: 0 };
        const llm = new ChatOpenAI({ ...options, ...rest, configuration });
        const evaluator = await loadEvaluator(kind, { llm, criteria: 'correctness' });
        const { value, score, reasoning } = await evaluator.evaluateStringPairs({
          input: QUESTION,
          prediction: WRONG,
          predictionB: RIGHT,
          ...(kind === 'labeled_pairwise_string' && { reference: '17*23 = 391' }),
        });
        return [value, score, reasoning];
      },
      returns: {
        right: ['B', 0, 'The second response is right.'],
        wrong: ['A', 1, 'The first response comes first.'],
      },
    });
  }
}
