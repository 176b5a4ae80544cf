/**
 * An edit by a model, asked for until a check finds that it changed what it was to change and nothing else; every
 * refusal is counted by its reason.
 */
import {
  type EditTask,
  holdsMarker,
  readEditedText,
  renderEditCheck,
  renderEditTask,
  renderSamePointsCheck,
} from '../../../prompts/index.ts';
import type { TextRange } from '../../case/index.ts';
import { findPaperSections, findReviewSections, SCORE_LINE, type Stretch } from './submission-parts.ts';
import type {
  Part,
  PerturbationFailure,
  PerturbationResult,
  PerturbTools,
  Submission,
  TextChange,
} from './types.ts';

interface EditPlan {
  readonly task: EditTask;
  readonly part: Part;
  readonly keep: Keep;
  readonly stretches: readonly Stretch[];
}

/**
 * All stretches edited at once. A perturbation of which less than half succeeded is none: what is left unchanged would
 * hide what the change does.
 */
export async function runEditPlan(
  plan: EditPlan,
  tools: PerturbTools,
): Promise<PerturbationResult | PerturbationFailure> {
  if (!tools.editor) return { dropped: 'no model to edit with' };
  const all = await Promise.allSettled(plan.stretches.map((one) => editStretch(one, plan, tools)));
  const refused: string[] = [];
  const changes: TextChange[] = [];
  for (const one of all) {
    if (one.status === 'rejected') throw one.reason;
    refused.push(...one.value.refused);
    if (one.value.change) changes.push(one.value.change);
  }
  if (2 * changes.length < plan.stretches.length) return { dropped: droppedFor(refused), refused };
  return { changes, refused };
}

function droppedFor(refused: readonly string[]): string {
  const last = refused.at(-1);
  return last === undefined ? 'nothing to edit' : `the edits could not be used: ${last}`;
}

async function editStretch(
  { item, start, text }: Stretch,
  { task, part, keep }: EditPlan,
  { editor, signal }: PerturbTools,
): Promise<{ readonly change: TextChange | null; readonly refused: string[] }> {
  const before = text.trim();
  const refused: string[] = [];
  if (holdsMarker(before)) return { change: null, refused: ['the text holds a marker of the request'] };
  const question = renderEditTask(task, before);
  for (let attempt = 0; editor && attempt < editor.attempts; attempt++) {
    const after = readEditedText(await editor.ask({ ...question, attempt }, signal));
    if (after === null) {
      refused.push('no text between the markers');
      continue;
    }
    const wrong = findRefusal(before, after, keep);
    if (wrong !== null) {
      refused.push(wrong);
      continue;
    }
    const tone = task === 'hostile' || task === 'dismissive';
    const asked = tone ? renderSamePointsCheck(before, after) : renderEditCheck(task, before, after);
    if (editor.check && !(await editor.check(asked, signal))) {
      refused.push(tone ? 'the points did not stay the same' : 'it does not do what was asked');
      continue;
    }
    const at = start + text.indexOf(before);
    return { change: { part, item, start: at, before, after }, refused };
  }
  return { change: null, refused };
}

export interface Keep {
  /** Length after by length before, ends included. */
  readonly size: readonly [least: number, most: number];
  /** Whether some may go; none may come. Formulas, headings and ratings stay in every edit. */
  readonly citations: 'all' | 'some';
  readonly numbers: 'all' | 'some';
}

const REFUSALS = [
  'nothing changed',
  'too short',
  'too long',
  'headings not kept',
  'formulas not kept',
  'ratings not kept',
  'citations not kept',
  'numbers not kept',
] as const;
type Refusal = (typeof REFUSALS)[number];

/** Formulas, code, figures and references within the paper, or what opens one that `closersOf` ends. */
const FORMULA =
  /```|\$\$|\\\[|\\\(|\\begin\{(equation|align|gather|multline|table|figure|algorithm)\*?\}|\$(?=[^\s$])[^$\n]{0,300}?(?<=[^\s$\\])\$(?!\d)|!\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)|\\(?:eq)?ref\{[^}]{0,100}\}|`[^`\n]{1,300}`/g;
/** `[12]`, `[3, 4]`, `(Smith et al., 2020)`, `Smith et al. (2020)`, `\cite{…}`, `[@key]`. */
const CITATION =
  /\\[cC]ite\w{0,12}\*?(?:\[[^\]]{0,99}\]){0,3}\{[^}]{0,300}\}|\[\d{1,3}(?:\s{0,4}[,;–-]\s{0,4}\d{1,3}){0,60}\]|\[@[^\]]{1,200}\]|\((?:(?:see|e\.g\.,?|cf\.)\s{1,9})?\p{Lu}[^()\n]{0,200}?\b(?:19|20)\d\d[a-z]?\)|\p{Lu}[\p{L}'’-]{1,60}(?: et al\.?| and \p{Lu}[\p{L}'’-]{1,60})? \((?:19|20)\d\d[a-z]?\)/gu;
const NUMBER = /(?<![\p{L}\p{N}_.])\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])/gu;

/** @returns the first thing that is wrong; null where nothing is */
export function findRefusal(
  before: string,
  after: string,
  { size, citations, numbers }: Keep,
): Refusal | null {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  if (plain(before) === plain(after)) return 'nothing changed';
  const ratio = plain(after).length / Math.max(1, plain(before).length);
  if (ratio < size[0]) return 'too short';
  if (ratio > size[1]) return 'too long';
  if (!same(headings(before), headings(after))) return 'headings not kept';
  if (!same(formulas(before), formulas(after))) return 'formulas not kept';
  if (!same(tokens(before, SCORE_LINE), tokens(after, SCORE_LINE))) return 'ratings not kept';
  const [was, is] = [before, after].map((text) => withoutFormulas(text).replace(SCORE_LINE, ' '));
  if (!keepsTokens(tokens(was, CITATION), tokens(is, CITATION), citations)) return 'citations not kept';
  const countNumbers = (text = '') => tokens(text.replace(CITATION, ' '), NUMBER);
  if (!keepsTokens(countNumbers(was), countNumbers(is), numbers)) return 'numbers not kept';
  return null;
}

/** Stretches of a text that are no prose: formulas, code, figures, citations, links. In order, none overlapping. */
export function findProtected(text: string): TextRange[] {
  const links = /https?:\/\/\S{1,2000}|\]\([^)\n]{0,200}\)/g;
  const all = [CITATION, links].flatMap((kind) =>
    [...text.matchAll(kind)].map(({ 0: found, index }) => ({ start: index, end: index + found.length })),
  );
  all.push(...formulasIn(text));
  const ordered = all.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return ordered.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** What no edit of wording touches, in order. Each mark that closes is looked for once, so the time is linear. */
function formulasIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  const next = new Map<string, number>();
  const place = (closer: string, from: number) => {
    const known = next.get(closer);
    if (known !== undefined && known >= from) return known;
    const at = text.indexOf(closer, from);
    next.set(closer, at < 0 ? Number.POSITIVE_INFINITY : at);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const opener = new RegExp(FORMULA);
  for (let match = opener.exec(text); match; match = opener.exec(text)) {
    const start = match.index;
    const from = start + match[0].length;
    const ends = closersOf(match[0], match[1]).map((closer) => place(closer, from) + closer.length);
    const end = ends.length === 0 ? from : Math.min(...ends);
    if (end <= text.length) found.push({ start, end });
    opener.lastIndex = end <= text.length ? end : start + 1;
  }
  return found;
}

/** Empty for what is whole by itself. */
function closersOf(opening: string, environment: string | undefined): readonly string[] {
  if (environment) return [`\\end{${environment}}`, `\\end{${environment}*}`];
  if (opening === '\\[') return ['\\]'];
  if (opening === '\\(') return ['\\)'];
  return opening === '```' || opening === '$$' ? [opening] : [];
}

const formulas = (text: string) =>
  formulasIn(text).map(({ start, end }) => singleSpaced(text.slice(start, end)));

const singleSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();

function withoutFormulas(text: string): string {
  let from = 0;
  const kept = formulasIn(text).map(({ start, end }) => {
    const before = text.slice(from, start);
    from = end;
    return before;
  });
  return [...kept, text.slice(from)].join(' ');
}

function headings(text: string): string[] {
  return [
    ...findPaperSections(text).map(({ title, level }) => `${level} ${title}`),
    ...findReviewSections(text).map(({ name }) => name),
  ];
}

function tokens(text = '', kind: RegExp): string[] {
  return [...text.matchAll(kind)].map(([found]) => singleSpaced(found));
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** As often as before, in any order; with `some`, not oftener. */
function keepsTokens(before: readonly string[], after: readonly string[], which: 'all' | 'some'): boolean {
  if (which === 'all' && before.length !== after.length) return false;
  const left = new Map<string, number>();
  for (const one of before) left.set(one, (left.get(one) ?? 0) + 1);
  return after.every((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
}

/** @throws RangeError where a change does not fit the text, or two overlap */
export function applyChanges(submission: Submission, changes: readonly TextChange[]): Submission {
  return rewriteTexts(submission, changes, (text, own) => {
    let result = '';
    let from = 0;
    for (const { start, before, after } of own) {
      if (start < from || text.slice(start, start + before.length) !== before)
        throw new RangeError(`a change at ${start} does not fit the text of ${submission.id}`);
      result += text.slice(from, start) + after;
      from = start + before.length;
    }
    return result + text.slice(from);
  });
}

function rewriteTexts(
  submission: Submission,
  changes: readonly TextChange[],
  apply: (text: string, own: readonly TextChange[]) => string,
): Submission {
  const of = (part: TextChange['part'], item: number, text: string) => {
    const own = changes.filter((one) => one.part === part && one.item === item);
    return own.length === 0
      ? text
      : apply(
          text,
          own.toSorted((a, b) => a.start - b.start),
        );
  };
  return {
    ...submission,
    paper: of('paper', 0, submission.paper),
    reviews: submission.reviews.map((one, at) => ({ ...one, text: of('review', at, one.text) })),
    rebuttals: submission.rebuttals.map((one, at) => ({ ...one, text: of('rebuttal', at, one.text) })),
  };
}
