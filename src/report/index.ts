/** Results of evaluations and audits as one HTML page. */
export { CASE_LIMITS, type CaseGroup, type CaseLine, caseLine, type ShownCase } from './cases.ts';
export { type ReportInput, renderReport } from './report-page.ts';
export { tellPanel } from './report-words.ts';
export { formatResultText } from './result-text.ts';
export {
  type ArmResult,
  type AuthorshipResult,
  type AuthorsResult,
  type BiasRate,
  type CheckedFigure,
  type ContestantRanking,
  type CueAuditResult,
  type CuePairReport,
  type DistilReport,
  type DriftResult,
  type LookResult,
  type Losses,
  type NumbersResult,
  type PairedLabels,
  type Panel,
  type PerturbResult,
  type PricedCard,
  type RateEstimate,
  type RecordedJudge,
  type ReportResult,
  type ResultOrigin,
  recogniseResult,
} from './results.ts';
export { nameArmGroup } from './sections/arms-section.ts';
export { nameAuthorGroup } from './sections/authors-section.ts';
export { formatLimit } from './sections/card-section.ts';
export { nameCueGroup } from './sections/cues-section.ts';
