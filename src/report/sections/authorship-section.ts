/** Whether a review was written by a model: what is found at which price, and how far promises hold. */
import { html } from 'hono/html';
import { renderDrawing } from '../chart.ts';
import {
  formatCount,
  formatPercent,
  formatPValue,
  type Html,
  renderNone,
  renderShareCell,
  renderTable,
} from '../report-words.ts';
import type { AuthorshipResult } from '../results.ts';
import type { ReportSection } from '../section.ts';
import { drawRatingDifferences, drawRocs, drawSimilarities, toLetter } from './authorship-charts.ts';

/** Lines that one drawing can bear. */
const MOST_LINES = 12;
/** Sentences at the top of the page; the rest stands below. */
const MOST_SENTENCES = 4;

export function renderAuthorshipSection(result: AuthorshipResult): ReportSection {
  const { methods, inflation, verdicts } = result;
  const drawn = methods.filter(({ curve }) => curve.length > 0).slice(0, MOST_LINES);
  const targets = [...new Set(methods.flatMap((one) => one.targets.map(({ target }) => target)))];
  return {
    title: "Whether reviews read like a model's",
    verdict: verdicts.slice(0, MOST_SENTENCES).map((sentence) => html`${sentence}`),
    body: [
      ...(drawn.length > 0
        ? [
            html`<div class="pair">${drawRocs(drawn, targets).map(renderDrawing)}</div>`,
            html`<p class="faint">${drawn.map(
              ({ method, auc, bounded }, at) =>
                html`<strong>${toLetter(at)}</strong> ${method}${auc.value === null ? '' : html` (AUC ${auc.value.toFixed(3)})`}${bounded ? ', worst case' : ''}. `,
            )}</p>`,
          ]
        : []),
      found(methods),
      ...verdicts.slice(MOST_SENTENCES).map((sentence) => html`<p>${sentence}</p>`),
      html`<div class="pair">${drawn.flatMap((one) => {
        const drawing = drawSimilarities(one);
        return drawing ? [renderDrawing(drawing)] : [];
      })}</div>`,
      ...voteTable(result),
      ...transferTable(result),
      ...kindsTable(result),
      ...(inflation.length > 0
        ? [
            html`<h3>Ratings of the same papers</h3>`,
            html`<div class="pair">${inflation.map((one) => renderDrawing(drawRatingDifferences(one)))}</div>`,
            html`<p class="faint">${inflation.map(({ model, p_holm }) => `${model}: ${formatPValue(p_holm)}. `)} Wilcoxon's signed-rank test over papers, after Holm's
correction.</p>`,
          ]
        : []),
      html`<p class="faint">${notes(result)}</p>`,
    ],
  };
}

function found(methods: AuthorshipResult['methods']): Html {
  return renderTable(
    [
      'method',
      'AUC',
      'promised',
      "models' reviews found",
      "people's reviews flagged",
      'of them to be expected',
    ],
    methods.flatMap(({ method, auc, bounded, targets }) =>
      targets.map(({ target, refused, tpr, fpr, expected }) => [
        method,
        auc.value === null
          ? renderNone('none')
          : `${auc.value.toFixed(3)}${auc.deviation === null ? '' : ` ± ${auc.deviation.toFixed(3)}`}${bounded ? ', at worst' : ''}`,
        share(target),
        refused === null ? renderShareCell(tpr.share, tpr.interval, 'none tested') : renderNone(refused),
        refused === null ? renderShareCell(fpr.share, fpr.interval, 'none tested') : '',
        expected ? `${fpr.count} of ${fpr.n}; ${expected.low} to ${expected.high}` : '',
      ]),
    ),
  );
}

function voteTable({ vote, corrected }: AuthorshipResult): Html[] {
  if (!vote) return [];
  const rows = [
    ...vote.plain.map((at) => ['any anchor above its own line', at] as const),
    ...vote.corrected.map((at) => [`lines corrected for the vote${corrected ? ' (used)' : ''}`, at] as const),
  ];
  return [
    html`<h3>The vote of ${vote.methods.length} anchors</h3>`,
    renderTable(
      ['lines', 'promised', "models' reviews found", "people's reviews flagged"],
      rows.map(([name, { target, refused, tpr, fpr }]) => [
        name,
        share(target),
        refused === null ? renderShareCell(tpr.share, tpr.interval, 'none tested') : renderNone(refused),
        refused === null ? renderShareCell(fpr.share, fpr.interval, 'none tested') : '',
      ]),
    ),
  ];
}

function transferTable({ transfers }: AuthorshipResult): Html[] {
  if (transfers.length === 0) return [];
  return [
    html`<h3>Lines drawn on one venue, held against another</h3>`,
    renderTable(
      ['method', 'drawn on', 'held against', 'promised', 'found', 'people flagged', 'the promise'],
      transfers.map(({ method, calibrated_on, tested_on, target, refused, tpr, fpr, broken }) => [
        ...[method, calibrated_on, tested_on, share(target)],
        refused === null ? renderShareCell(tpr.share, tpr.interval, 'none tested') : renderNone(refused),
        refused === null ? renderShareCell(fpr.share, fpr.interval, 'none tested') : '',
        broken === null ? '' : broken ? html`<strong class="loss">does not hold</strong>` : 'holds',
      ]),
    ),
  ];
}

function kindsTable({ kinds }: AuthorshipResult): Html[] {
  const rows = kinds.flatMap(({ method, target, edits, edit_order: order, bullets, archetypes }) => {
    const row = (
      what: string,
      one: { name: string; share: number | null; interval: { low: number; high: number } | null; n: number },
    ) => [
      ...[method, what, target === null ? '' : share(target)],
      ...[one.n, renderShareCell(one.share, one.interval, 'no line')],
    ];
    return [
      ...edits.map((one) => row(`a person's, edited by a model: ${one.name}`, one)),
      ...(bullets ? [row("a model's, from a person's bullet points", bullets)] : []),
      ...archetypes.map((one) => row(`a model's, asked to be: ${one.name}`, one)),
      ...(order
        ? [
            [
              method,
              'order of the edits',
              '',
              order.reviews,
              `NDCG ${order.ndcg.toFixed(3)}, chance ${order.chance.toFixed(3)}`,
            ],
          ]
        : []),
    ];
  });
  return rows.length === 0
    ? []
    : [
        html`<h3>Between people and models</h3>`,
        renderTable(['method', 'reviews', 'promised', 'n', 'flagged'], rows),
      ];
}

function notes({ embedding, split, scored, reviews, failed, passed, unscored }: AuthorshipResult): string {
  const gone = [...Object.entries(passed), ...Object.entries(unscored)].map(
    ([why, count]) => `${count}: ${why}`,
  );
  const by =
    embedding === 'wording'
      ? 'Anchors are compared by wording, which sees words and no meaning.'
      : `Anchors are compared by the embeddings of ${embedding.split('@')[0]}.`;
  return (
    `Calibrated and tested ${split}. ${by} ${formatCount(scored, 'review')} of ${reviews} scored, ${failed} failed.` +
    `${gone.length > 0 ? ` Never scored: ${gone.join('; ')}.` : ''} Intervals: 95%, exact. ± is the bootstrap's standard deviation, papers drawn whole. ` +
    'A likeness is no evidence of who wrote a review.'
  );
}

function share(target: number): string {
  return target < 0.01 ? `${Number((100 * target).toPrecision(3))}%` : formatPercent(target);
}
