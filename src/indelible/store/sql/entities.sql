-- name: named (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'entity' AND key IN (SELECT value FROM json_each(:names))
ORDER BY id

-- name: named (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'entity'
  AND key IN (SELECT value FROM json_array_elements_text(:names::json))
ORDER BY id

-- name: page
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'entity'
ORDER BY id LIMIT :limit OFFSET :offset

-- name: contents
SELECT id, key, type, text, metadata FROM scoped.record WHERE tenant = :tenant AND kind = 'entity'
ORDER BY id

-- name: contents_of (sqlite)
SELECT id, key, type, text, metadata FROM scoped.record
WHERE +tenant = :tenant AND +kind = 'entity' AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: contents_of (postgres)
SELECT id, key, type, text, metadata FROM scoped.record
WHERE tenant = :tenant AND kind = 'entity'
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: relations
SELECT edge.id, edge.source, edge.target, a.key, b.key, edge.relation, edge.canonical, edge.metadata
FROM scoped.edge JOIN scoped.record AS a ON +a.tenant = edge.tenant AND a.id = edge.source
  JOIN scoped.record AS b ON +b.tenant = edge.tenant AND b.id = edge.target
WHERE edge.tenant = :tenant AND a.kind = 'entity' AND b.kind = 'entity'
ORDER BY edge.id

-- name: relations_of (sqlite)
SELECT edge.id, edge.source, edge.target, a.key, b.key, edge.relation, edge.canonical, edge.metadata
FROM scoped.edge CROSS JOIN scoped.record AS a ON a.id = edge.source CROSS JOIN scoped.record AS b ON b.id = edge.target
WHERE +edge.tenant = :tenant AND +a.kind = 'entity' AND +b.kind = 'entity' AND edge.id IN (
  SELECT id FROM scoped.edge WHERE source IN (SELECT value FROM json_each(:ids))
  UNION SELECT id FROM scoped.edge WHERE target IN (SELECT value FROM json_each(:ids)))
ORDER BY edge.id

-- name: relations_of (postgres)
SELECT edge.id, edge.source, edge.target, a.key, b.key, edge.relation, edge.canonical, edge.metadata
FROM scoped.edge JOIN scoped.record AS a ON a.tenant = edge.tenant AND a.id = edge.source
  JOIN scoped.record AS b ON b.tenant = edge.tenant AND b.id = edge.target
WHERE edge.tenant = :tenant AND a.kind = 'entity' AND b.kind = 'entity' AND edge.id IN (
  SELECT id FROM scoped.edge WHERE tenant = :tenant
  AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  UNION SELECT id FROM scoped.edge WHERE tenant = :tenant
  AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
ORDER BY edge.id

