-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: put (sqlite)
-- checks: record
INSERT INTO terms (record, space, tenant, size, body) VALUES (:record, :space, :tenant, :size, :body)
ON CONFLICT (record, space) DO UPDATE SET size = excluded.size, body = excluded.body

-- name: put (postgres)
-- checks: record
INSERT INTO terms (record, space, tenant, size, body) VALUES (:record, :space, :tenant, :size, :body)
ON CONFLICT (tenant, record, space) DO UPDATE SET size = excluded.size, body = excluded.body

-- name: drop
DELETE FROM terms WHERE scoped(terms) AND +tenant = :tenant AND record = :record AND space = :space

-- name: of_records (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.terms JOIN scoped.record ON record.id = terms.record
WHERE +record.tenant = :tenant AND terms.space = :space AND terms.record IN (SELECT value FROM json_each(:ids))
ORDER BY record.id

-- name: of_records (postgres)
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.terms JOIN scoped.record ON record.tenant = terms.tenant AND record.id = terms.record
WHERE +record.tenant = :tenant AND terms.space = :space
  AND terms.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY record.id

-- name: in_range
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.record JOIN scoped.terms ON +terms.tenant = record.tenant AND terms.record = record.id
WHERE +record.tenant = :tenant AND terms.space = :space AND record.id >= :low AND record.id < :high
ORDER BY record.id

-- name: sparse_of_records (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.terms JOIN scoped.record ON record.id = terms.record
  JOIN scoped.embedding ON embedding.record = terms.record AND embedding.view & 1048575 = 0
WHERE +record.tenant = :tenant AND terms.space = :space AND embedding.model = :model
  AND terms.record IN (SELECT value FROM json_each(:ids))
ORDER BY record.id

-- name: sparse_of_records (postgres)
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.terms JOIN scoped.record ON record.tenant = terms.tenant AND record.id = terms.record
  JOIN scoped.embedding ON embedding.tenant = terms.tenant AND embedding.record = terms.record AND embedding.view & 1048575 = 0
WHERE record.tenant = :tenant AND terms.space = :space AND embedding.model = :model
  AND terms.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY record.id

-- name: sparse_in_range
SELECT record.id, record.namespace, record.kind, record.type, terms.size, terms.body
FROM scoped.record JOIN scoped.terms ON +terms.tenant = record.tenant AND terms.record = record.id
  JOIN scoped.embedding ON +embedding.tenant = record.tenant AND embedding.record = record.id AND embedding.view & 1048575 = 0
WHERE +record.tenant = :tenant AND terms.space = :space AND embedding.model = :model
  AND record.id >= :low AND record.id < :high
ORDER BY record.id

-- name: blocks
-- refused: a block of postings is of every namespace
SELECT block, change, records, body FROM posting_block
WHERE tenant = :tenant AND space = :space AND version = :version
ORDER BY block

-- name: block
-- refused: a block of postings is of every namespace
SELECT change, body FROM posting_block
WHERE tenant = :tenant AND space = :space AND version = :version AND block = :block

-- name: put_block
-- refused: a block of postings is of every namespace
INSERT INTO posting_block (tenant, space, block, change, version, records, body)
VALUES (:tenant, :space, :block, :change, :version, :records, :body)
ON CONFLICT (tenant, space, block) DO UPDATE SET change = excluded.change, version = excluded.version,
  records = excluded.records, body = excluded.body
WHERE posting_block.change <= excluded.change OR posting_block.version <> excluded.version

-- name: drop_space
-- refused: a block of postings is of every namespace
DELETE FROM posting_block WHERE tenant = :tenant AND space = :space

-- name: block_sizes
-- refused: a block of postings is of every namespace
SELECT block, change, records FROM posting_block
WHERE tenant = :tenant AND space = :space AND version = :version
ORDER BY block

-- name: count_in_range
SELECT count(*) FROM scoped.record WHERE +tenant = :tenant AND id >= :low AND id < :high

-- name: records_without
SELECT count(*) FROM scoped.record
WHERE tenant = :tenant AND NOT EXISTS (
  SELECT 1 FROM scoped.terms WHERE +terms.tenant = :tenant AND terms.record = record.id
    AND terms.space = CASE WHEN record.kind IN ('symbol', 'file') THEN :code + 0
      WHEN record.kind = 'commit' THEN :commit + 0 ELSE :space + 0 END)

-- name: move_block
-- refused: a block of postings is of every namespace
UPDATE posting_block SET change = :change WHERE tenant = :tenant AND space = :space AND block = :block
