-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows, CROSS JOIN from
-- beginning elsewhere.

-- name: add
-- checks: record, file
INSERT INTO symbol (record, tenant, file, name, qualified_name, tail, signature, doc, visibility, line, start_line, end_line,
  parent, is_test, body_hash, gone, places)
VALUES (:record, :tenant, :file, :name, :qualified_name, :tail, :signature, :doc, :visibility, :line, :start_line, :end_line,
  :parent, :is_test, :body_hash, :gone, :places)

-- name: change
-- checks: record, file
UPDATE symbol SET file = :file, name = :name, qualified_name = :qualified_name, tail = :tail, signature = :signature,
  doc = :doc, visibility = :visibility, line = :line, start_line = :start_line, end_line = :end_line, parent = :parent,
  is_test = :is_test, body_hash = :body_hash, gone = :gone, places = :places
WHERE scoped(symbol) AND tenant = :tenant AND record = :record

-- name: named (sqlite)
SELECT symbol.record, symbol_name.name FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
WHERE +symbol.tenant = :tenant AND symbol.record IN (SELECT value FROM json_each(:ids))

-- name: named (postgres)
SELECT symbol.record, symbol_name.name FROM scoped.symbol
  JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
WHERE symbol.tenant = :tenant
  AND symbol.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: add_names (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
INSERT INTO symbol_name (tenant, name) SELECT :tenant, value FROM json_each(:names) WHERE 1 = 1
ON CONFLICT DO NOTHING

-- name: add_names (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
INSERT INTO symbol_name (tenant, name) SELECT :tenant, value FROM json_array_elements_text(:names::json)
ON CONFLICT DO NOTHING

-- name: find_names (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant AND name IN (SELECT value FROM json_each(:names))

-- name: find_names (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name
WHERE tenant = :tenant AND name IN (SELECT value FROM json_array_elements_text(:names::json))

-- name: set_gone (sqlite)
UPDATE symbol SET gone = :gone WHERE scoped(symbol) AND +tenant = :tenant
  AND record IN (SELECT value FROM json_each(:ids))

-- name: set_gone (postgres)
UPDATE symbol SET gone = :gone
WHERE scoped(symbol) AND tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: delete_code (sqlite)
DELETE FROM record WHERE scoped(record) AND +tenant = :tenant AND +kind IN ('symbol', 'file', 'commit')
  AND id IN (SELECT value FROM json_each(:ids))

-- name: delete_code (postgres)
DELETE FROM record WHERE scoped(record) AND tenant = :tenant AND kind IN ('symbol', 'file', 'commit')
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: by_records (sqlite)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
  CROSS JOIN scoped.record ON record.id = symbol.record
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE +symbol.tenant = :tenant AND symbol.record IN (SELECT value FROM json_each(:ids))

-- name: by_records (postgres)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
  JOIN scoped.record ON record.tenant = symbol.tenant AND record.id = symbol.record
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant
  AND symbol.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: of_files (sqlite)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
  CROSS JOIN scoped.record ON record.id = symbol.record
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE +symbol.tenant = :tenant AND symbol.file IN (SELECT value FROM json_each(:ids))
ORDER BY source_file.path, symbol.start_line, symbol.record

-- name: of_files (postgres)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
  JOIN scoped.record ON record.tenant = symbol.tenant AND record.id = symbol.record
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant
  AND symbol.file = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY source_file.path, symbol.start_line, symbol.record

-- name: ids_of_files (sqlite)
SELECT file, qualified_name, record FROM scoped.symbol
WHERE +tenant = :tenant AND file IN (SELECT value FROM json_each(:ids)) AND gone = 0

-- name: ids_of_files (postgres)
SELECT file, qualified_name, record FROM scoped.symbol
WHERE tenant = :tenant AND file = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND gone = 0

-- name: by_tail (sqlite)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
  CROSS JOIN scoped.record ON record.id = symbol.record
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE symbol.tenant = :tenant AND symbol.tail >= :start AND symbol.tail < :end AND symbol.gone = 0
  AND +record.namespace IN (SELECT value FROM json_each(:namespaces))
ORDER BY length(symbol.tail), symbol.qualified_name, source_file.path, symbol.start_line, symbol.record
LIMIT :limit

-- name: by_tail (postgres)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
  JOIN scoped.record ON record.tenant = symbol.tenant AND record.id = symbol.record
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant AND symbol.tail >= :start AND symbol.tail < :end AND symbol.gone = 0
  AND record.namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
ORDER BY length(symbol.tail), symbol.qualified_name, source_file.path, symbol.start_line, symbol.record
LIMIT :limit

-- name: with_tail (sqlite)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
  CROSS JOIN scoped.record ON record.id = symbol.record
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE symbol.tenant = :tenant AND symbol.tail = :start AND symbol.gone = 0
  AND +record.namespace IN (SELECT value FROM json_each(:namespaces))
ORDER BY length(symbol.tail), symbol.qualified_name, source_file.path, symbol.start_line, symbol.record
LIMIT :limit

-- name: with_tail (postgres)
SELECT symbol.record, symbol.file, symbol_name.name, symbol.qualified_name, symbol.signature, symbol.doc, symbol.visibility,
  symbol.line, symbol.start_line, symbol.end_line, symbol.parent, symbol.is_test, symbol.body_hash, symbol.gone, symbol.places,
  record.type, record.key, record.namespace, source_file.path, source_file.language, source_file.repository
FROM scoped.symbol JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
  JOIN scoped.record ON record.tenant = symbol.tenant AND record.id = symbol.record
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant AND symbol.tail = :start AND symbol.gone = 0
  AND record.namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
ORDER BY length(symbol.tail), symbol.qualified_name, source_file.path, symbol.start_line, symbol.record
LIMIT :limit

-- Names are given as [[id, rank], ...], namespaces as {name: rank}. What takes SQLite a temporary table costs as much as
-- all else where few rows are found: IN with a list (so it is joined), and an order with a limit (so there is none).
-- name: of_names (sqlite)
SELECT symbol.record
FROM json_each(:names) AS given CROSS JOIN scoped.symbol ON symbol.name = (given.value ->> 0)
  CROSS JOIN scoped.record ON record.id = symbol.record
    CROSS JOIN json_each(:namespaces) AS place ON place.key = record.namespace
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE +symbol.tenant = :tenant AND symbol.gone = 0
  AND (:kinds = '[]' OR +record.type IN (SELECT value FROM json_each(:kinds)))
  AND (:within = '' OR instr(lower(replace(replace(symbol.qualified_name, '::', '.'), '/', '.')), :within) > 0)
ORDER BY given.value ->> 1, place.value, symbol.qualified_name, source_file.path, symbol.start_line, symbol.record

-- name: of_names (postgres)
SELECT symbol.record
FROM scoped.symbol JOIN json_array_elements(:names::json) AS given(value) ON symbol.name = (given.value ->> 0)::bigint
  JOIN scoped.record ON record.tenant = symbol.tenant AND record.id = symbol.record
  JOIN json_each_text(:namespaces::json) AS place(key, value) ON place.key = record.namespace
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant AND symbol.gone = 0
  AND symbol.name = ANY (ARRAY(SELECT (value ->> 0)::bigint FROM json_array_elements(:names::json)))
  AND (:kinds = '[]' OR record.type IN (SELECT value FROM json_array_elements_text(:kinds::json)))
  AND (:within = '' OR strpos(lower(replace(replace(symbol.qualified_name, '::', '.'), '/', '.')), :within) > 0)
ORDER BY (given.value ->> 1)::bigint, place.value, symbol.qualified_name, source_file.path, symbol.start_line, symbol.record
LIMIT :limit

-- The names of all namespaces: whose they are is asked with their symbols. `names_like` gives any of those with the part
-- in them, the others the closest.
-- name: names_beginning (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT symbol_name.id, symbol_name.name
FROM json_each(:starts) AS start CROSS JOIN symbol_name
  ON symbol_name.tenant = :tenant AND symbol_name.name >= start.value AND symbol_name.name < start.value || char(1114111)
ORDER BY length(symbol_name.name) LIMIT :limit

-- name: names_beginning (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT symbol_name.id, symbol_name.name
FROM (SELECT value, value || chr(1114111) AS stop FROM json_array_elements_text(:starts::json) OFFSET 0) AS start
  JOIN symbol_name
  ON symbol_name.tenant = :tenant AND symbol_name.name >= start.value AND symbol_name.name < start.stop
ORDER BY length(symbol_name.name) LIMIT :limit

-- name: names_like (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT symbol_name.id, symbol_name.name
FROM symbol_gram CROSS JOIN symbol_name ON symbol_name.id = symbol_gram.rowid
WHERE symbol_gram MATCH :grams AND +symbol_name.tenant = :tenant AND instr(lower(symbol_name.name), :part) > 0
LIMIT :limit

-- name: names_like (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant AND strpos(lower(name), :part) > 0 LIMIT :limit

-- name: closest_like (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT symbol_name.id, symbol_name.name
FROM symbol_gram CROSS JOIN symbol_name ON symbol_name.id = symbol_gram.rowid
WHERE symbol_gram MATCH :grams AND +symbol_name.tenant = :tenant AND instr(lower(symbol_name.name), :part) > 0
ORDER BY instr(lower(symbol_name.name), :part) <> 1, length(symbol_name.name) LIMIT :limit

-- name: closest_like (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant AND strpos(lower(name), :part) > 0
ORDER BY strpos(lower(name), :part) <> 1, length(name) LIMIT :limit

-- name: closest_with (sqlite)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant AND instr(lower(name), :part) > 0
ORDER BY instr(lower(name), :part) <> 1, length(name) LIMIT :limit

-- name: closest_with (postgres)
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant AND strpos(lower(name), :part) > 0
ORDER BY strpos(lower(name), :part) <> 1, length(name) LIMIT :limit

-- name: names
-- whole: names of symbols anywhere: whose they are is asked with their symbols
SELECT id, name FROM symbol_name WHERE tenant = :tenant

-- PostgreSQL has no such pieces.
-- name: gram_pieces (sqlite)
-- whole: how the index of names is stored
SELECT count(DISTINCT segid) FROM symbol_gram_idx WHERE EXISTS (SELECT 1 FROM symbol_name WHERE tenant = :tenant)

-- name: gram_pieces (postgres)
-- whole: how the index of names is stored
SELECT 1 WHERE :tenant > 0

-- name: merge_grams (sqlite)
-- whole: how the index of names is stored
INSERT INTO symbol_gram (symbol_gram, rank)
SELECT 'merge', -:pages WHERE EXISTS (SELECT 1 FROM symbol_name WHERE tenant = :tenant)

-- name: merge_grams (postgres)
-- whole: how the index of names is stored
SELECT :pages WHERE :tenant < 0

-- name: count_in (sqlite)
SELECT count(*)
FROM scoped.repository CROSS JOIN scoped.source_file ON source_file.repository = repository.id
  CROSS JOIN scoped.symbol ON symbol.file = source_file.record
WHERE repository.tenant = :tenant AND repository.namespace IN (SELECT value FROM json_each(:namespaces)) AND symbol.gone = 0

-- name: count_in (postgres)
SELECT count(*)
FROM scoped.repository JOIN scoped.source_file ON source_file.tenant = repository.tenant
  AND source_file.repository = repository.id
  JOIN scoped.symbol ON symbol.tenant = source_file.tenant AND symbol.file = source_file.record
WHERE repository.tenant = :tenant AND repository.namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json)) AND symbol.gone = 0

-- name: derived (sqlite)
SELECT record.id, record.kind FROM scoped.record
WHERE +tenant = :tenant AND record.id IN (SELECT value FROM json_each(:ids))
  AND (record.kind = 'commit' OR EXISTS (SELECT 1 FROM scoped.symbol WHERE symbol.record = record.id)
    OR EXISTS (SELECT 1 FROM scoped.source_file WHERE source_file.record = record.id))
  AND NOT EXISTS (SELECT 1 FROM scoped.edge
    WHERE edge.source = record.id AND coalesce(edge.metadata ->> '$.origin', '') NOT IN ('index', 'mention'))
  AND NOT EXISTS (SELECT 1 FROM scoped.edge
    WHERE edge.target = record.id AND coalesce(edge.metadata ->> '$.origin', '') NOT IN ('index', 'mention'))

-- name: derived (postgres)
SELECT record.id, record.kind FROM scoped.record
WHERE tenant = :tenant AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND (record.kind = 'commit' OR EXISTS (SELECT 1 FROM scoped.symbol WHERE symbol.tenant = :tenant AND symbol.record = record.id)
    OR EXISTS (SELECT 1 FROM scoped.source_file WHERE source_file.tenant = :tenant AND source_file.record = record.id))
  AND NOT EXISTS (SELECT 1 FROM scoped.edge
    WHERE edge.tenant = :tenant AND edge.source = record.id
      AND coalesce(edge.metadata::json ->> 'origin', '') NOT IN ('index', 'mention'))
  AND NOT EXISTS (SELECT 1 FROM scoped.edge
    WHERE edge.tenant = :tenant AND edge.target = record.id
      AND coalesce(edge.metadata::json ->> 'origin', '') NOT IN ('index', 'mention'))

-- name: count_of (sqlite)
SELECT count(*) FROM scoped.source_file CROSS JOIN scoped.symbol ON symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0

-- name: count_of (postgres)
SELECT count(*) FROM scoped.source_file JOIN scoped.symbol ON symbol.tenant = source_file.tenant
  AND symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0

-- name: count_embedded (sqlite)
SELECT count(*) FROM scoped.source_file CROSS JOIN scoped.symbol ON symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0
  AND EXISTS (SELECT 1 FROM scoped.embedding WHERE embedding.record = symbol.record)

-- name: count_embedded (postgres)
SELECT count(*) FROM scoped.source_file JOIN scoped.symbol ON symbol.tenant = source_file.tenant
  AND symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0
  AND EXISTS (SELECT 1 FROM scoped.embedding WHERE embedding.tenant = :tenant AND embedding.record = symbol.record)

-- name: count_edges (sqlite)
SELECT count(*) FROM (
  SELECT source_file.record AS record FROM scoped.source_file
  WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  UNION ALL SELECT symbol.record FROM scoped.source_file CROSS JOIN scoped.symbol ON symbol.file = source_file.record
  WHERE source_file.tenant = :tenant AND source_file.repository = :repository) AS owned
CROSS JOIN scoped.edge ON edge.source = owned.record
WHERE edge.relation <> 'CONTAINS' AND edge.metadata ->> '$.origin' = 'index'

-- name: count_edges (postgres)
SELECT count(*) FROM (
  SELECT source_file.record AS record FROM scoped.source_file
  WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  UNION ALL SELECT symbol.record FROM scoped.source_file
    JOIN scoped.symbol ON symbol.tenant = source_file.tenant AND symbol.file = source_file.record
  WHERE source_file.tenant = :tenant AND source_file.repository = :repository) AS owned
JOIN scoped.edge ON edge.tenant = :tenant AND edge.source = owned.record
WHERE edge.relation <> 'CONTAINS' AND edge.metadata::json ->> 'origin' = 'index'

-- name: gone_in (sqlite)
SELECT symbol.record, symbol_name.name
FROM scoped.symbol CROSS JOIN scoped.source_file ON source_file.record = symbol.file
  CROSS JOIN symbol_name ON symbol_name.id = symbol.name
WHERE +symbol.tenant = :tenant AND symbol.gone > 0 AND +source_file.repository = :repository

-- name: gone_in (postgres)
SELECT symbol.record, symbol_name.name
FROM scoped.symbol JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
  JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
WHERE symbol.tenant = :tenant AND symbol.gone > 0 AND source_file.repository = :repository

-- name: strays
SELECT key, id FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = 'symbol'
  AND NOT EXISTS (SELECT 1 FROM scoped.symbol WHERE +symbol.tenant = :tenant AND symbol.record = record.id)

-- name: indexed
SELECT 1 FROM scoped.record WHERE tenant = :tenant AND id = :record AND (
  EXISTS (SELECT 1 FROM scoped.symbol WHERE +symbol.tenant = :tenant AND symbol.record = :record)
  OR EXISTS (SELECT 1 FROM scoped.source_file WHERE +source_file.tenant = :tenant AND source_file.record = :record))

-- name: inside
SELECT record.id, source_file.path
FROM scoped.record JOIN scoped.symbol ON +symbol.tenant = record.tenant AND symbol.record = record.id
  JOIN scoped.source_file ON +source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE record.tenant = :tenant AND record.key >= :start AND record.key < :end AND record.namespace = :namespace
  AND record.kind = 'symbol' AND symbol.gone = 0

-- name: paths (sqlite)
SELECT symbol.record, source_file.path FROM scoped.symbol
  CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE +symbol.tenant = :tenant AND symbol.record IN (SELECT value FROM json_each(:ids))
UNION ALL SELECT record, path FROM scoped.source_file WHERE +tenant = :tenant
  AND record IN (SELECT value FROM json_each(:ids))

-- name: paths (postgres)
SELECT symbol.record, source_file.path FROM scoped.symbol
  JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant
  AND symbol.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
UNION ALL SELECT record, path FROM scoped.source_file
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
