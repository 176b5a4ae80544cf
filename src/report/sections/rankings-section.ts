/** Contestants in order, by the verdicts of each judge and of all together. */
import { html } from 'hono/html';
import { type Interval, RATING_POINTS } from '../../stats/index.ts';
import { renderForest } from '../charts.ts';
import {
  formatCount,
  formatPercent,
  isSandbox,
  nameJudge,
  type ReportPart,
  type ReportSection,
  renderColumns,
  type Sentence,
} from '../report-words.ts';
import type { RankingsResult } from '../results.ts';

type RankedBy = RankingsResult['rankings'][number];
type Found = Extract<RankedBy['found'], { readonly strengths: unknown }>;

/** Contestants that are drawn; all have a row in the table. */
const DRAWN = 30;

export function renderRankingsSection({ rankings }: RankingsResult): ReportSection {
  // That of all judges together stands last.
  const [main] = rankings.slice(-1);
  const strengths = main && 'strengths' in main.found ? main.found.strengths : [];
  return {
    title: 'Who is ahead',
    findings: main ? listFindings(main) : [],
    isSimulated: rankings.some(({ judge }) => judge !== null && isSandbox(judge)),
    chart: renderForest(
      strengths.slice(0, DRAWN).map(({ name, value, interval: { low, high } }) => ({
        name,
        value: RATING_POINTS * value,
        interval: { low: RATING_POINTS * low, high: RATING_POINTS * high },
      })),
      {
        title: 'Strengths.',
        caption: 'In points; the mean of all contestants is 0. Whiskers: intervals.',
      },
    ),
    parts: [
      ...rankings.toReversed().map(renderRanking),
      {
        heading: 'How to read the figures',
        body: [
          html`<p class="faint">Strengths are those of Bradley and Terry, with ties. 400 points are odds of ten to one: 100 points win 64% of the decided
verdicts against 0. Intervals: 95% unless another was asked for. They tell where each contestant stands among all, and two that overlap can still differ.</p>`,
        ],
      },
    ],
  };
}

function listFindings({ found }: RankedBy): Sentence[] {
  if (!('strengths' in found)) return [html`There is no ranking: ${found.reason}.`];
  const { strengths } = found;
  const [first, second] = strengths;
  return [
    first &&
      second &&
      html`<strong>${first.name}</strong> has the most points, ${tell(first)}, before ${second.name} with ${tell(second)}, by ${countVerdicts(found)}.${first.interval.low > second.interval.high ? '' : html` <strong>Their intervals overlap</strong>: which of the two is better is not settled.`}`,
    ...describePlace(found).map((one) => html`${one}`),
  ];
}

function countVerdicts({ verdicts, items, groups = items }: Found): string {
  const sources = groups < items ? ` in ${formatCount(groups, 'group')}` : '';
  return `${formatCount(verdicts, 'verdict')} on ${formatCount(items, 'item')}${sources}`;
}

function describePlace({ place, placeCancels, ties }: Found): string[] {
  return [
    placeCancels &&
      'Place decides so often that no size can be given to it. Each two were judged in both orders, so it cancels out here.',
    place && `Being shown first is worth ${tell(place)} points.`,
    ties > 0 && `Two of equal strength tie in ${formatPercent(ties)} of the verdicts.`,
  ].flatMap((one) => one || []);
}

function renderRanking({ judge, found, cycles, unread }: RankedBy): ReportPart {
  const heading = judge === null ? 'All judges together' : nameJudge(judge);
  if (!('strengths' in found)) return { heading, body: [html`<p>No ranking: ${found.reason}.</p>`] };
  const notes = [
    `${countVerdicts(found)}.`,
    ...describePlace(found),
    cycles?.example &&
      `${formatCount(cycles.count, 'cycle')} of three, such as ${[...cycles.example, cycles.example[0]].join(' over ')}.`,
    unread > 0 && `${formatCount(unread, 'verdict')} without a winner or contestants left out.`,
    found.next.length > 0 &&
      `The next verdicts tell most on ${found.next.map(({ first, second }) => `${first} and ${second}`).join('; ')}.`,
  ].filter(Boolean);
  return {
    heading,
    body: [
      renderColumns(found.strengths, {
        place: (_, n) => n + 1,
        contestant: ({ name }) => name,
        points: ({ value }) => round(value),
        interval: ({ interval }) => tellRange(interval),
      }),
      html`<p class="faint">${notes.join(' ')}</p>`,
    ],
  };
}

// + 0: no minus in front of a nought.
const round = (value: number) => Math.round(RATING_POINTS * value) + 0;
const write = (value: number) => String(round(value)).replace('-', '−');
const tellRange = ({ low, high }: Interval) => `${write(low)} to ${write(high)}`;
const tell = ({ value, interval }: { readonly value: number; readonly interval: Interval }) =>
  `${write(value)} (${tellRange(interval)})`;
