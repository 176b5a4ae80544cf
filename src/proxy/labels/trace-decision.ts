/** What a traced verdict decides, and a person's label on it, in the terms that people and judges share. */
import { fromTracedFields, kindOf, type VerdictDraw, type VerdictValue } from '../../case/index.ts';
import type { Trace, TraceVerdict } from '../../trace/index.ts';
import type { Label } from './label.ts';

/** @returns null where the judge gave no verdict, or one that cannot be compared with a label (a list) */
export function readDraw({ case: { options } }: Trace, told: TraceVerdict): VerdictDraw | null {
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

/** What a person said of a case, however it was asked. */
export type LabelOpinion = Pick<Label, 'decision' | 'random' | 'who' | 'time'>;

/** A label from what is right: the judge's verdicts are right where they decide the same. */
export function labelTrace(trace: Trace, { decision, ...said }: LabelOpinion): Label {
  const [first] = trace.verdicts;
  return {
    ...describeTrace(trace),
    ...{ decision, ...said },
    before: first !== undefined && readTraceDecision(trace, first) === decision,
    after: readTraceDecision(trace, trace.final) === decision,
  };
}

/** What a label tells of the judgment that it is on. */
export function describeTrace(trace: Trace): Pick<Label, 'trace' | 'judge' | 'biases' | 'judged'> {
  const { id, judge, rounds, biases, final } = trace;
  return { trace: id, judge, biases: rounds > 0 ? biases : [], judged: readTraceDecision(trace, final) };
}
