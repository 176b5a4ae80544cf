/** The audit of cues as a page: what its own command writes is known, said in words, drawn, and can do nothing. */
import { expect, it } from 'vitest';
import type { CueRecord } from '../../src/audit/cues/ask-cues.ts';
import { describeCueVerdict, listDisagreements, measureCues } from '../../src/audit/cues/measure-cues.ts';
import { readPage } from './read-page.ts';

const HOSTILE = '<script>alert(1)</script> It is newer.';

function audited(records: readonly CueRecord[]) {
  const results = measureCues(records, 1).map((one) => ({
    ...one,
    verdict: describeCueVerdict(one, (cue) => `marked ${cue}`),
  }));
  const tail = { disagreements: listDisagreements(records), calls: 0, tokens: { input: 0, output: 0 } };
  return {
    ...{ audit: 'cues', cues: [], place: 'before', seed: 1, failed: 0, skipped: {} },
    ...{ results, ...tail },
  };
}

const said = (first: boolean, reason: string, checked: boolean | null) => ({
  ...{ text: '', selected: first ? ('first' as const) : ('second' as const), reason, unread: null },
  ...{ named: false, checked },
});
const records = Array.from({ length: 40 }, (_, id): CueRecord[] => [
  {
    ...{ id: `pair-${id}`, dataset: 'essays', judge: 'judge-1', cues: ['new', 'old'], error: null },
    as_given: said(id < 34, id === 0 ? HOSTILE : 'It is clear.', id === 0 ? true : null),
    exchanged: said(id < 8, 'It is clear.', null),
  },
  {
    ...{ id: `pair-${id}`, dataset: 'essays', judge: 'judge-1', cues: ['human', 'llm'], error: 'HTTP 500' },
    ...{ as_given: null, exchanged: null },
  },
]).flat();

it('says the verdict, shows shift and flips, and lists what rule and checker disagree on', async () => {
  const { kind, document, words } = await readPage(audited(records));
  expect(kind).toBe('cues');
  expect(words).toContain(
    'prefers texts marked new to the same texts marked old (by 65 points; 65% of its verdicts flip',
  );
  expect(words).toContain('By rule none of its 80 reasons names the cue; the checker finds it in 1 of 1.');
  expect(words).toContain('+65.0');
  expect(words).toContain('no pairs');
  expect(words).toContain('new > old');
  expect(words).toContain(HOSTILE);
  expect(document.querySelectorAll('script')).toHaveLength(0);
  expect(document.querySelectorAll('figure').length).toBeGreaterThanOrEqual(2);
});

it('stands where no verdict could be read', async () => {
  const failed = records.filter(({ error }) => error !== null);
  const { page } = await readPage(audited(failed));
  expect(page).toContain('no pair of texts has two verdicts that could be read');
  expect(page).not.toContain('NaN');
});
