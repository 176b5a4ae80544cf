/** Recorded judges' files. */
export { loadRecords } from './recorded/load.ts';
