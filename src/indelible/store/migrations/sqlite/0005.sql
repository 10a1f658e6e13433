-- Tokens: who may do what in which namespaces. Of a secret only its hash is kept.

-- `namespaces` is a JSON array, `["*"]` for all of them: a value that is lost or damaged grants nothing.
CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  key TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  namespaces TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  used INTEGER,
  revoked INTEGER,
  UNIQUE (tenant, key),
  UNIQUE (tenant, hash)
) STRICT;

-- Whose call it was: a token's id, '' without one. Who is limited to namespaces sees the events of its own calls.
ALTER TABLE event ADD COLUMN who TEXT NOT NULL DEFAULT '';
-- The same of what a call took away or overwrote.
ALTER TABLE trash ADD COLUMN who TEXT NOT NULL DEFAULT '';

-- One record for all occurrences of a failure among those that a writer sees, which may be those of one namespace.
DROP INDEX failure_signature;
CREATE UNIQUE INDEX failure_signature ON record (tenant, content_hash, namespace) WHERE kind = 'failure' AND content_hash <> '';

-- Messages by the tool that they came from, and by their number. Of what callers give only the first characters: rows
-- of PostgreSQL's indexes are short. Queries ask for the same expressions, and for the whole value beside.
CREATE INDEX message_tool ON record (tenant, substr(metadata ->> '$.source_tool', 1, 200), created DESC, id DESC) WHERE kind = 'message';
CREATE INDEX message_number ON record (tenant, substr(metadata ->> '$.number', 1, 20)) WHERE kind = 'message';
