-- name: take_numbers
INSERT INTO sequence (tenant, last) VALUES (:tenant, :count)
ON CONFLICT (tenant) DO UPDATE SET last = sequence.last + excluded.last
RETURNING last

-- name: raise_numbers
INSERT INTO sequence (tenant, last) VALUES (:tenant, :number)
ON CONFLICT (tenant) DO UPDATE SET last = excluded.last WHERE sequence.last < excluded.last

-- name: named
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record WHERE tenant = :tenant AND label = :label AND kind = 'document' AND label <> ''
ORDER BY id

-- name: chunks
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record WHERE tenant = :tenant AND session = :session AND kind = 'chunk'
ORDER BY position, id

-- name: layout
SELECT id, position, key FROM record WHERE tenant = :tenant AND session = :session AND kind = 'chunk'
ORDER BY position, id

-- name: place
UPDATE record SET position = :position WHERE tenant = :tenant AND id = :id AND position <> :position

-- name: twin
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record
WHERE tenant = :tenant AND kind = :kind AND created = :created AND namespace = :namespace AND text = :text
ORDER BY id LIMIT 1
