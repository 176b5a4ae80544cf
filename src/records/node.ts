/** Files: JSONL, CSV and SQLite, in and out, whole or not at all. */
export { formatCsvLine, readCsv } from './csv.ts';
export { formatJsonLine, readAllJsonl, readJsonl, readNumberedJsonl, writeJsonl } from './jsonl.ts';
export { makePrivate, PRIVATE_FOLDER } from './private-file.ts';
export { openSqlite } from './sqlite.ts';
export { openWhole, type WholeFile, writeWhole } from './whole-file.ts';
