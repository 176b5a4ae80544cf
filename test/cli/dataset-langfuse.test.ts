/** `remand dataset build --from langfuse`: what the real proxy told a local Langfuse, read back and distilled. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { renderRowPrompt } from '../../src/dataset/distil/survey-rows.ts';
import { labelledRow } from '../../src/dataset/label-pairs.ts';
import { fair, firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { type Ended, remand } from './command.ts';
import { KEYS, type LangfuseServer, type Setting, startLangfuse } from './langfuse-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-langfuse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUESTION = 'What is 17*23?';
/** Said of the first option by nobody in particular. */
const CROWD = '### Statement: 90% of people believe that Output (a) is better.';

interface Told {
  readonly instruction?: string;
  readonly crowd?: boolean;
  readonly headers?: Record<string, string>;
}

async function langfuse(setting: Partial<Setting> = {}): Promise<LangfuseServer> {
  const server = await startLangfuse({ kind: 'cloud', page: 2, ...setting });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A proxy that tells that Langfuse of its judgments. `judged` gives the ids under which it stands there. */
async function proxyFor(server: LangfuseServer, say: Parameters<typeof whole>[0], settings = {}) {
  const judge = await startUpstream(whole(say));
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'position,bandwagon', LANGFUSE_BASE_URL: server.url },
    ...KEYS,
    ...settings,
  });
  return async function judged({ instruction = QUESTION, crowd = false, headers = {} }: Told = {}) {
    const judgments = () => server.observations.filter(({ name }) => name === 'judgment');
    const before = judgments().length;
    const asked = pairwise(WRONG, RIGHT).replace(
      JSON.stringify(QUESTION).slice(1, -1),
      crowd ? `${instruction}\\n\\n${CROWD}` : instruction,
    );
    const { status } = await exchange(`${proxy.url}/v1/chat/completions`, {
      ...{ method: 'POST', body: asked, headers },
    });
    expect(status).toBe(200);
    await until(async () => judgments().length > before, 'Langfuse was told');
    const { traceId: trace, id: observation } = judgments().at(-1) ?? { traceId: '', id: '' };
    return { trace, observation };
  };
}

function build(server: { url: string }, out: string, ...args: string[]): Promise<Ended> {
  const env = { ...KEYS, LANGFUSE_BASE_URL: server.url };
  return remand(
    ['dataset', 'build', '--from', 'langfuse', '--out', join(folder, out), '--json', ...args],
    env,
  );
}

const lines = (out: string, name = 'labels.jsonl') =>
  readFileSync(join(folder, out, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const rowsIn = (out: string) => lines(out).map((line) => labelledRow.parse(line));

test.each(['cloud', 'own'] as const)(
  'a person’s labels make rows that show a detector what the judge saw (%s)',
  async (kind) => {
    const server = await langfuse({ kind });
    const judged = await proxyFor(server, firstPlaceLover);
    const biased = await judged({ crowd: true });
    const fine = await judged({ instruction: 'What is 17 times 23?' });
    await judged({ instruction: 'What do 17 and 23 make?' });
    server.annotate(biased, { value: 1 });
    // Whatever kind of score the annotators were given; on the trace, where the judgment is all there is of it.
    server.annotate({ trace: fine.trace }, { dataType: 'CATEGORICAL', value: 0, stringValue: 'No' });

    const { code, out, err } = await build(server, kind);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ...{ judgments: 3, rows: 2, labels: { Yes: 1, No: 1 }, by: { people: 2, evidence: 0 } },
      left_out: { 'nobody has labelled it': 1 },
    });
    const rows = rowsIn(kind);
    expect(rows.map(({ bias_category, bias_label }) => [bias_category, bias_label])).toEqual([
      ['position', 'No'],
      ['position+bandwagon', 'Yes'],
    ]);
    expect(rows[1]).toMatchObject({
      llm_judge_model: 'test-judge',
      right_in_d: null,
      right_in_d_bias: null,
      // Always the first place: Output (a) in both orders.
      llm_judgment: '### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (a)',
      origin: { source: 'langfuse', ...biased, label: 'people' },
    });
    const choices = rows[1]?.choices ?? '';
    // In the other order, the crowd's favourite is named as it is called there.
    const [given, turned] = choices.split('### Second Evaluation (Swapped Order)');
    expect(given).toContain('believe that Output (a) is better');
    expect(turned).toContain('believe that Output (b) is better');
    for (const text of [RIGHT, WRONG]) expect(choices.split(text)).toHaveLength(3);
    // The prompt prints each text once, whatever orders there were.
    for (const row of rows)
      for (const text of [RIGHT, WRONG]) expect(renderRowPrompt(row).split(text)).toHaveLength(2);
    expect(readdirSync(join(folder, kind)).toSorted()).toEqual(['labels.jsonl', 'unlabelled.jsonl']);
  },
);

test('by default a row from use is distilled to the prompt that the proxy’s detector was sent', async () => {
  const server = await langfuse();
  const model = await startUpstream(whole(() => '<think>It is right.</think> No'));
  const settings = { RBD_BASE_URL: model.url, RBD_MODEL: 'rbd-8b', REMAND_DETECTOR: 'rbd' };
  const judged = await proxyFor(server, firstPlaceLover, { ...settings, REMAND_BIASES: undefined });
  for (const crowd of [false, true]) server.annotate(await judged({ crowd }), { value: 0 });
  expect((await build(server, 'served')).code).toBe(0);
  const sent = model.received.map(({ body }) => JSON.parse(body.toString()).messages[0].content);
  expect(rowsIn('served').map(renderRowPrompt).toSorted()).toEqual(sent.toSorted());
});

test('where nobody has said, the probe’s evidence labels a verdict only if that is asked for, and the row says so', async () => {
  const server = await langfuse();
  const swayed = await proxyFor(server, firstPlaceLover);
  const steady = await proxyFor(server, fair);
  await swayed();
  await steady({ instruction: 'What is 17 times 23?' });
  // A person's word stands above the evidence.
  server.annotate(await swayed({ instruction: 'How much is 17*23?' }), { value: 0 });

  const nobody = await build(server, 'nobody', '--until', '2026-01-01');
  expect(nobody.code).toBe(1);
  expect(JSON.parse(nobody.out)).toMatchObject({ judgments: 0, rows: 0 });
  expect((await build(server, 'evidence', '--labels', 'evidence')).code).toBe(0);
  const rows = rowsIn('evidence');
  expect(rows.map(({ instruction, bias_label, origin }) => [instruction, bias_label, origin?.label])).toEqual(
    [
      ['How much is 17*23?', 'No', 'people'],
      ['What is 17 times 23?', 'No', 'evidence'],
      [QUESTION, 'Yes', 'evidence'],
    ],
  );
});

test('what is divided, unclear, withheld, or no row can hold is left out, counted and named', async () => {
  const server = await langfuse();
  const judged = await proxyFor(server, firstPlaceLover);
  const divided = await judged();
  for (const value of [0, 1]) server.annotate(divided, { value });
  server.annotate(await judged(), { dataType: 'CATEGORICAL', value: 3, stringValue: 'Perhaps' });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { trace } = await judged({ headers: { traceparent } });
  server.annotate({ trace }, { value: 1 });
  const silent = await proxyFor(server, firstPlaceLover, { REMAND_TELEMETRY_TEXTS: 'off' });
  server.annotate(await silent(), { value: 1 });
  const torn = await proxyFor(server, ({ sentBack }) => (sentBack ? 'Output (a)' : 'I cannot say.'));
  server.annotate(await torn(), { value: 1 });
  // Of an older Remand, or somebody's own.
  server.observations.push({
    ...{ id: 'f'.repeat(16), traceId: 'f'.repeat(32), name: 'judgment', environment: 'default' },
    ...{ startTime: new Date().toISOString(), input: '{"instruction": "x"}', output: 'cut of' },
  });

  const { code, out } = await build(server, 'left');
  expect(code).toBe(1);
  const { left_out } = JSON.parse(out);
  expect(left_out).toEqual({
    'people disagree about it': 1,
    "people's label is neither yes nor no": 1,
    "people's label is on a trace of the client's own, and not on the judgment in it": 1,
    'its texts were withheld (REMAND_TELEMETRY_TEXTS or REMAND_TRACE_TEXTS is off)': 1,
    'the judge gave no verdict': 1,
    'it was not told by this version of Remand': 1,
  });
  expect(lines('left')).toEqual([]);
  expect(lines('left', 'unlabelled.jsonl')).toHaveLength(6);
});

test('broken off, it leaves no file of the dataset, and started again reads only what is missing', async () => {
  const server = await langfuse();
  const judged = await proxyFor(server, firstPlaceLover);
  for (let number = 0; number < 5; number++)
    server.annotate(await judged({ instruction: `What is ${number}*23?` }), { value: number % 2 });
  server.allow(2);
  const broken = await build(server, 'again');
  expect(broken.code).toBe(1);
  expect(broken.err).toMatch(/could not be read: it answered 400; start again to go on/);
  expect(existsSync(join(folder, 'again/labels.jsonl'))).toBe(false);

  server.allow(Number.POSITIVE_INFINITY);
  // Judged in between: the next start has the same end as the first.
  server.annotate(await judged(), { value: 1 });
  server.read.length = 0;
  expect((await build(server, 'again')).code).toBe(0);
  expect(server.read).toHaveLength(1);
  const instructions = rowsIn('again').map(({ instruction }) => instruction);
  expect(instructions).toEqual([4, 3, 2, 1, 0].map((number) => `What is ${number}*23?`));
  expect(existsSync(join(folder, 'again/langfuse.sqlite'))).toBe(false);

  server.read.length = 0;
  expect((await build(server, 'few', '--limit', '2')).code).toBe(0);
  expect(rowsIn('few')).toHaveLength(2);
  expect(server.read.filter((path) => path.includes('observations'))).toHaveLength(1);
});

test('the rows are distilled and exported as any', async () => {
  const server = await langfuse();
  const judged = await proxyFor(server, firstPlaceLover);
  for (let number = 0; number < 4; number++)
    server.annotate(await judged({ instruction: `What is ${number}*23?` }), { value: number % 2 });
  await build(server, 'live');
  const at = (name: string) => join(folder, name);
  const distilled = await remand([
    ...['distill', '--in', at('live'), '--out', at('distilled'), '--teacher', 'none'],
    ...['--dedupe', 'none', '--splits', '100/0/0', '--json'],
  ]);
  expect(distilled.err).toBe('');
  expect(JSON.parse(distilled.out)).toMatchObject({
    rows: 4,
    kept: 4,
    by_label: { Yes: { kept: 2 }, No: { kept: 2 } },
  });
  const exported = await remand([
    ...[
      'export',
      '--in',
      at('distilled'),
      '--out',
      at('exported'),
      '--format',
      'parquet,completion,published-csv',
      '--json',
    ],
  ]);
  expect(exported.err).toBe('');
  expect(exported.code).toBe(0);
});

test('keys that are missing or refused, and times that are none, are named; no key is shown', async () => {
  const server = await langfuse();
  const command = ['dataset', 'build', '--from', 'langfuse', '--out', join(folder, 'none')];
  const missing = await remand(command, { LANGFUSE_BASE_URL: server.url });
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringContaining('LANGFUSE_PUBLIC_KEY: must be set'),
  ]);
  const secret = 'sk-lf-of-another-project';
  const wrong = { ...KEYS, LANGFUSE_SECRET_KEY: secret, LANGFUSE_BASE_URL: server.url };
  const refused = await remand(command, wrong);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/LANGFUSE_PUBLIC_KEY: .* refuses .*401/),
  ]);
  expect(refused.err).not.toMatch(/planted|another-project/);
  const time = await build(server, 'none', '--since', 'yesterday');
  expect([time.code, time.err]).toEqual([2, expect.stringContaining('--since: must be a time')]);
  const turned = await build(server, 'none', '--since', '2026-11-02', '--until', '2026-11-01');
  expect([turned.code, turned.err]).toEqual([2, expect.stringContaining('--until: must be later')]);
  expect((await build(server, 'none', '--labels', 'guesses')).code).toBe(2);
});
