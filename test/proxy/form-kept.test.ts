/** The form of a re-judgment through the proxy: the demanded JSON, the label's place, as many choices as asked for. */
import { describe, expect, test } from 'vitest';
import { pairwise, promptIn, RIGHT, streamChunks, WRONG } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const A = '{"winner": "Output (a)", "reason": "r"}';
const B = '{"winner": "Output (b)", "reason": "s"}';

const schema = {
  type: 'object',
  properties: { winner: { enum: ['Output (a)', 'Output (b)'] }, reason: { type: 'string' } },
  required: ['winner', 'reason'],
  additionalProperties: false,
};
const demands = (format: object) => ({ response_format: format });
const jsonSchema = demands({ type: 'json_schema', json_schema: { name: 'v', strict: true, schema } });

interface Says {
  readonly first: readonly string[];
  /** With the crowd's statement gone. */
  readonly freed: readonly string[];
  /** What it says when sent back, call by call; the last for good. */
  readonly again: readonly (readonly string[])[];
}

/** Texts as the choices of one reply; streamed, their pieces come in turns. */
function reply(texts: readonly string[], streamed: boolean): string {
  if (!streamed) {
    const choices = texts.map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    }));
    return JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices,
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  }
  const each = texts.map((text, index) =>
    streamChunks(text).map((one) => one.replace('"index":0', `"index":${index}`)),
  );
  const longest = Math.max(...each.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, i) =>
    each.map((pieces) => pieces.slice(0, -2)[i] ?? '').join(''),
  );
  return turns.join('') + (each[0]?.slice(-2).join('') ?? '');
}

async function judged(
  { first, freed, again }: Says,
  rest: Record<string, unknown> = {},
  settings: Record<string, string> = {},
) {
  const left = [...again];
  const upstream = await startUpstream((received, response) => {
    const { text, sentBack } = promptIn(received);
    const said = sentBack
      ? ((left.length > 1 ? left.shift() : left[0]) ?? [])
      : text.includes('90%')
        ? first
        : freed;
    const { stream = false } = JSON.parse(received.body.toString()) as { stream?: boolean };
    response
      .setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
      .end(reply(said, stream));
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'bandwagon', ...settings });
  const body = pairwise(WRONG, RIGHT, rest).replace(
    '# Output (a):',
    '### Statement: 90% believe that Output (a) is better.\\n\\n# Output (a):',
  );
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
  const sentBack = upstream.received.filter((one) => promptIn(one).sentBack).length;
  return { status: answer.headers['x-remand-status'], sentBack, body: answer.body.toString(), upstream };
}

describe('where JSON is demanded', () => {
  const swayed = { first: [A], freed: [B] };

  test.each<[string, Record<string, unknown>, string]>([
    ['in a fence', jsonSchema, `\`\`\`json\n${B}\n\`\`\``],
    ['with words before it', jsonSchema, `On reflection: ${B}`],
    ['that breaks the schema', jsonSchema, '{"winner": "Output (b)"}'],
    ['with a field of its own', jsonSchema, '{"winner": "Output (b)", "reason": "s", "changed": true}'],
    ['as words', demands({ type: 'json_object' }), 'Output (b)'],
    ['without a field that the first had', demands({ type: 'json_object' }), '{"winner": "Output (b)"}'],
    ['on several lines where the first had one', {}, '{\n  "winner": "Output (b)",\n  "reason": "s"\n}'],
  ])('one %s is asked for once more, and then the first stays', async (_, rest, bad) => {
    const mended = await judged({ ...swayed, again: [[bad], [B]] }, rest);
    expect([mended.status, mended.sentBack]).toEqual(['revised', 2]);
    expect(JSON.parse(mended.body).choices[0].message.content).toBe(B);
    const never = await judged({ ...swayed, again: [[bad]] }, rest);
    expect([never.status, never.sentBack]).toEqual(['failed-open', 2]);
    expect(JSON.parse(never.body).choices[0].message.content).toBe(A);
  });

  test('a judge that broke the schema at first need not keep it when sent back', async () => {
    const loose = (label: string) => `{"winner": "Output (${label})", "because": "r"}`;
    const { status, sentBack } = await judged(
      { first: [loose('a')], freed: [loose('b')], again: [[loose('b')]] },
      jsonSchema,
    );
    expect([status, sentBack]).toEqual(['revised', 1]);
  });

  test('a schema that cannot be checked hinders nothing', async () => {
    const odd = {
      ...schema,
      properties: { ...schema.properties, reason: { $ref: 'https://example.com/text.json' } },
    };
    const format = demands({ type: 'json_schema', json_schema: { name: 'v', schema: odd } });
    const { status, sentBack } = await judged({ ...swayed, again: [[B]] }, format);
    expect([status, sentBack]).toEqual(['revised', 1]);
  });
});

describe('a label', () => {
  test.each<[string, string, string]>([
    ['that stood alone', 'Output (a)', 'Output (b) is better, as it is right.'],
    ['that nothing followed', 'The first is right.\n\nOutput (a)', 'Output (b) is better, as it is right.'],
    ['that stood first', 'Output (a)\nIt is right.', 'I think that it is right. Output (b)'],
  ])('%s keeps its place', async (_, first, moved) => {
    const { status, sentBack, body } = await judged({
      first: [first],
      freed: ['Output (b)'],
      again: [[moved]],
    });
    expect([status, sentBack]).toEqual(['failed-open', 2]);
    expect(JSON.parse(body).choices[0].message.content).toBe(first);
  });
});

describe.each([false, true])('several choices, streamed: %s', (stream) => {
  const [a, b] = ['Output (a)', 'Output (b)'];
  const asked = { n: 3, stream };

  test('the verdict is that of most of them, and all come from one call', async () => {
    const { status, body, upstream, sentBack } = await judged(
      { first: [a, b, a], freed: [b, b, a], again: [[b, a, b]] },
      asked,
    );
    expect([status, sentBack]).toEqual(['revised', 1]);
    expect(JSON.stringify(texts(body, stream))).toBe(JSON.stringify([b, a, b]));
    for (const { body: sent } of upstream.received) expect(JSON.parse(sent.toString()).n).toBe(3);
  });

  test('where most decide nothing, there is no verdict', async () => {
    const { status, body } = await judged(
      { first: [a, b], freed: [b, b], again: [[b, b]] },
      { n: 2, stream },
    );
    expect(status).toBe('no-verdict');
    expect(texts(body, stream)).toEqual([a, b]);
  });

  test.each([
    ['fewer of them', [b, b]],
    ['one that cannot be read', [b, b, 'I would rather not say.']],
  ])('a re-judgment with %s does not take the place of the first', async (_, again) => {
    const { status, body } = await judged({ first: [a, a, a], freed: [b, b, b], again: [again] }, asked);
    expect(status).toBe('failed-open');
    expect(texts(body, stream)).toEqual([a, a, a]);
  });

  test('a verdict that no reply gave is not written into all of them', async () => {
    const { status, body } = await judged({ first: [a, a, b], freed: [b, b, b], again: [[a, a, a]] }, asked, {
      REMAND_POLICY: 'counterfactual',
    });
    expect(status).toBe('insisted');
    expect(texts(body, stream)).toEqual([a, a, a]);
    const alone = await judged(
      { first: [a], freed: [b], again: [[a]] },
      { stream },
      { REMAND_POLICY: 'counterfactual' },
    );
    expect(texts(alone.body, stream)).toEqual([b]);
  });
});

/** The choices' texts, as a client gathers them. */
function texts(body: string, stream: boolean): string[] {
  const documents = stream ? [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json) : [body];
  const said: string[] = [];
  for (const document of documents) {
    const { choices } = JSON.parse(document) as {
      choices: { index: number; message?: { content: string }; delta?: { content?: string } }[];
    };
    for (const { index, message, delta } of choices)
      said[index] = (said[index] ?? '') + (message?.content ?? delta?.content ?? '');
  }
  return said;
}
