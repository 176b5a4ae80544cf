/** The outcome of an audit of perturbations in plain words: an arrow for each comparison, a paragraph for each judge. */
import type { Mode, Role } from '../../../prompts/peer-review.ts';
import type { Perturbation } from '../../bias/review/index.ts';
import type { Comparison, Decided, Observed } from './conclude.ts';
import type { Measure } from './tally.ts';

const MEASURED: Readonly<Record<Measure, string>> = {
  overall: 'the overall score',
  decision: 'the decision',
  contribution: 'the score for contribution',
  soundness: 'the score for soundness',
  presentation: 'the score for presentation',
};
const DOES: Readonly<Record<Observed, string>> = {
  raised: 'raise',
  lowered: 'lower',
  same: 'leave as it was',
  undecided: 'do nothing to that could be shown to',
};

/** `hostile reviews raise the overall score` */
export function arrow({ observed, measure }: Comparison, called: string): string {
  if (observed === 'undecided') return `whether ${called} move ${MEASURED[measure]} is not shown either way`;
  return observed === 'same'
    ? `${called} leave ${MEASURED[measure]} as it was`
    : `${called} ${DOES[observed]} ${MEASURED[measure]}`;
}

/** What a fair judge would have done, against what this one did. */
export function fairness({ fair, expected }: Pick<Comparison, 'fair' | 'expected'>): string {
  if (expected === null) return 'nothing is expected of this score';
  const would = { invariant: 'leaves it', decrease: 'lowers it', increase: 'raises it' }[expected];
  if (fair === null) return `a fair judge ${would}; not shown either way`;
  return fair ? `as a fair judge, who ${would}` : `unlike a fair judge, who ${would}`;
}

const WAYS: Readonly<Record<Mode, string>> = {
  none: 'asked without guidance',
  dimension: 'guided by dimension',
  template: 'guided by a template',
};

/** One paragraph for each judge, in the order of the comparisons. */
export function perturbVerdicts(
  comparisons: readonly Comparison[],
  decided: readonly Decided[],
  perturbations: readonly Perturbation[],
): { readonly judge: string; readonly verdict: string }[] {
  const judges = [...new Set(decided.map(({ judge }) => judge))];
  return judges.map((judge) => {
    const own = comparisons.filter((one) => one.judge === judge);
    const settings = [...new Map(own.map(({ role, mode }) => [`${role} ${mode}`, { role, mode }])).values()];
    const several = new Set(settings.map(({ mode }) => mode)).size > 1;
    const sentences = settings.map((at) =>
      setting(
        judge,
        at,
        several,
        own.filter(({ role, mode }) => role === at.role && mode === at.mode),
        perturbations,
      ),
    );
    const pairs = decided.filter((one) => one.judge === judge);
    if (own.length === 0)
      sentences.push(`Of ${judge} nothing can be said: no pair of judgments could be read.`);
    return { judge, verdict: [...sentences, ...reservations(pairs)].join(' ') };
  });
}

function setting(
  judge: string,
  { role, mode }: { readonly role: Role; readonly mode: Mode },
  several: boolean,
  own: readonly Comparison[],
  perturbations: readonly Perturbation[],
): string {
  const judged = own.filter(({ expected }) => expected !== null);
  const who = `${judge} as ${role}${several ? `, ${WAYS[mode]},` : ''}`;
  const unfair = said(
    judged.filter(({ fair }) => fair === false),
    perturbations,
  );
  const fair = said(
    judged.filter((one) => one.fair === true),
    perturbations,
  );
  const open = judged.filter((one) => one.fair === null).length;
  const parts = [
    unfair.length > 0 ? `${who} does what a fair judge would not: ${unfair.join('; ')}.` : '',
    fair.length > 0
      ? `${unfair.length > 0 ? 'As a fair judge would:' : `${who} does as a fair judge would:`} ${fair.join('; ')}.`
      : '',
    open > 0
      ? `${unfair.length + fair.length > 0 ? '' : `Of ${who.replace(/,$/, '')}: `}${open} of ${judged.length} comparisons show nothing either way.`
      : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** One clause for each perturbation and direction: `hostile reviews raise the overall score (by 0.42) and the decision (by 0.20)`. */
function said(comparisons: readonly Comparison[], perturbations: readonly Perturbation[]): string[] {
  const groups = Map.groupBy(comparisons, ({ perturbation, observed }) => `${perturbation} ${observed}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const called =
      perturbations.find(({ name }) => name === first.perturbation)?.called ?? first.perturbation;
    const by = ({ measure, difference, observed }: Comparison) =>
      observed === 'same'
        ? MEASURED[measure]
        : `${MEASURED[measure]} (by ${Math.abs(difference).toFixed(2)})`;
    const all = group.map(by);
    const what = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '');
    if (first.observed !== 'same') return [`${called} ${DOES[first.observed]} ${what}`];
    const wanted =
      first.expected === 'invariant'
        ? ''
        : `, which should have ${first.expected === 'decrease' ? 'fallen' : 'risen'}`;
    return [`${called} leave ${what} as ${all.length > 1 ? 'they were' : 'it was'}${wanted}`];
  });
}

function reservations(pairs: readonly Decided[]): string[] {
  const all = pairs.reduce((sum, { n, unread, failed }) => sum + n + unread + failed, 0);
  const unread = pairs.reduce((sum, one) => sum + one.unread, 0);
  const failed = pairs.reduce((sum, one) => sum + one.failed, 0);
  return [
    ...(unread > 0 ? [`${unread} of ${all} pairs have a reply that could not be read.`] : []),
    ...(failed > 0 ? [`${failed} of ${all} pairs failed.`] : []),
  ];
}
