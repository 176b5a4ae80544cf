/**
 * The probe: undo what could have swayed the judge, judge again, and take a changed verdict as the evidence.
 * Needs no model but the judge itself, and spends calls like money: a cue that favours an option the judge did
 * not choose cannot have caused the choice, and several suspects are undone in one call before they are taken apart.
 *
 * A place and a cue that speak for the same option hide each other: with either undone alone the other still decides. So
 * where the case was judged in both orders, cues are undone in both, side by side.
 */
import { asksFor, type Bias, createCueReader } from '../bias/index.ts';
import {
  type Analysis,
  asGiven,
  breaksTexts,
  type Case,
  type Counterfactual,
  type Cue,
  changesNothing,
  describeVerdict,
  type Evidence,
  formKindOf,
  isNone,
  kindOf,
  labelsOf,
  leavesSameTexts,
  preferred,
  reversed,
  sameVerdict,
  together,
  type Untested,
  type UntestedReason,
  unlimited,
  type Verdict,
} from '../case/index.ts';
import { BudgetError, JudgeError } from '../http/index.ts';
import type { Rewrite } from '../ports.ts';
import { measureSensitivity, testBeyondNoise } from './noise.ts';
import { readStatements } from './read-statements.ts';
import type { Brief, Detector, LocalDetectorEntry, StatementReader, StatementReadings } from './types.ts';

/** A cue that speaks for what the judge decided. */
export interface Suspect {
  readonly bias: Bias;
  readonly cue: Cue;
}

interface UndoneSuspect extends Suspect {
  readonly of: Counterfactual;
  /** A model worded it. */
  readonly reworded: boolean;
}

/** Suspects that are undone in one request, strongest first, and the case without any of them. */
interface Batch {
  readonly suspects: readonly UndoneSuspect[];
  readonly of: Counterfactual;
}

export const probe = {
  name: 'probe',
  needsModel: false,
  asksJudge: true,
  create: createProbeDetector,
} as const satisfies LocalDetectorEntry;

export interface ProbeOptions {
  /** Who reads statements that no rule reads; default: nobody does. */
  readonly reader?: StatementReader;
  /** What was read of statements before; default: nothing was. */
  readonly readings?: StatementReadings;
}

/** @example await debias({ ...trial, subject, detector: createProbeDetector() }); */
export function createProbeDetector({ reader, readings = new Map() }: ProbeOptions = {}): Detector {
  return {
    name: probe.name,
    analyse: (brief) => examineRead(brief, reader ?? null, readings, search),
  };
}

/**
 * Examines a case whose reply does not speak against itself, once its statements are read.
 *
 * @throws the signal's reason
 */
export async function examineRead(
  brief: Brief,
  reader: StatementReader | null,
  readings: StatementReadings,
  examine: (brief: Brief) => Promise<Analysis>,
): Promise<Analysis> {
  const contradicted = rereadReply(brief);
  if (contradicted) return contradicted;
  const { subject, untested } = await readStatements(brief, reader, readings);
  const analysis = await examine({ ...brief, subject });
  if (untested.length === 0) return analysis;
  return { ...analysis, untested: [...(analysis.untested ?? []), ...untested] };
}

/** Undoes what is suspected, in as few calls as can be. */
async function search(brief: Brief): Promise<Analysis> {
  const { suspects, others } = findCues(brief);
  const analysis = await testSuspects(brief, suspects);
  const failedAttacks = others
    .filter(({ bias }) => bias.attack)
    .map(({ cue: { bias, seen } }) => ({ bias, seen }));
  return failedAttacks.length > 0 ? { ...analysis, failedAttacks } : analysis;
}

async function testSuspects(brief: Brief, found: readonly Suspect[]): Promise<Analysis> {
  const suspects = found.toSorted((a, b) => strengthOf(b) - strengthOf(a));
  const others = suspects.filter(({ bias }) => !bias.bothOrders);
  const orders = await compareOrders(brief, suspects);
  // Two orders that disagree are evidence already; what else may be at work is seen in the next round.
  if (orders?.changed)
    return concludeAnalysis(
      brief.subject,
      [orders],
      others.map(({ cue }) => untestedFor(cue, 'not-reached')),
    );

  const { undone, untested } = await undoAll(brief, others);
  const evidence: Evidence[] = orders ? [orders] : [];
  for (const batch of await gather(brief, undone)) {
    const found = await probeBatch(brief, batch);
    evidence.push(...found.evidence);
    untested.push(...found.untested);
  }
  return concludeAnalysis(brief.subject, evidence, untested);
}

/**
 * What the judge's reply itself says against its verdict; null where it says nothing. Nothing else is looked at then, since
 * the verdict that comes of it is another one.
 */
function rereadReply({ subject, verdict, biases }: Brief): Analysis | null {
  const found = biases.flatMap(({ name, reread }) => {
    const against = reread?.(subject, verdict);
    return against ? [{ name, ...against }] : [];
  });
  if (found.length === 0) return null;
  const before = inWords(subject, verdict);
  return {
    biased: true,
    biases: found.map(({ name }) => name),
    reasoning: found
      .map(
        ({ seen, after }) =>
          `The decision was ${before}, but ${seen}, which is ${inWords(subject, after)}. ` +
          'A decision has to follow from the reasons for it.',
      )
      .join(' '),
    evidence: found.map(({ name, seen, after }) => ({
      biases: [name],
      undone: seen,
      before: verdict,
      after,
      changed: true,
    })),
  };
}

/** A cue that could speak for any option says less of the one that was chosen. */
const strengthOf = ({ cue }: Suspect) => (cue.strength ?? 0.5) * (cue.favours === 'any' ? 0.5 : 1);

const untestedFor = ({ bias, favours, seen }: Cue, why: UntestedReason): Untested => ({
  bias,
  favours,
  seen,
  why,
});

type Spotted = Pick<Brief, 'subject' | 'verdict' | 'biases' | 'beginReading'> & Partial<Pick<Brief, 'judge'>>;

/**
 * The cues that could have caused this verdict, by bias.
 *
 * @throws ReadingTooLongError
 */
export const findSuspects = (brief: Spotted): Suspect[] => findCues(brief).suspects;

/** The same, and the cues that speak for an option that was not chosen. */
function findCues(brief: Spotted): { readonly suspects: Suspect[]; readonly others: Suspect[] } {
  const suspects: Suspect[] = [];
  const others: Suspect[] = [];
  const checkpoint = brief.beginReading?.() ?? unlimited;
  const read = createCueReader();
  for (const bias of brief.biases) {
    checkpoint();
    for (const cue of bias.spot(brief.subject, brief.judge, read))
      (cue.favours === 'any' || speaksFor(cue.favours, brief) ? suspects : others).push({ bias, cue });
  }
  return { suspects, others };
}

function speaksFor(option: number, { subject, verdict }: Pick<Brief, 'subject' | 'verdict'>): boolean {
  if (subject.options.length > 1) return preferred(verdict) === option;
  // What speaks for the only answer may have raised its score or its category; it cannot have failed it.
  // Where it is not known which value lets pass, either may have been caused.
  if (isNone(verdict)) return false;
  const favourable = kindOf(verdict).isFavourable?.(verdict) ?? true;
  return favourable || (formKindOf(subject.form).isOpen?.(subject.form) ?? false);
}

async function compareOrders(brief: Brief, suspects: readonly Suspect[]): Promise<Evidence | null> {
  const biases = suspects.filter(({ bias }) => bias.bothOrders).map(({ bias }) => bias.name);
  if (biases.length === 0 || brief.swapped === null) return null;
  return weigh(brief, { biases, undone: OPPOSITE_ORDER, after: brief.swapped });
}

/** The strongest first, so that a budget that ends is spent on those. */
async function undoAll(
  brief: Brief,
  suspects: readonly Suspect[],
): Promise<{ undone: UndoneSuspect[]; untested: Untested[] }> {
  const undone: UndoneSuspect[] = [];
  const untested: Untested[] = [];
  const results = await Promise.all(suspects.map((suspect) => undo(brief, suspect)));
  for (const [index, { bias, cue }] of suspects.entries()) {
    const of = results[index];
    if (typeof of === 'object') undone.push({ bias, cue, ...of });
    else untested.push(untestedFor(cue, of ?? 'not-removable'));
  }
  return { undone, untested };
}

async function undo(
  brief: Brief,
  { bias, cue }: Suspect,
): Promise<Pick<UndoneSuspect, 'of' | 'reworded'> | UntestedReason> {
  const { subject, rewrite, signal, affords } = brief;
  if (bias.trait && asksFor(subject, bias.trait)) {
    const of = undoBeside(await bias.undo(subject, cue, { rewrite: null, signal }));
    return of ? { of, reworded: false } : 'asked-for';
  }
  let asked = false;
  const counted: Rewrite | null =
    rewrite &&
    (async (prompt, until) => {
      // A text that was reworded is of no use without the probe.
      if (affords?.(2) === false) throw new BudgetError('no call is left for a rewording and its probe');
      asked = true;
      return rewrite(prompt, until);
    });
  try {
    const of = await bias.undo(subject, cue, { rewrite: counted, signal });
    if (of && breaksTexts(subject, of)) return 'not-removable';
    if (of && leavesSameTexts(subject, of)) return 'same-texts';
    if (of && changesNothing(subject, of)) return asked ? 'same-wording' : 'not-removable';
    if (of) return { of, reworded: asked };
  } catch (error) {
    if (error instanceof BudgetError) return 'budget';
    if (error instanceof JudgeError && !signal.aborted) return 'rewrite-failed';
    throw error;
  }
  if (asked) return 'rewrite-unusable';
  return rewrite ? 'not-removable' : 'no-rewriter';
}

/** What an option says stays where the case asks for it; what stands beside the options is no merit of theirs. */
const undoBeside = (of: Counterfactual | null): Counterfactual | null =>
  of && of.context.size + of.elsewhere.length > 0 ? { ...of, options: new Map() } : null;

/**
 * As few batches as can be: two cues in one text hide each other as two in different texts do. Where two would give a text
 * different wordings, the second is undone in what the first leaves. Two wordings by a model stay apart, and so do two that
 * together would leave nothing to compare.
 */
async function gather(
  { subject, signal }: Brief,
  undone: readonly UndoneSuspect[],
): Promise<readonly Batch[]> {
  const batches: { of: Counterfactual; readonly members: Set<UndoneSuspect> }[] = [];
  for (const one of undone.toSorted((a, b) => Number(b.reworded) - Number(a.reworded))) {
    const home = batches.find(({ of }) => !clash(of, one.of) || isUndoneBehind(subject, of, one));
    const joint = home && (await undoBehind(home.of, one));
    if (home && joint && !leavesSameTexts(subject, joint)) {
      home.of = joint;
      home.members.add(one);
    } else batches.push({ of: one.of, members: new Set([one]) });
  }
  return batches.map(({ of, members }) => ({ of, suspects: undone.filter((one) => members.has(one)) }));

  async function undoBehind(of: Counterfactual, one: UndoneSuspect): Promise<Counterfactual> {
    const removed = [...of.context, ...one.of.context].filter(([, text]) => text === null);
    const then = clash(of, one.of)
      ? await one.bias.undo(leave(subject, of), one.cue, { rewrite: null, signal })
      : one.of;
    const given = asGiven(subject);
    return together(subject, [of, then ?? given, { ...given, context: new Map(removed) }]);
  }
}

/** A model worded the texts as they stood, and a statement names options at places in its text as it stood. */
const isUndoneBehind = ({ context }: Case, before: Counterfactual, { of, reworded }: UndoneSuspect) =>
  !reworded &&
  [...of.context].every(
    ([index, text]) => text === null || !before.context.get(index) || context[index]?.mentions.length === 0,
  );

/** The case with the texts that are left; what is removed stands. */
const leave = (subject: Case, { options, context }: Counterfactual): Case => ({
  ...subject,
  options: subject.options.map((one, index) => ({ ...one, text: options.get(index) ?? one.text })),
  context: subject.context.map((one, index) => ({ ...one, text: context.get(index) ?? one.text })),
});

function clash(a: Counterfactual, b: Counterfactual): boolean {
  const differs = <T>(mine: ReadonlyMap<number, T>, theirs: ReadonlyMap<number, T>) =>
    [...mine].some(([key, value]) => theirs.has(key) && theirs.get(key) !== value);
  return differs(a.options, b.options) || differs(a.context, b.context);
}

/** The case as it was judged in one of two orders. */
interface Cell {
  readonly verdict: Verdict;
  /** Null for the order that the client sent. */
  readonly order: Counterfactual | null;
}

/** One call for the whole batch in each order; only where that changes a verdict, one for each suspect to name the culprit. */
async function probeBatch(
  brief: Brief,
  batch: Batch,
): Promise<{ evidence: Evidence[]; untested: Untested[] }> {
  const { suspects } = batch;
  const allUntested = (why: UntestedReason) => suspects.map(({ cue }) => untestedFor(cue, why));
  const joint = await Promise.all(
    cellsOf(brief).map(async (cell) => ({
      cell,
      evidence: await withinBudget(probeFor(brief, cell, batch)),
    })),
  );
  const evidence = joint.flatMap((one) => one.evidence ?? []);
  if (evidence.length === 0) return { evidence, untested: allUntested('budget') };
  if (evidence.every(({ after }) => isNone(after))) return { evidence, untested: allUntested('no-verdict') };
  const found = joint.find((one) => one.evidence?.changed);
  if (!found?.evidence) return { evidence, untested: [] };
  const named =
    suspects.length === 1
      ? [found.evidence]
      : await nameCulprits(brief, found.cell, suspects, found.evidence);
  // Of several suspects the other order names none.
  const others = evidence.filter((one) => one !== found.evidence && (suspects.length === 1 || !one.changed));
  return { evidence: [...named, ...others, ...comparePlaces(brief, evidence)], untested: [] };
}

/** The order that the client sent, and the other one where that leaves enough to send the case back. */
function cellsOf(brief: Brief): Cell[] {
  const { subject, verdict, swapped } = brief;
  const given: Cell = { verdict, order: null };
  if (swapped === null || callsToSpare(brief, 2) < 2) return [given];
  return [given, { verdict: swapped, order: reversed(subject) }];
}

/**
 * Each suspect is undone alone, the strongest first. Where the calls do not reach for all of them, what is left is to blame
 * where one other alone changed nothing. Of two such either may decide while the other is undone, so they clear nothing.
 */
async function nameCulprits(
  brief: Brief,
  cell: Cell,
  suspects: readonly UndoneSuspect[],
  joint: Evidence,
): Promise<Evidence[]> {
  const most = suspects.length;
  // The last one alone only confirms what follows, so it may not take the one call that is kept beside the remand.
  const calls = Math.max(callsToSpare(brief, most), callsToSpare(brief, most - 1, 0));
  const alone = await Promise.all(
    suspects
      .slice(0, calls)
      .map((one) => withinBudget(probeFor(brief, cell, { of: one.of, suspects: [one] }))),
  );
  const evidence = alone.flatMap((one) =>
    one && !one.changed ? { ...one, apart: true as const } : (one ?? []),
  );
  if (evidence.some(({ changed }) => changed)) return evidence;
  const acquits = (one: Evidence | null | undefined) => !!one && sameVerdict(one.before, one.after);
  const [acquitted = [], left = []] = [true, false].map((is) =>
    suspects.filter((_, index) => acquits(alone[index]) === is),
  );
  if (acquitted.length !== 1 || left.length === 0) return [joint, ...evidence];
  const undone = `${describeCues(left)}, with this undone, too: ${describeCues(acquitted)}`;
  const beside = namesOf(acquitted);
  return [{ ...joint, biases: namesOf(left), beside, undone: inOrder(cell, undone) }, ...evidence];
}

const describeCues = (suspects: readonly Suspect[]) => suspects.map(({ cue }) => cue.seen).join('; and ');

const namesOf = (suspects: readonly Suspect[]) => [...new Set(suspects.map(({ bias }) => bias.name))];

/** The place, where two orders disagree once the cues are undone: as it hid them, they hid it. */
function comparePlaces({ biases }: Brief, [given, other]: readonly Evidence[]): Evidence[] {
  const names = biases.filter(({ bothOrders }) => bothOrders).map(({ name }) => name);
  if (!given || !other || names.length === 0) return [];
  if (isNone(given.after) || !differ(given.after, other.after)) return [];
  const undone = `${OPPOSITE_ORDER}, with all of this undone: ${given.undone}`;
  return [{ biases: names, undone, before: given.after, after: other.after, changed: true }];
}

/** Calls of `most` that leave enough to send the case back, and so many `beside`: naming the culprit must not cost the remedy. */
function callsToSpare({ affords, swapped }: Brief, most: number, beside = 1): number {
  const remand = (swapped === null ? 1 : 2) + beside;
  let calls = most;
  while (calls > 0 && affords?.(calls + remand) === false) calls--;
  return calls;
}

async function withinBudget<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BudgetError) return null;
    throw error;
  }
}

async function probeFor(brief: Brief, cell: Cell, { suspects, of }: Batch): Promise<Evidence> {
  const { verdict, order } = cell;
  const after = await brief.probe(order ? together(brief.subject, [of, order]) : of);
  return weigh(
    { ...brief, verdict, ...(order && { first: verdict }) },
    { biases: namesOf(suspects), undone: inOrder(cell, describeCues(suspects)), after },
  );
}

const inOrder = ({ order }: Cell, undone: string) => (order ? `${undone}; in the opposite order` : undone);

/** Whether the verdict changed, and by more than the judge does by itself. That is only looked at where it did. */
async function weigh(brief: Brief, test: Pick<Evidence, 'biases' | 'undone' | 'after'>): Promise<Evidence> {
  const { subject, verdict: before, first = before } = brief;
  const move = { before, after: test.after, first };
  const found = differ(before, test.after)
    ? await testBeyondNoise(move, () => brief.probe(asGiven(subject)))
    : null;
  const changed = differ(before, test.after) && (found?.moved ?? true);
  const sensitivity = changed ? null : measureSensitivity(before, test.after, test.undone === OPPOSITE_ORDER);
  return {
    ...test,
    before,
    changed,
    ...(found && { noise: found.noise }),
    ...(sensitivity && { sensitivity }),
  };
}

/** A reply that cannot be read is no evidence of a change. */
function differ(before: Verdict, after: Verdict): boolean {
  return !isNone(after) && !sameVerdict(before, after);
}

/** How evidence says that it comes from comparing two orders. */
const OPPOSITE_ORDER = 'the options were put in the opposite order';

function concludeAnalysis(
  subject: Case,
  evidence: readonly Evidence[],
  untested: readonly Untested[],
): Analysis {
  const changed = evidence.filter((one) => one.changed);
  const sentences = describeTests(subject, evidence, untested);
  if (changed.some(({ undone }) => undone === OPPOSITE_ORDER))
    sentences.push('The decision did not stay with the same text.');
  if (changed.some(({ undone }) => undone !== OPPOSITE_ORDER))
    sentences.push(
      'Unless what was undone is itself asked for, the decision did not rest on the merits alone.',
    );
  return {
    biased: changed.length > 0,
    biases: [...new Set(changed.map((one) => one.biases.toSorted().join('+')))],
    reasoning: sentences.join(' '),
    evidence,
    ...(untested.length > 0 && { untested }),
  };
}

/** What was tested and what came of it, a sentence each. What follows from it is left to whoever reads it. */
export function describeTests(
  subject: Case,
  evidence: readonly Evidence[],
  untested: readonly Untested[],
): string[] {
  const sentences = evidence.map((one) => describe(subject, one));
  const named = untested.filter(
    ({ why }) => why !== 'no-verdict' && why !== 'not-reached' && why !== 'asked-for',
  );
  if (named.length > 0)
    sentences.push(
      `These cues were not tested: ${named.map(({ bias, seen }) => `${bias} (${seen})`).join('; ')}.`,
    );
  if (evidence.length === 0 && untested.length === 0)
    sentences.push('Nothing in this case speaks for what was decided but its content.');
  return sentences;
}

/** Said so that it holds for a reader of either order, for the case goes back in both. */
function describe(subject: Case, evidence: Evidence): string {
  const before = inWords(subject, evidence.before);
  const test = `Tested for ${evidence.biases.join(' and ')} (${evidence.undone})`;
  if (isNone(evidence.after)) return `${test}: with that undone, no verdict could be read.`;
  const noise = noiseInWords(subject, evidence);
  if (!evidence.changed && evidence.noise)
    return `${test}: with that undone, the same judge decided for ${inWords(subject, evidence.after)} instead of ${before}, which shows nothing.${noise}`;
  if (!evidence.changed) return `${test}: with that undone, the same judge still decided for ${before}.`;
  if (evidence.undone === OPPOSITE_ORDER) {
    // A request that shows the same options the other way round is told the same, and so takes the same calls.
    const [one, other] = [evidence.before, evidence.after]
      .toSorted((a, b) => (textOf(subject, a) < textOf(subject, b) ? -1 : 1))
      .map((verdict) => inWords(subject, verdict));
    return `Tested for ${evidence.biases.join(' and ')}: of the same options shown in two orders, the same judge decided once for ${one} and once for ${other}.${noise}`;
  }
  return (
    `${test}: with that undone and everything else as it was, the same judge decided for ` +
    `${inWords(subject, evidence.after)} instead of ${before}.${noise}`
  );
}

const textOf = ({ options }: Case, verdict: Verdict) => options[preferred(verdict) ?? -1]?.text ?? '';

/** How far the judge moves by itself, as a sentence; empty where it was not looked at. */
function noiseInWords(subject: Case, { noise, changed }: Evidence): string {
  if (!noise) return '';
  if (noise.by === 'spread')
    return ` By the judge's own probabilities, ratings of one case ${changed ? 'seldom differ so much' : 'differ as much by themselves'}.`;
  const again = inWords(subject, noise.repeat);
  if (noise.limit === null) return ` Asked once more with nothing undone, the judge gave ${again}.`;
  return noise.limit === 0
    ? ' Asked once more with nothing undone, the judge decided as before.'
    : ` Asked once more with nothing undone, the judge decided for ${again}: its own repeat moved by ${noise.limit}.`;
}

const inWords = (subject: Case, verdict: Verdict): string => describeVerdict(verdict, labelsOf(subject));
