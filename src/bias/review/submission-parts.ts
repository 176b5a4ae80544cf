/**
 * The parts of a submission: sections of a paper by their headings, sections and ratings of a review, rebuttals; and
 * those that a perturbation edits.
 */

import type { TextRange } from '../../case/index.ts';
import type { DroppedDraft } from '../draft.ts';
import type { Submission } from './types.ts';

/** A part of a text that is to be edited. */
export interface Stretch {
  readonly item: number;
  readonly start: number;
  /** What stands there; blanks at its ends stay. */
  readonly text: string;
}

const SECTION_KINDS = [
  'abstract',
  'introduction',
  'related',
  'method',
  'theory',
  'experiments',
  'discussion',
  'conclusion',
  'back',
  'other',
] as const;
type SectionKind = (typeof SECTION_KINDS)[number];

interface PaperSection {
  /** As it stands in the heading, without its number. */
  readonly title: string;
  /** 1 for the outermost. */
  readonly level: number;
  readonly kind: SectionKind;
  /** The text below the heading, up to the next one: half-open, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** The first that fits: "Related work and background" is related work, "Experimental setup" experiments. */
const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  ['abstract', /^(?:abstract|summary|tl;?dr)\b/i],
  [
    'back',
    /\b(?:references|bibliography|acknowledge?ments?|funding|author contributions?|appendi(?:x|ces)|supplement\w*|checklist|reproducibility|ethics|broader impacts?)\b/i,
  ],
  [
    'related',
    /\b(?:related|prior|previous) (?:work|literature|studies|research|approaches)|\bliterature|\bbackground\b|\bstate of the art/i,
  ],
  ['introduction', /\bintroduction\b|^(?:motivation|overview|contributions?|our contributions?)\b/i],
  [
    'theory',
    /\b(?:theor\w*|proofs?|preliminar\w*|formali\w*|problem (?:statement|setting|setup|definition|formulation)|notation|convergence|guarantees?|bounds?)\b/i,
  ],
  [
    'experiments',
    /\b(?:experiment\w*|evaluations?|results?|ablations?|benchmarks?|empirical|setup|setting|implementation details|datasets?|case stud\w*|validation|analys[ie]s|findings|simulations?|user stud\w*|baselines|metrics)\b/i,
  ],
  ['discussion', /\b(?:discussion|limitations?|threats to validity|future work|outlook)\b/i],
  ['conclusion', /\b(?:conclusions?|concluding|closing remarks)\b/i],
  [
    'method',
    /\b(?:methods?|methodology|approach|model|architecture|algorithm|framework|proposed|system|design|training|objective|procedure|pipeline|implementation|optimi[sz]ation|learning)\b/i,
  ],
];

/** `# Title`, `## 3.1 Title`, `\section{Title}`, `**Title**`, `3.1 Title` or a known name alone on its line. */
const MARKDOWN = /^(#{1,6})[ \t]{1,20}(\S.{0,200}?)[ \t]{0,20}#{0,20}$/;
const LATEX = /^\\((?:sub)*)(?:section|paragraph)\*?\{([^}]+)\}/;
const BOLD = /^\*\*([^*\n]{2,80}?):?\*\*:?$/;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})+|[IVX]{1,4})\.?[ \t]+(\p{Lu}[^.!?]{1,70})$/u;
const ALONE =
  /^(?:abstract|introduction|related work|background|method(?:s|ology)?|approach|experiments?|evaluation|results|discussion|limitations|conclusions?|references|acknowledge?ments?|appendix)$/i;

/** Headings inside fenced code are none. */
export function findPaperSections(text: string): PaperSection[] {
  const found: { title: string; level: number; at: number; start: number }[] = [];
  let fenced = false;
  let at = 0;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : headingIn(line.trim());
    if (heading) found.push({ ...heading, at, start: Math.min(text.length, at + line.length + 1) });
    at += line.length + 1;
  }
  const above: { level: number; kind: SectionKind }[] = [];
  return found.map(({ title, level, start }, index) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const own = classifySection(title);
    // "3.2 Sampling" below "3 Method" is method; what stands in an appendix stays there.
    const outer = above.at(-1)?.kind ?? 'other';
    const kind = own === 'other' || outer === 'back' ? outer : own;
    above.push({ level, kind });
    return { title, level, kind, start, end: found[index + 1]?.at ?? text.length };
  });
}

function classifySection(title: string): SectionKind {
  return KINDS.find(([, words]) => words.test(title))?.[0] ?? 'other';
}

function headingIn(line: string): { readonly title: string; readonly level: number } | null {
  if (line === '' || line.length > 120) return null;
  const markdown = MARKDOWN.exec(line);
  if (markdown) return { title: withoutNumber(markdown[2] ?? ''), level: markdown[1]?.length ?? 1 };
  const latex = LATEX.exec(line);
  if (latex) return { title: latex[2] ?? '', level: 1 + (latex[1] ?? '').length / 3 };
  const bold = BOLD.exec(line);
  if (bold && classifySection(bold[1] ?? '') !== 'other')
    return { title: withoutNumber(bold[1] ?? ''), level: 1 };
  const numbered = NUMBERED.exec(line);
  if (numbered) return { title: numbered[2] ?? '', level: (numbered[1] ?? '').split('.').length };
  return ALONE.test(line) ? { title: line, level: 1 } : null;
}

function withoutNumber(title: string): string {
  return title.replace(/^(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}(?=\.))\.?\s+/, '').replace(/^\*\*|\*\*$/g, '');
}

/** Which sections matter for an aspect of a paper. */
const MATTERS = {
  contribution: ['abstract', 'introduction', 'related', 'conclusion'],
  soundness: ['method', 'theory', 'experiments'],
  presentation: ['abstract', 'introduction', 'method', 'experiments', 'discussion', 'conclusion'],
} as const satisfies Record<string, readonly SectionKind[]>;

/** Characters of a section's text that are worth an edit. */
const LEAST = 120;

/**
 * The sections to edit. Where no heading tells of one that matters, the fallback goes by place: claims of novelty
 * stand at both ends of a paper, method and validation between them.
 */
export function selectSections(text: string, aspect: keyof typeof MATTERS): PaperSection[] {
  const all = findPaperSections(text).filter(
    ({ kind, start, end }) => kind !== 'back' && text.slice(start, end).trim().length >= LEAST,
  );
  const matter = all.filter(({ kind }) => MATTERS[aspect].some((one) => one === kind));
  if (matter.length > 0) return matter;
  if (aspect === 'presentation' || all.length < 3) return all;
  const ends = [all[0], all.at(-1)].flatMap((one) => one ?? []);
  return aspect === 'contribution' ? ends : all.slice(1, -1);
}

export function findPaperStretches(
  { paper }: Submission,
  aspect: Parameters<typeof selectSections>[1],
): readonly Stretch[] | DroppedDraft {
  if (findPaperSections(paper).length === 0) return { dropped: 'the paper has no sections' };
  const sections = selectSections(paper, aspect);
  if (sections.length === 0) return { dropped: 'no section of the paper has text enough' };
  return sections.map(({ start, end }) => ({ item: 0, start, text: paper.slice(start, end) }));
}

export function findRebuttalStretches({ rebuttals }: Submission): readonly Stretch[] | DroppedDraft {
  if (rebuttals.length === 0) return { dropped: 'there is no rebuttal' };
  const all = rebuttals.flatMap(({ text }, item) => (text.trim() === '' ? [] : [{ item, start: 0, text }]));
  return all.length > 0 ? all : { dropped: 'the rebuttal is empty' };
}

const NAMES =
  'summary(?: of the paper| and contributions?)?|(?:main )?strengths?(?: and weaknesses)?|strong points|pros|(?:main )?weakness(?:es)?|weak points|cons|reasons to (?:accept|reject)|questions?(?: for the authors?)?|limitations?|(?:detailed |minor |other )?comments?|soundness|presentation|contribution|confidence|rating|score|recommendation|overall(?: (?:score|rating|assessment))?|ethics\\w*|review|main review';
/** `## Weaknesses`, `**Weaknesses:** text`, `Weaknesses: text`, `Weaknesses`. */
const HEAD = new RegExp(
  `^[ \\t]*(?:#{1,6}[ \\t]*)?(?:\\*\\*|__)?(?:\\d+[.)][ \\t]*)?(${NAMES})[ \\t]*(?:\\(s\\)[ \\t]*)?(?:(?::?(?:\\*\\*|__):?|:)[ \\t]*|$)`,
  'gimu',
);

export interface ReviewSection {
  readonly name: string;
  /** Half-open: what stands behind the heading, up to the next one. */
  readonly start: number;
  readonly end: number;
}

export function findReviewSections(text: string): ReviewSection[] {
  const heads = [...text.matchAll(HEAD)];
  return heads.map(({ 0: head, 1: name = '', index }, at) => ({
    name: name.toLowerCase(),
    start: index + head.length,
    end: heads[at + 1]?.index ?? text.length,
  }));
}

/** Where weaknesses are named; null where a review has no such section. */
export function findWeaknesses(text: string): ReviewSection | null {
  return findReviewSections(text).find(({ name }) => /^(?:main )?weak|^cons$|reject/.test(name)) ?? null;
}

/** `Rating: 6: weak accept`, `## Recommendation` with the number below it, `Overall score: 7/10`. */
const RATED = /^(?:rating|recommendation|score|overall(?: (?:score|rating|assessment))?)$/;

/** Whether a section of a review by this name gives its overall rating. */
export function isOverall(name: string): boolean {
  return RATED.test(name);
}

interface RatingPlace {
  /** In the review. */
  readonly start: number;
  /** Number and words: `8: accept, good paper`. */
  readonly text: string;
  readonly value: number;
}

/** The overall rating of a review; null where none is given, or more than one. */
export function findRating(text: string): RatingPlace | null {
  const found = findReviewSections(text).flatMap(({ name, start, end }) => {
    if (!isOverall(name)) return [];
    const line = /^\s*(?<text>(?<value>10|[1-9])(?!\d|\.\d)[^\n]*)/.exec(text.slice(start, end));
    const { text: words = '', value = '' } = line?.groups ?? {};
    const lead = line ? line[0].length - words.length : 0;
    return words === '' ? [] : [{ start: start + lead, text: words.trimEnd(), value: Number(value) }];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Lines that give numbers and are no prose: kept as they are by every edit of a review's wording. */
export const SCORE_LINE =
  /^[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*)?(?:soundness|presentation|contribution|confidence|rating|score|recommendation|overall(?: (?:score|rating|assessment))?)(?:\*\*)?[ \t]*(?::[ \t]*)?(?:\*\*[ \t]*)?(?:\n[ \t]*)?\d[^\n]*/gim;

/** The prose of a review: everything above its first line of scores, where such lines end it. */
export function findProse(text: string): TextRange {
  const [first] = text.matchAll(SCORE_LINE);
  const end = first && first.index > text.length / 3 ? first.index : text.length;
  return { start: 0, end: text.slice(0, end).trimEnd().length };
}

/** The submission's reviews that have a place of some kind, with their index. */
export function locateInReviews<T>(
  { reviews }: Submission,
  place: (text: string) => T | null,
): { readonly item: number; readonly id: string; readonly text: string; readonly at: T }[] {
  return reviews.flatMap(({ id, text }, item) => {
    const at = place(text);
    return at === null ? [] : [{ item, id, text, at }];
  });
}
