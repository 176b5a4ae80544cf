CREATE TABLE anchor_rounds (
  anchors TEXT NOT NULL,
  time INTEGER NOT NULL,
  answers TEXT NOT NULL,
  p REAL NOT NULL,
  evidence REAL NOT NULL,
  alarm INTEGER NOT NULL,
  PRIMARY KEY (anchors, time)
) WITHOUT ROWID;
