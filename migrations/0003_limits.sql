-- A day is UTC, `2026-11-21`; money is in millionths of the price table's currency.
CREATE TABLE spent (
  who TEXT NOT NULL,
  day TEXT NOT NULL,
  calls INTEGER NOT NULL,
  money INTEGER NOT NULL,
  PRIMARY KEY (who, day)
) WITHOUT ROWID;
