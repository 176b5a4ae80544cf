/** CSV files: what was written comes back, what is wrong is named. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readCsv, writeCsv } from '../../src/records/csv.ts';
import { readTextFile } from '../../src/records/read-files.ts';

const schema = z.object({ a: z.string(), b: z.string() });
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-csv-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

it('gives back every text as it was', async () => {
  const path = join(folder, 'texts.csv');
  const texts = [
    'a, b',
    '"',
    '""',
    'one\ntwo',
    'one\r\ntwo',
    'one\rtwo',
    ' kept ',
    '',
    '=1+1',
    '日本 🧑‍⚖️',
    'x'.repeat(2e6),
  ];
  const rows = texts.map((a, index) => ({ a, b: texts.at(-1 - index) ?? '' }));
  expect(await writeCsv(path, ['a', 'b'], rows)).toBe(texts.length);
  expect(await all(readCsv(path, schema))).toEqual(rows);
});

it('takes a byte-order mark, CRLF, blank lines, columns in another order and more of them', async () => {
  const path = file('excel.csv', '\uFEFFb,more,a\r\n1,x,2\r\n\r\n"3\n3",y,4\r\n');
  expect(await all(readCsv(path, schema, { needs: ['a', 'b'] }))).toEqual([
    { a: '2', b: '1' },
    { a: '4', b: '3\n3' },
  ]);
});

describe('what is wrong is named', () => {
  it.each([
    ['short.csv', 'a,b\n1,2\n3\n', /short\.csv: is no CSV: .*line 3/],
    ['open.csv', 'a,b\n1,"2\n3,4\n', /open\.csv: is no CSV: /],
    ['less.csv', 'a,c\n1,2\n', /less\.csv: has no column b; it has a, c/],
    ['twice.csv', 'a,b,a\n1,2,3\n', /twice\.csv: has the column a twice/],
    ['binary.csv', 'PAR1\u0000\u0001', /binary\.csv: has no column a, b/],
  ])('%s', async (name, text, message) => {
    const reading = all(readCsv(file(name, text), schema, { needs: ['a', 'b'], field: '--in' }));
    await expect(reading).rejects.toThrow(message);
  });

  it('by row, line and column', async () => {
    const path = file('row.csv', 'a,b\n"1\n1",2\n3,x\n');
    const numbers = z.object({ a: z.string(), b: z.string().regex(/^\d$/) });
    await expect(all(readCsv(path, numbers))).rejects.toThrow(/row\.csv: row 2 \(line 4\): b: /);
  });

  it('a file in another encoding: `Größe` would be judged as `Gr��e`', async () => {
    const path = join(folder, 'latin.csv');
    writeFileSync(path, Buffer.from('a,b\n1,Größe\n', 'latin1'));
    await expect(all(readCsv(path, schema))).rejects.toThrow(
      'latin.csv: is not UTF-8: save it in that encoding',
    );
    await expect(readTextFile(path, '--prompt')).rejects.toThrow('latin.csv is not UTF-8');
  });

  it('a file that is not there, and a folder', async () => {
    await expect(all(readCsv(join(folder, 'no.csv'), schema))).rejects.toThrow('no.csv: cannot be read');
    await expect(all(readCsv(folder, schema))).rejects.toThrow('is not a file');
  });
});

it('stops reading where the reader does', async () => {
  const path = file('long.csv', `a,b\n${'1,2\n'.repeat(200_000)}`);
  for await (const row of readCsv(path, schema)) {
    expect(row).toEqual({ a: '1', b: '2' });
    break;
  }
});
