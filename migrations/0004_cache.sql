CREATE TABLE cache (place TEXT PRIMARY KEY, sealed BLOB NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;

CREATE INDEX cache_by_expiry ON cache (expires);
