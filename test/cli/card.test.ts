/** `remand card`: one command, two judges, one page; killed and resumed, the same bytes twice, and limits for CI. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { makeCases } from '../evaluate/card/cases.ts';
import { replyBody } from '../proxy/judges.ts';
import { startUpstream } from '../proxy/servers.ts';
import { remand } from './command.ts';

// Each case starts commands of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-card-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cases = join(folder, 'cases.jsonl');
writeFileSync(
  cases,
  makeCases(4, 30)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join(''),
);
const QUIET = 'length=0,position=0,majority=0,tone=0,provenance=0,recency=0,author=0';
const [FAIR, SWAYED] = [`sandbox:${QUIET}`, `sandbox:${QUIET.replace('majority=0', 'majority=3')}`];

const card = (out: string, judge: string, ...more: string[]) =>
  remand(['card', '--cases', cases, '--judge', judge, '--out', join(folder, out), ...more]);
const readIn = (out: string, name: string) => readFileSync(join(folder, out, name), 'utf8');
const beyondIn = (report: { cards: { judge: string; checks: { name: string; state: string }[] }[] }) =>
  report.cards.map(({ judge, checks }) => [
    judge,
    checks.filter(({ state }) => state === 'beyond').map(({ name }) => name),
  ]);

test('two judges side by side: in words, as a page, as JSON, JUnit and Markdown', async () => {
  const { code, out } = await card('two', `${FAIR};${SWAYED}`, '--biases', 'position,bandwagon,formatting');
  expect(code).toBe(0);
  expect(out).toMatch(/bandwagon .* at most ±10\.0% .*beyond its limit/);
  expect(out).toContain(`${FAIR} (simulation): nothing is beyond its limit on `);
  expect(out).toContain('REMAND_BIASES=bandwagon');
  expect(out).toMatch(/formatting +60 +the option has too few sentences/);
  const report = JSON.parse(readIn('two', 'result.json'));
  expect(beyondIn(report)).toEqual([
    [FAIR, []],
    [SWAYED, ['bandwagon']],
  ]);
  const { document } = parseHTML(readIn('two', 'card.html'));
  expect(document.querySelector('.verdict')?.textContent).toMatch(/nothing is beyond .* 30 cases/);
  expect(document.querySelectorAll('script').length).toBe(0);
  const junit = parseHTML(readIn('two', 'junit.xml')).document;
  expect([...junit.querySelectorAll('testsuite')].map((one) => one.getAttribute('failures'))).toEqual([
    '0',
    '1',
  ]);
  expect(junit.querySelectorAll('testcase').length).toBe(2 * report.cards[0].checks.length);
  expect(readIn('two', 'summary.md')).toMatch(/\| bandwagon \| at most ±10\.0% \| ❔ 0\.0% .* \| ❌ 50\.0%/);
});

test('its figures are those of the command it is made of', async () => {
  const biases = ['--biases', 'bandwagon,position,recency'];
  await card('own', SWAYED, ...biases);
  const args = ['audit', 'biases', '--from', cases, '--judge', SWAYED, '--out', join(folder, 'audit')];
  const { effects } = JSON.parse((await remand([...args, ...biases, '--json'])).out);
  const [{ checks }] = JSON.parse(readIn('own', 'result.json')).cards;
  expect(effects).toHaveLength(3);
  for (const { bias, n, effect } of effects)
    expect(checks.find(({ name }: { name: string }) => name === bias)).toMatchObject({
      ...{ n, value: effect.value, interval: effect.interval },
    });
});

test('started again nothing is asked, and every file has the same bytes', async () => {
  const judge = `${SWAYED}`;
  await card('again', judge, '--biases', 'bandwagon');
  const names = readdirSync(join(folder, 'again'));
  const before = names.map((name) => readFileSync(join(folder, 'again', name), 'base64'));
  const again = await card('again', judge, '--biases', 'bandwagon');
  expect(again.out).toContain('\n0 calls.');
  expect(names.map((name) => readFileSync(join(folder, 'again', name), 'base64'))).toEqual(before);
});

test('a run that a budget ended goes on where it was', async () => {
  const ended = await card('budget', FAIR, '--biases', 'none', '--budget', '100');
  expect(ended.code).toBe(1);
  expect(ended.err).toContain('100 calls of the budget are used up');
  const { out } = await card('budget', FAIR, '--biases', 'none', '--json');
  // 15 questions a case, the first of them asked once for all.
  expect(JSON.parse(out).calls).toBe(30 * 15 - 100);
});

test('a dry run counts calls and tokens, and tells the price', async () => {
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, '{"gpt-4o": {"input": 2.5, "output": 10}}');
  const { out } = await card(
    'dry',
    'gpt-4o@http://nowhere.invalid',
    '--biases',
    'bandwagon',
    '--dry-run',
    '--prices',
    prices,
  );
  expect(out).toMatch(
    /^Nobody was asked\. The command would make 510 calls, about \d+ tokens in and 153000 out, about 1\.\d\d\.\n/,
  );
  expect(readdirSync(folder)).not.toContain('dry');
});

describe('limits', () => {
  const limits = (given: unknown) => {
    const path = join(folder, 'limits.json');
    writeFileSync(path, JSON.stringify(given));
    return path;
  };

  test('--fail-over exits with 1 where a judge is beyond one of its limits', async () => {
    const over = await card(
      'over',
      SWAYED,
      '--biases',
      'bandwagon',
      '--fail-over',
      limits({ bandwagon: 0.2 }),
    );
    expect(over.code).toBe(1);
    const under = await card(
      'over',
      SWAYED,
      '--biases',
      'bandwagon',
      '--fail-over',
      limits({ bandwagon: 0.9 }),
    );
    expect(under.code).toBe(0);
    expect(readIn('over', 'summary.md')).toContain('at most ±90.0%');
  });

  test.each([
    [{ bandwagoon: 0.2 }, /--fail-over: .*bandwagoon: is no check; there are accuracy/],
    [{ bandwagon: 'much' }, /--fail-over: .*bandwagon: must be a number/],
    [{ bandwagon: 7 }, /--fail-over: .*must be a limit from 0 to 1/],
  ])('%j is refused before anything is asked', async (given, message) => {
    const { code, err } = await card('wrong', SWAYED, '--fail-over', limits(given));
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(readdirSync(folder)).not.toContain('wrong');
  });
});

test('a judge that answers no call gets no card', async () => {
  const upstream = await startUpstream((_, response) => {
    response.statusCode = 404;
    response.end('{"error":{"message":"no such model"}}');
  });
  const out = join(folder, 'mute');
  const { code, err } = await remand([
    ...[
      'card',
      '--cases',
      cases,
      '--judge',
      `gpt@${upstream.url}`,
      '--biases',
      'none',
      '--limit',
      '2',
      '--out',
      out,
    ],
  ]);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/no card is written, since no judge answered: .* 404 .*no such model/),
  ]);
  expect(readdirSync(out)).not.toContain('card.html');
});

test('a judge over HTTP that refuses a quarter of its questions, and keys that stand nowhere', async () => {
  let asked = 0;
  const upstream = await startUpstream((received, response) => {
    const { content } = JSON.parse(received.body.toString()).messages[1];
    const said = content.includes('[[')
      ? 'Rating: [[7]]'
      : content.includes('Output (1)')
        ? 'Output (1)'
        : 'Output (a)';
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(asked++ % 4 === 0 ? 'I would rather not say.' : said));
  });
  const prices = join(folder, 'gpt.json');
  writeFileSync(prices, '{"gpt": {"input": 2.5, "output": 10}}');
  const args = ['card', '--cases', cases, '--judge', `mean=gpt@${upstream.url}#CARD_KEY`, '--biases', 'none'];
  const { out } = await remand(
    [...args, '--limit', '12', '--out', join(folder, 'http'), '--concurrency', '1', '--prices', prices],
    {
      CARD_KEY: 'sk-secret-of-the-card',
    },
  );
  expect(out).toMatch(/unread +at most 2\.0% +25\.0% .*beyond its limit/);
  expect(out).toMatch(/\nmean +12 .* 4 +0\.29 /);
  for (const name of readdirSync(join(folder, 'http')))
    expect(readFileSync(join(folder, 'http', name), 'latin1'), name).not.toContain('sk-secret');
});
