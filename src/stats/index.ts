/** The statistics that the reports are made with: `remand/stats`. */
export { type Classification, classification, type Outcome } from './classification.ts';
export { mcnemarExact } from './mcnemar.ts';
export { type Interval, wilson } from './wilson.ts';
