/**
 * Models side by side as a Python list of maps, their answers between triple quotes, as alpaca_eval's rankings
 * and its m-or-M prompts set them: `{"model": "model_1", "answer": """…"""}`, `{"model_identifier": "m",
 * "output": """…"""}`.
 *
 * The names stay and the answers move. Nothing escapes a triple quote in an answer, so every one of the page has
 * to be a delimiter, and names that could be authors' are none of a slot: both are left alone.
 */
import type { Span } from '../types.ts';
import type { Finding, Layout, Page } from './layout.ts';
import { countUp } from './titles.ts';

const ENTRY =
  /\{\s{0,40}["'](model|model_identifier|model_name)["']\s{0,4}:\s{0,4}["']([\w.-]{1,40})["'],\s{0,40}["'](output|answer|response|result)["']\s{0,4}:\s{0,4}"""/g;
const ASKED = /["'](?:instruction|prompt|question|input)["']\s{0,4}:\s{0,4}"""/g;
const QUOTES = '"""';

export const leaderboard: Layout = {
  name: 'leaderboard',
  find: (pages) => pages.flatMap(findOn),
};

interface Entry {
  readonly name: string;
  readonly opens: Span;
  readonly at: Span;
  readonly closes: Span;
}

function findOn(page: Page): Finding[] {
  if (!page.text.includes(QUOTES)) return [];
  const entries = quotedAfter(page, ENTRY);
  if (entries.length === 0) return [];
  const asked = quotedAfter(page, ASKED).filter(({ at }) => at.end < (entries[0]?.opens.start ?? 0));
  const all = [...asked, ...entries];
  const quotes = page.text.slice(page.start, page.end).split(QUOTES).length - 1;
  const apart = all.every(({ opens }, i) => i === 0 || opens.start >= (all[i - 1]?.closes.end ?? 0));
  const closed = entries.every(({ closes }) => /^\s*\}/.test(page.text.slice(closes.end, closes.end + 80)));
  const sound =
    quotes === 2 * all.length &&
    apart &&
    closed &&
    asked.length < 2 &&
    areSlots(entries.map(({ name }) => name));
  return [
    {
      layout: 'leaderboard',
      single: false,
      noun: 'model',
      usual: '{}',
      evident: true,
      exactCase: true,
      marks: entries.flatMap(({ opens, closes }) => [opens, closes]),
      options: sound ? entries.map(({ name, at }) => ({ label: name, at })) : [],
      instruction: sound ? (asked[0]?.at ?? null) : null,
      labelled: asked.length > 0,
      style: 'map',
      closed: sound ? all.map(({ at }) => at) : [],
      after: { part: page.part, offset: entries.at(-1)?.closes.end ?? page.end },
    },
  ];
}

/** What stands between each opening and the next triple quote; an opening inside a quoted text is none. */
function quotedAfter(page: Page, opening: RegExp): Entry[] {
  const found: Entry[] = [];
  for (const match of page.text.slice(page.start, page.end).matchAll(opening)) {
    const start = page.start + match.index;
    const from = start + match[0].length;
    const to = page.text.indexOf(QUOTES, from);
    if (to < 0 || to >= page.end) continue;
    const span = (a: number, b: number): Span => ({ part: page.part, start: a, end: b });
    found.push({
      name: match[2] ?? '',
      opens: span(start, from),
      at: span(from, to),
      closes: span(to, to + QUOTES.length),
    });
  }
  return found;
}

/** Names that stand for a place and not for whoever wrote the answer. */
function areSlots(names: readonly string[]): boolean {
  if (names.join() === 'm,M') return true;
  const keys = names.map((name) => /^(?:model|system|assistant)_?(\d{1,2}|[a-zA-Z])$/i.exec(name)?.[1] ?? '');
  return countUp(keys);
}
