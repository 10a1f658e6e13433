-- name: find
-- whole: settings are of the store, and of no project
SELECT value FROM setting WHERE tenant = :tenant AND name = :name

-- name: which_of
-- whole: settings are of the store, and of no project
SELECT name FROM setting WHERE tenant = :tenant AND name IN (:name, :other_name)

-- name: put
-- refused: a setting holds for every caller
INSERT INTO setting (tenant, name, value) VALUES (:tenant, :name, :value)
ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value

-- name: drop
-- refused: a setting holds for every caller
DELETE FROM setting WHERE tenant = :tenant AND name = :name
