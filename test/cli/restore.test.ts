/** A copy that wrangler makes of a real D1 goes back into an empty one, whatever its traces hold. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { createLabelStore, type Label } from '../../src/proxy/labels/label.ts';
import { MIGRATIONS } from '../../src/proxy/storage/migrations.ts';
import { createD1Tables, type D1 } from '../../src/proxy/storage/table-sql.ts';
import { createD1Traces } from '../../src/proxy/traces/trace-stores.ts';
import { traceSchema } from '../../src/trace/index.ts';
import { remand } from './command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a text may hold that SQL, JSON or a reader of lines ends something at. */
const HOSTILE = `it's "so";\n\u2028\r\n''); DROP TABLE traces; -- \\' 😀`;

const traceOf = (id: string, text: string) =>
  traceSchema.parse({
    ...{ id, time: '2026-11-21T00:00:00.000Z', ms: 5, status: 'unchanged', stop: 'clean', judge: 'm' },
    ...{ detector: 'probe', mode: 'debias', layout: 'any', policy: 'last-word', rounds: 0, error: null },
    case: { instruction: null, options: [{ label: 'A', text }], context: [] },
    ...{ verdicts: [{ text: 'A', choice: 'A' }], final: { text: 'A', choice: 'A' } },
    ...{ written: null, analyses: [], calls: [], biases: [] },
  });
const TRACES = [
  traceOf('short', HOSTILE),
  traceOf('long', HOSTILE.repeat(8_000)),
  traceOf('quotes', "'".repeat(200_000)),
  traceOf('wide', '😀'.repeat(100_000)),
];
const LABEL: Label = {
  ...{ trace: 'short', judge: 'm', biases: [], before: true, after: true, decision: 0, judged: 0 },
  ...{ random: true, who: "o'Neil;\nand", time: '2026-11-21T00:00:00.000Z' },
};

test('a trace above the largest statement of D1 is in the copy, and is restored from it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  async function run(...args: string[]) {
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += String(piece)));
    const [code] = await once(child, 'exit');
    return { code, said };
  }
  /** Each database has a folder, where wrangler keeps it beside the configuration. */
  function configure(name: string): string {
    const path = join(folder, name, 'wrangler.json');
    const d1_databases = [{ binding: 'DB', database_name: 'remand', database_id: 'local' }];
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(path, JSON.stringify({ name: 'remand', compatibility_date: '2026-10-20', d1_databases }));
    return path;
  }
  const wrangler = (name: string, ...args: string[]) =>
    run('node_modules/wrangler/bin/wrangler.js', 'd1', ...args, '--local', '--config', configure(name));
  async function open<T>(name: string, work: (database: D1) => Promise<T>): Promise<T> {
    const persist = { path: join(folder, name, '.wrangler', 'state', 'v3') };
    const { env, dispose } = await getPlatformProxy<{ DB: D1 }>({ configPath: configure(name), persist });
    return work(env.DB).finally(dispose);
  }
  const limits = { keep: 100, bytes: 1e8, bytesEach: 1e7 };

  await open('first', async (first) => {
    const steps = MIGRATIONS.flatMap(({ statements }) => statements);
    await first.batch(steps.map((statement) => first.prepare(statement)));
    const traces = createD1Traces(first, limits);
    for (const trace of TRACES) await traces.put(trace);
    await createLabelStore(createD1Tables(first), () => {}).put([LABEL]);
  });
  const [copy, restored] = [join(folder, 'copy.sql'), join(folder, 'restore.sql')];
  const exported = await wrangler('first', 'export', 'remand', '--output', copy);
  expect(exported.code, exported.said).toBe(0);
  // Were this to work, nobody would need the command.
  const refused = await wrangler('refused', 'execute', 'remand', '--yes', '--file', copy);
  expect(refused.said).toContain('SQLITE_TOOBIG');

  const made = await run('src/cli/remand.ts', 'restore', '--in', copy, '--out', restored);
  expect(made.code, made.said).toBe(0);
  expect(made.said).toContain('3 of them in pieces');
  for (const statement of readFileSync(restored, 'utf8').split(/;\n/))
    expect(Buffer.byteLength(statement)).toBeLessThan(100_000);
  const executed = await wrangler('second', 'execute', 'remand', '--yes', '--file', restored);
  expect(executed.code, executed.said).toBe(0);
  await open('second', async (second) => {
    const traces = createD1Traces(second, limits);
    const ids = TRACES.map(({ id }) => id);
    expect(await Array.fromAsync(traces.each(ids))).toEqual(TRACES);
    expect((await traces.list({ limit: 10 })).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await createLabelStore(createD1Tables(second), () => {}).of('short')).toEqual([LABEL]);
    const tables = await second.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'remand%'").all();
    expect(tables.results).toEqual([]);
  });
});

/** What the command says of a copy with this row beside a short one, and what it writes. */
async function restore(value: string) {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [copy, restored] = [join(folder, 'copy.sql'), join(folder, 'restore.sql')];
  writeFileSync(
    copy,
    `CREATE TABLE t (id TEXT, body);\nINSERT INTO t VALUES('a',${value});\nINSERT INTO t VALUES('b','it''s');\n`,
  );
  const { code, out, err } = await remand(['restore', '--in', copy, '--out', restored]);
  return { code, said: out + err, written: existsSync(restored) ? readFileSync(restored, 'utf8') : null };
}

test.each([
  ['without quotes', 'a;\n'],
  ['with quotes', "it's;\n"],
])('a text of very many lines that end as statements do is read once: %s', async (_, line) => {
  const text = line.repeat(400_000);
  const { code, said, written } = await restore(`'${text.replaceAll("'", "''")}'`);
  expect({ code, said }).toEqual({
    code: 0,
    said: expect.stringContaining('3 statements, 1 of them in pieces'),
  });
  const database = new DatabaseSync(':memory:');
  database.exec(String(written));
  const [long, short] = database.prepare('SELECT body FROM t ORDER BY id').all();
  expect([long?.body === text, short?.body]).toEqual([true, "it's"]);
});

test('a statement that stays too long, as one with a blob does, is refused', async () => {
  const { code, said, written } = await restore(`X'${'ab'.repeat(70_000)}'`);
  expect({ code, written }).toEqual({ code: 2, written: null });
  expect(said).toContain('has a statement of 140031 bytes');
  expect(said).toContain("INSERT INTO t VALUES('a',X'abab");
});

test('a file that is not there is named', async () => {
  const child = spawn(
    process.execPath,
    ['src/cli/remand.ts', 'restore', '--in', '/none.sql', '--out', '/tmp/x'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (piece) => (said += String(piece)));
  const [code] = await once(child, 'exit');
  expect(code).not.toBe(0);
  expect(said).toContain('--in: /none.sql cannot be read');
});
