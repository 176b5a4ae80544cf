/** A result as it is read from a file, and its page. */
import { parseHTML } from 'linkedom';
import { renderReport } from '../../src/report/report-page.ts';
import { recogniseResult } from '../../src/report/results.ts';

export async function readPage(value: unknown) {
  const result = recogniseResult(JSON.parse(JSON.stringify(value)));
  if (!result) throw new Error('not recognised');
  const page = await renderReport('A report', [{ source: 'result.json', result, cases: new Map() }]);
  const { document } = parseHTML(page);
  const wordsOf = (selector: string) =>
    (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return { kind: result.kind, page, document, told: wordsOf('.verdict'), words: wordsOf('main') };
}
