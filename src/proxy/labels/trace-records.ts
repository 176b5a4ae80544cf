/** Judgments and labels of a running Remand as records, which `remand calibrate --records` and `remand eval judge` read. */
import { fromTracedFields, kindOf, type VerdictDraw, type VerdictValue } from '../../case/index.ts';
import { whyNoLabel } from '../../loop/index.ts';
import {
  isWithheld,
  type ListedTrace,
  type Trace,
  type TraceQuery,
  type TraceStore,
  type TraceVerdict,
  type UnreadableTrace,
} from '../../trace/index.ts';
import type { Log } from '../log.ts';
import type { Ports } from '../proxy-ports.ts';
import { decideLabel, findLabel, type Label, type LabelStore } from './label.ts';

/** One verdict a line. An index is that of the option in the order in which the client sent the case. */
export interface TraceRecord extends VerdictDraw {
  readonly item: string;
  readonly judge: string;
  readonly order: 'given' | 'swapped';
  /** How sure the proxy was of the verdict: with it a calibration learns what the proxy compares. */
  readonly confidence?: number;
  readonly label?: VerdictValue;
  /** False where the case was chosen to be labelled, so that it does not stand for all. Absent without a label. */
  readonly random?: boolean;
  /** How the texts are set out, one number an option; absent for one text, and where texts are not kept. */
  readonly covariates?: Readonly<Record<keyof TextStyle, readonly number[]>>;
}

/**
 * `last`: the judge's last verdict and its twin in the other order, for `calibrate` and `eval judge`. `both`: what it said at first
 * and what went out, as two judges, for `estimate`: what Remand changed in a figure.
 */
export const RECORDED = ['last', 'both'] as const;
export type RecordScope = (typeof RECORDED)[number];

/** Traces looked up at a time. */
const PAGE = 1_000;

/** The latest judgments first. A judgment without a verdict, and a trace that cannot be read, have no record. */
export async function* listRecords(
  { traces, labels, log }: Pick<Ports, 'traces' | 'labels' | 'log'>,
  recorded: RecordScope = 'last',
): AsyncGenerator<TraceRecord> {
  if (!traces) return;
  const unreadable: UnreadableTrace[] = [];
  for await (const { trace, label } of listKept(traces, labels))
    if ('unreadable' in trace) unreadable.push(trace);
    else yield* recorded === 'both' ? recordBoth(trace, label) : recordsOf(trace, label);
  logUnreadable(log, '/remand/records', unreadable);
}

interface KeptJudgment {
  readonly trace: Trace | UnreadableTrace;
  /** What most people said of it. */
  readonly label: Label | null;
}

/** All judgments, the latest first, a page at a time: a question for each would be too many at the edge. */
export async function* listKept(traces: TraceStore, labels: LabelStore | null): AsyncGenerator<KeptJudgment> {
  let before: string | undefined;
  for (;;) {
    const page = await traces.list({ limit: PAGE, ...(before !== undefined && { before }) });
    const said = await labelsOf(labels, page);
    for await (const trace of traces.each(page.map(({ id }) => id)))
      yield { trace, label: decideLabel(said.get(trace.id) ?? []) };
    before = page.at(-1)?.id;
    if (page.length < PAGE || before === undefined) return;
  }
}

/** One line, however many there are: of another version all are unreadable. */
export function logUnreadable(log: Log, path: string, [first, ...more]: readonly UnreadableTrace[]): void {
  if (!first) return;
  const beside = more.length === 0 ? '' : `, and ${more.length} more`;
  const message = `left out: the trace ${first.id} cannot be read (${first.unreadable})${beside}`;
  log({ level: 'error', event: 'fault', method: 'GET', path, message });
}

/** The judge's last verdict and, where there is one, its twin in the other order. */
export function recordsOf(trace: Trace, label: Label | null): TraceRecord[] {
  const final = readDraw(trace, trace.final);
  // What went out may be a text of ours, or a second judge's verdict; the label is about that one.
  const own = trace.written === null ? trace.final : trace.verdicts.at(-1);
  const said = own ? readDraw(trace, own) : null;
  if (!final || !said) return [];
  const common = { item: trace.id, judge: trace.judge, ...labelFields(trace, label), ...styleField(trace) };
  const last = trace.swapped?.at(-1);
  const swapped = last ? readDraw(trace, last) : null;
  return [
    { ...common, order: 'given' as const, ...said, ...confidenceField(trace) },
    ...(swapped ? [{ ...common, order: 'swapped' as const, ...swapped }] : []),
  ];
}

/** The judge's first verdict and, where there is one, its twin in the other order: how it judges without Remand. */
export function recordFirst(trace: Trace): TraceRecord[] {
  const [given, swapped] = [trace.verdicts[0], trace.swapped?.[0]].map((one) => one && readDraw(trace, one));
  if (!given) return [];
  const common = { item: trace.id, judge: trace.judge, ...styleField(trace) };
  return [
    { ...common, order: 'given' as const, ...given },
    ...(swapped ? [{ ...common, order: 'swapped' as const, ...swapped }] : []),
  ];
}

/** Of this judge's own verdict: a second one has its own. */
function confidenceField({ confidence, escalated }: Trace): Pick<TraceRecord, 'confidence'> {
  const own = escalated === null || escalated.result === 'left' ? confidence : escalated.before;
  return own ? { confidence: own.score } : {};
}

/** Who gave the two verdicts of `recordBoth`. */
export const FIRST_VERDICT = 'first verdict';
export const WHAT_WENT_OUT = 'what went out';

/** What the judge said at first, and what went out; none where one of the two is no verdict. */
export function recordBoth(trace: Trace, label: Label | null): TraceRecord[] {
  const [first] = trace.verdicts;
  const [before, after] = [first ? readDraw(trace, first) : null, readDraw(trace, trace.final)];
  if (!before || !after) return [];
  const common = {
    item: trace.id,
    order: 'given' as const,
    ...labelFields(trace, label),
    ...styleField(trace),
  };
  return [
    { ...common, judge: `${trace.judge}, ${FIRST_VERDICT}`, ...before },
    { ...common, judge: `${trace.judge}, ${WHAT_WENT_OUT}`, ...after },
  ];
}

function styleField({ case: { options } }: Trace): Pick<TraceRecord, 'covariates'> {
  if (options.length < 2 || options.some(({ text }) => isWithheld(text))) return {};
  const styles = options.map(({ text }) => measureStyle(text));
  const of = (name: keyof TextStyle) => styles.map((style) => style[name]);
  return {
    covariates: { length: of('length'), headings: of('headings'), lists: of('lists'), bold: of('bold') },
  };
}

function labelFields(trace: Trace, label: Label | null): Pick<TraceRecord, 'label' | 'random'> {
  const right = label && (label.decision ?? inferDecision(trace, label));
  return label && right !== null ? { label: right, random: label.random } : {};
}

/** The verdict that people see beside the judge's first: what went out, in shadow mode what would have. */
export const shownBeside = ({ mode, would_say, verdicts, final }: Trace): TraceVerdict | undefined =>
  mode === 'shadow' ? (would_say ?? verdicts.at(-1)) : final;

/**
 * What is right, where a person has said which of the two verdicts shown are: what such a verdict decided. Where none is, of two
 * options or of a pass the one that neither decided for.
 *
 * @returns null where more than one answer is left
 */
export function inferDecision(
  trace: Trace,
  { before, after }: Pick<Label, 'before' | 'after'>,
): VerdictValue | null {
  const [first, last] = [trace.verdicts.at(0), shownBeside(trace)].map(
    (verdict) => verdict && readTraceDecision(trace, verdict),
  );
  if (before && after) return readTraceDecision(trace, trace.final);
  if (before || after) return (before ? first : last) ?? null;
  const answers = typeof first === 'boolean' ? [true, false] : trace.case.options.map((_, option) => option);
  const left = answers.filter((answer) => answer !== first && answer !== last);
  return answers.length === 2 && left.length === 1 ? (left[0] ?? null) : null;
}

/** @returns null where the judge gave no verdict, or one that cannot be compared with a label (a list) */
function readDraw({ case: { options } }: Trace, told: TraceVerdict): VerdictDraw | null {
  const labels = options.map(({ label }) => label);
  const decision = fromTracedFields(told, (label) => labels.indexOf(label));
  const draw = decision && kindOf(decision).toDraw?.({ ...decision, text: '' });
  return draw ? { ...draw, ...(told.probability !== undefined && { probability: told.probability }) } : null;
}

/** An option by its index, `tie`, a score, whether it passes, or a category. Of several scores the best one's option. */
export function readTraceDecision(trace: Trace, told: TraceVerdict): VerdictValue | null {
  const { choice, pass, category, score, scores } = readDraw(trace, told) ?? {};
  if (!scores) return choice ?? pass ?? category ?? score ?? null;
  const most = Math.max(...scores.map((one) => one ?? Number.NEGATIVE_INFINITY));
  const best = scores.flatMap((one, option) => (one === most ? [option] : []));
  return best.length === 1 ? (best[0] ?? null) : 'tie';
}

/** Why this cannot be right of a case, in words; null where it can. */
export function whyNotLabelled(trace: Trace, decision: VerdictValue): string | null {
  const draw = readDraw(trace, trace.final);
  return draw && whyNoLabel(draw, decision, trace.case.options.length);
}

/** What a person said of a case, however it was asked. */
export type LabelOpinion = Pick<Label, 'decision' | 'random' | 'who' | 'time'>;

/** A label from what is right: the judge's verdicts are right where they decide the same. */
export function labelTrace(trace: Trace, { decision, ...said }: LabelOpinion): Label {
  const isRight = (verdict: TraceVerdict | undefined) =>
    verdict !== undefined && readTraceDecision(trace, verdict) === decision;
  return {
    ...describeTrace(trace),
    decision,
    ...said,
    before: isRight(trace.verdicts.at(0)),
    after: isRight(trace.verdicts.at(-1)),
  };
}

/** A label from which of the two verdicts shown are right. The judge's own last verdict may be another one. */
export function labelShown(
  trace: Trace,
  right: Pick<Label, 'before' | 'after'>,
  said: Omit<LabelOpinion, 'decision'>,
): Label {
  const decision = inferDecision(trace, right);
  const [first, shown, last] = [trace.verdicts.at(0), shownBeside(trace), trace.verdicts.at(-1)].map(
    (verdict) => verdict && readTraceDecision(trace, verdict),
  );
  const after = last === shown ? right.after : last === first ? right.before : last === decision;
  return { ...describeTrace(trace), ...said, decision, before: right.before, after };
}

/** What a label tells of the judgment that it is on. */
export function describeTrace(trace: Trace): Pick<Label, 'trace' | 'judge' | 'biases' | 'judged'> {
  const { id, judge, rounds, biases, final } = trace;
  return { trace: id, judge, biases: rounds > 0 ? biases : [], judged: readTraceDecision(trace, final) };
}

// A page of judgments with what people say of them, and those beside one of them.

export interface ListedJudgment {
  readonly trace: ListedTrace;
  /** The reader's own; null where nobody has said anything. */
  readonly label: Label | null;
}

interface JudgmentQuery extends TraceQuery {
  /** Only judgments that have a label, or that have none. */
  readonly labelled?: 'yes' | 'no' | undefined;
}

export interface JudgmentPage {
  readonly judgments: readonly ListedJudgment[];
  /** The last that was looked at: the next page begins behind it. Null where there are no more. */
  readonly next: string | null;
}

/** Judgments looked at for one page, at most: labels may lie in another database than traces, which is asked about so many at a time. */
const LOOKS = 8;
const EACH = 250;

/** @param reader whose label is shown where several people gave one */
export async function listJudgments(
  { traces, labels }: { readonly traces: TraceStore | null; readonly labels: LabelStore | null },
  { labelled, ...query }: JudgmentQuery,
  reader: string,
): Promise<JudgmentPage> {
  if (!traces) return { judgments: [], next: null };
  const judgments: ListedJudgment[] = [];
  const isForward = query.after !== undefined;
  let at = query.after ?? query.before;
  for (let look = 0; look < (labelled === undefined ? 1 : LOOKS); look++) {
    const limit = labelled === undefined ? query.limit : EACH;
    const found = await traces.list({ ...query, ...(isForward ? { after: at } : { before: at }), limit });
    const said = await labelsOf(labels, found);
    for (const trace of found) {
      at = trace.id;
      const label = findLabel(said.get(trace.id) ?? [], reader);
      if (labelled !== undefined && (labelled === 'yes') !== said.has(trace.id)) continue;
      judgments.push({ trace, label });
      if (judgments.length === query.limit) return { judgments, next: at };
    }
    if (found.length < limit) return { judgments, next: null };
  }
  return { judgments, next: at ?? null };
}

async function labelsOf(labels: LabelStore | null, traces: readonly ListedTrace[]) {
  const said = labels && traces.length > 0 ? await labels.ofEach(traces.map(({ id }) => id)) : [];
  return Map.groupBy(said, ({ trace }) => trace);
}

// How a text is set out, in numbers: what a judge may like about it beside what it says.

interface TextStyle {
  /** In UTF-16 code units. */
  readonly length: number;
  /** Markdown headings, items of lists, and words in bold type. */
  readonly headings: number;
  readonly lists: number;
  readonly bold: number;
}

const HEADING = /^ {0,3}#{1,6} /gm;
const ITEM = /^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)]) /gm;
const BOLD = /\*\*[^*\n]{1,200}\*\*|__[^_\n]{1,200}__/g;

function measureStyle(text: string): TextStyle {
  const count = (marks: RegExp) => text.match(marks)?.length ?? 0;
  return { length: text.length, headings: count(HEADING), lists: count(ITEM), bold: count(BOLD) };
}
