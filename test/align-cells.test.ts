/** Columns of tables on a terminal. */
import { expect, test } from 'vitest';
import { alignCells } from '../src/align-cells.ts';

test('names in wide letters, with marks or with emoji leave the next column where it is', () => {
  const names = ['judge', '通义千问', 'ﾊﾝｶｸ', 'ที่หนึ่ง', 'Zoe\u0308', '👩‍⚖️ bench', 'Яндекс'];
  const table = alignCells(names.map((text) => [{ text }, { text: '7', isNumber: true }]));
  // The columns that terminals give to each name (UAX #11, UAX #29): the widest, with its emoji, has 8.
  expect(table).toBe(
    [
      'judge     7',
      '通义千问  7',
      'ﾊﾝｶｸ      7',
      'ที่หนึ่ง      7',
      'Zoe\u0308       7',
      '👩‍⚖️ bench  7',
      'Яндекс    7',
      '',
    ].join('\n'),
  );
});

test('numbers stand right, and a cell of more columns than are allowed shifts its own row alone', () => {
  const rows = [
    ['name', 'n'],
    ['a', '12'],
    ['法官法官法官', '3'],
  ];
  const cells = rows.map(([text = '', n = '']) => [{ text }, { text: n, isNumber: true }]);
  expect(alignCells(cells, 10)).toBe('name   n\na     12\n法官法官法官   3\n');
  expect(alignCells([])).toBe('');
});
