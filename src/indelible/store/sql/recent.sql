-- `+namespace` makes SQLite walk those of a kind from the newest on; without it, it looks up all those of a namespace.

-- name: start_of_newest
-- whole: a bound that saves work and is shown to nobody
SELECT created FROM record WHERE tenant = :tenant AND kind = :kind ORDER BY created DESC, key LIMIT 1 OFFSET :offset

-- name: among_newest (sqlite)
SELECT id, namespace, kind, type, key, label, substr(text, 1, :length), tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created >= :start AND created < :before AND replaced = 0
  AND (:type = '' OR type = :type)
  AND +namespace IN (SELECT value FROM json_each(:namespaces))
  AND (:untrusted = 1 OR metadata ->> '$.trust' IS NOT 'untrusted')
  AND id NOT IN (SELECT value FROM json_each(:without))
ORDER BY created DESC, key, id LIMIT :limit

-- name: among_newest (postgres)
SELECT id, namespace, kind, type, key, label, substr(text, 1, :length), tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created >= :start AND created < :before AND replaced = 0
  AND (:type = '' OR type = :type)
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND (:untrusted = 1 OR coalesce(metadata::json ->> 'trust', '') <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:without::json)))
ORDER BY created DESC, key, id LIMIT :limit

-- name: of_namespaces (sqlite)
SELECT id, namespace, kind, type, key, label, substr(text, 1, :length), tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND kind = :kind AND replaced = 0
  AND created < :before AND (:type = '' OR type = :type)
  AND (:untrusted = 1 OR metadata ->> '$.trust' IS NOT 'untrusted')
  AND id NOT IN (SELECT value FROM json_each(:without))
ORDER BY +created DESC, key, id LIMIT :limit

-- name: of_namespaces (postgres)
SELECT id, namespace, kind, type, key, label, substr(text, 1, :length), tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND kind = :kind AND replaced = 0 AND created < :before
  AND (:type = '' OR type = :type)
  AND (:untrusted = 1 OR coalesce(metadata::json ->> 'trust', '') <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:without::json)))
ORDER BY created DESC, key, id LIMIT :limit

-- name: by_day (sqlite)
SELECT created / :length, count(*) FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created >= :start AND replaced = 0 AND (:type = '' OR type = :type)
  AND +namespace IN (SELECT value FROM json_each(:namespaces))
GROUP BY created / :length

-- name: by_day (postgres)
SELECT created / :length, count(*) FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created >= :start AND replaced = 0 AND (:type = '' OR type = :type)
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
GROUP BY 1

-- name: tags (sqlite)
SELECT tags FROM scoped.record WHERE tenant = :tenant AND kind = 'memory' AND metadata ->> '$.trust' IS NOT 'untrusted'
ORDER BY created DESC, key LIMIT :limit

-- name: tags (postgres)
SELECT tags FROM scoped.record
WHERE tenant = :tenant AND kind = 'memory' AND coalesce(metadata::json ->> 'trust', '') <> 'untrusted'
ORDER BY created DESC, key LIMIT :limit

-- name: keys
SELECT key FROM scoped.record WHERE tenant = :tenant AND kind = 'memory' ORDER BY created DESC, key LIMIT :limit
