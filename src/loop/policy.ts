/** What to answer when a verdict stays unresolved: the operator's choice. */

import {
  type Analysis,
  type Case,
  sameVerdict,
  standsInFor,
  type Verdict,
  writeVerdict,
} from '../case/index.ts';
import type { Answer, Policy, Status } from './types.ts';

/** The answer to hand out, and the text to put in it where no reply says what the policy wants said. */
export function applyPolicy<Reply>(
  policy: Policy,
  status: Status,
  subject: Case,
  first: Answer<Reply>,
  last: Answer<Reply>,
  analyses: readonly Analysis[],
): { final: Answer<Reply>; written: string | null } {
  if (status === 'no-verdict' || status === 'failed-open') return { final: first, written: null };
  if (status !== 'insisted' && status !== 'unresolved') return { final: last, written: null };
  if (policy === 'original') return { final: first, written: null };
  const wanted = verdictWanted(policy, analyses);
  // A text of ours has no log-probabilities, and a client that reads them would read nothing.
  if (!wanted || isWeighed(last.verdict) || sameVerdict(wanted, last.verdict))
    return { final: last, written: null };
  const written = writeVerdict(wanted, subject.form, subject.options);
  // A document's other fields (the reasons) cannot be made up, and its reader may miss them.
  const readable = written !== null && standsInFor(written, last.verdict.text, null);
  return { final: last, written: readable ? written : null };
}

const isWeighed = (verdict: Verdict): boolean => 'spread' in verdict || 'probability' in verdict;

function verdictWanted(policy: Policy, analyses: readonly Analysis[]): Verdict | null {
  if (policy === 'tie') return { kind: 'tie', text: '' };
  if (policy !== 'counterfactual') return null;
  const evidence = analyses.flatMap((analysis) => analysis.evidence).filter((one) => one.changed);
  return evidence.at(-1)?.after ?? null;
}
