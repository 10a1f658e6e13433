-- What texts say of code, and how that is now, by the links that they have: `now` of a link's metadata, as JSON.

-- Beside the links come, as `edges.newer` gives them, newer versions and what contradicts: one statement for both.
-- name: with_newer (sqlite)
SELECT target AS record, source AS other, canonical AS relation, weight, '' AS name, NULL AS now, '' AS code, 0 AS gone
FROM scoped.edge
WHERE +tenant = :tenant AND target IN (SELECT value FROM json_each(:ids))
  AND canonical IN ('MAY_SUPERSEDE', 'CONTRADICTS') AND weight > 0
UNION ALL
SELECT edge.source, edge.target, 'EXPLAINS', edge.weight, coalesce(edge.metadata ->> '$.name', ''),
  edge.metadata ->> '$.now', coalesce(symbol.qualified_name, source_file.path),
  coalesce(symbol.gone > 0, source_file.hash = '')
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.record = edge.target
WHERE +edge.tenant = :tenant AND edge.source IN (SELECT value FROM json_each(:ids)) AND edge.canonical = 'EXPLAINS'
  AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY weight, other

-- name: with_newer (postgres)
SELECT target AS record, source AS other, canonical AS relation, weight, '' AS name, NULL AS now, '' AS code,
  false AS gone
FROM scoped.edge
WHERE tenant = :tenant AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND canonical IN ('MAY_SUPERSEDE', 'CONTRADICTS') AND weight > 0
UNION ALL
SELECT edge.source, edge.target, 'EXPLAINS', edge.weight, coalesce(edge.metadata::json ->> 'name', ''),
  edge.metadata::json ->> 'now', coalesce(symbol.qualified_name, source_file.path),
  coalesce(symbol.gone > 0, source_file.hash = '')
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.tenant = edge.tenant AND source_file.record = edge.target
WHERE edge.tenant = :tenant
  AND edge.source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'EXPLAINS' AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY weight, other

-- Without what is as it was.
-- name: stale (sqlite)
SELECT edge.source, edge.weight, coalesce(edge.metadata ->> '$.name', ''), edge.metadata ->> '$.now',
  coalesce(symbol.qualified_name, source_file.path), coalesce(symbol.gone > 0, source_file.hash = '')
FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.source
  LEFT JOIN scoped.symbol ON symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.record = edge.target
WHERE +edge.tenant = :tenant AND edge.canonical = 'EXPLAINS'
  AND +record.namespace IN (SELECT value FROM json_each(:namespaces))
  AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY edge.source, edge.id

-- name: stale (postgres)
SELECT edge.source, edge.weight, coalesce(edge.metadata::json ->> 'name', ''), edge.metadata::json ->> 'now',
  coalesce(symbol.qualified_name, source_file.path), coalesce(symbol.gone > 0, source_file.hash = '')
FROM scoped.record JOIN scoped.edge ON edge.tenant = record.tenant AND edge.source = record.id
  LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.tenant = edge.tenant AND source_file.record = edge.target
WHERE record.tenant = :tenant AND record.namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND edge.canonical = 'EXPLAINS' AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY edge.source, edge.id

-- name: of_records (sqlite)
SELECT edge.source, edge.weight, coalesce(edge.metadata ->> '$.name', ''), edge.metadata ->> '$.now',
  coalesce(symbol.qualified_name, source_file.path), coalesce(symbol.gone > 0, source_file.hash = ''),
  edge.target
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.record = edge.target
WHERE +edge.tenant = :tenant AND edge.source IN (SELECT value FROM json_each(:ids)) AND edge.canonical = 'EXPLAINS'
  AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY edge.source, edge.id

-- name: of_records (postgres)
SELECT edge.source, edge.weight, coalesce(edge.metadata::json ->> 'name', ''), edge.metadata::json ->> 'now',
  coalesce(symbol.qualified_name, source_file.path), coalesce(symbol.gone > 0, source_file.hash = ''),
  edge.target
FROM scoped.edge LEFT JOIN scoped.symbol ON symbol.tenant = edge.tenant AND symbol.record = edge.target
  LEFT JOIN scoped.source_file ON source_file.tenant = edge.tenant AND source_file.record = edge.target
WHERE edge.tenant = :tenant
  AND edge.source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical = 'EXPLAINS' AND (symbol.record IS NOT NULL OR source_file.record IS NOT NULL)
ORDER BY edge.source, edge.id
