/** A judge of which no reply can be read: an audit of it says so, claims nothing, and ends as failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { remand } from './command.ts';
import { chatReply } from './dataset-rows.ts';
import { judgeEndpoint } from './judge-endpoint.ts';
import { submissionsFile } from './peer-review-endpoint.ts';
import { papersFile } from './review-endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-unreadable-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pairs = Array.from({ length: 4 }, (_, id) =>
  JSON.stringify({ id: `${id}`, instruction: `Why ${id}?`, positive: 'It is.', negative: 'It is not.' }),
).join('\n');

test.each([
  [
    'authors',
    '--papers',
    papersFile(4),
    ['--dimensions', 'gender'],
    'No pair of reviews was compared: there is nothing to tell.',
  ],
  [
    'cues',
    '--from',
    pairs,
    ['--cues', 'new/old'],
    'No pair of texts has two verdicts that could be read: there is nothing to tell.',
  ],
  [
    'perturb',
    '--submissions',
    submissionsFile(4),
    [],
    'No pair of judgments could be read: there is nothing to tell.',
  ],
])('%s', async (kind, option, rows, more, words) => {
  const say = () => ({ body: JSON.stringify(chatReply('I cannot help with it.')) });
  await using endpoint = await judgeEndpoint({ say });
  const path = join(folder, `${kind}.jsonl`);
  writeFileSync(path, rows);
  const ended = await remand([
    ...['audit', kind, option, path, '--out', join(folder, kind), '--judge', `m@${endpoint.url}`],
    ...more,
  ]);
  expect(ended.out).toContain(words);
  expect(ended.out).not.toContain('No preference');
  expect(ended.code).toBe(1);
});
