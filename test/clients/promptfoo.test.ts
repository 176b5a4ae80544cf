/** promptfoo: a comparison and three graders of one answer, each of which reads the reply in its own way. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { findLoggedCalls } from '../../src/logs/index.ts';
import { replyBody } from '../proxy/judges.ts';
import { startUpstream } from '../proxy/servers.ts';
import { FOLLOWED, ofOne, ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { type Conformance, conforms } from './harness/conformance.ts';

/** It reads its settings as it is loaded, and writes them down. */
const home = mkdtempSync(join(tmpdir(), 'promptfoo-'));
afterAll(() => rmSync(home, { recursive: true }));
vi.stubEnv('LOG_LEVEL', 'error');
vi.stubEnv('PROMPTFOO_CONFIG_DIR', home);
vi.stubEnv('PROMPTFOO_DISABLE_TELEMETRY', '1');
vi.stubEnv('PROMPTFOO_DISABLE_UPDATE', '1');
vi.stubEnv('PROMPTFOO_DISABLE_REMOTE_GENERATION', '1');
const { default: promptfoo } = await import('promptfoo');

/** What docs/integrations.md says to write, with the proxy at `base`. */
function documented(base: string): Pick<Parameters<typeof promptfoo.evaluate>[0], 'defaultTest'> {
  const page = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');
  const [, block = ''] = /\n## promptfoo\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  return parse(block.replace('http://localhost:8787', base));
}

/**
 * @param prompt what the outputs answer
 * @returns whether each output passes
 */
async function assess(
  base: string,
  type: 'select-best' | 'llm-rubric' | 'g-eval' | 'model-graded-closedqa',
  value: string,
  outputs: readonly string[],
  prompt: string,
): Promise<unknown> {
  vi.stubEnv('OPENAI_API_KEY', 'sk-not-a-real-key');
  const graded = await promptfoo.evaluate(
    {
      prompts: [prompt],
      providers: outputs.map((output) => async () => ({ output })),
      ...documented(base),
      tests: [{ assert: [{ type, value }] }],
      writeLatestResults: false,
      sharing: false,
    },
    { cache: false, maxConcurrency: 1, showProgressBar: false },
  );
  const { results } = await graded.toEvaluateSummary();
  return results.map(({ gradingResult }) => gradingResult?.pass);
}

const row: Pick<Conformance, 'client' | 'protocol'> = {
  client: 'promptfoo',
  protocol: '/v1/chat/completions',
};

conforms({
  ...row,
  call: 'select-best',
  form: 'index from 0, all in the system message',
  bias: 'position',
  ...ofPairs('0', '1'),
  garbage: 'Neither of them.',
  ask: (base) => assess(base, 'select-best', 'choose the correct answer', [WRONG, RIGHT], QUESTION),
  returns: { right: [false, true], wrong: [true, false] },
});

const one = {
  ...row,
  bias: 'bandwagon',
  note: 'one answer: the statement is taken out, nothing is exchanged',
  returns: { right: [false], wrong: [true] },
};

conforms({
  ...one,
  call: 'llm-rubric',
  form: 'JSON in text: pass, score and reason',
  ...ofOne(
    { reason: 'It is correct.', pass: true, score: 1 },
    { reason: 'It is off by ten.', pass: false, score: 0 },
  ),
  garbage: 'I cannot say.',
  ask: (base) =>
    assess(base, 'llm-rubric', `Gives the product of 17 and 23.\n${FOLLOWED('output')}`, [WRONG], QUESTION),
});

conforms({
  ...one,
  call: 'model-graded-closedqa',
  form: 'Y or N on the last line',
  ...ofOne('It meets it.\nY', 'It is off by ten.\nN'),
  garbage: 'I cannot say.',
  ask: (base) =>
    assess(
      base,
      'model-graded-closedqa',
      'gives the right product',
      [WRONG],
      `${QUESTION}\n${FOLLOWED('submission')}`,
    ),
});

const asksForSteps = ({ text }: { text: string }) => text.includes('concise evaluation steps applicable');
const rated = ofOne({ score: 10, reason: 'It is correct.' }, { score: 0, reason: 'It is off by ten.' });
const steps = { steps: ['Work the product out.', 'Compare the reply with it.'] };

conforms({
  ...one,
  call: 'g-eval',
  form: 'JSON in text: score and reason',
  note: `${one.note}; the request for steps goes through untouched`,
  beside: asksForSteps,
  fair: (heard) => (asksForSteps(heard) ? steps : rated.fair(heard)),
  swayed: (heard) => (asksForSteps(heard) ? steps : rated.swayed(heard)),
  garbage: 'I cannot say.',
  ask: (base) =>
    assess(base, 'g-eval', 'The product is right.', [WRONG], `${QUESTION}\n${FOLLOWED('reply')}`),
});

test('its results, as it writes them, are read by `remand look`: each rubric it asked about, and what it does not keep', async () => {
  const prompts: unknown[] = [];
  const upstream = await startUpstream((received, response) => {
    const { messages } = JSON.parse(received.body.toString());
    const isRubric = JSON.stringify(messages).includes('<Rubric>');
    if (isRubric) prompts.push(messages);
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(isRubric ? '{"reason": "ok", "pass": true, "score": 0.8}' : 'Y'));
  });
  const config = { apiBaseUrl: `${upstream.url}/v1`, apiKey: 'sk-not-a-real-key', maxRetries: 0 };
  const graded = await promptfoo.evaluate(
    {
      prompts: ['What is {{tool}}?'],
      providers: [async () => ({ output: 'A tool for wood.' })],
      tests: ['an adze', 'a froe'].map((tool) => ({
        vars: { tool },
        options: { provider: { text: { id: 'openai:chat:gpt-4o-mini', config } } },
        assert: [
          { type: 'llm-rubric', value: 'names a tool' },
          { type: 'model-graded-closedqa', value: 'names a tool' },
        ],
      })),
      writeLatestResults: false,
      sharing: false,
    },
    { cache: false, maxConcurrency: 1, showProgressBar: false },
  );
  // As `promptfoo eval -o results.json` writes it.
  const found = findLoggedCalls(JSON.parse(JSON.stringify({ results: await graded.toEvaluateSummary() })));
  expect(found?.calls.map(({ body }) => body.messages)).toEqual(prompts);
  expect(found?.calls.map(({ response }) => response)).toEqual(
    prompts.map(() => ({
      choices: [expect.objectContaining({ message: expect.objectContaining({ role: 'assistant' }) })],
    })),
  );
  expect(found?.missing).toEqual([
    ['verdicts of model-graded-closedqa: promptfoo does not write their prompts down', 2],
  ]);
});
