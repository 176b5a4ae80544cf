ALTER TABLE traces ADD COLUMN unexamined TEXT AS (coalesce(json_extract(body, '$.reason'),
  CASE WHEN status IN ('failed-open', 'no-verdict') THEN status END)) VIRTUAL;

DROP INDEX traces_sums;

CREATE INDEX traces_sums ON traces (day, judge, status, biases, moved, unexamined,
  own_calls, own_tokens, own_cost, added_calls, added_tokens, added_cost);
