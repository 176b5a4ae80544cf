ALTER TABLE labels RENAME TO labels_of_one;

CREATE TABLE labels (
  trace TEXT NOT NULL,
  who TEXT NOT NULL,
  judge TEXT NOT NULL,
  biases TEXT NOT NULL,
  before INTEGER NOT NULL,
  after INTEGER NOT NULL,
  decision TEXT NOT NULL,
  judged TEXT NOT NULL,
  random INTEGER NOT NULL,
  time TEXT NOT NULL,
  PRIMARY KEY (trace, who)
) WITHOUT ROWID;

INSERT INTO labels SELECT trace, who, judge, biases, before, after, 'null', 'null', 0, time FROM labels_of_one;

DROP TABLE labels_of_one;
