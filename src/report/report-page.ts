/**
 * The report: one page that opens from disk, needs no script and no network, and prints. What it shows was written
 * by models and by whoever they judged: everything goes through escaping, and the page's own policy forbids
 * scripts, requests and foreign styles, should anything ever get past it.
 */
import { html, raw } from 'hono/html';
import { CASE_LIMITS, type CaseGroup, renderCases } from './cases.ts';
import { type Html, joinList, type RenderCases, type ReportSection } from './report-words.ts';
import type { ReportKind, ReportResult, ReportValues, ResultOrigin } from './results.ts';
import { renderArmsSection } from './sections/arms-section.ts';
import { renderAuthorsSection } from './sections/authors-section.ts';
import { renderAuthorshipSection } from './sections/authorship-section.ts';
import { renderBiasEffectsSection } from './sections/bias-effects-section.ts';
import { renderCalibrationSection } from './sections/calibration-section.ts';
import { renderCardSection } from './sections/card-section.ts';
import { renderCuesSection } from './sections/cues-section.ts';
import { renderDetectorsSection } from './sections/detectors-section.ts';
import { renderDistilSection } from './sections/distil-section.ts';
import { renderDriftSection } from './sections/drift-section.ts';
import { renderLookSection } from './sections/look-section.ts';
import { renderEstimatesSection, renderNumbersSection } from './sections/numbers-section.ts';
import { renderPerturbSection } from './sections/perturb-section.ts';
import { renderRankingsSection } from './sections/rankings-section.ts';
import { renderRatesSection } from './sections/rates-section.ts';
import { renderRecordedSection } from './sections/recorded-section.ts';

/**
 * The page's style. Blue for gains and orange for losses stay apart for every common kind of colour blindness
 * (Okabe and Ito, 2008), and in grey, where one is dark and the other light.
 */
const REPORT_STYLE = `
:root { --ink: #1b1f24; --faint: #5c6570; --line: #d9dde3; --ground: #fff; --raised: #f5f6f8;
  --bar: #0b5c94; --bar-full: #4f9fd3; --bar-faint: #d3e6f3; --gain: #0072b2; --loss: #e69f00; --loss-ink: #8a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --faint: #a2abb8; --line: #3a414c; --ground: #14171c; --raised: #1d222a;
    --bar: #6db3e2; --bar-full: #2f7db3; --bar-faint: #1f3a4d; --gain: #56b4e9; --loss: #e69f00; --loss-ink: #f0b94d; }
}
@media print {
  :root { --ink: #000; --faint: #444; --line: #bbb; --ground: #fff; --raised: #f5f5f5;
    --bar: #0b5c94; --bar-full: #4f9fd3; --bar-faint: #d3e6f3; --gain: #0072b2; --loss: #e69f00; --loss-ink: #8a4b00; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; }
main { overflow-wrap: break-word; max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); }
h1 + section h2 { margin-top: 0; border: 0; padding-top: 0; }
h3 { font-size: 1.08rem; margin: 2rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { max-width: 62rem; }
.faint, .range { color: var(--faint); }
.range { display: block; white-space: nowrap; font-size: .92em; }
p.faint { font-size: .88rem; margin: .5rem 0; }
.verdict { background: var(--raised); border-left: 4px solid var(--bar); padding: .4rem 1.2rem; }
.verdict p { margin: .5rem 0; }
.contents { margin: 1.4rem 0; } .contents ul, .contents ol { margin: 0; padding-left: 1.3rem; } .contents li { padding: .15rem 0; break-inside: avoid; }
.contents ul { columns: 2 16rem; } .contents ol { padding-left: 1.9rem; } .contents ol li { padding: .5rem 0; }
a { color: var(--bar); }
footer { margin-top: 3rem; } .origin td, .origin th { min-width: 6rem; } .origin td { overflow-wrap: anywhere; }
.origin code { white-space: pre-wrap; font-size: .95em; }
strong.gain { color: var(--bar); } strong.loss { color: var(--loss-ink); }
figure { margin: 1.6rem 0; break-inside: avoid; }
figcaption { font-size: .92rem; margin-bottom: .4rem; }
figure .scroll { margin: 0; } figure svg { max-width: none; height: auto; }
@media print { figure svg { max-width: 100%; } }
.phone { display: none; }
@media screen and (max-width: 54rem) { .desk { display: none; } .phone { display: block; margin: .6rem 0 0; } .phone svg { width: 100%; max-width: 34rem; } }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 0 2rem; align-items: start; }
.pair figure { margin: .8rem 0; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem 1.1rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; min-width: 4rem; }
td.number, th.number { text-align: right; }
@media screen and (max-width: 40rem) {
  .wide thead { display: none; } .wide, .wide tbody, .wide tr { display: block; }
  .wide tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .wide td, .wide td.number { display: flow-root; border: 0; padding: .1rem 0; text-align: right; }
  .wide td::before { content: attr(data-name); float: left; padding-right: 1rem; color: var(--faint); font-weight: 400; }
  .wide td:first-child { font-weight: 600; } .range { font-weight: 400; } .wide td:empty { display: none; }
  td { overflow-wrap: anywhere; } td:first-child { min-width: 6rem; }
}
details.cases { border-bottom: 1px solid var(--line); padding: .3rem 0; }
summary { cursor: pointer; }
article { margin: .8rem 0 1.6rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.label { margin: .6rem 0 .1rem; font-size: .88rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); border-radius: .4rem;
  padding: .5rem .8rem; margin: .2rem 0; max-height: 20rem; overflow: auto; font-size: .88rem; }
ol.story { list-style: none; padding: 0; margin: .6rem 0 0; font-size: .92rem; }
ol.story p { margin: .3rem 0; }
@page { margin: 14mm; }
@media print {
  body { font-size: 10pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  .scroll { overflow: visible; }
  html { font-size: 10pt; } table { font-size: 7.5pt; } th, td { padding-right: .5rem; } .number + :not(.number) { padding-left: .3rem; }
  th { min-width: 0; } th:first-child, td:first-child { overflow-wrap: anywhere; min-width: 5.5em; }
  .range { white-space: normal; }
  tr, article { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .text { max-height: none; overflow: visible; }
  .pair { grid-template-columns: 1fr 1fr; gap: 0 1rem; }
  details.cases:not([open]), .behind:not(:has(details[open])) { display: none; }
}
`;

/** CSP Level 3. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface ReportInput {
  /** Where it came from, as the reader knows it. */
  readonly source: string;
  readonly result: ReportResult;
  /** The cases behind a group of bars, by the group's name. */
  readonly cases: ReadonlyMap<string, readonly CaseGroup[]>;
}

/** Sentences at the top of a result. */
const MOST_FINDINGS = 3;

/**
 * @param origin of the page itself; null to leave it out
 * @returns the whole document; the same bytes for the same input
 */
export async function renderReport(
  title: string,
  reported: readonly ReportInput[],
  origin: ResultOrigin | null = null,
): Promise<string> {
  const sections = reported.map((input, index) => ({
    ...input,
    section: createSection(input.result, (group, heading) =>
      renderCases(input.cases.get(group) ?? [], CASE_LIMITS, heading),
    ),
    id: `result-${index + 1}`,
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(REPORT_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${
  sections.length > 1
    ? html`<nav class="contents" aria-label="Results"><ol>${sections.map(
        ({ section, id, source }) =>
          html`<li><a href="#${id}">${section.title}</a> <span class="faint">${source}</span>${section.findings[0] ? html`<br>${section.findings[0]}` : ''}</li>\n`,
      )}</ol></nav>`
    : ''
}
${sections.map(renderSection)}
${origin === null ? '' : html`<footer><h2>This page</h2>${renderOrigin(origin)}</footer>`}
</main>
</body>
</html>
`;
  return String(await page);
}

interface PlacedSection extends ReportInput {
  readonly section: ReturnType<typeof createSection>;
  /** Of the element. */
  readonly id: string;
}

/** The result, then what else there is, then all of that. */
function renderSection({ section, id, source, result: { origin } }: PlacedSection): Html {
  const { title, findings, chart, isSimulated } = section;
  const more = findings.slice(MOST_FINDINGS).map((finding) => html`<li>${finding}</li>`);
  const parts = [
    { heading: 'Further findings', body: more.length > 0 ? [html`<ul>${more}</ul>`] : [] },
    ...section.parts,
    {
      heading: 'Where this comes from',
      body: [
        origin === null
          ? html`<p>An earlier version wrote ${source}. It did not say when, nor by which command.</p>`
          : renderOrigin(origin, source),
      ],
    },
  ].filter(({ body }) => body.some((one) => one !== ''));
  return html`<section id="${id}"><h2>${title}</h2>
<p class="faint">From ${source}${origin === null ? '' : `, ${formatTime(origin.date)}, Remand ${origin.remand}`}.</p>
<div class="verdict">${findings.slice(0, MOST_FINDINGS).map((finding) => html`<p>${finding}</p>\n`)}${
    isSimulated
      ? html`<p class="note">The sandbox judge is a <strong>simulation</strong>: its figures say nothing about real judges.</p>`
      : ''
  }</div>
${chart}
<nav class="contents" aria-label="Contents: ${title}, ${source}"><ul>${parts.map(
    ({ heading }, index) => html`<li><a href="#${id}-${index + 1}">${heading}</a></li>`,
  )}</ul></nav>
${parts.map(({ heading, body }, index) => html`<h3 id="${id}-${index + 1}">${heading}</h3>\n${body}\n`)}
</section>
`;
}

/** @param source the file; left out for the page itself */
function renderOrigin(
  { date, remand, command, models, parameters, prices }: ResultOrigin,
  source?: string,
): Html {
  const priced = Object.entries(prices ?? {}).map(
    ([model, { input, output }]) => `${model}: ${input} in, ${output} out`,
  );
  const rows: (readonly [string, Html | string])[] = [
    ...(source === undefined ? [] : [['file', source] as const]),
    ['date', formatTime(date)],
    ['Remand', `version ${remand}`],
    ['command', html`<code>${command}</code>`],
    // The page itself asks nobody.
    ...(source === undefined
      ? []
      : ([
          ['models asked', models.length === 0 ? 'none' : joinList(models)],
          [
            'parameters',
            Object.keys(parameters).length === 0 ? 'none' : html`<code>${JSON.stringify(parameters)}</code>`,
          ],
          ['prices of a million tokens', priced.length === 0 ? 'none were given' : priced.join('; ')],
        ] as const)),
  ];
  return html`<table class="origin"><tbody>${rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`,
  )}</tbody></table>`;
}

/** `2026-11-25 16:22 UTC` */
function formatTime(date: string): string {
  return `${date.slice(0, 16).replace('T', ' ')} UTC`;
}

/** What each kind of result has to say. */
const SECTIONS: {
  readonly [Kind in ReportKind]: (value: ReportValues[Kind], cases: RenderCases) => ReportSection;
} = {
  recorded: renderRecordedSection,
  arms: renderArmsSection,
  detectors: renderDetectorsSection,
  calibration: renderCalibrationSection,
  authors: renderAuthorsSection,
  authorship: renderAuthorshipSection,
  cues: renderCuesSection,
  perturb: renderPerturbSection,
  rates: renderRatesSection,
  estimates: renderEstimatesSection,
  numbers: renderNumbersSection,
  rankings: renderRankingsSection,
  'bias-effects': renderBiasEffectsSection,
  card: renderCardSection,
  drift: renderDriftSection,
  look: renderLookSection,
  distilled: renderDistilSection,
};

export function createSection<K extends ReportKind>(
  { kind, value }: ReportResult<K>,
  shown: RenderCases,
): ReportSection & { readonly findings: readonly Html[] } {
  const section = SECTIONS[kind](value, shown);
  return { ...section, findings: section.findings.flatMap((one) => one || []) };
}
