/**
 * A trace without anybody's words, for operators who may not keep what they judge: labels, decisions, biases,
 * calls and times stay, every text is replaced by its length. Reasons quote the case, so they go, too.
 */
import type { Trace, TraceEvidence, TraceVerdict } from './trace-schema.ts';

export function removeTexts(trace: Trace): Trace {
  const { instruction, options, context } = trace.case;
  return {
    ...trace,
    case: {
      instruction: instruction === null ? null : withheld(instruction),
      options: options.map(({ label, text }) => ({ label, text: withheld(text) })),
      context: context.map(withheld),
    },
    verdicts: trace.verdicts.map(silent),
    ...(trace.swapped && { swapped: trace.swapped.map((verdict) => verdict && silent(verdict)) }),
    final: silent(trace.final),
    written: trace.written === null ? null : withheld(trace.written),
    analyses: trace.analyses.map(({ reasoning, evidence, ...analysis }) => ({
      ...analysis,
      reasoning: withheld(reasoning),
      evidence: evidence.map(quiet),
    })),
    untested: trace.untested.map((one) => ({ ...one, seen: withheld(one.seen) })),
    security: trace.security.map((one) => ({ ...one, seen: withheld(one.seen) })),
    calls: trace.calls.map((call) => ({ ...call, error: call.error === null ? null : withheld(call.error) })),
    error: trace.error === null ? null : withheld(trace.error),
  };
}

function quiet(evidence: TraceEvidence): TraceEvidence {
  const { undone, before, after, noise } = evidence;
  return {
    ...evidence,
    undone: withheld(undone),
    before: silent(before),
    after: silent(after),
    ...(noise && { noise: noise.by === 'repeat' ? { ...noise, repeat: silent(noise.repeat) } : noise }),
  };
}

function silent(verdict: TraceVerdict): TraceVerdict {
  return { ...verdict, text: withheld(verdict.text) };
}

function withheld(text: string): string {
  return `[${text.length} characters withheld]`;
}

/** Whether a text of a trace is what `removeTexts` left of one. */
export const isWithheld = (text: string): boolean => /^\[\d+ characters withheld\]$/.test(text);
