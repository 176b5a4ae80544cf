/** Judgments that were made already: what the logs hold, and how many verdicts rest on what should not matter. */
import { html } from 'hono/html';
import { wilson } from '../../stats/index.ts';
import { drawShareBars, renderDrawing } from '../charts.ts';
import {
  formatCount,
  type Html,
  type ReportSection,
  renderNone,
  renderShareCell,
  renderTable,
  toInterval,
} from '../report-words.ts';
import type { LookResult } from '../results.ts';

export function renderLookSection(log: LookResult): ReportSection {
  const { calls, judgments, examinable, sample, pipelines, left_alone: left } = log;
  const asked = sample !== null && 'asked' in sample ? sample : null;
  const affected =
    asked && asked.asked > 0
      ? { share: asked.affected / asked.asked, of: wilson(asked.affected, asked.asked) }
      : null;
  return {
    title: 'Judgments made already',
    findings: [
      ...(asked && affected
        ? [
            html`Of ${formatCount(asked.asked, 'verdict')} <strong>${asked.affected} rest on what should not matter</strong>, ${asked.changed} would change.`,
          ]
        : []),
      html`${formatCount(calls, 'model call')}, ${judgments} of them judgments, of which ${examinable} can be examined.`,
      ...(asked
        ? []
        : [html`No judge was asked again: how many verdicts rest on place or format is not known.`]),
    ],
    isSimulated: false,
    chart:
      asked && Object.keys(asked.biases).length > 0
        ? renderDrawing(
            drawShareBars(
              Object.entries(asked.biases).map(([name, count]) => ({
                ...{ group: 'verdicts', name: `${name} (${count})`, value: count / asked.asked },
                ...{ interval: toInterval(wilson(count, asked.asked)), kind: 'second' as const },
              })),
              {
                title: 'What they rest on.',
                caption: 'Share of the verdicts that were asked again. Whiskers: 95%.',
              },
            ),
          )
        : drawFirstWins(pipelines),
    parts: [
      {
        heading: 'What was asked again',
        body: asked
          ? [
              renderTable(
                [
                  ...['asked again', 'rest on a bias', 'would change', 'without a verdict', 'failed'],
                  ...['not asked', 'calls', 'cost'],
                ],
                [
                  [
                    asked.asked,
                    affected
                      ? html`${asked.affected} ${renderShareCell(affected.share, toInterval(affected.of), '')}`
                      : 0,
                    ...[asked.changed, asked.unread, asked.failed, asked.not_asked, asked.calls],
                    asked.cost === null ? renderNone('no price is known') : asked.cost.toFixed(2),
                  ],
                ],
              ),
              html`<p class="faint">Sampled judgments were drawn by chance.</p>`,
            ]
          : [],
      },
      {
        heading: 'Pipelines',
        body: [
          renderTable(
            ['pipeline', 'calls', 'can be examined', 'verdicts', 'the first option wins'],
            pipelines.map(({ name, calls: all, examinable: some, verdicts, first_wins: first }) => [
              ...[name, all, some, verdicts],
              first === null ? renderNone('no choices') : renderShareCell(first.share, first.interval, ''),
            ]),
          ),
          html`<p class="faint">Where the first option wins far more often than half, the judge may go by place.</p>`,
        ],
      },
      {
        heading: 'What was left alone',
        body: Object.keys(left).length === 0 ? [] : [renderTable(['because', 'calls'], Object.entries(left))],
      },
      {
        heading: 'What is missing',
        body:
          log.missing.length + (asked?.errors.length ?? 0) === 0
            ? []
            : [
                html`<ul>${[...log.missing.map((one) => `Not in the log: ${one}.`), ...(asked?.errors ?? [])].map((one) => html`<li>${one}</li>`)}</ul>`,
              ],
      },
    ],
  };
}

function drawFirstWins(pipelines: LookResult['pipelines']): Html | null {
  const bars = pipelines.flatMap(({ name, first_wins: first }) =>
    first === null
      ? []
      : [
          {
            ...{ group: 'pipelines', name: `${name} (${first.n})`, value: first.share },
            ...{ interval: first.interval, kind: 'second' as const },
          },
        ],
  );
  if (bars.length === 0) return null;
  return renderDrawing(
    drawShareBars(bars, {
      title: 'How often the first option wins.',
      caption: 'Share of the choices of each pipeline; in brackets: choices. Whiskers: 95%.',
    }),
  );
}
