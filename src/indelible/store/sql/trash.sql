-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: add
INSERT INTO trash (tenant, operation, tool, action, record, key, body, time)
VALUES (:tenant, :operation, :tool, :action, :record, :key, :body, :time)

-- name: last_operation
SELECT operation FROM trash WHERE +tenant = :tenant AND undone = 0 AND tool <> 'undo' ORDER BY id DESC LIMIT 1

-- name: of_operation
SELECT id, operation, tool, action, record, key, body, time, undone
FROM trash WHERE tenant = :tenant AND operation = :operation ORDER BY id DESC

-- name: of_key
SELECT id, operation, tool, action, record, key, body, time, undone
FROM trash WHERE tenant = :tenant AND key = :key ORDER BY id DESC

-- name: later
SELECT DISTINCT later.operation, later.tool FROM trash AS later
JOIN trash AS own ON own.tenant = later.tenant AND own.record = later.record AND own.id < later.id
WHERE later.tenant = :tenant AND own.operation = :operation AND later.operation <> :operation
  AND later.undone = 0 AND later.tool <> 'undo'
ORDER BY later.operation

-- name: deletion
SELECT id, operation, tool, action, record, key, body, time, undone
FROM trash WHERE tenant = :tenant AND record = :record AND action = 'delete' AND undone = 0 ORDER BY id DESC LIMIT 1

-- name: set_body
UPDATE trash SET body = :body WHERE tenant = :tenant AND id = :id

-- name: mark_undone
UPDATE trash SET undone = :time WHERE tenant = :tenant AND operation = :operation AND undone = 0

-- name: trim
DELETE FROM trash WHERE id IN (SELECT id FROM trash WHERE +tenant = :tenant ORDER BY id LIMIT :limit)
  AND time < :before

-- name: count
SELECT count(*) FROM trash WHERE tenant = :tenant AND undone = 0

-- name: recent
SELECT id, operation, tool, action, record, key, body, time, undone
FROM trash WHERE +tenant = :tenant ORDER BY id DESC LIMIT :limit
