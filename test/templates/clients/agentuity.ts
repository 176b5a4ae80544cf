/** The evals that Agentuity ships. */
import { registerHooks } from 'node:module';
import { createOpenAI } from 'ai-sdk-openai-3';
import { type Callable, instruction, KEY, one, QUALITY } from './evaluator.ts';

/** All that the evals use of Agentuity's runtime, which itself runs under Bun only. */
const RUNTIME = 'data:text/javascript,export const EvalHandlerResultSchema = { parse: (told) => told };';

// Its modules name each other without their endings.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@agentuity/runtime') return { url: RUNTIME, format: 'module', shortCircuit: true };
    const isPart = context.parentURL?.includes('/@agentuity/') && specifier.startsWith('.');
    return next(isPart && !specifier.endsWith('.js') ? `${specifier}.js` : specifier, context);
  },
});
const evals: Record<string, unknown> = await import('@agentuity/evals');

type Preset = (options: { model: unknown }) => {
  handler(context: unknown, input: { request: string }, output: { response: string }): Promise<unknown>;
};

const evaluator = (name: string, preset: string): Callable => ({
  evaluator: {
    name: `agentuity-${name}`,
    client: '@agentuity/evals',
    licence: 'Apache-2.0',
    kind: 'score',
    pools: QUALITY,
    keys: { ...instruction, ...one },
    verdict: {
      kind: 'score',
      where: 'json',
      field: 'score',
      scale: { min: 0, max: 1 },
      polarity: 'higher',
    },
    replies: [
      [{ score: 0.9, passed: true, reason: 'I looked.' }, { score: 0.9 }],
      [{ score: 0.2, passed: false, reason: 'I looked.' }, { score: 0.2 }],
    ],
    note: 'the reply also says whether the answer passed',
  },
  async ask(base, { instruction = '', option1 = '' }) {
    const model = createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }).chat('gpt-4o');
    const { handler } = (evals[preset] as Preset)({ model });
    return handler({ logger: console }, { request: instruction }, { response: option1 });
  },
});

export default [
  evaluator('politeness', 'politeness'),
  evaluator('conciseness', 'conciseness'),
  evaluator('completeness', 'answerCompleteness'),
  evaluator('extraneous', 'extraneousContent'),
  evaluator('safety', 'safety'),
  evaluator('role', 'roleAdherence'),
] satisfies Callable[];
