-- Tokens: who may do what in which namespaces. Of a secret only its hash is kept.

CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  key TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  namespaces TEXT,
  created INTEGER NOT NULL,
  expires INTEGER,
  used INTEGER,
  revoked INTEGER,
  UNIQUE (tenant, key),
  UNIQUE (tenant, hash)
) STRICT;

-- Whose call it was: a token's id, '' without one. Who is limited to namespaces sees the events of its own calls.
ALTER TABLE event ADD COLUMN who TEXT NOT NULL DEFAULT '';

-- One record for all occurrences of a failure among those that a writer sees, which may be those of one namespace.
DROP INDEX failure_signature;
CREATE UNIQUE INDEX failure_signature ON record (tenant, content_hash, namespace) WHERE kind = 'failure' AND content_hash <> '';
