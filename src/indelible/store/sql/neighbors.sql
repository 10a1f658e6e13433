-- What pgvector knows of the nearest vectors. SQLite has none of it, nor has a server without the extension.

-- name: whole (sqlite)
-- whole: whether there is an index, of which nothing is read
SELECT 1 WHERE :tenant + :model + :code < 0

-- name: whole (postgres)
-- whole: whether there is an index, of which nothing is read
SELECT 1 WHERE to_regclass(concat('neighbors_', :tenant::bigint, '_', :model::bigint, '_', :code::bigint)) IS NOT NULL

-- name: nearest (sqlite)
SELECT 0 WHERE :tenant + :model + :code < 0 AND :asked || :among <> '' AND :dimensions + :most < 0

-- name: nearest (postgres)
SELECT nearest_embeddings(:tenant, :model, :code, :dimensions, :asked, :most, :among)

-- name: nearest_limited
-- whole: it finds nothing. There would be ids of what others have; shared caches ask, and mask what they are given
SELECT 0 WHERE :tenant < 0
