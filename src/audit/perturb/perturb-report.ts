/** What an audit of perturbations comes to, as `result.json` holds it. */

import type { ReviewMode, ReviewRole } from '../../../prompts/index.ts';
import type { Perturbation } from '../../bias/index.ts';
import {
  type Comparison,
  comparePairs,
  countDecisions,
  type DecisionTransitions,
  type Margins,
  type ObservedChange,
} from './compare-pairs.ts';
import type { PairTally, PerturbCounts, PerturbMeasure } from './perturb-tally.ts';

/** The outcome of an audit of perturbations in plain words: an arrow for each comparison, a paragraph for each judge. */
const MEASURED: Readonly<Record<PerturbMeasure, string>> = {
  overall: 'the overall score',
  decision: 'the decision',
  contribution: 'the score for contribution',
  soundness: 'the score for soundness',
  presentation: 'the score for presentation',
};
const DOES: Readonly<Record<ObservedChange, string>> = {
  raised: 'raise',
  lowered: 'lower',
  same: 'leave as it was',
  undecided: 'do nothing that was shown to',
};

/** `hostile reviews raise the overall score` */
export function describeEffect(
  { observed, measure, difference, interval, margin }: Comparison,
  called: string,
): string {
  if (observed === 'undecided') return `whether ${called} move ${MEASURED[measure]} is not shown either way`;
  const within = difference === 0 && interval === null ? '' : `, within ±${margin}`;
  return observed === 'same'
    ? `${called} leave ${MEASURED[measure]} as it was${within}`
    : `${called} ${DOES[observed]} ${MEASURED[measure]}`;
}

/** What a fair judge would have done, against what this one did. */
export function describeFairness({ fair, expected }: Pick<Comparison, 'fair' | 'expected'>): string {
  if (expected === null) return 'nothing is expected of this score';
  const would = { invariant: 'leaves it', decrease: 'lowers it', increase: 'raises it' }[expected];
  if (fair === null) return `a fair judge ${would}; not shown either way`;
  return fair ? `as a fair judge, who ${would}` : `unlike a fair judge, who ${would}`;
}

const WAYS: Readonly<Record<ReviewMode, string>> = {
  none: 'asked without guidance',
  dimension: 'guided by dimension',
  template: 'guided by a template',
};

/** One paragraph for each judge, in the order of the comparisons. */
export function describePerturbVerdicts(
  comparisons: readonly Comparison[],
  decided: readonly DecisionTransitions[],
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

/** One clause for each perturbation, by the overall score, or the first other that something was shown of. */
function setting(
  judge: string,
  { role, mode }: { readonly role: ReviewRole; readonly mode: ReviewMode },
  several: boolean,
  own: readonly Comparison[],
  perturbations: readonly Perturbation[],
): string {
  const judged = Map.groupBy(
    own.filter(({ expected }) => expected !== null),
    ({ perturbation }) => perturbation,
  );
  const heads = [...judged.values()].flatMap(
    (all) =>
      all.find(({ fair, measure }) => fair !== null && measure === 'overall') ??
      all.find(({ fair }) => fair !== null) ??
      [],
  );
  const of = (wanted: (one: Comparison) => boolean, clause: (called: string, one: Comparison) => string) =>
    heads.filter(wanted).map((one) => {
      const called = perturbations.find(({ name }) => name === one.perturbation)?.called ?? one.perturbation;
      return clause(called, one);
    });
  const still = ({ observed }: Comparison) => observed === 'same';
  const bare = (called: string, { measure }: Comparison) =>
    measure === 'overall' ? called : `${called} (${MEASURED[measure]})`;
  const by = ({ measure, difference }: Comparison) =>
    `${MEASURED[measure]} by ${Math.abs(difference).toFixed(2)}`;
  const swayed = of(
    (one) => one.fair === false && !still(one),
    (called, one) => `${called} ${DOES[one.observed]} ${by(one)}`,
  );
  const missed = of((one) => one.fair === false && still(one), bare);
  const right = of(
    (one) => one.fair === true && !still(one),
    (called, one) => `${called} (${DOES[one.observed]} ${by(one)})`,
  );
  const firm = of((one) => one.fair === true && still(one), bare);
  const open = judged.size - heads.length;
  const parts = [
    swayed.length > 0 ? `is swayed by what would not move a fair judge: ${swayed.join('; ')}.` : '',
    missed.length > 0 ? `is moved by less than matters where it should be moved: by ${list(missed)}.` : '',
    right.length > 0 ? `rightly follows ${list(right)}.` : '',
    firm.length > 0 ? `is rightly unmoved by ${list(firm)}.` : '',
    open > 0 ? `shows nothing either way of ${open} of ${judged.size} perturbations.` : '',
  ].filter((part) => part !== '');
  const who = `${judge} as ${role}${several ? `, ${WAYS[mode]},` : ''}`;
  return parts.map((part, at) => `${at === 0 ? who : 'It'} ${part}`).join(' ');
}

/** `a, b and c` */
function list(all: readonly string[]): string {
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '');
}

function reservations(pairs: readonly DecisionTransitions[]): string[] {
  const all = pairs.reduce((sum, { n, unread, failed }) => sum + n + unread + failed, 0);
  const unread = pairs.reduce((sum, one) => sum + one.unread, 0);
  const failed = pairs.reduce((sum, one) => sum + one.failed, 0);
  return [
    ...(unread > 0 ? [`${unread} of ${all} pairs have a reply that could not be read.`] : []),
    ...(failed > 0 ? [`${failed} of ${all} pairs failed.`] : []),
  ];
}

type Counted = ReturnType<PerturbCounts['result']>;

export interface PerturbReport extends Counted {
  readonly audit: 'perturb';
  readonly threshold: number;
  readonly margins: Margins;
  readonly seed: number;
  readonly comparisons: readonly (Comparison & {
    readonly arrow: string;
    readonly fairness: ReturnType<typeof describeFairness>;
  })[];
  readonly decided: readonly DecisionTransitions[];
  readonly verdicts: ReturnType<typeof describePerturbVerdicts>;
}

/** @param asked threshold and margins in points */
export function createPerturbReport(
  pairs: readonly PairTally[],
  counted: Counted,
  perturbations: readonly Perturbation[],
  asked: Pick<PerturbReport, 'threshold' | 'margins' | 'seed'>,
): PerturbReport {
  const { threshold, margins, seed } = asked;
  const decided = countDecisions(pairs);
  const called = (perturbation: string) =>
    perturbations.find(({ name }) => name === perturbation)?.called ?? perturbation;
  const comparisons = comparePairs(pairs, perturbations, margins).map((one) => ({
    ...one,
    arrow: describeEffect(one, called(one.perturbation)),
    fairness: describeFairness(one),
  }));
  return {
    ...{ audit: 'perturb', threshold, margins, seed, ...counted },
    ...{ comparisons, decided, verdicts: describePerturbVerdicts(comparisons, decided, perturbations) },
  };
}
