/** The page of an audit of author metadata: what `remand audit authors` writes is read as it is. */
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { concludeAuthors, describeAuthorFindings } from '../../src/audit/authors/author-report.ts';
import { createAuthorTally } from '../../src/audit/authors/author-tally.ts';
import { AUTHOR_DATA, createProfiles } from '../../src/audit/authors/profiles.ts';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';

/** Every paper is a 6, and a little more from a strong institution. */
function audit(judge: string, withSoft: boolean) {
  const tally = createAuthorTally(6);
  for (let paper = 0; paper < 12; paper++)
    for (const { id, dimension, side, stratum, institution } of createProfiles(
      'affiliation',
      AUTHOR_DATA,
      2,
    )) {
      const value = 6 + paper / 100 - side / 10;
      tally.add({
        ...{
          paper: `p${paper}`,
          judge,
          dimension,
          profile: id,
          side,
          stratum,
          institution,
          text: '',
          error: null,
        },
        own_authors: false,
        ...{ accepted: paper % 2 === 0, field: null, hard: 6, unread: null },
        soft: withSoft ? { from: 'logprobs', value, low: value, high: value, missing: 0 } : null,
        no_soft: withSoft ? null : 'the endpoint gave no log-probabilities',
      });
    }
  const findings = concludeAuthors(tally.finish(), AUTHOR_DATA, { margin: 0.1 });
  const result = {
    audit: 'authors',
    threshold: 6,
    margin: 0.1,
    findings,
    verdicts: describeAuthorFindings(findings, 0.1),
  };
  return recogniseResult(JSON.parse(JSON.stringify(result)));
}

async function page(judge: string, withSoft: boolean) {
  const result = audit(judge, withSoft);
  if (result?.kind !== 'authors') throw new Error('not recognised');
  const text = await renderReport('An audit', [{ source: 'result.json', result, cases: new Map() }]);
  return parseHTML(text).document;
}

test('the verdict in words, the bars, the matrix of institutions and the table', async () => {
  const document = await page('m', true);
  expect(document.body.textContent).toMatch(/m leans to "strong" .* its written ratings hide it/);
  expect(document.querySelectorAll('figure').length).toBeGreaterThanOrEqual(2);
  const rows = [...document.querySelectorAll('table tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );
  const all = rows.find(([, , measure, group]) => measure === 'soft' && group === 'all') ?? [];
  expect(all.slice(4, 11)).toEqual(['48', '100.0%', '0.0%', '0.0%', '0.10', '40', '0']);
  expect(rows.some(([, , , group]) => group === 'accepted: no')).toBe(true);
});

test('without log-probabilities soft is said to be unavailable, not drawn as nothing', async () => {
  const document = await page('m', false);
  expect(document.body.textContent).toMatch(/cannot be told: the endpoint gave no log-probabilities/);
  expect(document.body.textContent).toContain('no data');
});

test('a name cannot act in the page', async () => {
  const document = await page('<script>alert(1)</script>', true);
  expect([...document.querySelectorAll('script')].some((one) => one.textContent?.includes('alert(1)'))).toBe(
    false,
  );
});
