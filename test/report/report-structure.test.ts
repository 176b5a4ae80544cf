/** What every kind of report has in common: the result first, then what else there is, and where it comes from. */
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { readWords } from '../../dev/readability.ts';
import { renderReport } from '../../src/report/report-page.ts';
import { formatResultText } from '../../src/report/result-text.ts';
import { recogniseResult } from '../../src/report/results.ts';
import { EVERY_KIND } from './all-kinds.ts';

const origin = {
  ...{ date: '2026-11-25T16:22:08.123Z', remand: '9.8.7', command: "remand eval judge --in 'my data'" },
  ...{ models: ['gpt-4o@https://judge.example'], parameters: { temperature: 0 } },
  prices: { 'gpt-4o': { input: 2.5, output: 10 } },
};

async function read(...values: readonly object[]) {
  const reported = values.map((value) => {
    const result = recogniseResult(JSON.parse(JSON.stringify(value)));
    if (!result) throw new Error('not recognised');
    return { source: 'result.json', result, cases: new Map() };
  });
  const page = await renderReport('A report', reported, { ...origin, command: 'remand report --in x' });
  return parseHTML(page).document;
}

/** Results by name, as they are written. */
const withOrigin = (results: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(results).map(([name, one]) => [name, { ...one, origin }]));

const textOf = (element: Element | null | undefined) =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The elements of a section in order, by their names. */
const namesOf = (section: Element | null) =>
  [...(section?.children ?? [])].map(({ localName, className }) => className.split(' ')[0] || localName);

test.each(Object.entries(EVERY_KIND))('%s', async (kind, value) => {
  const isMap = kind === 'recorded' || kind === 'detectors';
  const written = isMap ? withOrigin(value as Record<string, object>) : { ...(value as object), origin };
  expect(recogniseResult(JSON.parse(JSON.stringify(written)))?.kind).toBe(kind);
  const document = await read(written);
  const section = document.querySelector('section');

  // The result: at most three sentences that are read at once, and one drawing.
  const found = [...(section?.querySelectorAll('.verdict > p:not(.note)') ?? [])].map(textOf);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThanOrEqual(3);
  const sentences = found.flatMap((one) => readWords(one));
  expect(sentences.filter(({ words }) => words.length > 35).map(({ text }) => text)).toEqual([]);
  const names = namesOf(section);
  const contents = names.indexOf('contents');
  expect(
    names.slice(0, contents).filter((name) => !['h2', 'faint', 'verdict', 'wide', 'half'].includes(name)),
  ).toEqual([]);
  expect(section?.querySelectorAll('.contents').length).toBe(1);
  expect(names.slice(0, contents).filter((name) => /wide|half/.test(name)).length).toBe(1);

  // Then what else there is, each with its place.
  const links = [...(section?.querySelectorAll('.contents a') ?? [])];
  const headings = [...(section?.querySelectorAll('h3') ?? [])];
  expect(links.map(textOf)).toEqual(headings.map(textOf));
  expect(links.map((link) => link.getAttribute('href'))).toEqual(headings.map(({ id }) => `#${id}`));
  expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length);
  expect(headings.length).toBeGreaterThan(1);

  // No paragraph that should be a table: what is told in many words is told in short ones.
  const paragraphs = [...(section?.querySelectorAll('p, li') ?? [])].map(textOf);
  expect(paragraphs.filter((text) => text.split(' ').length > 90)).toEqual([]);

  // Where it comes from.
  expect(textOf(headings.at(-1))).toBe('Where this comes from');
  const rows = [...(section?.querySelectorAll('.origin tr') ?? [])].map((row) =>
    [...row.children].map(textOf).join(': '),
  );
  expect(rows).toEqual([
    'file: result.json',
    'date: 2026-11-25 16:22 UTC',
    'Remand: version 9.8.7',
    "command: remand eval judge --in 'my data'",
    'models asked: gpt-4o@https://judge.example',
    'parameters: {"temperature":0}',
    'prices of a million tokens: gpt-4o: 2.5 in, 10 out',
  ]);
});

test('of several results the first sentence of each stands above them all, with the way to it', async () => {
  const document = await read(EVERY_KIND.rates as object, EVERY_KIND.calibration as object);
  const [nav] = document.querySelectorAll('main > nav');
  const links = [...(nav?.querySelectorAll('a') ?? [])];
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#result-1', '#result-2']);
  expect(textOf(nav)).toContain('Most often biased: judge-1 by verbosity, in 25.0% of 40 pairs');
  expect(document.querySelector('#result-2 h2')?.textContent).toContain('Calibration');
});

test('the page says where it comes from itself, and what an earlier version wrote says that it does not', async () => {
  const document = await read(EVERY_KIND.rates as object);
  expect(textOf(document.querySelector('footer'))).toContain('remand report --in x');
  expect(textOf(document.querySelector('section'))).toContain('An earlier version wrote result.json.');
});

test('what is no origin is none', () => {
  const rates = { ...(EVERY_KIND.rates as object), origin: { date: 1 } };
  expect(recogniseResult(rates)).toMatchObject({ kind: 'rates', origin: null });
});

test.each(Object.entries(EVERY_KIND))(
  '%s: the terminal has the sentences and figures of the page, and no markup',
  async (kind, value) => {
    const result = recogniseResult(value);
    if (!result) throw new Error(`${kind} is no result`);
    const page = await renderReport('t', [{ source: 'f.json', result, cases: new Map() }]);
    const text = formatResultText(Object(value));
    const { document } = parseHTML(page);
    for (const gone of document.querySelectorAll('figure, details')) gone.remove();
    const cells = [...document.querySelectorAll('section table:not(.origin) td')]
      .filter((cell) => cell.querySelector('.range') === null)
      .map((cell) => cell.textContent);
    expect(cells.length).toBeGreaterThan(0);
    for (const cell of cells) expect(text).toContain(cell?.trim().replace(/\s/g, ' '));
    expect(text).not.toMatch(/<\/(?:p|td|li|span|strong)>|class="|undefined|NaN|\[object/);
  },
);
