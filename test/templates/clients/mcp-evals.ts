/** mcp-evals: a model answers with the tools of a server, and is graded. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { grade } from 'mcp-evals';
import { type Callable, instruction, KEY, need, one, QUALITY } from './evaluator.ts';
import { SERVER } from './no-tools.ts';

/** Its own provider, of the AI SDK that it was written for. */
const { createOpenAI } = createRequire(import.meta.resolve('mcp-evals'))('@ai-sdk/openai');

const DIMENSIONS = ['accuracy', 'completeness', 'relevance', 'clarity', 'reasoning'];

const told = (score: number) => ({
  ...Object.fromEntries(DIMENSIONS.map((name) => [name, score])),
  overall_comments: 'I looked.',
});

export default [
  {
    evaluator: {
      name: 'mcp-evals-grade',
      client: 'mcp-evals',
      licence: 'MIT',
      kind: 'score',
      pools: QUALITY,
      keys: { ...instruction, ...one },
      verdict: { kind: 'scores', where: 'json', scale: { min: 1, max: 5 }, polarity: 'higher' },
      replies: [
        [told(5), { scores: [5, 5, 5, 5, 5] }],
        [told(2), { scores: [2, 2, 2, 2, 2] }],
      ],
      has: 'You are an expert evaluator',
      besides: [['', '{{option1}}']],
    },
    async ask(base, values) {
      const server = join(mkdtempSync(join(tmpdir(), 'mcp-')), 'server.mjs');
      writeFileSync(server, SERVER);
      // It starts the server with tsx.
      const bin = join(import.meta.dirname, 'node_modules/.bin');
      if (!process.env.PATH?.startsWith(bin)) process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
      const model = createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY })('gpt-4o');
      return grade(model, need(values, 'instruction'), server);
    },
  },
] satisfies Callable[];
