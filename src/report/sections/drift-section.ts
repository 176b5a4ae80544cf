/** Two runs of a judge over the same items: what changed, and what it means for a mark. */
import { html } from 'hono/html';
import { renderForest } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  formatPValue,
  type Html,
  isSandbox,
  type ReportSection,
  renderColumns,
  renderNone,
  renderTable,
} from '../report-words.ts';
import type { DriftResult } from '../results.ts';

/** Parts that are drawn; all have a row in the table. */
const DRAWN = 30;

export function renderDriftSection(result: DriftResult): ReportSection {
  const { judges, n, means, shift, fit, flips, flips_of_repeats: repeats, alarm } = result;
  const found = [...result.tests].sort((a, b) => a.adjusted - b.adjusted)[0];
  const shifts = [{ name: 'all', n, shift }, ...result.groups.slice(0, DRAWN)].flatMap((group) =>
    group.shift === null
      ? []
      : [{ name: `${group.name} (${group.n})`, value: group.shift.value, interval: group.shift }],
  );
  const methods = {
    shift: result.paired ? "Student's t, over pairs or their groups" : "Welch's t",
    spread: "Pitman's, of sums and differences of pairs",
    flips: 'flips against those between two replies of one judge',
    fit: "Student's t, of how far each item's verdicts lie from its label",
  };
  const words = result.of === 'score' ? 'score' : `share of ${result.of}`;
  return {
    title: `Is ${judges.after} still the judge that ${judges.before} was?`,
    findings: [
      alarm
        ? html`<strong class="loss">It is another judge</strong>${found ? html` (${found.name}: ${formatPValue(found.adjusted)})` : ''}.`
        : html`No change was shown${found ? html` (the nearest: ${found.name}, ${formatPValue(found.adjusted)})` : ''}.`,
      shift !== null &&
        html`The mean ${words} moved by <strong>${tell(shift)}</strong> on ${formatCount(n, 'item')}.`,
      flips !== null &&
        html`${formatPercent(flips)} of the items have another verdict${repeats === null ? '; how often the judge differs from itself is not known' : html`, beside ${formatPercent(repeats)} between two replies of one judge`}.`,
      result.equivalent !== null &&
        html`Within the declared margin: ${result.equivalent ? 'yes' : 'not shown'}.`,
    ],
    isSimulated: [judges.before, judges.after].some(isSandbox),
    chart: renderForest(shifts, FOREST),
    parts: [
      {
        heading: 'Before and after',
        body: [
          renderTable(
            ['figure', 'before', 'after', 'change'],
            [
              ['judge', judges.before, judges.after, ''],
              ...(means ? [row(`mean ${words}`, means.before, means.after, shift ? tell(shift) : '')] : []),
              result.spread.value === null
                ? ['standard deviation', '', '', renderNone(result.spread.reason)]
                : row(
                    'standard deviation',
                    result.spread.before,
                    result.spread.after,
                    `× ${result.spread.value.toFixed(2)}, ${formatPValue(result.spread.p)}`,
                  ),
              ...(fit
                ? [
                    row(
                      `${fit.measure}, ${formatCount(fit.n, 'label')}`,
                      fit.before,
                      fit.after,
                      fit.change ? tell(fit.change) : '',
                    ),
                  ]
                : []),
            ],
          ),
        ],
      },
      { heading: 'What marks mean now', body: [marksTable(result)] },
      {
        heading: 'Part by part',
        body: [
          renderColumns(result.groups, {
            part: ({ name }) => name,
            items: ({ n }) => n,
            shift: (group) => (group.shift ? tell(group.shift) : renderNone('too few')),
          }),
        ],
      },
      {
        heading: 'How to read the figures',
        body: [
          renderColumns(result.tests, {
            'test of': ({ name }) => name,
            by: ({ name }) => methods[name],
            p: ({ p }) => formatPValue(p),
            'p, corrected': ({ adjusted }) => formatPValue(adjusted),
          }),
          html`<p class="faint">${describeMethod(result).join(' ')}</p>`,
        ],
      },
    ],
  };
}

/** Each sentence ended. */
function describeMethod(result: DriftResult): string[] {
  const { unread, notes, false_alarms: declared, equivalent_within: within } = result;
  const alone = result.only_before + result.only_after;
  return [
    ...(unread > 0 ? [`${formatCount(unread, 'item')} without a verdict in one of the two.`] : []),
    ...(alone > 0 ? [`${formatCount(alone, 'item')} in one run alone.`] : []),
    ...notes.map((note) => `${note.slice(0, 1).toUpperCase()}${note.slice(1)}.`),
    `Tests are corrected for being several (Holm); where nothing changed, an alarm is raised in ${formatPercent(declared)} of the runs at most. Intervals: 95% unless another was asked for.`,
    ...(within === null ? [] : [`A shift of more than ${within.toFixed(3)} either way is ruled out.`]),
  ];
}

const FOREST = {
  title: 'The shift, of all items and of each part.',
  caption: 'In the units of the verdicts. Whiskers: intervals. In brackets: items.',
};

const row = (name: string, before: number, after: number, change: string) => [
  ...[name, before.toFixed(3), after.toFixed(3), change],
];

function marksTable({ marks }: DriftResult): Html | '' {
  return renderColumns(marks, {
    'a mark of': ({ before }) => before.toFixed(1),
    'is now one of': ({ after, reason }) => after?.toFixed(1) ?? renderNone(reason ?? 'not known'),
    interval: ({ interval }) =>
      interval === null ? '' : `${interval.low.toFixed(1)} to ${interval.high.toFixed(1)}`,
  });
}

type Change = NonNullable<DriftResult['shift']>;
const tell = ({ value, low, high }: Change) =>
  `${sign(value)} (${low === high ? 'no interval: all alike' : `${sign(low)} to ${sign(high)}`})`;
const sign = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${Math.abs(value).toFixed(3)}`;
