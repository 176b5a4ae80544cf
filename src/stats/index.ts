/** The statistics that the reports are made with: `remand/stats`. */

export { type Bootstrap, type BootstrapOptions, bootstrap } from './bootstrap.ts';
export { type BradleyTerryOptions, bradleyTerry, type Wins } from './bradley-terry.ts';
export { type ChangeTestOptions, nextEvidence, testLatestRound } from './change-alarm.ts';
export {
  type ClusteredPair,
  type ClusteredPairs,
  clusteredPairs,
  type SignFlip,
  signFlipTest,
} from './clustered-pairs.ts';
export {
  type Confusion,
  type CorrectedMean,
  correctedMean,
  type ItemGroups,
  type LabelledValue,
  labelsNeeded,
  type RoganGladen,
  roganGladen,
} from './corrected-mean.ts';
export { binomialCdf, normalQuantile } from './distributions.ts';
export {
  type Alternative,
  dropRounding,
  type Figure,
  formatPercent,
  type GroupedValue,
  holm,
  type Interval,
  type NoFigure,
  noFigure,
  sizeOf,
  summarise,
} from './figure.ts';
export { cohensKappa, findMajority, type Kappa } from './kappa.ts';
export { clusteredErrors, fitLogistic, type LogisticData, predictLogistic } from './logistic.ts';
export { type Equivalence, equivalence, type Mean, type Moments, mean, type TwoOneSided } from './mean.ts';
export {
  discordantNeeded,
  mcnemarExact,
  type PairedCounts,
  type PairedDifference,
  pairedDifference,
  probabilityOfGain,
  type SettleOptions,
} from './paired-difference.ts';
export {
  collectVerdicts,
  type PairedStrengths,
  type PairedStrengthsOptions,
  type PairVerdict,
  pairedStrengths,
  RATING_POINTS,
  type Strength,
  type VerdictCollection,
} from './paired-strengths.ts';
export {
  auc,
  type Classification,
  classification,
  ndcg,
  type Prediction,
  type Rate,
  type Roc,
  type RocPoint,
  roc,
  type WhyNone,
} from './predictions.ts';
export { type SignTest, signTest, type Wilcoxon, type WilcoxonOptions, wilcoxonSignedRank } from './ranks.ts';
export {
  linkedMark,
  type PairedValues,
  pairedShift,
  resampleMarks,
  type Shift,
  type SpreadChange,
  spreadChange,
  unpairedShift,
} from './score-shift.ts';
export { createSeededDraw, type Draw } from './seeded-draw.ts';
export {
  clusteredShare,
  exactShare,
  independentCases,
  midPInterval,
  wilson,
  wilsonOf,
} from './share-interval.ts';
