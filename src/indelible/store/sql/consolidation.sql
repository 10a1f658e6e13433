-- What the cycles of consolidation look at. `decayed` and the mark `decayed_at` are times as text of one form, so that
-- they compare as texts in both databases; a mark of another form is somebody else's.

-- name: unused (sqlite)
SELECT record.id FROM scoped.record LEFT JOIN scoped.access ON access.record = record.id
WHERE record.tenant = :tenant AND record.kind = 'memory' AND record.created <= :before AND record.updated <= :before
  AND record.importance > 0 AND (access.last IS NULL OR access.last <= :before)
  AND (record.metadata = '{}' OR coalesce(record.metadata ->> '$.decayed_at', '') <= :decayed
    OR record.metadata ->> '$.decayed_at' NOT LIKE '____-__-__T__:__:__.______Z')
ORDER BY record.id

-- name: unused (postgres)
SELECT record.id FROM scoped.record LEFT JOIN scoped.access ON access.tenant = record.tenant
  AND access.record = record.id
WHERE record.tenant = :tenant AND record.kind = 'memory' AND record.created <= :before AND record.updated <= :before
  AND record.importance > 0 AND (access.last IS NULL OR access.last <= :before)
  AND (coalesce(record.metadata::json ->> 'decayed_at', '') COLLATE "C" <= :decayed
    OR record.metadata::json ->> 'decayed_at' NOT LIKE '____-__-__T__:__:__.______Z')
ORDER BY record.id

-- name: set_importance
UPDATE record SET importance = :importance, metadata = :metadata WHERE scoped(record) AND tenant = :tenant AND id = :id

-- name: tagged (sqlite)
SELECT id, key, created, type, tags FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND key > :after AND replaced = 0 AND tags <> '[]'
  AND metadata ->> '$.trust' IS NOT 'untrusted' AND metadata ->> '$.origin' IS NOT 'consolidation'
ORDER BY key LIMIT :limit

-- name: tagged (postgres)
SELECT id, key, created, type, tags FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND key > :after AND replaced = 0 AND tags <> '[]'
  AND coalesce(metadata::json ->> 'trust', '') <> 'untrusted'
  AND coalesce(metadata::json ->> 'origin', '') <> 'consolidation'
ORDER BY key LIMIT :limit

-- name: bounds
SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory'

-- name: relating (sqlite)
SELECT edge.source, edge.target FROM scoped.record AS a CROSS JOIN scoped.edge ON edge.source = a.id
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.id >= :low AND a.id < :high
  AND edge.canonical = 'RELATES_TO'

-- name: relating (postgres)
SELECT edge.source, edge.target FROM scoped.record AS a JOIN scoped.edge ON edge.tenant = a.tenant
  AND edge.source = a.id
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.id >= :low AND a.id < :high
  AND edge.canonical = 'RELATES_TO'

-- name: texts (sqlite)
SELECT id, key, type, coalesce(metadata ->> '$.valid_from', ''), coalesce(metadata ->> '$.valid_to', ''), text
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND key > :after AND replaced = 0
ORDER BY key LIMIT :limit

-- name: texts (postgres)
SELECT id, key, type, coalesce(metadata::json ->> 'valid_from', ''), coalesce(metadata::json ->> 'valid_to', ''), text
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND key > :after AND replaced = 0
ORDER BY key LIMIT :limit

-- name: untrue (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND replaced = 0
  AND ((json_type(metadata, '$.valid_to') = 'text' AND metadata ->> '$.valid_to' <= :now)
    OR (json_type(metadata, '$.valid_from') = 'text' AND metadata ->> '$.valid_from' > :now))
ORDER BY id

-- name: untrue (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'memory' AND replaced = 0
  AND ((json_typeof(metadata::json -> 'valid_to') = 'string' AND metadata::json ->> 'valid_to' <= :now)
    OR (json_typeof(metadata::json -> 'valid_from') = 'string' AND metadata::json ->> 'valid_from' > :now))
ORDER BY id

-- name: unimportant (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND importance < :threshold
  AND NOT EXISTS (SELECT 1 FROM scoped.access WHERE +access.tenant = :tenant AND access.record = record.id
    AND access.count > 0)
  AND metadata -> '$.pinned' IS NOT 'true'
ORDER BY replaced DESC, id

-- name: unimportant (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND importance < :threshold
  AND NOT EXISTS (SELECT 1 FROM scoped.access WHERE +access.tenant = :tenant AND access.record = record.id
    AND access.count > 0)
  AND pinned IS DISTINCT FROM 'true'
ORDER BY replaced DESC, id

-- name: unseen_captures (sqlite)
-- What was captured of an old transcript is as new as the mark that says so.
-- The condition on trust is, letter for letter, that of the index `captured_memory`.
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
  AND created <= :before AND updated <= :before AND metadata ->> '$.origin' = 'capture'
  AND NOT EXISTS (SELECT 1 FROM scoped.access WHERE access.record = record.id AND access.last > :before)
  AND NOT EXISTS (SELECT 1 FROM scoped.activity
    WHERE activity.tenant = :tenant AND activity.session = record.session AND activity.time > :before
      AND activity.what = 'captured' AND activity.subject = record.key)
ORDER BY created DESC, id DESC

-- name: unseen_captures (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
  AND created <= :before AND updated <= :before AND metadata::json ->> 'origin' = 'capture'
  AND NOT EXISTS (SELECT 1 FROM scoped.access WHERE access.tenant = :tenant AND access.record = record.id
    AND access.last > :before)
  AND NOT EXISTS (SELECT 1 FROM scoped.activity
    WHERE activity.tenant = :tenant AND activity.session = record.session AND activity.time > :before
      AND activity.what = 'captured' AND activity.subject = record.key)
ORDER BY created DESC, id DESC

-- name: related (sqlite)
-- From the records of the namespace to their relations: a store may have many of others.
SELECT edge.source, edge.target, edge.weight
FROM scoped.record AS a CROSS JOIN scoped.edge ON edge.source = a.id CROSS JOIN scoped.record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.replaced = 0
  AND a.id >= :low AND a.id < :high
  AND a.metadata ->> '$.trust' IS NOT 'untrusted' AND edge.weight > 0 AND edge.canonical <> 'SUMMARIZES'
  AND +b.namespace = :namespace AND b.kind = 'memory' AND b.replaced = 0
  AND b.metadata ->> '$.trust' IS NOT 'untrusted'
ORDER BY edge.source, edge.target, edge.relation

-- name: related (postgres)
SELECT edge.source, edge.target, edge.weight
FROM scoped.record AS a JOIN scoped.edge ON edge.tenant = a.tenant AND edge.source = a.id
  JOIN scoped.record AS b ON b.tenant = edge.tenant AND b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.replaced = 0
  AND a.id >= :low AND a.id < :high
  AND coalesce(a.metadata::json ->> 'trust', '') <> 'untrusted' AND edge.weight > 0 AND edge.canonical <> 'SUMMARIZES'
  AND b.namespace = :namespace AND b.kind = 'memory' AND b.replaced = 0
  AND coalesce(b.metadata::json ->> 'trust', '') <> 'untrusted'
ORDER BY edge.source, edge.target, edge.relation

-- name: summaries (sqlite)
SELECT edge.source, edge.target
FROM scoped.record AS a CROSS JOIN scoped.edge ON edge.target = a.id
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.id >= :low AND a.id < :high
  AND edge.canonical = 'SUMMARIZES'
ORDER BY edge.source, edge.target

-- name: summaries (postgres)
SELECT edge.source, edge.target
FROM scoped.record AS a JOIN scoped.edge ON edge.tenant = a.tenant AND edge.target = a.id
WHERE a.tenant = :tenant AND a.namespace = :namespace AND a.kind = 'memory' AND a.id >= :low AND a.id < :high
  AND edge.canonical = 'SUMMARIZES'
ORDER BY edge.source, edge.target

-- name: any_undone
SELECT 1 FROM scoped.trash WHERE tenant = :tenant AND operation = :operation AND undone <> 0 LIMIT 1
