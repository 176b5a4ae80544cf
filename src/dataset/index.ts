/** From base data to what detectors are trained on. */
export {
  type BaseItem,
  type BasePair,
  type DatasetRow,
  datasetRow,
  RIGHT_PLACES,
} from './base.ts';
export { buildDataset, createNegatives, createRetone, USUAL_BUILD } from './build-dataset.ts';
export { type DetectorRow, describeRow, detectorRow, nameSide } from './detector-row.ts';
export type { DistilReport } from './distil/distil-report.ts';
export { BALANCES, type Shares } from './distil/groups.ts';
export { surveyRows } from './distil/survey-rows.ts';
export { type DistilSettings, distil, listDistilFiles } from './distil.ts';
export { openExamples } from './export/open-examples.ts';
export { surveyExamples } from './export/training-example.ts';
export {
  EXPORT_FORMATS,
  type ExportResult,
  exportExamples,
  type FormatName,
} from './export-examples.ts';
export { type FineTuningApi, fineTune, type JobNote, type JobOrder, jobNote } from './fine-tune.ts';
export {
  checkDataset,
  checkFiles,
  judgePairs,
  listDatasetFiles,
  type RowPair,
  readPairs,
  readRowVerdict,
  readVerdicts,
  renderRowQuestion,
  type VerdictRecord,
} from './judge-pairs.ts';
export {
  createRateTally,
  type LabelledRow,
  labelledRow,
  labelPair,
  labelPairs,
  SPLITS,
} from './label-pairs.ts';
export { LABEL_SOURCES } from './langfuse/labelled-row.ts';
export { createLangfusePages, type Langfuse, type LangfusePages } from './langfuse/langfuse-pages.ts';
export { type PullResult, pull } from './langfuse/pull.ts';
export {
  dropRepeats,
  HUB_SOURCES,
  type HubName,
  isHubName,
  LAYOUTS,
  type LayoutName,
  readBase,
  readHubBase,
  takeOneOfEachId,
} from './read-base.ts';
export {
  ARCHETYPES,
  EDITED_EXTENTS,
  findReviewForm,
  KNOWN_FORMS,
  type WritingSetup,
  writeReviews,
} from './reviews/write-reviews.ts';
export { createRowBrief, renderDetectorPrompt } from './row-brief.ts';
export { FILE_FORMATS, publishedArena, publishedGsm8k, readMapping } from './sources/mapping.ts';
