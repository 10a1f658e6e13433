-- What records and relations were before: kept by the database itself, so that no write can forget it. `known` is when
-- this store came to know a row (microseconds since 1970), 0 where that was before this schema: its history begins now.
ALTER TABLE record ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
ALTER TABLE edge ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
INSERT INTO setting (tenant, name, value)
SELECT DISTINCT tenant, 'history begins', CAST(CAST(unixepoch('subsec') * 1000000 AS INTEGER) AS TEXT) FROM record;

-- One row for each change of a record, and for its deletion: the row as it was until `time`. `text`, `tags` and
-- `metadata` are NULL where the change left them as they were: then they are those of the next version, or of now.
CREATE TABLE record_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  record INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  known INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  text TEXT,
  tags TEXT,
  metadata TEXT,
  importance REAL NOT NULL,
  confidence REAL NOT NULL,
  content_hash TEXT NOT NULL,
  session TEXT NOT NULL,
  position INTEGER NOT NULL,
  replaced INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  uid TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;
CREATE INDEX record_version_time ON record_version (tenant, time);
CREATE INDEX record_version_record ON record_version (tenant, record, time);
CREATE INDEX record_version_key ON record_version (tenant, key);

CREATE TABLE edge_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  edge INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  known INTEGER NOT NULL,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  relation TEXT NOT NULL,
  canonical TEXT NOT NULL,
  weight REAL NOT NULL,
  metadata TEXT NOT NULL,
  created INTEGER NOT NULL,
  uid TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;
CREATE INDEX edge_version_time ON edge_version (tenant, time);
CREATE INDEX edge_version_source ON edge_version (tenant, source, time);
CREATE INDEX edge_version_target ON edge_version (tenant, target, time);

-- That a row is known is no change of it: nobody who follows the log needs to read it again.
DROP TRIGGER record_changed;
DROP TRIGGER edge_changed;
CREATE TRIGGER record_changed AFTER UPDATE OF id, tenant, namespace, kind, type, key, label, text, tags, metadata,
  importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER edge_changed AFTER UPDATE OF id, tenant, source, target, relation, canonical, weight, metadata, created,
  uid, origin ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER record_known AFTER INSERT ON record WHEN NEW.known = 0 AND NEW.kind NOT IN ('symbol', 'file', 'commit') BEGIN
  UPDATE record SET known = CAST(unixepoch('subsec') * 1000000 AS INTEGER) WHERE id = NEW.id;
END;
CREATE TRIGGER edge_known AFTER INSERT ON edge
WHEN NEW.known = 0 AND coalesce(NEW.metadata ->> '$.origin', '') NOT IN ('index', 'mention') BEGIN
  UPDATE edge SET known = CAST(unixepoch('subsec') * 1000000 AS INTEGER) WHERE id = NEW.id;
END;

-- What is read from source code and from git has its history there. What a decay of all memories leaves of their
-- importance is no version either: it would be one of each of them, each day.
CREATE TRIGGER record_versioned AFTER UPDATE OF namespace, type, key, label, text, tags, metadata, confidence, content_hash,
  session, position, replaced, created, updated ON record
WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') AND (
  (OLD.namespace, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags, OLD.confidence, OLD.content_hash, OLD.session,
    OLD.position, OLD.replaced, OLD.created, OLD.updated)
  IS NOT (NEW.namespace, NEW.type, NEW.key, NEW.label, NEW.text, NEW.tags, NEW.confidence, NEW.content_hash, NEW.session,
    NEW.position, NEW.replaced, NEW.created, NEW.updated)
  OR OLD.metadata <> NEW.metadata
    AND json_remove(OLD.metadata, '$.decayed_at') <> json_remove(NEW.metadata, '$.decayed_at')) BEGIN
  INSERT INTO record_version (tenant, record, known, namespace, kind, type, key, label, text, tags, metadata, importance,
    confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label,
    CASE WHEN OLD.text <> NEW.text THEN OLD.text END, CASE WHEN OLD.tags <> NEW.tags THEN OLD.tags END,
    CASE WHEN OLD.metadata <> NEW.metadata THEN OLD.metadata END, OLD.importance, OLD.confidence, OLD.content_hash,
    OLD.session, OLD.position, OLD.replaced, OLD.created, OLD.updated, OLD.uid, OLD.origin);
END;
CREATE TRIGGER record_deleted AFTER DELETE ON record WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') BEGIN
  INSERT INTO record_version (tenant, record, deleted, known, namespace, kind, type, key, label, text, tags, metadata,
    importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, 1, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags,
    OLD.metadata, OLD.importance, OLD.confidence, OLD.content_hash, OLD.session, OLD.position, OLD.replaced, OLD.created,
    OLD.updated, OLD.uid, OLD.origin);
END;
CREATE TRIGGER edge_versioned AFTER UPDATE OF relation, canonical, weight, metadata ON edge
WHEN coalesce(OLD.metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND (OLD.relation, OLD.canonical, OLD.weight, OLD.metadata) IS NOT (NEW.relation, NEW.canonical, NEW.weight, NEW.metadata)
BEGIN
  INSERT INTO edge_version (tenant, edge, known, source, target, relation, canonical, weight, metadata, created, uid, origin)
  VALUES (OLD.tenant, OLD.id, OLD.known, OLD.source, OLD.target, OLD.relation, OLD.canonical, OLD.weight, OLD.metadata,
    OLD.created, OLD.uid, OLD.origin);
END;
CREATE TRIGGER edge_deleted AFTER DELETE ON edge
WHEN coalesce(OLD.metadata ->> '$.origin', '') NOT IN ('index', 'mention') BEGIN
  INSERT INTO edge_version (tenant, edge, deleted, known, source, target, relation, canonical, weight, metadata, created,
    uid, origin)
  VALUES (OLD.tenant, OLD.id, 1, OLD.known, OLD.source, OLD.target, OLD.relation, OLD.canonical, OLD.weight, OLD.metadata,
    OLD.created, OLD.uid, OLD.origin);
END;
