/** Results as the commands write them, small and of our own making. */
import type { ArmResult, RecordedJudge } from '../../src/report/results.ts';
import { wilson } from '../../src/stats/index.ts';

/** @param over its McNemar's p is that over items, too, unless that is given */
export const recordedJudge = (over: Partial<RecordedJudge> = {}): RecordedJudge => ({
  ...{ n: 100, accuracy_before: 0.8, accuracy_after: 0.86, agreement_before: 0.7, agreement_after: 0.9 },
  ...{ wrong_to_right: 14, right_to_wrong: 2, mcnemar_p: 0.0042, remanded: 40, unreadable: 0 },
  by_item: {
    ...{ value: 0.06, interval: { low: 0.02, high: 0.1 }, items: 100 },
    test: { value: over.mcnemar_p ?? 0.0042, moved: 12, up: 11, least: 0 },
  },
  ...{ baseline: false, against: {} },
  ...over,
});

const share = (count: number, of: number) =>
  of === 0
    ? { value: null, of, interval: null }
    : {
        value: count / of,
        of,
        interval: { low: Math.max(0, count / of - 0.1), high: Math.min(1, count / of + 0.1) },
      };

export const armBesideNone = {
  ...{ n: 50, gained: 16, lost: 1, p: 0.00027, p_holm: 0.00027 },
  difference: { value: 0.3, interval: { low: 0.16, high: 0.42 } },
};

export const armResult = (arm: string, over: Partial<ArmResult> = {}): ArmResult => ({
  ...{ judge: 'judge-1', bias: 'bandwagon', twin: false, arm, n: 50, failed: 0 },
  accuracy: { d: share(40, 50), d_bias: share(arm === 'none' ? 20 : 35, 50) },
  consistency: share(30, 50),
  ...{
    wrong_to_right: arm === 'none' ? 0 : 16,
    right_to_wrong: arm === 'none' ? 0 : 1,
    by_half: { better: 0, worse: 0 },
    false_corrections: 0,
  },
  ...{ insisted: share(0, 0), insisted_rightly: share(0, 0), unread: 0 },
  ...{ calls: arm === 'none' ? 1 : 1.6, tokens: { input: 100, output: 3 } },
  ...{ calls_interval: { low: 1, high: 2 }, seconds: { value: 1.2 }, price_per_1000: { value: 0.8 } },
  ...{ risk: { '0.6': 0.1 }, area_under_risk: { value: 0.1 }, panel: null },
  curve: arm === 'none' ? [0.4, 0.4] : [0.4, 0.7],
  against_none: arm === 'none' ? null : armBesideNone,
  ...{ against_placebo: null, reasons: {} },
  ...over,
});

export const nothingJudged = (arm: string): ArmResult =>
  armResult(arm, {
    ...{ n: 0, failed: 3, wrong_to_right: 0, right_to_wrong: 0, calls: null, tokens: null, curve: [] },
    accuracy: { d: share(0, 0), d_bias: share(0, 0) },
    consistency: share(0, 0),
    against_none: null,
  });

export const detectorFigures = (n: number, accuracy: number | null) => ({
  ...{ n, accuracy, precision: null, recall: accuracy, f1: accuracy, unreadable: 0, reasons: {} },
  intervals: {
    ...{ accuracy: accuracy === null ? null : wilson(Math.round(accuracy * n), n) },
    ...{ precision: null, recall: null, f1: null },
  },
});

export const rates = {
  labelled: 40,
  unlabelled: { 'the judge gave no reply: timed out': 2 },
  rates: [
    {
      ...{ judge: 'judge-1', bias: 'verbosity', twin: false, n: 40, biased: 10, share: 0.25 },
      ...{ interval: { low: 0.14, high: 0.4 }, right_in_d: 30 },
    },
    {
      ...{
        judge: 'judge-1',
        bias: 'verbosity',
        twin: true,
        n: 0,
        biased: 0,
        share: null,
        interval: null,
        right_in_d: 0,
      },
    },
  ],
};

export const calibration = {
  version: 1,
  threshold: 0.9,
  judges: {
    'judge-1': {
      position: {
        ...{
          action: 'remand',
          why: '31 against 5',
          judgments: 400,
          sent_back: 60,
          wrong_to_right: 31,
          right_to_wrong: 5,
        },
        ...{
          probability_of_gain: 0.99,
          gain: { value: 0.065, interval: { low: 0.03, high: 0.1 } },
          cases_to_settle: 0,
        },
      },
      verbosity: {
        ...{
          action: 'flag',
          why: 'nothing was found',
          judgments: 0,
          sent_back: 0,
          wrong_to_right: 0,
          right_to_wrong: 0,
        },
        ...{ probability_of_gain: 0.5, gain: { value: null, interval: null }, cases_to_settle: null },
      },
    },
  },
};

const lengths = { n: 8, p50: 300, p95: 900, max: 950, over: { '3584': 0 } };
export const distilled = {
  ...{ rows: 10, kept: 8, dropped: { 'teacher wrong': 2 } },
  by_bias: { verbosity: { rows: 10, kept: 8, dropped: { 'teacher wrong': 2 } } },
  ...{ by_label: {}, by_judge: {} },
  splits: {
    train: { rows: 6, yes: 3, no: 3 },
    validation: { rows: 1, yes: 1, no: 0 },
    test: { rows: 1, yes: 0, no: 1 },
  },
  teacher: {
    ...{
      name: 'teacher',
      label_shown: false,
      outcomes: { right: 8, wrong: 2 },
      attempts_of_kept: { '1': 8 },
    },
    accuracy: [
      { bias: 'verbosity', n: 10, unread: 0, right: 8, share: 0.8, interval: { low: 0.49, high: 0.94 } },
    ],
  },
  token_lengths: { encoding: 'o200k_base', prompt: lengths, completion: lengths, both: lengths },
};
