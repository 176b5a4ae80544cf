/** Recorded judges: what sending their verdicts back did, for each judge and strategy. */
import { html } from 'hono/html';
import { toInterval } from '../../stats/figure.ts';
import { type Interval, wilson } from '../../stats/index.ts';
import { type Bar, drawChanges, renderDrawing, renderHeatmap, renderShareBars } from '../charts.ts';
import {
  choosePValue,
  type EffectWords,
  formatPercent,
  formatPoints,
  formatPValue,
  type Html,
  isSandbox,
  nameJudge,
  nameSome,
  pairedColumns,
  type RenderCases,
  type ReportSection,
  renderColumns,
  renderDifferenceCell,
  renderEffects,
  renderEffectsTable,
  renderPCell,
  renderShareCell,
  renderTable,
  toEffect,
} from '../report-words.ts';
import type { RecordedJudge } from '../results.ts';

export function renderRecordedSection(
  results: Readonly<Record<string, RecordedJudge>>,
  cases: RenderCases,
): ReportSection {
  const all = Object.entries(results).map(([name, of]) => ({ name: nameJudge(name), of }));
  const sent = all.filter(({ of }) => of.remanded > 0);
  const silent = all.filter(({ of }) => of.remanded === 0 && !of.baseline).map(({ name }) => name);
  const effects = sent.map(({ name, of: { wrong_to_right: gained, right_to_wrong: lost, by_item } }) =>
    toEffect(name, { gained, lost, by_item }),
  );
  const beside = besides(sent).map(({ name, other, pair }) => toEffect(`${name} beside ${other}`, pair));
  const shown = sent.length > 0 ? sent : all;
  return {
    title: 'Recorded judges, before and after',
    findings: [
      ...renderEffects(effects, WORDS),
      ...renderEffects(beside, BESIDE),
      effects.length === 0 && html`No verdict of any judge was sent back: there is no effect to tell of.`,
    ],
    isSimulated: all.some(({ name }) => isSandbox(name)),
    chart: renderDrawing(
      drawChanges(
        shown.map(({ name, of }) => ({ name, gained: of.wrong_to_right, lost: of.right_to_wrong })),
        {
          title: 'What sending back turned.',
          caption: 'Judgments, both orders of each item counted. A gain that hides losses is no gain.',
        },
      ),
    ),
    parts: [
      {
        heading: 'Each judge, before and after',
        body: [
          accuracyBars(shown),
          shown.length > 1 ? gainMap(shown) : '',
          figuresTable(sent.length > 0 ? all.filter(({ of }) => !of.baseline) : all),
          silent.length > 0
            ? html`<p>Nothing was found against ${nameSome(silent)}, so no verdict was sent back.</p>`
            : '',
        ],
      },
      { heading: 'Whether sending back helped', body: renderEffectsTable(effects, WORDS, TEST) },
      {
        heading: 'Beside the same judge, asked once',
        body: renderBaselines(
          sent,
          all.filter(({ of }) => of.baseline && sent.length > 0),
        ),
      },
      { heading: 'Every comparison with a judge asked once', body: renderEffectsTable(beside, BESIDE, TEST) },
      {
        heading: 'The cases behind the bars',
        body: Object.keys(results)
          .filter((name) => sent.length === 0 || (results[name]?.remanded ?? 0) > 0)
          .map((name) => cases(name, `The cases of ${nameJudge(name)}`)),
      },
      {
        heading: 'How to read the figures',
        body: [
          html`<p>Intervals of shares: Wilson, 95%. They are as wide as n items make them, not 2n judgments, so they are never too narrow. The
gain has a bootstrap interval over items, 95%, with both orders of an item drawn together.</p>
<p>p is the exact sign-flip test over items. McNemar's test takes the two orders of an item for independent judgments, which they are not.
It is given because others give it; trust p.</p>
<p>"${DIFFER}" counts replies that say something else than the winner recorded beside them. The winner
counts unless <code>--verdict-from reply</code> is given: that gives the figures read from the replies. Where no verdict can be found in
a reply ("unread"), its winner counts there, too.</p>`,
        ],
      },
    ],
  };
}

const TEST = 'exact sign-flip test over items, two-sided';
const WORDS: EffectWords = {
  helped: html`Sending back <strong class="gain">helped</strong>`,
  harmed: html`Sending back <strong class="loss">harmed</strong>`,
  open: '',
  noun: 'judge / strategy',
  heads: ['wrong → right', 'right → wrong'],
};
const BESIDE: EffectWords = {
  helped: html`Beside the same judge asked once, sending back is <strong class="gain">better</strong> for`,
  harmed: html`Beside the same judge asked once, sending back is <strong class="loss">worse</strong> for`,
  open: 'Beside the same judge asked once,',
  noun: 'sent back, beside asked once',
  heads: ['right only here', 'right only there'],
};

function interval(share: number, n: number): Interval | null {
  return toInterval(wilson(Math.round(share * n), n));
}

function accuracyBars(shown: readonly NamedJudge[]) {
  const bars = shown.flatMap(({ name, of }): Bar[] => [
    {
      group: name,
      name: 'before',
      kind: 'first',
      value: shareOf(of.accuracy_before, of),
      interval: interval(of.accuracy_before, of.n),
    },
    {
      group: name,
      name: 'after',
      kind: 'second',
      value: shareOf(of.accuracy_after, of),
      interval: interval(of.accuracy_after, of.n),
    },
  ]);
  return renderShareBars(bars, {
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
    // The names of some judges have a stroke themselves.
    const end = name.lastIndexOf('/');
    const [judge, strategy] = end < 0 ? [name, 'all'] : [name.slice(0, end), name.slice(end + 1)];
    const gain = of.accuracy_after - of.accuracy_before;
    return {
      row: judge,
      column: strategy,
      strength: of.n === 0 ? null : gain * 10,
      text:
        of.n === 0 ? 'no items' : `${formatPoints(gain)} pt\np ${formatPValue(choosePValue(of)).slice(2)}`,
    };
  });
  return renderHeatmap(cells, {
    title: 'Gain in accuracy.',
    caption: 'In percentage points, with the p value of the exact test over items.',
  });
}

function figuresTable(all: readonly NamedJudge[]) {
  return renderTable(
    [
      ...['judge / strategy', 'items', 'sent back', 'unread', DIFFER, 'accuracy before', 'after'],
      ...['orders agree, before', 'after', 'wrong → right', 'right → wrong', 'gain in points'],
      ...['p, over items', 'McNemar'],
    ],
    all.map(({ name, of }) => {
      const share = (value: number) => renderShareCell(shareOf(value, of), interval(value, of.n), 'no items');
      const none = html`<span class="faint">none sent back</span>`;
      return [
        ...[name, of.n, of.remanded, of.unreadable, tellReplies(of)],
        ...[share(of.accuracy_before), share(of.accuracy_after)],
        ...[share(of.agreement_before), share(of.agreement_after), of.wrong_to_right, of.right_to_wrong],
        ...(of.remanded === 0
          ? [none, none, none]
          : [renderDifferenceCell(of.by_item), renderPCell(of.by_item), formatPValue(of.mcnemar_p)]),
      ];
    }),
  );
}

const DIFFER = 'replies unlike their winner';

/** Of all replies, those that say something else than the winner recorded beside them. */
function tellReplies({ replies }: RecordedJudge): string {
  if (!replies) return 'not counted';
  const { n, differ, unread } = replies;
  return `${differ} of ${n}${unread > 0 ? `, ${unread} unread` : ''}`;
}

// Recorded judges that were sent back, beside the same judge asked once in another way.

/** A judge under a strategy. */
interface NamedJudge {
  readonly name: string;
  readonly of: RecordedJudge;
}

/**
 * @param once asked once and never again: for them there is nothing before and after
 * @returns nothing where there is no baseline
 */
function renderBaselines(sent: readonly NamedJudge[], once: readonly NamedJudge[]): (Html | '')[] {
  const all = besides(sent);
  if (once.length === 0 && all.length === 0) return [];
  return [
    html`<p>A gain over a judge's own first verdicts is no gain over a better way to ask it. So here are its verdicts after sending back, beside
those that it gave under a prompt that was never sent back.</p>`,
    ...renderComparisons(all),
    alone(once),
  ];
}

function renderComparisons(all: ReturnType<typeof besides>): (Html | '')[] {
  const cells = all.map(({ name, other, pair }) => ({
    row: name,
    column: other,
    strength: (pair.accuracy - pair.baseline_accuracy) * 10,
    text: `${formatPoints(pair.accuracy - pair.baseline_accuracy)} pt\np ${formatPValue(choosePValue(pair)).slice(2)}`,
  }));
  return [
    renderHeatmap(cells, {
      title: 'Accuracy after sending back, less that of the judge asked once.',
      caption: 'In percentage points, with the p value of the exact test over items.',
    }),
    renderColumns(all, {
      'judge / strategy': ({ name }) => name,
      'asked once under': ({ other }) => other,
      judgments: ({ pair }) => pair.n,
      'accuracy here': ({ pair }) => formatPercent(pair.accuracy),
      there: ({ pair }) => formatPercent(pair.baseline_accuracy),
      ...pairedColumns('items'),
    }),
  ];
}

function alone(once: readonly NamedJudge[]): Html | '' {
  const share = (value: number, of: RecordedJudge) =>
    renderShareCell(shareOf(value, of), interval(value, of.n), 'no items');
  return renderColumns(once, {
    'judge / strategy, asked once': ({ name }) => name,
    items: ({ of }) => of.n,
    unreadable: ({ of }) => of.unreadable,
    [DIFFER]: ({ of }) => tellReplies(of),
    accuracy: ({ of }) => share(of.accuracy_before, of),
    'orders agree': ({ of }) => share(of.agreement_before, of),
  });
}

/** One for each strategy that was sent back and each that was not. */
function besides(sent: readonly NamedJudge[]) {
  return sent.flatMap(({ name, of }) =>
    Object.entries(of.against).map(([other, pair]) => ({ name, other, pair })),
  );
}
