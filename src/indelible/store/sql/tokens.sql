-- refused: a token is of the whole store

-- name: add
INSERT INTO token (tenant, key, name, hash, scope, namespaces, created, expires, used, revoked)
VALUES (:tenant, :key, :name, :hash, :scope, :namespaces, :created, :expires, :used, :revoked)

-- name: by_hash
SELECT key, name, scope, namespaces, created, expires, used, revoked, hash
FROM token WHERE tenant = :tenant AND hash = :hash

-- name: all
SELECT key, name, scope, namespaces, created, expires, used, revoked, hash
FROM token WHERE tenant = :tenant ORDER BY id

-- name: any
SELECT 1 FROM token WHERE tenant = :tenant LIMIT 1

-- name: any_for_some
SELECT 1 FROM token WHERE tenant = :tenant AND namespaces <> :but LIMIT 1

-- name: clear
DELETE FROM token WHERE tenant = :tenant

-- name: revoke
UPDATE token SET revoked = :time WHERE tenant = :tenant AND key = :key AND revoked IS NULL

-- name: expire
UPDATE token SET expires = :time
WHERE tenant = :tenant AND key = :key AND revoked IS NULL AND (expires IS NULL OR expires > :time)

-- name: used
UPDATE token SET used = :time WHERE tenant = :tenant AND key = :key AND (used IS NULL OR used < :time)
