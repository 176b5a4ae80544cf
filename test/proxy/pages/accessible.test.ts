/**
 * Every page as people see it, in light and dark, on a desk, a phone and paper: contrast and structure by axe (WCAG 2.2 AA),
 * nothing that has to be scrolled sideways on a phone, and no text below 12 px. Set SCREENSHOTS to a folder to look at them.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOn, setView, sidewaysParts, VIEWS, type View } from '../../views.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../judges.ts';
import { exchange, startProxy, startUpstream, until } from '../servers.ts';

const CHROMIUM = '/usr/bin/chromium';

const PAGES = [
  'dashboard',
  'story',
  'templates',
  'queue',
  'numbers',
  'agreement',
  'shadow',
  'filtered',
] as const;
type Shown = (typeof PAGES)[number];

/** A proxy that has judged four requests, of which one has a label. */
async function judged(): Promise<Record<Shown, string>> {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (first: string, second: string, more: Record<string, unknown> = {}) => {
    const { headers } = await exchange(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: pairwise(first, second, more),
    });
    return String(headers['x-remand-trace']);
  };
  const [revised = ''] = [
    await ask(WRONG, RIGHT),
    await ask(RIGHT, WRONG, { model: `a-name-without-an-end-${'x'.repeat(100)}` }),
    await ask(`${WRONG} ${'It is a long text. '.repeat(60)}`, RIGHT),
    await ask(RIGHT, `| a | b |\n|---|---|\n| ${'wide '.repeat(40)} | 1 |`),
  ];
  await until(async () => (await exchange(`${url}/remand/traces/${revised}`)).status === 200, 'kept');
  const labelled = await exchange(`${url}/remand/traces/${revised}/label`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ right: 'last' }),
  });
  expect(labelled.status).toBe(200);
  return {
    dashboard: `${url}/remand`,
    story: `${url}/remand/traces/${revised}`,
    templates: `${url}/remand/templates`,
    queue: `${url}/remand/queue`,
    numbers: `${url}/remand/numbers`,
    agreement: `${url}/remand/agreement`,
    shadow: await inShadow(),
    filtered: `${url}/remand?status=insisted`,
  };
}

/** The dashboard of a proxy in shadow. */
async function inShadow(): Promise<string> {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_MODE: 'shadow' });
  await exchange(`${url}/v1/chat/completions`, { method: 'POST', body: pairwise(WRONG, RIGHT) });
  await until(
    async () => (await exchange(`${url}/remand`)).body.toString().includes('1 judgment'),
    'the judgment is kept',
  );
  return `${url}/remand`;
}

describe.skipIf(!existsSync(CHROMIUM))('in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(() => browser?.close());

  test.each(Object.keys(VIEWS) as View[])(
    'every page: %s',
    async (view) => {
      const pages = await judged();
      const page = await browser.newPage();
      await setView(page, view);
      const faults: Partial<Record<Shown, readonly string[]>> = {};
      for (const shown of PAGES) {
        const response = await page.goto(pages[shown]);
        expect(response?.status(), shown).toBe(200);
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `${shown}-${view}.png`), fullPage: true });
        }
        const found = [
          ...(await faultsOn(page, view)),
          ...(view === 'phone' ? await sidewaysParts(page) : []),
        ];
        if (found.length > 0) faults[shown] = found;
      }
      await page.close();
      expect(faults).toEqual({});
    },
    60_000,
  );
});
