/**
 * The report: one page that opens from disk, needs no script and no network, and prints. What it shows was written
 * by models and by whoever they judged: everything goes through escaping, and the page's own policy forbids
 * scripts, requests and foreign styles, should anything ever get past it.
 */
import { html, raw } from 'hono/html';
import { CASE_LIMITS, type CaseGroup, renderCases } from './cases.ts';
import type { ReportSection } from './report-words.ts';
import type { ReportResult } from './results.ts';
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
h3 { font-size: 1.08rem; margin: 2rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { max-width: 62rem; }
.faint, .range { color: var(--faint); }
.range { display: block; white-space: nowrap; font-size: .92em; }
p.faint { font-size: .88rem; margin: .5rem 0; }
.verdict { background: var(--raised); border-left: 4px solid var(--bar); padding: .4rem 1.2rem; }
.verdict .judged { display: block; margin-bottom: .6rem; }
strong.gain { color: var(--bar); } strong.loss { color: var(--loss-ink); }
figure { margin: 1.6rem 0; break-inside: avoid; }
figcaption { font-size: .92rem; margin-bottom: .4rem; }
figure .scroll { margin: 0; } figure svg { max-width: none; height: auto; }
@media print { figure svg { max-width: 100%; } }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 0 2rem; align-items: start; }
.pair figure { margin: .8rem 0; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .55rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; overflow-wrap: anywhere; min-width: 4rem; }
.about { min-width: 16rem; } .about .range { white-space: normal; }
td.number, th.number { text-align: right; padding-right: 1.1rem; }
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
  table { font-size: 6.8pt; } th, td { padding-right: .4rem; overflow-wrap: anywhere; }
  th, .about { min-width: 0; } .range { font-size: 1em; white-space: normal; }
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

/** @returns the whole document; the same bytes for the same input */
export async function renderReport(title: string, reported: readonly ReportInput[]): Promise<string> {
  const sections = reported.map((one) => ({ ...sectionOf(one), source: one.source }));
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
<div class="verdict">${sections.map(
    ({ verdict, source }) =>
      html`<p>${verdict.map((sentence) => html`${sentence} `)}${
        sections.length > 1 ? html`<span class="faint">(${source})</span>` : ''
      }</p>\n`,
  )}</div>
${sections.map(
  ({ title: heading, source, body }) => html`<section><h2>${heading}</h2><p class="faint">From ${source}</p>
${body}</section>\n`,
)}
</main>
</body>
</html>
`;
  return String(await page);
}

function sectionOf({ result, cases }: ReportInput): ReportSection {
  const shown = (group: string, heading?: string) =>
    renderCases(cases.get(group) ?? [], CASE_LIMITS, heading);
  switch (result.kind) {
    case 'recorded':
      return renderRecordedSection(result.value, shown);
    case 'arms':
      return renderArmsSection(result.value.arms, result.value.calls, shown);
    case 'detectors':
      return renderDetectorsSection(result.value, shown);
    case 'calibration':
      return renderCalibrationSection(result.value);
    case 'authors':
      return renderAuthorsSection(result.value, shown);
    case 'authorship':
      return renderAuthorshipSection(result.value);
    case 'cues':
      return renderCuesSection(result.value, shown);
    case 'perturb':
      return renderPerturbSection(result.value, shown);
    case 'rates':
      return renderRatesSection(result.value);
    case 'estimates':
      return renderEstimatesSection(result.value);
    case 'numbers':
      return renderNumbersSection(result.value);
    case 'bias-effects':
      return renderBiasEffectsSection(result.value);
    case 'card':
      return renderCardSection(result.value);
    case 'drift':
      return renderDriftSection(result.value);
    case 'look':
      return renderLookSection(result.value);
    case 'distilled':
      return renderDistilSection(result.value);
  }
}
