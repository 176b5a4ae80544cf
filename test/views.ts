/** Pages as people see them, and what is wrong with how they look: for tests in Chromium. */
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

/** No text is drawn smaller, in CSS pixels. Paper cannot be scrolled: wide drawings are made to fit it. */
const SMALLEST_PX = { screen: 12, print: 9 } as const;

export const VIEWS = {
  light: { width: 1280, height: 900, scheme: 'light', media: 'screen' },
  dark: { width: 1280, height: 900, scheme: 'dark', media: 'screen' },
  phone: { width: 375, height: 700, scheme: 'light', media: 'screen' },
  print: { width: 794, height: 1123, scheme: 'light', media: 'print' },
} as const;
export type View = keyof typeof VIEWS;

export async function setView(page: Page, view: View): Promise<void> {
  const { width, height, scheme, media } = VIEWS[view];
  await page.setViewport({ width, height });
  // In one call: puppeteer's two put the medium back where the features are set, and the other way round.
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', {
    media,
    features: [{ name: 'prefers-color-scheme', value: scheme }],
  });
  const isSet = await page.evaluate(
    (query) => matchMedia(query).matches,
    `${media} and (prefers-color-scheme: ${scheme})`,
  );
  if (!isSet) throw new Error(`the browser does not show ${media} in ${scheme}`);
}

/** What is wrong with an open page: by axe (WCAG 2.2 AA, and names of parts), text that is too small, what has to be scrolled sideways. */
export async function faultsOn(page: Page, view: View): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  return [
    // Nobody taps paper.
    ...(await brokenRules(page)).filter((fault) => view !== 'print' || !fault.startsWith('target-size')),
    ...(await smallTexts(page, SMALLEST_PX[VIEWS[view].media])),
    ...(wide > VIEWS[view].width ? [`is ${wide} px wide`] : []),
  ];
}

/** What axe finds, as rule and element. */
async function brokenRules(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { axe: typeof axe };
    // Of elements that break no rule axe would write down the selectors, too, which takes most of its time.
    const resultTypes: ['violations'] = ['violations'];
    return run.run(document, {
      ...{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes },
      // Beyond WCAG: what cannot be told apart by ear.
      rules: { 'landmark-unique': { enabled: true }, 'empty-table-header': { enabled: true } },
    });
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)}: ${failureSummary?.slice(0, 200)}`),
  );
}

/** Parts of the page that are wider than what is shown of them, as a table in a box with a scroll bar is. */
export const sidewaysParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX),
      )
      .map((one) => `has to be scrolled sideways: ${one.tagName} ${one.className}, ${one.scrollWidth} px`),
  );

/** Texts that are drawn smaller than that, those in drawings as they are scaled. */
const smallTexts = (page: Page, smallest: number) =>
  page.evaluate((least) => {
    const small: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.textContent?.trim() || parent.getClientRects().length === 0) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize);
      const drawn = parent instanceof SVGGraphicsElement ? parent.getScreenCTM() : null;
      // Turned text is as large as before.
      const scale = drawn ? Math.hypot(drawn.a, drawn.b) : 1;
      if (size * scale < least - 0.01)
        small.push(`${(size * scale).toFixed(1)} px: ${node.textContent.trim()}`);
    }
    return small;
  }, smallest);
