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
import { instructionBefore, kept } from './instruction-before.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { linesIn, trimmed } from './lines.ts';
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
  /** Whether what stands between is a conversation. */
  readonly turns: boolean;
}

export const enclosed: Layout = {
  name: 'enclosed',
  find(pages, marks, checkpoint) {
    const found = pages.flatMap((page) => [...tagsOn(page, checkpoint), ...bracketsOn(page)]);
    const judged = found.filter(({ role }) => role !== 'instruction');
    const sets = Map.groupBy(judged, (one) => `${one.style} ${one.key === null ? one.name : one.noun}`);
    return [...sets.values()].flatMap((set) =>
      set.some(({ opens }) => !opens) && set.some(({ opens, style }) => opens || style === 'bracket')
        ? [read(pages, marks, found, set)]
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
    found.push({ ...title, ...at, style: 'tag', name, opens, label, attributes, turns: false });
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
    const at = trimmed(page.text, line);
    if (at.end - at.start > LONGEST || !'[<'.includes(page.text.charAt(at.start))) return [];
    const bound = readBracket(page.text.slice(at.start, at.end));
    return bound ? [{ ...bound, page, ...at, style: 'bracket', attributes: '' }] : [];
  });
}

function readBracket(line: string): Pick<Bound, keyof Title | 'opens' | 'name' | 'label' | 'turns'> | null {
  const spelled = START_END.exec(line);
  const slashed = spelled ? null : SLASHED.exec(line);
  const label = spelled?.[2] ?? slashed?.[2] ?? '';
  // "Assistant" alone is nobody's answer until "'s Answer" follows.
  const title = readTitle(label) ?? (spelled?.[3] ? readTitle(`${label}'s ${spelled[3]}`) : null);
  const turns = /conversation/i.test(spelled?.[3] ?? '');
  if (title ? title.role !== 'option' && title.role !== 'single' : !turns) return null;
  const opens = spelled ? spelled[1]?.toLowerCase() === 'start' : slashed?.[1] === '';
  const { role, noun, key } = title ?? { role: 'single' as const, noun: 'assistant', key: null };
  return { role, noun, key, opens, name: label.toLowerCase(), label, turns };
}

function read(
  pages: readonly Page[],
  marks: readonly Mark[],
  all: readonly Bound[],
  set: readonly Bound[],
): Finding {
  const opening = set.filter(({ opens }) => opens);
  const [first = set[0], last] = [opening[0], set.at(-1)];
  const bracket = first?.style === 'bracket';
  const turns = first?.turns === true;
  const single = first?.key === null || (turns && opening.length === 1);
  const alike =
    new Set(opening.map(({ attributes }) => attributes)).size === 1 &&
    set.every((one) => one.turns === turns);
  const sound = alike && (single ? opening.length === 1 : countUp(opening.map(({ key }) => key ?? '')));
  const regions = sound ? pair(pages, set) : null;
  const placed = regions && bodies(pages, regions);
  const labels = opening.map(({ label }) => label);
  const moves = placed && turns && !single ? withoutSpeakers(pages, placed, labels) : undefined;
  const found = moves === null ? null : placed;
  const asked = first && !bracket ? instructionTag(all, first) : null;
  const ahead = first && instructionBefore(pages, marks, [first]);
  const options = labels.flatMap((label, i) => {
    const [at, moving] = [found?.[i], moves?.[i]];
    return at ? [{ label, at, ...(moving && { moves: moving }) }] : [];
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
    kept(open.page, region.start, region.end) ?? { part: region.part, ...trimmed(open.page.text, region) }
  );
}

/** Nobody's conversation has more turns. */
const MOST_TURNS = 200;

/**
 * The names of the speakers inside a conversation of several turns, as FastChat's prompts set it: `### User: …
 * ### Assistant A: …`. The name belongs to the place; what is said goes with the option.
 *
 * @param labels whose the conversations are: `Assistant A`, `Assistant B`
 * @returns for each what is exchanged: all but its speaker's name; null where the names do not match up
 */
function withoutSpeakers(
  pages: readonly Page[],
  conversations: readonly Span[],
  labels: readonly string[],
): Span[][] | null {
  const speaker = new RegExp(
    `^([#*\\s[]{0,8})(${labels.map(RegExp.escape).join('|')})(?=[\\]*\\s]{0,4}(?::|$))`,
    'iu',
  );
  const named = conversations.map((span) => {
    const text = pages.find(({ part }) => part === span.part)?.text ?? '';
    return linesIn(text, span).flatMap(({ start, end }) => {
      const [whole, lead = '', label = ''] =
        speaker.exec(text.slice(start, Math.min(end, start + 120))) ?? [];
      if (whole === undefined) return [];
      const option = labels.findIndex((one) => one.toLowerCase() === label.toLowerCase());
      return [{ option, start: start + lead.length, end: start + lead.length + label.length }];
    });
  });
  const turns = named[0]?.length ?? 0;
  const sound = named.every(
    (names, option) => names.length === turns && names.every((name) => name.option === option),
  );
  if (!sound || turns > MOST_TURNS) return null;
  return conversations.map(({ part, start, end }, option) => {
    const names = named[option] ?? [];
    const starts = [start, ...names.map((name) => name.end)];
    const ends = [...names.map((name) => name.start), end];
    return starts.map((from, i) => ({ part, start: from, end: ends[i] ?? end }));
  });
}
