-- What has left recalls, and what opens briefs. The conditions on kinds and metadata are those of the indexes
-- `record_expires` and `record_pinned`.

-- name: expired (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind IN ('memory', 'solution') AND metadata ->> '$.expires_at' IS NOT NULL
  AND metadata ->> '$.expires_at' <= :now AND json_type(metadata, '$.expires_at') = 'text'
ORDER BY id

-- name: expired (postgres)
SELECT id FROM scoped.record WHERE tenant = :tenant AND expires_at IS NOT NULL AND expires_at <= :now ORDER BY id

-- name: pinned (sqlite)
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata ->> '$.captured', metadata ->> '$.failure_id',
  metadata ->> '$.stated_by', metadata ->> '$.promoted_by', metadata ->> '$.valid_from', metadata ->> '$.valid_to'
FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
  AND kind IN ('memory', 'solution') AND metadata ->> '$.pinned' IS NOT NULL AND metadata -> '$.pinned' = 'true'
  AND replaced = 0 AND metadata ->> '$.trust' IS NOT 'untrusted'
  AND id NOT IN (SELECT value FROM json_each(:expired))
ORDER BY importance DESC, created DESC, key, id LIMIT :limit

-- name: pinned (postgres)
SELECT id, key, type, substr(text, 1, :length), importance, created, metadata::json ->> 'captured',
  metadata::json ->> 'failure_id', metadata::json ->> 'stated_by', metadata::json ->> 'promoted_by',
  metadata::json ->> 'valid_from', metadata::json ->> 'valid_to'
FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND pinned IS NOT NULL AND pinned = 'true' AND replaced = 0
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:expired::json)))
ORDER BY importance DESC, created DESC, key, id LIMIT :limit

-- name: pinned_by_namespace (sqlite)
SELECT namespace, count(*) FROM scoped.record
WHERE tenant = :tenant AND kind IN ('memory', 'solution') AND metadata ->> '$.pinned' IS NOT NULL
  AND metadata -> '$.pinned' = 'true' AND replaced = 0 AND metadata ->> '$.trust' IS NOT 'untrusted'
  AND id NOT IN (SELECT value FROM json_each(:expired))
GROUP BY namespace

-- name: pinned_by_namespace (postgres)
SELECT namespace, count(*) FROM scoped.record
WHERE tenant = :tenant AND pinned IS NOT NULL AND pinned = 'true' AND replaced = 0
  AND (metadata::json ->> 'trust' IS NULL OR metadata::json ->> 'trust' <> 'untrusted')
  AND id <> ALL (ARRAY(SELECT value::bigint FROM json_array_elements_text(:expired::json)))
GROUP BY namespace
