-- What agents did, as their hooks told it: a row an event, and a row for each thing that was captured of a session.

-- `session` is `client:id`; with `event` it makes an event that arrives again no second one. `id` is the order of arrival.
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL,
  event TEXT NOT NULL,
  time INTEGER NOT NULL,
  client TEXT NOT NULL,
  what TEXT NOT NULL,
  action TEXT NOT NULL DEFAULT '',
  subject TEXT NOT NULL DEFAULT '',
  outcome TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant, session, event)
) STRICT;
CREATE INDEX activity_session ON activity (tenant, session, time, event);
CREATE INDEX activity_time ON activity (tenant, namespace, time);

-- Captured memories that wait for somebody to look at them, newest first.
CREATE INDEX captured_memory ON record (tenant, kind, replaced, created DESC, id DESC)
  WHERE kind = 'memory' AND metadata ->> '$.trust' = 'untrusted';

-- What a brief begins with: by what it is, the most important and newest first.
CREATE INDEX foremost_memory ON record (tenant, namespace, type, importance DESC, created DESC)
  WHERE kind = 'memory' AND replaced = 0 AND (type IN ('decision', 'preference', 'style', 'habit') OR importance > 0.5);
