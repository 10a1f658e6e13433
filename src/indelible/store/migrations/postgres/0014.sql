-- What `indelible sync` knows of each record and relation, by its uid: its state, the stamp of that state (a hybrid logical
-- clock), and by machine the last stamp that is known there (`seen`, JSON). `digest` is of the content when it was stamped.
-- A state is `here`, `deleted`, `same` (it is one with the uid in `same`) or `purged`, of which nothing else is kept.
CREATE TABLE sync_state (
  tenant BIGINT NOT NULL DEFAULT 1,
  uid TEXT COLLATE "C" NOT NULL,
  part TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  local_id BIGINT NOT NULL DEFAULT 0,
  same TEXT COLLATE "C" NOT NULL DEFAULT '',
  digest TEXT COLLATE "C" NOT NULL DEFAULT '',
  stamp TEXT COLLATE "C" NOT NULL DEFAULT '',
  seen TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant, uid)
);
CREATE INDEX sync_state_same ON sync_state (tenant, same) WHERE same <> '';
ALTER TABLE sync_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON sync_state USING (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint)
  WITH CHECK (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint);
