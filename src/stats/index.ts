/** The statistics that the reports are made with: `remand/stats`. */

export { type Bootstrap, type BootstrapOptions, bootstrap } from './bootstrap.ts';
export { type BradleyTerryOptions, bradleyTerry, type Wins } from './bradley-terry.ts';
export {
  type Classification,
  classification,
  type Prediction,
  type Rate,
  type WhyNone,
} from './classification.ts';
export { type ClusteredPair, type ClusteredPairs, clusteredPairs } from './clustered-pairs.ts';
export { discordantNeeded, type SettleOptions } from './discordant-needed.ts';
export { type Equivalence, equivalence, type TwoOneSided } from './equivalence.ts';
export { exactShare } from './exact-share.ts';
export { type Figure, type NoFigure, noFigure } from './figure.ts';
export { holm } from './holm.ts';
export type { Alternative } from './inputs.ts';
export { cohensKappa, type Kappa } from './kappa.ts';
export { mcnemarExact } from './mcnemar.ts';
export { type Mean, type Moments, mean } from './mean.ts';
export { midPInterval } from './mid-p.ts';
export { ndcg } from './ndcg.ts';
export { type PairedCounts, type PairedDifference, pairedDifference } from './paired-difference.ts';
export { probabilityOfGain } from './probability-of-gain.ts';
export { createSeededDraw, type Draw } from './random.ts';
export { auc, type Roc, type RocPoint, roc } from './roc.ts';
export { type SignFlip, signFlipTest } from './sign-flip.ts';
export { type SignTest, signTest } from './sign-test.ts';
export { type Wilcoxon, type WilcoxonOptions, wilcoxonSignedRank } from './wilcoxon.ts';
export { type Interval, wilson } from './wilson.ts';
