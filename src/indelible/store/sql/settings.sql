-- name: find
SELECT value FROM setting WHERE tenant = :tenant AND name = :name

-- name: put
INSERT INTO setting (tenant, name, value) VALUES (:tenant, :name, :value)
ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value

-- name: drop
DELETE FROM setting WHERE tenant = :tenant AND name = :name
