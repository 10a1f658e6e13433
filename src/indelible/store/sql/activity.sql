-- `+tenant` keeps SQLite from walking an index on the tenant where ids lead to the rows.
-- A row whose `what` is 'captured' says what was made of a session; its event is `capture:` and the key of it.

-- name: add
-- refused: what hooks report is of any project
INSERT INTO activity (tenant, namespace, session, event, time, client, what, action, subject, outcome, detail)
VALUES (:tenant, :namespace, :session, :event, :time, :client, :what, :action, :subject, :outcome, :detail)
ON CONFLICT (tenant, session, event) DO NOTHING

-- name: mark
-- refused: what hooks report is of any project
INSERT INTO activity (tenant, namespace, session, event, time, client, what, action, subject, outcome, detail)
VALUES (:tenant, :namespace, :session, :event, :time, :client, :what, :action, :subject, :outcome, :detail)
ON CONFLICT (tenant, session, event) DO UPDATE
SET time = excluded.time, subject = excluded.subject, outcome = excluded.outcome, detail = excluded.detail

-- name: of_session
SELECT session, event, time, client, what, namespace, action, subject, outcome, detail FROM scoped.activity
WHERE tenant = :tenant AND session = :session AND (time, event) <= (:time, :event) AND what <> 'captured'
ORDER BY time DESC, event DESC LIMIT :limit

-- name: last_of (sqlite)
SELECT time, event FROM scoped.activity
WHERE tenant = :tenant AND session = :session AND what IN (SELECT value FROM json_each(:what))
ORDER BY time DESC, event DESC LIMIT 1

-- name: last_of (postgres)
SELECT time, event FROM scoped.activity
WHERE tenant = :tenant AND session = :session
  AND what IN (SELECT value FROM json_array_elements_text(:what::json))
ORDER BY time DESC, event DESC LIMIT 1

-- name: marks
SELECT session, event, time, client, what, namespace, action, subject, outcome, detail FROM scoped.activity
WHERE tenant = :tenant AND session = :session AND event >= 'capture:' AND event < 'capture;' AND what = 'captured'
ORDER BY event

-- name: namespace_of
SELECT namespace FROM scoped.activity WHERE tenant = :tenant AND session = :session ORDER BY time, event LIMIT 1

-- name: firsts
SELECT session, event, time, client, what, namespace, action, subject, outcome, detail FROM scoped.activity
WHERE tenant = :tenant AND namespace = :namespace AND what <> 'captured' ORDER BY session, time, event

-- name: newest_calls
SELECT session, event, time, client, what, namespace, action, subject, outcome, detail FROM scoped.activity
WHERE tenant = :tenant AND namespace = :namespace AND time >= :since AND what = 'tool'
  AND action IN ('command', 'edit')
ORDER BY time DESC LIMIT :limit

-- name: move
-- refused: what hooks report is of any project
UPDATE activity SET namespace = :namespace WHERE tenant = :tenant AND session = :session

-- name: namespaces
SELECT DISTINCT namespace FROM scoped.activity WHERE tenant = :tenant ORDER BY namespace

-- name: count
SELECT count(*) FROM scoped.activity WHERE tenant = :tenant AND what <> 'captured'

-- name: count_in (sqlite)
SELECT count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND what <> 'captured'

-- name: count_in (postgres)
SELECT count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND what <> 'captured'

-- name: remove_in (sqlite)
-- refused: what hooks report is of any project
DELETE FROM activity WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))

-- name: remove_in (postgres)
-- refused: what hooks report is of any project
DELETE FROM activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))

-- name: trim
-- refused: what hooks report is of any project
DELETE FROM activity WHERE +tenant = :tenant AND id IN (
  SELECT id FROM activity WHERE tenant = :tenant AND time < :before LIMIT :limit)

-- name: count_rows
-- Marks too: an index tells it.
SELECT count(*) FROM scoped.activity WHERE tenant = :tenant

-- name: trim_first
-- refused: what hooks report is of any project
-- Not by number: PostgreSQL uses one up for each event that is there already.
DELETE FROM activity WHERE +tenant = :tenant AND id IN (
  SELECT id FROM activity
  WHERE +tenant = :tenant AND what <> 'captured' AND id <= (
    SELECT id FROM activity WHERE +tenant = :tenant AND what <> 'captured' ORDER BY id DESC LIMIT 1 OFFSET :most)
  ORDER BY id LIMIT :limit)
