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

const nothing = z.object({ value: z.null(), reason: z.string() });
const interval = z.union([z.object({ low: z.number(), high: z.number() }), nothing]);
const byItem = z.union([
  z.object({
    value: z.number(),
    interval,
    test: z.union([z.object({ value: z.number(), moved: z.number(), least: z.number() }), nothing]),
  }),
  nothing,
]);
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
    by_item: byItem,
    replies: z.object({ n: z.number(), differ: z.number(), unread: z.number() }),
    baseline: z.boolean(),
    against: z.record(z.string(), z.looseObject({ gained: z.number(), lost: z.number(), by_item: byItem })),
  }),
);
const share = z.number().nullable();
const RATES = ['accuracy', 'precision', 'recall', 'f1'] as const;
const figures = z.looseObject({
  n: z.number(),
  accuracy: share,
  precision: share,
  recall: share,
  f1: share,
  reasons: z.record(z.string(), z.string()),
  intervals: z.object({ accuracy: interval, precision: interval, recall: interval, f1: interval }),
});
const detectors = z.record(
  z.string(),
  z.looseObject({
    overall: figures,
    by_bias: z.record(z.string(), figures),
    twins: z.record(z.string(), figures).optional(),
    against: z.record(
      z.string(),
      z.looseObject({ n: z.number(), gained: z.number(), lost: z.number(), by_item: byItem }),
    ),
  }),
);

const ITEMS = ['llmbar/items.dev.jsonl', 'llmbar/verdicts.dev.jsonl'] as const;
const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
const decimals = (value: number | null) => (value === null ? 'none' : value.toFixed(3));
const points = (value: number) =>
  Math.abs(value) < 0.0005 ? '0.0' : `${value > 0 ? '+' : ''}${(100 * value).toFixed(1)}`;
const gain = (found: z.output<typeof byItem>) => {
  if (found.value === null) return 'none';
  const { value, interval: range } = found;
  return points(value) + ('low' in range ? ` [${points(range.low)}, ${points(range.high)}]` : '');
};
const pOf = (found: z.output<typeof byItem>) =>
  found.value === null || found.test.value === null
    ? 'none'
    : Number(found.test.value.toPrecision(2)).toString();
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const DIFFERING = [
  ...['judge/strategy', 'replies unlike their winner'],
  ...['accuracy', 'orders agree', 'wrong→right : right→wrong'],
  ...['accuracy by reply', 'orders agree by reply', 'the same by reply'],
];
type RecordedJudges = z.output<typeof recordedJudges>;

async function judges(): Promise<string> {
  const args = ['eval', 'judge', '--cases', from(ITEMS[0]), '--verdicts', from(ITEMS[1]), '--json'];
  const found = recordedJudges.parse(JSON.parse(await printed('src/cli/remand.ts', args)));
  const byReply = recordedJudges.parse(
    JSON.parse(await printed('src/cli/remand.ts', [...args, '--verdict-from', 'reply'])),
  );
  const all = Object.entries(found);
  const rows = all
    .filter(([, of]) => !of.baseline)
    .map(([name, of]) => [
      name,
      `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
      `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
      ...[String(of.wrong_to_right), String(of.right_to_wrong), gain(of.by_item), pOf(of.by_item)],
      of.mcnemar_p.toPrecision(2),
    ]);
  const head = ['judge/strategy', 'accuracy', 'orders agree', 'wrong→right', 'right→wrong', 'gain, 95%', 'p'];
  const once = all
    .filter(([, of]) => of.baseline)
    .map(([name, of]) => [name, percent(of.accuracy_before), percent(of.agreement_before)]);
  const others = [...new Set(all.flatMap(([, of]) => Object.keys(of.against)))];
  const besideBaselines = (judges: RecordedJudges) =>
    Object.entries(judges)
      .filter(([, of]) => !of.baseline)
      .map(([name, { against }]) => [
        name,
        ...others.flatMap((other) => {
          const pair = against[other];
          return pair
            ? [`${pair.gained} : ${pair.lost}`, gain(pair.by_item), pOf(pair.by_item)]
            : ['', '', ''];
        }),
      ]);
  const beside = besideBaselines(found);
  const besideByReply = besideBaselines(byReply).filter((row, index) => `${row}` !== `${beside[index]}`);
  const besideHead = [
    'judge/strategy',
    ...others.flatMap((other) => [`beside ${other}`, 'difference, 95%', 'p']),
  ];
  const items = all.map(([, { n }]) => n);
  const total = (of: 'n' | 'differ' | 'unread') => all.reduce((sum, [, { replies }]) => sum + replies[of], 0);
  const differing = all
    .filter(([, of]) => of.replies.differ > 0)
    .map(([name, of]) => {
      const told = (one: typeof of) =>
        one.baseline
          ? [percent(one.accuracy_before), percent(one.agreement_before), '']
          : [
              `${percent(one.accuracy_before)} → ${percent(one.accuracy_after)}`,
              `${percent(one.agreement_before)} → ${percent(one.agreement_after)}`,
              `${one.wrong_to_right} : ${one.right_to_wrong}`,
            ];
      const { n, differ } = of.replies;
      const read = byReply[name];
      return [name, `${differ} of ${n}`, ...told(of), ...(read ? told(read) : [])];
    });
  return `## Real judges, recorded

Six judges on LLMBar, ${Math.max(...items)} items each in both orders, through the loop with detector \`probe\`, bias \`position\`, one round;
the second judgments are recorded, too.

**Which p to trust.** \`p\` is the exact sign-flip test over items, with both orders of an item taken together, and the gain (in
percentage points) has a percentile bootstrap over items. \`McNemar\` is the plain exact test, which takes the two orders of an item
for independent judgments. They are not: a judge that follows the place turns one of them right and the other wrong. So p is the one
to trust, and McNemar's is here for comparison with what others report. Where p and the interval part at the edge, p is exact and the
interval an approximation. Neither is corrected for ${rows.length} comparisons.

\`npx remand eval judge --cases ${ITEMS[0]} --verdicts ${ITEMS[1]}\`

${table([...head, 'McNemar'], rows)}

**What counts as the verdict.** The winner that is recorded beside each reply: it is what the benchmark's own client read. Of
${total('n')} replies ${total('differ')} say something else. Most are PaLM2's under CoT, where the client took (a) if a line begins with it. The
same texts are its first replies under Swap, and there the client took what nearly all of them conclude. Who reports PaLM2's CoT, or sets
its second judgments beside it, should use the figures read from the replies (\`--verdict-from reply\`). There a reply that concludes both
ways, or refuses, is no verdict: it counts as wrong and is not sent back. Replies in which nothing can be found would count by their winner;
there are ${total('unread')}. [docs/verdict-reader.md](docs/verdict-reader.md) has each kind with an example; the reader was developed on these replies.

${table(DIFFERING, differing)}

Strategies without a recorded second judgment were asked once, so there is nothing before and after to test:

${table(['judge/strategy', 'accuracy', 'orders agree'], once)}

The judges that were sent back, beside the same judge asked once: judgments right only here : only there, the difference in points,
and p as above.

${table(besideHead, beside)}

Read from the replies, these rows are others:

${table(besideHead, besideByReply)}`;
}

async function calibration(): Promise<string> {
  const out = await printed('bench/calibration-splits.ts', ITEMS.map(from));
  return `## Calibrated

Settled on one random half of the items, seen on the other, 200 seeded splits. Gains are wrong→right less right→wrong
on the other half; it is ruled by items, and "significantly worse" is by the exact sign-flip test over items.

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
      ...RATES.map((rate) => {
        const range = one.intervals[rate];
        const said = 'low' in range ? ` [${decimals(range.low)}, ${decimals(range.high)}]` : '';
        return one[rate] === null ? 'none' : decimals(one[rate]) + said;
      }),
    ]),
  );
  const reasons = new Set(
    Object.values(found).flatMap((of) =>
      [of.overall, ...Object.values(of.by_bias), ...Object.values(of.twins ?? {})].flatMap((one) =>
        Object.values(one.reasons),
      ),
    ),
  );
  const names = Object.keys(found);
  const compared = names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = found[name]?.against[other];
      if (!pair) return [];
      return [
        `On the ${pair.n} rows that both answered, ${name} is right ${pair.gained} times where ${other} is wrong, and wrong ${pair.lost} times where it is right: ` +
          `${gain(pair.by_item)} points, p = ${pOf(pair.by_item)} (exact sign-flip test over questions).`,
      ];
    }),
  );
  return `## Detectors

On half of the published test set, and on its counterbalanced twins, where the longer answer, or the crowd's, is the
right one and every label is No. \`recorded\` is the label that zero-shot DeepSeek-R1 gave, replayed through the whole path.
Intervals: 95%, Wilson, that of F1 a bootstrap, with the rows of one question taken together. "none": ${[...reasons].join('; ')}.

\`npx remand eval detector --rows ${rows} --detector rules,recorded --twins rbd\`

${table(['detector', 'rows', 'n', 'accuracy', 'precision', 'recall', 'F1'], lines)}

${compared.join('\n')}`;
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
measured; simulations are in [docs/sandbox.md](docs/sandbox.md).

${sections.join('\n\n')}
`;
await writeFile(join(ROOT, 'RESULTS.md'), page);
console.log(`RESULTS.md: ${page.length} characters`);
