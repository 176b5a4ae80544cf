/** Recorded judges: what sending their verdicts back did, for each judge and strategy. */
import { html } from 'hono/html';
import { type Interval, wilson } from '../../stats/index.ts';
import { renderDrawing } from '../chart.ts';
import { type Bar, drawChanges, drawHeatmap, drawShareBars } from '../charts.ts';
import { type Effect, type EffectWords, renderEffects, renderTestsNote } from '../effect.ts';
import {
  formatPoints,
  formatPValue,
  type Html,
  joinList,
  nameJudge,
  renderShareCell,
  renderTable,
  toInterval,
} from '../report-words.ts';
import type { RecordedJudge } from '../results.ts';
import type { RenderCases, ReportSection } from '../section.ts';
import { choosePValue, findLeastP, renderDifferenceCell, renderPCell } from './by-item.ts';
import {
  compareBaselines,
  type NamedJudge,
  renderBaselineSentence,
  renderBaselines,
} from './recorded-baselines.ts';

export function renderRecordedSection(
  results: Readonly<Record<string, RecordedJudge>>,
  cases: RenderCases,
): ReportSection {
  const all = Object.entries(results).map(([name, of]) => ({ name: nameJudge(name), of }));
  const sent = all.filter(({ of }) => of.remanded > 0);
  const silent = all.filter(({ of }) => of.remanded === 0 && !of.baseline).map(({ name }) => name);
  const effects = sent.map(
    ({ name, of }): Effect => ({
      ...{ name, gained: of.wrong_to_right, lost: of.right_to_wrong },
      ...{ p: choosePValue(of), least: findLeastP(of.by_item) },
    }),
  );
  const beside = compareBaselines(sent);
  const shown = sent.length > 0 ? sent : all;
  return {
    title: 'Recorded judges, before and after',
    verdict: [
      ...renderEffects(effects, WORDS),
      ...renderBaselineSentence(beside),
      ...(effects.length === 0
        ? [html`No verdict of any judge was sent back: there is no effect to tell of.`]
        : []),
    ],
    body: [
      renderDrawing(accuracyBars(shown)),
      renderDrawing(
        drawChanges(
          shown.map(({ name, of }) => ({ name, gained: of.wrong_to_right, lost: of.right_to_wrong })),
          {
            title: 'What sending back turned.',
            caption: 'Judgments, both orders of each item counted. A gain that hides losses is no gain.',
          },
        ),
      ),
      ...(shown.length > 1 ? [renderDrawing(gainMap(shown))] : []),
      ...(silent.length > 0
        ? [html`<p>No verdict of ${joinList(silent)} was sent back: nothing was found against any.</p>`]
        : []),
      figuresTable(sent.length > 0 ? all.filter(({ of }) => !of.baseline) : all),
      html`<p class="faint">Intervals of shares: Wilson, 95%, as wide as n items make them, not 2n judgments: never too narrow. The gain has a
bootstrap interval over items, 95%, both orders of an item drawn together; p is the exact sign-flip test over items. McNemar's test takes the
two orders of an item for independent judgments, which they are not: it is given because others give it, and p is the one to trust.</p>`,
      ...renderBaselines(
        sent,
        all.filter(({ of }) => of.baseline && sent.length > 0),
      ),
      ...(effects.length > 0
        ? [renderTestsNote([...effects, ...beside], 'exact sign-flip test over items, two-sided')]
        : []),
      ...Object.keys(results)
        .filter((name) => sent.length === 0 || (results[name]?.remanded ?? 0) > 0)
        .map((name) => html`${cases(name, `The cases of ${nameJudge(name)}`)}`),
    ],
  };
}

const WORDS: EffectWords = {
  helped: html`Sending back <strong class="gain">helped</strong>`,
  harmed: html`Sending back <strong class="loss">harmed</strong>`,
  open: 'for',
  counts: ({ gained, lost }) => `${gained} wrong→right against ${lost} right→wrong`,
};
function interval(share: number, n: number): Interval | null {
  return toInterval(wilson(Math.round(share * n), n));
}

function accuracyBars(shown: readonly NamedJudge[]) {
  const bars = shown.flatMap(({ name, of }): Bar[] => [
    {
      ...{ group: name, name: 'before', kind: 'first' },
      ...{ value: shareOf(of.accuracy_before, of), interval: interval(of.accuracy_before, of.n) },
    },
    {
      ...{ group: name, name: 'after', kind: 'second' },
      ...{ value: shareOf(of.accuracy_after, of), interval: interval(of.accuracy_after, of.n) },
    },
  ]);
  return drawShareBars(bars, {
    title: 'Accuracy before and after.',
    caption: `Share of right verdicts, n = ${itemCounts(shown)} items in both orders; whiskers: 95%.`,
  });
}

function itemCounts(shown: readonly NamedJudge[]): string {
  const counts = shown.map(({ of }) => of.n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${most}` : `${least} to ${most}`;
}

function shareOf(share: number, { n }: RecordedJudge): number | null {
  return n === 0 ? null : share;
}

function gainMap(shown: readonly NamedJudge[]) {
  const cells = shown.map(({ name, of }) => {
    const [judge = '', ...strategy] = name.split('/');
    const gain = of.accuracy_after - of.accuracy_before;
    return {
      ...{ row: judge, column: strategy.join('/') || 'all', strength: of.n === 0 ? null : gain * 10 },
      text:
        of.n === 0 ? 'no items' : `${formatPoints(gain)} pt\np ${formatPValue(choosePValue(of)).slice(2)}`,
    };
  });
  return drawHeatmap(cells, {
    title: 'Gain in accuracy.',
    caption: 'In percentage points, with the p value of the exact test over items.',
  });
}

function figuresTable(all: readonly NamedJudge[]): Html {
  return renderTable(
    [
      ...['judge / strategy', 'items', 'sent back', 'unread', 'accuracy before', 'after'],
      ...[
        'orders agree, before',
        'after',
        'wrong → right',
        'right → wrong',
        'gain in points',
        'p, over items',
      ],
      'McNemar',
    ],
    all.map(({ name, of }) => {
      const share = (value: number) => renderShareCell(shareOf(value, of), interval(value, of.n), 'no items');
      const none = html`<span class="faint">none sent back</span>`;
      return [
        ...[name, of.n, of.remanded, of.unreadable, share(of.accuracy_before), share(of.accuracy_after)],
        ...[share(of.agreement_before), share(of.agreement_after), of.wrong_to_right, of.right_to_wrong],
        ...(of.remanded === 0
          ? [none, none, none]
          : [renderDifferenceCell(of.by_item), renderPCell(of.by_item), formatPValue(of.mcnemar_p)]),
      ];
    }),
  );
}
