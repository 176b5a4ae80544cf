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
