-- The spine: records, relations, and what keeps them safe. See docs/design/store.md, Data model.

CREATE TABLE setting (
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT '',
  key TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  metadata TEXT NOT NULL DEFAULT '{}',
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  content_hash TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL DEFAULT 0,
  replaced INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (tenant, namespace, kind, key)
) STRICT;
CREATE UNIQUE INDEX memory_content ON record (tenant, namespace, content_hash) WHERE kind = 'memory' AND replaced = 0;
CREATE INDEX record_key ON record (tenant, key);
CREATE INDEX record_time ON record (tenant, kind, created DESC, key);

CREATE TABLE edge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  source INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  target INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  canonical TEXT NOT NULL,
  weight REAL NOT NULL DEFAULT 1.0,
  metadata TEXT NOT NULL DEFAULT '{}',
  created INTEGER NOT NULL,
  UNIQUE (source, target, relation)
) STRICT;
CREATE INDEX edge_target ON edge (target);

CREATE TABLE terms (
  record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  space INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 1,
  size INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (record, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE posting_block (
  tenant INTEGER NOT NULL DEFAULT 1,
  space INTEGER NOT NULL,
  block INTEGER NOT NULL,
  change INTEGER NOT NULL,
  version INTEGER NOT NULL,
  records INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (tenant, space, block)
) STRICT;

CREATE TABLE access (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  count INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT;

CREATE TABLE change (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  record INTEGER NOT NULL,
  operation TEXT NOT NULL,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER))
) STRICT;

CREATE INDEX change_link ON change (tenant, position) WHERE operation = 'link';

-- The log is written by the database itself: no write can forget it, cascades included.
CREATE TRIGGER record_added AFTER INSERT ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER record_changed AFTER UPDATE ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER record_removed AFTER DELETE ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.id, 'delete');
END;
CREATE TRIGGER edge_added AFTER INSERT ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_changed AFTER UPDATE ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_removed AFTER DELETE ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.source, 'link');
END;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  time INTEGER NOT NULL,
  session TEXT NOT NULL DEFAULT '',
  conversation TEXT NOT NULL DEFAULT '',
  tool TEXT NOT NULL,
  records TEXT NOT NULL DEFAULT '[]',
  outcome TEXT NOT NULL,
  duration INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX event_time ON event (tenant, time);

CREATE TABLE event_day (
  tenant INTEGER NOT NULL DEFAULT 1,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, tool, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  operation TEXT NOT NULL,
  tool TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('delete', 'update', 'edge')),
  record INTEGER NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  time INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX trash_operation ON trash (tenant, operation);
CREATE INDEX trash_record ON trash (tenant, record);
CREATE INDEX trash_key ON trash (tenant, key);

CREATE TABLE applied (
  tenant INTEGER NOT NULL DEFAULT 1,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  result TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX applied_time ON applied (tenant, time);

CREATE TABLE project (
  tenant INTEGER NOT NULL DEFAULT 1,
  alias TEXT NOT NULL,
  namespace TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (tenant, alias)
) STRICT, WITHOUT ROWID;

CREATE TABLE lease (
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Whoever keeps a cache of this store compares the epoch: a restored backup gets a new one.
INSERT INTO setting (tenant, name, value) VALUES (0, 'epoch', lower(hex(randomblob(8))));
INSERT INTO setting (tenant, name, value) VALUES (0, 'created', CAST(CAST(unixepoch('subsec') * 1000000 AS INTEGER) AS TEXT));
