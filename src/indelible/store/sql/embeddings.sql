-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: model
-- whole: models of the store, and of no project
SELECT id, dimensions FROM model WHERE tenant = :tenant AND name = :name

-- A view is the number of a window in its lower 20 bits. Where two models have embedded a record, the rows of the one
-- that came later have higher bits of their own.

-- name: models
-- whole: models of the store, and of no project
SELECT id, dimensions FROM model WHERE tenant = :tenant ORDER BY id

-- name: add_model
-- whole: models of the store, and of no project
INSERT INTO model (tenant, name, dimensions) VALUES (:tenant, :name, :dimensions) ON CONFLICT DO NOTHING

-- name: drop
DELETE FROM embedding WHERE scoped(embedding) AND +tenant = :tenant AND record = :record

-- name: add
-- checks: record
INSERT INTO embedding (record, view, tenant, model, vector, code) VALUES (:record, :view, :tenant, :model, :vector, :code)

-- name: vectors (sqlite)
SELECT record, vector FROM scoped.embedding
WHERE +tenant = :tenant AND model = :model AND record IN (SELECT value FROM json_each(:ids))

-- name: vectors (postgres)
SELECT record, vector FROM scoped.embedding
WHERE tenant = :tenant AND model = :model
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: codes_of (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, embedding.code
FROM scoped.embedding JOIN scoped.record ON record.id = embedding.record
WHERE +record.tenant = :tenant AND embedding.model = :model AND embedding.record IN (SELECT value FROM json_each(:ids))
  AND CASE WHEN record.kind = 'symbol' THEN 1 ELSE 0 END = :code
ORDER BY record.id, embedding.view

-- name: codes_of (postgres)
SELECT record.id, record.namespace, record.kind, record.type, embedding.code
FROM scoped.embedding JOIN scoped.record ON record.tenant = embedding.tenant AND record.id = embedding.record
WHERE record.tenant = :tenant AND embedding.model = :model
  AND embedding.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND CASE WHEN record.kind = 'symbol' THEN 1 ELSE 0 END = :code
ORDER BY record.id, embedding.view

-- name: codes_in_range
SELECT record.id, record.namespace, record.kind, record.type, embedding.code
FROM scoped.record JOIN scoped.embedding ON +embedding.tenant = record.tenant AND embedding.record = record.id
WHERE +record.tenant = :tenant AND embedding.model = :model AND record.id >= :low AND record.id < :high
  AND CASE WHEN record.kind = 'symbol' THEN 1 ELSE 0 END = :code
ORDER BY record.id, embedding.view

-- name: count_in_range
SELECT count(*) FROM scoped.embedding
WHERE +tenant = :tenant AND model = :model AND record >= :low AND record < :high AND view & 1048575 = 0

-- name: count_by_model
SELECT model.name, count(*) FROM scoped.embedding JOIN model ON +model.tenant = embedding.tenant
  AND model.id = embedding.model
WHERE embedding.tenant = :tenant AND embedding.view & 1048575 = 0
GROUP BY model.name ORDER BY model.name

-- name: next_views
SELECT coalesce(max(view) / 1048576 + 1, 0) * 1048576 FROM scoped.embedding WHERE +tenant = :tenant AND record = :record

-- name: log (sqlite)
-- refused: only the owner's background work adds what no trigger logs
INSERT INTO change (tenant, record, operation) VALUES (:tenant, :record, 'embed')

-- Every write holds its tenant's lock, so that none conflicts; but where none may, a coordinator copies the row of such a
-- statement to its node, which row-level security refuses.
-- name: log (postgres)
-- refused: only the owner's background work adds what no trigger logs
INSERT INTO change (tenant, position, record, operation)
SELECT :tenant, coalesce(max(position), 0) + 1, :record, 'embed' FROM change WHERE tenant = :tenant
ON CONFLICT (tenant, position) DO NOTHING

-- name: drop_of
-- refused: only the owner's background work knows of two models
DELETE FROM embedding WHERE +tenant = :tenant AND record = :record AND model = :model

-- name: drop_from
-- refused: the vectors of a model are of every namespace
DELETE FROM embedding WHERE tenant = :tenant AND model = :model AND record >= :low AND record < :high

-- name: lacking
-- refused: it looks at records of every namespace
SELECT record FROM embedding
WHERE tenant = :tenant AND record < :before AND view = (
    SELECT min(every.view) FROM embedding AS every WHERE every.tenant = :tenant AND every.record = embedding.record)
  AND NOT EXISTS (SELECT 1 FROM embedding AS own
    WHERE own.tenant = :tenant AND own.record = embedding.record AND own.model = :model)
ORDER BY record DESC LIMIT :limit

-- name: lacking_of (sqlite)
-- refused: it looks at records of every namespace
SELECT DISTINCT record FROM embedding WHERE +tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (SELECT 1 FROM embedding AS own
    WHERE +own.tenant = :tenant AND own.record = embedding.record AND own.model = :model)

-- name: lacking_of (postgres)
-- refused: it looks at records of every namespace
SELECT DISTINCT record FROM embedding
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND NOT EXISTS (SELECT 1 FROM embedding AS own
    WHERE own.tenant = :tenant AND own.record = embedding.record AND own.model = :model)
