-- name: take_numbers
-- whole: numbers are given once in a store; where tokens are limited they are drawn, see numbers.py
INSERT INTO sequence (tenant, last) VALUES (:tenant, :count)
ON CONFLICT (tenant) DO UPDATE SET last = sequence.last + excluded.last
RETURNING last

-- name: last_number
-- whole: numbers are given once in a store; where tokens are limited they are drawn, see numbers.py
SELECT last FROM sequence WHERE tenant = :tenant

-- name: raise_numbers
-- whole: numbers are given once in a store; where tokens are limited they are drawn, see numbers.py
INSERT INTO sequence (tenant, last) VALUES (:tenant, :number)
ON CONFLICT (tenant) DO UPDATE SET last = excluded.last WHERE sequence.last < excluded.last

-- name: any_of (sqlite)
SELECT 1 FROM scoped.record WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys))
UNION ALL
SELECT 1 FROM scoped.trash WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys))
LIMIT 1

-- name: any_of (postgres)
SELECT 1 FROM scoped.record WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json))
UNION ALL
SELECT 1 FROM scoped.trash WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json))
LIMIT 1

-- name: named
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND label = :label AND kind = 'document' AND label <> ''
ORDER BY id

-- name: chunks
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND session = :session AND kind = 'chunk'
ORDER BY position, id

-- name: layout
SELECT id, position, key FROM scoped.record WHERE tenant = :tenant AND session = :session AND kind = 'chunk'
ORDER BY position, id

-- name: place
UPDATE record SET position = :position WHERE scoped(record) AND tenant = :tenant AND id = :id AND position <> :position

-- name: equal_record
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created = :created AND namespace = :namespace AND text = :text
ORDER BY id LIMIT 1

-- name: heads (sqlite)
SELECT id, key, namespace, label, type, created
FROM scoped.record WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys)) AND +kind = 'document'

-- name: heads (postgres)
SELECT id, key, namespace, label, type, created
FROM scoped.record
WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json)) AND kind = 'document'

-- name: newest (sqlite)
SELECT id, key, namespace, label, type, created
FROM scoped.record
WHERE tenant = :tenant AND kind = 'document' AND type = :type
  AND EXISTS (SELECT 1 FROM scoped.record AS part WHERE part.tenant = :tenant
    AND part.session = 'document:' || record.key)
ORDER BY created DESC, length(key), key, id
LIMIT :limit

-- name: newest (postgres)
SELECT id, key, namespace, label, type, created
FROM scoped.record
WHERE tenant = :tenant AND kind = 'document' AND type = :type
  AND EXISTS (SELECT 1 FROM scoped.record AS part WHERE part.tenant = :tenant
    AND part.session = 'document:' || record.key OFFSET 0)
ORDER BY created DESC, length(key), key, id
LIMIT :limit

-- name: first_chunks (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE +tenant = :tenant AND id IN (
  SELECT (SELECT first.id FROM scoped.record AS first
    WHERE first.tenant = :tenant AND first.session = wanted.value AND first.kind = 'chunk'
    ORDER BY first.position, first.id LIMIT 1)
  FROM json_each(:sessions) AS wanted)

-- name: first_chunks (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND id = ANY (ARRAY(
  SELECT (SELECT first.id FROM scoped.record AS first
    WHERE first.tenant = :tenant AND first.session = wanted.value AND first.kind = 'chunk'
    ORDER BY first.position, first.id LIMIT 1)
  FROM json_array_elements_text(:sessions::json) AS wanted))

-- name: all_chunks
SELECT id, session FROM scoped.record
WHERE tenant = :tenant AND session >= 'document:' AND session < 'document;' AND kind = 'chunk'
ORDER BY session, position, id

-- name: digests
SELECT namespace, label, content_hash FROM scoped.record WHERE tenant = :tenant AND kind = 'document' AND label <> ''
