/** What a template reads in a request, as the finding from which a case is built. */

import { formByAlternatives } from '../form/form-by-alternatives.ts';
import { formFromSchema } from '../form/schema.ts';
import { contains } from '../layouts/bodies.ts';
import { stringsIn } from '../layouts/documents.ts';
import { trimStatements } from '../layouts/instruction-before.ts';
import type { Finding, Page } from '../layouts/layout.ts';
import { lineEnd, lineStart, linesIn, trimRange } from '../layouts/lines.ts';
import {
  findStatements,
  looksLikeStatement,
  mentionsIn,
  sentencesOnTheAnswer,
  speaksOfTheAnswer,
  tellsWhatOthersPrefer,
} from '../layouts/statements.ts';
import type { Prompt, Span, TextRange, VerdictForm } from '../types.ts';
import { withNames } from '../verdicts/choice.ts';
import { countOptions, formFromFile, forOptions, type VerdictFile } from '../verdicts/index.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { splitAtStops } from '../words/sentences.ts';
import { wordsOfLabel } from '../words/vocabulary.ts';
import { toldBeside } from './beside-options.ts';
import { type FilledSlot, matchTemplate, type TemplateMatch } from './match.ts';
import { areMarks } from './replies/chosen.ts';
import { slotNames } from './replies/options-in-replies.ts';
import { isSentence } from './roles/slot-names.ts';
import type { Slot, Template } from './template.ts';

/** What a template finds in a prompt; null where that is not certain. */
export function findingIn(template: Template, prompt: Prompt): Finding | null {
  const match = matchTemplate(template, prompt);
  return match?.kind === 'slots' ? findingOf(template, match) : null;
}

/** @returns null where the template has nothing that is judged */
export function findingOf(
  template: Template,
  { parts, slots }: Pick<TemplateMatch, 'parts' | 'slots'>,
): Finding | null {
  const placed = slots.flatMap(({ at, part, ...slot }) => (at ? [{ ...slot, span: { part, ...at } }] : []));
  const of = (...roles: readonly Slot['role'][]) => placed.filter(({ role }) => roles.includes(role));
  const byLabel = Map.groupBy(of('option'), ({ label }) => label);
  if (byLabel.size === 0) return null;
  const beside = movedWithOptions(parts, slots);
  if (beside === null) return null;
  const options = [...byLabel].map(([label, pieces]) => {
    const nested = pieces[0]?.encoding === 'json' ? 1 : 0;
    // Of a conversation in JSON the last turn: its turns together are no one string of JSON.
    const spans = pieces.map(({ span }) => span).slice(nested === 1 && byLabel.size === 1 ? -1 : 0);
    const moves = [...spans, ...(beside.get(label) ?? [])].toSorted(
      (a, b) => a.part - b.part || a.start - b.start,
    );
    return { label: label || 'answer', at: hull(spans), nested, ...(moves.length > 1 && { moves }) };
  });
  const movesWith = [...beside.values()].flat();
  const isMoved = ({ span }: { readonly span: Span }) =>
    movesWith.some(({ part, start }) => part === span.part && start === span.start);
  // A section that this request lacks is empty.
  const isFilled = ({ span }: { span: Span }) => span.end > span.start;
  const [instruction, ...asked] = of('instruction')
    .toReversed()
    .toSorted((a, b) => Number(isFilled(b)) - Number(isFilled(a)))
    .map(({ span, encoding }) => ({
      span,
      nested: encoding === 'json' ? 1 : 0,
      isPlain: encoding === 'plain',
    }));
  const last = options.at(-1)?.at;
  return {
    layout: 'template',
    noun: 'answer',
    single: options.length === 1,
    usual: null,
    evident: true,
    marks: namesOf(parts, slots),
    options,
    exactCase: true,
    instruction: instruction?.span ?? null,
    instructionNested: instruction?.nested ?? 0,
    ...(instruction && { instructionPlain: instruction.isPlain, asked }),
    labelled: true,
    style: 'template',
    closed: placed.map(({ span }) => span),
    context: of('context', '?').flatMap((slot) =>
      slot.span.end > slot.span.start && !isMoved(slot) ? [slot.span] : [],
    ),
    ...standardsIn(placed.filter((slot) => !isMoved(slot))),
    after: { part: last?.part ?? 0, offset: last?.end ?? 0 },
    formOf: formOf(template, options.length),
  };
}

/** What moves with each option, by its label; null where its place is not certain. */
function movedWithOptions(
  parts: TemplateMatch['parts'],
  slots: readonly FilledSlot[],
): ReadonlyMap<string, readonly Span[]> | null {
  const byPart = Map.groupBy(slots, ({ part }) => part);
  const told = [...toldBeside(parts)].map(([label, places]) => {
    const spans = places.map(({ part, slot }) => {
      const at = byPart.get(part)?.[slot]?.at;
      return at ? { part, ...at } : null;
    });
    return [label, spans] as const;
  });
  const isCertain = told.every(([, spans]) => !spans.includes(null));
  return isCertain
    ? new Map(told.map(([label, spans]) => [label, spans.filter((span) => span !== null)]))
    : null;
}

function standardsIn(slots: readonly (Slot & { readonly span: Span })[]): Pick<Finding, 'standards'> {
  const found = slots.flatMap(({ role, span }) =>
    (role === 'reference' || role === 'rubric') && span.end > span.start ? [{ of: role, at: span }] : [],
  );
  return found.length > 0 ? { standards: found } : {};
}

/** As the template says, where it says it for as many options; else as the texts do. */
function formOf(template: Template, options: number): (source: FormSource) => VerdictForm | null {
  const { verdict, more } = template;
  return (source) => {
    const told = verdict && more ? forNames(verdict, source.labels) : verdict;
    if (!told || (countOptions(told) ?? options) !== options)
      return withoutMarks(withoutNameForTie(formByAlternatives(source), template), source);
    const form = formFromFile(told);
    return isNumberInstead(form, source) ? null : form;
  };
}

/** Numbers of which the orders say that they mean something else name no option: `Reply 1 if the solution is correct, 2 if not`. */
function withoutMarks(form: VerdictForm | null, { labels, orders }: FormSource): VerdictForm | null {
  const words = form?.kind === 'choice' ? form.write?.labels : undefined;
  return words && areMarks(words, labels, orders) ? null : form;
}

/** What names another text of the prompt is no tie: it can then be chosen, and no reply that chooses it is read. */
function withoutNameForTie(form: VerdictForm | null, { parts }: Template): VerdictForm | null {
  if (form?.kind !== 'choice' || form.tie === null) return form;
  const [lead = '', tail = ''] = form.write?.template.split('{}') ?? [];
  const word = form.tie.slice(lead.length, form.tie.length - tail.length);
  return slotNames(parts, [word]).length > 0 ? { ...form, tie: null } : form;
}

/**
 * The form for the options of these names: it has all of them, they go on where its own end, or its own are a row that goes on.
 *
 * @returns null where it tells none of this
 */
export function forNames(verdict: VerdictFile, names: readonly string[]): VerdictFile | null {
  const { labels = null } = verdict.kind === 'choice' || verdict.kind === 'ranking' ? verdict : {};
  const isNamed =
    labels && (labels.every((name, n) => name === names[n]) || names.every((name) => labels.includes(name)));
  if (isNamed && verdict.kind === 'choice' && !verdict.strong) return withNames(verdict, names);
  if (isNamed && verdict.kind === 'ranking' && !verdict.fields) return { ...verdict, labels: [...names] };
  return forOptions(verdict, names.length);
}

/** Whether the schema wants a number where the template tells of true or false: openevals' `continuous=True`. */
function isNumberInstead(told: VerdictForm, source: FormSource): boolean {
  if (told.kind !== 'pass' || told.write || told.field === null) return false;
  const wanted = formFromSchema(source);
  return wanted !== null && wanted !== 'mismatch' && wanted.kind === 'score' && wanted.field === told.field;
}

function hull(spans: readonly Span[]): Span {
  const [first] = spans;
  return {
    part: first?.part ?? 0,
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
}

/** Words of a line that is a name. */
const LONGEST_NAME = 10;

/** The line in front of each slot and what closes it: names of what is handed over, no orders. */
function namesOf(parts: TemplateMatch['parts'], slots: readonly FilledSlot[]): Span[] {
  const names: Span[] = [];
  for (const [part, { literals }] of parts.entries()) {
    const here = slots.filter((slot) => slot.part === part);
    for (const [n, { at, role }] of here.entries()) {
      const before = literals[n] ?? '';
      if (!at || role === '*') continue;
      const line = before.lastIndexOf('\n', before.trimEnd().length - 1) + 1;
      const name = before.slice(line);
      // A long line that goes on in the slot says what is to be done: `Rate the ending of this story from 1 to 10: `. So does
      // a sentence above it: `Answer "Verdict: A" or "Verdict: B".`
      const isOrder = wordsOfLabel(name).length > LONGEST_NAME || (name.endsWith('\n') && isSentence(name));
      if (name.trim() !== '' && !isOrder) names.push({ part, start: at.start - name.length, end: at.start });
      const close =
        /^\s*(?:<\/|\[(?:the )?end\b|["”»」』】`])[^\n]*/i.exec((literals[n + 1] ?? '').slice(0, 300))?.[0] ??
        '';
      if (close !== '' && n + 1 < literals.length)
        names.push({ part, start: at.end, end: at.end + close.length });
    }
  }
  return names;
}

/**
 * Whether all that a reading takes to be judged begins within one text of a template, behind other words: a judge's prompt that
 * somebody wrote into an answer. The template's own delimiters stand around the text.
 *
 * @param place of that text
 * @param whole of the part of the prompt that it stands in
 */
export function isWrittenInto(
  options: readonly { readonly at: Span }[],
  place: Span,
  whole: string,
): boolean {
  const first = Math.min(...options.map(({ at }) => at.start));
  return (
    options.every(({ at }) => at.part === place.part && place.start <= at.start && at.start < place.end) &&
    whole.slice(place.start, first).trim() !== ''
  );
}

/**
 * A template's finding with what others think of the options, whatever slot says it, and lines of the template with slots in
 * them. That sways the judge as it does elsewhere.
 */
export function withStatements(finding: Finding, pages: readonly Page[]): Finding {
  return onLinesWithSlots(inInstruction(finding, pages), pages);
}

/** A line less the tags around it: `<remarks>…</remarks>`. */
function withoutTags(text: string, { start, end }: TextRange): TextRange {
  const line = text.slice(start, end);
  const open = /^<[^<>]{1,60}>/.exec(line)?.[0] ?? '';
  const close = /<\/[^<>]{1,60}>$/.exec(line)?.[0] ?? '';
  return open && close ? { start: start + open.length, end: end - close.length } : { start, end };
}

/**
 * With each line as one statement that says what others think, and that stands in a slot or of which slots hold a part:
 * `{{?}}% of people prefer {{?}}.`
 */
function onLinesWithSlots(finding: Finding, pages: readonly Page[]): Finding {
  const { options, instruction, closed, context = [], standards = [] } = finding;
  const apart = [
    ...options.flatMap(({ at, moves = [] }) => [at, ...moves]),
    ...(instruction ? [instruction] : []),
  ];
  const labels = options.map(({ label }) => label);
  const isStatement = (said: string) =>
    looksLikeStatement(said) || speaksOfTheAnswer(said) || tellsWhatOthersPrefer(said, labels);
  const said = closed.flatMap((slot): Span[] => {
    const { part, start, end } = slot;
    const text = pages.find((page) => page.part === part)?.text ?? '';
    const own = linesIn(text, slot).map((one) => trimRange(text, one));
    const whole = trimRange(text, { start: lineStart(text, start), end: lineEnd(text, end) });
    // What a reference says of the one answer stays: it names no option that is exchanged.
    const mayBeSaid = labels.length > 1 || !standards.some(({ at }) => contains(at, slot));
    const named = holdsPartOfName(text.slice(whole.start, whole.end), start - whole.start, labels);
    // Of a line with other sentences, and of one in a string, the sentence alone is cut out elsewhere.
    const isAlone = (line: string) => !/\\|^["“]/.test(line) && splitAtStops(line).every(isStatement);
    const within = own.filter((one) => isAlone(text.slice(one.start, one.end)));
    if (own.length === 1 && within.length === 0 && isStatement(text.slice(start, end))) return [];
    if (within.length > 0 && !mayBeSaid) return [];
    return (own.length > 1 || within.length > 0 ? within : [withoutTags(text, whole)]).flatMap((range) => {
      const line = { part, ...range };
      const isOthers = apart.some((one) => one.part === part && one.start < line.end && line.start < one.end);
      const isSaid = context.some((one) => contains(one, line) && !contains(line, one));
      return !isOthers && !isSaid && (named || isStatement(text.slice(line.start, line.end))) ? [line] : [];
    });
  });
  const lines = said.filter(
    ({ part, start }, n) => said.findIndex((one) => one.part === part && one.start === start) === n,
  );
  const isApart = (span: Span) => !lines.some((line) => contains(line, span));
  return {
    ...finding,
    context: [...context.filter(isApart), ...lines],
    ...(standards.length > 0 && { standards: standards.filter(({ at }) => isApart(at)) }),
  };
}

/** Characters of a line that may be a statement. */
const LONGEST_LINE = 600;

/** Whether the name of an option goes on in a slot that begins there: `I like Draft ⟦B⟧ more.` */
const holdsPartOfName = (line: string, slot: number, labels: readonly string[]) =>
  labels.length > 1 &&
  line.length <= LONGEST_LINE &&
  mentionsIn(line, { part: 0, start: 0, end: line.length }, labels).some(
    ({ at }) => at.start < slot && slot < at.end && at.end - at.start > 2,
  );

function inInstruction(finding: Finding, pages: readonly Page[]): Finding {
  const {
    instruction: asked,
    instructionPlain: isPlain,
    instructionNested,
    asked: others = [],
    options,
    closed,
    context = [],
  } = finding;
  const page = pages.find(({ part }) => part === asked?.part);
  if (!asked || !page || isPlain === undefined) return finding;
  const labels = options.map(({ label }) => label);
  const plain = isPlain
    ? trimStatements(page, asked.start, statementStart(page, asked, closed), labels)
    : asked;
  const [next, ...rest] = others;
  // What only says what others think is not what is asked, where another slot may say that.
  if (!plain && next && next.span.end > next.span.start) {
    const instead = {
      instruction: next.span,
      instructionNested: next.nested,
      instructionPlain: next.isPlain,
    };
    return inInstruction({ ...finding, ...instead, asked: rest }, pages);
  }
  const trimmed = plain ?? asked;
  const cut = linesIn(page.text, asked).flatMap((line) => {
    const at = { part: page.part, ...trimRange(page.text, line) };
    return !contains(trimmed, at) && tellsWhatOthersPrefer(page.text.slice(at.start, at.end), labels)
      ? [at]
      : [];
  });
  return {
    ...finding,
    ...(isPlain
      ? { instruction: trimmed, context: [...context, ...cut] }
      : { context: [...context, ...statementsIn(page, asked, instructionNested === 1, labels)] }),
    closed: closed.filter((span) => span !== asked),
  };
}

/**
 * Where a last sentence begins that the template ends: `…? 63`, with `% of people believe that this answer is correct.` in all
 * requests so far. The end of the slot where there is none.
 */
function statementStart({ part, text }: Page, { start, end }: Span, closed: readonly Span[]): number {
  const next = closed.flatMap((span) => (span.part === part && span.start >= end ? span.start : []));
  const line = { start: Math.max(start, lineStart(text, end)), end: Math.min(lineEnd(text, end), ...next) };
  const cut = trimStatements({ part, text, ...line }, line.start, line.end);
  return cut ? Math.min(cut.end, end) : end;
}

/** What a text that is handed over says others think of what is judged; in JSON strings, which sentences of them. */
export function statementsIn(page: Page, span: Span, json: boolean, labels: readonly string[]): Span[] {
  const { part, text } = page;
  const at = trimRange(text, span);
  if (json || /^[,"{[]/.test(text.slice(at.start, at.end)))
    return (json ? [at] : stringsIn(text, at)).flatMap((one) =>
      sentencesOnTheAnswer(text, one).map((range) => ({ part, ...range })),
    );
  if (labels.length > 1) {
    const parts = Array.from({ length: part + 1 }, () => ({ role: '', text }));
    return findStatements({ parts }, [span], labels).map((statement) => statement.at);
  }
  return linesIn(text, span).flatMap((line) => {
    const words = trimRange(text, line);
    return speaksOfTheAnswer(text.slice(words.start, words.end)) ? [{ part, ...words }] : [];
  });
}
