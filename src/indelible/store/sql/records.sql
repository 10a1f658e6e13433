-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: insert
-- checks: namespace
INSERT INTO record (tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash,
  session, position, replaced, created, updated, uid, origin)
VALUES (:tenant, :namespace, :kind, :type, :key, :label, :text, :tags, :metadata, :importance, :confidence, :content_hash,
  :session, :position, :replaced, :created, :updated, :uid, :origin)
ON CONFLICT DO NOTHING
RETURNING id

-- name: reinsert
-- checks: namespace
INSERT INTO record (id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash,
  session, position, replaced, created, updated, uid, origin)
VALUES (:id, :tenant, :namespace, :kind, :type, :key, :label, :text, :tags, :metadata, :importance, :confidence, :content_hash,
  :session, :position, :replaced, :created, :updated, :uid, :origin)
ON CONFLICT DO NOTHING
RETURNING id

-- The last of that many new ids. In SQLite they are free until the transaction ends: nobody else writes.
-- name: next_ids (sqlite)
-- whole: ids are given once in a store
SELECT :tenant AS tenant, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'record'), 0) + :count

-- name: next_ids (postgres)
-- whole: ids are given once in a store
INSERT INTO record_number (tenant, last) VALUES (:tenant, :count)
ON CONFLICT (tenant) DO UPDATE SET last = record_number.last + excluded.last
RETURNING tenant, last

-- name: add_many
-- checks: namespace
INSERT INTO record (id, tenant, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash,
  session, position, replaced, created, updated, uid, origin)
VALUES (:id, :tenant, :namespace, :kind, :type, :key, :label, :text, :tags, :metadata, :importance, :confidence, :content_hash,
  :session, :position, :replaced, :created, :updated, :uid, :origin)

-- name: update
UPDATE record SET type = :type, label = :label, text = :text, tags = :tags, metadata = :metadata,
  importance = :importance, confidence = :confidence, content_hash = :content_hash, replaced = :replaced, updated = :updated
WHERE scoped(record) AND tenant = :tenant AND id = :id

-- name: move
-- checks: namespace
UPDATE record SET namespace = :namespace WHERE scoped(record) AND tenant = :tenant AND id = :id

-- name: delete
DELETE FROM record WHERE scoped(record) AND tenant = :tenant AND id = :id

-- name: set_replaced
UPDATE record SET replaced = 1 WHERE scoped(record) AND tenant = :tenant AND id = :id AND replaced = 0

-- name: unset_replaced
-- whole: what replaces it counts wherever that is: whether a record is replaced is a thing of its own
UPDATE record SET replaced = 0
WHERE scoped(record) AND tenant = :tenant AND id = :id AND replaced = 1
  AND NOT EXISTS (SELECT 1 FROM edge WHERE tenant = :tenant AND source = :id AND canonical IN ('EVOLVED_INTO', 'INVALIDATED_BY'))
  AND NOT EXISTS (SELECT 1 FROM edge WHERE tenant = :tenant AND target = :id AND canonical = 'SUPERSEDES')
  AND NOT EXISTS (SELECT 1 FROM record AS other
    WHERE other.tenant = :tenant AND other.namespace = record.namespace AND other.content_hash = record.content_hash
      AND other.kind = 'memory' AND record.kind = 'memory' AND other.replaced = 0 AND other.id <> record.id)

-- name: by_key
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE tenant = :tenant AND key = :key
ORDER BY id

-- name: keys_beginning
SELECT DISTINCT key FROM scoped.record
WHERE tenant = :tenant AND key >= :start AND key < :end AND kind = 'memory' ORDER BY key LIMIT 2

-- name: begun_alike (sqlite)
SELECT value FROM json_each(:keys)
WHERE EXISTS (SELECT 1 FROM scoped.record
  WHERE tenant = :tenant AND key >= substr(value, 1, :length) AND key < substr(value, 1, :length) || 'g'
    AND key <> value AND kind = 'memory')

-- name: begun_alike (postgres)
SELECT value FROM json_array_elements_text(:keys::json)
WHERE EXISTS (SELECT 1 FROM scoped.record
  WHERE tenant = :tenant AND key >= left(value, :length) COLLATE "C" AND key < left(value, :length) || 'g' COLLATE "C"
    AND key <> value COLLATE "C" AND kind = 'memory'
  OFFSET 0)

-- name: by_ids (sqlite)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: by_ids (postgres)
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE +tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: with_access (sqlite)
SELECT record.id, record.namespace, record.kind, record.type, record.key, record.label, record.text, record.tags,
  record.metadata, record.importance, record.confidence, record.content_hash, record.session, record.position, record.replaced,
  record.created, record.updated, record.uid, record.origin, access.count, access.last
FROM scoped.record LEFT JOIN scoped.access ON access.record = record.id
WHERE +record.tenant = :tenant AND record.id IN (SELECT value FROM json_each(:ids))
ORDER BY record.id

-- name: with_access (postgres)
SELECT record.id, record.namespace, record.kind, record.type, record.key, record.label, record.text, record.tags,
  record.metadata, record.importance, record.confidence, record.content_hash, record.session, record.position, record.replaced,
  record.created, record.updated, record.uid, record.origin, access.count, access.last
FROM scoped.record LEFT JOIN scoped.access ON access.tenant = record.tenant AND access.record = record.id
WHERE record.tenant = :tenant AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY record.id

-- name: by_content
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND content_hash = :content_hash AND kind = 'memory' AND replaced = 0

-- A uid has no index of its own: what a record was created at never changes, and leads to it.
-- name: by_uid
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND created = :created AND uid = :uid
ORDER BY id
LIMIT 1

-- name: newest
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record
WHERE tenant = :tenant AND kind = :kind AND (:type = '' OR type = :type) AND created <= :created
  AND (created < :created OR key > :key OR (key = :key AND id > :id))
ORDER BY created DESC, key, id
LIMIT :limit

-- name: after
SELECT id, namespace, kind, type, key, label, text, tags, metadata, importance, confidence, content_hash, session,
  position, replaced, created, updated, uid, origin
FROM scoped.record WHERE +tenant = :tenant AND id > :id
ORDER BY id
LIMIT :limit

-- Current records that an import took from another tool's data at a place. An entity may be of several places.
-- name: taken_from (sqlite)
SELECT id, tenant FROM scoped.record WHERE +tenant = :tenant AND replaced = 0 AND kind <> 'entity'
  AND metadata ->> '$.imported_from.source' = :source AND metadata ->> '$.imported_from.at' = :place ORDER BY id

-- name: taken_from (postgres)
SELECT id, tenant FROM scoped.record WHERE tenant = :tenant AND replaced = 0 AND kind <> 'entity'
  AND metadata::json #>> '{imported_from,source}' = :source AND metadata::json #>> '{imported_from,at}' = :place ORDER BY id

-- name: count_by_kind
SELECT kind, count(*) FROM record WHERE tenant = :tenant GROUP BY kind ORDER BY kind

-- name: count_by_kind_limited (sqlite)
SELECT kind, count(*) FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:granted))
GROUP BY +kind ORDER BY +kind

-- name: count_by_kind_limited (postgres)
SELECT kind, count(*) FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
GROUP BY kind ORDER BY kind

-- name: namespaces
-- From one name to the next in the index: the work is that of the namespaces, not of the records.
WITH RECURSIVE step (name) AS (
  SELECT (SELECT namespace FROM record WHERE tenant = :tenant ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT namespace FROM record WHERE tenant = :tenant AND namespace > step.name ORDER BY namespace LIMIT 1)
  FROM step WHERE step.name IS NOT NULL
)
SELECT name FROM step WHERE name IS NOT NULL ORDER BY name

-- name: namespaces_limited (sqlite)
SELECT value FROM json_each(:granted)
WHERE EXISTS (SELECT 1 FROM record WHERE tenant = :tenant AND namespace = value) ORDER BY value

-- name: namespaces_limited (postgres)
SELECT value COLLATE "C" FROM json_array_elements_text(:granted::json)
WHERE EXISTS (SELECT 1 FROM record WHERE tenant = :tenant AND namespace = value COLLATE "C"
  OFFSET 0) ORDER BY value COLLATE "C"

-- name: last_id
SELECT coalesce(max(id), 0) FROM scoped.record WHERE +tenant = :tenant

-- name: beside (sqlite)
SELECT record.id,
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = record.tenant AND other.session = record.session
      AND (other.position, other.id) < (record.position, record.id) AND other.position >= record.position - :window
    ORDER BY other.position DESC, other.id DESC LIMIT 1 OFFSET 0), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = record.tenant AND other.session = record.session
      AND (other.position, other.id) < (record.position, record.id) AND other.position >= record.position - :window
    ORDER BY other.position DESC, other.id DESC LIMIT 1 OFFSET 1), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = record.tenant AND other.session = record.session
      AND (other.position, other.id) > (record.position, record.id) AND other.position <= record.position + :window
    ORDER BY other.position ASC, other.id ASC LIMIT 1 OFFSET 0), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = record.tenant AND other.session = record.session
      AND (other.position, other.id) > (record.position, record.id) AND other.position <= record.position + :window
    ORDER BY other.position ASC, other.id ASC LIMIT 1 OFFSET 1), 0),
  instr(substr(record.text, -200) || ' ', '? ') > 0 OR instr(substr(record.text, -200), '？') > 0
FROM scoped.record WHERE +record.tenant = :tenant AND record.session <> ''
  AND record.id IN (SELECT value FROM json_each(:ids))

-- name: beside (postgres)
-- The tenant is named in each of them: else Citus looks for the others on every node.
SELECT record.id,
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = :tenant AND other.session = record.session
      AND (other.position, other.id) < (record.position, record.id) AND other.position >= record.position - :window
    ORDER BY other.position DESC, other.id DESC LIMIT 1 OFFSET 0), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = :tenant AND other.session = record.session
      AND (other.position, other.id) < (record.position, record.id) AND other.position >= record.position - :window
    ORDER BY other.position DESC, other.id DESC LIMIT 1 OFFSET 1), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = :tenant AND other.session = record.session
      AND (other.position, other.id) > (record.position, record.id) AND other.position <= record.position + :window
    ORDER BY other.position ASC, other.id ASC LIMIT 1 OFFSET 0), 0),
  coalesce((SELECT other.id FROM scoped.record AS other
    WHERE other.tenant = :tenant AND other.session = record.session
      AND (other.position, other.id) > (record.position, record.id) AND other.position <= record.position + :window
    ORDER BY other.position ASC, other.id ASC LIMIT 1 OFFSET 1), 0),
  right(record.text, 200) || ' ' LIKE '%? %' OR right(record.text, 200) LIKE '%？%'
FROM scoped.record WHERE record.tenant = :tenant AND record.session <> ''
  AND record.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: created_in (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind IN (SELECT value FROM json_each(:kinds)) AND created >= :start AND created < :end
ORDER BY created DESC, key LIMIT :limit

-- name: created_in (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
  AND created >= :start AND created < :end
ORDER BY created DESC, key LIMIT :limit

-- name: delete_many (sqlite)
DELETE FROM record WHERE scoped(record) AND +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: delete_many (postgres)
DELETE FROM record WHERE scoped(record) AND tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: count_by_namespace
SELECT namespace, count(*), max(created) FROM scoped.record WHERE tenant = :tenant AND kind = :kind GROUP BY namespace

-- `+kind` keeps SQLite from walking all records of the tenant in the order of their kinds.
-- name: count_kinds_in (sqlite)
SELECT kind, count(*) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces))
GROUP BY +kind

-- name: count_kinds_in (postgres)
SELECT kind, count(*) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
GROUP BY kind

-- name: ids_in (sqlite)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND (:kind = '' OR kind = :kind)
ORDER BY replaced DESC, id

-- name: ids_in (postgres)
SELECT id FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
  AND (:kind = '' OR kind = :kind)
ORDER BY replaced DESC, id

-- name: figures_in (sqlite)
SELECT count(*), avg(importance), avg(confidence), min(created), max(created) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND kind = :kind

-- name: figures_in (postgres)
SELECT count(*), avg(importance), avg(confidence), min(created), max(created) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json)) AND kind = :kind

-- name: count_types_in (sqlite)
SELECT type, count(*) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:namespaces)) AND kind = :kind
GROUP BY type

-- name: count_types_in (postgres)
SELECT type, count(*) FROM scoped.record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json)) AND kind = :kind
GROUP BY type

-- name: count_tags_in (sqlite)
SELECT tag.value, count(DISTINCT record.id) FROM scoped.record, json_each(record.tags) AS tag
WHERE record.tenant = :tenant AND record.namespace IN (SELECT value FROM json_each(:namespaces)) AND record.kind = :kind
GROUP BY tag.value

-- name: count_tags_in (postgres)
SELECT tag.value, count(DISTINCT record.id)
FROM scoped.record CROSS JOIN LATERAL json_array_elements_text(record.tags::json) AS tag (value)
WHERE record.tenant = :tenant AND record.kind = :kind
  AND record.namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
GROUP BY tag.value

-- name: keys_of (sqlite)
SELECT id, kind, key FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: keys_of (postgres)
SELECT id, kind, key FROM scoped.record
WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: containing (sqlite)
SELECT id, text, tags, metadata FROM scoped.record
WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  AND (instr(text, :part) > 0 OR instr(tags, :part) > 0 OR instr(metadata, :part) > 0)
ORDER BY id

-- name: containing (postgres)
SELECT id, text, tags, metadata FROM scoped.record
WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND (strpos(text, :part) > 0 OR strpos(tags, :part) > 0 OR strpos(metadata, :part) > 0)
ORDER BY id

-- name: named (sqlite)
SELECT id, key FROM scoped.record WHERE tenant = :tenant AND kind = :kind AND instr(key, :part) > 0 ORDER BY id

-- name: named (postgres)
SELECT id, key FROM scoped.record WHERE tenant = :tenant AND kind = :kind AND strpos(key, :part) > 0 ORDER BY id

-- The key of a record that gets another one is none that a record has.
-- name: vacate_key
UPDATE record SET key = 'moving:' || id WHERE scoped(record) AND tenant = :tenant AND id = :id
  AND kind IN ('symbol', 'file')

-- name: rekey
UPDATE record SET key = :key WHERE scoped(record) AND tenant = :tenant AND id = :id AND kind IN ('symbol', 'file')

-- name: by_keys (sqlite)
SELECT key, id FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = :kind AND key IN (SELECT value FROM json_each(:keys))

-- name: by_keys (postgres)
SELECT key, id FROM scoped.record
WHERE tenant = :tenant AND namespace = :namespace AND kind = :kind
  AND key IN (SELECT value FROM json_array_elements_text(:keys::json))

-- name: keys_in
SELECT key, id, position FROM scoped.record WHERE tenant = :tenant AND namespace = :namespace AND kind = :kind

-- name: glimpses (sqlite)
SELECT id, kind, key, CASE WHEN label = '' THEN substr(text, 1, :length) ELSE label END
FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: glimpses (postgres)
SELECT id, kind, key, CASE WHEN label = '' THEN substr(text, 1, :length) ELSE label END
FROM scoped.record WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
