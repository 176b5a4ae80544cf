/** The page: what it says in words, that nothing judged can act in it, and that it stays readable where there is nothing. */
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { CaseGroup, ShownCase } from '../../src/report/cases.ts';
import { type ReportInput, renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';
import {
  armBesideNone,
  armResult,
  calibration,
  detectorFigures,
  distilled,
  nothingJudged,
  rates,
  recordedJudge,
} from './results.ts';

function reported(value: unknown, cases: ReportInput['cases'] = new Map()): ReportInput {
  const result = recogniseResult(value);
  if (!result) throw new Error('not recognised');
  return { source: 'result.json', result, cases };
}

async function read(...results: readonly ReportInput[]) {
  const page = await renderReport('A report', results);
  const { document } = parseHTML(page);
  const text = (selector: string) =>
    (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ');
  return { page, document, text };
}

const shownCase = (over: Partial<ShownCase> = {}): ShownCase => ({
  ...{ behind: 'probe', outcome: 'wrong → right', id: 'item-1', instruction: 'Add 1 and 1.', context: [] },
  options: [
    { label: 'Output (a)', text: '2', right: true },
    { label: 'Output (b)', text: '3', right: false },
  ],
  steps: [{ what: 'The judge decided: Output (b).', text: 'Output (b)' }],
  ...over,
});

describe('each kind of result is known by its shape', () => {
  it.each([
    ['recorded', { 'GPT-4/Swap': recordedJudge() }],
    ['arms', { arms: [armResult('none')], calls: 3, records: 'x/judgments.jsonl' }],
    ['detectors', { rules: { overall: detectorFigures(5, 0.8), by_bias: {}, by_judge: {} } }],
    ['calibration', calibration],
    ['rates', rates],
    ['distilled', distilled],
  ])('%s', async (kind, value) => {
    expect(recogniseResult(value)?.kind).toBe(kind);
    const { document } = await read(reported(value));
    expect(document.querySelectorAll('table').length).toBeGreaterThan(0);
    expect(document.querySelectorAll('figure').length).toBeGreaterThan(0);
  });

  it.each([[{}], [null], [[1]], ['text'], [{ rows: 3 }], [{ 'GPT-4': { n: 1 } }]])('%j is none', (value) => {
    expect(recogniseResult(value)).toBeNull();
  });
});

describe('the first paragraph says the verdict', () => {
  it('tells who was helped, who was harmed and where n is too small', async () => {
    const { text } = await read(
      reported({
        'GPT-4/Swap': recordedJudge(),
        'LLaMA2/Swap': recordedJudge({ wrong_to_right: 20, right_to_wrong: 44, mcnemar_p: 0.0036 }),
        'Falcon/Swap': recordedJudge({ wrong_to_right: 3, right_to_wrong: 1, mcnemar_p: 0.625 }),
        'PaLM2/Vanilla': recordedJudge({ remanded: 0, wrong_to_right: 0, right_to_wrong: 0, mcnemar_p: 1 }),
      }),
    );
    const said = text('.verdict');
    expect(said).toContain('helped GPT-4/Swap (14 wrong → right, 2 right → wrong, p = 0.0042).');
    expect(said).toContain('harmed LLaMA2/Swap (20 wrong → right, 44 right → wrong, p = 0.0036).');
    expect(said).toContain('That stands after correction for all 3 comparisons (Holm).');
    expect(text('section')).toContain('n is too small to tell for Falcon/Swap.');
    expect(text('section')).toContain('Falcon/Swap31p = 0.63p = 0.63too few to tell');
    expect(said).not.toContain('PaLM2');
  });

  it('goes by the test over items where there is one, and says what so few changes could never have told', async () => {
    const byItem = (value: number, moved: number, up: number) => ({
      ...{ value: 0.06, interval: { low: 0.02, high: 0.1 }, items: 100 },
      test: { value, moved, up, least: 2 ** (1 - moved) },
    });
    const beside = {
      ...{ n: 200, accuracy: 0.86, baseline_accuracy: 0.72, gained: 30, lost: 2, mcnemar_p: 0.6 },
      by_item: byItem(0.0001, 25, 24),
    };
    const { text } = await read(
      reported({
        'A/Swap': recordedJudge({
          mcnemar_p: 0.6,
          by_item: byItem(0.0021, 12, 11),
          against: { Vanilla: beside },
        }),
        'B/Swap': recordedJudge({
          ...{ wrong_to_right: 6, right_to_wrong: 0, mcnemar_p: 0.03125, by_item: byItem(0.25, 3, 3) },
        }),
        'A/Vanilla': recordedJudge({ remanded: 0, baseline: true }),
      }),
    );
    const said = text('.verdict').replaceAll(/\s+/g, ' ');
    expect(said).toContain('helped A/Swap (14 wrong → right, 2 right → wrong, p = 0.0021)');
    expect(said).toContain('too small to tell for B/Swap.');
    expect(text('section')).toContain('too few to tell, no p below 0.25 is possible');
    expect(text('section')).toContain('sending back is better for A/Swap beside Vanilla (30 right only here');
    expect(text('main')).toMatch(
      /strategy, asked onceitemsunreadablereplies unlike their winneraccuracyorders agree A\/Vanilla/,
    );
    expect(text('table')).not.toContain('Vanilla');
    expect(text('table')).toContain('+6.0[+2.0, +10.0]');
    expect(text('table')).toContain('p = 0.002111 up, 1 down');
    expect(text('section')).toContain('Beside the same judge, asked once');
  });

  it('sets detectors of one run beside each other, and shows the intervals and reasons that the result carries', async () => {
    const none = 'no row is biased, so there is no bias to find';
    const scores = (other: string) => ({
      overall: {
        ...detectorFigures(100, 0.8),
        ...{ precision: null, f1: null, reasons: { precision: none, f1: none } },
        intervals: {
          ...{ accuracy: { low: 0.61, high: 0.91 }, recall: { low: 0.5, high: 0.9 } },
          ...{ precision: { value: null, reason: none }, f1: { value: null, reason: none } },
        },
      },
      ...{ by_bias: {}, by_judge: {} },
      against: {
        [other]: {
          ...{ n: 100, accuracy: 0.8, other_accuracy: 0.6, gained: 25, lost: 5, mcnemar_p: 0.0003 },
          by_item: {
            ...{ value: 0.2, interval: { low: 0.1, high: 0.3 }, items: 90 },
            test: { value: 0.0004, moved: 28, up: 24, least: 2 ** -27 },
          },
        },
      },
    });
    const { document, text } = await read(reported({ one: scores('two'), two: scores('one') }));
    expect(text('.verdict')).toMatch(
      /right more often: one beside two \(25 right only here, 5 right only there, p = 0\.0004\)/,
    );
    const cells = [...document.querySelectorAll('tbody td')].map((cell) => cell.textContent);
    expect(cells.slice(4, 8)).toEqual(['80.0%[61.0,\u00a091.0]', none, '80.0%[50.0,\u00a090.0]', none]);
    expect(text('section')).toContain('Beside each other, on the same rows');
  });

  it('calls out a detector that does well on one side and badly on the other, and no other', async () => {
    const scores = (published: number, twin: number) => ({
      overall: detectorFigures(200, published),
      by_bias: { verbosity: detectorFigures(100, published) },
      by_judge: {},
      twins: { 'longer-is-right': { ...detectorFigures(100, twin), balanced: 0.5 } },
    });
    const { text } = await read(reported({ shortcut: scores(0.95, 0.02), merit: scores(0.9, 0.88) }));
    expect(text('.verdict').match(/does well on one side and badly on the other/g)).toHaveLength(1);
    expect(text('.verdict')).toMatch(
      /shortcut does well.*95\.0% on the verbosity rows.*2\.0% on longer-is-right.*merit gets/,
    );
  });

  it('calls no gain certain', async () => {
    const { position } = calibration.judges['judge-1'];
    const judges = { 'judge-1': { position: { ...position, probability_of_gain: 0.99999 } } };
    const { text } = await read(reported({ ...calibration, judges }));
    expect(text('.verdict')).toContain('judge-1 on position (gain probable at over 99.9%)');
    expect(text('table')).not.toContain('100.0%');
  });

  it('draws judges apart whose names are cut to the same', async () => {
    const { position } = calibration.judges['judge-1'];
    const named = (middle: string) =>
      `${'long-name-of-a-'.repeat(3)}${middle}${'-judge-of-the-year'.repeat(2)}`;
    const judges = { [named('a')]: { position }, [named('b')]: { position } };
    const { document } = await read(reported({ ...calibration, judges }));
    const ticks = [...(document.querySelectorAll('figure')[0]?.querySelectorAll('text') ?? [])]
      .map(({ textContent }) => textContent)
      .filter((text) => text?.startsWith('long-name'));
    expect(new Set(ticks).size).toBe(2);
  });

  it('names a simulation as one wherever its judge is named', async () => {
    const arms = ['none', 'probe'].map((arm) => armResult(arm, { judge: 'sandbox' }));
    const { text } = await read(reported({ arms, calls: 9 }));
    expect(text('.verdict')).toContain('simulation');
    expect(text('section')).toContain('sandbox (simulation), bandwagon');
  });
});

describe('where there is nothing', () => {
  it('says why instead of a zero', async () => {
    const { document, text } = await read(
      reported({ arms: [nothingJudged('none'), nothingJudged('probe')], calls: 0 }),
    );
    expect(text('table')).toContain('no pair was judged');
    expect(text('table')).not.toContain('0.0%');
    expect(document.querySelector('svg')?.textContent).toContain('no data');
  });

  it('shows one corrected p for one test of an arm, wherever it stands', async () => {
    const arms = ['bandwagon', 'verbosity'].flatMap((bias) => [
      armResult('none', { bias }),
      armResult('probe', { bias, against_none: { ...armBesideNone, p: 0.0156, p_holm: 0.0312 } }),
    ]);
    const { document } = await read(reported({ arms, calls: 9 }));
    // In the first table, and once in the table of each bias.
    const told = [...document.querySelectorAll('td')].filter((one) =>
      /p\s=\s0\.031/.test(one.textContent ?? ''),
    );
    expect(told).toHaveLength(4);
  });

  it('shows a comparison without any arm, and a single judge', async () => {
    const nothing = await read(reported({ arms: [], calls: 0 }));
    expect(nothing.text('.verdict')).toContain('nothing to tell');
    expect(nothing.text('section')).toContain('Model calls since the run was last started: 0.');
    const { text } = await read(reported({ 'one/Swap': recordedJudge() }));
    expect(text('.verdict')).toContain('one/Swap');
  });
});

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</style><b>',
];

describe('what was judged is hostile', () => {
  it('stays text wherever it stands', async () => {
    const hostile = HOSTILE.join(' ');
    const cases: CaseGroup[] = [
      {
        ...{ behind: hostile, outcome: 'wrong → right', count: 1 },
        shown: [
          shownCase({
            ...{ id: hostile, instruction: hostile, context: [hostile] },
            options: [{ label: hostile, text: hostile, right: true }],
            steps: [{ what: hostile, text: hostile }],
          }),
        ],
      },
    ];
    const judge = `judge ${hostile}`;
    const arms = [armResult('none', { judge, bias: hostile }), armResult(hostile, { judge, bias: hostile })];
    const results = [
      reported({ arms, calls: 1 }, new Map([[`${judge}, ${hostile}`, cases]])),
      reported({ [hostile]: recordedJudge() }),
      reported({ ...rates, unlabelled: { [hostile]: 1 } }),
      reported({
        [hostile]: {
          overall: detectorFigures(5, 0.8),
          by_bias: { [hostile]: detectorFigures(5, 0.8) },
          by_judge: {},
        },
      }),
    ];
    const { page, document } = await read(...results);
    expect(document.querySelectorAll('script, img, b, [onload], [onerror]').length).toBe(0);
    expect(page.match(/<script|<img|<svg onload|<b>/)).toBeNull();
    expect(document.querySelector('article .text')?.textContent).toBe(hostile);
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain(
      "default-src 'none'",
    );
  });
});

it('the same input gives the same bytes', async () => {
  const input = () => [reported({ 'GPT-4/Swap': recordedJudge() }), reported(calibration), reported(rates)];
  expect(await renderReport('A', input())).toBe(await renderReport('A', input()));
});

it('long texts are cut with a count of the rest, and so are many cases', async () => {
  const long = 'é'.repeat(100_000);
  const group: CaseGroup = {
    ...{ behind: 'probe', outcome: 'wrong → right', count: 2_000 },
    shown: [shownCase({ instruction: long })],
  };
  const arms = [armResult('none'), armResult('probe')];
  const { page, text } = await read(reported({ arms, calls: 1 }, new Map([['judge-1, bandwagon', [group]]])));
  expect(page.length).toBeLessThan(100_000);
  expect(text('article .text')).toContain('99,100 characters more');
  expect(text('details')).toContain('1,999 further cases');
});
