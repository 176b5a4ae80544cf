/**
 * The probe: undo what could have swayed the judge, judge again, and take a changed verdict as the evidence.
 * Needs no model but the judge itself, and spends calls like money: a cue that favours an option the judge did
 * not choose cannot have caused the choice, and several suspects are undone in one call before they are taken apart.
 */
import type { Bias } from '../bias/types.ts';
import { type Counterfactual, preferred, sameVerdict, together } from '../case/counterfactual.ts';
import type { Analysis, Case, Cue, Evidence, Verdict } from '../case/types.ts';
import type { Brief, Detector } from './types.ts';

const OPPOSITE = 'the options were put in the opposite order';

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
      const orders = compareOrders(brief, suspects);
      // Two orders that disagree are evidence already; what else may be at work is seen in the next round.
      if (orders?.changed) return conclude(brief.subject, [orders], []);

      const { undone, stuck } = await undoAll(
        brief,
        suspects.filter(({ bias }) => !bias.bothOrders),
      );
      const evidence: Evidence[] = orders ? [orders] : [];
      for (const batch of compatible(undone)) evidence.push(...(await probeBatch(brief, batch)));
      return conclude(brief.subject, evidence, stuck);
    },
  };
}

/** The cues that could have caused this verdict, by bias. */
export function suspectsFor(brief: Pick<Brief, 'subject' | 'verdict' | 'biases'>): Suspect[] {
  const chosen = preferred(brief.verdict);
  return brief.biases.flatMap((bias) =>
    bias
      .spot(brief.subject)
      .filter((cue) => cue.favours === 'any' || cue.favours === chosen)
      .map((cue) => ({ bias, cue })),
  );
}

function compareOrders(brief: Brief, suspects: readonly Suspect[]): Evidence | null {
  const biases = suspects.filter(({ bias }) => bias.bothOrders).map(({ bias }) => bias.name);
  if (biases.length === 0 || brief.swapped === null) return null;
  return {
    biases,
    undone: OPPOSITE,
    before: brief.verdict,
    after: brief.swapped,
    changed: differ(brief.verdict, brief.swapped),
  };
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
  return {
    biases: [...new Set(batch.map(({ bias }) => bias.name))],
    undone: batch.map(({ cue }) => cue.seen).join('; and '),
    before: brief.verdict,
    after,
    changed: differ(brief.verdict, after),
  };
}

/** A reply that cannot be read is no evidence of a change. */
function differ(before: Verdict, after: Verdict): boolean {
  return after.kind !== 'none' && !sameVerdict(before, after);
}

function conclude(subject: Case, evidence: readonly Evidence[], stuck: readonly Suspect[]): Analysis {
  const changed = evidence.filter((one) => one.changed);
  const sentences = evidence.map((one) => describe(subject, one));
  if (stuck.length > 0) {
    sentences.push(
      `Could not be undone, so not tested: ${stuck.map(({ cue }) => `${cue.bias} (${cue.seen})`).join('; ')}.`,
    );
  }
  if (evidence.length === 0 && stuck.length === 0)
    sentences.push('Nothing in this case speaks for what was decided but its content.');
  return {
    biased: changed.length > 0,
    biases: [...new Set(changed.flatMap((one) => one.biases))],
    reasoning: sentences.join(' '),
    evidence,
  };
}

/** Said so that it holds for a reader of either order, for the case goes back in both. */
function describe(subject: Case, evidence: Evidence): string {
  const before = inWords(subject, evidence.before);
  const test = `Tested for ${evidence.biases.join(' and ')} (${evidence.undone})`;
  if (evidence.after.kind === 'none') return `${test}: with that undone, no verdict could be read.`;
  if (!evidence.changed) return `${test}: with that undone, the same judge still decided for ${before}.`;
  if (evidence.undone === OPPOSITE) {
    return (
      `Tested for ${evidence.biases.join(' and ')}: of the same options shown in two orders, the same judge decided once for ` +
      `${before} and once for ${inWords(subject, evidence.after)}. The decision did not stay with the same text.`
    );
  }
  return (
    `${test}: with that undone and everything else as it was, the same judge decided for ` +
    `${inWords(subject, evidence.after)} instead of ${before}. The merits did not change, so the decision did not rest on them alone.`
  );
}

function inWords(subject: Case, verdict: Verdict): string {
  switch (verdict.kind) {
    case 'choice':
      return subject.options[verdict.option]?.label ?? 'an unknown option';
    case 'tie':
      return 'a tie';
    case 'score':
      return `a score of ${verdict.score}`;
    case 'scores': {
      const best = preferred(verdict);
      return best === null ? 'equal scores' : (subject.options[best]?.label ?? 'an unknown option');
    }
    case 'category':
      return `the category ${verdict.category}`;
    case 'pass':
      return verdict.pass ? 'a pass' : 'a fail';
    case 'none':
      return 'nothing that could be read';
  }
}
