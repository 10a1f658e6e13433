-- Earlier states of records and relations, which triggers keep (migration 12).
-- `+tenant` keeps SQLite from walking an index on the tenant where ids lead to the rows.

-- name: of_records (sqlite)
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known
FROM scoped.record_version
WHERE tenant = :tenant AND record IN (SELECT value FROM json_each(:ids)) AND time > :time
ORDER BY id DESC

-- name: of_records (postgres)
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known
FROM scoped.record_version
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND time > :time
ORDER BY id DESC

-- name: current (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known
FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: current (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known
FROM scoped.record WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- Of rows of the trash, which say themselves who sees them.
-- name: numbered (sqlite)
-- whole: the row of the trash is one that the caller sees
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known, id
FROM record_version WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:versions))

-- name: numbered (postgres)
-- whole: the row of the trash is one that the caller sees
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known, id
FROM record_version WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:versions::json)))

-- name: following (sqlite)
-- whole: texts of a state that the caller sees
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known, id
FROM record_version
WHERE tenant = :tenant AND record IN (SELECT value FROM json_each(:ids)) AND id > :after ORDER BY id DESC

-- name: following (postgres)
-- whole: texts of a state that the caller sees
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known, id
FROM record_version
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND id > :after
ORDER BY id DESC

-- name: newest_edge (sqlite)
-- whole: a number, which says nothing
SELECT max(id) FROM edge_version WHERE +tenant = :tenant

-- name: newest_edge (postgres)
-- whole: a number, which says nothing
SELECT max(version) FROM record_number WHERE tenant = :tenant

-- name: edges_after (sqlite)
-- whole: the row of the trash is one that the caller sees
SELECT id, edge, source, target, relation, canonical, weight, metadata, created, uid, origin FROM edge_version
WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:sources)) AND id > :after ORDER BY id DESC

-- name: edges_after (postgres)
-- whole: the row of the trash is one that the caller sees
SELECT id, edge, source, target, relation, canonical, weight, metadata, created, uid, origin FROM edge_version
WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:sources::json)))
  AND id > :after
ORDER BY id DESC

-- name: edges_now (sqlite)
-- whole: the row of the trash is one that the caller sees
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin FROM edge
WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: edges_now (postgres)
-- whole: the row of the trash is one that the caller sees
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin FROM edge
WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: ids_after
SELECT id FROM scoped.record WHERE +tenant = :tenant AND id > :after AND kind NOT IN ('symbol', 'file', 'commit')
UNION SELECT record FROM scoped.record_version WHERE tenant = :tenant AND record > :after AND time > :time
ORDER BY 1 LIMIT :limit

-- name: changed (sqlite)
SELECT DISTINCT record FROM scoped.record_version
WHERE tenant = :tenant AND time > :time AND kind IN (SELECT value FROM json_each(:kinds))
ORDER BY record

-- name: changed (postgres)
SELECT DISTINCT record FROM scoped.record_version
WHERE tenant = :tenant AND time > :time AND kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
ORDER BY record

-- name: later (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind IN (SELECT value FROM json_each(:kinds)) AND known > :time ORDER BY id

-- name: later (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind IN (SELECT value FROM json_array_elements_text(:kinds::json)) AND known > :time ORDER BY id

-- name: keyed
SELECT id FROM scoped.record WHERE tenant = :tenant AND key = :key
UNION SELECT record FROM scoped.record_version WHERE tenant = :tenant AND key = :key
ORDER BY 1

-- name: of_key
SELECT record, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin, known
FROM scoped.record_version WHERE tenant = :tenant AND key = :key ORDER BY id DESC

-- name: edges_current (sqlite)
-- whole: whose ends a caller does not see then, it does not get (core/records/past.py)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin, known FROM edge
WHERE +tenant = :tenant AND id IN (
    SELECT id FROM edge WHERE source IN (SELECT value FROM json_each(:ids))
    UNION SELECT id FROM edge WHERE target IN (SELECT value FROM json_each(:ids)))
  AND coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention')

-- name: edges_current (postgres)
-- whole: whose ends a caller does not see then, it does not get (core/records/past.py)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin, known FROM edge
WHERE tenant = :tenant AND (source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    OR target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
  AND coalesce(metadata::json ->> 'origin', '') NOT IN ('index', 'mention')

-- name: edges_of (sqlite)
-- whole: whose ends a caller does not see then, it does not get (core/records/past.py)
SELECT edge, source, target, relation, canonical, weight, metadata, created, uid, origin, known FROM edge_version
WHERE tenant = :tenant AND time > :time AND id IN (
    SELECT id FROM edge_version WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids))
    UNION SELECT id FROM edge_version WHERE tenant = :tenant AND target IN (SELECT value FROM json_each(:ids)))
ORDER BY id DESC

-- name: edges_of (postgres)
-- whole: whose ends a caller does not see then, it does not get (core/records/past.py)
SELECT edge, source, target, relation, canonical, weight, metadata, created, uid, origin, known FROM edge_version
WHERE tenant = :tenant AND time > :time
  AND (source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    OR target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
ORDER BY id DESC

-- name: drop (sqlite)
-- refused: history is kept for every caller
DELETE FROM record_version WHERE tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: drop (postgres)
-- refused: history is kept for every caller
DELETE FROM record_version WHERE tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: drop_edges (sqlite)
-- refused: history is kept for every caller
DELETE FROM edge_version WHERE tenant = :tenant AND id IN (
  SELECT id FROM edge_version WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids))
  UNION SELECT id FROM edge_version WHERE tenant = :tenant AND target IN (SELECT value FROM json_each(:ids)))

-- name: drop_edges (postgres)
-- refused: history is kept for every caller
DELETE FROM edge_version WHERE tenant = :tenant
  AND (source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    OR target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))

-- name: after
SELECT id, record, namespace, kind, key, text, content_hash, time, updated, deleted, uid FROM scoped.record_version
WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: drop_rows (sqlite)
-- refused: history is kept for every caller
DELETE FROM record_version WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: drop_rows (postgres)
-- refused: history is kept for every caller
DELETE FROM record_version WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: drop_edges_before
-- refused: history is kept for every caller
DELETE FROM edge_version WHERE tenant = :tenant AND time < :before

-- name: fill
-- refused: history is kept for every caller
UPDATE record_version SET text = :text, tags = :tags, metadata = :metadata WHERE tenant = :tenant AND id = :id

-- name: chunks (sqlite)
SELECT id, session, text FROM scoped.record_version
WHERE tenant = :tenant AND kind = 'chunk' AND text IS NOT NULL AND session IN (SELECT value FROM json_each(:sessions))
ORDER BY id

-- name: chunks (postgres)
SELECT id, session, text FROM scoped.record_version
WHERE tenant = :tenant AND kind = 'chunk' AND text IS NOT NULL
  AND session IN (SELECT value FROM json_array_elements_text(:sessions::json))
ORDER BY id

-- name: set_text
-- refused: history is kept for every caller
UPDATE record_version SET text = :text WHERE tenant = :tenant AND id = :id
