-- name: put (sqlite)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created, :uid, :origin)
ON CONFLICT (source, target, relation) DO UPDATE SET weight = excluded.weight
WHERE edge.weight <> excluded.weight

-- name: put (postgres)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created, :uid, :origin)
ON CONFLICT (tenant, source, target, relation) DO UPDATE SET weight = excluded.weight
WHERE edge.weight <> excluded.weight

-- name: set_metadata
UPDATE edge SET metadata = :metadata WHERE scoped(edge) AND tenant = :tenant AND id = :id

-- name: add (sqlite)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created, :uid, :origin)
ON CONFLICT (source, target, relation) DO NOTHING

-- name: add (postgres)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created, :uid, :origin)
ON CONFLICT (tenant, source, target, relation) DO NOTHING

-- name: add_many (sqlite)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
SELECT :tenant, value ->> 0, value ->> 1, :relation, :canonical, value ->> 2, value ->> 3, :created, value ->> 4, ''
FROM json_each(:rows) WHERE 1 = 1
ON CONFLICT (source, target, relation) DO NOTHING

-- name: add_many (postgres)
-- checks: source, target
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
SELECT :tenant, (value ->> 0)::bigint, (value ->> 1)::bigint, :relation, :canonical, (value ->> 2)::double precision,
  value ->> 3, :created, value ->> 4, ''
FROM json_array_elements(:rows::json)
ON CONFLICT (tenant, source, target, relation) DO NOTHING

-- name: reinsert
-- checks: source, target
INSERT INTO edge (id, tenant, source, target, relation, canonical, weight, metadata, created, uid, origin)
VALUES (:id, :tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created, :uid, :origin)
ON CONFLICT DO NOTHING

-- name: find
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge WHERE tenant = :tenant AND source = :source AND target = :target AND relation = :relation

-- name: of_records (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge WHERE tenant = :tenant AND id IN (
  SELECT id FROM scoped.edge WHERE source IN (SELECT value FROM json_each(:ids))
  UNION SELECT id FROM scoped.edge WHERE target IN (SELECT value FROM json_each(:ids)))
ORDER BY id

-- name: of_records (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge WHERE tenant = :tenant AND (
  source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  OR target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
ORDER BY id

-- name: heaviest (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge WHERE tenant = :tenant AND id IN (
  SELECT id FROM (SELECT id FROM scoped.edge WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids))
    AND (:relation = '' OR canonical = :relation) LIMIT :most)
  UNION SELECT id FROM (SELECT id FROM scoped.edge WHERE tenant = :tenant
    AND target IN (SELECT value FROM json_each(:ids)) AND (:relation = '' OR canonical = :relation) LIMIT :most))
ORDER BY weight DESC, id LIMIT :limit

-- name: heaviest (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge WHERE tenant = :tenant AND id IN (
  SELECT id FROM (SELECT id FROM scoped.edge WHERE tenant = :tenant
    AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    AND (:relation = '' OR canonical = :relation) LIMIT :most) AS outgoing
  UNION SELECT id FROM (SELECT id FROM scoped.edge WHERE tenant = :tenant
    AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    AND (:relation = '' OR canonical = :relation) LIMIT :most) AS incoming)
ORDER BY weight DESC, id LIMIT :limit

-- name: delete
DELETE FROM edge WHERE scoped(edge) AND tenant = :tenant AND id = :id

-- name: count_by_relation
SELECT canonical, count(*) FROM edge WHERE tenant = :tenant GROUP BY canonical ORDER BY canonical

-- Graph measures: of all relations, and of those that nobody derived from source code and its names, nor from the
-- likeness of two texts (`stated`).

-- name: in_range
SELECT source, target, weight FROM scoped.edge WHERE +tenant = :tenant AND source >= :low AND source < :high
  AND canonical <> 'MODIFIES'
LIMIT :limit

-- name: stated_in_range (sqlite)
SELECT source, target, weight FROM scoped.edge
WHERE tenant = :tenant AND source >= :low AND source < :high AND coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'
LIMIT :limit

-- name: stated_in_range (postgres)
SELECT source, target, weight FROM scoped.edge
WHERE tenant = :tenant AND source >= :low AND source < :high AND coalesce(metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'
LIMIT :limit

-- name: last_id
SELECT coalesce(max(id), 0) FROM scoped.edge WHERE +tenant = :tenant

-- name: count_stated (sqlite)
SELECT count(*) FROM edge WHERE tenant = :tenant AND coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'

-- name: count_stated (postgres)
SELECT count(*) FROM edge WHERE tenant = :tenant AND coalesce(metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'

-- name: nodes
SELECT id, namespace, kind FROM record
WHERE tenant = :tenant AND kind <> 'commit' AND id IN (
  SELECT source FROM edge WHERE tenant = :tenant UNION SELECT target FROM edge WHERE tenant = :tenant)
ORDER BY kind, key, id

-- name: stated_nodes (sqlite)
SELECT id, namespace, kind FROM scoped.record
WHERE tenant = :tenant AND id IN (
  SELECT source FROM scoped.edge WHERE tenant = :tenant
    AND coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'
  UNION SELECT target FROM scoped.edge WHERE tenant = :tenant
    AND coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE')
ORDER BY kind, key, id

-- name: stated_nodes (postgres)
SELECT id, namespace, kind FROM scoped.record
WHERE tenant = :tenant AND id IN (
  SELECT source FROM scoped.edge WHERE tenant = :tenant
    AND coalesce(metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE'
  UNION SELECT target FROM scoped.edge WHERE tenant = :tenant
    AND coalesce(metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND canonical <> 'MAY_SUPERSEDE')
ORDER BY kind, key, id

-- The three for who is limited to namespaces begin at the records of these: a store may have many relations elsewhere.

-- name: count_by_relation_limited (sqlite)
SELECT edge.canonical, count(*)
FROM record AS a CROSS JOIN edge ON edge.source = a.id CROSS JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_each(:granted)) AND +b.namespace IN (SELECT value FROM json_each(:granted))
GROUP BY edge.canonical ORDER BY edge.canonical

-- name: count_by_relation_limited (postgres)
SELECT edge.canonical, count(*)
FROM record AS a JOIN edge ON edge.tenant = a.tenant AND edge.source = a.id
  JOIN record AS b ON b.tenant = edge.tenant AND b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
  AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
GROUP BY edge.canonical ORDER BY edge.canonical

-- Without what is derived from source code, of which there is much: the rest is little, and the count need not be exact.
-- name: count_stated_limited (sqlite)
SELECT count(*)
FROM record AS a CROSS JOIN edge ON edge.tenant = a.tenant AND edge.source = a.id
  AND coalesce(edge.metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND edge.canonical <> 'MAY_SUPERSEDE' CROSS JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_each(:granted)) AND a.kind NOT IN ('symbol', 'file', 'commit')
  AND +b.namespace IN (SELECT value FROM json_each(:granted))

-- name: count_stated_limited (postgres)
SELECT count(*)
FROM record AS a JOIN edge ON edge.tenant = a.tenant AND edge.source = a.id
  AND coalesce(edge.metadata::json ->> 'origin', '') NOT IN ('index', 'mention')
  AND edge.canonical <> 'MAY_SUPERSEDE'
  JOIN record AS b ON b.tenant = edge.tenant AND b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
  AND a.kind NOT IN ('symbol', 'file', 'commit') AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))

-- name: nodes_limited (sqlite)
SELECT id, namespace, kind FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:granted)) AND +kind <> 'commit' AND (
  EXISTS (SELECT 1 FROM edge CROSS JOIN record AS b ON b.id = edge.target
    WHERE edge.source = record.id AND +b.namespace IN (SELECT value FROM json_each(:granted)))
  OR EXISTS (SELECT 1 FROM edge CROSS JOIN record AS b ON b.id = edge.source
    WHERE edge.target = record.id AND +b.namespace IN (SELECT value FROM json_each(:granted))))
ORDER BY +kind, key, id

-- name: nodes_limited (postgres)
SELECT id, namespace, kind FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
  AND kind <> 'commit' AND (
  EXISTS (SELECT 1 FROM edge JOIN record AS b ON b.tenant = edge.tenant AND b.id = edge.target
    WHERE edge.tenant = :tenant AND edge.source = record.id AND b.namespace IN (SELECT value
      FROM json_array_elements_text(:granted::json)))
  OR EXISTS (SELECT 1 FROM edge JOIN record AS b ON b.tenant = edge.tenant AND b.id = edge.source
    WHERE edge.tenant = :tenant AND edge.target = record.id AND b.namespace IN (SELECT value
      FROM json_array_elements_text(:granted::json))))
ORDER BY kind, key, id

-- name: around (sqlite)
SELECT source, target, weight FROM scoped.edge
WHERE tenant = :tenant AND weight > 0 AND canonical NOT IN ('MAY_SUPERSEDE', 'MODIFIES') AND source IN (SELECT value FROM json_each(:ids))
UNION ALL SELECT target, source, weight FROM scoped.edge
WHERE tenant = :tenant AND weight > 0 AND canonical NOT IN ('MAY_SUPERSEDE', 'MODIFIES') AND target IN (SELECT value FROM json_each(:ids))

-- name: around (postgres)
SELECT source, target, weight FROM scoped.edge
WHERE tenant = :tenant AND weight > 0 AND canonical NOT IN ('MAY_SUPERSEDE', 'MODIFIES')
  AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
UNION ALL SELECT target, source, weight FROM scoped.edge
WHERE tenant = :tenant AND weight > 0 AND canonical NOT IN ('MAY_SUPERSEDE', 'MODIFIES')
  AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: degrees (sqlite)
SELECT id,
  (SELECT count(*) FROM scoped.edge WHERE source = record.id AND canonical <> 'MODIFIES')
  + (SELECT count(*) FROM scoped.edge WHERE target = record.id AND canonical <> 'MODIFIES')
FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: degrees (postgres)
SELECT id,
  (SELECT count(*) FROM scoped.edge
    WHERE edge.tenant = :tenant AND source = record.id AND canonical <> 'MODIFIES')
  + (SELECT count(*) FROM scoped.edge
    WHERE edge.tenant = :tenant AND target = record.id AND canonical <> 'MODIFIES')
FROM scoped.record WHERE +tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- The columns get their names within: of a list beside the name of a query, Citus 14.0 loses them.
-- name: linked (sqlite)
WITH beside AS (
  SELECT source AS near, target AS far, weight FROM scoped.edge
  WHERE tenant = :tenant AND canonical <> 'MAY_SUPERSEDE' AND source IN (SELECT value FROM json_each(:ids))
  UNION ALL SELECT target, source, weight FROM scoped.edge
  WHERE tenant = :tenant AND canonical <> 'MAY_SUPERSEDE' AND target IN (SELECT value FROM json_each(:ids)))
SELECT beside.near, record.id, record.kind, record.key, record.metadata
FROM beside CROSS JOIN scoped.record ON record.id = beside.far
WHERE +record.kind IN (SELECT value FROM json_each(:kinds)) AND (:type = '' OR record.type = :type)
GROUP BY beside.near, record.id
ORDER BY beside.near, max(beside.weight) DESC, record.created DESC, record.key, record.id

-- name: linked (postgres)
WITH beside AS (
  SELECT source AS near, target AS far, weight FROM scoped.edge
  WHERE tenant = :tenant AND canonical <> 'MAY_SUPERSEDE' AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  UNION ALL SELECT target, source, weight FROM scoped.edge
  WHERE tenant = :tenant AND canonical <> 'MAY_SUPERSEDE' AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
SELECT beside.near, record.id, record.kind, record.key, record.metadata
FROM beside JOIN scoped.record ON record.tenant = :tenant AND record.id = beside.far
WHERE record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json)) AND (:type = '' OR record.type = :type)
GROUP BY beside.near, record.id, record.kind, record.key, record.metadata, record.created
ORDER BY beside.near, max(beside.weight) DESC, record.created DESC, record.key, record.id

-- name: sources (sqlite)
SELECT DISTINCT edge.target, record.id, record.kind, record.key, record.metadata
FROM scoped.edge CROSS JOIN scoped.record ON record.id = edge.source
WHERE edge.tenant = :tenant AND edge.target IN (SELECT value FROM json_each(:ids))
  AND edge.canonical IN (SELECT value FROM json_each(:names)) AND +record.kind IN (SELECT value FROM json_each(:kinds))
ORDER BY edge.target, record.id

-- name: sources (postgres)
SELECT DISTINCT edge.target, record.id, record.kind, record.key, record.metadata
FROM scoped.edge JOIN scoped.record ON record.tenant = edge.tenant AND record.id = edge.source
WHERE edge.tenant = :tenant
  AND edge.target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND edge.canonical IN (SELECT value FROM json_array_elements_text(:names::json))
  AND record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
ORDER BY edge.target, record.id

-- name: incoming (sqlite)
SELECT source, target, canonical, weight FROM scoped.edge
WHERE +tenant = :tenant AND target IN (SELECT value FROM json_each(:ids))
  AND canonical IN (SELECT value FROM json_each(:names))

-- name: incoming (postgres)
SELECT source, target, canonical, weight FROM scoped.edge
WHERE tenant = :tenant AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))

-- name: reachable (sqlite)
WITH RECURSIVE reached (id) AS (
  SELECT id FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  UNION SELECT edge.target FROM reached CROSS JOIN scoped.edge ON edge.source = reached.id
  WHERE edge.tenant = :tenant AND edge.canonical IN (SELECT value FROM json_each(:names))
  UNION SELECT edge.source FROM reached CROSS JOIN scoped.edge ON edge.target = reached.id
  WHERE edge.tenant = :tenant AND edge.canonical IN (SELECT value FROM json_each(:names)))
SELECT id FROM reached ORDER BY id

-- name: reachable (postgres)
WITH RECURSIVE reached (id) AS (
  SELECT id FROM scoped.record
  WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  UNION SELECT beside.id FROM reached CROSS JOIN LATERAL (
    SELECT target AS id FROM scoped.edge WHERE source = reached.id AND tenant = :tenant
      AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))
    UNION ALL SELECT source FROM scoped.edge WHERE target = reached.id AND tenant = :tenant
      AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))) AS beside)
SELECT id FROM reached ORDER BY id

-- name: between (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge
WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND target IN (SELECT value FROM json_each(:ids))
ORDER BY id

-- name: between (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge
WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: newer (sqlite)
SELECT target, source, canonical, weight FROM scoped.edge
WHERE +tenant = :tenant AND target IN (SELECT value FROM json_each(:ids)) AND canonical IN ('MAY_SUPERSEDE', 'CONTRADICTS') AND weight > 0
ORDER BY weight, source

-- name: newer (postgres)
SELECT target, source, canonical, weight FROM scoped.edge
WHERE tenant = :tenant AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND canonical IN ('MAY_SUPERSEDE', 'CONTRADICTS') AND weight > 0
ORDER BY weight, source

-- name: among (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge
WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND +target IN (SELECT value FROM json_each(:ids))
  AND canonical IN (SELECT value FROM json_each(:names))
ORDER BY id

-- name: among (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin
FROM scoped.edge
WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json) OFFSET 0)
  AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))
ORDER BY id

-- name: refinements (sqlite)
WITH RECURSIVE line (record, ancestor) AS (
  SELECT id, id FROM scoped.record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  UNION SELECT line.record, edge.source FROM line CROSS JOIN scoped.edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'),
steps AS (
  SELECT line.record, edge.id AS edge FROM line CROSS JOIN scoped.edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'
  UNION SELECT source, id FROM scoped.edge
  WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND canonical = 'EVOLVED_INTO')
SELECT record, count(*) FROM steps GROUP BY record

-- name: refinements (postgres)
WITH RECURSIVE line (record, ancestor) AS (
  SELECT id, id FROM scoped.record
  WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  UNION SELECT line.record, edge.source FROM line JOIN scoped.edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'),
steps AS (
  SELECT line.record, edge.id AS edge FROM line JOIN scoped.edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'
  UNION SELECT source, id FROM scoped.edge
  WHERE tenant = :tenant AND canonical = 'EVOLVED_INTO'
    AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
SELECT record, count(*) FROM steps GROUP BY record

-- name: of_index (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin FROM scoped.edge
WHERE +tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND metadata ->> '$.origin' = 'index'
ORDER BY id

-- name: of_index (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created, uid, origin FROM scoped.edge
WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND metadata::json ->> 'origin' = 'index'
ORDER BY id

-- name: drop_of_index (sqlite)
DELETE FROM edge WHERE scoped(edge) AND +tenant = :tenant AND source IN (SELECT value FROM json_each(:ids))
  AND metadata ->> '$.origin' = 'index'

-- name: drop_of_index (postgres)
DELETE FROM edge WHERE scoped(edge) AND tenant = :tenant
  AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND metadata::json ->> 'origin' = 'index'

-- name: drop_of_index_at (sqlite)
DELETE FROM edge WHERE scoped(edge) AND +tenant = :tenant AND id IN (
    SELECT id FROM scoped.edge WHERE source IN (SELECT value FROM json_each(:ids))
    UNION SELECT id FROM scoped.edge WHERE target IN (SELECT value FROM json_each(:ids)))
  AND metadata ->> '$.origin' = 'index'

-- name: drop_of_index_at (postgres)
DELETE FROM edge WHERE scoped(edge) AND tenant = :tenant
  AND (source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
    OR target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json))))
  AND metadata::json ->> 'origin' = 'index'

-- name: drop_many (sqlite)
DELETE FROM edge WHERE scoped(edge) AND +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: drop_many (postgres)
DELETE FROM edge WHERE scoped(edge) AND tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: held (sqlite)
SELECT source FROM scoped.edge
WHERE +tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND coalesce(metadata ->> '$.origin', '') <> 'index'
UNION SELECT target FROM scoped.edge
WHERE +tenant = :tenant AND target IN (SELECT value FROM json_each(:ids)) AND coalesce(metadata ->> '$.origin', '') <> 'index'

-- name: held (postgres)
SELECT source FROM scoped.edge
WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND coalesce(metadata::json ->> 'origin', '') <> 'index'
UNION SELECT target FROM scoped.edge
WHERE tenant = :tenant AND target = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND coalesce(metadata::json ->> 'origin', '') <> 'index'
