/** Judgments that were made already: what the logs hold, and how many verdicts rest on what should not matter. */
import { html } from 'hono/html';
import { toInterval } from '../../stats/figure.ts';
import { wilson } from '../../stats/index.ts';
import { type Bar, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  formatPValue,
  type Html,
  type ReportSection,
  renderColumns,
  renderNone,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { LookResult } from '../results.ts';

export function renderLookSection(log: LookResult): ReportSection {
  const {
    calls,
    judgments,
    examinable,
    verdicts,
    unread,
    repeated,
    sample,
    pipelines,
    left_alone: left,
  } = log;
  const asked = sample !== null && 'asked' in sample ? sample : null;
  const judges = new Set(pipelines.map(({ judge }) => judge));
  const affected =
    asked && asked.asked > 0
      ? { share: asked.affected / asked.asked, of: wilson(asked.affected, asked.asked) }
      : null;
  const orders = asked?.orders ?? null;
  const noise = Math.min(asked?.affected ?? 0, Math.round(orders?.by_noise ?? 0));
  const missing = [
    ...log.missing.map((one) => `Not in the log: ${one}.`),
    ...(asked?.untested ?? []).map(
      ({ bias, count, why }) => `Not tested: ${bias} in ${formatCount(count, 'verdict')}. ${why}`,
    ),
    ...(asked?.errors ?? []),
  ];
  return {
    title: 'Judgments made already',
    findings: [
      asked &&
        affected &&
        html`Of ${formatCount(asked.asked, 'verdict')} <strong>${asked.affected} ${noise === 0 ? 'rest on what should not matter' : `differ with what should not matter, about ${noise} of which the judge's own noise can explain`}</strong>, ${asked.changed} would change${asked.untested.length === 0 ? '' : `; not everything could be tested: ${[...new Set(asked.untested.map(({ bias }) => bias))].join(', ')} (below: in how many, and why)`}.`,
      orders &&
        orders.first + orders.last > 0 &&
        html`Of ${formatCount(orders.compared, 'verdict')} in both orders, the verdict moved towards the first place in ${orders.first} and towards the last in ${orders.last} (${formatPValue(orders.p)}${orders.pipelines === 1 ? '' : `, the least of ${orders.pipelines} pipelines`}). A judge that goes by place favours one of them; its noise favours neither.`,
      html`${formatCount(calls, 'model call')}, ${judgments} of them judgments, of which ${examinable} can be examined. Verdicts read in the log: ${verdicts}${unread > 0 ? `; ${unread} of ${verdicts + unread} replies could not be read` : ''}.`,
      repeated > 0 &&
        html`${formatCount(repeated, 'of them repeats a prompt', 'of them repeat a prompt')} that was judged before, word for word. The intervals take each for a case of its own, and are too narrow.`,
      !asked && html`No judge was asked again: how many verdicts rest on place or format is not known.`,
    ],
    chart:
      asked && Object.keys(asked.biases).length > 0
        ? renderShareBars(
            Object.entries(asked.biases).map(([name, count]) => ({
              group: 'verdicts',
              name: `${name} (${count})`,
              value: count / asked.asked,
              interval: toInterval(wilson(count, asked.asked)),
              kind: 'second',
            })),
            {
              title: noise === 0 ? 'What they rest on.' : 'What they differ with.',
              caption: 'Share of the verdicts that were asked again. Whiskers: 95%.',
            },
          )
        : drawFirstWins(pipelines, judges.size > 1),
    parts: [
      {
        heading: 'What was asked again',
        body: asked
          ? [
              renderColumns([asked], {
                'asked again': (one) => one.asked,
                [noise === 0 ? 'rest on a bias' : 'differ with a bias']: (one) =>
                  affected
                    ? html`${one.affected}, ${renderShareCell(affected.share, toInterval(affected.of), '')}`
                    : 0,
                ...(noise > 0 && { 'noise can explain': () => `about ${noise}` }),
                biases: (one) =>
                  Object.entries(one.biases)
                    .map(([name, count]) => `${name} ${count}`)
                    .join(', '),
                'would change': (one) => one.changed,
                'without a verdict': (one) => one.unread,
                failed: (one) => one.failed,
                'not asked': (one) => one.not_asked,
                calls: (one) => one.calls,
                'tokens in': ({ tokens }) => tokens?.input ?? renderNone('not recorded'),
                'tokens out': ({ tokens }) => tokens?.output ?? renderNone('not recorded'),
                cost: (one) => one.cost?.toFixed(2) ?? renderNone('no price is known'),
              }),
              html`<p class="faint">Sampled judgments were drawn by chance.</p>`,
            ]
          : [],
      },
      {
        heading: 'Pipelines',
        body: [
          renderColumns(pipelines, {
            pipeline: ({ name }) => name,
            ...(judges.size > 1 && {
              judge: ({ judge }: Pipeline) => judge || renderNone('not named'),
            }),
            calls: (one) => one.calls,
            'can be examined': (one) => one.examinable,
            'replies in the log': (one) => one.replies ?? '',
            verdicts: ({ verdicts }) => verdicts,
            'the first option wins': ({ first_wins: first, replies, verdicts }) =>
              first === null
                ? renderNone(
                    replies === 0
                      ? 'no reply in the log'
                      : verdicts === 0
                        ? 'no verdict was read'
                        : 'no choices',
                  )
                : renderShareCell(first.share, first.interval, ''),
            'by chance': ({ first_wins: first }) =>
              first?.chance === undefined ? '' : formatPercent(first.chance),
          }),
          pipelines.some(({ first_wins: first }) => first)
            ? html`<p class="faint">Where the first option wins far more often than by chance, the judge may go by place.</p>`
            : '',
        ],
      },
      {
        heading: 'What was left alone',
        body: [renderTable(['because', 'calls'], Object.entries(left))],
      },
      {
        heading: 'What is missing',
        body: missing.length === 0 ? [] : [html`<ul>${missing.map((one) => html`<li>${one}</li>`)}</ul>`],
      },
    ],
  };
}

type Pipeline = LookResult['pipelines'][number];

function drawFirstWins(pipelines: readonly Pipeline[], hasSeveral: boolean): Html | '' {
  const bars = pipelines.flatMap(({ name, judge, first_wins: first }): Bar[] =>
    first === null
      ? []
      : [
          {
            group: 'pipelines',
            name: `${name}${hasSeveral && judge ? `, ${judge}` : ''} (${first.n})`,
            value: first.share,
            interval: first.interval,
            kind: 'second',
          },
        ],
  );
  return renderShareBars(bars, {
    title: 'How often the first option wins.',
    caption: 'Share of the choices of each pipeline; in brackets: choices. Whiskers: 95%.',
  });
}
