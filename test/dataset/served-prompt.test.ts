/** What a detector is trained and measured on is what the proxy's own detector is sent about the same judgment. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATALOGUE, DEFAULT_BIASES, hasOrderBias } from '../../src/bias/index.ts';
import type { BaseItem } from '../../src/dataset/base.ts';
import { type BuildSettings, buildDataset, USUAL_BUILD } from '../../src/dataset/build-dataset.ts';
import { detectorRow } from '../../src/dataset/detector-row.ts';
import { type RowPair, readRowVerdict, renderRowQuestion } from '../../src/dataset/judge-pairs.ts';
import { type LabelledRow, labelPair } from '../../src/dataset/label-pairs.ts';
import { renderDetectorPrompt } from '../../src/dataset/row-brief.ts';
import { createRbdDetector } from '../../src/detect/rbd.ts';
import { examineRows } from '../../src/evaluate/detector.ts';
import { replyBody } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

const SUM: BaseItem = {
  ...{ kind: 'pair', id: 'sum', answer: '391', first: 'positive' },
  instruction:
    'What is 17*23?\n\nScore 1: The result is wrong.\nScore 2: The result is nearly right.\nScore 3: The result is right.\n',
  positive: '17*20 is 340, and 17*3 is 51; 340+51 is 391.\n\nSo 100% sure, it is this:\n#### 391',
  negative: 'About 17*20, and 17*2 more, so it must be well below 390. \n#### 381',
};
const CAPITAL: BaseItem = {
  ...{ kind: 'choice', id: 'capital', right: 0 },
  instruction:
    'Which of these is the capital of France?\nScore 1: It is not.\nScore 2: It is near.\nScore 3: It is.',
  options: ['Paris', 'Rome, of course', 'Oslo'],
  toned: ['Paris, sadly', 'Rome, wonderful!', 'Oslo, a delight!'],
};
const EITHER: BaseItem = {
  ...{ kind: 'choice', id: 'either', right: 1 },
  instruction: 'Does ice float on water?\nScore 1: It does not.\nScore 2: It sways.\nScore 3: It does.',
  options: ['No, never', 'Yes, it does'],
  toned: ['No, how wonderful and lovely!', 'Yes, a terrible and sad fact'],
};
const CODE: BaseItem = {
  ...{ kind: 'pair', id: 'code', answer: null, first: 'negative' },
  instruction:
    '  Say what the function does that returns \t its argument, and what <think>it</think> is for.',
  positive: `    It returns what it was given. It can stand where a function is asked for. ${'It changes nothing, and that is the point of it. '.repeat(9)}\n\n`,
  negative: `\nIt prints its argument. {{choices}} It is a way to look at it. It should not be used. ${'Do not use it, $& or $1. '.repeat(16)}`,
};
/** Texts with white space around them, brackets that are neutralised, and signs that templates give a meaning. */
const BASES = [SUM, CAPITAL, EITHER, CODE];

/** Says the first option, whatever it is. */
const sayFirst = (prompt: string) => (prompt.includes('# Options:') ? 'Choice 1' : 'Output (a)');

async function build(name: string, settings: Partial<BuildSettings> = {}): Promise<RowPair[]> {
  const biases = CATALOGUE.filter((bias) => bias.name === name);
  const run = { concurrency: 1, signal: new AbortController().signal };
  const all: RowPair[] = [];
  for await (const { pairs } of buildDataset(BASES, { ...USUAL_BUILD, biases, ...settings }, run))
    all.push(...pairs);
  return all;
}

function label(pair: RowPair): LabelledRow {
  const [d, dBias] = pair;
  const said = (row: typeof d) => readRowVerdict(sayFirst(renderRowQuestion(row).user), row);
  const verdicts = { d: said(d), d_bias: said(dBias) };
  const row = labelPair(pair, { id: d.id, judge: 'a-judge', error: null, ...verdicts });
  if ('unlabelled' in row) throw new Error(row.unlabelled);
  return row;
}

/** What a client sends of a row; where it has two orders, the proxy asks in the other one itself. */
const questionOf = ([d, dBias]: RowPair) => renderRowQuestion(hasOrderBias(d.biases) ? d : dBias);

/** @returns what has a question judged by the proxy, and gives what its detector was sent */
async function openProxy(settings: Record<string, string>) {
  const judge = await startUpstream((received, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(sayFirst(received.body.toString())));
  });
  const model = await startUpstream((_received, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(replyBody('<think>It is right.</think> No'));
  });
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: judge.url, RBD_BASE_URL: model.url, RBD_MODEL: 'rbd-8b', REMAND_DETECTOR: 'rbd' },
    ...settings,
  });
  return async ({ system, user }: ReturnType<typeof renderRowQuestion>): Promise<string> => {
    const before = model.received.length;
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    await exchange(`${proxy.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ model: 'a-judge', messages }),
    });
    const [sent] = model.received.slice(before);
    return sent ? JSON.parse(sent.body.toString()).messages[0].content : 'no detector was asked';
  };
}

/** What `remand eval detector` asks about a row that it has read from its file. */
async function measuredPrompt(row: LabelledRow): Promise<string> {
  let asked = '';
  const detector = createRbdDetector({
    name: 'recording',
    async complete(prompt) {
      asked = prompt;
      return { reasoning: null, content: 'No', finish: 'stop', tokens: null };
    },
  });
  await examineRows(detector, [detectorRow.parse(JSON.parse(JSON.stringify(row)))], {
    ...{ concurrency: 1, signal: new AbortController().signal },
  });
  return asked;
}

const inOneOrder = DEFAULT_BIASES.filter((name) => !hasOrderBias([name]));
/** docs/detectors.md: with these settings the proxy sends what a row of the bias says. */
const settingsFor = (name: string) => ({
  REMAND_BIASES: hasOrderBias([name])
    ? DEFAULT_BIASES.join(',')
    : [...new Set([...inOneOrder, name])].join(','),
});

const injectable = CATALOGUE.flatMap(({ name, inject }) => (inject ? [name] : []));

test.each(injectable)('%s: distilled, measured and sent are one prompt', async (name) => {
  const ask = await openProxy(settingsFor(name));
  const pairs = await build(name);
  expect(pairs.length).toBeGreaterThan(0);
  for (const pair of pairs) {
    const sent = await ask(questionOf(pair));
    expect(renderDetectorPrompt(label(pair)), pair[0].id).toBe(sent);
    expect(await measuredPrompt(label(pair))).toBe(sent);
  }
});

test.each(['position', 'bandwagon'])('%s, for a template of its own', async (name) => {
  const ask = await openProxy({ ...settingsFor(name), RBD_TEMPLATE: 'first' });
  for (const pair of await build(name))
    expect(renderDetectorPrompt(label(pair), { template: 'first' })).toBe(await ask(questionOf(pair)));
});

test('the setting for rows of one order is told', () => {
  const page = readFileSync(new URL('../../docs/detectors.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`REMAND_BIASES=${inOneOrder.join(',')}\``);
});

test('by default the proxy judges in two orders and says so, which a row of one order cannot', async () => {
  const ask = await openProxy({});
  const [pair] = await build('bandwagon');
  if (!pair) throw new Error('nothing was built');
  expect(await ask(questionOf(pair))).toContain('### Second Round, with Output (b) before Output (a)');
  expect(renderDetectorPrompt(label(pair))).not.toContain('Round');
});
