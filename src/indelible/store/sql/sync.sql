-- refused: two machines share a whole store

-- name: of (sqlite)
SELECT uid, part, state, local_id, same, digest, stamp, seen FROM sync_state
WHERE tenant = :tenant AND uid IN (SELECT value FROM json_each(:uids))

-- name: of (postgres)
SELECT uid, part, state, local_id, same, digest, stamp, seen FROM sync_state
WHERE tenant = :tenant AND uid = ANY (ARRAY(SELECT json_array_elements_text(:uids::json)))

-- name: between
SELECT uid, part, state, local_id, same, digest, stamp, seen FROM sync_state
WHERE tenant = :tenant AND uid > :after AND uid < :end ORDER BY uid LIMIT :limit

-- name: put
INSERT INTO sync_state (tenant, uid, part, state, local_id, same, digest, stamp, seen)
VALUES (:tenant, :uid, :part, :state, :local_id, :same, :digest, :stamp, :seen)
ON CONFLICT (tenant, uid) DO UPDATE SET part = excluded.part, state = excluded.state, local_id = excluded.local_id,
  same = excluded.same, digest = excluded.digest, stamp = excluded.stamp, seen = excluded.seen

-- name: same_as
SELECT uid FROM sync_state WHERE tenant = :tenant AND same <> '' AND same = :uid ORDER BY uid

-- Records and relations that were here when they were noted, and are no more.
-- name: gone
SELECT uid, part, state, local_id, same, digest, stamp, seen FROM sync_state
WHERE tenant = :tenant AND uid > :after AND state = 'here' AND NOT (CASE part WHEN 'record'
  THEN EXISTS (SELECT 1 FROM record WHERE record.tenant = :tenant AND record.id = sync_state.local_id AND record.uid = sync_state.uid)
  ELSE EXISTS (SELECT 1 FROM edge WHERE edge.tenant = :tenant AND edge.id = sync_state.local_id AND edge.uid = sync_state.uid) END)
ORDER BY uid LIMIT :limit

-- name: edges_after (sqlite)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.canonical, edge.weight, edge.metadata, edge.created, edge.uid,
  edge.origin, source.uid, target.uid
FROM edge JOIN record AS source ON source.id = edge.source JOIN record AS target ON target.id = edge.target
WHERE +edge.tenant = :tenant AND edge.id > :after AND coalesce(edge.metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND source.kind NOT IN ('symbol', 'file', 'commit') AND target.kind NOT IN ('symbol', 'file', 'commit')
ORDER BY edge.id LIMIT :limit

-- name: edges_after (postgres)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.canonical, edge.weight, edge.metadata, edge.created, edge.uid,
  edge.origin, source.uid, target.uid
FROM edge JOIN record AS source ON source.tenant = edge.tenant AND source.id = edge.source
  JOIN record AS target ON target.tenant = edge.tenant AND target.id = edge.target
WHERE edge.tenant = :tenant AND edge.id > :after
  AND coalesce(edge.metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND source.kind NOT IN ('symbol', 'file', 'commit') AND target.kind NOT IN ('symbol', 'file', 'commit')
ORDER BY edge.id LIMIT :limit

-- name: edges_of (sqlite)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.canonical, edge.weight, edge.metadata, edge.created, edge.uid,
  edge.origin, source.uid, target.uid
FROM edge JOIN record AS source ON source.id = edge.source JOIN record AS target ON target.id = edge.target
WHERE +edge.tenant = :tenant AND edge.id IN (SELECT value FROM json_each(:ids)) ORDER BY edge.id

-- name: edges_of (postgres)
SELECT edge.id, edge.source, edge.target, edge.relation, edge.canonical, edge.weight, edge.metadata, edge.created, edge.uid,
  edge.origin, source.uid, target.uid
FROM edge JOIN record AS source ON source.tenant = edge.tenant AND source.id = edge.source
  JOIN record AS target ON target.tenant = edge.tenant AND target.id = edge.target
WHERE edge.tenant = :tenant AND edge.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY edge.id

-- name: overwrite_record
UPDATE record SET namespace = :namespace, kind = :kind, type = :type, key = :key, label = :label, text = :text, tags = :tags,
  metadata = :metadata, importance = :importance, confidence = :confidence, content_hash = :content_hash,
  session = :session, position = :position, replaced = :replaced, created = :created, updated = :updated, uid = :uid,
  origin = :origin
WHERE tenant = :tenant AND id = :id

-- name: overwrite_edge
UPDATE edge SET source = :source, target = :target, relation = :relation, canonical = :canonical, weight = :weight,
  metadata = :metadata, created = :created, uid = :uid, origin = :origin
WHERE tenant = :tenant AND id = :id

-- name: rename_record
UPDATE record SET uid = :uid WHERE tenant = :tenant AND id = :id

-- name: rename_edge
UPDATE edge SET uid = :uid WHERE tenant = :tenant AND id = :id
