-- What leaves recalls at a time, and what opens briefs: columns, since where rows are hidden no index of an expression
-- serves, and since no statistics would say how few they are.
ALTER TABLE record
  ADD COLUMN expires_at TEXT COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN kind IN ('memory', 'solution') AND json_typeof(metadata::json -> 'expires_at') = 'string'
      THEN left(metadata::json ->> 'expires_at', 40) END) STORED,
  ADD COLUMN pinned TEXT COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN kind IN ('memory', 'solution') THEN left(metadata::json ->> 'pinned', 5) END) STORED;
CREATE INDEX record_expires ON record (tenant, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX record_pinned ON record (tenant, namespace) WHERE pinned IS NOT NULL;
