/** Files: JSONL, CSV and SQLite, in and out, whole or not at all. */
export { formatCsvLine, readCsv, writeCsv } from './csv.ts';
export { formatJsonLine, readAllJsonl, readJsonl, readNumberedJsonl, writeJsonl } from './jsonl.ts';
export { openSqlite } from './sqlite.ts';
export { makePrivate, openWhole, PRIVATE_FOLDER, type WholeFile, writeWhole } from './whole-file.ts';
