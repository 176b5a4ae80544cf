/**
 * Texts between a start and an end of their own: tags (`<response_a>…</response_a>`, `<text index="0">…</text>`), and
 * brackets on a line of their own (`[The Start of Assistant A's Answer] … [The End of Assistant A's Answer]`, `<|…|>`,
 * `[Response A] … [/Response A]`).
 *
 * An opening tag counts at the start of a line or right after another tag, so that a sentence about `<response_a>` is
 * not one; of ends there must be as many as of starts.
 */
import { type Checkpoint, FEW } from '../checkpoint.ts';
import type { Span } from '../types.ts';
import { bodies, stretch } from './bodies.ts';
import { instructionBefore, trimStatements } from './instruction-before.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { linesIn, trimRange } from './lines.ts';
import { asWords, countUp, readTitle, type Title } from './titles.ts';

interface Bound extends Title {
  readonly style: 'tag' | 'bracket';
  readonly page: Page;
  readonly start: number;
  readonly end: number;
  readonly opens: boolean;
  /** What a start and its end have in common. */
  readonly name: string;
  readonly label: string;
  /** What else a tag says: an author, a date. It would stay behind in an exchange. */
  readonly attributes: string;
}

export const enclosed: Layout = {
  name: 'enclosed',
  find(pages, marks, checkpoint) {
    const found = pages.flatMap((page) => [...tagsOn(page, checkpoint), ...bracketsOn(page)]);
    const judged = found.filter(({ role }) => role !== 'instruction');
    const sets = Map.groupBy(judged, (one) => `${one.style} ${one.key === null ? one.name : one.noun}`);
    return [...sets.values()].flatMap((set) =>
      set.some(({ opens }) => !opens) && set.some(({ opens, style }) => opens || style === 'bracket')
        ? [readSet(pages, marks, found, set)]
        : [],
    );
  },
};

const TAG =
  /<(\/?)([A-Za-z][\w-]{0,40})((?:\s{1,4}[\w-]{1,30}=(?:"[^"<>\n]{0,60}"|'[^'<>\n]{0,60}')){0,6})\s{0,4}>/g;
const KEY = /\s(?:index|id|label|key|number|letter|name)=["']\s*(?:[a-z]+[ _-])?([a-z]|\d{1,2})\s*["']/i;

function tagsOn(page: Page, checkpoint: Checkpoint): Bound[] {
  if (!page.text.includes('<')) return [];
  const found: Bound[] = [];
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
    if (!title || !/^(?:option|single|instruction)$/.test(title.role) || (opens && !standsOut(page, start)))
      continue;
    const label = key === undefined ? spaced : `${spaced} ${key}`;
    const attributes = (match[3] ?? '').replace(KEY, '').replace(/\s+/g, ' ').trim();
    const at = { page, start, end: start + match[0].length };
    found.push({ ...title, ...at, style: 'tag', name, opens, label, attributes });
  }
  return found;
}

/** Nothing but white space and tags in front of it on its line. */
function standsOut(page: Page, start: number): boolean {
  const near = page.text.slice(Math.max(page.start, start - 200), start);
  const ahead = near.slice(near.lastIndexOf('\n') + 1).trimEnd();
  return ahead === '' || ahead.endsWith('>');
}

/** No bracket is longer. */
const LONGEST = 100;
const START_END = /^(?:\[|<\|)the (start|end) of ([^\]|]{1,100}?)(?:['’]s ([^\]|]{0,100}))?(?:\]|\|>)$/i;
/** The first Vicuna prompts close with `[End of Assistant 1]`. */
const SLASHED = /^\[(\/|end of |)([^\][/]+)\]$/i;

function bracketsOn(page: Page): Bound[] {
  if (!page.text.includes('[') && !page.text.includes('<|')) return [];
  return linesIn(page.text, page).flatMap((line) => {
    const at = trimRange(page.text, line);
    if (at.end - at.start > LONGEST || !'[<'.includes(page.text.charAt(at.start))) return [];
    const bound = readBracket(page.text.slice(at.start, at.end));
    return bound ? [{ ...bound, page, ...at, style: 'bracket', attributes: '' }] : [];
  });
}

function readBracket(line: string): Pick<Bound, keyof Title | 'opens' | 'name' | 'label'> | null {
  const spelled = START_END.exec(line);
  const slashed = spelled ? null : SLASHED.exec(line);
  const label = spelled?.[2] ?? slashed?.[2] ?? '';
  // "Assistant" alone is nobody's answer until "'s Answer" follows.
  const title = readTitle(label) ?? (spelled?.[3] ? readTitle(`${label}'s ${spelled[3]}`) : null);
  if (title?.role !== 'option' && title?.role !== 'single') return null;
  const opens = spelled ? spelled[1]?.toLowerCase() === 'start' : slashed?.[1] === '';
  return { ...title, opens, name: label.toLowerCase(), label };
}

function readSet(
  pages: readonly Page[],
  marks: readonly Mark[],
  all: readonly Bound[],
  set: readonly Bound[],
): Finding {
  const opening = set.filter(({ opens }) => opens);
  const [first = set[0], last] = [opening[0], set.at(-1)];
  const bracket = first?.style === 'bracket';
  const single = first?.key === null;
  const alike = new Set(opening.map(({ attributes }) => attributes)).size === 1;
  const sound = alike && (single ? opening.length === 1 : countUp(opening.map(({ key }) => key ?? '')));
  const regions = sound ? pair(pages, set) : null;
  const found = regions && bodies(pages, regions);
  const asked = first && !bracket ? instructionTag(all, first) : null;
  const ahead = first && instructionBefore(pages, marks, [first]);
  const options = opening.flatMap(({ label }, i) => {
    const at = found?.[i];
    return at ? [{ label, at }] : [];
  });
  return {
    layout: bracket ? 'mt-bench' : 'tags',
    single,
    noun: first?.noun ?? 'response',
    usual: bracket ? '[[{}]]' : null,
    evident: bracket && options.length !== 1,
    marks: set.map(({ page, start, end }) => ({ part: page.part, start, end })),
    options,
    instruction: asked ?? ahead?.at ?? null,
    labelled: asked !== null || (bracket && ahead?.labelled === true),
    style: first?.style ?? 'tag',
    closed: found && regions ? [...regions, ...(asked ? [asked] : [])] : [],
    after: { part: last?.page.part ?? 0, offset: last?.end ?? 0 },
  };
}

/** What stands between each start and its end; null where they do not alternate. */
function pair(pages: readonly Page[], set: readonly Bound[]): Span[] | null {
  const regions: Span[] = [];
  for (let i = 0; i < set.length; i += 2) {
    const [open, close] = [set[i], set[i + 1]];
    if (!open?.opens || !close || close.opens || open.name !== close.name) return null;
    const ends = { page: close.page, offset: close.start };
    const region = stretch(pages, { page: open.page, offset: open.end }, ends);
    if (!region) return null;
    regions.push(region);
  }
  return regions;
}

/** What stands in it, without statements at either end. */
function instructionTag(all: readonly Bound[], first: Bound): Span | null {
  const ahead = all.filter(
    ({ style, page, start }) => style === 'tag' && page === first.page && start < first.start,
  );
  const opening = ahead.filter(({ role, opens }) => role === 'instruction' && opens);
  // `<Instructions>` beside an `<input>` tell the judge what to do (openevals).
  const open = opening.find(({ noun }) => !/^instructions?$/.test(noun)) ?? opening[0];
  const close = open && ahead.findLast(({ name, opens }) => name === open.name && !opens);
  if (!close || close.start < open.end) return null;
  const region = { part: open.page.part, start: open.end, end: close.start };
  return (
    trimStatements(open.page, region.start, region.end) ?? {
      part: region.part,
      ...trimRange(open.page.text, region),
    }
  );
}
