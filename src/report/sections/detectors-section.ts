/** Detectors: the rows beside their counterbalanced twins, for each is half of the truth. */
import { html } from 'hono/html';
import { type Bar, renderShareBars } from '../charts.ts';
import {
  type EffectWords,
  formatPercent,
  type Html,
  pairedColumns,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderEffects,
  renderEffectsTable,
  renderNone,
  renderShareCell,
  renderTable,
  toEffect,
} from '../report-words.ts';
import type { DetectorResultFigures, DetectorsResult } from '../results.ts';

/** Detectors of one run beside each other: they were asked about the same rows, so their labels are pairs. */
interface Compared {
  readonly name: string;
  readonly other: string;
  readonly pair: DetectorsResult[string]['against'][string];
}

const WORDS: EffectWords = {
  helped: html`On the same rows, <strong class="gain">right more often</strong>:`,
  harmed: html`On the same rows, <strong class="loss">right less often</strong>:`,
  open: 'On the same rows,',
  noun: 'detector, beside another',
  heads: ['right only here', 'right only there'],
};

/** Each two of them once. */
function comparedOnce(detectors: DetectorsResult): Compared[] {
  const names = Object.keys(detectors);
  return names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = detectors[name]?.against[other];
      return pair ? [{ name, other, pair }] : [];
    }),
  );
}

/** @returns nothing where there is one detector, or none was recorded beside another */
function renderComparisonTable(detectors: DetectorsResult): (Html | '')[] {
  const all = comparedOnce(detectors);
  if (all.length === 0) return [];
  return [
    renderColumns(all, {
      detector: ({ name }) => name,
      beside: ({ other }) => other,
      'rows both answered': ({ pair }) => pair.n,
      accuracy: ({ pair }) => formatPercent(pair.accuracy),
      'of the other': ({ pair }) => formatPercent(pair.other_accuracy),
      ...pairedColumns('questions'),
    }),
    html`<p class="faint">p: exact sign-flip test, two-sided, with all rows about one question taken together, which McNemar's does not; the difference has a bootstrap
interval over questions, 95%. Detectors of different runs are not compared here: what they were asked may differ.</p>`,
  ];
}

/** The bias whose rows a twin is the other side of. */
const BIAS_OF: Readonly<Record<string, string>> = {
  'longer-is-right': 'verbosity',
  'crowd-is-right': 'bandwagon',
};

/** Ends the name of the rows of a bias where it speaks for the right option, in rows that have both sides. */
const OWN_TWIN = ' twin';

export function renderDetectorsSection(detectors: DetectorsResult, cases: RenderCases): ReportSection {
  const all = Object.entries(detectors);
  const [first] = all;
  const effects = comparedOnce(detectors).map(({ name, other, pair }) =>
    toEffect(`${name} beside ${other}`, pair),
  );
  const told = all.map(([name, scores]) => describeDetector(name, scores));
  return {
    title: 'Detectors, rows beside their twins',
    findings: [
      ...told.flatMap(({ warning }) => warning),
      ...renderEffects(effects, WORDS),
      ...told.flatMap(({ figure }) => figure),
    ],
    chart: first && all.length === 1 ? drawRows(...first) : drawDetectors(all),
    parts: [
      {
        heading: 'Bias by bias',
        body: all.length === 1 ? [] : all.map(([name, scores]) => drawRows(name, scores)),
      },
      {
        heading: 'All figures',
        body: [
          figuresTable(all),
          html`<p class="faint">Intervals: 95%, over the rows that were answered, those of one question taken together: Wilson for shares, a seeded bootstrap for F1.
${hasBalanced(all) ? BALANCED : ''}</p>`,
        ],
      },
      {
        heading: 'Beside each other, on the same rows',
        body: [
          ...renderComparisonTable(detectors),
          ...renderEffectsTable(effects, WORDS, 'exact sign-flip test over questions, two-sided'),
        ],
      },
      {
        heading: 'The cases behind the figures',
        body: all.map(([name]) => cases(name, `The cases of ${name}`)),
      },
    ],
  };
}

type Scores = DetectorsResult[string];
const RATES = ['accuracy', 'precision', 'recall', 'f1'] as const;

function countAnswered({ n, unreadable }: DetectorResultFigures): number {
  return n - unreadable;
}

/** What each side says, and where the two contradict each other. */
function describeDetector(
  name: string,
  { overall, by_bias: byBias, twins = {} }: Scores,
): { readonly warning: Html[]; readonly figure: Html[] } {
  if (overall.accuracy === null)
    return { warning: [], figure: [html`${name} answered no row: there is nothing to tell of it.`] };
  const range = overall.intervals.accuracy;
  const right = html`${name} gets ${formatPercent(overall.accuracy)} of the rows right (n = ${countAnswered(overall)}${
    range === null ? '' : `, 95%: ${formatPercent(range.low)} to ${formatPercent(range.high)}`
  }).`;
  const sides = [
    ...Object.entries(twins).map(([twin, scores]) => ({ bias: BIAS_OF[twin] ?? '', twin, scores })),
    ...Object.entries(byBias).flatMap(([twin, scores]) =>
      twin.endsWith(OWN_TWIN)
        ? [{ bias: twin.slice(0, -OWN_TWIN.length), twin: `its ${OWN_TWIN.trim()}`, scores }]
        : [],
    ),
  ];
  const torn = sides.flatMap(({ bias, twin, scores }) => {
    const rows = byBias[bias];
    const [here, there] = [rows?.intervals.accuracy, scores.intervals.accuracy];
    if (!rows || rows.accuracy === null || scores.accuracy === null || !here || !there) return [];
    const apart =
      here.low > 0.5 && there.high < 0.5 ? 'rows' : there.low > 0.5 && here.high < 0.5 ? 'twin' : null;
    if (apart === null) return [];
    const said = `${formatPercent(rows.accuracy)} on the ${bias} rows, ${formatPercent(scores.accuracy)} on ${twin}`;
    const like =
      apart === 'rows'
        ? 'It follows the shortcut that rows of one side reward'
        : 'It hardly ever calls a verdict biased';
    return [
      html`<strong class="loss">${name} does well on one side and badly on the other</strong>: ${said}. ${like}.`,
    ];
  });
  const untold =
    sides.length === 0 ? [html`${name} was not measured on the twins: a shortcut would look as good.`] : [];
  return { warning: torn, figure: [right, ...untold] };
}

/** Every detector on all rows, and on all of each twin. */
function drawDetectors(all: readonly (readonly [string, Scores])[]) {
  const bars = all.flatMap(([group, { overall, twins = {} }]) =>
    Object.entries({ rows: overall, ...twins }).map(
      ([name, of]): Bar => ({
        group,
        name: `${name} (${countAnswered(of)})`,
        value: of.accuracy,
        interval: of.intervals.accuracy,
        kind: of === overall ? 'first' : 'second',
      }),
    ),
  );
  return renderShareBars(bars, {
    title: 'Accuracy of the bias label.',
    caption: 'Pale: rows; full: their twins. In brackets: n. Whiskers: 95%.',
  });
}

function drawRows(name: string, { overall, by_bias: byBias, twins = {} }: Scores) {
  const twinOf = Map.groupBy(Object.keys(twins), (twin) => BIAS_OF[twin] ?? twin);
  const bar = (label: string, of: DetectorResultFigures, kind: Bar['kind']): Bar => ({
    group: name,
    name: `${label} (${countAnswered(of)})`,
    value: of.accuracy,
    interval: of.intervals.accuracy,
    kind,
  });
  const twinBars = (bias: string) =>
    (twinOf.get(bias) ?? []).flatMap((twin) =>
      twins[twin] ? [bar(`twin: ${twin}`, twins[twin], 'second')] : [],
    );
  const biases = [
    ...Object.keys(byBias),
    ...[...twinOf.keys()].filter((bias) => !Object.hasOwn(byBias, bias)),
  ];
  const rows = [
    bar('all rows', overall, 'first'),
    ...biases.flatMap((bias) => [
      ...(byBias[bias] ? [bar(bias, byBias[bias], 'first')] : []),
      ...twinBars(bias),
    ]),
  ];
  return renderShareBars(rows, {
    title: `${name}: accuracy of the bias label.`,
    caption:
      'Pale: rows; full: their twins, with the truth on the other side. In brackets: n. Whiskers: 95%.',
  });
}

const BALANCED = `A twin of the published rows has one label only, so accuracy there is specificity. "Balanced" is the mean of it and of recall on the rows of its bias.
Always yes, always no and the shortcut alone come to 50% or less there.`;

/** Whether twins of the published rows were asked about: own rows have both labels on either side. */
const hasBalanced = (all: readonly (readonly [string, Scores])[]) =>
  all.some(([, { twins }]) => Object.keys(twins ?? {}).length > 0);

function figuresTable(all: readonly (readonly [string, Scores])[]) {
  const plain = (value: number | null, why: string) =>
    value === null ? renderNone(why) : formatPercent(value);
  const row = (detector: string, rows: string, of: DetectorResultFigures, balanced: Html | string) => [
    ...[detector, rows, of.n, of.unreadable],
    ...RATES.map((rate) => renderShareCell(of[rate], of.intervals[rate], of.reasons[rate] ?? 'none')),
    ...(hasBalanced(all) ? [balanced] : []),
  ];
  const heads = ['detector', 'rows', 'n', 'unreadable', 'accuracy', 'precision', 'recall', 'F1'];
  return renderTable(
    [...heads, ...(hasBalanced(all) ? ['balanced'] : [])],
    all.flatMap(([name, scores]) => [
      row(name, 'all', scores.overall, ''),
      ...Object.entries(scores.by_bias).map(([bias, of]) => row(name, bias, of, '')),
      ...Object.entries(scores.by_judge).map(([judge, of]) => row(name, `judge ${judge}`, of, '')),
      ...Object.entries(scores.twins ?? {}).map(([twin, of]) =>
        row(name, `twin ${twin}`, of, plain(of.balanced, of.reasons.balanced ?? 'none')),
      ),
    ]),
  );
}
