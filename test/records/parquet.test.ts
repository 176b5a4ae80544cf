/** Parquet files: what was written comes back, what is wrong is named, memory stays flat. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetWriteFile } from 'hyparquet-writer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { type ParquetColumn, readParquet, writeParquet } from '../../src/records/parquet.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'text', type: 'STRING', nullable: false },
  { name: 'note', type: 'STRING', nullable: true },
  { name: 'right', type: 'BOOLEAN', nullable: false },
];
const schema = z.object({ text: z.string(), note: z.string().nullable(), right: z.boolean() });
const HOSTILE = [
  '',
  '"quoted", \\ and \r\n lines\rand\ttabs',
  '日本語 🧑‍⚖️ e\u0301 \u202e \u0000',
  'x'.repeat(3_000_000),
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-parquet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

it('gives back every text as it was, and nothing as null', async () => {
  const path = join(folder, 'a.parquet');
  const rows = HOSTILE.map((text, index) => ({ text, note: index % 2 ? text : null, right: index === 1 }));
  expect(await writeParquet(path, COLUMNS, rows)).toBe(rows.length);
  expect(await all(readParquet(path, schema))).toEqual(rows);
});

it('writes a file without rows that has its columns', async () => {
  const path = join(folder, 'none.parquet');
  expect(await writeParquet(path, COLUMNS, [])).toBe(0);
  expect(await all(readParquet(path, schema, { needs: ['text', 'right'] }))).toEqual([]);
});

it('reads 64-bit numbers as numbers where they fit, and nested values', async () => {
  const path = join(folder, 'numbers.parquet');
  parquetWriteFile({
    filename: path,
    columnData: [{ name: 'n', data: [1n, 2n ** 60n], type: 'INT64' }],
  });
  expect(await all(readParquet(path, z.unknown()))).toEqual([{ n: 1 }, { n: 2n ** 60n }]);
});

it('names what is broken, missing or wrong', async () => {
  const path = join(folder, 'a.parquet');
  const rows = HOSTILE.map((text) => ({ text, note: null, right: true }));
  await writeParquet(path, COLUMNS, rows);
  const whole = readFileSync(path);
  const cut = join(folder, 'cut.parquet');
  writeFileSync(cut, whole.subarray(0, whole.length - 40));
  await expect(all(readParquet(cut, schema))).rejects.toThrow(
    'cut.parquet: is no Parquet file, or is cut off',
  );
  const spoilt = join(folder, 'spoilt.parquet');
  writeFileSync(spoilt, Buffer.from(whole).fill(0xff, 4, 60));
  await expect(all(readParquet(spoilt, schema))).rejects.toThrow(/spoilt\.parquet: is broken in rows 1 to 4/);
  await expect(all(readParquet(join(folder, 'no.parquet'), schema))).rejects.toThrow(
    'no.parquet: cannot be read',
  );
  await expect(all(readParquet(path, schema, { needs: ['text', 'judge'] }))).rejects.toThrow(
    'a.parquet: has no column judge; it has text, note, right',
  );
  const strict = z.object({ text: z.string().min(1) });
  await expect(all(readParquet(path, strict, { field: '--in' }))).rejects.toThrow(
    /^--in: .*a\.parquet: row 1: text/,
  );
});

it('leaves nothing where the rows break off', async () => {
  const path = join(folder, 'gone.parquet');
  const breaking = async function* () {
    for (let row = 0; row < 1500; row++) yield { text: 'x', note: null, right: true };
    throw new Error('the source broke off');
  };
  await expect(writeParquet(path, COLUMNS, breaking())).rejects.toThrow('the source broke off');
  expect(() => readFileSync(path)).toThrow('ENOENT');
  expect(() => readFileSync(`${path}.partial`)).toThrow('ENOENT');
});

it('takes 10,000 long rows through without holding them', () => {
  // 10,000 different texts of 30,000 bytes are 300 MB; a process of its own, so that its peak is its own.
  const program = `
    import { readParquet, writeParquet } from ${JSON.stringify(fileURLToPath(new URL('../../src/records/parquet.ts', import.meta.url)))};
    import * as z from 'zod';
    const columns = [{ name: 'text', type: 'STRING', nullable: false }];
    const rows = function* () { for (let i = 0; i < 10000; i++) yield { text: (i + ' ').repeat(8000).slice(0, 30000) }; };
    await writeParquet(process.argv[1], columns, rows());
    let read = 0;
    for await (const _ of readParquet(process.argv[1], z.object({ text: z.string() }))) read++;
    console.log(JSON.stringify({ read }));
  `;
  const printed = execFileSync(
    process.execPath,
    // With room for half of the texts: were they held, the process would end.
    ['--max-old-space-size=150', '--input-type=module', '--eval', program, join(folder, 'long.parquet')],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('../..', import.meta.url)) },
  );
  expect(z.object({ read: z.number() }).parse(JSON.parse(printed)).read).toBe(10_000);
});
