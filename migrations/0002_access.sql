-- `hash` is SHA-256 of the whole key, in hexadecimal; `scopes` is a list with commas; `limits` is JSON.
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  scopes TEXT NOT NULL,
  limits TEXT NOT NULL,
  created TEXT NOT NULL,
  revoked TEXT
) WITHOUT ROWID;

-- Who did what, and nothing that anybody wrote. Only ever added to.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL
);
