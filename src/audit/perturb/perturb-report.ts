/** What an audit of perturbations comes to, as `result.json` holds it. */
import type { ReviewMode, ReviewRole } from '../../../prompts/index.ts';
import type { Expectation, Perturbation } from '../../bias/index.ts';
import type { PerturbResult } from '../../report/index.ts';
import {
  cohensKappa,
  equivalence,
  holm,
  type Interval,
  mean,
  pairedDifference,
  wilcoxonSignedRank,
  wilson,
} from '../../stats/index.ts';
import { average, sumUp } from '../../stats/mean.ts';
import { correctTested } from '../holm-tested.ts';
import { describeLosses, describeSelection, testPairs } from '../losses.ts';
import {
  listDecisions,
  type PairTally,
  PERTURB_MEASURES,
  type PerturbCounts,
  type PerturbMeasure,
  type ScoreChange,
} from './perturb-tally.ts';

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
    return { judge, verdict: [...sentences, ...reservations(pairs, perturbations)].join(' ') };
  });
}

/**
 * One clause for each perturbation: by the first score that it moved and should not have, else by the overall score, else by
 * the first that something was shown of.
 */
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
      all.find(({ fair, observed }) => fair === false && observed !== 'same') ??
      all.find(({ fair, measure }) => fair !== null && measure === 'overall') ??
      all.find(({ fair }) => fair !== null) ??
      [],
  );
  const of = (wanted: (one: Comparison) => boolean, clause: (called: string, one: Comparison) => string) =>
    heads.filter(wanted).map((one) => {
      return clause(nameChange(one.perturbation, perturbations), one);
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

/** `hostile reviews` */
function nameChange(perturbation: string, perturbations: readonly Perturbation[]): string {
  return perturbations.find(({ name }) => name === perturbation)?.called ?? perturbation;
}

/** `a, b and c` */
function list(all: readonly string[]): string {
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '');
}

function reservations(
  pairs: readonly DecisionTransitions[],
  perturbations: readonly Perturbation[],
): string[] {
  const all = pairs.reduce((sum, { n, unread, failed }) => sum + n + unread + failed, 0);
  const unread = pairs.reduce((sum, one) => sum + one.unread, 0);
  const failed = pairs.reduce((sum, one) => sum + one.failed, 0);
  return [
    ...(unread > 0 ? [`${unread} of ${all} pairs have a reply that could not be read.`] : []),
    ...(failed > 0 ? [`${failed} of ${all} pairs failed.`] : []),
    ...pairs.flatMap(({ perturbation, role, mode, losses }) => {
      if (!losses?.selective) return [];
      const sides = [
        'submissions as they were',
        `those with ${nameChange(perturbation, perturbations)}`,
      ] as const;
      const lost = describeLosses(losses, sides, { replies: 'judgments', figure: 'scores' });
      return [`As ${role} (${mode}): ${lost}; ${describeSelection(losses)}.`];
    }),
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
  const comparisons = comparePairs(pairs, perturbations, margins).map((one) => ({
    ...one,
    arrow: describeEffect(one, nameChange(one.perturbation, perturbations)),
    fairness: describeFairness(one),
  }));
  return {
    audit: 'perturb',
    threshold,
    margins,
    seed,
    ...counted,
    comparisons,
    decided,
    verdicts: describePerturbVerdicts(comparisons, decided, perturbations),
  };
}

// What an audit of perturbations comes to: for each perturbation and score a directional test (Wilcoxon's signed-rank
// test) and, where that finds nothing, an equivalence test (TOST), both corrected over all comparisons of one judge
// (Holm); and what a fair judge would have done.

type ObservedChange = ReportedComparison['observed'];

type ReportedComparison = PerturbResult['comparisons'][number];
export interface Comparison extends Omit<ReportedComparison, 'arrow' | 'fairness' | 'equivalence'> {
  readonly role: ReviewRole;
  readonly mode: ReviewMode;
  readonly measure: PerturbMeasure;
  readonly p: number;
  /** In [-1, 1]; null where nothing moved. */
  readonly rank_biserial: number | null;
  /** Null where there is a finding, or the test cannot be made. */
  readonly equivalence: { readonly p: number; readonly p_holm: number; readonly interval: Interval } | null;
  /** Null where nothing is expected of this score. */
  readonly expected: Expectation | null;
}

/** What was decided of the pairs of one judge, role, mode and perturbation. */
type DecisionTransitions = PerturbResult['decided'][number];

/** The smallest differences that matter, in points. */
export interface Margins {
  readonly dimension: number;
  readonly overall: number;
}
export const MARGINS: Margins = { dimension: 0.5, overall: 1 };
const LEVEL = 0.05;
/** Where no score moved at all: fewer could be chance (sign test, 2 / 2^6 = .03). */
const FEWEST_STILL = 6;

/** Of each judge by itself: what is said of one does not hang on how many others were asked beside it. */
export function comparePairs(
  tallies: readonly PairTally[],
  perturbations: readonly Perturbation[],
  margins: Margins = MARGINS,
): Comparison[] {
  return [...Map.groupBy(tallies, ({ judge }) => judge).values()].flatMap((own) =>
    compareOne(own, perturbations, margins),
  );
}

function compareOne(
  tallies: readonly PairTally[],
  perturbations: readonly Perturbation[],
  margins: Margins,
): Comparison[] {
  const compared = tallies.flatMap((tally) =>
    PERTURB_MEASURES.filter((measure) => tally.scores[measure].length > 0).map((measure) => {
      const differences = tally.scores[measure].map(([before, after]) => after - before);
      return { tally, measure, differences, test: wilcoxonSignedRank(differences) };
    }),
  );
  const adjusted = holm(compared.map(({ test }) => (test.value === null ? 1 : test.p)));
  const marginOf = (measure: PerturbMeasure) => (measure === 'overall' ? margins.overall : margins.dimension);
  const open = compared.map(({ measure, differences }, at) =>
    (adjusted[at] ?? 1) < LEVEL ? null : equivalence(differences, marginOf(measure), LEVEL),
  );
  const equal = correctTested(open.map((one) => one?.value ?? null));
  return compared.map(({ tally, measure, differences, test }, at) => {
    const same = open[at];
    const shown =
      same && same.value !== null ? { p: same.value, p_holm: equal[at] ?? 1, interval: same.interval } : null;
    const p_holm = adjusted[at] ?? 1;
    const effect = test.value === null ? null : test.rankBiserial;
    const observed = lossesOf(tally).selective ? 'undecided' : observedIn(p_holm, effect, shown, differences);
    const entry = perturbations.find(({ name }) => name === tally.perturbation);
    const expected = entry ? findExpectation(entry, measure) : null;
    const { judge, role, mode, perturbation } = tally;
    return {
      judge,
      role,
      mode,
      perturbation,
      measure,
      ...means(tally.scores[measure]),
      p: test.value === null ? 1 : test.p,
      p_holm,
      rank_biserial: effect,
      equivalence: shown,
      margin: marginOf(measure),
      observed,
      expected,
      fair: isFair(observed, expected),
    };
  });
}

function lossesOf({ sides, alone }: PairTally) {
  return testPairs(sides, alone);
}

/** Of a paper's own aspect, and of the whole; what else its ratings do is no business of this perturbation. */
function findExpectation(
  { expectation, aspect, part }: Perturbation,
  measure: PerturbMeasure,
): Expectation | null {
  if (measure === 'overall' || measure === 'decision' || expectation === 'invariant') return expectation;
  return part === 'paper' && aspect === measure ? expectation : null;
}

function observedIn(
  p: number,
  effect: number | null,
  equal: Comparison['equivalence'],
  differences: readonly number[],
): ObservedChange {
  if (p < LEVEL && effect !== null) return effect > 0 ? 'raised' : 'lowered';
  if (effect === null && differences.length >= FEWEST_STILL) return 'same';
  return equal && equal.p_holm < LEVEL ? 'same' : 'undecided';
}

function isFair(observed: ObservedChange, expected: Expectation | null): boolean | null {
  if (expected === null || observed === 'undecided') return null;
  return observed === { invariant: 'same', decrease: 'lowered', increase: 'raised' }[expected];
}

function means(scores: readonly ScoreChange[]) {
  const differences = scores.map(([before, after]) => after - before);
  const figure = mean(sumUp(differences));
  const spread = differences.some((one) => one !== differences[0]);
  return {
    n: scores.length,
    before: average(scores.map(([before]) => before)),
    after: average(scores.map(([, after]) => after)),
    difference: average(differences),
    interval: figure.value === null || !spread ? null : figure.interval,
  };
}

export function countDecisions(tallies: readonly PairTally[]): DecisionTransitions[] {
  return tallies.map((tally) => {
    const { judge, role, mode, perturbation, decisions, accepted, unread, failed } = tally;
    const names = listDecisions(role);
    const n = decisions.length;
    const share = (count: number) => {
      const interval = wilson(count, n);
      return 'low' in interval ? { value: count / n, interval } : { value: null, interval: null };
    };
    const lost = `no pair was decided: ${unread} with a reply that could not be read, ${failed} failed`;
    const before = share(accepted.both + accepted.lost);
    const after = share(accepted.both + accepted.gained);
    return {
      judge,
      role,
      mode,
      perturbation,
      n,
      unread,
      failed,
      losses: lossesOf(tally),
      transitions: {
        names: [...names],
        counts: names.map((from) =>
          names.map((to) => decisions.filter(([was, is]) => was === from && is === to).length),
        ),
      },
      acceptance: {
        before: before.value,
        before_interval: before.interval,
        after: after.value,
        after_interval: after.interval,
        reason: n > 0 ? null : unread + failed > 0 ? lost : 'no pairs',
        change: pairedDifference(accepted),
      },
      kappa: cohensKappa(
        decisions.map(([was]) => was),
        decisions.map(([, is]) => is),
      ),
    };
  });
}
