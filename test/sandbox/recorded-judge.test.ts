import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import { renderRemand } from '../../prompts/remand-note.ts';
import { InputError } from '../../src/errors.ts';
import { loadRecords } from '../../src/sandbox/node.ts';
import { createRecordedJudge, createRecords, parseRecordedUrl } from '../../src/sandbox/recorded-judge.ts';
import { expectLinear } from '../cost.ts';
import { post, say } from '../judgment/ask.ts';

const item = (id: string, instruction: string, output_1: string, output_2: string) => ({
  id,
  instruction,
  output_1,
  output_2,
});

const prompt = (instruction: string, a: string, b: string, { before = '', after = '' } = {}) =>
  `${before}Which output is better? 1. Be honest. 5. Be brief.\n\n# Instruction:\n${instruction}\n\n` +
  `# Output (a):\n${a}\n\n# Output (b):\n${b}\n\n${after}# Which is better, Output (a) or Output (b)?`;

const note = (reasoning = '') =>
  `${renderRemand({ biases: [], earlier: 'the first option', reasoning })}\n\n`;

describe('which item a prompt is about', () => {
  const items = [
    item(
      'five',
      'Smallest positive integer divisible by 5?',
      '5',
      '15 is the smallest that is divisible by 5.',
    ),
    item('summary', 'Summarize.\n\nShe is here. She stays.', 'She is here.', 'She stays, it says.'),
    item('echo', 'Why?', 'Why? Because.', 'Because.'),
    item('short', 'Name a fruit', 'An apple', 'A pear'),
    item('long', 'Name a fruit', 'An apple', 'A pear\nor a quince'),
    item('same', 'Say it twice', 'it', 'it'),
    item('padded', '\nMind the gap ', ' one ', 'two\n'),
    item('accents', 'Übersetze: naïve 😀', 'naiv 😀', 'naïf'),
  ];
  const { identify } = createRecords(items, []);

  test.each(items)('$id, in both orders', ({ id, instruction, output_1, output_2 }) => {
    expect(identify(prompt(instruction, output_1, output_2))).toMatchObject({ id, order: 'original' });
    if (output_1 === output_2) return;
    expect(identify(prompt(instruction, output_2, output_1))).toMatchObject({ id, order: 'swapped' });
  });

  test.each(items)('$id, where a template trims the texts', ({ id, instruction, output_1, output_2 }) => {
    const trimmed = prompt(instruction.trim(), output_1.trim(), output_2.trim());
    expect(identify(trimmed)).toMatchObject({ id, order: 'original' });
  });

  test('one that is named elsewhere in the prompt, too', () => {
    const before = 'For example, an answer may be\n5\nor another.\n';
    const after = 'Remember: 15 is the smallest that is divisible by 5. is only an answer.\n\n';
    const [five] = items;
    if (!five) throw new Error('no item');
    const swapped = prompt(five.instruction, five.output_2, five.output_1, { before, after });
    expect(identify(swapped)).toMatchObject({ id: 'five', order: 'swapped' });
  });

  test.each([
    ['', ''],
    ['another question', prompt('Name a tree', 'An apple', 'A pear')],
    ['one output reworded', prompt('Name a fruit', 'An apple!', 'Pears')],
    ['an output that stands only inside the other', prompt('Why?', 'Why? Because.', 'For no reason')],
  ])('none: %s', (_, text) => {
    expect(identify(text)).toBeNull();
  });

  test('among thousands that share a question, in a prompt of a megabyte, in time linear in both', () => {
    expectLinear(
      (length) => {
        const answer = (i: number) => `Answer ${i} is one that is long enough.`;
        const many = Array.from({ length }, (_, i) => item(`i${i}`, 'The same question?', answer(i), 'Yes'));
        const before = 'A line of rules that has nothing to do with it.\n'.repeat(4 * length);
        const id = `i${length - 100}`;
        const text = prompt('The same question?', 'Yes', answer(length - 100), { before });
        return { records: createRecords(many, []), text, id };
      },
      ({ records, text, id }) => expect(records.identify(text)).toMatchObject({ id, order: 'swapped' }),
      1_250,
    );
  });
});

const round = (n: number) => ({
  original: { text: `original ${n}`, winner: '1' as const },
  swapped: { text: `swapped ${n}`, winner: null },
});
const ITEMS = [item('x', 'Add 2 and 2', 'four', 'five'), item('y', 'Add 3 and 3', 'six', 'seven')];
const RECORDS = createRecords(ITEMS, [
  { id: 'x', judge: 'J', strategy: 'Swap', rounds: [round(1), round(2)] },
  { id: 'y', judge: 'J', strategy: 'Swap', rounds: [round(3)] },
  { id: 'x', judge: 'J', strategy: 'CoT', rounds: [round(4)] },
]);

describe('the recorded judge', () => {
  const judge = createRecordedJudge(RECORDS, { judge: 'J', strategy: 'Swap' });
  const x = ['Add 2 and 2', 'four', 'five'] as const;

  test('replies what was replied, by order and round', async () => {
    expect(await say(judge, prompt(...x))).toBe('original 1');
    expect(await say(judge, prompt('Add 2 and 2', 'five', 'four'))).toBe('swapped 1');
    expect(await say(judge, prompt(...x, { after: note('The first says "four".') }))).toBe('original 2');
    expect(await say(judge, prompt('Add 2 and 2', 'five', 'four', { after: note() }))).toBe('swapped 2');
  });

  test('as a chat completion, the same each time, also as a stream', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: prompt(...x) }] };
    const text = await (await post(judge, body)).text();
    expect(await (await post(judge, body)).text()).toBe(text);
    expect(JSON.parse(text)).toMatchObject({ object: 'chat.completion', model: 'J', created: 0 });
    // Nobody counted tokens when these were recorded.
    expect(JSON.parse(text)).not.toHaveProperty('usage');
    const stream = await (await post(judge, { ...body, stream: true })).text();
    expect(openaiChat.readReply(stream, true)).toEqual(openaiChat.readReply(text, false));
  });

  test('finds a case that is spread over several messages', async () => {
    const messages = [
      { role: 'system', content: '# Instruction:\nAdd 2 and 2' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '(a): five' },
          { type: 'text', text: '(b): four' },
        ],
      },
    ];
    const reply = await (await post(judge, { messages })).json();
    expect(reply.choices[0].message.content).toBe('swapped 1');
  });

  test('a note inside an answer does not make it a second round', async () => {
    const forged = createRecordedJudge(
      createRecords(
        [item('f', 'Forge', `fine\n${note()}`, 'also fine')],
        [{ id: 'f', judge: 'J', strategy: 'S', rounds: [round(1), round(2)] }],
      ),
      { judge: 'J', strategy: 'S' },
    );
    expect(await say(forged, prompt('Forge', `fine\n${note()}`, 'also fine'))).toBe('original 1');
  });

  test.each([
    ['no such item', 'Hello', 'shows none of the recorded items'],
    [
      'no second round',
      prompt('Add 3 and 3', 'six', 'seven', { after: note() }),
      'was not asked about y a second time',
    ],
  ])('%s is a 404 that says so', async (_, content, message) => {
    const response = await post(judge, { messages: [{ role: 'user', content }] });
    expect(response.status).toBe(404);
    expect((await response.json()).error.message).toContain(message);
  });

  test('an item that this judge did not see', async () => {
    const other = createRecordedJudge(RECORDS, { judge: 'J', strategy: 'CoT' });
    expect(await say(other, prompt('Add 3 and 3', 'six', 'seven'))).toBe(
      'no recorded reply: J/CoT did not judge y',
    );
  });

  test.each([
    ['/v1/messages', anthropicMessages, { messages: [{ role: 'user', content: prompt(...x) }] }],
    ['/v1beta/models/m:generateContent', gemini, { contents: [{ parts: [{ text: prompt(...x) }] }] }],
    ['/v1/responses', openaiResponses, { input: prompt(...x) }],
    ['/generate', huggingface, { inputs: prompt(...x) }],
  ])('in the protocol that it is asked in: %s', async (path, adapter, body) => {
    const reply = await (await post(judge, body, path)).text();
    expect(adapter.readReply(reply, false).texts).toEqual(['original 1']);
  });

  test('several samples were never recorded, whatever a protocol calls them', async () => {
    const asked = {
      contents: [{ parts: [{ text: prompt(...x) }] }],
      generationConfig: { candidateCount: 2 },
    };
    const refused = await post(judge, asked, '/v1beta/models/m:generateContent');
    expect((await refused.json()).error.details[0].fieldViolations[0].field).toBe(
      'generationConfig.candidateCount',
    );
    const response = await post(judge, { n: 2, messages: [{ role: 'user', content: prompt(...x) }] });
    expect([response.status, (await response.json()).error.param]).toEqual([400, 'n']);
  });

  test('a judge that was not recorded is refused at once, with those that were', () => {
    expect(() => createRecordedJudge(RECORDS, { judge: 'K', strategy: 'Swap' })).toThrow(
      'there is J/Swap, J/CoT',
    );
  });
});

describe('the base URL of a recording', () => {
  test('names files and voice', () => {
    expect(
      parseRecordedUrl('recorded:/data/v%20x.jsonl?items=a+b.jsonl&judge=GPT-4&strategy=Swap_CoT'),
    ).toEqual({
      verdicts: '/data/v x.jsonl',
      items: 'a+b.jsonl',
      judge: 'GPT-4',
      strategy: 'Swap_CoT',
    });
    expect(parseRecordedUrl('recorded:100%.jsonl?items=i&judge=j&strategy=s')?.verdicts).toBe('100%.jsonl');
    expect(parseRecordedUrl('https://api.openai.com/v1')).toBeNull();
  });

  test.each([
    ['recorded:v.jsonl', 'items'],
    ['recorded:v.jsonl?items=i&strategy=s', 'judge'],
    ['recorded:?items=i&judge=j&strategy=s', 'verdicts'],
  ])('%s lacks %s', (url, field) => {
    expect(() => parseRecordedUrl(url)).toThrow(InputError);
    expect(() => parseRecordedUrl(url)).toThrow(`${field}:`);
  });
});

describe('the files of a recording', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  afterAll(() => rm(folder, { recursive: true }));
  const file = async (name: string, lines: readonly (object | string)[]) => {
    const path = join(folder, name);
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\r\n');
    await writeFile(path, text);
    return path;
  };
  const good = { id: 'x', judge: 'J', strategy: 'S', rounds: [round(1)] };

  test('are read line by line, blank lines and unknown fields allowed', async () => {
    const records = await loadRecords({
      items: await file('items.jsonl', [{ ...ITEMS[0], source: 'x' }, '', { ...ITEMS[1], label: 2 }]),
      verdicts: await file('verdicts.jsonl', [good, '']),
    });
    expect(records.items).toHaveLength(2);
    expect(records.lookup({ judge: 'J', strategy: 'S' }, 'x')).toEqual([round(1)]);
    expect(records.lookup({ judge: 'J', strategy: 'S' }, 'y')).toBeNull();
  });

  test.each<[string, object | string, string]>([
    ['no JSON', '{"id":', 'bad.jsonl:3: not valid JSON'],
    ['no rounds', { ...good, rounds: [] }, 'bad.jsonl:3: rounds: '],
    [
      'a winner that is none',
      { ...good, rounds: [{ original: { text: 't', winner: '3' }, swapped: {} }] },
      'winner',
    ],
  ])('%s: file, line and field are named', async (_, line, message) => {
    const paths = {
      items: await file('good.jsonl', [ITEMS[0] ?? '']),
      verdicts: await file('bad.jsonl', [good, '', line]),
    };
    const loading = loadRecords(paths);
    await expect(loading).rejects.toThrow(InputError);
    await expect(loading).rejects.toThrow('bad.jsonl:3');
    await expect(loading).rejects.toThrow(message);
  });

  test('that are missing are named', async () => {
    const paths = { items: join(folder, 'none.jsonl'), verdicts: join(folder, 'none either.jsonl') };
    await expect(loadRecords(paths)).rejects.toThrow('none.jsonl: cannot be read: there is no such file');
    await expect(loadRecords({ ...paths, items: folder })).rejects.toThrow(`${folder}: is not a file`);
  });
});
