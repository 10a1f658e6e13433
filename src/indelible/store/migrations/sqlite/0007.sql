-- Source code: what of it is indexed, among the records; and the names that symbols are found by.

-- A codebase: a directory of a project. `folder` is where it stands in the project's directory, '' at its top, `root`
-- where it was last indexed from. `indexed` is when a run last came to its end, 0 for never; `version` is that of the
-- rules by which symbols were extracted, `summary` the figures of the last run.
CREATE TABLE repository (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT '',
  root TEXT NOT NULL,
  indexed INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  summary TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant, namespace, folder)
) STRICT;

-- `modified` in nanoseconds; `resolved` is 0 where the relations of the file's symbols may not be those of its text.
-- `outline` is what the file says, `looked_up` the hashes of the names that it looks up: last, as they are long.
CREATE TABLE source_file (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  repository INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  language TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  resolved INTEGER NOT NULL DEFAULT 0,
  looked_up BLOB NOT NULL,
  outline BLOB NOT NULL,
  UNIQUE (repository, path)
) STRICT;

CREATE TABLE symbol_name (
  id INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  UNIQUE (tenant, name)
) STRICT;

-- `tail` is the qualified name from its last segment to its first, each ended by a full stop: the names that end alike
-- begin alike. `parent` is the qualified name of what the symbol stands in, `gone` when it left the source, 0 while it
-- is there; `places` are its other definitions in the file.
CREATE TABLE symbol (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  file INTEGER NOT NULL REFERENCES source_file (record) ON DELETE CASCADE,
  name INTEGER NOT NULL REFERENCES symbol_name (id),
  qualified_name TEXT NOT NULL,
  tail TEXT NOT NULL,
  signature TEXT NOT NULL,
  doc TEXT NOT NULL,
  visibility TEXT NOT NULL,
  line INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  parent TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0,
  places TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX symbol_tail ON symbol (tenant, tail);
CREATE INDEX symbol_file ON symbol (file);
CREATE INDEX symbol_name_of ON symbol (name);
CREATE INDEX symbol_gone ON symbol (record) WHERE gone > 0;
-- Who asks what explains a symbol does not read all that calls it.
CREATE INDEX edge_explains ON edge (target, source, weight) WHERE canonical = 'EXPLAINS';
-- A file is asked for by its name without its directories.
CREATE INDEX source_file_name ON source_file (repository, substr(path, length(rtrim(path, replace(path, '/', ''))) + 1));

-- A part of a name is found by three of its characters at a time. What was deleted leaves nothing readable behind.
CREATE VIRTUAL TABLE symbol_gram USING fts5 (
  name, content = 'symbol_name', content_rowid = 'id', tokenize = 'trigram', detail = 'none', columnsize = 0
);
INSERT INTO symbol_gram (symbol_gram, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER symbol_name_added AFTER INSERT ON symbol_name BEGIN
  INSERT INTO symbol_gram (rowid, name) VALUES (NEW.id, NEW.name);
END;
CREATE TRIGGER symbol_name_changed AFTER UPDATE OF id, name ON symbol_name BEGIN
  INSERT INTO symbol_gram (symbol_gram, rowid, name) VALUES ('delete', OLD.id, OLD.name);
  INSERT INTO symbol_gram (rowid, name) VALUES (NEW.id, NEW.name);
END;
CREATE TRIGGER symbol_name_removed AFTER DELETE ON symbol_name BEGIN
  INSERT INTO symbol_gram (symbol_gram, rowid, name) VALUES ('delete', OLD.id, OLD.name);
END;

-- A name goes with the last symbol that has it.
CREATE TRIGGER symbol_removed AFTER DELETE ON symbol BEGIN
  DELETE FROM symbol_name WHERE id = OLD.name AND NOT EXISTS (SELECT 1 FROM symbol WHERE name = OLD.name);
END;
CREATE TRIGGER symbol_renamed AFTER UPDATE OF name ON symbol WHEN NEW.name <> OLD.name BEGIN
  DELETE FROM symbol_name WHERE id = OLD.name AND NOT EXISTS (SELECT 1 FROM symbol WHERE name = OLD.name);
END;

-- What of the code is found by words only is not embedded, the rest of it after all else.
ALTER TABLE pending ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
CREATE INDEX pending_order ON pending (tenant, late, record DESC);
UPDATE pending SET late = 1 WHERE record IN (SELECT id FROM record WHERE kind = 'symbol');
DROP TRIGGER record_to_embed;
CREATE TRIGGER record_to_embed AFTER INSERT ON record
WHEN NEW.kind NOT IN ('document', 'file') AND NEW.text <> ''
  AND NOT (NEW.kind = 'symbol' AND NEW.type IN ('test', 'constant', 'variable', 'module')) BEGIN
  INSERT INTO pending (record, tenant, late) VALUES (NEW.id, NEW.tenant, NEW.kind = 'symbol');
END;
DROP TRIGGER record_to_embed_again;
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text, label, type ON record
WHEN NEW.text <> OLD.text OR (NEW.kind = 'chunk' AND NEW.label <> OLD.label)
  OR (NEW.kind = 'symbol' AND NEW.type <> OLD.type) BEGIN
  DELETE FROM embedding WHERE record = NEW.id AND tenant = NEW.tenant;
  DELETE FROM terms WHERE record = NEW.id AND tenant = NEW.tenant AND space IN (2, 6);
  DELETE FROM pending WHERE record = NEW.id AND tenant = NEW.tenant;
  INSERT INTO pending (record, tenant, late) SELECT NEW.id, NEW.tenant, NEW.kind = 'symbol'
  WHERE NEW.kind NOT IN ('document', 'file') AND NEW.text <> ''
    AND NOT (NEW.kind = 'symbol' AND NEW.type IN ('test', 'constant', 'variable', 'module'));
END;

-- Code is searched apart from the rest: what was stored of it before is moved, and what is sealed is sealed again.
UPDATE posting_block SET version = 0 WHERE block IN (SELECT id / 65536 FROM record WHERE kind IN ('symbol', 'file'));
UPDATE terms SET space = space + 4 WHERE space IN (1, 2) AND record IN (SELECT id FROM record WHERE kind IN ('symbol', 'file'));

-- What the index says of the relations in source code is a hundred times as much as all that is told: it is looked at on
-- its own, and nobody who follows the log reads it.
CREATE INDEX edge_told ON edge (tenant, source) WHERE coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention');
DROP TRIGGER edge_added;
CREATE TRIGGER edge_added AFTER INSERT ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
DROP TRIGGER edge_changed;
CREATE TRIGGER edge_changed AFTER UPDATE ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
DROP TRIGGER edge_removed;
CREATE TRIGGER edge_removed AFTER DELETE ON edge WHEN coalesce(OLD.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.source, 'link');
END;
