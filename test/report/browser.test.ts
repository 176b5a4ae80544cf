/** The page as a reader opens it: from disk, in a real browser, in both schemes and on paper. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { expect, test } from 'vitest';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { faultsOn, setView, sidewaysParts, VIEWS, type View } from '../views.ts';
import { EVERY_KIND } from './all-kinds.ts';

const CHROMIUM = '/usr/bin/chromium';
const RESULTS = Object.values(EVERY_KIND);

test.skipIf(!existsSync(CHROMIUM))(
  `opens from file:// without an error or a request, fits its width, prints (skipped without ${CHROMIUM})`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remand-report-'));
    const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 0 });
    try {
      const file = join(folder, 'report.html');
      // The first one twice, as of two runs.
      const reported = [...RESULTS, ...RESULTS.slice(0, 1)].flatMap((value, n) => {
        const result = recogniseResult(value);
        return result ? [{ source: `run-${n}/result.json`, result, cases: new Map() }] : [];
      });
      writeFileSync(file, await renderReport('A report', reported));
      const page = await browser.newPage();
      // The test's own limit is enough.
      page.setDefaultTimeout(0);
      const said: string[] = [];
      const requested: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('request', (request) => requested.push(request.url()));
      const shots: Uint8Array[] = [];
      for (const scheme of ['light', 'dark']) {
        await page.setViewport({ width: 1280, height: 900 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(pathToFileURL(file).href);
        shots.push(await page.screenshot());
        const seen = await page.evaluate(() => ({
          sections: document.querySelectorAll('section').length,
          wide: document.documentElement.scrollWidth,
          invisible: [...document.querySelectorAll('svg')].filter(
            (svg) => svg.checkVisibility() && svg.getBoundingClientRect().height < 50,
          ).length,
          // Words drawn over each other cannot be read. Turned ones lie in boxes that overlap where they do not.
          overlapping: [...document.querySelectorAll('svg')].flatMap((svg) => {
            const words = [...svg.querySelectorAll('text')].filter(
              (one) => !/rotate/.test(one.getAttribute('transform') ?? ''),
            );
            const boxes = words.map((one) => ({ one, box: one.getBoundingClientRect() }));
            return boxes.flatMap(({ one, box }, index) =>
              boxes.slice(index + 1).flatMap((other) => {
                const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
                const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
                return wide > 2 && high > 4 ? [`${one.textContent} / ${other.one.textContent}`] : [];
              }),
            );
          }),
        }));
        expect(seen).toEqual({ sections: RESULTS.length + 1, wide: 1280, invisible: 0, overlapping: [] });
      }
      expect(shots.map((shot) => shot.length > 50_000)).toEqual([true, true]);
      expect(Buffer.from(shots[0] ?? []).equals(Buffer.from(shots[1] ?? []))).toBe(false);
      const faults: Record<string, readonly string[]> = {};
      for (const view of Object.keys(VIEWS) as View[]) {
        await setView(page, view);
        await page.goto(pathToFileURL(file).href);
        const { SCREENSHOTS: shown } = process.env;
        if (shown) await page.screenshot({ path: `${shown}/report-${view}.png`, fullPage: true });
        const found = await faultsOn(page, view);
        // Paper cannot be scrolled.
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('table')]
            .filter((table) => table.getBoundingClientRect().right > innerWidth + 1)
            .map((table) => `a table is cut: ${table.textContent?.trim().slice(0, 60)}`),
        );
        if (view === 'print') found.push(...cut);
        if (view === 'phone') found.push(...(await sidewaysParts(page)));
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('figure svg')]
            .filter((svg) => svg.checkVisibility() && svg.getBoundingClientRect().right > innerWidth)
            .map(
              (svg) => `a chart is wider than the page: ${svg.closest('figure')?.textContent?.slice(0, 60)}`,
            ),
        );
        found.push(...wide);
        if (found.length > 0) faults[view] = found;
      }
      await page.emulateMediaType('screen');
      expect(faults).toEqual({});
      expect((await page.pdf({ format: 'A4', printBackground: true })).length).toBeGreaterThan(20_000);
      expect(said).toEqual([]);
      expect(new Set(requested)).toEqual(new Set([pathToFileURL(file).href]));
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  },
);
