-- name: add (sqlite)
INSERT INTO access (record, tenant, count, last)
SELECT id, tenant, :count, :last FROM scoped.record WHERE tenant = :tenant AND id = :record
ON CONFLICT (record) DO UPDATE SET count = access.count + excluded.count,
  last = CASE WHEN excluded.last > access.last THEN excluded.last ELSE access.last END

-- name: add (postgres)
INSERT INTO access (record, tenant, count, last)
SELECT id, tenant, :count, :last FROM scoped.record WHERE tenant = :tenant AND id = :record
ON CONFLICT (tenant, record) DO UPDATE SET count = access.count + excluded.count,
  last = CASE WHEN excluded.last > access.last THEN excluded.last ELSE access.last END

-- name: of_records (sqlite)
SELECT record, count, last FROM scoped.access WHERE tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: of_records (postgres)
SELECT record, count, last FROM scoped.access
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: set (sqlite)
INSERT INTO access (record, tenant, count, last)
SELECT id, tenant, :count, :last FROM scoped.record WHERE tenant = :tenant AND id = :record
ON CONFLICT (record) DO UPDATE SET count = excluded.count, last = excluded.last

-- name: set (postgres)
INSERT INTO access (record, tenant, count, last)
SELECT id, tenant, :count, :last FROM scoped.record WHERE tenant = :tenant AND id = :record
ON CONFLICT (tenant, record) DO UPDATE SET count = excluded.count, last = excluded.last

-- name: remove
-- refused: readings of a record are those of every caller
DELETE FROM access WHERE tenant = :tenant AND record = :record
