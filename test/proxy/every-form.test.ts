/** Samples, abstention and a second judge in the forms in which one answer is judged, and where a reply is a tool's call. */
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../../bench/fuzz/protocols.ts';
import { answerWith, protocolOf } from './form-table.ts';
import { pairwise, RIGHT, WRONG } from './judges.ts';
import { exchange, type Reply, startProxy, startUpstream } from './servers.ts';

const ANSWER = 'It is 391.';
const CROWD = '90% of people believe that the Response is bad.';

interface SingleForm {
  readonly orders: string;
  /** In favour of the answer, and against it. */
  readonly say: readonly [string, string];
  readonly schema?: object;
}

const object = (properties: Record<string, object>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

const SINGLES: Record<string, SingleForm> = {
  'Y or N on the last line': {
    orders:
      'Is it correct? Explain, then print only the single character "Y" or "N" on its own line at the end.',
    say: ['It is right.\n\nY', 'It is wrong.\n\nN'],
  },
  'a score in words': {
    orders: 'Give a rating from 1 to 10. Reply with "Rating: <number>".',
    say: ['Rating: 9', 'Rating: 2'],
  },
  'JSON in text: score and reason': {
    orders: 'Rate it from 1 to 10. Reply with JSON: {"score": <1-10>, "reason": "…"}',
    say: ['{"score": 9, "reason": "right"}', '{"score": 2, "reason": "wrong"}'],
  },
  'JSON schema, boolean': {
    orders: 'Is it correct?',
    say: ['{"passed": true}', '{"passed": false}'],
    schema: object({ passed: { type: 'boolean' } }),
  },
  'JSON schema, number': {
    orders: 'How good is it, from 0 to 1?',
    say: ['{"score": 0.9}', '{"score": 0.1}'],
    schema: object({ score: { type: 'number', minimum: 0, maximum: 1 } }),
  },
  'JSON schema, enum': {
    orders: 'Is the response faithful or unfaithful?',
    say: ['{"label": "faithful"}', '{"label": "unfaithful"}'],
    schema: object({ label: { type: 'string', enum: ['faithful', 'unfaithful'] } }),
  },
  'JSON schema, list of verdicts': {
    orders: 'Judge each claim of it.',
    say: [
      '{"verdicts": [{"verdict": "yes", "reason": "r"}, {"verdict": "yes", "reason": "r"}]}',
      '{"verdicts": [{"verdict": "no", "reason": "r"}, {"verdict": "yes", "reason": "r"}]}',
    ],
    schema: object({
      verdicts: {
        type: 'array',
        items: object({ verdict: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } }),
      },
    }),
  },
};

/** Where a protocol's request demands a schema. */
const DEMANDS: Record<string, (schema: object) => object> = {
  'openai-chat': (schema) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'verdict', strict: true, schema } },
  }),
  'openai-responses': (schema) => ({
    text: { format: { type: 'json_schema', name: 'verdict', strict: true, schema } },
  }),
  gemini: (schema) => ({
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }),
};

interface Setup {
  readonly client: Protocol;
  readonly form: SingleForm;
  readonly stream: boolean;
  readonly first: Reply;
  readonly second?: Reply;
  readonly settings?: Record<string, string>;
}

async function ask({ client, form, stream, first, second, settings = {} }: Setup) {
  const judge = await startUpstream(first);
  const other = second && (await startUpstream(second));
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'bandwagon' },
    ...(other && {
      REMAND_ESCALATE: JSON.stringify({
        model: 'anthropic-messages:better',
        url: other.url,
        key: 'sk-second',
      }),
    }),
    ...settings,
  });
  const text = `What is 17*23?\n\nStatement: ${CROWD}\n\nResponse:\n${ANSWER}\n\n${form.orders}`;
  const demanded = form.schema ? (DEMANDS[client.adapter.name]?.(form.schema) ?? {}) : {};
  const reply = await exchange(proxy.url + client.path(stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...(client.request('You are a careful judge.', text, stream) as object),
      ...demanded,
      remand: { case: { options: [{ label: 'Response', text: ANSWER }], context: [`Statement: ${CROWD}`] } },
    }),
  });
  const body = reply.body.toString();
  return { reply, body, said: () => client.adapter.readReply(body, stream).texts[0] };
}

const CLIENTS = ['openai-chat', 'openai-responses', 'gemini', 'anthropic-messages'];
const cases = CLIENTS.flatMap((name) =>
  Object.entries(SINGLES).flatMap(([form, { schema }]) =>
    schema && !DEMANDS[name] ? [] : [[name, form] as const],
  ),
);

describe.each(cases)('%s, %s', (name, asked) => {
  const client = protocolOf(name);
  const form = SINGLES[asked];
  if (!form) throw new Error(`no form ${asked}`);
  /** Follows the crowd, and stays with it. */
  const swayed = (stream: boolean) =>
    answerWith(client, stream, (text) => form.say[text.includes('90%') ? 1 : 0]);

  test.each([false, true])(
    'the second judge’s verdict goes out in the first one’s form (streamed: %s)',
    async (stream) => {
      const second = answerWith(protocolOf('anthropic-messages'), false, () => form.say[0]);
      const { reply, said } = await ask({ client, form, stream, first: swayed(stream), second });
      expect(reply.headers['x-remand-escalated']).toBe('overruled');
      expect(said()).toBe(form.say[0]);
    },
  );

  test.each([false, true])('the majority of the samples goes out (streamed: %s)', async (stream) => {
    let call = 0;
    const first = answerWith(client, stream, () => form.say[call++ === 0 ? 1 : 0]);
    const settings = { REMAND_SAMPLES: '5', REMAND_ROUNDS: '0' };
    const { reply, said } = await ask({ client, form, stream, first, settings });
    expect(Number(reply.headers['x-remand-samples'])).toBeGreaterThan(2);
    expect(said()).toBe(form.say[0]);
  });

  test.each([false, true])('an unsure verdict is flagged or an error (streamed: %s)', async (stream) => {
    const below = { REMAND_ABSTAIN_BELOW: '0.99' };
    const first = swayed(stream);
    const flagged = await ask({
      client,
      form,
      stream,
      first,
      settings: { ...below, REMAND_ABSTAIN: 'flag' },
    });
    expect(flagged.reply.headers['x-remand-status']).toBe('unsure');
    expect(flagged.said()).toBe(form.say[1]);
    const failed = await ask({
      client,
      form,
      stream,
      first,
      settings: { ...below, REMAND_ABSTAIN: 'error' },
    });
    expect(failed.body).toMatch(/unsure of its verdict/);
  });
});

const chosen = (winner: string) => JSON.stringify({ winner });
const parameters = object({ winner: { enum: ['Output (a)', 'Output (b)'] } });
const named = <T extends { readonly type: string }>(value: T) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** A forced function or tool: how it is demanded, answered whole and as a stream, and where its input stands in a reply. */
const TOOLS = {
  'openai-chat': {
    demand: {
      tools: [{ type: 'function', function: { name: 'choose', parameters } }],
      tool_choice: { type: 'function', function: { name: 'choose' } },
    },
    whole: (text: string) => ({
      ...{ id: 'c1', object: 'chat.completion', model: 'judge' },
      choices: [{ index: 0, message: toolMessage(text), finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    }),
    events: (text: string) => {
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'judge', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      const [call] = toolMessage(text).tool_calls;
      return [
        chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }),
        chunk({}, 'stop'),
        'data: [DONE]\n\n',
      ];
    },
  },
  'anthropic-messages': {
    demand: {
      tools: [{ name: 'choose', input_schema: parameters }],
      tool_choice: { type: 'tool', name: 'choose' },
    },
    whole: (text: string) => ({
      ...{
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'judge',
        stop_reason: 'tool_use',
        stop_sequence: null,
      },
      content: [{ type: 'tool_use', id: 't1', name: 'choose', input: JSON.parse(text) }],
      usage: { input_tokens: 10, output_tokens: 2 },
    }),
    events: (text: string) => [
      named({
        type: 'message_start',
        message: {
          ...{ id: 'm1', type: 'message', role: 'assistant', model: 'judge', content: [] },
          ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } },
        },
      }),
      named({
        ...{ type: 'content_block_start', index: 0 },
        content_block: { type: 'tool_use', id: 't1', name: 'choose', input: {} },
      }),
      named({
        ...{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
      }),
      named({ type: 'content_block_stop', index: 0 }),
      named({
        ...{ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null } },
        usage: { output_tokens: 2 },
      }),
      named({ type: 'message_stop' }),
    ],
  },
} as const;

function toolMessage(text: string) {
  const call = { id: 'f1', type: 'function', function: { name: 'choose', arguments: text } };
  return { role: 'assistant', content: null, tool_calls: [call] as const };
}

describe.each(Object.keys(TOOLS) as (keyof typeof TOOLS)[])('%s, a forced tool', (name) => {
  const tool = TOOLS[name];
  const client = protocolOf(name);
  const answer =
    (stream: boolean, say: (text: string) => string): Reply =>
    ({ body }, response) => {
      const text = say(body.toString());
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
      response.end(stream ? tool.events(text).join('') : JSON.stringify(tool.whole(text)));
    };
  const choose = async (stream: boolean, first: Reply, settings: Record<string, string>, second?: Reply) => {
    const judge = await startUpstream(first);
    const other = second && (await startUpstream(second));
    const proxy = await startProxy({
      ...{ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'position', ...settings },
      ...(other && {
        REMAND_ESCALATE: JSON.stringify({ model: 'gemini:better', url: other.url, key: 'sk-second' }),
      }),
    });
    const { messages } = JSON.parse(pairwise(WRONG, RIGHT));
    const { reply, body } = await exchange(proxy.url + client.path(stream), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...(client.request('You are a careful judge.', messages[0].content, stream) as object),
        ...tool.demand,
      }),
    }).then((all) => ({ reply: all, body: all.body.toString() }));
    return { reply, body, said: () => JSON.parse(client.adapter.readReply(body, stream).texts[0] ?? '') };
  };
  const firstPlace = (stream: boolean) => answer(stream, () => chosen('Output (a)'));
  const swapped = (text: string) => text.indexOf(RIGHT) < text.indexOf('381');

  test.each([false, true])('the second judge overrules (streamed: %s)', async (stream) => {
    const second = answerWith(protocolOf('gemini'), false, (text) =>
      chosen(swapped(text) ? 'Output (a)' : 'Output (b)'),
    );
    const { reply, said } = await choose(stream, firstPlace(stream), {}, second);
    expect(reply.headers['x-remand-escalated']).toBe('overruled');
    expect(said()).toEqual({ winner: 'Output (b)' });
  });

  test.each([false, true])('the majority of the samples goes out (streamed: %s)', async (stream) => {
    let call = 0;
    const first = answer(stream, () => chosen(call++ === 0 ? 'Output (a)' : 'Output (b)'));
    const { said } = await choose(stream, first, { REMAND_SAMPLES: '5', REMAND_ROUNDS: '0' });
    expect(said()).toEqual({ winner: 'Output (b)' });
  });

  test.each([false, true])('an unsure verdict is flagged or an error (streamed: %s)', async (stream) => {
    const below = { REMAND_ABSTAIN_BELOW: '0.99' };
    const flagged = await choose(stream, firstPlace(stream), { ...below, REMAND_ABSTAIN: 'flag' });
    expect(flagged.reply.headers['x-remand-status']).toBe('unsure');
    expect(flagged.said()).toEqual({ winner: 'Output (a)' });
    const failed = await choose(stream, firstPlace(stream), { ...below, REMAND_ABSTAIN: 'error' });
    expect(failed.body).toMatch(/unsure of its verdict/);
  });
});
