-- In SQLite the expressions of `source_tool` and `number` are, letter for letter, those of the indexes `message_tool`
-- and `message_number`; in PostgreSQL these are columns. They hold the first characters only.

-- name: fill
UPDATE record SET session = :session, position = :position, created = :created WHERE scoped(record) AND tenant = :tenant
  AND id = :id

-- name: of_tool (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'message'
  AND substr(metadata ->> '$.source_tool', 1, 200) = substr(:tool, 1, 200) AND metadata ->> '$.source_tool' = :tool
ORDER BY created DESC, id DESC LIMIT :limit

-- name: of_tool (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'message'
  AND message_tool = left(:tool, 200) AND metadata::json ->> 'source_tool' = :tool
ORDER BY created DESC, id DESC LIMIT :limit

-- name: first_user_message
SELECT substr(text, 1, :length) FROM scoped.record
WHERE tenant = :tenant AND session = :session AND kind = 'message' AND type = 'user' AND text <> ''
ORDER BY position, id LIMIT 1

-- name: numbered (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'message'
  AND substr(metadata ->> '$.number', 1, 20) = substr(:number, 1, 20) AND CAST(metadata ->> '$.number' AS TEXT) = :number
ORDER BY id

-- name: numbered (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'message'
  AND message_number = left(:number, 20) AND metadata::json ->> 'number' = :number
ORDER BY id
