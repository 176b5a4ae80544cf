-- The traces themselves; `traces` keeps what lists show. See traces/trace-stores.ts.
CREATE TABLE trace_bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);

-- Null in rows of before, whose `body` is the whole trace.
ALTER TABLE traces ADD COLUMN bytes INTEGER;

ALTER TABLE traces ADD COLUMN until INTEGER;

-- No statement reads it.
DROP INDEX traces_by_status;
