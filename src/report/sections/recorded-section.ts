/** Recorded judges: what sending their verdicts back did, for each judge and strategy. */
import { html } from 'hono/html';
import { holm, type Interval, wilson } from '../../stats/index.ts';
import { type Bar, drawChanges, drawHeatmap, drawShareBars, renderDrawing } from '../charts.ts';
import {
  choosePValue,
  type Effect,
  type EffectWords,
  findLeastP,
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  type Html,
  joinList,
  LEVEL,
  nameJudge,
  type RenderCases,
  type ReportSection,
  renderDifferenceCell,
  renderEffects,
  renderPCell,
  renderShareCell,
  renderTable,
  renderTestsNote,
  toInterval,
} from '../report-words.ts';
import type { RecordedJudge } from '../results.ts';

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

// Recorded judges that were sent back, beside the same judge asked once in another way.

/** A judge under a strategy. */
interface NamedJudge {
  readonly name: string;
  readonly of: RecordedJudge;
}

/** One for each strategy that was sent back and each that was not. */
function compareBaselines(sent: readonly NamedJudge[]): Effect[] {
  return besides(sent).map(({ name, other, pair }) => ({
    ...{ name: `${name} beside ${other}`, gained: pair.gained, lost: pair.lost },
    ...{ p: choosePValue(pair), least: findLeastP(pair.by_item) },
  }));
}

/** Only what stands when all comparisons are corrected for: they are many, and the table has them all. */
function renderBaselineSentence(effects: readonly Effect[]): Html[] {
  if (effects.length === 0) return [];
  const adjusted = holm(effects.map(({ p }) => p));
  const told = effects.filter((_, index) => (adjusted[index] ?? 1) < LEVEL);
  const named = (some: readonly Effect[]) =>
    joinList(some.map(({ name, gained, lost }) => `${name} (${gained} against ${lost})`));
  const better = told.filter(({ gained, lost }) => gained > lost);
  const worse = told.filter(({ gained, lost }) => gained < lost);
  const open = effects.length - told.length;
  return [
    html`Beside the same judge asked once in another way (${formatCount(effects.length, 'comparison')}, Holm-corrected), sending back is
${better.length > 0 ? html`<strong class="gain">better</strong> for ${named(better)}; ` : ''}${
  worse.length > 0 ? html`<strong class="loss">worse</strong> for ${named(worse)}; ` : ''
}${open > 0 ? html`n is <strong>too small to tell</strong> in ${open === effects.length ? 'all' : `the other ${open}`}` : 'all are told apart'}.`,
  ];
}

/**
 * @param once asked once and never again: for them there is nothing before and after
 * @returns nothing where there is no baseline
 */
function renderBaselines(sent: readonly NamedJudge[], once: readonly NamedJudge[]): Html[] {
  const all = besides(sent);
  if (once.length === 0 && all.length === 0) return [];
  return [
    html`<h3>Beside the same judge, asked once</h3>
<p>A gain over a judge's own first verdicts is no gain over a better way to ask it. Here its verdicts after sending back stand beside those
that it gave under a prompt that was never sent back.</p>`,
    ...(all.length > 0 ? compared(all) : []),
    ...(once.length > 0 ? [alone(once)] : []),
  ];
}

function compared(all: ReturnType<typeof besides>): Html[] {
  const cells = all.map(({ name, other, pair }) => ({
    ...{ row: name, column: other, strength: (pair.accuracy - pair.baseline_accuracy) * 10 },
    text: `${formatPoints(pair.accuracy - pair.baseline_accuracy)} pt\np ${formatPValue(choosePValue(pair)).slice(2)}`,
  }));
  return [
    renderDrawing(
      drawHeatmap(cells, {
        title: 'Accuracy after sending back, less that of the judge asked once.',
        caption: 'In percentage points, with the p value of the exact test over items.',
      }),
    ),
    renderTable(
      [
        ...['judge / strategy', 'asked once under', 'judgments', 'accuracy here', 'there'],
        ...['right only here', 'right only there', 'difference in points', 'p, over items', 'McNemar'],
      ],
      all.map(({ name, other, pair }) => [
        ...[name, other, pair.n, formatPercent(pair.accuracy), formatPercent(pair.baseline_accuracy)],
        ...[pair.gained, pair.lost, renderDifferenceCell(pair.by_item), renderPCell(pair.by_item)],
        formatPValue(pair.mcnemar_p),
      ]),
    ),
  ];
}

function alone(once: readonly NamedJudge[]): Html {
  const share = (value: number, n: number) =>
    renderShareCell(n === 0 ? null : value, toInterval(wilson(Math.round(value * n), n)), 'no items');
  return renderTable(
    ['judge / strategy, asked once', 'items', 'unreadable', 'accuracy', 'orders agree'],
    once.map(({ name, of }) => [
      ...[name, of.n, of.unreadable],
      ...[share(of.accuracy_before, of.n), share(of.agreement_before, of.n)],
    ]),
  );
}

function besides(sent: readonly NamedJudge[]) {
  return sent.flatMap(({ name, of }) =>
    Object.entries(of.against).map(([other, pair]) => ({ name, other, pair })),
  );
}
