/**
 * The lever: how often Remand turns a verdict, by the judge behind it and by the operator's settings. Judges are scripted
 * and cases are made, so what is right is known. `npm run bench:lever` writes docs/lever.md.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leverCases } from './lever/cases.ts';
import { JUDGES } from './lever/judges.ts';
import { leverPage, type Row } from './lever/page.ts';
import { leverOf, SETTINGS } from './lever/run.ts';

/** Pairs of numbers for each scenario, template and order. */
const PAIRS = 4;

const cases = leverCases(PAIRS);
const rows: Row[] = [];
for (const setting of SETTINGS)
  for (const judge of JUDGES) {
    rows.push({ setting: setting.name, judge, ...(await leverOf(judge, setting, cases)) });
    console.error(`${setting.name}, ${judge}`);
  }
const day = new Date().toISOString().slice(0, 10);
await writeFile(join(import.meta.dirname, '../docs/lever.md'), leverPage(rows, cases, day));
