/** The labelling queue as a person uses it: nothing of the judge's on the page, keys alone, and labels that count. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { fair, firstPlaceLover, pairwise, RIGHT, replyBody, stubborn, WRONG, whole } from '../judges.ts';
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
    return { text, id: /action="[./]*remand\/queue\/([^"]+)"/.exec(text)?.[1] ?? null };
  };
  const pick = (
    id: string,
    choice: string,
    headers: Record<string, string> = {},
    rest: Record<string, unknown> = {},
  ) =>
    exchange(`${proxy.url}/remand/queue/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ choice, ...rest }),
    });
  const labels = async () =>
    (await exchange(`${proxy.url}/remand/labels`)).body
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await until(async () => (await page()).id !== null, 'the traces are kept');
  return { proxy, ids, page, pick, labels, ask };
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

/** Whether it is one of the tenth that two people label. */
const isSecond = (id: string) => createHash('sha256').update(`${id}\nsecond`).digest().readUInt8() < 26;

test("a tenth is shown to a second person, without the first one's answer, and the two are compared", async () => {
  const { proxy, ids, page, pick, ask } = await judged();
  const all = Object.values(ids);
  while (all.filter(isSecond).length < 2) all.push(await ask('fair', RIGHT, WRONG));
  for (const _ of all) {
    const { text, id } = await page('?as=anna');
    await pick(String(id), placeOfRight(text), {}, { as: 'anna' });
  }
  expect((await page('?as=anna')).id).toBeNull();
  const seen: string[] = [];
  for (;;) {
    const { text, id } = await page('?as=ben');
    if (id === null) break;
    expect(text).not.toContain('anna');
    seen.push(id);
    await pick(id, placeOfRight(text), {}, { as: 'ben' });
  }
  expect(seen.sort()).toEqual(all.filter(isSecond).sort());
  const agreement = JSON.parse((await exchange(`${proxy.url}/remand/agreement`)).body.toString());
  expect(agreement.people).toMatchObject([{ first: 'anna', second: 'ben', n: seen.length }]);
  expect(agreement.judges.map(({ judge, n }: { judge: string; n: number }) => [judge, n])).toContainEqual([
    'stubborn',
    1,
  ]);
  const { body } = await exchange(`${proxy.url}/remand/agreement`, { headers: { accept: 'text/html' } });
  expect(body.toString()).toContain('>ben</td>');
});

test('agreement counts what people said on stories, too, and says which labels leave open what is right', async () => {
  const { proxy, ids, ask } = await judged();
  const label = (id: string, right: string) =>
    exchange(`${proxy.url}/remand/traces/${id}/label`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ right }),
    });
  // The judge is right on half of them, and wrong on the other half.
  for (let n = 0; n < 12; n++) {
    const [first, second] = n % 4 < 2 ? [RIGHT, WRONG] : [WRONG, RIGHT];
    const id = await ask('fair', first, `${second} ${n}`);
    await until(async () => (await label(id, n % 2 === 0 ? 'both' : 'neither')).status === 200, 'it is kept');
  }
  await label(ids.moved, 'neither');
  const agreement = JSON.parse((await exchange(`${proxy.url}/remand/agreement`)).body.toString());
  expect(agreement).toMatchObject({
    judges: [{ judge: 'fair', n: 12, kappa: { value: expect.closeTo(0) } }],
    open: 1,
  });
  const { body } = await exchange(`${proxy.url}/remand/agreement`, { headers: { accept: 'text/html' } });
  expect(body.toString()).toContain('Labels that leave open what is right: 1.');
});

test('for the rulings: what moved comes first until the ruling is settled', async () => {
  const { proxy, ids, page, pick, ask } = await judged();
  const moved = [
    ids.moved,
    await ask('swayed'),
    await ask('swayed'),
    await ask('swayed'),
    await ask('swayed'),
  ];
  const picked: string[] = [];
  for (;;) {
    const { text, id } = await page('?for=rulings');
    if (id === ids.kept) break;
    picked.push(String(id));
    expect((await pick(String(id), placeOfRight(text), {}, { for: 'rulings' })).headers.location).toContain(
      'for=rulings',
    );
  }
  // Four verdicts that turned right and none wrong: sending back helps with probability .97.
  expect(picked).toHaveLength(4);
  expect(moved).toEqual(expect.arrayContaining(picked));
  const { rulings } = JSON.parse((await exchange(`${proxy.url}/remand/agreement`)).body.toString());
  expect(rulings).toEqual([{ judge: 'swayed', bias: 'position', better: 4, worse: 0, isOpen: false }]);
});

test('labels of cases that were chosen are marked, so that no promise rests on them', async () => {
  const { proxy, page, pick } = await judged();
  const unsure = await page();
  await pick(String(unsure.id), placeOfRight(unsure.text));
  const drawn = await page(`?for=sample&skip=${unsure.id}`);
  expect(drawn.text).toContain('name="random" value="true"');
  await pick(String(drawn.id), placeOfRight(drawn.text), {}, { for: 'sample', random: true });
  const records = (await exchange(`${proxy.url}/remand/records`)).body.toString().trim().split('\n');
  const marks = records.map((line) => JSON.parse(line)).filter(({ label }) => label !== undefined);
  expect(new Set(marks.map(({ item, random }) => `${item} ${random}`))).toEqual(
    new Set([`${unsure.id} false`, `${drawn.id} true`]),
  );
});

test('a sample is drawn among all cases: those that were chosen and labelled come again and count as drawn', async () => {
  const { proxy, ids, page, pick } = await judged();
  const label = async (aim: string) => {
    const { text, id } = await page(`?for=${aim}`);
    const random = /name="random" value="(\w+)"/.exec(text)?.[1];
    if (id !== null) await pick(id, placeOfRight(text), {}, { for: aim, random });
    return id;
  };
  for (const chosen of [ids.kept, ids.moved]) expect(await label('unsure')).toBe(chosen);
  const drawn = [await label('sample'), await label('sample'), await label('sample')];
  expect(drawn.toSorted()).toEqual(Object.values(ids).toSorted());
  expect(await label('sample')).toBeNull();
  // What others say afterwards, and a second thought on the story, leave a case drawn.
  for (const path of [`labels`, `traces/${ids.moved}/label`])
    await exchange(`${proxy.url}/remand/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        path === 'labels' ? { item: ids.kept, label: 1, annotator: 'anna' } : { right: 'last' },
      ),
    });
  const records = (await exchange(`${proxy.url}/remand/records`)).body.toString().trim().split('\n');
  expect(records.map((line) => JSON.parse(line).random)).toEqual(records.map(() => true));
});

test('a drawn case stays drawn where the same person labels it again, in a file or in the queue', async () => {
  const { proxy, ids, pick, labels } = await judged();
  const post = (...lines: unknown[]) =>
    exchange(`${proxy.url}/remand/labels`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
  const drawn = { item: ids.kept, label: 0, annotator: 'anna', random: true };
  await post(drawn);
  await post({ item: ids.kept, label: 1, annotator: 'anna' });
  expect(await labels()).toMatchObject([{ who: 'anna', decision: 1, random: true }]);
  await pick(ids.kept, 'tie', {}, { as: 'anna' });
  expect(await labels()).toMatchObject([{ who: 'anna', decision: 'tie', random: true }]);
  // Twice in one file.
  await post({ ...drawn, annotator: 'bea' }, { item: ids.kept, label: 1, annotator: 'bea' });
  expect((await labels())[1]).toMatchObject({ who: 'bea', decision: 1, random: true });
});

test('a score is typed and a category picked; both are compared with what the judge said', async () => {
  const upstream = await startUpstream((received, response) => {
    const { content } = JSON.parse(received.body.toString()).messages[0];
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(String(content).includes('rating') ? 'Rating: 7' : '{"label": "unfaithful"}'));
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (orders: string, rest: Record<string, unknown> = {}) => {
    const options = [{ label: 'Text', text: RIGHT }];
    const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'test-judge',
        messages: [{ role: 'user', content: `Text:\n${RIGHT}\n\n${orders}` }],
        remand: { case: { options } },
        ...rest,
      }),
    });
    return String(headers['x-remand-trace']);
  };
  const score = await ask('Give a rating from 1 to 10. Reply with "Rating: <number>".');
  const schema = {
    type: 'object',
    properties: { label: { type: 'string', enum: ['faithful', 'unfaithful'] } },
    required: ['label'],
    additionalProperties: false,
  };
  const category = await ask('Is the response faithful or unfaithful?', {
    response_format: { type: 'json_schema', json_schema: { name: 'kind', strict: true, schema } },
  });
  const pick = (id: string, choice: unknown) =>
    exchange(`${proxy.url}/remand/queue/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ choice }),
    });
  await until(async () => (await pick(category, 'none')).status === 400, 'the traces are kept');
  expect((await pick(score, 11)).status).toBe(400);
  expect((await pick(score, 'good')).status).toBe(400);
  expect((await pick(score, 6)).status).toBe(303);
  expect((await pick(category, 'B')).status).toBe(400);
  expect((await pick(category, 'unfaithful')).status).toBe(303);
  const lines = (await exchange(`${proxy.url}/remand/labels`)).body.toString().trim().split('\n');
  const labels = new Map(lines.map((line) => JSON.parse(line)).map((label) => [label.trace, label]));
  expect(labels.get(score)).toMatchObject({ decision: 6, judged: 7, after: false });
  expect(labels.get(category)).toMatchObject({ decision: 'unfaithful', judged: 'unfaithful', after: true });
});

test('labels are imported as they are exported, all of a file or none', async () => {
  const { proxy, ids, labels } = await judged();
  const post = (lines: unknown[]) =>
    exchange(`${proxy.url}/remand/labels`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
  const wrong = await post([
    { item: ids.kept, label: 1 },
    { item: ids.moved, lable: 1 },
  ]);
  expect([wrong.status, wrong.body.toString()]).toEqual([400, expect.stringContaining('line 2')]);
  const missing = await post([{ item: 'none', label: 1 }]);
  expect(missing.body.toString()).toContain('no trace');
  expect(await labels()).toEqual([]);
  const sent = [
    { item: ids.kept, label: 1, annotator: 'cleo' },
    { item: ids.fine, label: 0, annotator: 'cleo', random: true },
  ];
  expect(JSON.parse((await post(sent)).body.toString())).toEqual({ labels: 2 });
  const kept = (await labels()).map(({ trace, who, after, random }) => [trace, who, after, random]);
  expect(kept).toEqual(
    expect.arrayContaining([
      [ids.kept, 'cleo', false, false],
      [ids.fine, 'cleo', true, true],
    ]),
  );
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
  expect(await tab.$eval('form', (form) => form.getAttribute('action'))).toBe(`../remand/queue/${ids.moved}`);
  await Promise.all([tab.waitForNavigation(), tab.keyboard.down('0')]);
  // Held down, the key repeats on the page of the next case, which nobody has read.
  for (let time = 0; time < 3; time++) await tab.keyboard.down('0');
  await tab.keyboard.up('0');
  expect(await tab.$eval('form', (form) => form.getAttribute('action'))).toBe(`../remand/queue/${ids.kept}`);
  const clicked = await tab.evaluate(() => {
    const names: (string | null)[] = [];
    document.addEventListener('click', (event) => {
      names.push((event.target as Element).getAttribute('data-key'));
      event.preventDefault();
    });
    for (const key of ['1', '2'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return names;
  });
  expect(clicked).toEqual(['1']);
  expect(await labels()).toMatchObject([{ trace: ids.moved, before: false, after: false }]);
  await tab.goto(`${proxy.url}/remand/agreement`);
  expect(await tab.$eval('h1', (h1) => h1.textContent)).toBe('Agreement');
  expect(await tab.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  if (process.env.SCREENSHOTS)
    await tab.screenshot({ path: `${process.env.SCREENSHOTS}/agreement.png`, fullPage: true });
});
