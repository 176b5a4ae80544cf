-- Learned templates. `origin` and `template` are JSON. `decided` and `saved` are in milliseconds since the epoch.
-- `decided` is 0 where no person approved, rejected or edited the template.
CREATE TABLE templates (
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
) WITHOUT ROWID;
