/**
 * Writes that fail: at the n-th write, for every n, with the errors that SQLite has for a full disk (ENOSPC) and a broken one
 * (EIO), once and until the disk is mended. Nothing ends, no key's deed is answered that the audit trail does not hold, no call
 * is had for nothing, `/remand/ready` tells it, and all is well again once writing is possible.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, keyOf, startProxy, startUpstream, until } from '../proxy/servers.ts';

/** Which writes fail. The databases are those of `:memory:`, which are written where the test can reach them. */
interface Faults {
  /** Writes since it was set to 0. */
  writes: number;
  fails: (write: number) => boolean;
  message: string;
  /** The one opened last. */
  database: DatabaseSync | null;
}

const WRITES = /^\s*(INSERT|UPDATE|DELETE|BEGIN|COMMIT)/i;

/** For the time of a test. */
function faulty(): Faults {
  const faults: Faults = { writes: 0, fails: () => false, message: '', database: null };
  const owners = new WeakMap<StatementSync, DatabaseSync>();
  const { exec, prepare } = DatabaseSync.prototype;
  const { run, get } = StatementSync.prototype;
  function maybe(database: DatabaseSync | undefined, sql: string): void {
    if (!WRITES.test(sql) || !faults.fails(++faults.writes)) return;
    // As SQLite does where the disk fails: the transaction is undone, the statement throws.
    if (database?.isTransaction) exec.call(database, 'ROLLBACK');
    throw Object.assign(new Error(faults.message), { code: 'ERR_SQLITE_ERROR' });
  }
  DatabaseSync.prototype.exec = function (sql) {
    faults.database = this;
    maybe(this, sql);
    exec.call(this, sql);
  };
  DatabaseSync.prototype.prepare = function (...given) {
    const statement = prepare.apply(this, given);
    owners.set(statement, this);
    return statement;
  };
  const failing = (real: typeof run | typeof get) =>
    function (this: StatementSync, ...values: unknown[]) {
      maybe(owners.get(this), this.sourceSQL);
      return Reflect.apply(real, this, values);
    };
  Object.assign(StatementSync.prototype, { run: failing(run), get: failing(get) });
  onTestFinished(() => {
    Object.assign(DatabaseSync.prototype, { exec, prepare });
    Object.assign(StatementSync.prototype, { run, get });
  });
  return faults;
}

const PRICES = '{"test-judge": {"input": 1000, "output": 5000}}';
/** What one call of the judge's costs by those, in millionths; 100 tokens in and 4 out. */
const CALL = 120_000;

async function served(faults: Faults) {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const admin = await keyOf('admin', ['admin']);
  const paying = await keyOf('paying', ['judge', 'traces'], { callsPerDay: 10_000, moneyPerDay: 1_000 });
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_ACCESS: 'keys',
    REMAND_KEYS: JSON.stringify([admin.record, paying.record]),
    REMAND_PRICES: PRICES,
    REMAND_CACHE_S: '60',
  });
  const { database } = faults;
  if (!database) throw new Error('no database was opened');
  const ask = (path: string, key: string | null, method = 'GET', body = '') =>
    exchange(proxy.url + path, {
      method,
      body,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(key !== null && { 'x-remand-key': key }),
      },
    });
  const rows = (sql: string, ...values: string[]) => {
    const statement = database.prepare(sql);
    return statement.all(...values);
  };
  const { id } = paying.record;
  return {
    ...{ proxy, upstream, database, faults, admin: admin.key, paying: paying.key, ask },
    judge: (more: Record<string, unknown> = {}) =>
      ask('/v1/chat/completions', paying.key, 'POST', pairwise(WRONG, RIGHT, more)),
    /** How long the audit trail is. */
    entries: () => Number(rows('SELECT count(*) AS n FROM audit')[0]?.n),
    /** How often the audit trail has it. */
    noted: (action: string, subject: string) =>
      rows('SELECT 1 FROM audit WHERE action = ? AND subject = ?', action, subject).length,
    spent: () => rows('SELECT sum(calls) AS calls, sum(money) AS money FROM spent WHERE who = ?', id)[0],
    ready: async () => (await ask('/remand/ready', null)).status,
  };
}
type Served = Awaited<ReturnType<typeof served>>;

/** Of `use` in the audit trail: three judgments, a trace read and labelled, a key made and revoked, a refusal. */
const ENTRIES = 8;
const LIMIT = { timeout: 300_000 };

/** Everything that is written down, once; each answer that says it was done must be right in saying so. */
async function use(one: Served, seed: number): Promise<void> {
  const { ask, judge } = one;
  const told = (action: string, subject: unknown) =>
    expect([action, subject, one.noted(action, String(subject)) > 0]).toEqual([action, subject, true]);
  const fine = (status: number) => status >= 200 && status < 300;
  let trace: unknown = null;
  // The third is answered from the cache.
  for (const more of [{}, { seed }, { seed }]) {
    const answer = await judge(more);
    expect([200, 503]).toContain(answer.status);
    if (answer.status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    else told('judged', answer.headers['x-remand-trace']);
    if (fine(answer.status)) trace = answer.headers['x-remand-trace'];
  }
  if (trace !== null) {
    const story = await ask(`/remand/traces/${trace}`, one.paying);
    if (fine(story.status)) told('read', trace);
    const label = await ask(`/remand/traces/${trace}/label`, one.paying, 'POST', '{"right":"last"}');
    if (fine(label.status)) told('labelled', trace);
  }
  const made = await ask('/remand/keys', one.admin, 'POST', '{"name":"new"}');
  if (fine(made.status)) {
    const { id } = JSON.parse(made.body.toString());
    told('key-added', id);
    const revoked = await ask(`/remand/keys/${id}`, one.admin, 'DELETE');
    if (fine(revoked.status)) told('key-revoked', id);
  }
  const wrong = await ask('/remand/keys', one.paying);
  expect([403, 503]).toContain(wrong.status);
  if (wrong.status === 403) told('refused', 'scope');
}

/** Every call that came to the judge is paid for, once writing is possible again. */
async function paidFor({ upstream, spent, judge }: Served): Promise<void> {
  expect((await judge()).status).toBe(200);
  const calls = upstream.received.length;
  await until(() => Number(spent()?.calls) >= calls, 'the calls are charged');
  await until(() => Number(spent()?.money) >= calls * CALL, 'the money is charged');
}

let crashes: unknown[] = [];
beforeEach(() => {
  crashes = [];
  const note = (error: unknown) => void crashes.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  });
});

/** By turns: nothing in the code tells one from the other. */
const MESSAGES = ['database or disk is full', 'disk I/O error'];

test.each([
  ['once, for every n', 1, (write: number, n: number) => write === n],
  ['from then on, for every fourth n', 4, (write: number, n: number) => write >= n],
])('at the n-th write, %s', LIMIT, async (_how, step, fails) => {
  const faults = faulty();
  const one = await served(faults);
  faults.writes = 0;
  await use(one, 0);
  await until(() => one.entries() === ENTRIES, 'all is written');
  const all = faults.writes;
  expect(all).toBeGreaterThan(30);
  for (let n = 1; n <= all; n += step) {
    faults.message = MESSAGES[Math.floor(n / step) % MESSAGES.length] ?? '';
    faults.writes = 0;
    faults.fails = (write) => fails(write, n);
    await use(one, 2 * n);
    expect((await one.ask('/remand/health', null)).status).toBe(200);
    // How many writes there are varies a little with what falls into one transaction.
    if (faults.writes >= n && fails(n + 1, n)) {
      expect([n, await one.ready()]).toEqual([n, 503]);
      expect([n, (await one.judge()).status]).toEqual([n, 503]);
    }
    faults.fails = () => false;
    await until(async () => (await one.ready()) === 200, 'it is ready again');
    const before = one.entries();
    await use(one, 2 * n + 1);
    expect([n, one.entries() - before]).toEqual([n, ENTRIES]);
    await paidFor(one);
  }
  expect(crashes).toEqual([]);
});

test(
  'a database that may not grow (a real SQLITE_FULL) is told, and is well again when it may',
  LIMIT,
  async () => {
    const faults = faulty();
    const one = await served(faults);
    await use(one, 0);
    await until(() => one.entries() === ENTRIES, 'all is written');
    const pages = one.database.prepare('PRAGMA page_count').get();
    one.database.exec(`PRAGMA max_page_count = ${pages?.page_count}`);
    await until(async () => {
      const answer = await one.judge();
      if (answer.status === 200) {
        const subject = answer.headers['x-remand-trace'];
        expect([subject, one.noted('judged', String(subject)) > 0]).toEqual([subject, true]);
      }
      return answer.status === 503;
    }, 'the trail is full');
    expect(await one.ready()).toBe(503);
    expect((await one.ask('/remand/health', null)).status).toBe(200);
    one.database.exec('PRAGMA max_page_count = 1000000');
    await until(async () => (await one.ready()) === 200, 'it is ready again');
    const before = one.entries();
    await use(one, 1);
    expect(one.entries() - before).toBe(ENTRIES);
    await paidFor(one);
    expect(crashes).toEqual([]);
  },
);
