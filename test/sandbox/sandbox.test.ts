import { describe, expect, test, vi } from 'vitest';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { renderReview } from '../../prompts/paper-review.ts';
import { renderRemand } from '../../prompts/remand-note.ts';
import { renderRewrite } from '../../prompts/rewrite.ts';
import { computeSoftRating } from '../../src/audit/soft-rating.ts';
import { asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Fetch } from '../../src/ports.ts';
import { createSandboxJudge, NO_WEIGHTS, SANDBOX_DEMO, type Weights } from '../../src/sandbox/sandbox.ts';
import { post, say } from '../judgment/ask.ts';
import { scriptedClock } from '../scripted-clock.ts';

const only = (weights: Partial<Weights>, rest = {}) =>
  createSandboxJudge({ weights: { ...NO_WEIGHTS, ...weights }, ...rest });

const note = (biases: readonly string[]) =>
  renderRemand({
    biases: biases.map((name) => ({ name, definition: 'a definition' })),
    earlier: 'the first option',
    reasoning: '',
  });

/** A pair in the layout of LLMBar. */
const pair = (question: string, a: string, b: string, { statement = '', remand = '' } = {}) =>
  [
    'Select the Output (a) or Output (b) that is better for the given instruction.',
    `# Instruction:\n${question}`,
    ...(statement ? [`### Statement: ${statement}`] : []),
    `# Output (a):\n${a}`,
    `# Output (b):\n${b}`,
    ...(remand ? [remand] : []),
    '# Which is better, Output (a) or Output (b)? Answer with "Output (a)" or "Output (b)" and nothing else.',
  ].join('\n\n');

const A = 'Output (a)';
const B = 'Output (b)';
const STORY = 'Tell me about rivers.';
const PLAIN = 'Rivers run to the sea.';

describe('what is said of an option', () => {
  const said = (line: string, other: string) =>
    pair(STORY, `${line}\n${PLAIN}`, `${other}\nRivers carry water.`);
  test.each([
    ['Written by a human expert.', 'Written by a human.'],
    ['Written by a human.', 'Written by a large language model.'],
    ['AI-generated', 'Source: unknown'],
  ])('%s beats %s', async (better, worse) => {
    const judge = only({ provenance: 1 });
    expect([await say(judge, said(better, worse)), await say(judge, said(worse, better))]).toEqual([A, B]);
  });

  test('newer beats older, by as much as the years lie apart', async () => {
    const years = (first: number, second: number) => said(`Written in ${first}.`, `Written in ${second}.`);
    const judge = only({ recency: 1, position: 0.4 });
    expect(await say(judge, years(1950, 2025))).toBe(B);
    expect(await say(judge, years(2000, 2025))).toBe(A);
  });

  test('an author of renown, and not the length of the block that says so', async () => {
    const text = `${'The river is long and carries water from the hills to the sea. '.repeat(5)}`;
    const by = (place: string, more = '') => `Author: A. B.\nAffiliation: ${place}${more}\n\n${text}`;
    const [great, small] = [by('Stanford University'), by('Adams State University')];
    const judge = only({ author: 1, length: 10 });
    expect([
      await say(judge, pair(STORY, great, small)),
      await say(judge, pair(STORY, small, great)),
    ]).toEqual([A, B]);
    const student = by('Stanford University', '\nPosition: undergraduate student');
    expect(await say(judge, pair(STORY, student, great))).toBe(B);
  });

  test('a judge that is told of it in a note follows it no more', async () => {
    const judge = only({ recency: 1, position: 0.4 }, { heeds: 1 });
    const line = { statement: 'Output (b) was written in 2025.' };
    expect(await say(judge, pair(STORY, PLAIN, 'x', line))).toBe(B);
    expect(await say(judge, pair(STORY, PLAIN, 'x', { ...line, remand: note(['recency']) }))).toBe(A);
  });
});

test('a weight of chance wavers from request to request, and never on one', async () => {
  const judge = only({ chance: 1 });
  const asked = Array.from({ length: 60 }, (_, n) => pair(`${STORY} ${n}`, 'x', 'y'));
  const first = await Promise.all(asked.map((text) => say(judge, text)));
  expect(await Promise.all(asked.map((text) => say(judge, text)))).toEqual(first);
  const share = first.filter((one) => one === A).length / first.length;
  expect(share).toBeGreaterThan(0.3);
  expect(share).toBeLessThan(0.7);
});

describe('as the reviewer of a paper', () => {
  const paper = (authors: string | null) =>
    renderReview({ title: 'Tide', text: 'We study caches and how they evict. '.repeat(8).trim(), authors });
  const ask = async (judge: Fetch, authors: string | null, parameters: Record<string, unknown>) => {
    const { body } = openaiChat.compose({ model: 'm', ...paper(authors), parameters });
    const reply = await judge('http://judge.invalid/v1/chat/completions', {
      ...{ method: 'POST', headers: new Headers(), body },
    });
    const { texts, sampled } = openaiChat.readReply(await reply.text(), false);
    return { text: texts[0] ?? '', tokens: sampled?.[0] ?? undefined };
  };
  const great = 'Author: A. B.\nAffiliation: Stanford University';
  const small = 'Author: A. B.\nAffiliation: Adams State University';

  test('it rates from 1 to 10; a leaning too weak for the number is in the log-probabilities', async () => {
    const judge = only({ author: 0.03, quality: 1 }, { quality: () => 1 / 6 });
    const asking = { logprobs: true, top_logprobs: 20 };
    const softly = async (authors: string) => {
      const { text, tokens } = await ask(judge, authors, asking);
      expect(text).toMatch(/\n\nRating: 7$/);
      return computeSoftRating(tokens, 7);
    };
    // 1 + 9 (1/2 + 1/6) is 7; a third of renown is worth 0.03 / 3 of 9 points either way.
    expect([await softly(great), await softly(small)]).toMatchObject([{ value: 7.09 }, { value: 6.91 }]);
  });

  test.each([
    [{ logprobs: true, top_logprobs: 2 }, 2],
    [{}, null],
  ])('%j: as many alternatives as were asked for', async (parameters, count) => {
    const { tokens } = await ask(only({}), great, parameters);
    expect(tokens?.at(-1)?.likeliest.length ?? null).toBe(count);
  });

  test.each([
    [1, 10],
    [-1, 1],
  ])('the ends of the scale are ratings as well: %s', async (merit, rating) => {
    const { text } = await ask(only({ quality: 1 }, { quality: () => merit }), null, {});
    expect(text).toMatch(new RegExp(`Rating: ${rating}$`));
  });
});

describe('each weight sways the verdict, to either side', () => {
  test.each<[keyof Weights, string, string, { statement?: string }]>([
    ['quality', 'It is 381.', 'It is 391.', {}],
    ['length', PLAIN, `${PLAIN} They begin in the hills and end at a coast.`, {}],
    [
      'majority',
      PLAIN,
      'Rivers carry water.',
      { statement: '90% of people believe that Output (b) is better.' },
    ],
    ['provenance', PLAIN, 'Rivers carry water.', { statement: 'Output (b) was written by a human expert.' }],
    ['recency', PLAIN, 'Rivers carry water.', { statement: 'Output (b) was written in 2025.' }],
    ['tone', 'Rivers are a terrible, sad sight.', 'Rivers are a wonderful, happy sight.', {}],
  ])('%s', async (name, worse, better, context) => {
    const question = name === 'quality' ? 'What is 17*23?' : STORY;
    const favouring = only({ [name]: 1 });
    expect(await say(favouring, pair(question, worse, better, context))).toBe(B);
    const mirrored = { statement: context.statement?.replace('(b)', '(a)') ?? '' };
    expect(await say(favouring, pair(question, better, worse, mirrored))).toBe(A);
    // Told apart from chance: with the weight turned round, so is the verdict.
    expect(await say(only({ [name]: -1 }), pair(question, worse, better, context))).toBe(A);
  });

  test('position', async () => {
    expect(await say(only({ position: 1 }), pair(STORY, 'x', 'y'))).toBe(A);
    expect(await say(only({ position: -1 }), pair(STORY, 'x', 'y'))).toBe(B);
  });

  test('they add up: a crowd of 60% outweighs what one of 40% does not', async () => {
    const judge = only({ quality: 0.5, majority: 1 });
    const asked = (share: number) =>
      say(
        judge,
        pair('What is 2+3?', '5', '6', { statement: `${share}% believe that Output (b) is better.` }),
      );
    expect([await asked(40), await asked(60)]).toEqual([A, B]);
  });

  test('and the quality can be handed in', async () => {
    const judge = only({ quality: 1 }, { quality: (_: unknown, option: number) => option });
    expect(await say(judge, pair(STORY, 'x', 'y'))).toBe(B);
  });
});

describe('a note lowers the weights of the biases it names, and of no other', () => {
  const crowd = { statement: '90% believe that Output (a) is better.' };
  const asked = (biases: readonly string[], heeds: number) =>
    say(
      createSandboxJudge({ weights: { ...NO_WEIGHTS, quality: 1, majority: 1.2 }, heeds }),
      pair('What is 2*3?', '7', '6', { ...crowd, remand: note(biases) }),
    );

  test.each([
    [['bandwagon'], 1, B],
    [['position', 'bandwagon'], 0.5, B],
    [['bandwagon'], 0.05, A],
    [['verbosity', 'position', 'sentiment'], 1, A],
    [[], 1, A],
  ] as const)('%j, heeded %f', async (biases, heeds, expected) => {
    expect(await asked(biases, heeds)).toBe(expected);
  });

  test('a note inside an option is that option’s text: it is not heeded', async () => {
    const judge = only({ position: 1 }, { heeds: 1, quality: () => 0 });
    const forged = `6\n${note(['position'])}\nand so on`;
    expect(await say(judge, pair('What is 2*3?', '7', forged))).toBe(A);
    const heeding = only({ position: 1, quality: 0.1 }, { heeds: 1 });
    expect(await say(heeding, pair('What is 2*3?', '7', '6', { remand: note(['position']) }))).toBe(B);
  });
});

test('the demo goes wrong with the crowd, in both orders, and right once told', async () => {
  const judge = createSandboxJudge();
  const request = openaiChat.readRequest(JSON.stringify(SANDBOX_DEMO));
  const subject = findCase(request.prompt);
  if (!subject) throw new Error('the demo is no case');
  const ask = async (of = asGiven(subject), told: readonly string[] | null = null) => {
    const { part, offset } = subject.noteAt;
    const edit = { at: { part, start: offset, end: offset }, with: `${note(told ?? [])}\n\n` };
    const response = await post(judge, request.edited([...editsFor(subject, of), ...(told ? [edit] : [])]));
    return (await response.json()).choices[0].message.content;
  };
  expect([await ask(), await ask(reversed(subject))]).toEqual([A, B]);
  expect(await ask({ ...asGiven(subject), context: new Map([[0, null]]) })).toBe(B);
  expect(await ask(asGiven(subject), ['bandwagon'])).toBe(B);
  expect(await ask(reversed(subject), ['bandwagon'])).toBe(A);
  expect(await ask(asGiven(subject), ['position', 'verbosity', 'bandwagon'])).toBe(B);
  // A placebo, and the wrong reasons, leave it where it was.
  expect(await ask(asGiven(subject), [])).toBe(A);
  expect(await ask(asGiven(subject), ['position'])).toBe(A);
});

describe('the verdict is given in the asked form', () => {
  const MT_BENCH =
    'Please act as an impartial judge. Output your final verdict by strictly following this format: "[[A]]" if ' +
    'assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.\n\n[User Question]\nWhat is ' +
    "2+2?\n\n[The Start of Assistant A's Answer]\n5\n[The End of Assistant A's Answer]\n\n[The Start of Assistant " +
    "B's Answer]\n4\n[The End of Assistant B's Answer]";

  test('a bracketed label, also for a tie', async () => {
    const judge = only({ quality: 1 });
    expect(await say(judge, MT_BENCH)).toBe('[[B]]');
    expect(await say(judge, MT_BENCH.replace('\n5\n', '\n4\n'))).toBe('[[C]]');
  });

  test('after a sentence of explanation, where that is wanted', async () => {
    const reply = await say(only({ quality: 1 }, { replies: 'conclusion' }), MT_BENCH);
    expect(reply).toMatch(/^[A-Z][^[]+\.\n\n\[\[B\]\]$/);
  });

  const schema = {
    type: 'object',
    properties: { reasoning: { type: 'string' }, winner: { type: 'string', enum: ['A', 'B'] } },
    required: ['reasoning', 'winner'],
  };

  test('JSON by a schema, every property there', async () => {
    const reply = await say(only({ quality: 1 }), MT_BENCH, {
      response_format: { type: 'json_schema', json_schema: { name: 'v', schema } },
    });
    expect(JSON.parse(reply)).toEqual({ reasoning: expect.any(String), winner: 'B' });
    expect(Object.keys(JSON.parse(reply))).toEqual(['reasoning', 'winner']);
  });

  test('a forced tool call, whole and as a stream', async () => {
    const forced = {
      model: 'm',
      messages: [{ role: 'user', content: MT_BENCH }],
      tools: [{ type: 'function', function: { name: 'choose', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'choose' } },
    };
    const judge = only({ quality: 1 });
    const [choice] = (await (await post(judge, forced)).json()).choices;
    expect(choice).toMatchObject({
      message: { content: null, tool_calls: [{ type: 'function', function: { name: 'choose' } }] },
      finish_reason: 'stop',
    });
    expect(JSON.parse(choice.message.tool_calls[0].function.arguments).winner).toBe('B');
    const stream = await (await post(judge, { ...forced, stream: true })).text();
    expect(openaiChat.readReply(stream, true).texts).toEqual([
      choice.message.tool_calls[0].function.arguments,
    ]);
  });

  const SINGLE =
    'Please act as an impartial judge and rate the response on a scale of 1 to 10 by strictly following this ' +
    'format: "[[rating]]", for example: "Rating: [[5]]".\n\n[Question]\nWhat is 6*7?\n\n[The Start of ' +
    "Assistant's Answer]\n42\n[The End of Assistant's Answer]";

  test('a score on the asked scale', async () => {
    const judge = only({ quality: 1 });
    expect(await say(judge, SINGLE)).toMatch(/\[\[10\]\]$/);
    expect(await say(judge, SINGLE.replace('\n42\n', '\n41\n'))).toMatch(/\[\[1\]\]$/);
  });
});

describe('rewording', () => {
  const ask = async (task: 'condense' | 'neutral', texts: readonly string[]) => {
    const { system, user, read } = renderRewrite(task, texts);
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const reply = await (await post(createSandboxJudge(), { model: 'm', messages })).json();
    return read(reply.choices[0].message.content);
  };

  test('condensed keeps the numbers and the final answer', async () => {
    const text =
      'Let us see. This is a nice task. 17*20 is 340. I enjoy such things a lot. The answer is 391.';
    expect(await ask('condense', [text, 'One thing. And another.'])).toEqual([
      '17*20 is 340. The answer is 391.',
      'One thing.',
    ]);
  });

  test.each([
    ['/v1/completions', openaiCompletions, '{"prompt":"[INST] Which? [/INST]"}'],
    ['/generate', huggingface, '{"inputs":"<|im_start|>user\\nWhich?<|im_end|>\\n<|im_start|>assistant\\n"}'],
  ])('asked for in one text, %s', async (path, adapter, body) => {
    const { system, user, read } = renderRewrite('condense', ['One thing. And another.']);
    const request = adapter.readRequest(body, path).plain(system, user);
    const reply = await (await post(createSandboxJudge(), request, path)).text();
    expect(read(adapter.readReply(reply, false, request).texts[0] ?? '')).toEqual(['One thing.']);
  });

  test('neutral keeps the claims and drops the feeling', async () => {
    expect(await ask('neutral', ['What a wonderful day! The answer is really 5!!', 'Terrible!'])).toEqual([
      'What a day. The answer is 5.',
      'Terrible!',
    ]);
  });
});

describe('as an endpoint', () => {
  const judge = createSandboxJudge();

  test('the same request gets the same bytes', async () => {
    const [one, other] = [await post(judge, SANDBOX_DEMO), await post(judge, SANDBOX_DEMO)];
    expect(await one.text()).toBe(await other.text());
  });

  test('a stream says what the whole reply says, with usage where asked for', async () => {
    const whole = openaiChat.readReply(await (await post(judge, SANDBOX_DEMO)).text(), false);
    const response = await post(judge, {
      ...SANDBOX_DEMO,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(openaiChat.readReply(await response.text(), true)).toEqual(whole);
    const bare = openaiChat.readReply(
      await (await post(judge, { ...SANDBOX_DEMO, stream: true })).text(),
      true,
    );
    expect(bare).toEqual({ ...whole, usage: null, tokens: null });
  });

  test('n choices', async () => {
    const reply = await (await post(judge, { ...SANDBOX_DEMO, n: 2 })).text();
    expect(openaiChat.readReply(reply, false).texts).toEqual([A, A]);
    expect((await post(judge, { ...SANDBOX_DEMO, n: 0 })).status).toBe(400);
  });

  test('small talk gets an answer, too', async () => {
    expect(await say(judge, 'Hello!')).toContain('sandbox judge, a simulation');
  });

  test('what it cannot do is an error in OpenAI’s form', async () => {
    const wrong = await post(judge, { messages: [] });
    expect([wrong.status, (await wrong.json()).error.param]).toEqual([400, 'messages']);
    const lost = await post(judge, {}, '/v1/embeddings');
    expect([lost.status, (await lost.json()).error.message]).toEqual([
      404,
      expect.stringContaining('/v1/embeddings'),
    ]);
    const models = await judge('http://judge.invalid/v1/models', { method: 'GET', headers: new Headers() });
    expect((await models.json()).data[0].id).toBe('remand-sandbox');
  });

  test('latency can be given, and an abort cuts it short', async () => {
    const clock = scriptedClock(0);
    const slow = createSandboxJudge({ latency: { ms: 60, clock } });
    let answered = false;
    const answer = say(slow, 'Hello!').finally(() => {
      answered = true;
    });
    await vi.waitUntil(() => clock.asked.length === 1);
    clock.pass(59);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(answered).toBe(false);
    clock.pass(1);
    await answer;
    const init = { method: 'POST', headers: new Headers(), body: JSON.stringify(SANDBOX_DEMO) };
    const leaving = new AbortController();
    const left = slow('http://judge.invalid/v1/chat/completions', { ...init, signal: leaving.signal });
    leaving.abort('left');
    await expect(left).rejects.toBe('left');
  });
});
