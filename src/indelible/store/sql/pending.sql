-- `late` is the kind of work, in the order in which it is done: see `Work` in store/tables/pending.py.

-- name: take
UPDATE pending SET owner = :owner, until = :until
WHERE scoped(pending) AND +tenant = :tenant AND record IN (
  SELECT record FROM scoped.pending
  WHERE tenant = :tenant AND late >= :first AND late <= :last AND (until <= :now OR until > :latest)
  ORDER BY late, record DESC LIMIT :limit)
RETURNING record, late

-- name: done
DELETE FROM pending WHERE scoped(pending) AND tenant = :tenant AND record = :record AND owner = :owner

-- What is never embedded is on the list only because triggers do not know it.
-- name: never (sqlite)
DELETE FROM pending WHERE scoped(pending) AND +tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: never (postgres)
DELETE FROM pending WHERE scoped(pending) AND tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: link_next (sqlite)
UPDATE pending SET late = 2, owner = '', until = 0
WHERE scoped(pending) AND tenant = :tenant AND record = :record AND owner = :owner
  AND EXISTS (SELECT 1 FROM scoped.record WHERE record.id = :record AND record.kind = 'message'
    AND record.metadata ->> '$.linked' IN ('by words', 'measured by words'))

-- name: link_next (postgres)
UPDATE pending SET late = 2, owner = '', until = 0
WHERE scoped(pending) AND tenant = :tenant AND record = :record AND owner = :owner
  AND EXISTS (SELECT 1 FROM scoped.record WHERE record.tenant = :tenant AND record.id = :record
    AND record.kind = 'message' AND record.metadata::json ->> 'linked' IN ('by words', 'measured by words'))

-- name: compare_next
UPDATE pending SET late = 3, owner = '', until = 0
WHERE scoped(pending) AND tenant = :tenant AND record = :record AND owner = :owner

-- name: add_link
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late) VALUES (:record, :tenant, 2) ON CONFLICT DO NOTHING

-- name: add_compare (sqlite)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, 3 FROM record WHERE +tenant = :tenant AND kind = 'memory'
  AND id IN (SELECT value FROM json_each(:ids))
  AND EXISTS (SELECT 1 FROM embedding WHERE +embedding.tenant = :tenant AND embedding.record = record.id)
ON CONFLICT DO NOTHING

-- name: add_compare (postgres)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, 3 FROM record WHERE tenant = :tenant AND kind = 'memory'
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND EXISTS (SELECT 1 FROM embedding WHERE embedding.tenant = :tenant AND embedding.record = record.id)
ON CONFLICT DO NOTHING

-- name: memories_before
SELECT id FROM scoped.record WHERE tenant = :tenant AND kind = 'memory' AND id < :before ORDER BY id DESC LIMIT :limit

-- name: unlinked (sqlite)
SELECT record.id FROM scoped.record WHERE +record.tenant = :tenant AND record.kind = 'message'
  AND record.metadata ->> '$.linked' IN ('by words', 'measured by words')
  AND NOT EXISTS (SELECT 1 FROM scoped.pending WHERE +pending.tenant = :tenant AND pending.record = record.id)
ORDER BY record.id

-- name: unlinked (postgres)
SELECT record.id FROM scoped.record WHERE record.tenant = :tenant AND record.kind = 'message'
  AND record.metadata::json ->> 'linked' IN ('by words', 'measured by words')
  AND NOT EXISTS (SELECT 1 FROM scoped.pending WHERE pending.tenant = :tenant AND pending.record = record.id)
ORDER BY record.id

-- Of an owner by their keys: there is no index of owners, and a million may wait.
-- name: release (sqlite)
UPDATE pending SET owner = '', until = 0
WHERE scoped(pending) AND +tenant = :tenant AND owner = :owner AND record IN (SELECT value FROM json_each(:ids))

-- name: release (postgres)
UPDATE pending SET owner = '', until = 0
WHERE scoped(pending) AND tenant = :tenant AND owner = :owner
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: prolong (sqlite)
UPDATE pending SET until = :until
WHERE scoped(pending) AND +tenant = :tenant AND owner = :owner AND record IN (SELECT value FROM json_each(:ids))

-- name: prolong (postgres)
UPDATE pending SET until = :until
WHERE scoped(pending) AND tenant = :tenant AND owner = :owner
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: count
SELECT count(*) FROM scoped.pending WHERE tenant = :tenant AND late <= 1

-- A range of one value: PostgreSQL would else take the order of the records from another index, and walk over the rest.
-- name: newest
SELECT record, owner FROM scoped.pending WHERE tenant = :tenant AND late >= :late AND late <= :late
ORDER BY late, record DESC LIMIT :limit

-- name: groups (sqlite)
SELECT record.kind, record.namespace, json_group_array(record.id), min(waiting.owner <> '')
FROM (SELECT record, owner FROM scoped.pending WHERE tenant = :tenant AND late = :late ORDER BY record DESC LIMIT :limit)
  AS waiting CROSS JOIN scoped.record ON record.id = waiting.record
GROUP BY record.kind, record.namespace

-- name: groups (postgres)
SELECT record.kind, record.namespace, json_agg(record.id)::text, bool_and(waiting.owner <> '')
FROM (SELECT record, owner FROM scoped.pending WHERE tenant = :tenant AND late >= :late AND late <= :late
  ORDER BY late, record DESC LIMIT :limit) AS waiting
JOIN scoped.record ON record.tenant = :tenant AND record.id = waiting.record
GROUP BY record.kind, record.namespace

-- name: unembedded (sqlite)
SELECT record FROM scoped.pending
WHERE +tenant = :tenant AND +late <= 1 AND record IN (SELECT value FROM json_each(:ids))

-- name: unembedded (postgres)
SELECT record FROM scoped.pending
WHERE tenant = :tenant AND late <= 1 AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: any_free
SELECT 1 FROM scoped.pending
WHERE tenant = :tenant AND late >= :first AND late <= :last AND (until <= :now OR until > :latest) LIMIT 1

-- name: add_other_models (sqlite)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, CASE WHEN kind = 'symbol' THEN 1 ELSE 0 END FROM record
WHERE tenant = :tenant
  AND EXISTS (SELECT 1 FROM embedding WHERE +embedding.tenant = :tenant AND embedding.record = record.id)
  AND NOT EXISTS (SELECT 1 FROM embedding
    WHERE +embedding.tenant = :tenant AND embedding.record = record.id AND embedding.model = :model)
ON CONFLICT (record) DO UPDATE SET late = excluded.late, owner = '', until = 0 WHERE pending.late >= 2

-- name: add_other_models (postgres)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, CASE WHEN kind = 'symbol' THEN 1 ELSE 0 END FROM record
WHERE tenant = :tenant
  AND EXISTS (SELECT 1 FROM embedding WHERE embedding.tenant = :tenant AND embedding.record = record.id)
  AND NOT EXISTS (SELECT 1 FROM embedding
    WHERE embedding.tenant = :tenant AND embedding.record = record.id AND embedding.model = :model)
ON CONFLICT (tenant, record) DO UPDATE SET late = excluded.late, owner = '', until = 0 WHERE pending.late >= 2

-- name: forgotten
SELECT count(*) FROM scoped.record WHERE tenant = :tenant AND kind NOT IN ('document', 'file', 'commit') AND text <> ''
  AND NOT (kind = 'symbol' AND type IN ('test', 'constant', 'variable', 'module'))
  AND NOT EXISTS (SELECT 1 FROM scoped.embedding WHERE +embedding.tenant = :tenant AND embedding.record = record.id)
  AND NOT EXISTS (SELECT 1 FROM scoped.pending WHERE +pending.tenant = :tenant AND pending.record = record.id
    AND pending.late <= 1)

-- name: add_forgotten (sqlite)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, CASE WHEN kind = 'symbol' THEN 1 ELSE 0 END
FROM record WHERE tenant = :tenant AND kind NOT IN ('document', 'file', 'commit') AND text <> ''
  AND NOT (kind = 'symbol' AND type IN ('test', 'constant', 'variable', 'module'))
  AND NOT EXISTS (SELECT 1 FROM embedding WHERE +embedding.tenant = :tenant AND embedding.record = record.id)
ON CONFLICT (record) DO UPDATE SET late = excluded.late, owner = '', until = 0 WHERE pending.late >= 2

-- name: add_forgotten (postgres)
-- refused: it queues records of every namespace
INSERT INTO pending (record, tenant, late)
SELECT id, tenant, CASE WHEN kind = 'symbol' THEN 1 ELSE 0 END
FROM record WHERE tenant = :tenant AND kind NOT IN ('document', 'file', 'commit') AND text <> ''
  AND NOT (kind = 'symbol' AND type IN ('test', 'constant', 'variable', 'module'))
  AND NOT EXISTS (SELECT 1 FROM embedding WHERE +embedding.tenant = :tenant AND embedding.record = record.id)
ON CONFLICT (tenant, record) DO UPDATE SET late = excluded.late, owner = '', until = 0 WHERE pending.late >= 2
