/** What came of distilling a teacher: examples kept and dropped, and how often the teacher was right. */
import { html } from 'hono/html';
import { type Bar, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  type Html,
  type ReportSection,
  renderColumns,
  renderNone,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { DistilResult } from '../results.ts';

export function renderDistilSection(report: DistilResult): ReportSection {
  const { teacher } = report;
  const dropped = Object.entries(report.dropped).toSorted(([, a], [, b]) => b - a);
  const share = report.rows === 0 ? '' : ` (${formatPercent(report.kept / report.rows)})`;
  const [why] = dropped;
  return {
    title: 'Distilling',
    findings: [
      html`Of ${formatCount(report.rows, 'row')}, ${report.kept.toLocaleString('en')}${share} became examples.`,
      ...(why === undefined ? [] : [html`Most of the others were dropped for "${why[0]}" (${why[1]}).`]),
      teacher === null && html`Nobody was asked: the examples have labels without reasons.`,
    ],
    chart: drawKept(report),
    parts: [
      { heading: 'How often the teacher was right', body: teacher === null ? [] : [teacherBody(teacher)] },
      {
        heading: 'What was kept',
        body: [
          keptTable(
            report,
            dropped.map(([reason]) => reason),
          ),
        ],
      },
      { heading: 'Splits', body: [splitsTable(report)] },
      { heading: 'Lengths', body: [lengthsTable(report)] },
    ],
  };
}

/** By bias, how many of the rows became examples. */
function drawKept({ by_bias: groups }: DistilResult) {
  const bars = Object.entries(groups).map(([name, { rows, kept }]) => ({
    group: 'rows',
    name: `${name} (${rows})`,
    value: rows === 0 ? null : kept / rows,
    interval: null,
    kind: 'second' as const,
  }));
  return renderShareBars(bars, {
    title: 'Rows that became examples.',
    caption: 'Share of the rows of each bias. In brackets: rows.',
  });
}

function teacherBody(teacher: NonNullable<DistilResult['teacher']>): Html {
  const caption = teacher.label_shown
    ? 'It was told the label, so this is no measure of it. In brackets: rows. Whiskers: 95%.'
    : 'First answers with the true label. In brackets: rows asked about. Whiskers: 95%.';
  const bars = teacher.accuracy.map(
    ({ bias, n, share, interval }): Bar => ({
      group: teacher.name,
      name: `${bias} (${n})`,
      value: share,
      interval,
      kind: 'second',
    }),
  );
  if (bars.length === 0) return html`<p>${teacher.name} was asked about no row.</p>`;
  return html`${renderShareBars(bars, { title: `${teacher.name}: accuracy.`, caption })}
${renderColumns(teacher.accuracy, {
  bias: ({ bias }) => bias,
  'rows asked about': ({ n }) => n,
  unread: ({ unread }) => unread,
  right: ({ right }) => right,
  accuracy: ({ share, interval }) => renderShareCell(share, interval, 'no answer was readable'),
})}
<p class="faint">${teacher.name}'s label at the first attempt${teacher.label_shown ? ', though it was told the true one: this is no measure of it' : ''}.</p>
${renderTable(['right at attempt', 'rows kept'], Object.entries(teacher.attempts_of_kept))}`;
}

function keptTable(report: DistilResult, reasons: readonly string[]): Html | '' {
  const groups = {
    all: report,
    ...report.by_bias,
    ...prefixed('label', report.by_label),
    ...prefixed('judge', report.by_judge),
  };
  return renderTable(
    ['rows', 'n', 'kept', ...reasons.map((reason) => `dropped: ${reason}`)],
    Object.entries(groups).map(([name, of]) => [
      name,
      of.rows,
      of.kept,
      ...reasons.map((reason) => of.dropped[reason] ?? 0),
    ]),
  );
}

function prefixed<T>(word: string, groups: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(groups).map(([name, of]) => [`${word} ${name}`, of]));
}

function splitsTable({ splits }: DistilResult): Html | '' {
  return renderTable(
    ['split', 'rows', 'yes', 'no'],
    Object.entries(splits).map(([name, { rows, yes, no }]) => [name, rows, yes, no]),
  );
}

function lengthsTable({ token_lengths: { encoding, prompt, completion, both } }: DistilResult): Html | '' {
  const figureOf = (value: number | null) => value ?? renderNone('no examples');
  return renderTable(
    [
      `tokens (${encoding})`,
      'n',
      'median',
      'p95',
      'longest',
      ...Object.keys(both.over).map((limit) => `over ${limit}`),
    ],
    Object.entries({ prompt, completion, both }).map(([name, of]) => [
      ...[name, of.n, figureOf(of.p50), figureOf(of.p95), figureOf(of.max)],
      ...Object.keys(both.over).map((limit) => of.over[limit] ?? 0),
    ]),
  );
}
