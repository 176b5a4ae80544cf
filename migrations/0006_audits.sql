-- `asked` is JSON, and so is `report`, which is null until there is one. Times are ISO 8601.
CREATE TABLE audits (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  created TEXT NOT NULL,
  asked TEXT NOT NULL,
  state TEXT NOT NULL,
  note TEXT,
  until TEXT,
  ended TEXT,
  report TEXT
);

-- `rows` and `records` are JSON lists, each below the megabyte that D1 holds in one row in any case.
CREATE TABLE audit_batches (
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
);
