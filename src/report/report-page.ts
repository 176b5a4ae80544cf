/**
 * The report: one page that opens from disk, needs no script and no network, and prints. What it shows was written
 * by models and by whoever they judged: everything goes through escaping, and the page's own policy forbids
 * scripts, requests and foreign styles, should anything ever get past it.
 */
import { html, raw } from 'hono/html';
import type { CaseGroup } from './cases.ts';
import { CASE_LIMITS, renderCases } from './cases.ts';
import { REPORT_STYLE } from './report-style.ts';
import type { ReportResult } from './results.ts';
import type { ReportSection } from './section.ts';
import { renderArmsSection } from './sections/arms-section.ts';
import { renderAuthorsSection } from './sections/authors-section.ts';
import { renderAuthorshipSection } from './sections/authorship-section.ts';
import { renderCalibrationSection } from './sections/calibration-section.ts';
import { renderCuesSection } from './sections/cues-section.ts';
import { renderDetectorsSection } from './sections/detectors-section.ts';
import { renderDistilSection } from './sections/distil-section.ts';
import { renderPerturbSection } from './sections/perturb-section.ts';
import { renderRatesSection } from './sections/rates-section.ts';
import { renderRecordedSection } from './sections/recorded-section.ts';

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
    case 'distilled':
      return renderDistilSection(result.value);
  }
}
