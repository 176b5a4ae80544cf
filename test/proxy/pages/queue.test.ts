/** The labelling queue as a person uses it: nothing of the judge's on the page, keys alone, and labels that count. */
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { fair, firstPlaceLover, pairwise, RIGHT, stubborn, WRONG, whole } from '../judges.ts';
import { exchange, startProxy, startUpstream, until } from '../servers.ts';

const CHROMIUM = '/usr/bin/chromium';
const HOSTILE = '<img src=x onerror=alert(1)>';

async function judged() {
  const judges = { swayed: firstPlaceLover, stubborn, fair };
  const upstream = await startUpstream((received, response) =>
    whole(judges[JSON.parse(received.body.toString()).model as keyof typeof judges] ?? fair)(
      received,
      response,
    ),
  );
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (model: string, first = WRONG, second = RIGHT) => {
    const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-remand-biases': 'position' },
      body: pairwise(first, second, { model }),
    });
    return String(answer.headers['x-remand-trace']);
  };
  const ids = {
    fine: await ask('fair', RIGHT, `${WRONG} ${HOSTILE}`),
    moved: await ask('swayed'),
    kept: await ask('stubborn'),
  };
  const page = async (query = '') => {
    const { body } = await exchange(`${proxy.url}/remand/queue${query}`, {
      headers: { accept: 'text/html' },
    });
    const text = body.toString();
    return { text, id: /action="\/remand\/queue\/([^"]+)"/.exec(text)?.[1] ?? null };
  };
  const pick = (id: string, choice: string, headers: Record<string, string> = {}) =>
    exchange(`${proxy.url}/remand/queue/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ choice }),
    });
  const labels = async () =>
    (await exchange(`${proxy.url}/remand/labels`)).body
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await until(async () => (await page()).id !== null, 'the traces are kept');
  return { proxy, ids, page, pick, labels };
}

/** Under which number the page shows the text that is right. */
const placeOfRight = (text: string) => {
  const sections = text.split('<section>').slice(1);
  return String(sections.findIndex((section) => section.includes(`>${RIGHT}<`)) + 1);
};

test('what the judge insisted on comes first, and nothing that it said is on the page', async () => {
  const { ids, page } = await judged();
  const { text, id } = await page();
  expect(id).toBe(ids.kept);
  for (const told of ['insisted', 'stubborn', 'Output (a)', 'confidence', 'position', '/remand/traces/'])
    expect(text).not.toContain(told);
  expect(text).not.toContain('<img');
});

test('what a person picks is a label on both verdicts of the judge, and the next case comes', async () => {
  const { ids, page, pick, labels } = await judged();
  for (const expected of [ids.kept, ids.moved, ids.fine]) {
    const { text, id } = await page();
    expect(id).toBe(expected);
    expect((await pick(expected, placeOfRight(text))).status).toBe(303);
  }
  expect((await page()).text).toContain('Nothing to label');
  const byTrace = Object.fromEntries(
    (await labels()).map((label) => [label.trace, [label.before, label.after]]),
  );
  expect(byTrace).toEqual({
    [ids.kept]: [false, false],
    [ids.moved]: [false, true],
    [ids.fine]: [true, true],
  });
});

test('a case may be put off; what the page does not offer is refused, and so is another site', async () => {
  const { ids, page, pick, labels } = await judged();
  expect((await page(`?skip=${ids.kept}`)).id).toBe(ids.moved);
  expect((await pick(ids.kept, 'pass')).status).toBe(400);
  expect((await pick(ids.kept, '3')).status).toBe(400);
  expect((await pick('none', '1')).status).toBe(404);
  const foreign = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://elsewhere.example',
  };
  expect((await pick(ids.kept, '1', foreign)).status).toBe(403);
  expect(await labels()).toEqual([]);
});

test.skipIf(!existsSync(CHROMIUM))('in a browser, by keys alone, light, dark and on a phone', async () => {
  const { proxy, ids, labels } = await judged();
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  for (const scheme of ['light', 'dark']) {
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await tab.setViewport({ width: 375, height: 700 });
    await tab.goto(`${proxy.url}/remand/queue`);
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, scheme).toBe(false);
    if (process.env.SCREENSHOTS)
      await tab.screenshot({ path: `${process.env.SCREENSHOTS}/queue-${scheme}.png` });
  }
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press('s')]);
  expect(await tab.$eval('form', (form) => form.getAttribute('action'))).toBe(`/remand/queue/${ids.moved}`);
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press('0')]);
  expect(await labels()).toMatchObject([{ trace: ids.moved, before: false, after: false }]);
});
