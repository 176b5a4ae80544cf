/** Writing a verdict in the form that the request asked for. */
import type { Spelling, Verdict, VerdictForm } from '../types.ts';
import type { Labelled } from './naming.ts';
import { rankingText } from './ranking.ts';
import { onScale } from './score.ts';
import { type ScoresForm, scoresInFields } from './scores.ts';

/**
 * A verdict in exactly the form the request asked for; null where the request does not say how, or has no way
 * to say it. Where the client is not known, pass forms differ too much (`Y`, `PASS`, `true`) for one to be exact.
 */
export function verdictText(verdict: Verdict, form: VerdictForm, options: Labelled): string | null {
  switch (form.kind) {
    case 'choice':
      return inField(form.field, choiceText(verdict, form, options));
    case 'score': {
      if (verdict.kind !== 'score' || !('score' in onScale(String(verdict.score), undefined, form)))
        return null;
      if (form.field !== null) return JSON.stringify({ [form.field]: verdict.score });
      return form.template?.replaceAll('{}', String(verdict.score)) ?? null;
    }
    case 'scores':
      return verdict.kind === 'scores' ? scoresText(verdict.scores, form) : null;
    case 'ranking': {
      if (verdict.kind === 'choice' && form.names.length === 2)
        return rankingText([verdict.option, 1 - verdict.option], form);
      if (verdict.kind !== 'scores' || new Set(verdict.scores).size < verdict.scores.length) return null;
      const { scores } = verdict;
      const order = scores.map((_, option) => option).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
      return rankingText(order, form);
    }
    case 'list':
      // An entry has its claim and its reason beside the verdict.
      return null;
    case 'pass':
      // A field has companions (score, reason) that would have to say the same.
      if (verdict.kind !== 'pass' || !form.write || form.field !== null) return null;
      return spelled(form.write, form.write.labels[verdict.pass ? 0 : 1]);
    case 'category':
      if (verdict.kind !== 'category' || !form.write.labels.includes(verdict.category)) return null;
      return inField(form.field, spelled(form.write, verdict.category));
  }
}

function choiceText(
  verdict: Verdict,
  { write, tie }: Extract<VerdictForm, { kind: 'choice' }>,
  options: Labelled,
): string | null {
  if (verdict.kind === 'tie') return tie;
  if (verdict.kind !== 'choice' || !write || !options[verdict.option]) return null;
  const labels = verdict.strength === 'strong' && write.strong ? write.strong : write.labels;
  return spelled(write, labels[verdict.option]);
}

function scoresText(scores: readonly number[], form: ScoresForm): string | null {
  const { template, fields } = form;
  if (!('scores' in scoresInFields(scores, form))) return null;
  if (fields !== null)
    return fields.length === scores.length
      ? JSON.stringify(Object.fromEntries(fields.map((field, option) => [field, scores[option]])))
      : null;
  const pieces = template?.split('{}');
  if (pieces?.length !== scores.length + 1) return null;
  return pieces.map((piece, option) => piece + (scores[option] ?? '')).join('');
}

const spelled = ({ template }: Spelling, label: string | undefined): string | null =>
  label === undefined ? null : template.replaceAll('{}', () => label);

const inField = (field: string | null, written: string | null): string | null =>
  written === null || field === null ? written : JSON.stringify({ [field]: written });
