-- What `doctor` reads to compare what the store says twice, and what mends it.
-- refused: doctor does

-- name: terms
SELECT record, space, size, body FROM terms WHERE tenant = :tenant AND record >= :low AND record <= :high

-- name: vectors
SELECT record, view, model, vector, code FROM embedding
WHERE +tenant = :tenant AND record >= :low AND record <= :high ORDER BY record, view

-- name: drop_terms
DELETE FROM terms WHERE +tenant = :tenant AND record = :record AND space = :space

-- name: set_hash
UPDATE record SET content_hash = :content_hash WHERE +tenant = :tenant AND id = :id

-- name: log_again
-- The triggers log each of them: every process reads it again, though nothing of the record itself is another.
UPDATE record SET updated = updated WHERE +tenant = :tenant AND id = :id

-- name: json_of_records (sqlite)
SELECT id, tags, metadata FROM record WHERE +tenant = :tenant AND id > :after
  AND (CASE WHEN json_valid(tags) THEN json_type(tags) <> 'array' ELSE 1 END
    OR CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE 1 END) ORDER BY id LIMIT :limit

-- name: json_of_records (postgres)
SELECT id, tags, metadata FROM record WHERE tenant = :tenant AND id > :after AND (tags <> '[]' OR metadata <> '{}')
ORDER BY id LIMIT :limit

-- name: mend_json_of_record
UPDATE record SET tags = :tags, metadata = :metadata WHERE +tenant = :tenant AND id = :id

-- name: json_of_edges (sqlite)
SELECT id, metadata FROM edge WHERE +tenant = :tenant AND id > :after
  AND CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE 1 END ORDER BY id LIMIT :limit

-- name: json_of_edges (postgres)
SELECT id, metadata FROM edge WHERE tenant = :tenant AND id > :after AND metadata <> '{}' ORDER BY id LIMIT :limit

-- name: mend_json_of_edge
UPDATE edge SET metadata = :metadata WHERE +tenant = :tenant AND id = :id

-- name: json_of_trash (sqlite)
SELECT id, body FROM trash WHERE +tenant = :tenant AND id > :after
  AND CASE WHEN json_valid(body) THEN json_type(body) <> 'object' ELSE 1 END ORDER BY id LIMIT :limit

-- name: json_of_trash (postgres)
SELECT id, body FROM trash WHERE tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: drop_trash
DELETE FROM trash WHERE +tenant = :tenant AND id = :id

-- name: json_of_record_versions (sqlite)
SELECT id, coalesce(tags, '[]'), coalesce(metadata, '{}') FROM record_version WHERE +tenant = :tenant AND id > :after
  AND (CASE WHEN tags IS NULL THEN 0 WHEN json_valid(tags) THEN json_type(tags) <> 'array' ELSE 1 END
    OR CASE WHEN metadata IS NULL THEN 0 WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE 1 END)
ORDER BY id LIMIT :limit

-- name: json_of_record_versions (postgres)
SELECT id, coalesce(tags, '[]'), coalesce(metadata, '{}') FROM record_version
WHERE tenant = :tenant AND id > :after AND (tags <> '[]' OR metadata <> '{}') ORDER BY id LIMIT :limit

-- name: drop_record_version
DELETE FROM record_version WHERE +tenant = :tenant AND id = :id

-- name: json_of_edge_versions (sqlite)
SELECT id, metadata FROM edge_version WHERE +tenant = :tenant AND id > :after
  AND CASE WHEN json_valid(metadata) THEN json_type(metadata) <> 'object' ELSE 1 END ORDER BY id LIMIT :limit

-- name: json_of_edge_versions (postgres)
SELECT id, metadata FROM edge_version WHERE tenant = :tenant AND id > :after AND metadata <> '{}' ORDER BY id LIMIT :limit

-- name: drop_edge_version
DELETE FROM edge_version WHERE +tenant = :tenant AND id = :id

-- name: json_of_activity (sqlite)
SELECT id, detail FROM activity WHERE +tenant = :tenant AND id > :after
  AND CASE WHEN json_valid(detail) THEN json_type(detail) <> 'object' ELSE 1 END ORDER BY id LIMIT :limit

-- name: json_of_activity (postgres)
SELECT id, detail FROM activity WHERE tenant = :tenant AND id > :after AND detail <> '{}' ORDER BY id LIMIT :limit

-- name: mend_json_of_activity
UPDATE activity SET detail = :detail WHERE +tenant = :tenant AND id = :id

-- name: json_of_events (sqlite)
SELECT id, records FROM event WHERE +tenant = :tenant AND id > :after
  AND CASE WHEN json_valid(records) THEN json_type(records) <> 'array' ELSE 1 END ORDER BY id LIMIT :limit

-- name: json_of_events (postgres)
SELECT id, records FROM event WHERE tenant = :tenant AND id > :after AND records <> '[]' ORDER BY id LIMIT :limit

-- name: mend_json_of_event
UPDATE event SET records = :records WHERE +tenant = :tenant AND id = :id

-- name: applied
SELECT key, result FROM applied WHERE tenant = :tenant

-- name: drop_applied
DELETE FROM applied WHERE tenant = :tenant AND key = :key

-- name: relations
SELECT DISTINCT relation, canonical FROM edge WHERE tenant = :tenant

-- name: set_canonical
UPDATE edge SET canonical = :right WHERE tenant = :tenant AND relation = :relation AND canonical = :canonical

-- name: still_current
SELECT record.id FROM edge JOIN record ON +record.tenant = edge.tenant AND record.id = edge.source
WHERE edge.tenant = :tenant AND edge.canonical IN ('EVOLVED_INTO', 'INVALIDATED_BY') AND record.replaced = 0
UNION
SELECT record.id FROM edge JOIN record ON +record.tenant = edge.tenant AND record.id = edge.target
WHERE edge.tenant = :tenant AND edge.canonical = 'SUPERSEDES' AND record.replaced = 0

-- name: shared_uids
SELECT uid, id FROM record WHERE tenant = :tenant
  AND uid IN (SELECT uid FROM record WHERE tenant = :tenant GROUP BY uid HAVING count(*) > 1)
ORDER BY uid, id

-- name: set_uid
UPDATE record SET uid = :uid WHERE tenant = :tenant AND id = :id

-- name: uncounted
SELECT record FROM access WHERE tenant = :tenant AND (count < 1 OR last < 0)

-- name: drop_access
DELETE FROM access WHERE +tenant = :tenant AND record = :record

-- name: highest_number (sqlite)
SELECT coalesce(max(CAST(key AS INTEGER)), 0) FROM record
WHERE tenant = :tenant AND kind IN ('document', 'chunk', 'todo', 'attempt')
  AND key <> '' AND key NOT GLOB '*[^0-9]*' AND length(key) <= 12 -- what is drawn by lot has 13

-- name: highest_number (postgres)
SELECT coalesce(max(key::bigint), 0) FROM record
WHERE tenant = :tenant AND kind IN ('document', 'chunk', 'todo', 'attempt') AND key ~ '^[0-9]{1,12}$' -- what is drawn by lot has 13

-- name: highest_id
SELECT greatest_of.id FROM (
  SELECT max(id) AS id FROM record WHERE tenant = :tenant
  UNION ALL SELECT max(record) FROM trash WHERE tenant = :tenant
  UNION ALL SELECT max(record) FROM record_version WHERE tenant = :tenant
  UNION ALL SELECT max(record) FROM change WHERE tenant = :tenant) AS greatest_of
WHERE greatest_of.id IS NOT NULL ORDER BY greatest_of.id DESC LIMIT 1

-- name: last_given_id (sqlite)
SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'record' AND :tenant = :tenant -- one tenant a file

-- name: last_given_id (postgres)
SELECT last FROM record_number WHERE tenant = :tenant

-- name: raise_ids (sqlite)
UPDATE sqlite_sequence SET seq = :id WHERE name = 'record' AND seq < :id AND :tenant = :tenant -- one tenant a file

-- name: raise_ids (postgres)
INSERT INTO record_number (tenant, last) VALUES (:tenant, :id)
ON CONFLICT (tenant) DO UPDATE SET last = greatest(record_number.last, excluded.last)

-- name: wrong_pending (sqlite)
SELECT pending.record FROM pending JOIN record ON record.id = pending.record
WHERE pending.tenant = :tenant AND (record.kind IN ('document', 'file', 'commit') OR record.text = ''
  OR (record.kind = 'symbol' AND record.type IN ('test', 'constant', 'variable', 'module'))
  OR pending.late <> CASE WHEN record.kind = 'symbol' THEN 1
    WHEN record.kind = 'message' AND pending.late = 2 AND record.metadata ->> '$.linked' IS NOT NULL THEN 2
    WHEN record.kind = 'memory' AND pending.late = 3 THEN 3 ELSE 0 END)

-- name: wrong_pending (postgres)
SELECT pending.record FROM pending JOIN record ON record.tenant = pending.tenant AND record.id = pending.record
WHERE pending.tenant = :tenant AND (record.kind IN ('document', 'file', 'commit') OR record.text = ''
  OR (record.kind = 'symbol' AND record.type IN ('test', 'constant', 'variable', 'module'))
  OR pending.late <> CASE WHEN record.kind = 'symbol' THEN 1
    WHEN record.kind = 'message' AND pending.late = 2 AND record.metadata::json ->> 'linked' IS NOT NULL THEN 2
    WHEN record.kind = 'memory' AND pending.late = 3 THEN 3 ELSE 0 END)

-- name: drop_pending
DELETE FROM pending WHERE +tenant = :tenant AND record = :record

-- name: symbols
SELECT symbol.record, symbol.qualified_name, symbol.tail, record.kind
FROM symbol JOIN record ON +record.tenant = symbol.tenant AND record.id = symbol.record
WHERE +symbol.tenant = :tenant AND symbol.record > :after ORDER BY symbol.record LIMIT :limit

-- name: set_tail
UPDATE symbol SET tail = :tail WHERE +tenant = :tenant AND record = :record

-- name: drop_symbol
DELETE FROM symbol WHERE +tenant = :tenant AND record = :record

-- name: files_of_other_kinds
SELECT source_file.record FROM source_file
JOIN record ON +record.tenant = source_file.tenant AND record.id = source_file.record
WHERE +source_file.tenant = :tenant AND record.kind <> 'file'

-- name: drop_file
DELETE FROM source_file WHERE +tenant = :tenant AND record = :record

-- name: orphan_names
SELECT id FROM symbol_name WHERE tenant = :tenant
  AND NOT EXISTS (SELECT 1 FROM symbol WHERE +symbol.tenant = :tenant AND symbol.name = symbol_name.id)

-- name: drop_name
DELETE FROM symbol_name WHERE +tenant = :tenant AND id = :id

-- name: read_all_again
UPDATE repository SET version = 0 WHERE tenant = :tenant

-- name: documents
SELECT id FROM record WHERE tenant = :tenant AND kind = 'document' ORDER BY id

-- name: orphan_chunks
SELECT DISTINCT session FROM record AS part WHERE part.tenant = :tenant AND part.kind = 'chunk'
  AND NOT EXISTS (SELECT 1 FROM record WHERE record.tenant = :tenant AND record.kind = 'document'
    AND record.key = substr(part.session, 10)) -- behind 'document:'

-- name: blocks_ahead
SELECT count(*) FROM posting_block WHERE tenant = :tenant AND change > :last

-- name: drop_blocks_ahead
DELETE FROM posting_block WHERE tenant = :tenant AND change > :last

-- name: drop_block
DELETE FROM posting_block WHERE tenant = :tenant AND space = :space AND block = :block
