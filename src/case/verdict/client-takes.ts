/**
 * What clients take from a reply whose template others use as well: it has a veto. A verdict that they would not
 * share is none, for theirs is the one that counts.
 */
import type { Verdict, VerdictForm } from '../types.ts';

/**
 * @param text the reply as the client gets it, thinking included
 * @returns whether a client of this form would take another verdict from it
 */
export function clientTakesAnother(text: string, form: VerdictForm, verdict: Verdict): boolean {
  if (verdict.kind === 'choice' && form.kind === 'choice') {
    if (form.field !== null || !form.write) return false;
    if (form.write.template === '[[{}]]') {
      // A label that stands in the judge's thinking alone is the only one that such a parser finds.
      const { labels } = form.write;
      const found = labels.flatMap((label, option) => (text.includes(`[[${label}]]`) ? [option] : []));
      return found.length > 0 && !found.includes(verdict.option);
    }
    // LLMBar: a label that has a line to itself, `Output (a)` tried first.
    if (form.write.template !== 'Output ({})') return false;
    const lines = new Set(text.split('\n').map((line) => line.trim()));
    const taken = form.write.labels.findIndex((label) => lines.has(`Output (${label})`));
    return taken >= 0 && taken !== verdict.option;
  }
  if (verdict.kind === 'score' && form.kind === 'score' && form.template?.includes('[[{}]]')) {
    // FastChat: the first number in double brackets, in its judge's thinking as well, or else in single ones.
    const taken = (/\[\[(\d+(?:\.\d*)?)\]\]/.exec(text) ?? /\[(\d+(?:\.\d*)?)\]/.exec(text))?.[1];
    return taken !== undefined && Number(taken) !== verdict.score;
  }
  return false;
}
