/** Recorded judges: what sending their verdicts back did, for each judge and strategy. */
import { html } from 'hono/html';
import { type Interval, wilson } from '../../stats/wilson.ts';
import { figure } from '../chart.ts';
import { type Bar, changes, heatmap, shareBars } from '../charts.ts';
import { type Effect, type EffectWords, effectSentences, testsNote } from '../effect.ts';
import type { RecordedJudge } from '../results.ts';
import type { CasesOf, Section } from '../section.ts';
import { type Html, judgeName, known, listed, points, pValue, shareCell, table } from '../words.ts';
import { differenceCell, leastOf, pCell, trusted } from './by-item.ts';
import { baselineEffects, baselines, besideSentence, type Named } from './recorded-baselines.ts';

export function recordedSection(results: Readonly<Record<string, RecordedJudge>>, cases: CasesOf): Section {
  const all = Object.entries(results).map(([name, of]) => ({ name: judgeName(name), of }));
  const sent = all.filter(({ of }) => of.remanded > 0);
  const silent = all.filter(({ of }) => of.remanded === 0 && !of.baseline).map(({ name }) => name);
  const effects = sent.map(
    ({ name, of }): Effect => ({
      ...{ name, gained: of.wrong_to_right, lost: of.right_to_wrong },
      ...{ p: trusted(of), least: leastOf(of.by_item) },
    }),
  );
  const beside = baselineEffects(sent);
  const shown = sent.length > 0 ? sent : all;
  return {
    title: 'Recorded judges, before and after',
    verdict: [
      ...effectSentences(effects, WORDS),
      ...besideSentence(beside),
      ...(effects.length === 0
        ? [html`No verdict of any judge was sent back: there is no effect to tell of.`]
        : []),
    ],
    body: [
      figure(accuracyBars(shown)),
      figure(
        changes(
          shown.map(({ name, of }) => ({ name, gained: of.wrong_to_right, lost: of.right_to_wrong })),
          {
            title: 'What sending back turned.',
            caption: 'Judgments, both orders of each item counted. A gain that hides losses is no gain.',
          },
        ),
      ),
      ...(shown.length > 1 ? [figure(gainMap(shown))] : []),
      ...(silent.length > 0
        ? [html`<p>No verdict of ${listed(silent)} was sent back: nothing was found against any.</p>`]
        : []),
      figuresTable(sent.length > 0 ? all.filter(({ of }) => !of.baseline) : all),
      html`<p class="faint">Intervals of shares: Wilson, 95%, as wide as n items make them, not 2n judgments: never too narrow. The gain has a
bootstrap interval over items, 95%, both orders of an item drawn together; p is the exact sign-flip test over items. McNemar's test takes the
two orders of an item for independent judgments, which they are not: it is given because others give it, and p is the one to trust.</p>`,
      ...baselines(
        sent,
        all.filter(({ of }) => of.baseline && sent.length > 0),
      ),
      ...(effects.length > 0
        ? [testsNote([...effects, ...beside], 'exact sign-flip test over items, two-sided')]
        : []),
      ...Object.keys(results)
        .filter((name) => sent.length === 0 || (results[name]?.remanded ?? 0) > 0)
        .map((name) => html`${cases(name, `The cases of ${judgeName(name)}`)}`),
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
  return known(wilson(Math.round(share * n), n));
}

function accuracyBars(shown: readonly Named[]) {
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
  return shareBars(bars, {
    title: 'Accuracy before and after.',
    caption: `Share of right verdicts, n = ${itemCounts(shown)} items in both orders; whiskers: 95%.`,
  });
}

function itemCounts(shown: readonly Named[]): string {
  const counts = shown.map(({ of }) => of.n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${most}` : `${least} to ${most}`;
}

function shareOf(share: number, { n }: RecordedJudge): number | null {
  return n === 0 ? null : share;
}

function gainMap(shown: readonly Named[]) {
  const cells = shown.map(({ name, of }) => {
    const [judge = '', ...strategy] = name.split('/');
    const gain = of.accuracy_after - of.accuracy_before;
    return {
      ...{ row: judge, column: strategy.join('/') || 'all', strength: of.n === 0 ? null : gain * 10 },
      text: of.n === 0 ? 'no items' : `${points(gain)} pt\np ${pValue(trusted(of)).slice(2)}`,
    };
  });
  return heatmap(cells, {
    title: 'Gain in accuracy.',
    caption: 'In percentage points, with the p value of the exact test over items.',
  });
}

function figuresTable(all: readonly Named[]): Html {
  return table(
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
      const share = (value: number) => shareCell(shareOf(value, of), interval(value, of.n), 'no items');
      const none = html`<span class="faint">none sent back</span>`;
      return [
        ...[name, of.n, of.remanded, of.unreadable, share(of.accuracy_before), share(of.accuracy_after)],
        ...[share(of.agreement_before), share(of.agreement_after), of.wrong_to_right, of.right_to_wrong],
        ...(of.remanded === 0
          ? [none, none, none]
          : [differenceCell(of.by_item), pCell(of.by_item), pValue(of.mcnemar_p)]),
      ];
    }),
  );
}
