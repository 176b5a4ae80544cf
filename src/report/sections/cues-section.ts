/** What the audit of cues found: shift and flips of each pair of cues, what the reasons say, and the order of cues. */
import { html } from 'hono/html';
import { type Bar, renderHeatmap, renderShareBars } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderNone,
  renderPointsCell,
  renderShareCell,
  renderVerdicts,
  type Sentence,
} from '../report-words.ts';
import type { CueAuditResult } from '../results.ts';

type JudgeResult = CueAuditResult['results'][number];
type PairResult = JudgeResult['cue_pairs'][number];

/** Reasons shown of which rule and checker say different things. */
const MOST_SHOWN = 20;

/** A judge on a dataset. */
export function nameCueGroup({ judge, dataset }: Pick<JudgeResult, 'judge' | 'dataset'>): string {
  return `${nameJudge(judge)}, ${dataset}`;
}

/** @param cases by the group's name, see `nameCueGroup` */
export function renderCuesSection(
  { results, disagreements, place, failed }: CueAuditResult,
  cases: RenderCases,
): ReportSection {
  const name = nameCueGroup;
  const cells = results.flatMap((one) =>
    one.cue_pairs.map(({ cues, shift, losses }) => ({
      row: name(one),
      column: cues.join('/'),
      strength: losses?.selective ? null : shift.value,
      text: shift.value === null ? 'no pairs' : `${formatPoints(shift.value)}\nn ${shift.n}`,
    })),
  );
  const bars = results.flatMap((one) =>
    one.cue_pairs.map(
      ({ cues, flips, found }): Bar => ({
        group: name(one),
        name: cues.join('/'),
        value: flips.share,
        interval: flips.interval,
        kind: found ? 'second' : 'first',
      }),
    ),
  );
  return {
    title: 'Whether judges follow what is said of a text',
    findings: summarise(results),
    isSimulated: results.some(({ judge }) => isSandbox(judge)),
    chart: renderHeatmap(cells, {
      title: 'Shift of selections, in points.',
      caption:
        'Selections of the first text with the first cue beside it, less those with the second. Above 0 the first cue is preferred.',
    }),
    parts: [
      renderVerdicts(results, name),
      {
        heading: 'Verdicts that flip',
        body: [
          renderShareBars(bars, {
            title: 'Verdicts that flip when two cues are exchanged.',
            caption: 'Share of the pairs of texts. Pale: no preference beyond chance. Whiskers: 95%.',
          }),
        ],
      },
      {
        heading: 'All figures',
        body: [
          figuresTable(
            results.flatMap((one) => one.cue_pairs.map((pair) => ({ ...pair, judge: name(one) }))),
          ),
          html`<p class="faint">The cue stood ${place === 'heading' ? 'in the heading of' : place} each text. Shift: Newcombe for paired shares; flips: Wilson; both 95%.
Test: McNemar's, exact, corrected for all comparisons of the run (Holm). ${failed > 0 ? `${formatCount(failed, 'comparison')} failed.` : ''}</p>`,
        ],
      },
      { heading: 'The order of cues', body: orders(results, name) },
      {
        heading: 'Verdicts that flipped',
        body: results.map((one) => cases(name(one), `Verdicts of ${name(one)} that flipped`)),
      },
      { heading: 'Reasons of which rule and checker say different things', body: reasons(disagreements) },
    ],
  };
}

/** How many comparisons show a preference, the largest, and whether the reasons say so. */
function summarise(results: readonly JudgeResult[]): Sentence[] {
  const all = results.flatMap((one) => one.cue_pairs.map((pair) => ({ one, pair })));
  const withheld = all.filter(({ pair }) => pair.losses?.selective).length;
  const measured = all.flatMap(({ one, pair }) =>
    pair.shift.value === null || pair.losses?.selective ? [] : [{ one, pair, value: pair.shift.value }],
  );
  const found = measured.filter(({ pair }) => pair.found);
  const lost = all.reduce((sum, { pair }) => sum + pair.unread + pair.failed, 0);
  const asked = all.reduce((sum, { pair }) => sum + pair.flips.n, lost);
  const rest = [
    withheld > 0 &&
      html`Of ${formatCount(withheld, 'comparison')} of cues nothing is claimed: with the cues exchanged, more or fewer replies have no verdict.`,
    lost > 0 && html`${lost} of ${formatCount(asked, 'pair')} of texts with cues lack two verdicts.`,
  ];
  if (measured.length + withheld === 0)
    return [html`No pair of texts has two verdicts that could be read: there is nothing to tell.`];
  const [most] = found.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (measured.length === 0) return rest;
  if (!most)
    return [
      html`<strong>No preference</strong> beyond chance was shown in ${formatCount(measured.length, 'comparison')} of cues.`,
      ...rest,
    ];
  const [liked, other] = most.value > 0 ? most.pair.cues : most.pair.cues.toReversed();
  const given = found.reduce((sum, { pair }) => sum + pair.acknowledged.n, 0);
  const named = found.reduce(
    (sum, { pair }) => sum + Math.round((pair.acknowledged.share ?? 0) * pair.acknowledged.n),
    0,
  );
  return [
    html`In <strong class="loss">${found.length} of ${formatCount(measured.length, 'comparison')}</strong> of cues there is a preference.`,
    html`The largest: on ${most.one.dataset}, ${nameJudge(most.one.judge)} prefers "${liked ?? ''}" to "${other ?? ''}" by ${(100 * Math.abs(most.value)).toFixed(1)} points.`,
    given === 0
      ? html`No reasons were given.`
      : html`${named} of ${formatCount(given, 'reason')} name the cue.`,
    ...rest,
  ];
}

function figuresTable(all: readonly (PairResult & { readonly judge: string })[]): Html | '' {
  const share = (of: PairResult['flips']) => renderShareCell(of.share, of.interval, 'no pairs');
  return renderColumns(all, {
    judge: ({ judge }) => judge,
    cues: ({ cues }) => cues.join('/'),
    pairs: ({ flips }) => flips.n,
    'first text': (one) => share(one.first_as_given),
    exchanged: (one) => share(one.first_exchanged),
    shift: ({ shift }) =>
      shift.value === null ? renderNone(shift.reason) : renderPointsCell(shift.value, shift.interval),
    flips: ({ flips }) => share(flips),
    Holm: (one) => formatPValue(one.p_holm),
    'reasons that name it': ({ acknowledged: { share: part, n } }) =>
      part === null ? renderNone('no reasons') : html`${formatPercent(part)} of ${n}`,
    'no verdict': ({ unread, failed }) => unread + failed,
  });
}

function orders(results: readonly JudgeResult[], name: (one: JudgeResult) => string): (Html | '')[] {
  const all = results.flatMap((one) => one.hierarchies.map((of) => ({ ...of, judge: name(one) })));
  if (all.length === 0) return [];
  return [
    renderColumns(all, {
      judge: ({ judge }) => judge,
      order: ({ ranks, steps }) =>
        ranks
          .map(({ cue }, i) => (i === 0 ? cue : `${steps[i - 1]?.supported ? '>' : '≥'} ${cue}`))
          .join(' '),
      'log strengths': ({ ranks }) => ranks.map(({ strength }) => strength.toFixed(2)).join(', '),
    }),
    html`<p class="faint">Bradley-Terry over all pairs of cues at once. &gt;: supported by the data; ≥: not told apart.</p>`,
  ];
}

function reasons(disagreements: CueAuditResult['disagreements']): Html[] {
  if (disagreements.length === 0) return [];
  const table = renderColumns(disagreements.slice(0, MOST_SHOWN), {
    pair: ({ id }) => id,
    judge: ({ judge }) => nameJudge(judge),
    cues: ({ cues }) => cues.join('/'),
    reason: ({ reason }) => reason,
    'who says that it names the cue': (one) => (one.by_rule ? 'rule' : 'checker'),
  });
  return [
    html`${table}
<p class="faint">${formatCount(disagreements.length, 'reason')}${disagreements.length > MOST_SHOWN ? `, the first ${MOST_SHOWN} shown` : ''}.</p>`,
  ];
}
