/** Runs of LangSmith, as its SDK 0.12 and LangChain 1.4 send them, and as rows of its bulk export. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findLoggedCalls } from '../../src/logs/index.ts';
import { writeParquet } from '../../src/records/parquet.ts';
import { remand } from '../cli/command.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const made = (name: string, kwargs: object) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name] },
  kwargs: { additional_kwargs: {}, response_metadata: {}, ...kwargs },
});
const TOOL = { name: 'verdict', description: '', parameters: { type: 'object', properties: {} } };

const ofLangChain = (said: string, message: object) => ({
  ...{ id: 'r1', name: 'ChatOpenAI', run_type: 'llm', trace_id: 't' },
  inputs: {
    messages: [[made('SystemMessage', { content: 'sys' }), made('HumanMessage', { content: said })]],
  },
  outputs: {
    generations: [[{ text: '', message: made('AIMessage', message), generationInfo: {} }]],
    llmOutput: {},
  },
  extra: {
    metadata: { ls_model_name: 'judge-1' },
    invocation_params: {
      model: 'judge-1',
      tools: [{ type: 'function', function: TOOL }],
      tool_choice: { type: 'function', function: { name: 'verdict' } },
    },
  },
});
const ofOpenAi = (said: string, content: string) => ({
  ...{ id: 'r2', name: 'ChatOpenAI', run_type: 'llm', trace_id: 't', extra: {} },
  inputs: { model: 'judge-1', temperature: 0, messages: [{ role: 'user', content: said }] },
  outputs: { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] },
});
const messageOf = (run: unknown) =>
  findLoggedCalls(run)?.calls.map(({ body, response }) => ({
    ...body,
    reply: (response?.choices[0] as { message?: unknown } | undefined)?.message,
  }));

test('messages that LangChain constructs, and a verdict in the arguments of a function', () => {
  const call = { name: 'verdict', args: { winner: 'A' }, id: 'c1', type: 'tool_call' };
  expect(messageOf(ofLangChain('Which?', { content: '', tool_calls: [call] }))).toMatchObject([
    {
      model: 'judge-1',
      messages: [
        { role: 'system', content: 'sys' },
        { role: 'user', content: 'Which?' },
      ],
      tools: [{ type: 'function', function: { name: 'verdict' } }],
      tool_choice: { type: 'function', function: { name: 'verdict' } },
      reply: { tool_calls: [{ function: { name: 'verdict', arguments: '{"winner":"A"}' } }] },
    },
  ]);
  expect(messageOf(ofLangChain('Which?', { content: '[[B]]', tool_calls: [] }))).toMatchObject([
    { reply: { content: '[[B]]' } },
  ]);
});

test('what a wrapped client of OpenAI was asked, in lists and pages; other runs are no calls', () => {
  const chain = { run_type: 'chain', inputs: { input: 'x' }, outputs: { output: 'y' } };
  const run = ofOpenAi('Which?', '[[A]]');
  for (const log of [run, [chain, run], { runs: [chain, run], cursors: {} }])
    expect(messageOf(log)).toMatchObject([
      { model: 'judge-1', messages: [{ content: 'Which?' }], reply: { content: '[[A]]' } },
    ]);
  expect(messageOf({ ...run, outputs: null })).toMatchObject([{ reply: undefined }]);
  expect(
    messageOf({ run_type: 'llm', inputs: { prompts: ['Which?'] }, outputs: { output: 'A' } }),
  ).toMatchObject([{ messages: [{ role: 'user', content: 'Which?' }], reply: { content: 'A' } }]);
});

test('the bulk export in Parquet, whose inputs and outputs are JSON', async () => {
  const path = join(folder, 'runs.parquet');
  const text = { type: 'STRING', nullable: true } as const;
  const prompts = [
    ['How deep is the lake?', 'Charts say 41 metres.', 'It is deep'],
    ['Name a river in Peru', 'The Ucayali, "brown"', 'Peru has many'],
    ['why does bread rise', 'Yeast makes gas; heat sets it.', 'Because it is baked!'],
  ].map(
    ([question, first, second]) =>
      `Which answer is better?\n\nQuestion: ${question}\n\nAnswer A: ${first}\n\nAnswer B: ${second}\n\nReply "A" or "B".`,
  );
  await writeParquet(
    path,
    [
      { name: 'run_type', ...text },
      { name: 'inputs', ...text },
      { name: 'outputs', ...text },
      { name: 'extra', ...text },
    ],
    prompts.map((prompt, n) => {
      const { run_type, inputs, outputs, extra } = ofOpenAi(prompt, 'AB'[n % 2] ?? '');
      return {
        run_type,
        inputs: JSON.stringify(inputs),
        outputs: JSON.stringify(outputs),
        extra: JSON.stringify(extra),
      };
    }),
  );
  const { out, err } = await remand(['look', path, '--json']);
  expect({ ...JSON.parse(out), err }).toMatchObject({
    calls: 3,
    examinable: 3,
    verdicts: 3,
    missing: [],
    err: '',
  });
});
