/** What Remand writes down holds judged texts: nobody else on the machine may read it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAnchorShelf } from '../../src/audit/authorship/anchor-shelf.ts';
import { openSpool } from '../../src/dataset/langfuse/pull.ts';
import { openSqliteCalls } from '../../src/models/store/sqlite-calls.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { openWhole } from '../../src/records/whole-file.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('modes of files', () => {
  test('the server makes its files 0600 and their folders 0700', async () => {
    const base = folder();
    const file = join(base, 'deep', 'traces', 'traces.sqlite');
    const upstream = await startUpstream(whole(fair));
    const state = join(base, 'state', 'state.sqlite');
    const settings = { REMAND_TRACES: file, REMAND_STATE: state, REMAND_LIMITS: '{"callsPerDay": 9}' };
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
    const body = pairwise(RIGHT, WRONG);
    const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    await exchange(`${proxy.url}/remand/traces`);
    expect(modeOf(join(base, 'deep'))).toBe('700');
    for (const path of [file, state]) {
      expect(modeOf(dirname(path))).toBe('700');
      const files = readdirSync(dirname(path));
      expect(files.length).toBeGreaterThan(1);
      for (const name of files) expect([name, modeOf(join(dirname(path), name))]).toEqual([name, '600']);
    }
  });

  test.each<[string, (path: string) => unknown]>([
    ['calls', (path) => openSqliteCalls(path).close()],
    ['anchors', (path) => openAnchorShelf(path).close()],
    ['what was pulled', (path) => openSpool(path, 'q', '2026-01-01').close()],
    [
      'a dataset or a report',
      async (path) => {
        const file = await openWhole(path);
        await file.write('{}\n');
        await file.commit();
      },
    ],
  ])('%s', async (_what, make) => {
    const path = join(folder(), 'made', 'file');
    await make(path);
    expect([modeOf(dirname(path)), modeOf(path)]).toEqual(['700', '600']);
  });

  test('a file of before, which everybody could read, is closed to everybody; its group keeps it', () => {
    const path = join(folder(), 'old.sqlite');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    openDatabase(path).close();
    expect(modeOf(path)).toBe('640');
  });
});
