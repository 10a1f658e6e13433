-- name: find
-- whole: a key is kept with the id of its caller
SELECT digest, result FROM applied WHERE tenant = :tenant AND key = :key

-- name: add
-- whole: a key is kept with the id of its caller
INSERT INTO applied (tenant, key, digest, result, time) VALUES (:tenant, :key, :digest, :result, :time)

-- name: trim
-- refused: answers of all callers are kept there
DELETE FROM applied WHERE tenant = :tenant AND key IN (
  SELECT key FROM applied WHERE tenant = :tenant AND time < :before ORDER BY time LIMIT :limit)
