-- name: all (sqlite)
SELECT id, namespace, type, created, coalesce(metadata -> '$.priority', 'null') FROM scoped.record
WHERE tenant = :tenant AND kind = 'todo'

-- name: all (postgres)
SELECT id, namespace, type, created, coalesce((metadata::json -> 'priority')::text, 'null') FROM scoped.record
WHERE tenant = :tenant AND kind = 'todo'

-- name: texts
SELECT id, text FROM scoped.record WHERE tenant = :tenant AND kind = 'todo'
ORDER BY created DESC, id DESC
