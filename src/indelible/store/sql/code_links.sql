-- A link is a relation EXPLAINS from a memory, solution, failure or message to a symbol or file. Those that a text
-- makes by naming them have the origin `mention`.

-- name: any_repository
SELECT 1 FROM scoped.repository WHERE tenant = :tenant LIMIT 1

-- name: files_at (sqlite)
SELECT record, repository, path, hash = '' FROM scoped.source_file
WHERE +tenant = :tenant AND repository IN (SELECT value FROM json_each(:repositories))
  AND path IN (SELECT value FROM json_each(:paths))
ORDER BY record

-- name: files_at (postgres)
SELECT record, repository, path, hash = '' FROM scoped.source_file
WHERE tenant = :tenant
  AND repository = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:repositories::json)))
  AND path IN (SELECT value FROM json_array_elements_text(:paths::json))
ORDER BY record

-- What follows the last slash is asked for as the index source_file_name has it. In a sub-select with LIMIT any function
-- may make what PostgreSQL asks an index for; in a join it would hand rows to it that may be hidden, and uses none.
-- name: files_below (sqlite)
SELECT DISTINCT source_file.record, source_file.repository, source_file.path, source_file.hash = ''
FROM json_each(:repositories) AS codebase CROSS JOIN json_each(:ends) AS asked
CROSS JOIN scoped.source_file ON source_file.record IN (
  SELECT named.record FROM scoped.source_file AS named
  WHERE named.tenant = :tenant AND named.repository = codebase.value AND named.hash <> ''
    AND substr(named.path, length(rtrim(named.path, replace(named.path, '/', ''))) + 1)
      = substr(asked.value, length(rtrim(asked.value, replace(asked.value, '/', ''))) + 1)
    AND substr(named.path, -length(asked.value) - 1) = '/' || asked.value
  LIMIT :most)
ORDER BY source_file.record

-- name: files_below (postgres)
SELECT DISTINCT found.record, found.repository, found.path, found.hash = ''
FROM json_array_elements_text(:repositories::json) AS codebase (value)
CROSS JOIN json_array_elements_text(:ends::json) AS asked (value)
CROSS JOIN LATERAL (
  SELECT named.record, named.repository, named.path, named.hash FROM scoped.source_file AS named
  WHERE named.tenant = :tenant AND named.repository = codebase.value::bigint AND named.hash <> ''
    AND named.name = substr(asked.value, length(rtrim(asked.value, replace(asked.value, '/', ''))) + 1)
    AND right(named.path, length(asked.value) + 1) = '/' || asked.value
  LIMIT :most) AS found
ORDER BY found.record

-- Of each beginning of a tail no more than some: what many things are called names none of them.
-- name: symbols_called (sqlite)
SELECT asked.value, symbol.record, symbol.file, symbol.qualified_name, source_file.path, symbol.is_test, symbol.gone
FROM json_each(:starts) AS asked
CROSS JOIN scoped.symbol ON symbol.record IN (
  SELECT named.record FROM scoped.symbol AS named CROSS JOIN scoped.source_file AS within ON within.record = named.file
  WHERE named.tenant = :tenant AND named.tail >= asked.value
    AND named.tail < substr(asked.value, 1, length(asked.value) - 1) || '/'
    AND within.repository IN (SELECT value FROM json_each(:repositories))
  LIMIT :most)
CROSS JOIN scoped.source_file ON source_file.record = symbol.file
ORDER BY symbol.record

-- name: symbols_called (postgres)
SELECT asked.value, found.record, found.file, found.qualified_name, found.path, found.is_test, found.gone
FROM json_array_elements_text(:starts::json) AS asked (value)
CROSS JOIN LATERAL (
  SELECT symbol.record, symbol.file, symbol.qualified_name, source_file.path, symbol.is_test, symbol.gone
  FROM scoped.symbol JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
  WHERE symbol.tenant = :tenant AND symbol.tail >= asked.value
    AND symbol.tail < substr(asked.value, 1, length(asked.value) - 1) || '/'
    AND source_file.repository = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:repositories::json)))
  LIMIT :most) AS found
ORDER BY found.record

-- name: symbols_of (sqlite)
SELECT symbol.tail, symbol.record, symbol.file, symbol.qualified_name, source_file.path, symbol.is_test, symbol.gone
FROM scoped.symbol CROSS JOIN scoped.source_file ON source_file.record = symbol.file
WHERE +symbol.tenant = :tenant AND symbol.file IN (SELECT value FROM json_each(:files))
ORDER BY symbol.record

-- name: symbols_of (postgres)
SELECT symbol.tail, symbol.record, symbol.file, symbol.qualified_name, source_file.path, symbol.is_test, symbol.gone
FROM scoped.symbol JOIN scoped.source_file ON source_file.tenant = symbol.tenant AND source_file.record = symbol.file
WHERE symbol.tenant = :tenant
  AND symbol.file = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:files::json)))
ORDER BY symbol.record

-- name: of_sources (sqlite)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.weight, edge.metadata, edge.created,
  coalesce(symbol.tail, ''), coalesce(source_file.path, ''), coalesce(symbol.gone, record.metadata ->> '$.gone', 0)
FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.target
LEFT JOIN scoped.symbol ON symbol.record = edge.target LEFT JOIN scoped.source_file ON source_file.record = edge.target
WHERE +edge.tenant = :tenant AND edge.source IN (SELECT value FROM json_each(:ids)) AND edge.canonical = 'EXPLAINS'
  AND record.kind IN ('symbol', 'file')
ORDER BY edge.id

-- name: of_sources (postgres)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.weight, edge.metadata, edge.created,
  coalesce(symbol.tail, ''), coalesce(source_file.path, ''),
  coalesce(symbol.gone::text, record.metadata::json ->> 'gone', '0')
FROM scoped.edge JOIN scoped.record ON record.tenant = edge.tenant AND record.id = edge.target
LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.tenant = edge.tenant AND source_file.record = edge.target
WHERE edge.tenant = :tenant
  AND edge.source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'EXPLAINS' AND record.kind IN ('symbol', 'file')
ORDER BY edge.id

-- name: change
UPDATE edge SET weight = :weight, metadata = :metadata WHERE scoped(edge) AND tenant = :tenant AND id = :id

-- name: explaining (sqlite)
SELECT DISTINCT edge.source FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.source
WHERE +record.tenant = :tenant AND edge.target IN (SELECT value FROM json_each(:ids)) AND edge.canonical = 'EXPLAINS'
  AND record.kind IN (SELECT value FROM json_each(:kinds))
ORDER BY edge.source

-- name: explaining (postgres)
SELECT DISTINCT edge.source FROM scoped.edge JOIN scoped.record ON record.tenant = edge.tenant
  AND record.id = edge.source
WHERE record.tenant = :tenant
  AND edge.target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'EXPLAINS' AND record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
ORDER BY edge.source

-- name: explaining_gone (sqlite)
SELECT DISTINCT edge.source FROM scoped.symbol CROSS JOIN scoped.edge ON edge.target = symbol.record
WHERE +symbol.tenant = :tenant AND symbol.gone > 0 AND edge.canonical = 'EXPLAINS'
  AND edge.metadata ->> '$.origin' = 'mention' AND edge.metadata ->> '$.stale' IS NULL
ORDER BY edge.source

-- name: explaining_gone (postgres)
SELECT DISTINCT edge.source FROM scoped.symbol JOIN scoped.edge ON edge.tenant = symbol.tenant
  AND edge.target = symbol.record
WHERE symbol.tenant = :tenant AND symbol.gone > 0 AND edge.canonical = 'EXPLAINS'
  AND edge.metadata::json ->> 'origin' = 'mention' AND edge.metadata::json ->> 'stale' IS NULL
ORDER BY edge.source

-- A record that was put, and one that a caller has linked to code, which is not looked at yet.
-- name: changed (sqlite)
SELECT DISTINCT record.id, record.kind, record.namespace FROM change
  CROSS JOIN scoped.record ON record.id = change.record
WHERE change.position > :after AND change.position <= :last AND +change.tenant = :tenant
  AND record.kind IN (SELECT value FROM json_each(:kinds))
  AND (change.operation = 'put' OR (change.operation = 'link' AND EXISTS (
    SELECT 1 FROM scoped.edge WHERE edge.source = record.id AND edge.canonical = 'EXPLAINS'
      AND edge.metadata ->> '$.origin' IS NOT 'mention' AND edge.metadata ->> '$.was' IS NULL)))
ORDER BY record.id

-- name: changed (postgres)
SELECT DISTINCT record.id, record.kind, record.namespace FROM change
  JOIN scoped.record ON record.tenant = change.tenant AND record.id = change.record
WHERE change.position > :after AND change.position <= :last AND change.tenant = :tenant
  AND record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
  AND (change.operation = 'put' OR (change.operation = 'link' AND EXISTS (
    SELECT 1 FROM scoped.edge WHERE edge.tenant = :tenant AND edge.source = record.id AND edge.canonical = 'EXPLAINS'
      AND coalesce(edge.metadata::json ->> 'origin', '') <> 'mention' AND edge.metadata::json ->> 'was' IS NULL)))
ORDER BY record.id

-- name: names_of (sqlite)
SELECT symbol_name.name FROM scoped.symbol CROSS JOIN symbol_name ON symbol_name.id = symbol.name
WHERE +symbol.tenant = :tenant AND symbol.record IN (SELECT value FROM json_each(:ids))
UNION SELECT path FROM scoped.source_file
WHERE +tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: names_of (postgres)
SELECT symbol_name.name FROM scoped.symbol
  JOIN symbol_name ON symbol_name.tenant = symbol.tenant AND symbol_name.id = symbol.name
WHERE symbol.tenant = :tenant
  AND symbol.record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
UNION SELECT path FROM scoped.source_file
WHERE tenant = :tenant AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: about (sqlite)
SELECT edge.source, edge.target, coalesce(symbol.file, 0), max(edge.weight)
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.record = edge.target
WHERE +edge.tenant = :tenant AND edge.source IN (SELECT value FROM json_each(:ids))
  AND coalesce(edge.metadata ->> '$.origin', '') <> 'index'
  AND (edge.target IN (SELECT value FROM json_each(:code)) OR symbol.file IN (SELECT value FROM json_each(:files)))
GROUP BY edge.source, edge.target, symbol.file

-- name: about (postgres)
SELECT edge.source, edge.target, coalesce(symbol.file, 0), max(edge.weight)
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
WHERE edge.tenant = :tenant
  AND edge.source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND coalesce(edge.metadata::json ->> 'origin', '') <> 'index'
  AND (edge.target IN (SELECT value::bigint FROM json_array_elements_text(:code::json))
    OR symbol.file IN (SELECT value::bigint FROM json_array_elements_text(:files::json)))
GROUP BY edge.source, edge.target, symbol.file

-- name: in_files (sqlite)
SELECT record FROM scoped.symbol WHERE +tenant = :tenant AND file IN (SELECT value FROM json_each(:files))

-- name: in_files (postgres)
SELECT record FROM scoped.symbol
WHERE tenant = :tenant AND file = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:files::json)))

-- name: subjects (sqlite)
SELECT subject, max(time) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND time >= :since
  AND what = 'tool' AND action IN ('read', 'edit') AND subject <> ''
GROUP BY subject ORDER BY max(time) DESC, subject LIMIT :limit

-- name: subjects (postgres)
SELECT subject, max(time) FROM scoped.activity
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json)) AND time >= :since
  AND what = 'tool' AND action IN ('read', 'edit') AND subject <> ''
GROUP BY subject ORDER BY max(time) DESC, subject LIMIT :limit

-- name: texts (sqlite)
SELECT id, namespace, text, updated FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  AND kind IN (SELECT value FROM json_each(:kinds))
ORDER BY id

-- name: texts (postgres)
SELECT id, namespace, text, updated FROM scoped.record
WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
ORDER BY id

-- name: after (sqlite)
SELECT id FROM scoped.record
WHERE +tenant = :tenant AND id > :after AND +kind IN (SELECT value FROM json_each(:kinds))
  AND +namespace IN (SELECT value FROM json_each(:namespaces))
ORDER BY id LIMIT :limit

-- name: after (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND id > :after AND kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
ORDER BY id LIMIT :limit

-- name: indexing
-- refused: leases are those of all processes
SELECT 1 FROM lease WHERE tenant = :tenant AND name >= 'index:' AND name < 'index;' AND until > :now LIMIT 1

-- name: gone_among (sqlite)
SELECT record.id FROM scoped.record LEFT JOIN scoped.symbol ON symbol.record = record.id
WHERE +record.tenant = :tenant AND record.id IN (SELECT value FROM json_each(:ids))
  AND (symbol.gone > 0 OR record.metadata ->> '$.gone' > 0)

-- name: gone_among (postgres)
SELECT record.id FROM scoped.record LEFT JOIN scoped.symbol ON symbol.tenant = record.tenant
  AND symbol.record = record.id
WHERE record.tenant = :tenant
  AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND (symbol.gone > 0 OR coalesce(record.metadata::json ->> 'gone', '0') <> '0')

-- name: decisions_about (sqlite)
SELECT edge.target, record.key, record.created, record.id, max(edge.weight)
FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.source
WHERE +record.tenant = :tenant AND edge.target IN (SELECT value FROM json_each(:ids)) AND edge.canonical = 'EXPLAINS'
  AND +record.kind = 'memory' AND +record.type = 'decision'
GROUP BY edge.target, record.id

-- name: decisions_about (postgres)
SELECT edge.target, record.key, record.created, record.id, max(edge.weight)
FROM scoped.edge JOIN scoped.record ON record.tenant = edge.tenant AND record.id = edge.source
WHERE record.tenant = :tenant
  AND edge.target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'EXPLAINS' AND record.kind = 'memory' AND record.type = 'decision'
GROUP BY edge.target, record.key, record.created, record.id

-- The code that records are, as the index has it: `body_hash` of a symbol, of a file the hash of its bytes.
-- name: targets (sqlite)
SELECT record.id, record.created, symbol.qualified_name, symbol.signature, symbol.body_hash, symbol.start_line,
  symbol.end_line, coalesce(symbol.gone, record.metadata ->> '$.gone', 0), record.metadata ->> '$.moved',
  source_file.record, source_file.path, source_file.hash, source_file.size, source_file.modified, repository.root
FROM scoped.record LEFT JOIN scoped.symbol ON symbol.record = record.id
  JOIN scoped.source_file ON source_file.record = coalesce(symbol.file, record.id)
  JOIN scoped.repository ON repository.id = source_file.repository
WHERE +record.tenant = :tenant AND record.id IN (SELECT value FROM json_each(:ids))

-- name: targets (postgres)
SELECT record.id, record.created, symbol.qualified_name, symbol.signature, symbol.body_hash, symbol.start_line,
  symbol.end_line, coalesce(symbol.gone::text, record.metadata::json ->> 'gone', '0'),
  record.metadata::json ->> 'moved',
  source_file.record, source_file.path, source_file.hash, source_file.size, source_file.modified, repository.root
FROM scoped.record LEFT JOIN scoped.symbol ON symbol.tenant = record.tenant AND symbol.record = record.id
  JOIN scoped.source_file ON source_file.tenant = record.tenant
    AND source_file.record = coalesce(symbol.file, record.id)
  JOIN scoped.repository ON repository.tenant = record.tenant AND repository.id = source_file.repository
WHERE record.tenant = :tenant
  AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- Links whose target became another, by which commit is not known yet.
-- name: without_commit (sqlite)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.weight, edge.metadata, edge.created,
  coalesce(symbol.tail, ''), '', coalesce(symbol.gone, 0)
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.record = edge.target
  JOIN scoped.source_file ON source_file.record = coalesce(symbol.file, edge.target)
WHERE +edge.tenant = :tenant AND edge.canonical = 'EXPLAINS'
  AND edge.metadata ->> '$.was' IS NOT NULL AND edge.metadata ->> '$.now' IS NOT NULL
  AND edge.metadata ->> '$.now.commit' IS NULL
  AND source_file.repository = :repository
ORDER BY edge.id

-- name: without_commit (postgres)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.weight, edge.metadata, edge.created,
  coalesce(symbol.tail, ''), '', coalesce(symbol.gone, 0)
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
  JOIN scoped.source_file ON source_file.tenant = edge.tenant
    AND source_file.record = coalesce(symbol.file, edge.target)
WHERE edge.tenant = :tenant AND edge.canonical = 'EXPLAINS'
  AND edge.metadata::json ->> 'was' IS NOT NULL AND edge.metadata::json ->> 'now' IS NOT NULL
  AND edge.metadata::json -> 'now' ->> 'commit' IS NULL
  AND source_file.repository = :repository
ORDER BY edge.id
