-- On Node: of the processes on one file, the one that works on it, until when (milliseconds since the epoch).
ALTER TABLE audits ADD COLUMN holder TEXT;

ALTER TABLE audits ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;
