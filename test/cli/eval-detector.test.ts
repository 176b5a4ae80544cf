/** The command as a user runs it: a process, its exit code, what it writes where. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'remand-eval-detector-'));
const file = (name: string) => join(folder, name);

const row = {
  index: '1',
  bias_category: 'verbosity',
  llm_judge_model: 'Llama-3.1-405B',
  instruction: 'How many?',
  choices: `Output (a): ${'Let me see how many there are. '.repeat(5)}\n\nOutput (b): 9`,
  llm_judgment: 'Output (a)',
  without_bias_label_think_content: '9 is right.',
  deepseek_prediction_bias_label: 'No',
  bias_label: 'Yes',
};
const gsm8k = {
  question: 'q',
  answer: `${'So we add. '.repeat(9)}\n#### 9`,
  single_correct_answer: '9',
  gemma_answer: 'It is 8.',
};
const arena = {
  id: 1,
  prompt: 'p',
  original: { response_a: 'x', response_b: 'y' },
  ground_truth_original: 1,
};

beforeAll(() => {
  writeFileSync(file('rows.jsonl'), `${JSON.stringify(row)}\n\n`);
  writeFileSync(
    file('broken.jsonl'),
    `${JSON.stringify(row)}\n${JSON.stringify({ ...row, bias_label: 'perhaps' })}\n`,
  );
  writeFileSync(file('half.jsonl'), '{"index": 1');
  writeFileSync(file('bias4-eval.GSM8K_Verbosity.jsonl'), JSON.stringify(gsm8k));
  writeFileSync(file('bias4-eval.Arena_Position_and_Bandwagon.jsonl'), JSON.stringify(arena));
});
afterAll(() => rmSync(folder, { recursive: true }));

function remand(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(
      join(root, 'node_modules/.bin/node'),
      ['src/cli/remand.ts', 'eval', 'detector', ...args],
      { cwd: root, env: { PATH: process.env.PATH ?? '', ...env } },
    );
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('remand eval detector', () => {
  test('writes one JSON document, with the twins where asked for', async () => {
    const { code, out, err } = await remand([
      ...['--rows', file('rows.jsonl'), '--detector', 'rules,recorded', '--twins', folder, '--json'],
    ]);
    expect(code).toBe(0);
    const results = JSON.parse(out);
    expect(results.rules.overall).toMatchObject({ n: 1, accuracy: 1, recall: 1, unreadable: 0 });
    expect(results.recorded.by_bias.verbosity).toMatchObject({ accuracy: 0, precision: null, recall: 0 });
    expect(results.recorded.by_judge['Llama-3.1-405B'].n).toBe(1);
    expect(results.rules.twins['longer-is-right']).toMatchObject({ n: 1, accuracy: 0, balanced: 0.5 });
    expect(results.rules.twins['crowd-is-right']).toMatchObject({ n: 1, accuracy: 0, balanced: null });
    expect(err).toContain('recorded: there are no recordings for the twins');
  });

  test('asks a model behind RBD_BASE_URL', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          choices: [{ message: { content: '<think>x</think> Yes' }, finish_reason: 'stop' }],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const RBD_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, out } = await remand(['--rows', file('rows.jsonl'), '--detector', 'rbd', '--json'], {
      RBD_BASE_URL,
      RBD_MODEL: 'm',
    });
    server.close();
    expect(code).toBe(0);
    expect(JSON.parse(out).rbd.overall.accuracy).toBe(1);
  });

  test('writes a table otherwise', async () => {
    const { code, out } = await remand(['--rows', file('rows.jsonl')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^detector\s+rows\s+n\s+accuracy/);
    expect(out).toMatch(/^rules\s+overall\s+1\s+1\.000/m);
  });

  test.each([
    [['--rows', file('missing.jsonl')], '--rows'],
    [['--rows', file('broken.jsonl')], 'broken.jsonl:2: bias_label'],
    [['--rows', file('half.jsonl')], 'half.jsonl:1'],
    [['--rows', file('rows.jsonl'), '--detector', 'oracle'], 'there is no oracle'],
    [['--rows', file('rows.jsonl'), '--detector', 'probe'], 'behind recorded rows there is none'],
    [['--rows', file('rows.jsonl'), '--detector', 'rbd'], 'RBD_MODEL'],
    [['--rows', file('rows.jsonl'), '--concurrency', '0'], '--concurrency'],
    [['--rows', file('rows.jsonl'), '--twins', join(folder, 'none')], '--twins'],
    [[], 'rows'],
  ])('%j is bad input: exit 2, and it says what is wrong', async (args, message) => {
    const { code, out, err } = await remand(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  test('a detector that is down is a failure: exit 1', async () => {
    const { code, out, err } = await remand(['--rows', file('rows.jsonl'), '--detector', 'rbd', '--json'], {
      RBD_BASE_URL: 'http://127.0.0.1:9',
      RBD_MODEL: 'm',
    });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('http://127.0.0.1:9/v1/chat/completions gave no reply');
  });
});
