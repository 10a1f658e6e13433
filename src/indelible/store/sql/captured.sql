-- The condition on the metadata is, letter for letter, that of the index `captured_memory`. `+namespace` keeps SQLite
-- from walking all memories in the order of their namespaces.

-- name: waiting (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
  AND created <= :created AND (created < :created OR id < :id)
ORDER BY created DESC, id DESC LIMIT :limit

-- name: waiting (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
  AND created <= :created AND (created < :created OR id < :id)
ORDER BY created DESC, id DESC LIMIT :limit

-- name: count (sqlite)
SELECT namespace, count(*) FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' = 'untrusted' AND replaced = 0
GROUP BY +namespace

-- name: count (postgres)
SELECT namespace, count(*) FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND metadata::json ->> 'trust' = 'untrusted' AND replaced = 0
GROUP BY namespace
