/** `remand look` at tables: CSV, TSV and Parquet with a judgment a row. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { formatCsvLine, writeWhole } from '../../src/records/node.ts';
import { writeParquet } from '../../src/records/parquet.ts';
import { remand } from './command.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIRS = [
  ['How deep is the lake?', 'Charts say 41 metres.', 'It is deep'],
  ['Name a river in Peru', 'The Ucayali, "brown"', 'Peru has many, many'],
  ['why does bread rise', 'Yeast makes gas;\nheat sets it.', 'Because it is baked!'],
  ['Was 1900 a leap year?', 'No: it is not divisible by 400', 'Yes, every fourth year is.'],
];
const promptOf = ([question, good, poor]: readonly string[]) =>
  `Which answer is better?\n\nQuestion: ${question}\n\nAnswer A: ${good}\n\nAnswer B: ${poor}\n\nReply as JSON: {"winner": "A"} or {"winner": "B"}.`;
const ROWS = PAIRS.map((pair, n) => ({
  id: String(n),
  model: 'judge-1',
  system: 'You judge answers.',
  prompt: promptOf(pair),
  response: JSON.stringify({ winner: n % 2 ? 'B' : 'A' }),
  contestants: JSON.stringify(n % 2 ? ['x', 'y'] : ['y', 'x']),
  group: `q${n}`,
}));
type Row = (typeof ROWS)[number];
const COLUMNS = Object.keys(ROWS[0] as Row) as (keyof Row)[];

async function writeTable(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeWhole({ table: path }, (out) => out.table.write(lines.join('')));
  return path;
}
const csvOf = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
  [columns, ...rows].map(formatCsvLine);
const cells = (row: Row) => COLUMNS.map((name) => row[name]);

const TABLES: readonly (readonly [name: string, write: () => Promise<string>])[] = [
  ['CSV', () => writeTable('log.csv', csvOf(COLUMNS, ROWS.map(cells)))],
  [
    'TSV, with the messages as JSON',
    () => {
      const rows = ROWS.map(({ model, system, prompt, response, contestants, group }) => {
        const messages = JSON.stringify([{ role: 'user', content: prompt }]);
        return [model, system, messages, response, contestants, group]
          .map((text) => `"${text.replaceAll('"', '""')}"`)
          .join('\t');
      });
      const lines = ['model\tsystem\tmessages\tresponse\tcontestants\tgroup', ...rows];
      return writeTable(
        'log.tsv',
        lines.map((line) => `${line}\n`),
      );
    },
  ],
  [
    'Parquet',
    async () => {
      const path = join(folder, 'log.parquet');
      await writeParquet(
        path,
        COLUMNS.map((name) => ({ name, type: 'STRING', nullable: true })),
        ROWS,
      );
      return path;
    },
  ],
];

test.each(TABLES)('a judgment a row is found in %s', async (_, write) => {
  const path = await write();
  const records = `${path}.records.jsonl`;
  const { code, out, err } = await remand(['look', path, '--records', records, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('4 verdicts') });
  expect(JSON.parse(out)).toMatchObject({ calls: 4, examinable: 4, verdicts: 4, missing: [] });
  const [, second] = readFileSync(records, 'utf8').split('\n');
  expect(JSON.parse(second ?? '')).toMatchObject({
    ...{ item: `${path}: row 2`, judge: 'judge-1', contestants: ['x', 'y'], group: 'q1', choice: 1 },
  });
});

test('a table without a request says which columns it needs', async () => {
  const path = await writeTable('none.csv', csvOf(['question', 'answer'], [['2+2?', '4']]));
  const { code, err } = await remand(['look', path]);
  expect({ code, err }).toEqual({
    code: 2,
    err: `remand: ${path}: row 1: holds no request: it needs one of the columns body, request, messages, prompt, and the row has question, answer\n`,
  });
});
