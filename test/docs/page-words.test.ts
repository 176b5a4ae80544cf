/** Every page of a running Remand, and every kind of report, is easy to read: short sentences, and Flesch's reading ease. */
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { LEAST_EASE, MOST_WORDS, readingEase, readWords, type Sentence } from '../../dev/readability.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { EVERY_KIND } from '../report/all-kinds.ts';
import { readPage } from '../report/read-page.ts';

/** Each of these ends the sentence it holds. */
const BLOCKS = 'title, h1, h2, h3, h4, p, li, dt, dd, figcaption, label, button, summary, legend, th, td';
/** What was judged, names and figures: not words of ours. */
const OTHERS = '.text, pre, code, svg, script, style, select, textarea, .origin';
/** Where a text may be a fragment. */
const FRAGMENTS = /^(?:title|h\d|dt|label|button|summary|legend|th|td)$/;

function sentencesOf(html: string): Sentence[] {
  const { document } = parseHTML(html);
  for (const other of document.querySelectorAll(OTHERS)) other.replaceWith(document.createTextNode(' code '));
  return [...document.querySelectorAll(BLOCKS)].flatMap((block) => {
    if (block.querySelector(BLOCKS)) return [];
    const text = (block.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    return readWords(text, !FRAGMENTS.test(block.localName));
  });
}

function expectEasy(sentences: readonly Sentence[]): void {
  const tooLong = sentences.filter(({ words }) => words.length > MOST_WORDS);
  expect(tooLong.map(({ words, text }) => `${words.length} words: ${text}`)).toEqual([]);
  expect(readingEase(sentences)).toBeGreaterThan(LEAST_EASE);
}

test.each(Object.entries(EVERY_KIND))('a report of %s', async (_, value) => {
  expectEasy(sentencesOf((await readPage(value)).page));
});

/** Every page that a link of another leads to, by its path. */
async function crawl(url: string, from: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const open = [...from];
  for (let path = open.shift(); path !== undefined && pages.size < 40; path = open.shift()) {
    if (pages.has(path)) continue;
    const reply = await exchange(url + path, { headers: { accept: 'text/html' } });
    if (!String(reply.headers['content-type']).startsWith('text/html')) continue;
    const html = reply.body.toString();
    pages.set(path, html);
    for (const link of parseHTML(html).document.querySelectorAll('a[href]')) {
      const { origin, pathname, search } = new URL(link.getAttribute('href') ?? '', url + path);
      if (origin === new URL(url).origin) open.push(pathname + search);
    }
  }
  return pages;
}

test('every page of a running Remand', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (first: string, second: string) => {
    const body = pairwise(first, second);
    const { headers } = await exchange(`${url}/v1/chat/completions`, { method: 'POST', body });
    return String(headers['x-remand-trace']);
  };
  const empty = await crawl(url, ['/remand']);
  const [first, second] = [await ask(WRONG, RIGHT), await ask(RIGHT, WRONG)];
  await until(async () => (await exchange(`${url}/remand/traces/${second}`)).status === 200, 'kept');
  await exchange(`${url}/remand/traces/${first}/label`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ right: 'last' }),
  });
  const pages = await crawl(url, ['/remand', `/remand/traces/${first}`, '/remand/traces/none', '/nowhere']);
  expect(pages.size).toBeGreaterThan(8);
  for (const html of [...empty.values(), ...pages.values()]) expectEasy(sentencesOf(html));
});
