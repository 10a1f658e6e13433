-- Undo reads what a record was from the rows that a look at an earlier time reads, so that each state is kept once.
-- `version` is the row of record_version that holds the record as it was: 0 until the record changes, which sets it; NULL
-- where the body has the state itself (rows of earlier schemas, source code, states that were never a record's).
ALTER TABLE trash ADD COLUMN version BIGINT;
CREATE INDEX trash_waiting ON trash (tenant, record) WHERE version = 0;

-- Versions are numbered tenant by tenant, as records are: a sequence is a node's own in a cluster, and their order must
-- outlive the move of a tenant to another node.
ALTER TABLE record_number ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
INSERT INTO record_number (tenant, last, version)
SELECT tenant, 0, max(id) FROM (
  SELECT tenant, id FROM record_version UNION ALL SELECT tenant, id FROM edge_version) AS kept GROUP BY tenant
ON CONFLICT (tenant) DO UPDATE SET version = excluded.version;

-- What is read from source code and from git has its history there. A change of the importance alone, as a decay makes it
-- of all memories, is a version only where the trash waits for one. NEW is null where a row is deleted.
CREATE OR REPLACE FUNCTION record_version_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  number BIGINT;
BEGIN
  IF OLD.kind IN ('symbol', 'file', 'commit') THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.namespace, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags, OLD.confidence, OLD.content_hash, OLD.session,
        OLD.position, OLD.replaced, OLD.created, OLD.updated)
      IS NOT DISTINCT FROM (NEW.namespace, NEW.type, NEW.key, NEW.label, NEW.text, NEW.tags, NEW.confidence,
        NEW.content_hash, NEW.session, NEW.position, NEW.replaced, NEW.created, NEW.updated)
      AND (OLD.metadata = NEW.metadata
        OR OLD.metadata::jsonb - 'decayed_at' = NEW.metadata::jsonb - 'decayed_at')
      AND ((OLD.importance, OLD.metadata) IS NOT DISTINCT FROM (NEW.importance, NEW.metadata)
        OR NOT EXISTS (SELECT 1 FROM trash WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0)) THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO record_number (tenant, last, version) VALUES (OLD.tenant, 0, 1)
    ON CONFLICT (tenant) DO UPDATE SET version = record_number.version + 1 RETURNING record_number.version INTO number;
  INSERT INTO record_version (id, tenant, record, deleted, known, namespace, kind, type, key, label, text, tags, metadata,
    importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (number, OLD.tenant, OLD.id, CASE WHEN TG_OP = 'DELETE' THEN 1 ELSE 0 END, OLD.known, OLD.namespace, OLD.kind,
    OLD.type, OLD.key, OLD.label, nullif(OLD.text, NEW.text), nullif(OLD.tags, NEW.tags),
    nullif(OLD.metadata, NEW.metadata), OLD.importance, OLD.confidence, OLD.content_hash, OLD.session, OLD.position,
    OLD.replaced, OLD.created, OLD.updated, OLD.uid, OLD.origin);
  UPDATE trash SET version = number WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION edge_version_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  number BIGINT;
BEGIN
  IF coalesce(OLD.metadata::json ->> 'origin', '') IN ('index', 'mention') THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.relation, OLD.canonical, OLD.weight, OLD.metadata)
      IS NOT DISTINCT FROM (NEW.relation, NEW.canonical, NEW.weight, NEW.metadata) THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO record_number (tenant, last, version) VALUES (OLD.tenant, 0, 1)
    ON CONFLICT (tenant) DO UPDATE SET version = record_number.version + 1 RETURNING record_number.version INTO number;
  INSERT INTO edge_version (id, tenant, edge, deleted, known, source, target, relation, canonical, weight, metadata,
    created, uid, origin)
  VALUES (number, OLD.tenant, OLD.id, CASE WHEN TG_OP = 'DELETE' THEN 1 ELSE 0 END, OLD.known, OLD.source, OLD.target,
    OLD.relation, OLD.canonical, OLD.weight, OLD.metadata, OLD.created, OLD.uid, OLD.origin);
  RETURN NULL;
END
$$;

-- Whether a change was one of the text is said by its version from now on, and until now by the next state's text.
UPDATE trash SET revision = 1 FROM (
  SELECT states.tenant, states.id FROM (
    SELECT id, tenant, record, body::json #>> '{record,text}' AS text,
      lead(body::json #>> '{record,text}') OVER (PARTITION BY tenant, record ORDER BY id) AS following
    FROM trash WHERE action = 'update') AS states
  JOIN record ON record.tenant = states.tenant AND record.id = states.record
  WHERE states.text <> coalesce(states.following, record.text)) AS changed
WHERE trash.tenant = changed.tenant AND trash.id = changed.id AND revision = 0;
