-- What was done, counted. A row of `activity` whose `what` is 'captured' is nobody's doing.

-- name: subjects (sqlite)
SELECT action, subject, count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
  AND what = 'tool' AND action IN ('search', 'command') AND subject <> ''
GROUP BY action, subject ORDER BY action, subject

-- name: subjects (postgres)
SELECT action, subject, count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND what = 'tool' AND action IN ('search', 'command') AND subject <> ''
GROUP BY action, subject ORDER BY action, subject

-- name: files_read (sqlite)
SELECT namespace, subject, coalesce(detail ->> '$.cwd', ''), count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
  AND what = 'tool' AND action = 'read' AND outcome <> 'failed' AND subject <> ''
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: files_read (postgres)
SELECT namespace, subject, coalesce(detail::json ->> 'cwd', ''), count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND what = 'tool' AND action = 'read' AND outcome <> 'failed' AND subject <> ''
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3

-- name: files_edited (sqlite)
SELECT session, event, namespace, subject, detail FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
  AND what = 'tool' AND action = 'edit' AND outcome <> 'failed'
  AND (session, event) > (:session, :event)
ORDER BY session, event LIMIT :limit

-- name: files_edited (postgres)
SELECT session, event, namespace, subject, detail FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND what = 'tool' AND action = 'edit' AND outcome <> 'failed'
  AND (session, event) > (:session, :event)
ORDER BY session, event LIMIT :limit

-- name: tools (sqlite)
SELECT coalesce(detail ->> '$.tool', ''), count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND what = 'tool'
GROUP BY 1 ORDER BY 1

-- name: tools (postgres)
SELECT coalesce(detail::json ->> 'tool', ''), count(*) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json)) AND what = 'tool'
GROUP BY 1 ORDER BY 1

-- name: sessions (sqlite)
-- `+session` keeps SQLite from walking all sessions of the tenant.
SELECT DISTINCT +session FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND what <> 'captured'

-- name: sessions (postgres)
SELECT DISTINCT session FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND what <> 'captured'

-- name: calls (sqlite)
SELECT tool, count(*) FROM scoped.event
WHERE +tenant = :tenant AND outcome = 'ok' AND tool NOT IN (SELECT value FROM json_each(:but))
GROUP BY tool ORDER BY tool

-- name: calls (postgres)
SELECT tool, count(*) FROM scoped.event
WHERE tenant = :tenant AND outcome = 'ok' AND tool NOT IN (SELECT value FROM json_array_elements_text(:but::json))
GROUP BY tool ORDER BY tool

-- name: callers (sqlite)
SELECT count(DISTINCT session) FROM scoped.event
WHERE +tenant = :tenant AND outcome = 'ok' AND tool NOT IN (SELECT value FROM json_each(:but))

-- name: callers (postgres)
SELECT count(DISTINCT session) FROM scoped.event
WHERE tenant = :tenant AND outcome = 'ok' AND tool NOT IN (SELECT value FROM json_array_elements_text(:but::json))

-- name: reports (sqlite)
SELECT id, key, namespace, session, metadata FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND kind = 'memory' AND metadata <> '{}'
  AND coalesce(metadata -> '$.tool', metadata -> '$.pattern', metadata -> '$.file_path', metadata -> '$.files') IS NOT NULL
ORDER BY created DESC, key, id

-- name: reports (postgres)
SELECT id, key, namespace, session, metadata FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND kind = 'memory' AND metadata <> '{}'
  AND coalesce(metadata::json ->> 'tool', metadata::json ->> 'pattern', metadata::json ->> 'file_path',
    metadata::json ->> 'files') IS NOT NULL
ORDER BY created DESC, key, id

-- name: decisions (sqlite)
SELECT id, key, namespace, session, tags, metadata FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
  AND kind = 'memory' AND type = 'decision' AND (
    EXISTS (SELECT 1 FROM scoped.edge CROSS JOIN scoped.record AS other ON other.id = edge.target
      WHERE edge.source = record.id AND edge.canonical IN (SELECT value FROM json_each(:names))
        AND +other.kind = 'memory' AND other.type = 'decision')
    OR EXISTS (SELECT 1 FROM scoped.edge CROSS JOIN scoped.record AS other ON other.id = edge.source
      WHERE edge.target = record.id AND edge.canonical IN (SELECT value FROM json_each(:names))
        AND +other.kind = 'memory' AND other.type = 'decision'))
ORDER BY created, key, id

-- name: decisions (postgres)
SELECT id, key, namespace, session, tags, metadata FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND kind = 'memory' AND type = 'decision' AND (
    EXISTS (SELECT 1 FROM scoped.edge JOIN scoped.record AS other ON other.tenant = edge.tenant
      AND other.id = edge.target
      WHERE edge.tenant = :tenant AND edge.source = record.id AND edge.canonical IN (SELECT value
        FROM json_array_elements_text(:names::json))
        AND other.kind = 'memory' AND other.type = 'decision')
    OR EXISTS (SELECT 1 FROM scoped.edge JOIN scoped.record AS other ON other.tenant = edge.tenant
      AND other.id = edge.source
      WHERE edge.tenant = :tenant AND edge.target = record.id AND edge.canonical IN (SELECT value
        FROM json_array_elements_text(:names::json))
        AND other.kind = 'memory' AND other.type = 'decision'))
ORDER BY created, key, id
