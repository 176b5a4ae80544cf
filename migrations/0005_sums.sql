ALTER TABLE traces ADD COLUMN day TEXT AS (substr(json_extract(body, '$.time'), 1, 10)) VIRTUAL;

ALTER TABLE traces ADD COLUMN judge TEXT AS (json_extract(body, '$.judge')) VIRTUAL;

ALTER TABLE traces ADD COLUMN moved INTEGER AS (json_extract(body, '$.moved')) VIRTUAL;

ALTER TABLE traces ADD COLUMN own_calls INTEGER AS (json_extract(body, '$.spent.own.calls')) VIRTUAL;

ALTER TABLE traces ADD COLUMN own_tokens INTEGER AS (json_extract(body, '$.spent.own.tokens')) VIRTUAL;

ALTER TABLE traces ADD COLUMN own_cost REAL AS (json_extract(body, '$.spent.own.cost')) VIRTUAL;

ALTER TABLE traces ADD COLUMN added_calls INTEGER AS (json_extract(body, '$.spent.added.calls')) VIRTUAL;

ALTER TABLE traces ADD COLUMN added_tokens INTEGER AS (json_extract(body, '$.spent.added.tokens')) VIRTUAL;

ALTER TABLE traces ADD COLUMN added_cost REAL AS (json_extract(body, '$.spent.added.cost')) VIRTUAL;

CREATE INDEX traces_sums ON traces (day, judge, status, biases, moved,
  own_calls, own_tokens, own_cost, added_calls, added_tokens, added_cost);

CREATE TABLE labels (
  trace TEXT PRIMARY KEY,
  judge TEXT NOT NULL,
  biases TEXT NOT NULL,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  who TEXT NOT NULL,
  time TEXT NOT NULL
) WITHOUT ROWID;
