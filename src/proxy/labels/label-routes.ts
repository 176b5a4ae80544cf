/** Taking labels from people who read traces, and giving all of them to `remand calibrate`. */

import { Hono, type MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import * as z from 'zod';
import { hashUtf8, toHex } from '../../bytes.ts';
import { verdictValue } from '../../case/index.ts';
import { readWhole, TooLongError } from '../../http/index.ts';
import { parseJson } from '../../parse-json.ts';
import { probabilityOfGain } from '../../stats/index.ts';
import { explainIssue, strictFields } from '../../strict-fields.ts';
import { eachBias, isWithheld, type Trace, type TraceStore, type TraceSummary } from '../../trace/index.ts';
import { type CallerEnv, renderError } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import type { Ports } from '../proxy-ports.ts';
import { linkTo, streamRecords, takeNoQuery, takeQuery } from '../query.ts';
import { describeIssue, readPostedFields } from '../request-body.ts';
import { isDrawn, type Label, type LabelStore, listDecided, listLabels } from './label.ts';
import {
  labelShown,
  labelTrace,
  listRecords,
  RECORDED,
  readTraceDecision,
  whyNotLabelled,
} from './trace-records.ts';

/** Which of the two verdicts is right. */
const RIGHT = {
  both: { before: true, after: true },
  first: { before: true, after: false },
  last: { before: false, after: true },
  neither: { before: false, after: false },
} as const;

/** A line of an imported file, as `remand calibrate --labels` reads it: the item is the trace's id. */
const labelRecord = strictFields({
  item: z.string().min(1),
  label: verdictValue,
  annotator: z.string().min(1).max(60).optional(),
  random: z.boolean().optional(),
});
type LabelRecord = z.infer<typeof labelRecord>;

const said = z.object({ right: z.enum(['both', 'first', 'last', 'neither']) });

/** Of what says which is right, in bytes. */
const LARGEST = 4 << 10;
/** Of a file of labels, in bytes. */
const LARGEST_FILE = 4 << 20;

/** @param storyQuery reads what a story can be asked for: the form of a label stands on one, and leads back to it */
export function createLabelRoutes(ports: Ports, storyQuery: MiddlewareHandler): Hono<CallerEnv> {
  const { labels, traces, clock } = ports;
  const app = new Hono<CallerEnv>();

  // A page of somebody else's must not label in a reader's name; what is no form asks the browser first (CORS).
  app.post('/traces/:id/label', csrf(), storyQuery, async (c) => {
    const trace = await traces?.get(c.req.param('id'));
    if (!trace || !labels) return renderError(c, 404, 'no such trace; the oldest are dropped');
    const body = said.safeParse(await readPostedFields(c, LARGEST));
    if (!body.success) return renderError(c, 400, `right: must be ${Object.keys(RIGHT).join(', ')}`);
    const { id } = c.get('caller');
    const time = new Date(clock.now()).toISOString();
    const verdicts = RIGHT[body.data.right];
    const random = isDrawn(await labels.of(trace.id));
    const label = labelShown(trace, verdicts, { random, who: id ?? 'anyone', time });
    if (!trace.moved && verdicts.before !== verdicts.after)
      return renderError(c, 400, 'right: there is one verdict, so it is both or neither');
    if (id !== null) await noteBefore(ports, id, 'labelled', trace.id);
    await labels.put([label]);
    return c.req.header('accept')?.includes('text/html')
      ? c.redirect(
          linkTo(c, `/remand/traces/${encodeURIComponent(trace.id)}${new URL(c.req.url).search}`),
          303,
        )
      : c.json(label);
  });

  app.get('/labels', takeNoQuery, (c) => streamRecords(c, ports, labels ? listLabels(labels) : nothing()));
  app.post('/labels', takeNoQuery, async (c) => {
    if (!traces || !labels) return renderError(c, 404, 'traces are not kept here (REMAND_TRACES)');
    const lines = (await readBody(c.req.raw, LARGEST_FILE))?.split('\n') ?? null;
    if (!lines) return renderError(c, 413, `at most ${LARGEST_FILE} bytes of labels at a time`);
    const who = c.get('caller').id;
    const read = await readImport(traces, lines, who, new Date(clock.now()).toISOString());
    if ('error' in read) return renderError(c, 400, read.error);
    if (who !== null) await noteBefore(ports, who, 'labelled', `${read.labels.length} imported`);
    await labels.put(read.labels);
    return c.json({ labels: read.labels.length });
  });

  app.get('/records', takeQuery({ verdicts: z.enum(RECORDED).optional() }), (c) => {
    const { verdicts } = c.req.valid('query');
    return streamRecords(c, ports, listRecords(ports, verdicts));
  });
  return app;
}

async function* nothing(): AsyncGenerator<never> {}

async function readBody(request: Request, most: number): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readWhole(request, most));
  } catch (error) {
    if (error instanceof TooLongError) return null;
    throw error;
  }
}

/** Nothing is kept of a file that has a mistake. */
async function readImport(
  traces: TraceStore,
  lines: readonly string[],
  who: string | null,
  time: string,
): Promise<{ readonly labels: readonly Label[] } | { readonly error: string }> {
  const records: { readonly line: number; readonly record: LabelRecord }[] = [];
  for (const [n, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const record = readRecord(text);
    if (typeof record === 'string') return { error: `line ${n + 1}: ${record}` };
    records.push({ line: n + 1, record });
  }
  const ofTrace = Map.groupBy(records, ({ record }) => record.item);
  const labels: Label[] = [];
  const missing = new Set(ofTrace.keys());
  for await (const trace of traces.each([...ofTrace.keys()])) {
    missing.delete(trace.id);
    for (const { line, record } of ofTrace.get(trace.id) ?? []) {
      const { label, annotator, random = false } = record;
      if ('unreadable' in trace)
        return { error: `line ${line}: item: the trace cannot be read (${trace.unreadable})` };
      // People who label elsewhere may name an option by its label.
      const named = trace.case.options.findIndex((option) => option.label === label);
      const decision = named < 0 ? label : named;
      const why = whyNotLabelled(trace, decision);
      if (why !== null) return { error: `line ${line}: label: ${why}` };
      labels.push(labelTrace(trace, { decision, random, who: annotator ?? who ?? 'anyone', time }));
    }
  }
  const [gone] = missing;
  if (gone === undefined) return { labels };
  return { error: `line ${ofTrace.get(gone)?.[0]?.line}: item: no trace "${gone}" is kept` };
}

/** @returns what is wrong with it, where something is */
function readRecord(line: string): LabelRecord | string {
  const told = parseJson(line);
  if (told === undefined) return 'is no JSON';
  const read = labelRecord.safeParse(told, { error: explainIssue });
  return read.success ? read.data : describeIssue(read.error);
}

// Which case a person is asked about next: the one that a label tells most of, for what the labels are wanted.

/**
 * What labels may be wanted for: to look at what the judge was least sure of; to settle for which judges and biases sending
 * back pays (`remand calibrate --labels`); or as a sample that stands for all cases (`remand calibrate --records --risk`).
 */
export const LABEL_AIMS = ['unsure', 'rulings', 'sample'] as const;
export type LabelAim = (typeof LABEL_AIMS)[number];

/** Statuses of which a label tells most, the first first. The rest of what was judged comes behind them. */
const FIRST = ['unsure', 'insisted', 'unresolved', 'escalated', 'revised', 'unchanged', 'shadow'];
/** Latest judgments that are looked through, and those of them that are read for their confidence. */
const LOOKED_AT = 200;
const READ = 20;
/** Of 256 cases so many get a second annotator: a tenth. */
const SECOND = 26;
/** Options that a page can offer. */
const MOST_OPTIONS = 8;

export interface ChosenCase {
  readonly trace: Trace;
  /** Whether chance chose it. */
  readonly random: boolean;
}

interface Chooser {
  readonly who: string;
  readonly aim: LabelAim;
  /** Ids of cases that were put off. */
  readonly skipped: readonly string[];
}

/**
 * A case that somebody else labelled comes first where it is one of the tenth that two people label.
 *
 * @returns null where nothing is left
 */
export async function chooseCase(
  traces: TraceStore,
  labels: LabelStore,
  { who, aim, skipped }: Chooser,
): Promise<ChosenCase | null> {
  const listed = await traces.list({ limit: LOOKED_AT });
  const open = listed.flatMap((one) =>
    'unreadable' in one || !FIRST.includes(one.status) || skipped.includes(one.id) ? [] : [one],
  );
  const labelled = await labels.ofEach(open.map(({ id }) => id));
  const said = Map.groupBy(labelled, ({ trace }) => trace);
  const undrawn = open.filter(({ id }) => !isDrawn(said.get(id) ?? []));
  const waiting: TraceSummary[] = [];
  const seconds: TraceSummary[] = [];
  for (const one of open) {
    const people = said.get(one.id) ?? [];
    if (people.length === 0) waiting.push(one);
    else if (people.length === 1 && people[0]?.who !== who && (await hash(one.id, 'second')) < SECOND)
      seconds.push(one);
  }
  const again = await findAskable(traces, seconds);
  if (again) return { trace: again, random: false };
  // A sample is drawn among all cases: without those that were chosen and labelled, the rest would not stand for all.
  if (aim === 'sample') return askable(await findAskable(traces, await shuffle(undrawn)), true);
  const rulings = aim === 'rulings' ? await readRulings(labels) : null;
  return askable(await findUnsure(traces, rankCases(waiting, rulings)), false);
}

const askable = (trace: Trace | null, random: boolean) => trace && { trace, random };

/** What the labels so far settle, each judgment counted once. */
export async function readRulings(labels: LabelStore): Promise<RulingCounts> {
  const rulings = countRulings();
  for await (const label of listDecided(labels)) rulings.add(label);
  return rulings;
}

/** Rank of cases of which a label may settle a ruling. */
const TELLS_OF_RULINGS = -1;

interface RankedCase {
  readonly one: TraceSummary;
  readonly rank: number;
}

/** The most telling first. @param rulings that labels are to settle: only what moved for a bias of an open one tells of them */
export function rankCases<S extends Pick<TraceSummary, 'status' | 'moved' | 'judge' | 'biases'>>(
  cases: readonly S[],
  rulings: RulingCounts | null,
): { readonly one: S; readonly rank: number }[] {
  const rankOf = (one: S) =>
    rulings && one.moved && rulings.isOpen(one.judge, one.biases)
      ? TELLS_OF_RULINGS
      : FIRST.indexOf(one.status);
  return cases.map((one) => ({ one, rank: rankOf(one) })).sort((a, b) => a.rank - b.rank);
}

/** Among those of the best rank the one that the judge is least sure of. */
async function findUnsure(traces: TraceStore, ranked: readonly RankedCase[]): Promise<Trace | null> {
  const ranks = new Map(ranked.map(({ one, rank }) => [one.id, rank]));
  const found: Trace[] = [];
  for await (const trace of readAskable(traces, [...ranks.keys()])) {
    // A text of ours, or a second judge's, that moved what went out tells nothing of sending back.
    if (ranks.get(trace.id) === TELLS_OF_RULINGS && !hasMovedItself(trace)) continue;
    const [first] = found;
    if (found.length >= READ || (first && ranks.get(trace.id) !== ranks.get(first.id))) break;
    found.push(trace);
  }
  const sureness = ({ confidence }: Trace) => confidence?.score ?? 1;
  return found.sort((a, b) => sureness(a) - sureness(b))[0] ?? null;
}

/** Whether the judge's last verdict decides otherwise than its first. */
function hasMovedItself(trace: Trace): boolean {
  const [first, last] = [trace.verdicts.at(0), trace.verdicts.at(-1)];
  return first && last ? readTraceDecision(trace, first) !== readTraceDecision(trace, last) : false;
}

async function findAskable(traces: TraceStore, some: readonly TraceSummary[]): Promise<Trace | null> {
  for await (const trace of readAskable(
    traces,
    some.map(({ id }) => id),
  ))
    return trace;
  return null;
}

/** Those that a person could decide, in this order, few of them read ahead. */
async function* readAskable(traces: TraceStore, ids: readonly string[]): AsyncGenerator<Trace> {
  for (let from = 0; from < ids.length; from += READ)
    for await (const trace of traces.each(ids.slice(from, from + READ)))
      if (!('unreadable' in trace) && isAskable(trace)) yield trace;
}

/** Whether a person could decide it: there is something to read, and an answer that can be compared with the judge's. */
export function isAskable(trace: Trace): boolean {
  const { options } = trace.case;
  if (options.length > MOST_OPTIONS || options.every(({ text }) => isWithheld(text))) return false;
  return readTraceDecision(trace, trace.final) !== null;
}

/** In an order that only chance decides, the same for everybody. */
async function shuffle(cases: readonly TraceSummary[]): Promise<TraceSummary[]> {
  const keyed = await Promise.all(
    cases.map(async (one) => ({ one, key: toHex(await hashUtf8(`${one.id}\nsample`)) })),
  );
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one);
}

/** From 0 to 255, by chance but always the same. */
const hash = async (id: string, purpose: string): Promise<number> =>
  (await hashUtf8(`${id}\n${purpose}`)).at(0) ?? 0;

export interface RulingCount {
  readonly judge: string;
  readonly bias: string;
  /** Labelled verdicts that sending back turned right, and those that it turned wrong. */
  readonly better: number;
  readonly worse: number;
  readonly isOpen: boolean;
}

interface RulingCounts {
  /** One judgment counts once: hand in what most people said of it. */
  add(label: Pick<Label, 'judge' | 'biases' | 'before' | 'after'>): void;
  list(): RulingCount[];
  /** Whether a label on a verdict of this judge that moved for one of these biases could settle something. */
  isOpen(judge: string, biases: readonly string[]): boolean;
}

/** Probability that a ruling is the right one from which nobody needs to be asked any more. */
const SETTLED = 0.95;

export function countRulings(): RulingCounts {
  const all = new Map<string, RulingCount>();
  const keyOf = (judge: string, bias: string) => JSON.stringify([judge, bias]);
  return {
    add({ judge, biases, before, after }) {
      for (const bias of eachBias(biases)) {
        const { better: up = 0, worse: down = 0 } = all.get(keyOf(judge, bias)) ?? {};
        const better = up + Number(!before && after);
        const worse = down + Number(before && !after);
        const gain = probabilityOfGain(better, worse);
        const isOpen = gain < SETTLED && gain > 1 - SETTLED;
        all.set(keyOf(judge, bias), { judge, bias, better, worse, isOpen });
      }
    },
    list: () => [...all.values()],
    isOpen: (judge, biases) => eachBias(biases).some((bias) => all.get(keyOf(judge, bias))?.isOpen ?? true),
  };
}
