-- What a brief of a project tells: nothing that was captured and that nobody confirmed, but for how many there are.
-- Two conditions are, letter for letter, those of the indexes `foremost_memory` and `captured_memory`.

-- name: foremost (sqlite)
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata ->> '$.captured', metadata ->> '$.failure_id',
  metadata ->> '$.stated_by', metadata ->> '$.promoted_by', metadata ->> '$.valid_from', metadata ->> '$.valid_to'
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND type = :type AND kind = 'memory' AND replaced = 0
  AND (type IN ('decision', 'preference', 'style', 'habit') OR importance > 0.5)
  AND metadata ->> '$.trust' IS NOT 'untrusted'
  AND id NOT IN (SELECT value FROM json_each(:expired))
ORDER BY importance DESC, created DESC, key, id LIMIT :limit

-- name: foremost (postgres)
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata::json ->> 'captured',
  metadata::json ->> 'failure_id', metadata::json ->> 'stated_by', metadata::json ->> 'promoted_by',
  metadata::json ->> 'valid_from', metadata::json ->> 'valid_to'
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND type = :type AND kind = 'memory' AND replaced = 0
  AND (type IN ('decision', 'preference', 'style', 'habit') OR importance > 0.5)
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:expired::json)))
ORDER BY importance DESC, created DESC, key, id LIMIT :limit

-- name: start_of_newest (sqlite)
SELECT created FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND created >= :start AND metadata ->> '$.trust' IS NOT 'untrusted'
ORDER BY created DESC, key LIMIT 1 OFFSET :offset

-- name: start_of_newest (postgres)
SELECT created FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND created >= :start
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
ORDER BY created DESC, key LIMIT 1 OFFSET :offset

-- name: newest (sqlite)
-- `+namespace` makes SQLite walk the memories from the newest on; `start` says how far.
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata ->> '$.captured', metadata ->> '$.failure_id',
  metadata ->> '$.stated_by', metadata ->> '$.promoted_by', metadata ->> '$.valid_from', metadata ->> '$.valid_to'
FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND created >= :start AND replaced = 0
  AND +namespace IN (SELECT value FROM json_each(:namespaces)) AND type IN ('pattern', 'insight', 'context')
  AND metadata ->> '$.trust' IS NOT 'untrusted'
  AND id NOT IN (SELECT value FROM json_each(:expired))
ORDER BY created DESC, key, id LIMIT :limit

-- name: newest (postgres)
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata::json ->> 'captured',
  metadata::json ->> 'failure_id', metadata::json ->> 'stated_by', metadata::json ->> 'promoted_by',
  metadata::json ->> 'valid_from', metadata::json ->> 'valid_to'
FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND created >= :start AND replaced = 0
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND type IN ('pattern', 'insight', 'context')
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:expired::json)))
ORDER BY created DESC, key, id LIMIT :limit

-- name: todos (sqlite)
SELECT id, key, substr(text, 1, :length), coalesce(metadata -> '$.priority', 'null'), created FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'todo' AND type <> 'completed'
  AND metadata ->> '$.trust' IS NOT 'untrusted'

-- name: todos (postgres)
SELECT id, key, substr(text, 1, :length), coalesce((metadata::json -> 'priority')::text, 'null'), created
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'todo' AND type <> 'completed'
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')

-- name: failures (sqlite)
SELECT id, key, coalesce(metadata -> '$.occurrences', 'null'), updated FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'failure' AND metadata ->> '$.trust' IS NOT 'untrusted'

-- name: failures (postgres)
SELECT id, key, coalesce((metadata::json -> 'occurrences')::text, 'null'), updated FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'failure'
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')

-- name: failure_texts (sqlite)
SELECT id, key, substr(text, 1, :length), substr(metadata ->> '$.errorMessage', 1, :length),
  substr(metadata ->> '$.rootCause', 1, :length), substr(metadata ->> '$.fixApplied', 1, :length)
FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: failure_texts (postgres)
SELECT id, key, substr(text, 1, :length), substr(metadata::json ->> 'errorMessage', 1, :length),
  substr(metadata::json ->> 'rootCause', 1, :length), substr(metadata::json ->> 'fixApplied', 1, :length)
FROM scoped.record WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: recorded_fixes (sqlite)
SELECT metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'failure' AND content_hash <> '' AND replaced = 0
  AND content_hash IN (SELECT value FROM json_each(:signatures))
  AND +namespace IN (SELECT value FROM json_each(:namespaces)) AND metadata ->> '$.trust' IS NOT 'untrusted'
ORDER BY updated DESC, id DESC LIMIT :limit

-- name: recorded_fixes (postgres)
SELECT metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'failure' AND content_hash <> '' AND replaced = 0
  AND content_hash IN (SELECT value FROM json_array_elements_text(:signatures::json))
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
ORDER BY updated DESC, id DESC LIMIT :limit

-- name: captured_fixes (sqlite)
SELECT metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
  AND +namespace IN (SELECT value FROM json_each(:namespaces)) AND metadata ->> '$.captured' = 'failure'
  AND metadata ->> '$.signature' IN (SELECT value FROM json_each(:signatures)) AND session <> :session
ORDER BY created DESC, id DESC LIMIT :limit

-- name: captured_fixes (postgres)
SELECT metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND metadata::json ->> 'captured' = 'failure'
  AND metadata::json ->> 'signature' IN (SELECT value FROM json_array_elements_text(:signatures::json))
  AND session <> :session
ORDER BY created DESC, id DESC LIMIT :limit

-- name: own_words (sqlite)
SELECT id, key, type, text, importance, created, captured, session
FROM (
  SELECT id, key, type, substr(text, 1, :length) AS text, importance, created, metadata ->> '$.captured' AS captured,
    session, metadata ->> '$.typed_by' AS typed_by
  FROM scoped.record
  WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
    AND +namespace IN (SELECT value FROM json_each(:namespaces))
  ORDER BY created DESC, id DESC LIMIT :read) AS newest
WHERE typed_by = :person
ORDER BY created DESC, id DESC LIMIT :limit

-- name: own_words (postgres)
SELECT id, key, type, text, importance, created, captured, session
FROM (
  SELECT id, key, type, substr(text, 1, :length) AS text, importance, created, metadata::json ->> 'captured' AS captured,
    session, metadata::json ->> 'typed_by' AS typed_by
  FROM scoped.record
  WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
    AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  ORDER BY created DESC, id DESC LIMIT :read) AS newest
WHERE typed_by = :person
ORDER BY created DESC, id DESC LIMIT :limit

-- name: sessions (sqlite)
SELECT id, key, created, metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
  AND +namespace IN (SELECT value FROM json_each(:namespaces)) AND metadata ->> '$.captured' = 'session'
  AND created >= :start
ORDER BY created DESC, id DESC LIMIT :limit

-- name: sessions (postgres)
SELECT id, key, created, metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND metadata::json ->> 'captured' = 'session' AND created >= :start
ORDER BY created DESC, id DESC LIMIT :limit

-- name: waiting (sqlite)
-- The order leads SQLite to the index of captured memories.
SELECT count(*) FROM (
  SELECT id FROM scoped.record
  WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
    AND +namespace IN (SELECT value FROM json_each(:namespaces))
  ORDER BY created DESC, id DESC LIMIT :limit) AS found

-- name: waiting (postgres)
SELECT count(*) FROM (
  SELECT id FROM scoped.record
  WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
    AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  ORDER BY created DESC, id DESC LIMIT :limit) AS found

-- name: keys_beginning
SELECT key FROM scoped.record WHERE tenant = :tenant AND key >= :start AND key < :end ORDER BY key LIMIT 2

-- name: newer (sqlite)
SELECT edge.target, record.id, record.key FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.source
WHERE +edge.tenant = :tenant AND +record.tenant = :tenant AND edge.target IN (SELECT value FROM json_each(:ids))
  AND edge.canonical = 'MAY_SUPERSEDE' AND edge.weight > 0
ORDER BY edge.weight, record.id

-- name: newer (postgres)
SELECT edge.target, record.id, record.key
FROM scoped.edge JOIN scoped.record ON record.tenant = edge.tenant AND record.id = edge.source
WHERE edge.tenant = :tenant AND edge.target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'MAY_SUPERSEDE' AND edge.weight > 0
ORDER BY edge.weight, record.id
