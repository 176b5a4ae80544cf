/**
 * The probe: undo what could have swayed the judge, judge again, and take a changed verdict as the evidence.
 * Needs no model but the judge itself, and spends calls like money: a cue that favours an option the judge did
 * not choose cannot have caused the choice, and several suspects are undone in one call before they are taken apart.
 */
import type { Bias } from '../bias/types.ts';
import { asGiven, type Counterfactual, preferred, sameVerdict, together } from '../case/counterfactual.ts';
import type { Cue, Evidence, Verdict } from '../case/types.ts';
import { leanOf } from './lean.ts';
import { beyondNoise } from './noise.ts';
import { conclude, OPPOSITE } from './reasons.ts';
import type { Brief, Detector } from './types.ts';

/** A cue that speaks for what the judge decided. */
export interface Suspect {
  readonly bias: Bias;
  readonly cue: Cue;
}

interface Undone extends Suspect {
  readonly of: Counterfactual;
}

export function createProbeDetector(): Detector {
  return {
    name: 'probe',
    async analyse(brief) {
      const suspects = suspectsFor(brief);
      const orders = await compareOrders(brief, suspects);
      // Two orders that disagree are evidence already; what else may be at work is seen in the next round.
      if (orders?.changed) return conclude(brief.subject, [orders], []);

      const { undone, stuck } = await undoAll(
        brief,
        suspects.filter(({ bias }) => !bias.bothOrders),
      );
      const evidence: Evidence[] = orders ? [orders] : [];
      for (const batch of compatible(undone)) evidence.push(...(await probeBatch(brief, batch)));
      return conclude(
        brief.subject,
        evidence,
        stuck.map(({ cue }) => cue),
      );
    },
  };
}

/** The cues that could have caused this verdict, by bias. */
export function suspectsFor(brief: Pick<Brief, 'subject' | 'verdict' | 'biases'>): Suspect[] {
  const suspects: Suspect[] = [];
  for (const bias of brief.biases)
    for (const cue of bias.spot(brief.subject))
      if (cue.favours === 'any' || speaksFor(cue.favours, brief)) suspects.push({ bias, cue });
  return suspects;
}

function speaksFor(option: number, { subject, verdict }: Pick<Brief, 'subject' | 'verdict'>): boolean {
  if (subject.options.length > 1) return preferred(verdict) === option;
  // What speaks for the only answer may have raised its score or its category; it cannot have failed it.
  return verdict.kind === 'pass' ? verdict.pass : verdict.kind !== 'none';
}

async function compareOrders(brief: Brief, suspects: readonly Suspect[]): Promise<Evidence | null> {
  const biases = suspects.filter(({ bias }) => bias.bothOrders).map(({ bias }) => bias.name);
  if (biases.length === 0 || brief.swapped === null) return null;
  return weigh(brief, { biases, undone: OPPOSITE, after: brief.swapped });
}

async function undoAll(
  brief: Brief,
  suspects: readonly Suspect[],
): Promise<{ undone: Undone[]; stuck: Suspect[] }> {
  const tools = { rewrite: brief.rewrite, signal: brief.signal };
  const all = await Promise.all(
    suspects.map(async (suspect) => ({
      ...suspect,
      of: await suspect.bias.undo(brief.subject, suspect.cue, tools),
    })),
  );
  return {
    undone: all.flatMap(({ bias, cue, of }) => (of ? [{ bias, cue, of }] : [])),
    stuck: all.filter(({ of }) => of === null),
  };
}

/** Groups that can be undone in one request: no two of a group give the same text different wordings. */
function compatible(undone: readonly Undone[]): Undone[][] {
  const batches: Undone[][] = [];
  for (const one of undone) {
    const home = batches.find((batch) => batch.every((other) => !clash(one.of, other.of)));
    if (home) home.push(one);
    else batches.push([one]);
  }
  return batches;
}

function clash(a: Counterfactual, b: Counterfactual): boolean {
  const differs = <T>(mine: ReadonlyMap<number, T>, theirs: ReadonlyMap<number, T>) =>
    [...mine].some(([key, value]) => theirs.has(key) && theirs.get(key) !== value);
  return differs(a.options, b.options) || differs(a.context, b.context);
}

/** One call for the whole batch; only where that changes the verdict, one for each suspect to name the culprit. */
async function probeBatch(brief: Brief, batch: readonly Undone[]): Promise<Evidence[]> {
  const joint = await probeFor(brief, batch);
  if (!joint.changed || batch.length === 1) return [joint];
  const singly = await Promise.all(batch.map((one) => probeFor(brief, [one])));
  const culprits = singly.filter((evidence) => evidence.changed);
  return culprits.length > 0 ? culprits : [joint];
}

async function probeFor(brief: Brief, batch: readonly Undone[]): Promise<Evidence> {
  const of = together(
    brief.subject,
    batch.map((one) => one.of),
  );
  const after = await brief.probe(of);
  return weigh(brief, {
    biases: [...new Set(batch.map(({ bias }) => bias.name))],
    undone: batch.map(({ cue }) => cue.seen).join('; and '),
    after,
  });
}

/** Whether the verdict changed, and by more than the judge does by itself. That is only looked at where it did. */
async function weigh(brief: Brief, test: Pick<Evidence, 'biases' | 'undone' | 'after'>): Promise<Evidence> {
  const { subject, verdict: before, first = before } = brief;
  const move = { before, after: test.after, first };
  const found = differ(before, test.after)
    ? await beyondNoise(move, () => brief.probe(asGiven(subject)))
    : null;
  const changed = differ(before, test.after) && (found?.moved ?? true);
  const lean = changed ? null : leanOf(before, test.after, test.undone === OPPOSITE);
  return { ...test, before, changed, ...(found && { noise: found.noise }), ...(lean && { lean }) };
}

/** A reply that cannot be read is no evidence of a change. */
function differ(before: Verdict, after: Verdict): boolean {
  return after.kind !== 'none' && !sameVerdict(before, after);
}
