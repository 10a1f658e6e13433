-- Documents: found by their names, cut into chunks, numbered from one sequence with todos, attempts and messages.

-- The last number given. Never lower: a number that was deleted is not given again.
CREATE TABLE sequence (
  tenant INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

INSERT INTO sequence (tenant, last)
SELECT tenant, max(CAST(key AS INTEGER)) FROM record
WHERE kind IN ('document', 'chunk', 'todo', 'attempt', 'message')
  AND key <> '' AND key NOT GLOB '*[^0-9]*' AND length(key) <= 15
GROUP BY tenant;

-- One document of a name in a namespace. No version before this one stored any; an import could.
UPDATE record SET label = label || ' (' || key || ')'
WHERE kind = 'document' AND label <> '' AND EXISTS (
  SELECT 1 FROM record AS other
  WHERE other.tenant = record.tenant AND other.namespace = record.namespace AND other.kind = 'document'
    AND other.label = record.label AND other.id < record.id);
CREATE UNIQUE INDEX document_name ON record (tenant, label, namespace) WHERE kind = 'document' AND label <> '';

-- A chunk is embedded with its title, which is its label.
DROP TRIGGER record_to_embed_again;
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text, label ON record
WHEN NEW.text <> OLD.text OR (NEW.kind = 'chunk' AND NEW.label <> OLD.label) BEGIN
  DELETE FROM embedding WHERE record = NEW.id AND tenant = NEW.tenant;
  DELETE FROM terms WHERE record = NEW.id AND tenant = NEW.tenant AND space = 2;
  DELETE FROM pending WHERE record = NEW.id AND tenant = NEW.tenant;
  INSERT INTO pending (record, tenant) SELECT NEW.id, NEW.tenant
  WHERE NEW.kind NOT IN ('document', 'file') AND NEW.text <> '';
END;
