-- name: fill
UPDATE record SET session = :session, position = :position, created = :created WHERE tenant = :tenant AND id = :id

-- name: of_tool (sqlite)
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record WHERE tenant = :tenant AND kind = 'message' AND metadata ->> '$.source_tool' = :tool
ORDER BY created DESC, id DESC LIMIT :limit

-- name: of_tool (postgres)
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record WHERE tenant = :tenant AND kind = 'message' AND metadata::json ->> 'source_tool' = :tool
ORDER BY created DESC, id DESC LIMIT :limit

-- name: first_said
SELECT substr(text, 1, :length) FROM record
WHERE tenant = :tenant AND session = :session AND kind = 'message' AND type = 'user' AND text <> ''
ORDER BY position, id LIMIT 1

-- name: numbered (sqlite)
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record
WHERE tenant = :tenant AND kind = 'message' AND CAST(metadata ->> '$.number' AS TEXT) = :number
ORDER BY id

-- name: numbered (postgres)
SELECT id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated
FROM record WHERE tenant = :tenant AND kind = 'message' AND metadata::json ->> 'number' = :number
ORDER BY id
