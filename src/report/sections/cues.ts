/** What the audit of cues found: shift and flips of each pair of cues, what the reasons say, and the order of cues. */
import { html } from 'hono/html';
import { figure } from '../chart.ts';
import { type Bar, heatmap, shareBars } from '../charts.ts';
import type { CueAudit } from '../results.ts';
import type { CasesOf, Section } from '../section.ts';
import {
  counted,
  type Html,
  isSandbox,
  judgeName,
  none,
  percent,
  points,
  pValue,
  shareCell,
  table,
} from '../words.ts';

type JudgeResult = CueAudit['results'][number];
type PairResult = JudgeResult['cue_pairs'][number];

/** Reasons shown of which rule and checker say different things. */
const MOST_SHOWN = 20;

/** A judge on a dataset. */
export function cueGroup({ judge, dataset }: Pick<JudgeResult, 'judge' | 'dataset'>): string {
  return `${judgeName(judge)}, ${dataset}`;
}

/** @param cases by the group's name, see `cueGroup` */
export function cuesSection({ results, disagreements, place, failed }: CueAudit, cases: CasesOf): Section {
  const name = cueGroup;
  const cells = results.flatMap((one) =>
    one.cue_pairs.map(({ cues, shift }) => ({
      ...{ row: name(one), column: cues.join('/'), strength: shift.value },
      text: shift.value === null ? 'no pairs' : `${points(shift.value)}\nn ${shift.n}`,
    })),
  );
  const bars = results.flatMap((one) =>
    one.cue_pairs.map(
      ({ cues, flips, found }): Bar => ({
        ...{ group: name(one), name: cues.join('/'), value: flips.share },
        ...{ interval: flips.interval, kind: found ? 'second' : 'first' },
      }),
    ),
  );
  return {
    title: 'Whether judges follow what is said of a text',
    verdict: [
      ...results.map(({ verdict }) => html`<span class="judged">${verdict}</span>`),
      ...(results.some(({ judge }) => isSandbox(judge))
        ? [html`The sandbox judge is a <strong>simulation</strong>.`]
        : []),
    ],
    body: [
      ...(cells.length > 0
        ? [
            figure(
              heatmap(cells, {
                title: 'Shift of selections, in points.',
                caption:
                  'Selections of the first text with the first cue beside it, less those with the second. Above 0 the first cue is preferred.',
              }),
            ),
            figure(
              shareBars(bars, {
                title: 'Verdicts that flip when two cues are exchanged.',
                caption: 'Share of the pairs of texts. Pale: no preference beyond chance. Whiskers: 95%.',
              }),
            ),
          ]
        : []),
      table(
        [
          'judge',
          'cues',
          'pairs',
          'first text',
          'exchanged',
          'shift',
          'flips',
          'Holm',
          'reasons that name it',
          'no verdict',
        ],
        results.flatMap((one) => one.cue_pairs.map((pair) => row(name(one), pair))),
      ),
      ...results.map((one) => html`${cases(name(one), `Verdicts of ${name(one)} that flipped`)}`),
      orders(results, name),
      ...reasons(disagreements),
      html`<p class="faint">The cue stood ${place === 'heading' ? 'in the heading of' : place} each text. Shift: Newcombe for paired shares; flips: Wilson; both 95%.
Test: McNemar's, exact, corrected for all comparisons of the run (Holm). ${failed > 0 ? `${counted(failed, 'comparison')} failed.` : ''}</p>`,
    ],
  };
}

function row(judge: string, one: PairResult): (Html | string | number)[] {
  const { shift, acknowledged, flips } = one;
  const share = (of: PairResult['flips']) => shareCell(of.share, of.interval, 'no pairs');
  return [
    ...[judge, one.cues.join('/'), flips.n],
    ...[share(one.first_as_given), share(one.first_exchanged)],
    shift.value === null
      ? none(shift.reason)
      : html`${points(shift.value)}<span class="range">[${points(shift.interval.low)}, ${points(shift.interval.high)}]</span>`,
    ...[share(flips), pValue(one.p_holm)],
    acknowledged.share === null
      ? none('no reasons')
      : html`${percent(acknowledged.share)} of ${acknowledged.n}`,
    one.unread + one.failed,
  ];
}

function orders(results: readonly JudgeResult[], name: (one: JudgeResult) => string): Html {
  const rows = results.flatMap((one) =>
    one.hierarchies.flatMap(({ ranks, steps }) => [
      [
        name(one),
        ranks
          .map(({ cue }, i) => (i === 0 ? cue : `${steps[i - 1]?.supported ? '>' : '≥'} ${cue}`))
          .join(' '),
        ranks.map(({ strength }) => strength.toFixed(2)).join(', '),
      ],
    ]),
  );
  return rows.length === 0
    ? html``
    : html`<h3>The order of cues</h3>${table(['judge', 'order', 'log strengths'], rows)}
<p class="faint">Bradley-Terry over all pairs of cues at once. &gt;: supported by the data; ≥: not told apart.</p>`;
}

function reasons(disagreements: CueAudit['disagreements']): Html[] {
  if (disagreements.length === 0) return [];
  const rows = disagreements
    .slice(0, MOST_SHOWN)
    .map((one) => [
      one.id,
      judgeName(one.judge),
      one.cues.join('/'),
      one.reason,
      one.by_rule ? 'rule' : 'checker',
    ]);
  return [
    html`<h3>Reasons of which rule and checker say different things</h3>
${table(['pair', 'judge', 'cues', 'reason', 'who says that it names the cue'], rows)}
<p class="faint">${counted(disagreements.length, 'reason')}${disagreements.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} shown` : ''}.</p>`,
  ];
}
