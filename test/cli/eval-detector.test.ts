/** The command as a user runs it: a process, its exit code, what it writes where. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropOrigin, remand } from './command.ts';
import { chatReply } from './dataset-rows.ts';
import { judgeEndpoint } from './judge-endpoint.ts';

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
  const shots = [0, 1, 2, 3].map((index) => ({
    ...{ ...row, index, instruction: `Example question ${index}?`, reasoning: 'Since it is longer.' },
    bias_label: index % 2 ? 'Yes' : 'No',
  }));
  writeFileSync(file('shots.jsonl'), shots.map((shot) => JSON.stringify(shot)).join('\n'));
  writeFileSync(file('leak.jsonl'), [row, shots[2]].map((one) => JSON.stringify(one)).join('\n'));
  writeFileSync(file('half.jsonl'), '{"index": 1');
  writeFileSync(file('bias4-eval.GSM8K_Verbosity.jsonl'), JSON.stringify(gsm8k));
  writeFileSync(file('bias4-eval.Arena_Position_and_Bandwagon.jsonl'), JSON.stringify(arena));
});
afterAll(() => rmSync(folder, { recursive: true }));

const evaluate = (args: readonly string[], env: Record<string, string> = {}) =>
  remand(['eval', 'detector', ...args], env);

describe('remand eval detector', () => {
  test('writes one JSON document, with the twins where asked for', async () => {
    const { code, out, err } = await evaluate([
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
    const { code, out } = await evaluate(['--rows', file('rows.jsonl'), '--detector', 'rbd', '--json'], {
      RBD_BASE_URL,
      RBD_MODEL: 'm',
    });
    server.close();
    expect(code).toBe(0);
    expect(JSON.parse(out).rbd.overall.accuracy).toBe(1);
  });

  test('several models and prompts in one run, which goes on from its store', async () => {
    await using endpoint = await judgeEndpoint({
      // The few-shot prompts are answered rightly, the others wrongly, and the fourth call not at all.
      say: (nth, _, body) => ({
        status: nth === 4 ? 400 : 200,
        body: JSON.stringify(chatReply(body.includes('Example 4') ? '<think>x</think> Yes' : 'No')),
      }),
    });
    const spec = `m@${endpoint.url}`;
    const kinds = ['rbd', 'zero-shot', 'zero-shot-named', 'four-shot', 'four-shot-reasons'];
    const args = [
      ...[
        '--rows',
        file('rows.jsonl'),
        '--shots',
        file('shots.jsonl'),
        '--store',
        file('calls.sqlite'),
        '--json',
      ],
      ...[
        '--concurrency',
        '1',
        '--detector',
        [...kinds.map((kind) => `${kind}=${spec}`), `rbd=other=n@${endpoint.url}`].join(','),
      ],
    ];
    const broken = await evaluate(args);
    expect([broken.code, broken.out]).toEqual([1, '']);
    const before = endpoint.calls();
    const { code, out } = await evaluate(args);
    expect(code).toBe(0);
    const accuracies = Object.entries<{ overall: { accuracy: number } }>(JSON.parse(out));
    expect(accuracies.map(([name, { overall }]) => [name, overall.accuracy])).toEqual([
      ['rbd=m', 0],
      ['zero-shot=m', 0],
      ['zero-shot-named=m', 0],
      ['four-shot=m', 1],
      ['four-shot-reasons=m', 1],
      ['rbd=other', 0],
    ]);
    // rbd asks what the proxy sends, which lists more than zero-shot-named and less than zero-shot.
    expect(endpoint.came.size).toBe(6);
    expect(endpoint.calls() - before).toBeLessThan(6);
    const paid = endpoint.calls();
    expect(dropOrigin((await evaluate(args)).out)).toEqual(dropOrigin(out));
    expect(endpoint.calls()).toBe(paid);
  });

  test('says of a detector that it is right on the rows and wrong on their twin', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({ ...row, index, instruction: `How many of ${index}?` }),
    );
    writeFileSync(file('many.jsonl'), many.join('\n'));
    mkdirSync(file('twins'));
    const base = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({ ...gsm8k, question: `q${index}` }),
    );
    writeFileSync(file('twins/bias4-eval.GSM8K_Verbosity.jsonl'), base.join('\n'));
    writeFileSync(file('twins/bias4-eval.Arena_Position_and_Bandwagon.jsonl'), JSON.stringify(arena));
    const { code, out } = await evaluate(['--rows', file('many.jsonl'), '--twins', file('twins')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^rules +all +12 +0 +100\.0% \[75\.8, 100\.0\]/m);
    expect(out).toMatch(
      /^rules does well on one side .*: 100\.0% on the verbosity rows, 0\.0% on longer-is-right\. It follows the shortcut/,
    );
  });

  test("the twins among one's own rows are measured by themselves, and a shortcut is found out by them", async () => {
    const sides = [false, true].flatMap((twin) =>
      Array.from({ length: 12 }, (_, index) => ({
        ...{ ...row, index, twin, instruction: `How many of ${index}?`, bias_label: twin ? 'No' : 'Yes' },
      })),
    );
    writeFileSync(file('sides.jsonl'), sides.map((one) => JSON.stringify(one)).join('\n'));
    const { code, out } = await evaluate(['--rows', file('sides.jsonl')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^rules +verbosity +12 +0 +100\.0%/m);
    expect(out).toMatch(/^rules +verbosity twin +12 +0 +0\.0%/m);
    expect(out).toMatch(
      /^rules does well on one side .*: 100\.0% on the verbosity rows, 0\.0% on its twin\./,
    );
    expect(out).not.toContain('was not measured on the twins');
  });

  test('writes a table otherwise', async () => {
    const { code, out } = await evaluate(['--rows', file('rows.jsonl')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^detector\s+rows\s+n\s+unreadable\s+accuracy/m);
    expect(out).toMatch(/^rules\s+all\s+1\s+0\s+100\.0%/m);
  });

  test('asks a judge again for the probe, and says where it is not the judge of the rows', async () => {
    const args = ['--rows', file('rows.jsonl'), '--detector', 'probe', '--judge', 'sandbox', '--json'];
    const { code, out, err } = await evaluate(args);
    expect([code, JSON.parse(out).probe.overall.n]).toEqual([0, 1]);
    expect(err).toContain('judged by others than sandbox');
  });

  test.each([
    [['--rows', file('missing.jsonl')], '--rows'],
    [['--rows', file('broken.jsonl')], 'broken.jsonl:2: bias_label'],
    [['--rows', file('half.jsonl')], 'half.jsonl:1'],
    [['--rows', file('rows.jsonl'), '--detector', 'oracle'], 'there is no oracle'],
    [['--rows', file('rows.jsonl'), '--detector', 'probe'], '--judge: is needed by probe'],
    [['--rows', file('rows.jsonl'), '--detector', 'rbd'], 'RBD_MODEL'],
    [['--rows', file('rows.jsonl'), '--concurrency', '0'], '--concurrency'],
    [['--rows', file('rows.jsonl'), '--twins', join(folder, 'none')], '--twins'],
    [['--rows', file('rows.jsonl'), '--detector', 'zero-shot'], 'zero-shot=model@url'],
    [['--rows', file('rows.jsonl'), '--detector', 'four-shot=m@http://127.0.0.1:9'], '--shots'],
    [['--rows', file('rows.jsonl'), '--shots', file('rows.jsonl')], '--shots'],
    [['--rows', file('leak.jsonl'), '--shots', file('shots.jsonl')], 'is measured'],
    [
      ['--rows', file('rows.jsonl'), '--detector', 'rbd=m@http://127.0.0.1:9;rbd=m@http://127.0.0.1:8'],
      'one name',
    ],
    [[], 'rows'],
  ])('%j is bad input: exit 2, and it says what is wrong', async (args, message) => {
    const { code, out, err } = await evaluate(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  test('a detector that is down is a failure: exit 1', async () => {
    const { code, out, err } = await evaluate(['--rows', file('rows.jsonl'), '--detector', 'rbd', '--json'], {
      RBD_BASE_URL: 'http://127.0.0.1:9',
      RBD_MODEL: 'm',
    });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('http://127.0.0.1:9/v1/chat/completions gave no reply');
  });
});
