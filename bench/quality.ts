/**
 * `npm run bench:quality -- <folder of the data>`: everything that can be measured here without model weights or keys,
 * by the commands a reader would give, written to RESULTS.md with those commands and the date.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const folder = process.argv[2];
if (!folder) throw new Error('usage: npm run bench:quality -- <folder with llmbar/ and rbd/>');
const from = (path: string) => join(folder, path);
const run = promisify(execFile);

/** One command as a reader gives it, and what it printed. */
async function printed(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, script), ...args], { maxBuffer: 1 << 28 });
  return stdout;
}

const recordedJudges = z.record(
  z.string(),
  z.looseObject({
    n: z.number(),
    accuracy_before: z.number(),
    accuracy_after: z.number(),
    agreement_before: z.number(),
    agreement_after: z.number(),
    wrong_to_right: z.number(),
    right_to_wrong: z.number(),
    mcnemar_p: z.number(),
  }),
);
const share = z.number().nullable();
const figures = z.looseObject({ n: z.number(), accuracy: share, precision: share, recall: share, f1: share });
const detectors = z.record(
  z.string(),
  z.looseObject({
    overall: figures,
    by_bias: z.record(z.string(), figures),
    twins: z.record(z.string(), figures).optional(),
  }),
);

const ITEMS = ['llmbar/items.dev.jsonl', 'llmbar/verdicts.dev.jsonl'] as const;
const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
const decimals = (value: number | null) => (value === null ? 'none' : value.toFixed(3));
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

async function judges(): Promise<string> {
  const args = ['eval', 'judge', '--cases', from(ITEMS[0]), '--verdicts', from(ITEMS[1]), '--json'];
  const found = recordedJudges.parse(JSON.parse(await printed('src/cli/remand.ts', args)));
  const rows = Object.entries(found).map(([name, of]) => [
    name,
    String(of.n),
    `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
    `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
    String(of.wrong_to_right),
    String(of.right_to_wrong),
    of.mcnemar_p.toPrecision(2),
  ]);
  const head = ['judge/strategy', 'items', 'accuracy', 'orders agree', 'wrong→right', 'right→wrong', 'p'];
  return `## Real judges, recorded

Six judges on LLMBar, each item in both orders, through the loop with detector \`probe\`, bias \`position\`, one round; the
second judgments are recorded, too. Strategies without a recorded second judgment show the judge alone. p: exact
McNemar, two-sided.

\`npx remand eval judge --cases ${ITEMS[0]} --verdicts ${ITEMS[1]}\`

${table(head, rows)}`;
}

async function calibration(): Promise<string> {
  const out = await printed('bench/calibration-splits.ts', ITEMS.map(from));
  return `## Calibrated

Settled on one random half of the items, seen on the other, 200 seeded splits. Gains are wrong→right less right→wrong
on the other half.

\`npm run figures:calibration -- ${ITEMS.join(' ')}\`

${out.trim()}`;
}

async function detecting(): Promise<string> {
  const rows = 'rbd/reasoning-supervision.test-dev.jsonl';
  const args = [
    'eval',
    'detector',
    '--rows',
    from(rows),
    '--detector',
    'rules,recorded',
    '--twins',
    from('rbd'),
    '--json',
  ];
  const found = detectors.parse(JSON.parse(await printed('src/cli/remand.ts', args)));
  const lines = Object.entries(found).flatMap(([name, of]) =>
    Object.entries({ overall: of.overall, ...of.by_bias, ...of.twins }).map(([group, one]) => [
      name,
      group,
      String(one.n),
      ...[one.accuracy, one.precision, one.recall, one.f1].map(decimals),
    ]),
  );
  return `## Detectors

On half of the published test set, and on its counterbalanced twins, where the longer answer, or the crowd's, is the
right one and every label is No. \`recorded\` is the label that zero-shot DeepSeek-R1 gave, replayed through the whole path.

\`npx remand eval detector --rows ${rows} --detector rules,recorded --twins rbd\`

${table(['detector', 'rows', 'n', 'accuracy', 'precision', 'recall', 'F1'], lines)}`;
}

const NOT_MEASURED = `## Not measured here

- The released detector weights (RBD 1.5B to 14B), and any detector fine-tuned with the recipes: there are no weights here.
- Any live judge: there are no keys here. \`remand eval judge --in … --judge …\` measures yours.
- Verbosity, bandwagon and sentiment on real judges: the recordings at hand hold second judgments for position only.
- \`panel\` and \`rbd\` on recorded judges, for the same two reasons.`;

const sections = [await judges(), await calibration(), await detecting(), NOT_MEASURED];
const date = new Date().toISOString().slice(0, 10);
const page = `# Results

Made on ${date} by \`npm run bench:quality -- <folder of the data>\`; each section names its own command. Only what was
measured; simulations are not here.

${sections.join('\n\n')}
`;
await writeFile(join(ROOT, 'RESULTS.md'), page);
console.log(`RESULTS.md: ${page.length} characters`);
