-- name: ids
SELECT id FROM scoped.record WHERE tenant = :tenant AND kind = 'vector'

-- name: of_records (sqlite)
SELECT id, key, updated, metadata FROM scoped.record
WHERE +tenant = :tenant AND +kind = 'vector' AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: of_records (postgres)
SELECT id, key, updated, metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'vector'
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id
