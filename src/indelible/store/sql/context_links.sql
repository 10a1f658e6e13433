-- A link is a relation REFERENCES from a message to a chunk.

-- name: any_chunk
SELECT 1 FROM scoped.record WHERE tenant = :tenant AND kind = 'chunk' LIMIT 1

-- name: chunks (sqlite)
-- By name, since another index covers all of it, and would be walked whole.
SELECT key, id FROM record INDEXED BY record_key
WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys)) AND kind = 'chunk'
ORDER BY id

-- name: chunks (postgres)
SELECT key, id FROM record
WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json)) AND kind = 'chunk'
ORDER BY id

-- name: chunks_limited (sqlite)
-- What stands for a table in a limited form has no indexes to be named: the same text, and of the namespaces.
SELECT key, id FROM record INDEXED BY record_key
WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys)) AND kind = 'chunk'
  AND +namespace IN (SELECT value FROM json_each(:granted))
ORDER BY id

-- name: chunks_limited (postgres)
SELECT key, id FROM record
WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json)) AND kind = 'chunk'
  AND namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
ORDER BY id

-- name: newest_waiting
SELECT record.kind FROM (
  SELECT record FROM scoped.pending WHERE tenant = :tenant AND late = 0 ORDER BY record DESC LIMIT :limit) AS newest
JOIN scoped.record ON +record.tenant = :tenant AND record.id = newest.record

-- name: of_message
SELECT record.id, record.key, record.text, record.session, edge.weight
FROM scoped.edge JOIN scoped.record ON +record.tenant = edge.tenant AND record.id = edge.target
WHERE edge.tenant = :tenant AND edge.source = :message AND edge.relation = 'REFERENCES' AND record.kind = 'chunk'
ORDER BY edge.weight DESC, record.created DESC, record.id

-- name: of_chunk
SELECT record.id, record.namespace, record.kind, record.type, record.key, record.label, record.text,
  record.tags, record.metadata, record.importance, record.confidence, record.content_hash, record.session,
  record.position, record.replaced, record.created, record.updated, record.uid, record.origin
FROM scoped.edge JOIN scoped.record ON +record.tenant = edge.tenant AND record.id = edge.source
WHERE edge.tenant = :tenant AND edge.target = :chunk AND edge.relation = 'REFERENCES' AND record.kind = 'message'
ORDER BY record.created DESC, record.id DESC

-- name: counts
SELECT chunk.key, count(*), sum(count(*)) OVER ()
FROM scoped.record AS message JOIN scoped.edge ON +edge.tenant = message.tenant AND edge.source = message.id
  JOIN scoped.record AS chunk ON +chunk.tenant = edge.tenant AND chunk.id = edge.target
WHERE message.tenant = :tenant AND message.kind = 'message' AND edge.relation = 'REFERENCES' AND chunk.kind = 'chunk'
GROUP BY chunk.key, chunk.created, chunk.id
ORDER BY count(*) DESC, chunk.created DESC, chunk.id LIMIT :limit
