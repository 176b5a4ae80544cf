/** The published layout as it is, by year; and rows whose columns are shifted, which are named and never read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  parsePublishedName,
  type ReviewRow,
  readReviews,
} from '../../../src/audit/authorship/read-reviews.ts';
import { formatCsvLine } from '../../../src/records/csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-reviews-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, text: string, columns = {}): Promise<ReviewRow[]> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const all: ReviewRow[] = [];
  for await (const one of readReviews([path], '--reviews', columns)) all.push(one);
  return all;
}
const csv = (...rows: (string | null)[][]) => rows.map((row) => formatCsvLine(row)).join('');

describe('a review that stands in several files', () => {
  const COPY = 'a copy of a review that was read before';
  async function readAll(files: Readonly<Record<string, string>>) {
    const paths = Object.entries(files).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const all: ReviewRow[] = [];
    for await (const one of readReviews(paths, '--reviews')) all.push(one);
    return all.map((one) => ('why' in one ? one.why : `${one.subset} ${one.author} ${one.id}`));
  }

  test('the people beside each model count once, and the models each', async () => {
    const file = (model: string) =>
      csv(
        ['paper_id', 'review_id', 'review', 'label'],
        ['p', 'h1', 'I like it.', 'human'],
        ['p', 'm1', `A novel approach, ${model}.`, 'ai'],
      );
    const files = { 'v1.test.claude.csv': file('claude'), 'v1.test.gpt4o.csv': file('gpt4o') };
    expect(await readAll(files)).toEqual(['test human h1', 'test model m1', COPY, 'test model m1']);
  });

  test('of people by their words, too, so that none stands on both sides', async () => {
    const line = (more: object) => `${JSON.stringify({ paper: 'p', author: 'human', ...more })}\n`;
    expect(
      await readAll({
        'a.jsonl': line({ id: 'x', subset: 'calibration', text: 'I like\nit.' }),
        'b.jsonl':
          line({ id: 'y', subset: 'test', text: 'I like it. ' }) +
          line({ id: 'z', subset: 'test', paper: 'q', text: 'I like it.' }) +
          line({ id: 'x', subset: 'test', author: 'model', text: 'I like it.' }),
      }),
    ).toEqual(['calibration human x', COPY, 'test human z', 'test model x']);
  });
});

describe('columns that differ by year', () => {
  test('one text and a rating in words', async () => {
    const rows = csv(
      ['paper_id', 'review', 'rating', 'confidence', 'label'],
      ['abc', 'The idea is sound.\nBut "Table 2", it seems, is not.', '6: Marginally above', '4', 'human'],
      ['abc', 'The paper presents a novel approach.', '8', '5', 'gpt4o'],
    );
    expect(await read('iclr2019.calibration.gpt4o.csv', rows)).toEqual([
      {
        ...{
          id: 'iclr2019.calibration.gpt4o.csv: row 1',
          paper: 'abc',
          venue: 'iclr2019',
          subset: 'calibration',
        },
        ...{ author: 'human', model: null, source: null, edit: null, of: null, archetype: null, rating: 6 },
        text: 'The idea is sound.\nBut "Table 2", it seems, is not.',
      },
      expect.objectContaining({ author: 'model', model: 'gpt4o', source: 'paper', rating: 8 }),
    ]);
  });

  test('a form of many fields, its prose joined in the order of the form and its numbers left out', async () => {
    const rows = csv(
      ['label', 'soundness', 'weaknesses', 'strengths', 'summary', 'questions', 'rating', 'paper_id', 'id'],
      ['0', '3 good', 'It is slow.', 'It is simple.', 'A method.', 'nan', '5', 'p9', 'r77'],
    );
    const [first] = await read('neurips2023.test.claude.csv', rows);
    expect(first).toMatchObject({ id: 'r77', paper: 'p9', author: 'human', rating: 5 });
    expect(first).toMatchObject({ text: 'A method.\n\nIt is simple.\n\nIt is slow.' });
  });

  test('other names, said by the user', async () => {
    const rows = csv(['Paper', 'who', 'body'], ['x', 'llama', 'Some words.']);
    const columns = { paper: 'Paper', label: 'who', text: ['body'] };
    expect(await read('iclr2024.extended.llama.csv', rows, columns)).toMatchObject([
      { paper: 'x', author: 'model', model: 'llama', text: 'Some words.', rating: null },
    ]);
    await expect(read('iclr2024.extended.qwen.csv', rows)).rejects.toThrow(
      /no column says who wrote a review; it has Paper, who, body/,
    );
  });
});

test('shifted columns are named, with the row, and the rows around them are read', async () => {
  const head = ['paper_id', 'summary', 'strengths', 'rating', 'label'];
  const rows = csv(
    head,
    ['p1', 'A summary.', 'Strong.', '6', 'human'],
    // One value too few, as after an unquoted line end.
    ['p2', 'A summary.', '6', 'human'],
    // As many values as columns, each one place further left.
    ['A summary.', 'Strong.', '6', 'human', 'p3'],
    ['p4', 'A summary.', '3', '6', 'human'],
    ['p5', 'A summary.', 'Strong.', 'I lean to accept', 'human'],
    ['', 'A summary.', 'Strong.', '6', 'gpt-4o-mini'],
    ['p7', 'A summary.', 'Strong.', null, '1'],
  );
  const all = await read('iclr2023.test.gpt4o.csv', rows);
  expect(all.map((one) => ('why' in one ? one.why : one.paper))).toEqual([
    'p1',
    'columns are shifted: the row has more or fewer values than there are columns',
    'columns are shifted: label holds other words',
    'columns are shifted: strengths holds a number',
    'columns are shifted: rating holds other words',
    'columns are shifted: paper_id is empty',
    'p7',
  ]);
  expect(all.map((one) => ('why' in one ? one.where : '')).filter(Boolean)[0]).toMatch(/row 2 \(line \d+\)$/);
});

test('a rating is read with the decimal comma of a spreadsheet, too', async () => {
  const rows = csv(
    ['paper_id', 'review', 'rating', 'label'],
    ['p1', 'Some words.', '3,5', 'human'],
    ['p2', 'Some words.', '3.5: borderline', 'human'],
  );
  expect(await read('iclr2023.test.gpt4o.csv', rows)).toMatchObject([{ rating: 3.5 }, { rating: 3.5 }]);
});

test('our own records, with what is not said left open', async () => {
  const lines = `${JSON.stringify({ id: 'a', paper: 'p', author: null, text: 'Who wrote this?' })}\n`;
  expect(await read('asked.jsonl', lines)).toMatchObject([
    { id: 'a', author: null, venue: null, edit: null },
  ]);
  await expect(read('wrong.jsonl', '{"id":"a"}\n')).rejects.toThrow(/wrong.jsonl:1: paper/);
  await expect(read('reviews.csv', 'a,b\n1,2\n')).rejects.toThrow(/not named <conference>.<subset>.<model>/);
});

test('file names', () => {
  expect(parsePublishedName('/x/ICLR2021.calibration.gpt-4o.2024.csv')).toEqual({
    ...{ venue: 'iclr2021', subset: 'calibration', model: 'gpt-4o.2024' },
  });
  expect(parsePublishedName('reviews.csv')).toBeNull();
});
