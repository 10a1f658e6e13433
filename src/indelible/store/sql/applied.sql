-- name: find
SELECT digest, result FROM applied WHERE tenant = :tenant AND key = :key

-- name: add
INSERT INTO applied (tenant, key, digest, result, time) VALUES (:tenant, :key, :digest, :result, :time)

-- name: trim
DELETE FROM applied WHERE tenant = :tenant AND key IN (
  SELECT key FROM applied WHERE tenant = :tenant AND time < :before ORDER BY time LIMIT :limit)
