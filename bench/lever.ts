/**
 * The lever: how often Remand turns a verdict, by the judge behind it and by the operator's settings. Judges are scripted
 * and cases are made, so what is right is known. `npm run bench:lever` writes docs/lever.md; `-- planted` its last section alone.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leverCases, plantedCases } from './lever/cases.ts';
import { JUDGES } from './lever/judges.ts';
import { leverPage, plantedSection, type Row, withPlantedSection } from './lever/page.ts';
import { DEFAULTS, leverOf, SETTINGS } from './lever/run.ts';

/** Pairs of numbers for each scenario, template and order. */
const PAIRS = 4;
const PLANTED_PAIRS = 32;

const path = join(import.meta.dirname, '../docs/lever.md');
const day = new Date().toISOString().slice(0, 10);

async function writeWholePage(): Promise<string> {
  const cases = leverCases(PAIRS);
  const rows: Row[] = [];
  for (const setting of SETTINGS)
    for (const judge of JUDGES) {
      rows.push({ setting: setting.name, judge, ...(await leverOf(judge, setting, cases)) });
      console.error(`${setting.name}, ${judge}`);
    }
  return leverPage(rows, cases, day);
}

const planted = plantedCases(PLANTED_PAIRS);
const levers = [];
for (const judge of ['fair', 'swayed', 'credulous'] as const)
  levers.push({ judge, lever: await leverOf(judge, DEFAULTS, planted) });
const page = process.argv[2] === 'planted' ? await readFile(path, 'utf8') : await writeWholePage();
await writeFile(path, withPlantedSection(page, plantedSection(levers, planted, day)));
