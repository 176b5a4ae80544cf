/** `remand report` on what the other commands wrote: one page, and a file that is no result is named. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calibration, rates } from '../report/results.ts';
import { remand } from './command.ts';
import { buildRows } from './dataset-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-report-'));
const file = (name: string) => join(folder, name);
const TIMEOUT = 300_000;

beforeAll(async () => {
  await buildRows(folder, 12);
  const judged = await remand([
    ...['eval', 'judge', '--in', folder, '--judge', 'sandbox'],
    ...['--arms', 'none,placebo,probe', '--json'],
  ]);
  if (judged.code !== 0) throw new Error(judged.err);
  writeFileSync(file('arms.json'), judged.out);
}, TIMEOUT);
afterAll(() => rmSync(folder, { recursive: true }));

test('a comparison becomes a page with its figures and the cases behind them', {
  timeout: TIMEOUT,
}, async () => {
  const { code, out, err } = await remand([
    'report',
    '--in',
    file('arms.json'),
    '--out',
    file('page.html'),
    '--json',
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ results: [{ source: 'arms.json', kind: 'arms' }] });
  const { document } = parseHTML(readFileSync(file('page.html'), 'utf8'));
  expect(document.querySelector('.verdict')?.textContent).toContain('simulation');
  const summaries = [...document.querySelectorAll('summary')].map((one) => one.textContent ?? '');
  const counted = summaries
    .filter((one) => one.startsWith('none:'))
    .reduce((sum, one) => sum + Number(/\((\d+) case/.exec(one)?.[1]), 0);
  expect(counted).toBe(12);
  expect(document.querySelector('article .text')?.textContent).toMatch(/^What is \d+ plus 1\?$/);
  expect(document.querySelector('article .story')?.textContent).toMatch(
    /The judge decided: (Output \([ab]\))\.\s*\1/,
  );
  const probed = [...document.querySelectorAll('article')].find((one) =>
    one.textContent?.includes('The detector said'),
  );
  expect(probed?.textContent).toMatch(/The detector said:\s*\S/);
});

test('a folder gives all its results, and what is none is passed over aloud', {
  timeout: TIMEOUT,
}, async () => {
  const mixed = file('mixed');
  mkdirSync(mixed);
  writeFileSync(join(mixed, 'calibration.json'), JSON.stringify(calibration));
  writeFileSync(join(mixed, 'rates.json'), JSON.stringify(rates));
  writeFileSync(join(mixed, 'other.json'), '{"a": 1}');
  // `remand card` writes it beside its result.
  writeFileSync(join(mixed, 'timings.json'), '{}');
  const { code, out, err } = await remand([
    'report',
    '--in',
    mixed,
    '--out',
    file('mixed.html'),
    '--title',
    'Two',
    '--json',
  ]);
  expect(code).toBe(0);
  expect(err).toBe(`${join(mixed, 'other.json')}: no result, passed over\n`);
  const lines = file('lines.jsonl');
  writeFileSync(lines, '{"item": 1}\n{"item": 2}\n');
  expect((await remand(['report', '--in', lines])).err).toMatch(
    /holds records, one a line, and is no result; a result is the JSON of audit/,
  );
  expect(JSON.parse(out).results).toMatchObject([{ kind: 'calibration' }, { kind: 'rates' }]);
  expect(readFileSync(file('mixed.html'), 'utf8')).toContain('<h1>Two</h1>');
});

test.each([
  ['{"a": 1}', 'is no result; a result is the JSON of audit, '],
  // What `estimate --controlled length --json` writes.
  ['{"models": {"m": {"raw": 0.5}}}', 'is no result; a result is the JSON of audit, '],
  ['{"a": ', 'is not valid JSON'],
])('%s is refused by name, and no page is written', { timeout: TIMEOUT }, async (text, why) => {
  writeFileSync(file('odd.json'), text);
  const { code, err } = await remand(['report', '--in', file('odd.json'), '--out', file('none.html')]);
  expect(code).toBe(2);
  expect(err).toContain(`${file('odd.json')} ${why}`);
  expect(() => readFileSync(file('none.html'))).toThrow(/ENOENT/);
});

test('recorded judgments and findings are shown where they lie beside the figures', {
  timeout: TIMEOUT,
}, async () => {
  const reply = (winner: string) => ({ text: `I prefer ${winner}.`, winner });
  const rounds = [
    { original: reply('2'), swapped: reply('1') },
    { original: reply('1'), swapped: reply('1') },
  ];
  const row = {
    ...{ bias_category: 'verbosity', llm_judge_model: 'judge-1', instruction: 'How many?' },
    ...{ choices: `Output (a): ${'Let me see. '.repeat(9)}\n\nOutput (b): 9`, llm_judgment: 'Output (a)' },
    bias_label: 'Yes',
  };
  const item = { id: 'i1', instruction: 'Name one.', output_1: 'one', output_2: 'two', label: 1 };
  writeFileSync(file('items.jsonl'), JSON.stringify(item));
  writeFileSync(file('verdicts.jsonl'), JSON.stringify({ id: 'i1', judge: 'J', strategy: 'Swap', rounds }));
  writeFileSync(file('rows.jsonl'), JSON.stringify(row));
  const recorded = ['--cases', file('items.jsonl'), '--verdicts', file('verdicts.jsonl')];
  const figures = await Promise.all([
    remand(['eval', 'judge', ...recorded, '--out', file('judges.jsonl'), '--json']),
    remand([
      'eval',
      'detector',
      '--rows',
      file('rows.jsonl'),
      '--records',
      file('detectors.jsonl'),
      '--json',
    ]),
  ]);
  expect(figures.map(({ code }) => code)).toEqual([0, 0]);
  writeFileSync(file('judges.json'), figures[0].out);
  writeFileSync(file('detectors.json'), figures[1].out);
  const from = [file('judges.json'), file('detectors.json')].join(',');
  // A file of the same name in another folder has its folder in front.
  mkdirSync(file('second'));
  writeFileSync(file('second/judges.json'), figures[0].out);
  const three = `${from},${file('second')}`;
  const told = await remand(['report', '--in', three, '--out', file('three.html'), '--json']);
  expect(JSON.parse(told.out).results.map(({ source }: { source: string }) => source)).toEqual([
    'judges.json',
    'detectors.json',
    'second/judges.json',
  ]);
  const { code } = await remand(['report', '--in', from, '--out', file('both.html')]);
  expect(code).toBe(0);
  const { document } = parseHTML(readFileSync(file('both.html'), 'utf8'));
  const shown = [...document.querySelectorAll('details')].map((one) =>
    (one.textContent ?? '').replace(/\s+/g, ' '),
  );
  expect(shown).toHaveLength(3);
  expect(shown[0]).toMatch(
    /wrong → right \(1 case\).*I prefer 2\..*The detector said:.*Sent back for position, it decided: Output 1\.I prefer 1\./,
  );
  expect(shown[1]).toContain('stayed right (1 case)');
  expect(shown[2]).toMatch(
    /verbosity: bias found \(1 case\).*How many\?.*The detector said: biased\..*In truth: biased\./,
  );
});
