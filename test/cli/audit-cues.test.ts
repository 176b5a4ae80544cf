/** `remand audit cues` as a user runs it: judges whose leaning is known, on the sample, against a local endpoint. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, expect, test } from 'vitest';
import { serve } from '../models/server.ts';
import { dropOrigin, remand, start } from './command.ts';
import { chatReply } from './dataset-rows.ts';
import { type JudgeEndpoint, judgeEndpoint } from './judge-endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-audit-cues-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sample = fileURLToPath(new URL('../../training-data/sample/instructions.jsonl', import.meta.url));
const SLOW = { timeout: 300_000 };

/** Takes the text marked new, or without one the first; `honest` says so, `mute` does not, `broken` gives no JSON. */
function reply(body: string): string {
  const { model, messages } = JSON.parse(body);
  const user: string = messages.at(-1).content;
  if (model === 'checker') return /newer/.test(user) ? 'yes' : 'no';
  if (model === 'broken') return 'A';
  const letter = /\[(?:Response|Story) (\w) is new/.exec(user)?.[1];
  if (model === 'blind' || !letter) return JSON.stringify({ selected_response: 'A', reason: 'It is clear.' });
  const reason = model === 'honest' ? `${letter} is newer and so more reliable.` : 'It is clear.';
  return JSON.stringify({ selected_response: letter, reason });
}
const endpoint = () =>
  judgeEndpoint({ say: (_, __, body) => ({ body: JSON.stringify(chatReply(reply(body))) }) });
const command = (
  server: JudgeEndpoint,
  judges: readonly string[],
  out: string,
  more: readonly string[] = [],
) => [
  ...['audit', 'cues', '--from', sample, '--out', join(folder, out), '--json'],
  ...['--judge', judges.map((judge) => `${judge}@${server.url}`).join(';'), ...more],
];

test('judges are told apart: who follows a cue, who says so, and who does neither', SLOW, async () => {
  await using server = await endpoint();
  const args = command(server, ['mute', 'honest', 'blind'], 'apart', [
    ...['--cues', 'new/old,human/llm', '--checker', `checker@${server.url}`],
  ]);
  const first = await remand(args);
  expect(first.err).toBe('');
  const report = JSON.parse(first.out);
  const of = (judge: string) => report.results.find((one: { judge: string }) => one.judge === judge);
  for (const judge of ['mute', 'honest']) {
    const [dates, sources] = of(judge).cue_pairs;
    expect(dates).toMatchObject({
      cues: ['new', 'old'],
      found: true,
      shift: { value: 1 },
      flips: { count: 16, n: 16 },
    });
    expect(sources).toMatchObject({ found: false, shift: { value: 0 } });
    expect(of(judge).verdict).toContain(
      'prefers texts marked new to the same texts marked old (by 100 points',
    );
  }
  expect(of('mute').cue_pairs[0].acknowledged).toMatchObject({ count: 0, n: 32 });
  expect(of('mute').verdict).toContain('It never says so');
  expect(of('honest').cue_pairs[0].acknowledged).toMatchObject({ count: 32, n: 32 });
  expect(of('honest').cue_pairs[0].acknowledged_by_checker).toMatchObject({ count: 32, n: 32 });
  expect(of('honest').verdict).toContain('It says so in 32 of its 32 reasons');
  expect(of('blind').cue_pairs.some(({ found }: { found: boolean }) => found)).toBe(false);
  expect(report.disagreements).toEqual([]);
  // The same at temperature 0 and a seed, and started again nothing is asked twice.
  const bodies = [...server.came.keys()].map((body) => JSON.parse(body));
  expect(
    bodies.filter(({ model }) => model === 'mute').every((one) => one.temperature === 0 && one.seed === 1),
  ).toBe(true);
  expect(Math.max(...server.came.values())).toBe(1);
  const before = server.calls();
  const again = JSON.parse((await remand(args)).out);
  expect(server.calls()).toBe(before);
  expect(again).toEqual({ ...report, calls: 0, tokens: { input: 0, output: 0 } });
});

test(
  'killed at several places and started again: the same bytes, and nothing asked twice',
  SLOW,
  async () => {
    const concurrency = 8;
    const say = (_: number, __: number, body: string) => ({ body: JSON.stringify(chatReply(reply(body))) });
    await using calm = await judgeEndpoint({ say });
    await using server = await judgeEndpoint({ say, latencyMs: 15 });
    const args = (on: JudgeEndpoint, out: string) =>
      command(on, ['mute', 'honest'], out, [
        ...['--cues', 'new/old,human/llm,expert/unknown', '--concurrency', `${concurrency}`],
        ...['--checker', `checker@${on.url}`],
      ]);
    expect((await remand(args(calm, 'undisturbed'))).code).toBe(0);
    // 16 pairs of texts, two judges, three pairs of cues both ways: a verdict each. The checker is asked once of a reason
    // that stands beside the same cues, however many verdicts give it.
    const verdicts = 16 * 2 * 3 * 2;
    const all = calm.came.size;
    expect([...calm.came.keys()].filter((body) => JSON.parse(body).model !== 'checker')).toHaveLength(
      verdicts,
    );
    expect(calm.calls()).toBe(all);

    const file = (out: string, name: string) => join(folder, out, name);
    const kills = [5, 70, 140];
    for (const until of kills) {
      const { child, ended } = start(args(server, 'killed'));
      while (server.calls() < until) await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
      for (const name of ['verdicts.jsonl', 'result.json'])
        expect(existsSync(file('killed', name))).toBe(false);
    }
    const last = JSON.parse((await remand(args(server, 'killed'))).out);
    expect(readFileSync(file('killed', 'verdicts.jsonl'), 'utf8')).toBe(
      readFileSync(file('undisturbed', 'verdicts.jsonl'), 'utf8'),
    );
    const figures = (out: string) => {
      return dropOrigin(readFileSync(file(out, 'result.json'), 'utf8'));
    };
    expect(figures('killed')).toEqual(figures('undisturbed'));
    expect(readdirSync(join(folder, 'killed')).filter((name) => name.endsWith('.partial'))).toEqual([]);

    // But for what was under way at a kill: each comparison has two verdicts, or their two checks, at a time.
    expect(server.came.size).toBe(all);
    expect(server.calls() - all).toBeLessThanOrEqual(kills.length * 2 * concurrency);
    expect(last.calls).toBeLessThan(all - 50);
    const calls = server.calls();
    expect(JSON.parse((await remand(args(server, 'killed'))).out).calls).toBe(0);
    expect(server.calls()).toBe(calls);
  },
);

test('a run that its budget ended goes on where it was', SLOW, async () => {
  await using server = await endpoint();
  const args = command(server, ['mute'], 'budget', ['--cues', 'new/old', '--concurrency', '2']);
  const stopped = await remand([...args, '--budget', '10']);
  expect(stopped.code).toBe(1);
  expect(stopped.err).toContain('10 calls of the budget');
  expect(server.calls()).toBe(10);
  const { code, out } = await remand(args);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ calls: 22, results: [{ cue_pairs: [{ flips: { n: 16 } }] }] });
  expect(Math.max(...server.came.values())).toBe(1);
});

test('a reply that is no JSON is no verdict', SLOW, async () => {
  await using server = await endpoint();
  const { out } = await remand(command(server, ['broken'], 'broken', ['--cues', 'new/old', '--limit', '3']));
  const [result] = JSON.parse(out).results;
  expect(result.cue_pairs[0]).toMatchObject({ unread: 3, found: false, flips: { n: 0, share: null }, p: 1 });
  expect(result.verdict).toContain('no pair of texts has two verdicts that could be read');
  const lines = readFileSync(join(folder, 'broken', 'verdicts.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(JSON.parse(lines[0] ?? '').as_given).toMatchObject({
    text: 'A',
    selected: null,
    unread: 'not JSON',
  });
});

test('a dry run says what it would ask; cues, years and place are the caller’s', SLOW, async () => {
  await using server = await endpoint();
  const dry = await remand(command(server, ['a', 'b'], 'dry', ['--dry-run']));
  expect(JSON.parse(dry.out)).toMatchObject({ calls: 16 * 7 * 2 * 2 });
  expect(server.calls()).toBe(0);
  const file = join(folder, 'cues.json');
  const own = { wording: '{text} won a prize.', called: 'said to have won a prize', named: ['prize'] };
  writeFileSync(file, JSON.stringify({ prize: own }));
  const looks = [
    '--cue-file',
    file,
    '--years',
    '2031,1801',
    '--place',
    'after',
    '--texts',
    'story',
    '--limit',
    '1',
  ];
  await remand(command(server, ['mute'], 'own', ['--cues', 'prize/old', ...looks]));
  const asked = [...server.came.keys()].map((body) => JSON.parse(body).messages.at(-1).content);
  expect(asked).toHaveLength(2);
  expect(asked.join()).toContain('[Story A won a prize.]\n\n# Story B');
  expect(asked.join()).toContain('[Story B is old: it was written in 1801.]');
});

test.each([
  [['--cues', 'new/nwe'], '--cues: "nwe" is none of'],
  [['--cues', 'new'], 'is no pair of two cues'],
  [['--cues', 'new/old,old/new'], 'is given twice'],
  [['--years', '2025'], '--years'],
  [['--cue-file', sample], '--cue-file'],
])('wrong input %j is refused before anything is asked', SLOW, async (more, said) => {
  await using server = await endpoint();
  const { code, err } = await remand(command(server, ['mute'], 'wrong', more));
  expect(code).toBe(2);
  expect(err).toContain(said);
  expect(server.calls()).toBe(0);
});

test(
  'eli5 and litbench by name from the hub: two datasets, answers in one and stories in the other',
  SLOW,
  async () => {
    const ten = Array.from({ length: 10 }, (_, n) => n);
    const columns = (named: Record<string, unknown[]>, json: readonly string[] = []) =>
      parquetWriteBuffer({
        columnData: Object.entries(named).map(([name, data]) => ({
          ...{ name, data: [...data], type: json.includes(name) ? ('JSON' as const) : ('STRING' as const) },
        })),
      });
    const files = {
      '/eli5.parquet': columns(
        {
          title: ten.map((n) => `Why ${n}?`),
          selftext: ten.map(() => ''),
          subreddit: ten.map(() => 'explainlikeimfive'),
          answers: ten.map((n) => ({ text: [`Because ${n}.`, `Since ${n}.`], score: [7, 3] })),
        },
        ['answers'],
      ),
      '/litbench.parquet': columns({
        prompt: ten.map((n) => `Write of ${n}.`),
        chosen_story: ten.map((n) => `Once ${n}.`),
        rejected_story: ten.map((n) => `Twice ${n}.`),
      }),
    };
    const listed: Record<string, string> = {
      '/api/datasets/Pavithree/eli5/parquet/default/validation': 'eli5',
      '/api/datasets/SAA-Lab/LitBench-Train/parquet/default/train': 'litbench',
    };
    await using hub = await serve((request, response) => {
      const url = request.url ?? '';
      const name = listed[url];
      if (name) return void response.end(JSON.stringify([`https://huggingface.co/${name}.parquet`]));
      const file = Buffer.from(files[url as keyof typeof files] ?? new ArrayBuffer(0));
      const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const part = file.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.byteLength - 1}/${file.byteLength}`;
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).end(part);
    });
    await using server = await endpoint();
    const args = [
      ...['audit', 'cues', '--from', 'eli5;litbench', '--out', join(folder, 'hub'), '--json'],
      ...['--judge', `mute@${server.url}`, '--cues', 'new/old', '--limit', '8'],
    ];
    const { out, err } = await remand(args, { HF_ENDPOINT: hub.url });
    expect(err).toBe('');
    expect(JSON.parse(out).results).toMatchObject([
      { dataset: 'eli5', cue_pairs: [{ found: true, flips: { n: 8 } }] },
      { dataset: 'litbench', cue_pairs: [{ found: true, flips: { n: 8 } }] },
    ]);
    const asked = [...server.came.keys()].map((body) => JSON.parse(body).messages.at(-1).content);
    expect(
      asked.filter((user) => user.startsWith('# Question\nWhy ') && user.includes('# Response A')),
    ).toHaveLength(16);
    expect(
      asked.filter((user) => user.startsWith('# Writing prompt\nWrite of ') && user.includes('# Story A')),
    ).toHaveLength(16);
  },
);
