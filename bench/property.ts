/**
 * The property of test/security/no-foreign-bytes.test.ts on as many prompts as are asked for:
 * `npm run property -- --prompts 10000 [--lines 20] [--seed 1] [--templates] [--write]`.
 *
 * 10,000 prompts with 20 lines each are 200,000 pairs: every line with every layout about 45 times. `--lines 200` is the
 * whole product of 2,000,000 pairs. It ends in 1 where something breaks that bench/property/known.json does not list,
 * or something listed there no longer breaks. `--write` writes that list anew. With `--templates` each layout's template has
 * been learned first, from five prompts in the same protocol; then nothing may break.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseWholeNumber } from '../src/cli/arguments.ts';
import { differences, KNOWN, type Known, knownList, SAMPLE } from './property/known.ts';
import { LINES } from './property/lines.ts';
import { tryAll } from './property/run.ts';

const { values } = parseArgs({
  options: {
    prompts: { type: 'string', default: '10000' },
    lines: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    templates: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const plan = {
  prompts: parseWholeNumber('--prompts', values.prompts, 1, 1e7),
  lines: parseWholeNumber('--lines', values.lines, 1, LINES.length),
  seed: parseWholeNumber('--seed', values.seed, 0, 2 ** 31),
  ...(values.templates && { templates: true }),
};
const file = join(import.meta.dirname, 'property', KNOWN);
const known = JSON.parse(await readFile(file, 'utf8')) as Known;

const began = process.cpuUsage();
const report = await tryAll(plan, (done) => {
  if (done % 1000 === 0) console.error(`${done} of ${plan.prompts} prompts`);
});
const { user, system } = process.cpuUsage(began);
const { entries, ...sums } = report;
console.log(JSON.stringify({ ...plan, ...sums, cpuSeconds: Math.round((user + system) / 1e6) }));
for (const { layout, kind, breach, count } of entries) console.log(`${count}\t${breach}\t${layout}\t${kind}`);

if (values.templates) {
  if (entries.length > 0) process.exitCode = 1;
} else if (values.write) {
  const sample = await tryAll(SAMPLE);
  await writeFile(file, `${JSON.stringify(knownList(plan, report, sample), null, 2)}\n`);
} else {
  const wrong = differences(known.entries, entries, 'full');
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}
