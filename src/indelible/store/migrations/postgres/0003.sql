-- Documents: found by their names, cut into chunks, numbered from one sequence with todos, attempts and messages.

-- The last number given. Never lower: a number that was deleted is not given again.
CREATE TABLE sequence (
  tenant BIGINT PRIMARY KEY,
  last BIGINT NOT NULL
);

INSERT INTO sequence (tenant, last)
SELECT tenant, max(key::bigint) FROM record
WHERE kind IN ('document', 'chunk', 'todo', 'attempt', 'message') AND key ~ '^[0-9]{1,15}$'
GROUP BY tenant;

-- Names are compared by their bytes, like ids.
ALTER TABLE record ALTER COLUMN label TYPE TEXT COLLATE "C";

-- One document of a name in a namespace. No version before this one stored any; an import could.
UPDATE record SET label = label || ' (' || key || ')'
WHERE kind = 'document' AND label <> '' AND EXISTS (
  SELECT 1 FROM record AS other
  WHERE other.tenant = record.tenant AND other.namespace = record.namespace AND other.kind = 'document'
    AND other.label = record.label AND other.id < record.id);
CREATE UNIQUE INDEX document_name ON record (tenant, label, namespace) WHERE kind = 'document' AND label <> '';

-- A chunk is embedded with its title, which is its label.
DROP TRIGGER record_to_embed_again ON record;
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text, label ON record
  FOR EACH ROW WHEN (NEW.text <> OLD.text OR (NEW.kind = 'chunk' AND NEW.label <> OLD.label))
  EXECUTE FUNCTION record_to_embed();
