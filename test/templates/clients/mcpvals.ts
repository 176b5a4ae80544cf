/** mcpvals: a model works through a conversation with a server's tools, and another one judges it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from 'mcpvals';
import { type Callable, instruction, KEY, need, one, QA, reference } from './evaluator.ts';
import { SERVER } from './no-tools.ts';
import { redirected } from './redirected.ts';

export default [
  {
    evaluator: {
      name: 'mcpvals-judge',
      client: 'mcpvals',
      licence: 'Apache-2.0',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...one, ...reference },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'score',
        scale: { min: 0, max: 1 },
        polarity: 'higher',
      },
      replies: [
        [{ score: 0.9, reason: 'I looked.' }, { score: 0.9 }],
        [{ score: 0.1, reason: 'I looked.' }, { score: 0.1 }],
      ],
      has: 'You are an expert evaluator',
      besides: [['', '{{option1}}']],
    },
    ask: (base, values) =>
      redirected(base, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'mcpvals-'));
        writeFileSync(join(folder, 'server.mjs'), SERVER);
        const step = { user: need(values, 'instruction'), expectedState: need(values, 'reference') };
        const config = {
          server: { transport: 'stdio', command: 'node', args: [join(folder, 'server.mjs')] },
          workflows: [{ name: 'house', steps: [step] }],
          llmJudge: true,
          openaiKey: KEY,
          judgeModel: 'gpt-4o',
        };
        writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
        process.env.ANTHROPIC_API_KEY = KEY;
        return evaluate(join(folder, 'config.json'), { llmJudge: true });
      }),
  },
] satisfies Callable[];
