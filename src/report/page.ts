/**
 * The report: one page that opens from disk, needs no script and no network, and prints. What it shows was written
 * by models and by whoever they judged: everything goes through escaping, and the page's own policy forbids
 * scripts, requests and foreign styles, should anything ever get past it.
 */
import { html, raw } from 'hono/html';
import type { CaseGroup } from './cases.ts';
import { CASE_LIMITS, casesOf } from './cases.ts';
import type { Result } from './results.ts';
import type { Section } from './section.ts';
import { armsSection } from './sections/arms.ts';
import { authorsSection } from './sections/authors.ts';
import { authorshipSection } from './sections/authorship.ts';
import { calibrationSection } from './sections/calibration.ts';
import { cuesSection } from './sections/cues.ts';
import { detectorsSection } from './sections/detectors.ts';
import { distilledSection } from './sections/distilled.ts';
import { perturbSection } from './sections/perturb.ts';
import { ratesSection } from './sections/rates.ts';
import { recordedSection } from './sections/recorded.ts';
import { STYLE } from './style.ts';

/** CSP Level 3. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface Reported {
  /** Where it came from, as the reader knows it. */
  readonly source: string;
  readonly result: Result;
  /** The cases behind a group of bars, by the group's name. */
  readonly cases: ReadonlyMap<string, readonly CaseGroup[]>;
}

/** @returns the whole document; the same bytes for the same input */
export async function reportPage(title: string, reported: readonly Reported[]): Promise<string> {
  const sections = reported.map((one) => ({ ...sectionOf(one), source: one.source }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
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

function sectionOf({ result, cases }: Reported): Section {
  const shown = (group: string, heading?: string) => casesOf(cases.get(group) ?? [], CASE_LIMITS, heading);
  switch (result.kind) {
    case 'recorded':
      return recordedSection(result.value, shown);
    case 'arms':
      return armsSection(result.value.arms, result.value.calls, shown);
    case 'detectors':
      return detectorsSection(result.value, shown);
    case 'calibration':
      return calibrationSection(result.value);
    case 'authors':
      return authorsSection(result.value, shown);
    case 'authorship':
      return authorshipSection(result.value);
    case 'cues':
      return cuesSection(result.value, shown);
    case 'perturb':
      return perturbSection(result.value, shown);
    case 'rates':
      return ratesSection(result.value);
    case 'distilled':
      return distilledSection(result.value);
  }
}
