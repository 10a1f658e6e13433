-- `+tenant` keeps SQLite from walking an index on the tenant where ids lead to the rows.

-- name: by_content
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'solution' AND content_hash = :content_hash
ORDER BY id

-- name: by_signatures (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'failure' AND content_hash <> ''
  AND content_hash IN (SELECT value FROM json_each(:signatures))
ORDER BY id

-- name: by_signatures (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'failure' AND content_hash <> ''
  AND content_hash IN (SELECT value FROM json_array_elements_text(:signatures::json))
ORDER BY id

-- name: by_causes (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'failure'
  AND metadata ->> '$.rootCause' IN (SELECT value FROM json_each(:causes))
ORDER BY id

-- name: by_causes (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND kind = 'failure'
  AND metadata::json ->> 'rootCause' IN (SELECT value FROM json_array_elements_text(:causes::json))
ORDER BY id

-- name: private_namespaces
-- From one name to the next in the index of `repo` solutions.
WITH RECURSIVE step (name) AS (
  SELECT (SELECT namespace FROM scoped.record
    WHERE tenant = :tenant AND kind = 'solution' AND type = 'repo' ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT namespace FROM scoped.record
    WHERE tenant = :tenant AND kind = 'solution' AND type = 'repo' AND namespace > step.name ORDER BY namespace LIMIT 1)
  FROM step WHERE step.name IS NOT NULL
)
SELECT name FROM step WHERE name IS NOT NULL ORDER BY name

-- name: private_among (sqlite)
SELECT id, namespace FROM scoped.record
WHERE +tenant = :tenant AND +kind = 'solution' AND +type = 'repo' AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: private_among (postgres)
SELECT id, namespace FROM scoped.record
WHERE tenant = :tenant AND kind = 'solution' AND type = 'repo'
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: newest (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'solution'
  AND NOT (type = 'repo' AND namespace IN (SELECT value FROM json_each(:hidden)))
  AND id NOT IN (SELECT value FROM json_each(:without))
ORDER BY created DESC, key, id LIMIT :limit

-- name: newest (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = 'solution'
  AND NOT (type = 'repo' AND namespace IN (SELECT value FROM json_array_elements_text(:hidden::json)))
  AND id NOT IN (SELECT value::bigint FROM json_array_elements_text(:without::json))
ORDER BY created DESC, key, id LIMIT :limit

-- name: count_tags (sqlite)
SELECT tag.value, count(*)
FROM scoped.record CROSS JOIN json_each(record.tags) AS tag
WHERE record.tenant = :tenant AND record.kind = 'solution'
  AND NOT (record.type = 'repo' AND record.namespace IN (SELECT value FROM json_each(:hidden)))
GROUP BY tag.value ORDER BY count(*) DESC, tag.value LIMIT :limit

-- name: count_tags (postgres)
SELECT tag.value COLLATE "C", count(*)
FROM scoped.record CROSS JOIN LATERAL json_array_elements_text(record.tags::json) AS tag (value)
WHERE record.tenant = :tenant AND record.kind = 'solution'
  AND NOT (record.type = 'repo' AND record.namespace IN (SELECT value FROM json_array_elements_text(:hidden::json)))
GROUP BY tag.value COLLATE "C" ORDER BY count(*) DESC, tag.value COLLATE "C" LIMIT :limit

-- name: experience_of (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, record.created, record.metadata ->> '$.score',
  record.metadata -> '$.fingerprint', embedding.vector
FROM scoped.record LEFT JOIN scoped.embedding
  ON embedding.record = record.id AND embedding.view & 1048575 = 0 AND embedding.model = :model AND +embedding.tenant = :tenant
WHERE +record.tenant = :tenant AND +record.kind IN ('solution', 'failure')
  AND record.id IN (SELECT value FROM json_each(:ids))
ORDER BY record.id

-- name: experience_of (postgres)
SELECT record.id, record.namespace, record.kind, record.type, record.created, record.metadata::json ->> 'score',
  (record.metadata::json -> 'fingerprint')::text, embedding.vector
FROM scoped.record LEFT JOIN scoped.embedding
  ON embedding.tenant = record.tenant AND embedding.record = record.id AND embedding.view & 1048575 = 0
    AND embedding.model = :model AND embedding.tenant = :tenant
WHERE record.tenant = :tenant AND record.kind IN ('solution', 'failure')
  AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY record.id

-- name: experience_in_range (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, record.created, record.metadata ->> '$.score',
  record.metadata -> '$.fingerprint', embedding.vector
FROM scoped.record LEFT JOIN scoped.embedding
  ON embedding.record = record.id AND embedding.view & 1048575 = 0 AND embedding.model = :model AND +embedding.tenant = :tenant
WHERE record.tenant = :tenant AND record.kind IN ('solution', 'failure') AND +record.id >= :low AND +record.id < :high
ORDER BY record.id

-- name: experience_in_range (postgres)
SELECT record.id, record.namespace, record.kind, record.type, record.created, record.metadata::json ->> 'score',
  (record.metadata::json -> 'fingerprint')::text, embedding.vector
FROM scoped.record LEFT JOIN scoped.embedding
  ON embedding.tenant = record.tenant AND embedding.record = record.id AND embedding.view & 1048575 = 0
    AND embedding.model = :model AND embedding.tenant = :tenant
WHERE record.tenant = :tenant AND record.kind IN ('solution', 'failure') AND record.id >= :low AND record.id < :high
ORDER BY record.id
