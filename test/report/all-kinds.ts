/** A result of every kind that a report is made of, as the commands write them. */
import { measureBiasEffects } from '../../src/audit/bias-effects.ts';
import { compareRuns, createRanking, estimateRates, groupJudgments } from '../../src/evaluate/index.ts';
import type { CardResult, ReportResult } from '../../src/report/results.ts';
import { authorAudit, cueAudit } from './audit-results.ts';
import { drawReviews, evaluateReviews } from './authorship-result.ts';
import { audited } from './perturb-result.ts';
import { armResult, calibration, detectorFigures, distilled, rates, recordedJudge } from './results.ts';

const scores = (n: number, published: number, twin: number) => ({
  overall: detectorFigures(n, published),
  ...{ by_bias: { verbosity: detectorFigures(n, published) }, by_judge: {} },
  twins: { 'longer-is-right': { ...detectorFigures(n, twin), balanced: 0.5 } },
});

const items = Array.from({ length: 120 }, (_, n) => ({ item: `q${n}`, pass: n % 3 > 0, truth: n % 2 > 0 }));
const estimates = estimateRates(
  groupJudgments(
    items.map(({ item, pass }) => ({ item, judge: 'gpt', pass })),
    items.slice(0, 60).map(({ item, truth }) => ({ item, label: truth })),
  ),
  [],
);
const [figure] = estimates;

const runOf = (judge: string, less: number) =>
  groupJudgments(
    items.map(({ item }, n) => ({
      ...{ item, judge, score: 4 + (n % 6) - less, sample: 0 },
      subgroup: n % 2 === 0 ? 'en' : 'fi',
    })),
  ).get(judge) ?? [];

const check = (
  name: string,
  value: number | null,
  state: CardResult['cards'][number]['checks'][number]['state'],
) => ({
  ...{
    name,
    about: `how often ${name} moves a verdict`,
    kind: 'share' as const,
    limit: 0.1,
    n: 40,
    value,
    state,
  },
  interval: value === null ? null : { low: Math.max(0, value - 0.05), high: value + 0.05 },
  ...{ advice: 'REMAND_MODE=debias', reason: value === null ? 'no case has it' : null },
});
const card: CardResult = {
  cards: ['gpt-4o', 'sandbox'].map((judge) => ({
    ...{
      judge,
      cases: 40,
      kappa: 0.6,
      kappa_interval: { low: 0.4, high: 0.8 },
      tokens: { input: 900, output: 20 },
      price_per_1000: 2.5,
      seconds: 0.8,
    },
    checks: [
      check('position', 0.3, 'beyond'),
      check('formatting', 0.12, 'unclear'),
      check('repeats', 0.01, 'within'),
      check('sentiment', null, 'not measured'),
    ],
    settings: { REMAND_BIASES: 'position' },
  })),
  dropped: { sentiment: { 'no model rewrites tones': 40 } },
};

/** Of a judge that is swayed by `bandwagon` alone. */
export const BIASED_VERDICTS = ['bandwagon', 'verbosity'].flatMap((bias) =>
  Array.from({ length: 60 }, (_, n) => ({
    ...{ judge: 'gpt', bias, base: `b${n}`, clean: true },
    ...{
      biased: bias === 'verbosity',
      moved: bias !== 'verbosity',
      toward: bias === 'bandwagon' ? Number(n % 4 !== 0) : 0,
    },
  })),
);

/** Each beats the next in four of six verdicts, and one of the six is a tie. */
function createRankingOf(names: readonly string[]) {
  const ranking = createRanking();
  for (const [n, better] of names.entries())
    for (const worse of names.slice(n + 1))
      for (let item = 0; item < 60; item++)
        ranking.add({
          ...{ item: `q${item}`, judge: 'gpt', sample: 0, order: item % 2 === 0 ? 'given' : 'swapped' },
          contestants: [better, worse],
          choice: ([0, 0, 0, 0, 1, 'tie'] as const)[item % 6],
        });
  return ranking.list({ proposals: 2 });
}

/** By kind. Judges have long names that differ in their middle, so that charts must not cut there. */
export const EVERY_KIND: Readonly<Record<ReportResult['kind'], unknown>> = {
  recorded: Object.fromEntries(
    ['4o', '4.1', '5'].flatMap((version, n) => [
      [
        `organisation/GPT-${version}-with-a-long-name-of-2026-11/Swap`,
        recordedJudge({
          ...{ wrong_to_right: [14, 2, 6][n] ?? 0, right_to_wrong: [2, 30, 5][n] ?? 0 },
          mcnemar_p: [0.004, 0.0001, 1][n] ?? 1,
          against: {
            Vanilla: {
              ...{ n: 200, accuracy: 0.86, baseline_accuracy: 0.72, gained: 30, lost: 2, mcnemar_p: 0.0001 },
              by_item: recordedJudge({ mcnemar_p: 0.0001 }).by_item,
            },
          },
        }),
      ],
      [
        `organisation/GPT-${version}-with-a-long-name-of-2026-11/Vanilla`,
        recordedJudge({ remanded: 0, baseline: true, wrong_to_right: 0, right_to_wrong: 0 }),
      ],
    ]),
  ),
  arms: {
    arms: ['bandwagon', 'verbosity'].flatMap((bias) =>
      ['none', 'placebo', 'probe'].map((arm) => armResult(arm, { bias, judge: 'sandbox' })),
    ),
    calls: 5,
  },
  detectors: { rules: scores(100, 0.95, 0.02), probe: scores(100, 0.9, 0.88) },
  calibration,
  rates,
  distilled,
  cues: cueAudit,
  authors: authorAudit,
  perturb: audited(40, 1),
  authorship: evaluateReviews(drawReviews(1500)),
  estimates: { estimates },
  numbers: {
    ...{ judgments: 200, isPart: false },
    figures: [
      {
        ...{ judge: 'gpt', requests: 'pass, 1 option', category: null, turnedRight: 7, turnedWrong: 2 },
        ...{ first: figure, sent: figure },
      },
    ],
  },
  rankings: {
    rankings: createRankingOf(['a-model-with-a-long-name', 'another', 'small']),
  },
  'bias-effects': {
    effects: measureBiasEffects(BIASED_VERDICTS),
    dropped: { formatting: { 'the option has too few sentences': 4 } },
    skipped: {},
  },
  card,
  drift: compareRuns(runOf('old', 0), runOf('new', 1)),
  look: {
    ...{
      calls: 100,
      judgments: 80,
      examinable: 70,
      verdicts: 66,
      left_alone: { 'no-case': 10 },
      missing: [],
    },
    pipelines: [
      {
        ...{ name: 'pairs', calls: 70, examinable: 70, verdicts: 66 },
        first_wins: { n: 66, share: 0.75, interval: { low: 0.63, high: 0.84 } },
      },
    ],
    sample: {
      ...{ asked: 40, affected: 12, changed: 5, unread: 1, failed: 0, not_asked: 2, errors: [] },
      ...{ biases: { position: 9, bandwagon: 3 }, calls: 130, cost: 0.84 },
    },
  },
};
