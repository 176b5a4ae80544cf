/** Verdicts and outcomes in words. */
import type { Trace, TraceVerdict } from '../../trace.ts';

export function decided(verdict: TraceVerdict): string {
  if (verdict.choice !== undefined) return verdict.choice;
  if (verdict.tie) return 'tie';
  if (verdict.score !== undefined) return `score ${verdict.score}`;
  if (verdict.pass !== undefined) return verdict.pass ? 'pass' : 'fail';
  return `no verdict (${verdict.none ?? 'unknown'})`;
}

/** What became of a judgment, in one sentence. */
export function outcomeInWords(trace: Trace): string {
  const found = trace.biases.length > 0 ? ` (${trace.biases.join(', ')})` : '';
  const last = trace.verdicts.at(-1);
  switch (trace.status) {
    case 'unchanged':
      return 'The verdict was examined and went out as it was.';
    case 'revised':
      return `The verdict was found biased${found}; sent back, the judge changed it.`;
    case 'insisted':
      return `The verdict was found biased${found}; sent back, the judge insisted on it.`;
    case 'unresolved':
      if (trace.stop === 'ruled' && trace.ruling)
        return `The verdict was found biased${found} and, by calibration, not sent back (${trace.ruling.action}: ${trace.ruling.why}).`;
      return `The verdict was found biased${found} and stayed unsettled. Policy: ${trace.policy}.`;
    case 'shadow':
      return trace.biases.length > 0
        ? `Shadow mode: the first verdict went out. It was found biased${found}; sent back, the judge said ${last ? decided(last) : 'nothing'}.`
        : 'Shadow mode: the first verdict went out, and nothing was found against it.';
    case 'no-verdict':
      return 'No verdict could be read from the reply, which went out as it was.';
    default:
      return `The judge's own verdict went out unexamined: ${trace.error ?? trace.stop}.`;
  }
}
