/**
 * Whether datasets of any size fit into the same memory: `npm run bench:dataset`. Base rows made on the fly go
 * through the commands as a user starts them, each a process of its own, few rows first and then ten times as many.
 * Prints rows a second and the peak of resident memory (VmHWM, Linux); exits 1 where that grows with the rows.
 *
 * `-- --rows 2000,10000` for other sizes, `--json` for one JSON document. Verdicts are written down, so that nothing
 * but Remand's own work is measured; with `--judge` the sandbox judge gives them, a simulation within the command's
 * own process, and judging is measured, too (minutes).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeJsonl } from '../src/records/jsonl.ts';
import { draw } from '../src/stats/seeded-draw.ts';
import { peakOf } from './peak.ts';

/** How much more memory ten times the rows may take. */
const GROWTH = 1.2;
interface Measured {
  readonly command: string;
  readonly rows: number;
  readonly rows_per_second: number;
  /** Peak of resident memory, in MiB. */
  readonly peak_mib: number;
}

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000' },
    judge: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const sizes = options.rows.split(',').map(Number);
const results: Measured[] = [];
for (const rows of sizes) results.push(...(await measured(rows)));

const [few = 0] = sizes;
const grown = results.filter(({ command, peak_mib }) => {
  const least = results.find((one) => one.command === command && one.rows === few);
  return peak_mib > (least?.peak_mib ?? 0) * GROWTH;
});
if (options.json) process.stdout.write(`${JSON.stringify({ results, grown })}\n`);
else console.table(results);
for (const { command, rows, peak_mib } of grown)
  process.stderr.write(
    `${command}: ${peak_mib} MiB for ${rows} rows is more than ${GROWTH} times that of ${few}\n`,
  );
if (grown.length > 0) process.exitCode = 1;

async function measured(rows: number): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'remand-bench-dataset-'));
  try {
    const base = join(folder, 'base.jsonl');
    await writeJsonl(base, items(rows));
    const judge = ['dataset', 'judge', '--in', folder, '--judge', 'sandbox'];
    const [labels, distilled, exported] = ['labels.jsonl', 'distilled', 'exported'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const commands: readonly (readonly [string, readonly string[]])[] = [
      ['build', ['dataset', 'build', '--bias', 'bandwagon', '--from', base, '--out', folder]],
      // The second time from the store: what a start that goes on does first.
      ...(options.judge
        ? ([
            ['judge', judge],
            ['judge again', judge],
          ] as const)
        : []),
      ['label', ['dataset', 'label', '--in', folder]],
      ['distill', ['distill', '--in', labels, '--out', distilled, '--teacher', 'none', '--balance', 'label']],
      ['export', ['export', '--in', labels, '--out', exported, '--format', 'completion,parquet']],
    ];
    const all: Measured[] = [];
    for (const [command, words] of commands) {
      if (command === 'label' && !options.judge)
        await writeJsonl(join(folder, 'verdicts.jsonl'), verdicts(rows));
      all.push({ command, rows, ...(await run(words, rows)) });
    }
    return all;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Arithmetic with a worked answer of a few hundred characters, right and wrong. Words without sense tell the questions
 * apart: of one template, each would be compared with many, and time measured rather than memory.
 */
function* items(count: number) {
  const working = 'We add the one number to the other, digit by digit, and carry what is left over. ';
  for (let index = 0; index < count; index++) {
    const [sum, other] = [index + 17, index + 18];
    const words = Array.from({ length: 40 }, (_, at) => draw(at, `${index}`).toString(36).slice(2, 7)).join(
      ' ',
    );
    yield {
      kind: 'pair',
      id: `sum-${index}`,
      instruction: `A farmer has ${index} apples and picks 17 more. How many apples does the farmer have? ${words}`,
      positive: `${working.repeat(3)}So it is ${sum}.`,
      negative: `${working.repeat(2)}So it is ${other}.`,
      answer: `${sum}`,
      first: index % 2 === 0 ? 'positive' : 'negative',
    };
  }
}

/** Right in D, and every second one wrong in D_bias. */
function* verdicts(count: number) {
  const said = (option: number) => ({ text: `Output (${'ab'[option]})`, option, unread: null });
  for (let index = 0; index < count; index++) {
    const right = index % 2;
    const turned = index % 4 < 2 ? right : 1 - right;
    yield {
      id: `sum-${index}/bandwagon`,
      judge: 'written-down',
      d: said(right),
      d_bias: said(turned),
      error: null,
    };
  }
}

async function run(
  words: readonly string[],
  rows: number,
): Promise<{ rows_per_second: number; peak_mib: number }> {
  const { seconds, peak_mib } = await peakOf(words);
  return { rows_per_second: Math.round(rows / seconds), peak_mib };
}
