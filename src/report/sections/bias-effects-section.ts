/** What each bias of the catalogue moves in a judge's verdicts. */
import { html } from 'hono/html';
import { renderHeatmap } from '../charts.ts';
import {
  formatCount,
  formatPoints,
  formatPValue,
  isSandbox,
  LEVEL,
  nameJudge,
  nameSome,
  type ReportSection,
  renderColumns,
  renderDropped,
  renderNone,
  renderPointsCell,
  renderShareCell,
} from '../report-words.ts';
import type { BiasEffectsResult } from '../results.ts';

export function renderBiasEffectsSection({ effects, dropped, skipped }: BiasEffectsResult): ReportSection {
  const judges = [...Map.groupBy(effects, ({ judge }) => judge)];
  return {
    title: 'What sways the judge',
    findings: [
      effects.length === 0 && html`No bias was tested: there is nothing to tell.`,
      ...judges.map(([judge, own]) => {
        const followed = own.filter(({ p }) => p !== null && p <= LEVEL);
        const tested = own.filter(({ effect }) => effect.value !== null).length;
        return followed.length === 0
          ? html`${nameJudge(judge)}: none of ${formatCount(tested, 'bias', 'biases')} was shown to sway it.`
          : html`${nameJudge(judge)} is swayed by ${nameSome(byStrength(followed).map(({ bias, effect }) => `${bias} (${formatPoints(effect.value ?? 0)} points)`))}, of ${formatCount(tested, 'bias', 'biases')} tested.`;
      }),
    ],
    isSimulated: effects.some(({ judge }) => isSandbox(judge)),
    chart: renderHeatmap(
      effects.map(({ judge, bias, effect, n }) => ({
        row: nameJudge(judge),
        column: bias,
        strength: effect.value === null ? null : -2 * effect.value,
        text: effect.value === null ? 'none' : `${formatPoints(effect.value)}\nn ${n}`,
      })),
      {
        title: 'How far verdicts go as the bias wants it.',
        caption:
          'In percentage points against the same cases without the bias: 0 for a fair judge; +50 for one that always follows and is right of half the clean cases.',
      },
    ),
    parts: [
      {
        heading: 'Bias by bias',
        body: [
          renderColumns(effects, {
            judge: ({ judge }) => nameJudge(judge),
            bias: ({ bias }) => bias,
            rows: ({ n }) => n,
            unread: ({ unread }) => unread,
            'effect in points': ({ effect }) =>
              effect.value === null
                ? renderNone(effect.reason)
                : renderPointsCell(effect.value, effect.interval),
            'p (Holm)': ({ p }) => (p === null ? renderNone('none') : formatPValue(p)),
            'verdicts that moved': ({ n, moved, moved_interval: interval }) =>
              renderShareCell(n === 0 ? null : moved / n, interval, 'no verdict was read'),
          }),
          html`<p class="faint">Intervals: 95% unless another was asked for, with the cases of one item taken together. p is corrected for the number of
biases of a judge. A bias can move a verdict against itself, so more verdicts move than follow.</p>`,
        ],
      },
      renderDropped('bias', { ...dropped, 'row skipped': skipped }),
    ],
  };
}

const byStrength = (effects: BiasEffectsResult['effects']) =>
  effects.toSorted((a, b) => Math.abs(b.effect.value ?? 0) - Math.abs(a.effect.value ?? 0));
