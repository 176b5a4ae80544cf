/** Files: JSONL, CSV and SQLite, in and out, whole or not at all. */
export { formatCsvLine, formatSheet, readCsv, writeCsv } from './csv.ts';
export { formatJsonLine, readAllJsonl, readJsonl, readNumberedJsonl, writeJsonl } from './jsonl.ts';
export { listFiles, readJsonFile, readTextFile } from './read-files.ts';
export {
  makePrivate,
  openSqlite,
  openWhole,
  PRIVATE_FOLDER,
  type WholeFile,
  writeWhole,
} from './whole-file.ts';
