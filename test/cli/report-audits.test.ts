/** `remand report` on the folders that audits write: behind each bar the cases, as the judge saw and decided them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, expect, test } from 'vitest';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-report-audits-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const SLOW = { timeout: 300_000 };
const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>';

async function page(name: string) {
  const { code, err } = await remand(['report', '--in', at(name), '--out', at(`${name}.html`)]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { document } = parseHTML(readFileSync(at(`${name}.html`), 'utf8'));
  expect([...document.querySelectorAll('script, img, [onerror]')]).toEqual([]);
  return [...document.querySelectorAll('details.cases')].map((one) => ({
    summary: (one.querySelector('summary')?.textContent ?? '').trim(),
    cases: [...one.querySelectorAll('article')].map((article) =>
      (article.textContent ?? '').replace(/\s+/g, ' '),
    ),
    rest: one.lastElementChild?.textContent ?? '',
  }));
}
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test(
  'cues: verdicts that flipped, with the texts, the cues both ways and both reasons; no more than are read',
  SLOW,
  async () => {
    const pairs = Array.from({ length: 12 }, (_, n) => ({
      ...{ kind: 'pair', id: `p${n}`, instruction: `Why ${n}? ${HOSTILE}`, answer: null, first: 'positive' },
      ...{ positive: `Because of ${n}.`, negative: `By reason ${n}. ${HOSTILE}` },
    }));
    writeFileSync(at('pairs.jsonl'), lines(pairs));
    const audited = await remand([
      ...['audit', 'cues', '--from', at('pairs.jsonl'), '--out', at('cues'), '--cues', 'new/old,expert/llm'],
      ...['--judge', 'sandbox:recency=5,provenance=0,acknowledges=1'],
    ]);
    expect(audited.code).toBe(0);
    const [flips, ...more] = await page('cues');
    expect(more).toEqual([]);
    expect(flips?.summary).toBe('new/old: follows "new" (12 cases)');
    expect(flips?.cases).toHaveLength(3);
    expect(flips?.rest).toContain('9 further cases');
    const [first] = flips?.cases ?? [];
    expect(first).toContain(`Why 0? ${HOSTILE}`);
    expect(first).toContain(
      'Response A, with “Response A is new: it was written in 2025.”, then with “Response A is old: it was written in 1950.”',
    );
    expect(first).toContain(`By reason 0. ${HOSTILE}`);
    expect(first).toMatch(
      /First it selected A\. Its reason: ?It is the newer of them, and that counts for it\. ?With the two exchanged it selected B\. Its reason: ?It is the newer/,
    );
  },
);

test('authors: flips first, then what is rated higher; both reviews with both ratings', SLOW, async () => {
  const papers = Array.from({ length: 10 }, (_, n) => ({
    ...{
      id: `p${n}`,
      title: `Paper ${n}`,
      text: `${HOSTILE} ${'We study things. '.repeat(20)}`,
      accepted: true,
    },
  }));
  writeFileSync(at('papers.jsonl'), lines(papers));
  const audited = await remand([
    ...['audit', 'authors', '--papers', at('papers.jsonl'), '--out', at('authors'), '--per-side', '1'],
    ...['--dimensions', 'seniority,gender', '--judge', 'sandbox:author=0.1'],
  ]);
  expect(audited.code).toBe(0);
  const all = await page('authors');
  const cases = all.filter(({ cases: shown }) => shown.length > 0);
  expect(cases.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^hard rating: only "senior PI" reaches 6 \(\d+ cases\)$/),
    expect.stringMatching(/^soft rating: only "senior PI" reaches 6 \(\d+ cases\)$/),
    expect.stringMatching(/^soft rating: "senior PI" is rated higher \(\d+ cases\)$/),
  ]);
  for (const { cases: shown } of cases) expect(shown.length).toBeLessThanOrEqual(3);
  expect(cases[0]?.cases[0]).toMatch(
    /senior PI \/ .*: hard 6, soft \d\.\d\d.*Rating: 6.*undergraduate \/ .*: hard 5, soft \d\.\d\d.*Rating: 5/,
  );
});

test('a folder without the records still makes a page', SLOW, async () => {
  rmSync(join(at('cues'), 'pairs.jsonl'));
  rmSync(join(at('authors'), 'reviews.jsonl'));
  expect(await page('cues')).toEqual([]);
  expect((await page('authors')).flatMap(({ cases }) => cases)).toEqual([]);
});
