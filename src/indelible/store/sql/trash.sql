-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: add
-- checks: record
INSERT INTO trash (tenant, operation, tool, action, record, key, body, time, who, bulk, additive, revision, reverses,
  version)
VALUES (:tenant, :operation, :tool, :action, :record, :key, :body, :time, :who, :bulk, :additive, :revision, :reverses,
  :version)

-- name: last_operation
SELECT operation FROM scoped.trash WHERE +tenant = :tenant AND undone = 0 AND reverses <> 1 ORDER BY id DESC LIMIT 1

-- name: of_operation
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation ORDER BY id DESC

-- name: operations
SELECT operation, max(id) FROM scoped.trash WHERE tenant = :tenant
GROUP BY operation HAVING max(id) < :below ORDER BY max(id) DESC LIMIT :limit

-- A row may tell of many things that a call added, let decay, or took away.
-- name: actions (sqlite)
SELECT action, sum(CASE WHEN action <> 'edge' THEN 1 ELSE max(1,
  coalesce(json_array_length(body, '$.added.edges'), 0), coalesce(json_array_length(body, '$.added.weights'), 0),
  coalesce(json_array_length(body, '$.added.records'), 0), coalesce(json_array_length(body, '$.edges'), 0)) END)
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation GROUP BY action ORDER BY action

-- name: actions (postgres)
SELECT action, sum(CASE WHEN action <> 'edge' THEN 1 ELSE greatest(1,
  coalesce(json_array_length(body::json #> '{added,edges}'), 0),
  coalesce(json_array_length(body::json #> '{added,weights}'), 0),
  coalesce(json_array_length(body::json #> '{added,records}'), 0),
  coalesce(json_array_length(body::json -> 'edges'), 0)) END)
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation GROUP BY action ORDER BY action

-- name: first_of_operation
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation ORDER BY id LIMIT :limit

-- name: of_key
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND key = :key ORDER BY id DESC

-- name: keys_beginning
SELECT DISTINCT key FROM scoped.trash WHERE tenant = :tenant AND key >= :start AND key < :end ORDER BY key LIMIT 2

-- The undo of a later change leaves things as they were before that, and what is done again as before the undo.
-- name: later
SELECT DISTINCT later.operation, later.tool FROM scoped.trash AS later
JOIN scoped.trash AS own ON own.tenant = later.tenant AND own.record = later.record AND own.id < later.id
WHERE later.tenant = :tenant AND own.operation = :operation AND later.operation <> :operation
  AND later.undone = 0 AND later.reverses <> CASE own.reverses WHEN 1 THEN 2 ELSE 1 END
ORDER BY later.operation

-- name: deletion
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND record = :record AND action = 'delete' AND undone = 0
ORDER BY id DESC LIMIT 1

-- name: deletion_times (sqlite)
SELECT record, max(time) FROM scoped.trash WHERE tenant = :tenant AND action = 'delete' AND undone = 0
  AND record IN (SELECT value FROM json_each(:ids)) GROUP BY record

-- name: deletion_times (postgres)
SELECT record, max(time) FROM scoped.trash WHERE tenant = :tenant AND action = 'delete' AND undone = 0
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))) GROUP BY record

-- name: set_body
-- refused: the trash is kept for every caller
UPDATE trash SET body = :body WHERE tenant = :tenant AND id = :id

-- name: mark_undone
-- refused: the trash is kept for every caller
UPDATE trash SET undone = :time WHERE tenant = :tenant AND operation = :operation AND undone = 0

-- name: of_operation_last
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation ORDER BY id DESC LIMIT 1

-- name: last_of_operation
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE tenant = :tenant AND operation = :operation AND id < :below AND undone = 0
ORDER BY id DESC LIMIT :limit

-- name: mark_part_undone
-- refused: the trash is kept for every caller
UPDATE trash SET undone = :time
WHERE tenant = :tenant AND operation = :operation AND undone = 0 AND id >= :first AND id <= :last

-- name: trim
-- refused: the trash is kept for every caller
DELETE FROM trash WHERE +tenant = :tenant AND id IN (SELECT id FROM trash
  WHERE +tenant = :tenant ORDER BY id LIMIT :limit)
  AND time < :before

-- name: count
SELECT count(*) FROM scoped.trash WHERE tenant = :tenant AND undone = 0

-- name: recent
SELECT id, operation, tool, action, record, key, body, version, time, undone, who, bulk, additive, revision, reverses
FROM scoped.trash WHERE +tenant = :tenant ORDER BY id DESC LIMIT :limit

-- A version keeps the text of a state only where the change was one of the text.
-- name: count_updates (sqlite)
SELECT record.id, count(*) FROM scoped.trash AS own
JOIN scoped.record ON record.id = own.record
LEFT JOIN scoped.record_version AS was ON was.id = own.version AND was.deleted = 0
WHERE own.tenant = :tenant AND own.action = 'update' AND own.undone = 0 AND own.reverses <> 1
  AND own.record IN (SELECT value FROM json_each(:ids)) AND (own.revision = 1 OR was.text IS NOT NULL)
GROUP BY record.id

-- name: count_updates (postgres)
SELECT record.id, count(*) FROM scoped.trash AS own
JOIN scoped.record ON record.tenant = own.tenant AND record.id = own.record
LEFT JOIN scoped.record_version AS was ON was.tenant = own.tenant AND was.id = own.version AND was.deleted = 0
WHERE own.tenant = :tenant AND own.action = 'update' AND own.undone = 0 AND own.reverses <> 1
  AND own.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND (own.revision = 1 OR was.text IS NOT NULL)
GROUP BY record.id
