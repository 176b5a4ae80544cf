/**
 * Answers between a start and an end, each on a line of its own: `[The Start of Assistant A's Answer] … [The
 * End of Assistant A's Answer]` (FastChat's MT-Bench, LangChain, RewardBench, JudgeLM), `<|The Start of …|>`
 * (arena-hard), `[Response A] … [/Response A]`; one answer of `Assistant` alone where it is to be rated.
 *
 * Conversations of several turns (`<|The Start of Assistant A's Conversation with User|>`) name the assistant
 * inside the text as well; there the names stay (`speakers.ts`). The first Vicuna prompts close with `[End of
 * Assistant 1]`.
 */
import { linesIn, trimmed } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import { bodies, stretch } from './bodies.ts';
import { instructionBefore } from './instruction.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { withoutSpeakers } from './speakers.ts';
import { countUp, readTitle } from './titles.ts';

interface Bound {
  readonly page: Page;
  readonly start: number;
  readonly end: number;
  readonly opens: boolean;
  /** `Assistant A`: what stands between is the answer of. */
  readonly label: string;
  readonly noun: string;
  readonly key: string | null;
  readonly turns: boolean;
}

const LONGEST = 100;
const START_END = /^(?:\[|<\|)the (start|end) of ([^\]|]{1,100}?)(?:['’]s ([^\]|]{0,100}))?(?:\]|\|>)$/i;
const SLASHED = /^\[(\/|end of |)([^\][/]+)\]$/i;

export const mtBench: Layout = {
  name: 'mt-bench',
  find(pages, marks) {
    const bounds = pages.flatMap(boundsOn);
    const keyed = bounds.filter((bound) => bound.key !== null);
    const alone = bounds.filter((bound) => bound.key === null);
    return [keyed, alone].flatMap((set) =>
      set.some((bound) => !bound.opens) ? [read(pages, marks, set)] : [],
    );
  },
};

function boundsOn(page: Page): Bound[] {
  if (!page.text.includes('[') && !page.text.includes('<|')) return [];
  return linesIn(page.text, page).flatMap((line) => {
    const at = trimmed(page.text, line);
    if (at.end - at.start > LONGEST || !'[<'.includes(page.text.charAt(at.start))) return [];
    const bound = readBound(page.text.slice(at.start, at.end));
    return bound ? [{ ...bound, page, ...at }] : [];
  });
}

function readBound(line: string): Omit<Bound, 'page' | 'start' | 'end'> | null {
  const spelled = START_END.exec(line);
  const slashed = spelled ? null : SLASHED.exec(line);
  const label = spelled?.[2] ?? slashed?.[2] ?? '';
  // "Assistant" alone is nobody's answer until "'s Answer" follows.
  const title = readTitle(label) ?? (spelled?.[3] ? readTitle(`${label}'s ${spelled[3]}`) : null);
  const turns = /conversation/i.test(spelled?.[3] ?? '');
  if (!title && !turns) return null;
  if (title && title.role !== 'option' && title.role !== 'single') return null;
  const opens = spelled ? spelled[1]?.toLowerCase() === 'start' : slashed?.[1] === '';
  return { opens, label, noun: title?.noun ?? 'assistant', key: title?.key ?? null, turns };
}

function read(pages: readonly Page[], marks: readonly Mark[], bounds: readonly Bound[]): Finding {
  const opening = bounds.filter((_, i) => i % 2 === 0);
  const turns = opening.some((bound) => bound.turns);
  const alike = bounds.length % 2 === 0 && bounds.every((bound) => bound.turns === turns);
  const regions = alike ? pair(pages, bounds) : null;
  const keys = opening.map((bound) => bound.key ?? '');
  const single = opening.length === 1 && (turns || keys[0] === '');
  const placed = regions && (single || countUp(keys)) ? bodies(pages, regions) : null;
  const textOf = (part: number) => pages.find((page) => page.part === part)?.text ?? '';
  const said =
    placed && turns && !single
      ? withoutSpeakers(
          textOf,
          placed,
          opening.map(({ label }) => label),
        )
      : undefined;
  const found = said === null ? null : placed;
  const last = bounds.at(-1);
  const options = found
    ? opening.flatMap((bound, i) => {
        const at = found[i];
        return at ? [{ label: bound.label, at, ...(said?.[i] && { moves: said[i] }) }] : [];
      })
    : [];
  const asked = instructionBefore(
    pages,
    marks,
    opening.slice(0, 1).map((bound) => ({ ...bound, style: 'bracket' })),
  );
  return {
    layout: 'mt-bench',
    noun: opening[0]?.noun ?? 'assistant',
    usual: '[[{}]]',
    evident: options.length !== 1,
    marks: bounds.map(({ page, start, end }) => ({ part: page.part, start, end })),
    options,
    single: single || opening[0]?.key === null,
    instruction: asked.at,
    labelled: asked.labelled,
    style: 'bracket',
    closed: found && regions ? regions : [],
    after: { part: last?.page.part ?? 0, offset: last?.end ?? 0 },
  };
}

/** What stands between each start and its end; null where they do not alternate. */
function pair(pages: readonly Page[], bounds: readonly Bound[]): Span[] | null {
  const regions: Span[] = [];
  for (let i = 0; i < bounds.length; i += 2) {
    const [start, end] = [bounds[i], bounds[i + 1]];
    if (!start?.opens || !end || end.opens || start.label.toLowerCase() !== end.label.toLowerCase())
      return null;
    const region = stretch(
      pages,
      { page: start.page, offset: start.end },
      { page: end.page, offset: end.start },
    );
    if (!region) return null;
    regions.push(region);
  }
  return regions;
}
