/** Figures to report, beside what labels make of them: of `remand estimate`, and of a running Remand before and after it. */
import { html } from 'hono/html';
import type { Interval } from '../../stats/index.ts';
import { type Bar, renderForest, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  type Html,
  isSandbox,
  nameJudge,
  type ReportSection,
  renderColumns,
  renderNone,
  renderRangeCell,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { EstimatesResult, NumbersResult, RateEstimate } from '../results.ts';

interface NamedEstimate extends RateEstimate {
  readonly name: string;
}

export function renderEstimatesSection({ estimates }: EstimatesResult): ReportSection {
  const named = estimates.map((one) => ({
    ...one,
    name: `${nameJudge(one.judge)}${one.subgroup === null ? '' : `, ${one.subgroup}`}`,
  }));
  return {
    title: 'What a judge says, and what labels make of it',
    findings: named.map(({ name, figure, raw, judged, labelled, corrected, report, why }) => {
      const alone = html`${name}: by ${formatCount(judged, 'verdict')} alone the ${figure} is ${say(figure, raw)}`;
      return corrected.value === null
        ? html`${alone}; not corrected: ${corrected.reason}.`
        : html`${alone}; <strong>corrected</strong> by ${formatCount(labelled, 'label')} <strong>${tell(figure, corrected.value, corrected.interval, labelled === judged ? 'every item is labelled' : 'all alike')}</strong>. Report ${report === 'labels' ? 'the labels alone' : 'the corrected figure'}: ${why}.`;
    }),
    isSimulated: estimates.some(({ judge }) => isSandbox(judge)),
    chart: drawEstimates(named),
    parts: [
      { heading: 'All figures', body: [estimatesTable(named), ...named.map(describeLabels)] },
      ...named.map((one) => ({
        heading: named.length === 1 ? 'Verdicts and labels' : `Verdicts and labels: ${one.name}`,
        body: [confusionTable(one)],
      })),
      { heading: 'How to read the figures', body: [NOTE] },
    ],
  };
}

/** What was left out, and how many more labels are wanted; nothing where neither is to be told. */
function describeLabels({ name, judged, unread, chosen, plan }: NamedEstimate): Html | '' {
  const strata =
    plan?.value == null
      ? []
      : plan.strata.map((one) => `${one.labels} of the ${one.items} judged ${one.judged}`);
  const told = [
    ...(unread > 0 ? [`${formatCount(unread, 'item')} without a verdict left out.`] : []),
    ...(chosen > 0 ? [`${formatCount(chosen, 'label')} on chosen cases left out.`] : []),
    ...(plan === null
      ? []
      : plan.value === null
        ? [`More labels: ${plan.reason}.`]
        : [
            `More labels needed: ${plan.value} of ${judged}, drawn by chance${strata.length > 0 ? `; or in all ${strata.join(', ')}` : ''}.`,
          ]),
  ];
  return told.length === 0 ? '' : html`<p>${name}: ${told.join(' ')}</p>`;
}

/** Labelled items by label and verdict. */
function confusionTable({ confusion, figure }: RateEstimate): Html | '' {
  if (isScore(figure)) return '';
  const verdicts = [...new Set(Object.values(confusion).flatMap((row) => Object.keys(row)))].sort();
  return renderTable(
    ['people', ...verdicts.map((verdict) => `judge ${verdict}`)],
    Object.entries(confusion)
      .sort()
      .map(([label, row]) => [`label ${label}`, ...verdicts.map((verdict) => row[verdict] ?? 0)]),
  );
}

export function renderNumbersSection({ judgments, isPart, figures }: NumbersResult): ReportSection {
  const named = figures.flatMap(({ judge, requests, category, first, sent }) => {
    const name = `${nameJudge(judge)}, ${category ?? requests}`;
    return [
      { ...first, name: `${name}: first verdicts` },
      { ...sent, name: `${name}: what went out` },
    ];
  });
  return {
    title: 'What Remand changed in the number',
    findings: figures.map(({ judge, category, first, sent, turnedRight, turnedWrong }) => {
      const { figure, corrected, labelled } = sent;
      return html`${nameJudge(judge)}, ${figure}${category === null ? '' : ` of ${category}`}: ${say(figure, first.raw)} from first verdicts, ${say(figure, sent.raw)} from what went out${
        corrected.value === null
          ? html`; not corrected: ${corrected.reason}`
          : html`; <strong>corrected ${tell(figure, corrected.value, corrected.interval)}</strong>`
      }.${labelled === 0 ? '' : ` Of ${formatCount(labelled, 'labelled case')} ${turnedRight} turned right and ${turnedWrong} wrong.`}`;
    }),
    isSimulated: figures.some(({ judge }) => isSandbox(judge)),
    chart: drawEstimates(named),
    parts: [
      {
        heading: 'All figures',
        body: [
          estimatesTable(named),
          html`<p class="faint">From ${isPart ? 'the latest ' : ''}${formatCount(judgments, 'judgment')} of a running Remand. A win rate is that of the text that the client put first.</p>`,
          NOTE,
        ],
      },
    ],
  };
}

const NOTE = html`<p class="faint">Intervals: 95% unless another was asked for. That of verdicts alone knows which items were drawn, not what the judge gets wrong.
Corrected: prediction-powered inference (PPI++, arXiv 2311.01453) from the verdicts on all items and labels on some, drawn by chance. Of yes
and no also Rogan and Gladen's estimator, from sensitivity and specificity. Kappa: Cohen's. A tie counts half.</p>`;

/** Shares as bars. Scores have scales of their own, so they are drawn as points, and only where there is nothing else. */
function drawEstimates(estimates: readonly NamedEstimate[]): Html | '' {
  const bars = estimates.flatMap(({ name: group, figure, raw, rawInterval, corrected }): Bar[] => {
    if (isScore(figure)) return [];
    const alone: Bar = { group, name: 'verdicts alone', value: raw, interval: rawInterval, kind: 'first' };
    if (corrected.value === null) return [alone];
    const { labelsOnly, value, interval } = corrected;
    return [
      alone,
      { group, name: 'labels alone', ...labelsOnly, kind: 'first' },
      { group, name: 'corrected', value, interval, kind: 'second' },
    ];
  });
  if (bars.length > 0)
    return renderShareBars(bars, {
      title: 'The figure, three times.',
      caption: 'By verdicts alone, by labels alone, and corrected. Whiskers: intervals.',
    });
  const scores = estimates.flatMap(({ name, raw, rawInterval, corrected }) => [
    { name: `${name}: verdicts alone`, value: raw, interval: rawInterval },
    ...(corrected.value === null ? [] : [{ name: `${name}: corrected`, ...corrected }]),
  ]);
  return renderForest(scores, {
    title: 'The mean score.',
    caption: 'By verdicts alone, and corrected. Whiskers: intervals.',
  });
}

function estimatesTable(estimates: readonly NamedEstimate[]): Html | '' {
  const cell = (figure: string, value: number, interval: Interval) =>
    isScore(figure) ? html`${tell(figure, value, interval)}` : renderShareCell(value, interval, '');
  return renderColumns(estimates, {
    judge: ({ name }) => name,
    figure: ({ figure }) => figure,
    judged: ({ judged }) => judged,
    labels: ({ labelled }) => labelled,
    'verdicts alone': ({ figure, raw, rawInterval }) => cell(figure, raw, rawInterval),
    'labels alone': ({ figure, corrected: of }) =>
      of.value === null ? renderNone('none') : cell(figure, of.labelsOnly.value, of.labelsOnly.interval),
    corrected: ({ figure, corrected: of }) =>
      of.value === null ? renderNone(of.reason) : cell(figure, of.value, of.interval),
    'Rogan and Gladen': ({ figure, roganGladen: of }) =>
      of.value === null ? renderNone(of.reason) : cell(figure, of.value, of.interval),
    'agrees with labels': ({ agreement }) =>
      agreement === null ? renderNone('no labels') : formatPercent(agreement),
    kappa: ({ kappa }) =>
      kappa.value === null
        ? renderNone(kappa.reason)
        : renderRangeCell(
            (Math.round(100 * kappa.value) / 100 || 0).toFixed(2).replace('-', '−'),
            `[${kappa.interval.low.toFixed(2)}, ${kappa.interval.high.toFixed(2)}]`,
          ),
  });
}

const isScore = (figure: string) => figure === 'mean score';
const say = (figure: string, value: number) => (isScore(figure) ? value.toFixed(2) : formatPercent(value));
const tell = (figure: string, value: number, { low, high }: Interval, whyNone = 'all alike') =>
  low === high
    ? `${say(figure, value)} (no interval: ${whyNone})`
    : `${say(figure, value)} (${say(figure, low)} to ${say(figure, high)})`;
