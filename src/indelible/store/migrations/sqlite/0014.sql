-- What `indelible sync` knows of each record and relation, by its uid: its state, the stamp of that state (a hybrid logical
-- clock), and by machine the last stamp that is known there (`seen`, JSON). `digest` is of the content when it was stamped.
-- A state is `here`, `deleted`, `same` (it is one with the uid in `same`) or `purged`, of which nothing else is kept.
CREATE TABLE sync_state (
  tenant INTEGER NOT NULL DEFAULT 1,
  uid TEXT NOT NULL,
  part TEXT NOT NULL,
  state TEXT NOT NULL,
  local_id INTEGER NOT NULL DEFAULT 0,
  same TEXT NOT NULL DEFAULT '',
  digest TEXT NOT NULL DEFAULT '',
  stamp TEXT NOT NULL DEFAULT '',
  seen TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_state_same ON sync_state (tenant, same) WHERE same <> '';
