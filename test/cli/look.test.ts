/** `remand look`: logs of several tools, what they tell alone, and what asking a judge again finds that is swayed in known places. */
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';
import { startUpstream } from '../proxy/servers.ts';
import { remand } from './command.ts';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(name: string, ...lines: readonly unknown[]): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  return path;
}

/** Of so many pairs every third is decided by the place; of half of these the right answer stands second. */
const PAIRS = 60;
const AFFECTED = PAIRS / 3;
const CHANGED = PAIRS / 6;

const WORDS =
  'tides rust yeast granite amber frost sails looms kilns maps because under near old salt makes slow'.split(
    ' ',
  );
/** A word that only right answers have. */
const SIGN = 'adze';

function textOf(draw: (limit: number) => number, isRight: boolean): string {
  const words = Array.from({ length: 6 + draw(14) }, () => WORDS[draw(WORDS.length)] ?? '');
  if (isRight) words.splice(draw(words.length), 0, SIGN);
  return words.join(' ');
}

function promptOf(n: number): string {
  const draw = createSeededDraw(n);
  const isRightFirst = n % 2 === 0;
  const [first, second] = [textOf(draw, isRightFirst), textOf(draw, !isRightFirst)];
  return `Two answers are compared.\n\n[Question]\n${textOf(draw, false)} ${n}?\n\n[Answer A]\n${first}\n\n[Answer B]\n${second}\n\nWhich one is better? Reply with "A" or "B" only.`;
}

function judge(text: string): string {
  const number = Number(/ (\d+)\?\n/.exec(text)?.[1]);
  const [, first = ''] = /\[Answer A\]\n(.*)/.exec(text) ?? [];
  const byPlace = number % 3 === 0 && findRemand(text) === null;
  return byPlace || first.includes(SIGN) ? 'A' : 'B';
}

const messages = (n: number) => [{ role: 'user', content: promptOf(n) }];
const reply = (n: number) => judge(promptOf(n));
const response = (n: number) => ({
  choices: [{ index: 0, message: { role: 'assistant', content: reply(n) }, finish_reason: 'stop' }],
});
const body = (n: number) => ({ model: 'judge-1', temperature: 0, messages: messages(n) });
const all = <T>(make: (n: number) => T): T[] => Array.from({ length: PAIRS }, (_, n) => make(n));
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const spans = (make: (n: number) => object[]) => ({
  resourceSpans: [{ scopeSpans: [{ spans: all((n) => ({ name: 'chat', attributes: make(n) })) }] }],
});

/** The judge behind HTTP, which counts. */
async function startJudge(decide = judge) {
  const counted = { calls: 0, url: '' };
  const { url } = await startUpstream((received, answer) => {
    counted.calls++;
    const sent = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
    const content = decide(sent.messages.map((message) => message.content).join('\n'));
    answer.setHeader('content-type', 'application/json');
    answer.end(
      JSON.stringify({
        ...{ id: 'x', object: 'chat.completion', created: 1, model: 'judge-1' },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
      }),
    );
  });
  counted.url = url;
  return counted;
}

const look = async (words: readonly string[]) => {
  const { code, out, err } = await remand(['look', ...words, '--json'], { JUDGE_API_KEY: 'k' });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

const LOGS: readonly (readonly [name: string, paths: () => string[]])[] = [
  [
    'pairs of requests and replies',
    () => [write('pairs.jsonl', ...all((n) => ({ body: body(n), response: response(n) })))],
  ],
  [
    'a batch of OpenAI',
    () => [
      write(
        'in.jsonl',
        ...all((n) => ({ custom_id: `q${n}`, method: 'POST', url: '/v1/chat/completions', body: body(n) })),
      ),
      write(
        'out.jsonl',
        ...all((n) => ({
          id: `b${n}`,
          custom_id: `q${n}`,
          response: { status_code: 200, body: response(n) },
          error: null,
        })),
      ),
    ],
  ],
  [
    'an export of Langfuse',
    () => [
      write(
        'langfuse.jsonl',
        ...all((n) => ({
          ...{ id: `o${n}`, traceId: 't', type: 'GENERATION', model: 'judge-1' },
          ...{ input: messages(n), output: { role: 'assistant', content: reply(n) } },
        })),
      ),
    ],
  ],
  [
    'a page of the API of Langfuse',
    () => [
      write('page.json', {
        data: all((n) => ({
          ...{ id: `o${n}`, traceId: 't', type: 'GENERATION', model: 'judge-1' },
          ...{ input: { messages: messages(n) }, output: reply(n) },
        })),
        meta: { page: 1 },
      }),
    ],
  ],
  [
    'spans with the attributes of today',
    () => [
      write(
        'spans.json',
        spans((n) => [
          text('gen_ai.request.model', 'judge-1'),
          text(
            'gen_ai.input.messages',
            JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: promptOf(n) }] }]),
          ),
          text(
            'gen_ai.output.messages',
            JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: reply(n) }] }]),
          ),
        ]),
      ),
    ],
  ],
  [
    'spans with an attribute for each message',
    () => [
      write(
        'old.json',
        spans((n) => [
          text('gen_ai.request.model', 'judge-1'),
          ...[text('gen_ai.prompt.0.role', 'user'), text('gen_ai.prompt.0.content', promptOf(n))],
          ...[text('gen_ai.completion.0.role', 'assistant'), text('gen_ai.completion.0.content', reply(n))],
        ]),
      ),
    ],
  ],
  [
    'spans of OpenInference',
    () => [
      write(
        'inference.jsonl',
        spans((n) => [
          text('llm.model_name', 'judge-1'),
          ...[
            text('llm.input_messages.0.message.role', 'user'),
            text('llm.input_messages.0.message.content', promptOf(n)),
          ],
          text('llm.output_messages.0.message.content', reply(n)),
        ]),
      ),
    ],
  ],
  [
    'spans of OpenInference, with messages in parts',
    () => [
      write(
        'parts.jsonl',
        spans((n) => [
          text('llm.input_messages.0.message.role', 'user'),
          ...promptOf(n)
            .split(/(?=\n\n\[Answer A\])/)
            .flatMap((part, k) => [
              text(`llm.input_messages.0.message.contents.${k}.message_content.type`, 'text'),
              text(`llm.input_messages.0.message.contents.${k}.message_content.text`, part),
            ]),
          text('llm.output_messages.0.message.contents.0.message_content.text', reply(n)),
        ]),
      ),
    ],
  ],
  [
    'a log of Inspect, with shared messages and attachments',
    () => [
      write('log.json', {
        version: 2,
        eval: { task: 't' },
        samples: all((n) => ({
          events: [
            { event: 'state' },
            {
              ...{ event: 'model', model: 'judge-1', input: [], input_refs: [[0, 1]] },
              output: { choices: [{ message: { role: 'assistant', content: reply(n) } }] },
            },
          ],
          attachments: { abc: promptOf(n) },
          events_data: { messages: [{ role: 'user', content: 'attachment://abc' }] },
        })),
      }),
    ],
  ],
];

test.each(LOGS)('every judge call is found in %s', async (_, paths) => {
  const found = await look(paths());
  expect(found).toMatchObject({
    calls: PAIRS,
    judgments: PAIRS,
    examinable: PAIRS,
    verdicts: PAIRS,
    left_alone: {},
  });
  expect(found.pipelines).toHaveLength(1);
  const firsts = all(reply).filter((said) => said === 'A').length;
  expect(found.pipelines[0].first_wins).toMatchObject({ n: PAIRS, share: firsts / PAIRS });
});

describe('asked again', () => {
  const path = write('asked.jsonl', ...all((n) => ({ body: body(n), response: response(n) })));
  const judged = (url: string, store: string) => [
    ...[path, '--judge', `judge-1@${url}`, '--store', join(folder, store)],
    ...['--sample', '100'],
  ];

  test('what rests on the place is what the judge was made to decide by it; logged replies are not paid for again', async () => {
    const upstream = await startJudge();
    const { sample } = await look(judged(upstream.url, 'whole.sqlite'));
    expect(sample).toMatchObject({
      asked: PAIRS,
      affected: AFFECTED,
      changed: CHANGED,
      unread: 0,
      failed: 0,
      not_asked: 0,
    });
    expect(sample.biases).toEqual({ position: AFFECTED });
    expect(sample.calls).toBe(upstream.calls);
    expect(sample.tokens).toEqual({ input: 100 * upstream.calls, output: upstream.calls });
    // Killed half-way, as far as calls go, and started again: nothing is paid for twice.
    const whole = upstream.calls;
    upstream.calls = 0;
    const part = await look([...judged(upstream.url, 'part.sqlite'), '--budget', '50', '--concurrency', '1']);
    expect(part.sample.not_asked).toBeGreaterThan(10);
    expect(part.sample.asked + part.sample.not_asked).toBe(PAIRS);
    expect(upstream.calls).toBe(50);
    const rest = await look(judged(upstream.url, 'part.sqlite'));
    expect(rest.sample).toMatchObject({ asked: PAIRS, affected: AFFECTED, changed: CHANGED });
    expect(upstream.calls).toBe(whole);
  });

  test('its verdicts rank whose texts they compare, once the place has cancelled out', async () => {
    const upstream = await startJudge();
    const named = write(
      'named.jsonl',
      ...all((n) => ({ body: body(n), response: response(n), contestants: n % 3 ? ['x', 'y'] : ['y', 'x'] })),
    );
    const ask = (...more: string[]) =>
      remand(['look', named, '--records', join(folder, 'said.jsonl'), ...more]);
    const judge = ['--judge', `judge-1@${upstream.url}`, '--store', join(folder, 'said.sqlite')];
    expect((await ask(...judge, '--json')).code).toBe(0);
    const said = readFileSync(join(folder, 'said.jsonl'), 'utf8').trimEnd().split('\n');
    expect(said).toHaveLength(2 * PAIRS);
    expect(JSON.parse(said[0] ?? '')).toMatchObject({
      ...{ item: `${named}:1`, judge: 'judge-1', order: 'given', contestants: ['y', 'x'] },
    });
    // As the judge said it, in both orders, whatever became of it when it was sent back.
    const choices = Map.groupBy(
      said.map((line) => JSON.parse(line)),
      ({ item }) => item,
    );
    const differ = [...choices.values()].filter(([given, swapped]) => given.choice !== swapped.choice);
    expect(differ).toHaveLength(AFFECTED);
    const ranked = await remand(['rank', '--records', join(folder, 'said.jsonl'), '--json']);
    expect(JSON.parse(ranked.out).ranking).toHaveLength(2);
    // Verdicts of another run are not lost; those of the log alone are of one order.
    expect((await ask()).err).toContain('of another run (other --judge)');
    expect((await ask('--overwrite')).err).toContain(`${PAIRS} verdicts: `);
  });

  test('a judge that errs by chance is not said to go by place', async () => {
    // Where it errs is drawn for each prompt, whatever the place.
    const noisy = (said: string) => {
      const [first = 0] = hash('sha1', said, 'buffer');
      const right = /\[Answer A\]\n.*\badze\b/.test(said) ? 'A' : 'B';
      return first < 64 ? (right === 'A' ? 'B' : 'A') : right;
    };
    const upstream = await startJudge(noisy);
    const noisyLog = write(
      'noisy.jsonl',
      ...all((n) => ({
        body: body(n),
        response: {
          choices: [
            {
              ...{ index: 0, finish_reason: 'stop' },
              message: { role: 'assistant', content: noisy(promptOf(n)) },
            },
          ],
        },
      })),
    );
    const words = [noisyLog, '--judge', `judge-1@${upstream.url}`, '--store', join(folder, 'noisy.sqlite')];
    const { orders, affected } = (await look(words)).sample;
    expect([orders.compared, orders.p > 0.05]).toEqual([PAIRS, true]);
    expect(Math.abs(orders.by_noise - affected)).toBeLessThan(PAIRS / 5);
    const { out } = await remand(['look', ...words]);
    expect(out).not.toContain('rest on what should not matter');
    expect(out).toContain(
      `in both orders, the verdict moved towards the first place in ${orders.first} and towards the last in ${orders.last} (p`,
    );
  });

  test('in words, with a price; a dry run asks nothing', async () => {
    const upstream = await startJudge();
    await look(judged(upstream.url, 'told.sqlite'));
    const costs = join(folder, 'prices.json');
    writeFileSync(costs, JSON.stringify({ 'judge-1': { input: 1000, output: 0 } }));
    const { out } = await remand(['look', ...judged(upstream.url, 'told.sqlite'), '--prices', costs]);
    expect(out).toContain(
      `Of ${PAIRS} verdicts ${AFFECTED} rest on what should not matter, ${CHANGED} would change; not everything could be tested: verbosity (below: in how many, and why).`,
    );
    expect(out).toMatch(
      /asked again +rest on a bias +biases +would change .* calls +tokens in +tokens out +cost\n.* position \d+ .* 0 +0 +0 +0\.00\n/,
    );
    upstream.calls = 0;
    const dry = await look([...judged(upstream.url, 'dry.sqlite'), '--prices', costs, '--dry-run']);
    expect(upstream.calls).toBe(0);
    expect(dry.calls).toBeGreaterThan(PAIRS);
    expect(dry.cost).toBeGreaterThan(0);
  });

  test('a request that only a template of the operator reads is examined, too', async () => {
    const upstream = await startJudge();
    const templates = join(folder, 'templates');
    expect(await remand(['read', path, `--learn=${templates}`])).toMatchObject({ code: 0 });
    const one = write('one.jsonl', { body: body(0), response: response(0) });
    const words = [
      one,
      '--judge',
      `judge-1@${upstream.url}`,
      '--store',
      join(folder, 'own.sqlite'),
      '--json',
    ];
    const { out } = await remand(['look', ...words], { JUDGE_API_KEY: 'k', REMAND_TEMPLATES: templates });
    expect(JSON.parse(out).sample).toMatchObject({ asked: 1, unread: 0, affected: 1 });
  });

  test('where the words around the slots name nothing, the judge is asked once for the template', async () => {
    const word = (n: number) => WORDS[n % WORDS.length] ?? '';
    const finnish = write(
      'suomi.jsonl',
      ...Array.from({ length: 8 }, (_, n) => ({
        ...{ model: 'judge-1', temperature: 0 },
        messages: [
          {
            role: 'user',
            content: `Kumpi on parempi?\n\nHaukka:\n${word(n)} ${n}, sanoisin.\n\nPöllö:\n${word(n + 5)} on ${word(n + 2)}.\n\nPäätä nyt.`,
          },
        ],
      })),
    );
    const named = {
      judgment: true,
      slots: [
        { slot: 1, role: 'option', label: 'Haukka' },
        { slot: 2, role: 'option', label: 'Pöllö' },
      ],
      verdict: { kind: 'choice', labels: ['ensin', 'sitten'] },
    };
    const upstream = await startUpstream((received, answer) => {
      const isAsked = received.body.toString().includes('"system"');
      const content = isAsked ? JSON.stringify(named) : 'ensin';
      answer.setHeader('content-type', 'application/json');
      answer.end(
        JSON.stringify({
          ...{ id: 'x', object: 'chat.completion', created: 1, model: 'judge-1' },
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        }),
      );
    });
    const words = (store: string, ...more: string[]) => [
      ...['look', finnish, '--judge', `judge-1@${upstream.url}`, '--store', join(folder, store), '--json'],
      ...more,
    ];
    const asked = await remand(words('suomi.sqlite'), { JUDGE_API_KEY: 'k' });
    expect(asked.err).toContain('was asked what stands in one template: 1 of 1 can be examined since');
    const { examinable, sample } = JSON.parse(asked.out);
    expect({ examinable, asked: sample.asked, position: sample.biases.position }).toEqual({
      ...{ examinable: 8, asked: 8, position: 8 },
    });
    expect(sample.calls).toBe(upstream.received.length);
    const without = await remand(words('ilman.sqlite', '--no-reader'), { JUDGE_API_KEY: 'k' });
    expect(JSON.parse(without.out).examinable).toBe(0);
    const dry = await remand(words('kuiva.sqlite', '--dry-run'), { JUDGE_API_KEY: 'k' });
    expect(dry.err).toContain('would be asked about one template;');
  });

  test('another judge is asked from the first verdict on', async () => {
    const upstream = await startJudge();
    const words = [
      path,
      '--judge',
      `judge-2@${upstream.url}`,
      '--store',
      join(folder, 'other.sqlite'),
      '--sample',
      '6',
    ];
    const { sample } = await look(words);
    expect(sample.asked).toBe(6);
    expect(upstream.calls).toBeGreaterThanOrEqual(12);
  });

  test('what could not be tested is told, with the reason', async () => {
    // For the longer answer, whichever place it has; a request to reword gets no text that could be used.
    const upstream = await startUpstream((received, answer) => {
      const { messages } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
      const [, a = '', b = ''] =
        /\[Answer A\]\n(.*)\n\n\[Answer B\]\n(.*)/.exec(messages[0]?.content ?? '') ?? [];
      answer.setHeader('content-type', 'application/json');
      const content = a.length > b.length ? 'A' : 'B';
      answer.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }));
    });
    const words = [
      ...[path, '--judge', `judge-2@${upstream.url}`, '--sample', '12'],
      ...['--store', join(folder, 'longer.sqlite')],
    ];
    const { sample } = await look(words);
    expect(sample).toMatchObject({ asked: 12, affected: 0, failed: 0 });
    expect(sample.untested).toEqual([
      { bias: 'verbosity', why: 'The reworded text could not be used.', count: expect.any(Number) },
    ]);
    const [{ count }] = sample.untested;
    expect(count).toBeGreaterThan(1);
    const { out } = await remand(['look', ...words]);
    expect(out).toContain(
      ', 0 would change; not everything could be tested: verbosity (below: in how many, and why).',
    );
    expect(out).toContain(`Not tested: verbosity in ${count} verdicts. The reworded text could not be used.`);
  });

  test('a judge that fails, or whose replies hold no verdict, is told with what it answered', async () => {
    const failing = await startUpstream((_, answer) => {
      answer.statusCode = 501;
      answer.end('{"error":{"message":"no such thing"}}');
    });
    const rambling = await startUpstream((_, answer) => {
      answer.setHeader('content-type', 'application/json');
      answer.end(
        JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'The moon.' } }] }),
      );
    });
    const errOf = async (url: string, store: string) => {
      const { code, err } = await remand(['look', ...judged(url, store)]);
      expect(code).toBe(1);
      return err;
    };
    expect(await errOf(failing.url, 'failing.sqlite')).toMatch(
      `${PAIRS} of ${PAIRS} judgments failed: the other order could not be judged: ${failing.url}/v1/chat/completions answered 501`,
    );
    expect(await errOf(rambling.url, 'rambling.sqlite')).toContain(
      'the other order holds no verdict: the reply names none of the options',
    );
  });
});

test('prompts that were judged before are told, and a log without pairs has no word of places', async () => {
  const pairs = all((n) => ({ body: body(n), response: response(n) }));
  const { out } = await remand(['look', write('twice.jsonl', ...pairs, ...pairs.slice(0, 7))]);
  expect(out).toContain('7 of them repeat a prompt that was judged before');
  expect(await look([write('once.jsonl', ...pairs)])).toMatchObject({ repeated: 0 });
  const graded = (n: number) => ({
    body: {
      model: 'judge-1',
      messages: [
        {
          role: 'user',
          content: `<question>\nWhat is ${n}?\n</question>\n<answer>\nIt is ${WORDS[n]}.\n</answer>\nRate the answer from 1 to 10. Reply with JSON: {"score": number}`,
        },
      ],
    },
    response: { choices: [{ index: 0, message: { role: 'assistant', content: '{"score": 7}' } }] },
  });
  const single = await remand(['look', write('graded.jsonl', ...[1, 2, 3, 4, 5].map(graded))]);
  expect(single.out).toContain('no choices');
  expect(single.out).not.toMatch(/first option wins far|without the effect of the place/);
});

test.each([
  ['are empty', '', 'stop'],
  ['refuse', "I'm sorry, but I can't help with that.", 'stop'],
  ['were cut short', 'Weighing both of them, it seems to me that', 'length'],
])('replies that %s say nothing against the others', async (_, content, finish) => {
  const isBad = (n: number) => n % 5 === 0;
  const bad = { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }] };
  const lines = all((n) => ({ body: body(n), response: isBad(n) ? bad : response(n) }));
  const path = write('some-bad.jsonl', ...lines);
  const read = PAIRS - PAIRS / 5;
  expect(await look([path])).toMatchObject({ examinable: PAIRS, verdicts: read, unread: PAIRS - read });
  const { out } = await remand(['look', path]);
  expect(out).toContain(`${PAIRS - read} of ${PAIRS} replies could not be read`);
});

test('prompts that a tool did not write down are told', async () => {
  const hidden = spans((n) => [
    text('llm.input_messages.0.message.role', 'user'),
    text('llm.output_messages.0.message.content', reply(n)),
  ]);
  const found = await look([write('hidden.jsonl', hidden, hidden)]);
  expect(found.missing).toEqual([`${2 * PAIRS} prompts: their messages have no text`]);
});

test('judges that were asked by one template are told apart', async () => {
  const first = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'A' }, finish_reason: 'stop' }],
  };
  const path = write(
    'judges.jsonl',
    ...all((n) => ({ body: body(n), response: response(n) })),
    ...all((n) => ({ body: { ...body(n), model: 'judge-2' }, response: first })),
  );
  const { pipelines, repeated } = await look([path]);
  expect(repeated).toBe(0);
  const share = all(reply).filter((said) => said === 'A').length / PAIRS;
  expect(pipelines).toMatchObject([
    { judge: 'judge-1', calls: PAIRS, first_wins: { share } },
    { judge: 'judge-2', calls: PAIRS, first_wins: { share: 1 } },
  ]);
  expect(pipelines[0].name).toBe(pipelines[1].name);
  expect((await remand(['look', path])).out).toMatch(/judge-1 [\s\S]* judge-2 /);
});

test('a log without replies is told from one whose replies choose nothing', async () => {
  const { out } = await remand(['look', write('unanswered.jsonl', ...all(body))]);
  expect(out).toContain('no reply in the log');
  expect(out).not.toContain('no choices');
});

test('graders whose prompts promptfoo does not keep are told', async () => {
  const component = (type: string, metadata: object) => ({
    ...{ pass: true, score: 0.8, reason: 'ok', assertion: { type, value: 'v' } },
    metadata,
  });
  const prompt = JSON.stringify([
    {
      role: 'system',
      content:
        'You grade output by a rubric. Reply with JSON: {reason: string, pass: boolean, score: number}',
    },
    { role: 'user', content: '<Output>\nA tool.\n</Output>\n<Rubric>\nnames a tool\n</Rubric>' },
  ]);
  const path = write('results.json', {
    evalId: 'e',
    results: {
      version: 3,
      results: [
        {
          gradingResult: {
            componentResults: [
              component('llm-rubric', { renderedGradingPrompt: prompt }),
              component('select-best', {}),
              component('equals', {}),
            ],
          },
        },
      ],
    },
  });
  const found = await look([path]);
  expect(found).toMatchObject({ calls: 1, judgments: 1, verdicts: 1 });
  expect(found.missing).toEqual(['1 verdicts of select-best: promptfoo does not write their prompts down']);
});

test('wrong input is named', async () => {
  const batch = (name: string) =>
    write(
      name,
      ...all((n) => ({ id: `b${n}`, custom_id: `q${n}`, response: { status_code: 200, body: response(n) } })),
    );
  const twice = await remand(['look', batch('out-1.jsonl'), batch('out-2.jsonl')]);
  expect(twice.err).toMatch(/out-2\.jsonl\S* replies to the custom_id "q0", and so does \S+out-1\.jsonl/);
  const refused = (words: readonly string[], message: string) =>
    expect(remand(['look', ...words])).resolves.toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    });
  await refused([], 'no file is named');
  await refused([write('none.json', [])], 'holds no model call');
  await refused([write('bad.eval', {})], 'is no log of Inspect');
  await refused([write('one.json', body(1)), '--dry-run'], '--dry-run: is for --judge');
  await refused([write('one.json', body(1)), '--judge', 'me'], '--judge');
  await refused([write('one.json', body(1)), '--limit', '5'], '--limit: is for langfuse:');
});

test.each([
  [['a', 'b', 'c'], 'contestants: there are 3 names, and the prompt has 2 options'],
  [['a', 'a'], 'contestants: "a" stands twice'],
  ['a', 'contestants: must be a list of two or more names'],
])('contestants that do not fit the prompt are refused, not ranked: %j', async (contestants, why) => {
  const content =
    "Which answer is better? Reply with [[A]] or [[B]].\n\n[User Question]\nWhy?\n\n[The Start of Assistant A's Answer]\nSo.\n[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\nNo.\n[The End of Assistant B's Answer]";
  const log = write('names.jsonl', {
    body: { model: 'm', messages: [{ role: 'user', content }] },
    contestants,
  });
  const told = await remand(['look', log, '--records', join(folder, `${files++}-named.jsonl`)]);
  expect(told.code).toBe(2);
  expect(told.err).toContain(why);
});

test('verdicts that are read and that records do not hold are told as such', async () => {
  const line = (question: string, answer: string, content: string) => ({
    body: {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: `<question>${question}</question>\n<response>${answer}</response>\nScore helpfulness and accuracy from 1 to 10 each. JSON: {"helpfulness": n, "accuracy": n}`,
        },
      ],
    },
    response: { choices: [{ message: { role: 'assistant', content } }] },
  });
  const log = write(
    'each.jsonl',
    line('What is an adze?', 'A tool to shape wood with.', '{"helpfulness": 3, "accuracy": 9}'),
    line('Who was Ada?', 'She wrote\nprograms.', '{"helpfulness": 4, "accuracy": 8}'),
    line('Why does it rust?', 'Iron and water meet.', '{"helpfulness": 7, "accuracy": 5}'),
    line('Where is Oslo?', 'In Norway, on a fjord.', '{"helpfulness": 9, "accuracy": 9}'),
  );
  const told = await remand(['look', log, '--records', join(folder, `${files++}-each.jsonl`)]);
  expect(told.out).toContain('Verdicts read in the log: 4');
  expect(told.err).toContain(
    'the 4 that were read are lists, one for each claim or criterion, and records hold none',
  );
  expect(told.err).not.toContain('none could be read');
});

test('by chance the first of three options wins a third of the time, and of two a half', async () => {
  const content = (names: readonly string[]) =>
    `Which answer is best? Reply with the name alone: ${names.map((name) => `[[${name}]]`).join(' or ')}.\n\n[User Question]\nWhy?\n\n${names
      .map(
        (name) =>
          `[The Start of Assistant ${name}'s Answer]\nSo ${name}.\n[The End of Assistant ${name}'s Answer]`,
      )
      .join('\n\n')}`;
  const line = (names: readonly string[], said: string) => ({
    body: { model: 'm', messages: [{ role: 'user', content: content(names) }] },
    response: { choices: [{ message: { role: 'assistant', content: `[[${said}]]` } }] },
  });
  const log = write('chance.jsonl', line(['A', 'B'], 'A'), line(['A', 'B'], 'B'), line(['A', 'B', 'C'], 'A'));
  const { pipelines } = JSON.parse((await remand(['look', log, '--json'])).out);
  const won = pipelines.flatMap((one: { first_wins: unknown }) => one.first_wins ?? []);
  expect(won).toEqual([
    { n: 3, share: 2 / 3, chance: (1 / 2 + 1 / 2 + 1 / 3) / 3, interval: expect.anything() },
  ]);
});
