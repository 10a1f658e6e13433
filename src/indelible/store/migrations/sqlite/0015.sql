-- Undo reads what a record was from the rows that a look at an earlier time reads, so that each state is kept once.
-- `version` is the row of record_version that holds the record as it was: 0 until the record changes, which sets it; NULL
-- where the body has the state itself (rows of earlier schemas, source code, states that were never a record's).
ALTER TABLE trash ADD COLUMN version INTEGER;
CREATE INDEX trash_waiting ON trash (tenant, record) WHERE version = 0;

DROP TRIGGER record_versioned;
DROP TRIGGER record_deleted;
-- A change of the importance alone, as a decay makes it of all memories, is a version only where the trash waits for one.
CREATE TRIGGER record_versioned AFTER UPDATE OF namespace, type, key, label, text, tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated ON record
WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') AND (
  (OLD.namespace, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags, OLD.confidence, OLD.content_hash, OLD.session,
    OLD.position, OLD.replaced, OLD.created, OLD.updated)
  IS NOT (NEW.namespace, NEW.type, NEW.key, NEW.label, NEW.text, NEW.tags, NEW.confidence, NEW.content_hash, NEW.session,
    NEW.position, NEW.replaced, NEW.created, NEW.updated)
  OR OLD.metadata <> NEW.metadata
    AND json_remove(OLD.metadata, '$.decayed_at') <> json_remove(NEW.metadata, '$.decayed_at')
  OR (OLD.importance, OLD.metadata) IS NOT (NEW.importance, NEW.metadata)
    AND EXISTS (SELECT 1 FROM trash WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0)) BEGIN
  INSERT INTO record_version (tenant, record, known, namespace, kind, type, key, label, text, tags, metadata, importance,
    confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label,
    CASE WHEN OLD.text <> NEW.text THEN OLD.text END, CASE WHEN OLD.tags <> NEW.tags THEN OLD.tags END,
    CASE WHEN OLD.metadata <> NEW.metadata THEN OLD.metadata END, OLD.importance, OLD.confidence, OLD.content_hash,
    OLD.session, OLD.position, OLD.replaced, OLD.created, OLD.updated, OLD.uid, OLD.origin);
  UPDATE trash SET version = last_insert_rowid() WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0;
END;
CREATE TRIGGER record_deleted AFTER DELETE ON record WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') BEGIN
  INSERT INTO record_version (tenant, record, deleted, known, namespace, kind, type, key, label, text, tags, metadata,
    importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, 1, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags,
    OLD.metadata, OLD.importance, OLD.confidence, OLD.content_hash, OLD.session, OLD.position, OLD.replaced, OLD.created,
    OLD.updated, OLD.uid, OLD.origin);
  UPDATE trash SET version = last_insert_rowid() WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0;
END;

-- Whether a change was one of the text is said by its version from now on, and until now by the next state's text.
UPDATE trash SET revision = 1 FROM (
  SELECT states.id FROM (
    SELECT id, tenant, record, body ->> '$.record.text' AS text,
      lead(body ->> '$.record.text') OVER (PARTITION BY tenant, record ORDER BY id) AS following
    FROM trash WHERE action = 'update' AND json_valid(body)) AS states
  JOIN record ON record.tenant = states.tenant AND record.id = states.record
  WHERE states.text <> coalesce(states.following, record.text)) AS changed
WHERE trash.id = changed.id AND revision = 0;
