/** What the examples of the API page take for granted: a case and its judge, a model, a request, numbers to compute with. */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { Hono } from 'hono';
import {
  CATALOGUE,
  type Counterfactual,
  createProbeDetector,
  type DetectorModel,
  findCase,
  type JudgeAnswer,
  type Question,
  readVerdict,
  systemClock,
  type Trial,
} from '../../src/index.ts';
import type { createD1Traces } from '../../src/proxy/embedded.ts';
import { createSandboxJudge, SANDBOX_DEMO } from '../../src/sandbox/index.ts';
import type { LabelledValue, PairVerdict } from '../../src/stats/index.ts';
import { CROWD, IN_WORDS, pairwise } from '../clients/harness/cases.ts';

export { wrapLanguageModel };
export const prompt = pairwise(CROWD, IN_WORDS);
export const subject = found(findCase({ parts: [{ role: 'user', text: prompt }] }));

function found<T>(value: T | null): T {
  if (value === null) throw new Error('the prompt holds no case');
  return value;
}

export const question: Question = { kind: 'judge' };
/** A judge that always decides for the second. */
export const trial: Trial<string> = {
  ...{ subject, judge: 'judge-1', detector: createProbeDetector(), biases: CATALOGUE },
  ...{ rounds: 1, mode: 'debias', policy: 'last-word', deadlineMs: 60_000, rewrite: null },
  ...{ clock: systemClock, signal: new AbortController().signal },
  ask: async () => ({
    verdict: readVerdict('Output (b)', subject.form, subject.options),
    reply: 'Output (b)',
  }),
};
export const askMyModel = async (_: string): Promise<string> => 'Output (b)';
export const askMyJudge = async (_: unknown, __: AbortSignal): Promise<JudgeAnswer<Response>> => ({
  reply: new Response('Output (b)'),
  read: { texts: ['Output (b)'], finish: 'stop', usage: null, tokens: null },
});
export const reply = 'Output (a) is wrong. Output (b)';
export const withoutCrowd: Counterfactual = {
  ...{ order: [0, 1], options: new Map() },
  context: new Map(subject.context.map((_, at) => [at, null])),
  elsewhere: [],
};

export const attempts = {
  once: async () => ({
    ...{ content: '<think>It names the crowd.</think> Yes', reasoning: null },
    finish: 'stop',
    tokens: null,
  }),
  policy: { retries: 1, maxWaitMs: 1 },
};
const refuse = async () => {
  throw new Error('no example asks it');
};
export const model: DetectorModel & LanguageModelV3 = {
  name: 'rbd-8b',
  complete: attempts.once,
  specificationVersion: 'v3',
  provider: 'none',
  modelId: 'none',
  supportedUrls: {},
  doGenerate: refuse,
  doStream: refuse,
};
export const createOpenAI = (options: { fetch: typeof globalThis.fetch }): unknown => options;

export const fetch = createSandboxJudge();
export const request = new Request('http://localhost/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify(SANDBOX_DEMO),
});
export const app = new Hono();
/** A database that is not asked for anything. */
const statement = { bind: () => statement, all: refuse, first: refuse, run: refuse };
export const env = {
  DB: { prepare: () => statement, batch: refuse },
} as unknown as { DB: Parameters<typeof createD1Traces>[0] };

export const features = Array.from({ length: 40 }, (_, n) => [1, n % 5]);
export const targets = features.map((_, n) => (n % 3 === 0 ? 1 : 0));
export const items = features.map((_, n) => `q${n % 20}`);
export const labelled: LabelledValue[] = Array.from({ length: 40 }, (_, n) => ({
  ...{ judged: Number(n % 4 > 0), truth: Number(n % 5 > 1) },
}));
export const judged = Array.from({ length: 200 }, (_, n) => Number(n % 4 > 0));
export const verdicts: PairVerdict[] = Array.from({ length: 30 }, (_, n) => ({
  ...(n % 2 === 0 ? { first: 'a', second: 'b' } : { first: 'b', second: 'a' }),
  ...{ better: n % 3 === 0 ? 'second' : 'first', item: `q${n}` },
}));
export const distance = (one: string, other: string): number => Number(one !== other);
