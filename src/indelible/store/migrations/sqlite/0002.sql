-- Meaning: vectors of each record's text, and the work that is still to be done for them.

CREATE TABLE model (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  UNIQUE (tenant, name)
) STRICT;

-- One row for each window of a text. The learned sparse terms of the same text are rows of `terms`.
CREATE TABLE embedding (
  record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  view INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 1,
  model INTEGER NOT NULL REFERENCES model (id),
  vector BLOB NOT NULL,
  code BLOB NOT NULL,
  PRIMARY KEY (record, view)
) STRICT;

CREATE TABLE pending (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  owner TEXT NOT NULL DEFAULT '',
  until INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was stored beside what.
CREATE INDEX record_session ON record (tenant, session, position);

-- Written by the database itself, like the log: no write can forget that a text has to be embedded (again).
CREATE TRIGGER record_to_embed AFTER INSERT ON record WHEN NEW.kind NOT IN ('document', 'file') AND NEW.text <> '' BEGIN
  INSERT INTO pending (record, tenant) VALUES (NEW.id, NEW.tenant);
END;
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text ON record WHEN NEW.text <> OLD.text BEGIN
  DELETE FROM embedding WHERE record = NEW.id AND tenant = NEW.tenant;
  DELETE FROM terms WHERE record = NEW.id AND tenant = NEW.tenant AND space = 2;
  DELETE FROM pending WHERE record = NEW.id AND tenant = NEW.tenant;
  INSERT INTO pending (record, tenant) SELECT NEW.id, NEW.tenant
  WHERE NEW.kind NOT IN ('document', 'file') AND NEW.text <> '';
END;
CREATE TRIGGER embedding_added AFTER INSERT ON embedding WHEN NEW.view = 0 BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.record, 'embed');
END;

INSERT INTO pending (record, tenant) SELECT id, tenant FROM record WHERE kind NOT IN ('document', 'file') AND text <> '';
