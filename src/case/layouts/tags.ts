/**
 * Tags as in XML: `<response_a>…</response_a>`, `<text index="0">…</text>` (promptfoo), `<output>…</output>`
 * (openevals). An opening tag counts at the start of a line or right after another tag, so that a sentence
 * about `<response_a>` is not one; of closing tags there must be as many.
 */
import { type Checkpoint, FEW } from '../checkpoint.ts';
import { trimmed } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import { bodies } from './bodies.ts';
import { instructionBefore, kept } from './instruction.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { asWords, countUp, readTitle, type Title } from './titles.ts';

interface Tag extends Title {
  readonly page: Page;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly opens: boolean;
  readonly label: string;
  /** Its attributes, less the one that tells it apart. */
  readonly attributes: string;
}

const TAG =
  /<(\/?)([A-Za-z][\w-]{0,40})((?:\s{1,4}[\w-]{1,30}=(?:"[^"<>\n]{0,60}"|'[^'<>\n]{0,60}')){0,6})\s{0,4}>/g;
const KEY = /\s(?:index|id|label|key|number|letter|name)=["']\s*(?:[a-z]+[ _-])?([a-z]|\d{1,2})\s*["']/i;

export const tags: Layout = {
  name: 'tags',
  find(pages, marks, checkpoint) {
    const found = pages.flatMap((page) => tagsOn(page, checkpoint));
    const several = found.filter((tag) => tag.role === 'option');
    const alone = found.filter((tag) => tag.role === 'single');
    const sets = [
      ...Map.groupBy(several, ({ noun }) => noun).values(),
      ...Map.groupBy(alone, ({ name }) => name).values(),
    ];
    return sets.flatMap((set) =>
      set.some((tag) => !tag.opens) && set.some((tag) => tag.opens) ? [read(pages, marks, found, set)] : [],
    );
  },
};

function tagsOn(page: Page, checkpoint: Checkpoint): Tag[] {
  if (!page.text.includes('<')) return [];
  const found: Tag[] = [];
  /** Which names opened with a key in an attribute: their closing tags have none. */
  const attributed = new Set<string>();
  let seen = 0;
  for (const match of page.text.slice(page.start, page.end).matchAll(TAG)) {
    if (seen++ % FEW === 0) checkpoint();
    const start = page.start + match.index;
    const opens = match[1] === '';
    const name = (match[2] ?? '').toLowerCase();
    const key = opens ? KEY.exec(match[3] ?? '')?.[1] : undefined;
    // openevals' RAG prompts hold one answer in `<outputs>`.
    const spaced = asWords(match[2] ?? '').replace(/^(input|output)s$/i, '$1');
    if (key !== undefined) attributed.add(name);
    const closesKeyed = !opens && attributed.has(name);
    const title = readTitle(key === undefined && !closesKeyed ? spaced : `${spaced} ${key ?? '1'}`);
    if (!title || (opens && !standsOut(page, start))) continue;
    const label = key === undefined ? spaced : `${spaced} ${key}`;
    const attributes = (match[3] ?? '').replace(KEY, '').replace(/\s+/g, ' ').trim();
    found.push({ ...title, page, start, end: start + match[0].length, name, opens, label, attributes });
  }
  return found;
}

/** Nothing but white space and tags in front of it on its line. */
function standsOut(page: Page, start: number): boolean {
  const near = page.text.slice(Math.max(page.start, start - 200), start);
  const ahead = near.slice(near.lastIndexOf('\n') + 1).trimEnd();
  return ahead === '' || ahead.endsWith('>');
}

function read(
  pages: readonly Page[],
  marks: readonly Mark[],
  all: readonly Tag[],
  set: readonly Tag[],
): Finding {
  const opening = set.filter((tag) => tag.opens);
  const regions = pair(set);
  const single = set[0]?.role === 'single';
  // What else a tag says of its option (an author, a date) would stay behind in an exchange.
  const alike = new Set(opening.map(({ attributes }) => attributes)).size === 1;
  const sound = single ? opening.length === 1 : alike && countUp(opening.map((tag) => tag.key ?? ''));
  const found = regions && sound ? bodies(pages, regions) : null;
  const [first, last] = [opening[0], set.at(-1)];
  const asked = first ? instructionTag(all, first) : null;
  const ahead = first ? instructionBefore(pages, marks, [{ ...first, style: 'tag' }]) : null;
  return {
    layout: 'tags',
    single,
    noun: first?.noun ?? 'response',
    usual: null,
    evident: false,
    marks: set.map(({ page, start, end }) => ({ part: page.part, start, end })),
    options: found
      ? opening.flatMap((tag, i) => {
          const at = found[i];
          return at ? [{ label: tag.label, at }] : [];
        })
      : [],
    instruction: asked ?? ahead?.at ?? null,
    labelled: asked !== null,
    style: 'tag',
    closed: found && regions ? [...regions, ...(asked ? [asked] : [])] : [],
    after: { part: last?.page.part ?? 0, offset: last?.end ?? 0 },
  };
}

/** What stands between each opening tag and its closing one; null where they do not alternate. */
function pair(set: readonly Tag[]): Span[] | null {
  const regions: Span[] = [];
  for (let i = 0; i < set.length; i += 2) {
    const [open, close] = [set[i], set[i + 1]];
    if (!open?.opens || !close || close.opens || open.name !== close.name || open.page !== close.page)
      return null;
    regions.push({ part: open.page.part, start: open.end, end: close.start });
  }
  return regions;
}

/** What stands in it, without statements at either end. */
function instructionTag(all: readonly Tag[], first: Tag): Span | null {
  const opening = all.filter(
    (tag) => tag.role === 'instruction' && tag.opens && tag.page === first.page && tag.start < first.start,
  );
  // `<Instructions>` beside an `<input>` tell the judge what to do (openevals).
  const open = opening.find(({ noun }) => !/^instructions?$/.test(noun)) ?? opening[0];
  if (!open) return null;
  const close = all.findLast(
    (tag) => tag.name === open.name && !tag.opens && tag.page === open.page && tag.start < first.start,
  );
  if (!close || close.start < open.end) return null;
  const region = { part: open.page.part, start: open.end, end: close.start };
  return (
    kept(open.page, region.start, region.end) ?? { part: region.part, ...trimmed(open.page.text, region) }
  );
}
