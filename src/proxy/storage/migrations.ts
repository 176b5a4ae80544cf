/**
 * The tables, one step after the other. Node applies them by itself; the files of `migrations/`, which
 * `wrangler d1 migrations apply` reads, are these very statements (test/proxy/storage.test.ts holds them together).
 * A step that has been published is never changed: what is to be otherwise is a further step.
 */

export interface Migration {
  /** Of its file, too, which sorts by it. */
  readonly name: string;
  readonly statements: readonly string[];
}

export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001_traces.sql',
    statements: [
      // "IF NOT EXISTS": files and databases of before there were steps have it.
      `CREATE TABLE IF NOT EXISTS traces (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  biases TEXT NOT NULL,
  body TEXT NOT NULL
)`,
      'CREATE INDEX IF NOT EXISTS traces_by_status ON traces (status, seq)',
    ],
  },
  {
    name: '0002_access.sql',
    statements: [
      // `hash` is SHA-256 of the whole key, in hexadecimal; `scopes` is a list with commas; `limits` is JSON.
      `CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  scopes TEXT NOT NULL,
  limits TEXT NOT NULL,
  created TEXT NOT NULL,
  revoked TEXT
) WITHOUT ROWID`,
      // Who did what, and nothing that anybody wrote. Only ever added to.
      `CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL
)`,
    ],
  },
  {
    name: '0003_limits.sql',
    statements: [
      // A day is UTC, `2026-11-21`; money is in millionths of the price table's currency.
      `CREATE TABLE spent (
  who TEXT NOT NULL,
  day TEXT NOT NULL,
  calls INTEGER NOT NULL,
  money INTEGER NOT NULL,
  PRIMARY KEY (who, day)
) WITHOUT ROWID`,
    ],
  },
  {
    name: '0004_cache.sql',
    statements: [
      // On Node; at the edge the cache is in KV. `expires` is in milliseconds since the epoch.
      'CREATE TABLE cache (place TEXT PRIMARY KEY, sealed BLOB NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX cache_by_expiry ON cache (expires)',
    ],
  },
  {
    name: '0005_sums.sql',
    statements: [
      // Computed from the body where they are read, and kept in the index: the pages' sums never open a body.
      ...[
        "day TEXT AS (substr(json_extract(body, '$.time'), 1, 10))",
        "judge TEXT AS (json_extract(body, '$.judge'))",
        "moved INTEGER AS (json_extract(body, '$.moved'))",
        "own_calls INTEGER AS (json_extract(body, '$.spent.own.calls'))",
        "own_tokens INTEGER AS (json_extract(body, '$.spent.own.tokens'))",
        "own_cost REAL AS (json_extract(body, '$.spent.own.cost'))",
        "added_calls INTEGER AS (json_extract(body, '$.spent.added.calls'))",
        "added_tokens INTEGER AS (json_extract(body, '$.spent.added.tokens'))",
        "added_cost REAL AS (json_extract(body, '$.spent.added.cost'))",
      ].map((column) => `ALTER TABLE traces ADD COLUMN ${column} VIRTUAL`),
      `CREATE INDEX traces_sums ON traces (day, judge, status, biases, moved,
  own_calls, own_tokens, own_cost, added_calls, added_tokens, added_cost)`,
      // What people said of verdicts: whether the first was right, and whether the last was.
      `CREATE TABLE labels (
  trace TEXT PRIMARY KEY,
  judge TEXT NOT NULL,
  biases TEXT NOT NULL,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  who TEXT NOT NULL,
  time TEXT NOT NULL
) WITHOUT ROWID`,
    ],
  },
  {
    name: '0006_audits.sql',
    statements: [
      // `asked` is JSON, and so is `report`, which is null until there is one. Times are ISO 8601.
      `CREATE TABLE audits (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  created TEXT NOT NULL,
  asked TEXT NOT NULL,
  state TEXT NOT NULL,
  note TEXT,
  until TEXT,
  ended TEXT,
  report TEXT
)`,
      // `rows` and `records` are JSON lists, each below the megabyte that D1 holds in one row in any case.
      `CREATE TABLE audit_batches (
  audit TEXT NOT NULL,
  place INTEGER NOT NULL,
  rows TEXT NOT NULL,
  pieces INTEGER NOT NULL,
  records TEXT,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  input INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (audit, place)
)`,
    ],
  },
  {
    name: '0007_audit_holders.sql',
    statements: [
      // On Node: of the processes on one file, the one that works on it, until when (milliseconds since the epoch).
      'ALTER TABLE audits ADD COLUMN holder TEXT',
      'ALTER TABLE audits ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: '0008_trace_bodies.sql',
    statements: [
      // The traces themselves; `traces` keeps what lists show. See traces/trace-stores.ts.
      'CREATE TABLE trace_bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)',
      // Null in rows of before, whose `body` is the whole trace.
      'ALTER TABLE traces ADD COLUMN bytes INTEGER',
      'ALTER TABLE traces ADD COLUMN until INTEGER',
      // No statement reads it.
      'DROP INDEX traces_by_status',
    ],
  },
  {
    name: '0009_templates.sql',
    statements: [
      // Learned templates. `origin` and `template` are JSON. `decided` and `saved` are in milliseconds since the epoch;
      // `decided` is 0 where no person approved, rejected or edited the template.
      `CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  template TEXT NOT NULL,
  state TEXT NOT NULL,
  requests INTEGER NOT NULL,
  read INTEGER NOT NULL,
  replies INTEGER NOT NULL,
  replies_read INTEGER NOT NULL,
  decided INTEGER NOT NULL,
  saved INTEGER NOT NULL
) WITHOUT ROWID`,
    ],
  },
  {
    name: '0010_annotators.sql',
    statements: [
      // Several people may label a judgment. `decision` and `judged` are JSON.
      'ALTER TABLE labels RENAME TO labels_of_one',
      `CREATE TABLE labels (
  trace TEXT NOT NULL,
  who TEXT NOT NULL,
  judge TEXT NOT NULL,
  biases TEXT NOT NULL,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  decision TEXT NOT NULL,
  judged TEXT NOT NULL,
  random INTEGER NOT NULL,
  time TEXT NOT NULL,
  PRIMARY KEY (trace, who)
) WITHOUT ROWID`,
      `INSERT INTO labels SELECT trace, who, judge, biases, before, after, 'null', 'null', 0, time FROM labels_of_one`,
      'DROP TABLE labels_of_one',
    ],
  },
  {
    name: '0011_anchors.sql',
    statements: [
      // `time` in milliseconds; `answers` is JSON, one an anchor.
      `CREATE TABLE anchor_rounds (
  anchors TEXT NOT NULL,
  time INTEGER NOT NULL,
  answers TEXT NOT NULL,
  p REAL NOT NULL,
  evidence REAL NOT NULL,
  alarm INTEGER NOT NULL,
  PRIMARY KEY (anchors, time)
) WITHOUT ROWID`,
    ],
  },
  {
    name: '0012_unexamined.sql',
    statements: [
      // Why a verdict was not examined; traces of before have their status alone to tell it.
      `ALTER TABLE traces ADD COLUMN unexamined TEXT AS (coalesce(json_extract(body, '$.reason'),
  CASE WHEN status IN ('failed-open', 'no-verdict') THEN status END)) VIRTUAL`,
      'DROP INDEX traces_sums',
      `CREATE INDEX traces_sums ON traces (day, judge, status, biases, moved, unexamined,
  own_calls, own_tokens, own_cost, added_calls, added_tokens, added_cost)`,
    ],
  },
];

/** Wrangler's own table of what has been applied: a file on Node has it, too. */
export const CREATE_APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export const ENTER_APPLIED = 'INSERT INTO d1_migrations (name) VALUES (?)';

/** What the migration's file holds. */
export function formatMigration({ statements }: Migration): string {
  return statements.map((statement) => `${statement};\n`).join('\n');
}
