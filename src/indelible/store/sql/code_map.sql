-- name: symbols (sqlite)
SELECT symbol.record, symbol.qualified_name, source_file.path, symbol.signature, symbol.line, symbol.parent, symbol.is_test
FROM scoped.source_file CROSS JOIN scoped.symbol ON symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0
ORDER BY source_file.path, symbol.start_line, symbol.record

-- name: symbols (postgres)
SELECT symbol.record, symbol.qualified_name, source_file.path, symbol.signature, symbol.line, symbol.parent, symbol.is_test
FROM scoped.source_file JOIN scoped.symbol ON symbol.tenant = source_file.tenant AND symbol.file = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository AND symbol.gone = 0
ORDER BY source_file.path, symbol.start_line, symbol.record

-- name: relations (sqlite)
SELECT edge.source, edge.target, edge.weight
FROM scoped.source_file CROSS JOIN scoped.symbol ON symbol.file = source_file.record
  CROSS JOIN scoped.edge ON edge.source = symbol.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  AND +edge.canonical IN (SELECT value FROM json_each(:names))
UNION ALL SELECT edge.source, edge.target, edge.weight
FROM scoped.source_file CROSS JOIN scoped.edge ON edge.source = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  AND +edge.canonical IN (SELECT value FROM json_each(:names))

-- name: relations (postgres)
SELECT edge.source, edge.target, edge.weight
FROM scoped.source_file JOIN scoped.symbol ON symbol.tenant = source_file.tenant AND symbol.file = source_file.record
  JOIN scoped.edge ON edge.tenant = symbol.tenant AND edge.source = symbol.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  AND edge.canonical IN (SELECT value FROM json_array_elements_text(:names::json))
UNION ALL SELECT edge.source, edge.target, edge.weight
FROM scoped.source_file JOIN scoped.edge ON edge.tenant = source_file.tenant AND edge.source = source_file.record
WHERE source_file.tenant = :tenant AND source_file.repository = :repository
  AND edge.canonical IN (SELECT value FROM json_array_elements_text(:names::json))
