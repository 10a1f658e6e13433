-- name: put
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created)
ON CONFLICT (source, target, relation) DO UPDATE SET weight = excluded.weight
WHERE edge.weight <> excluded.weight

-- name: add
INSERT INTO edge (tenant, source, target, relation, canonical, weight, metadata, created)
VALUES (:tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created)
ON CONFLICT (source, target, relation) DO NOTHING

-- name: reinsert
INSERT INTO edge (id, tenant, source, target, relation, canonical, weight, metadata, created)
VALUES (:id, :tenant, :source, :target, :relation, :canonical, :weight, :metadata, :created)
ON CONFLICT DO NOTHING

-- name: find
SELECT id, source, target, relation, canonical, weight, metadata, created
FROM edge WHERE tenant = :tenant AND source = :source AND target = :target AND relation = :relation

-- name: of_records (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created
FROM edge WHERE tenant = :tenant AND id IN (
  SELECT id FROM edge WHERE source IN (SELECT value FROM json_each(:ids))
  UNION SELECT id FROM edge WHERE target IN (SELECT value FROM json_each(:ids)))
ORDER BY id

-- name: of_records (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created
FROM edge WHERE tenant = :tenant AND (
  source IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  OR target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json)))
ORDER BY id

-- name: delete
DELETE FROM edge WHERE tenant = :tenant AND id = :id

-- name: count_by_relation
SELECT canonical, count(*) FROM edge WHERE tenant = :tenant GROUP BY canonical ORDER BY canonical

-- name: ends
SELECT edge.source, edge.target, edge.weight, a.namespace, b.namespace
FROM edge JOIN record AS a ON a.id = edge.source JOIN record AS b ON b.id = edge.target
WHERE edge.tenant = :tenant
ORDER BY edge.id

-- name: nodes
SELECT id FROM record
WHERE tenant = :tenant AND id IN (
  SELECT source FROM edge WHERE tenant = :tenant UNION SELECT target FROM edge WHERE tenant = :tenant)
ORDER BY kind, key, id

-- The three for who is limited to namespaces begin at the records of these: a store may have many relations elsewhere.

-- name: count_by_relation_limited (sqlite)
SELECT edge.canonical, count(*)
FROM record AS a CROSS JOIN edge ON edge.source = a.id CROSS JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_each(:granted)) AND +b.namespace IN (SELECT value FROM json_each(:granted))
GROUP BY edge.canonical ORDER BY edge.canonical

-- name: count_by_relation_limited (postgres)
SELECT edge.canonical, count(*)
FROM record AS a JOIN edge ON edge.source = a.id JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
  AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
GROUP BY edge.canonical ORDER BY edge.canonical

-- name: ends_limited (sqlite)
SELECT edge.source, edge.target, edge.weight, a.namespace, b.namespace
FROM record AS a CROSS JOIN edge ON edge.source = a.id CROSS JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_each(:granted)) AND +b.namespace IN (SELECT value FROM json_each(:granted))
ORDER BY edge.id

-- name: ends_limited (postgres)
SELECT edge.source, edge.target, edge.weight, a.namespace, b.namespace
FROM record AS a JOIN edge ON edge.source = a.id JOIN record AS b ON b.id = edge.target
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
  AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))
ORDER BY edge.id

-- name: nodes_limited (sqlite)
SELECT id FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_each(:granted)) AND (
  EXISTS (SELECT 1 FROM edge CROSS JOIN record AS b ON b.id = edge.target
    WHERE edge.source = record.id AND +b.namespace IN (SELECT value FROM json_each(:granted)))
  OR EXISTS (SELECT 1 FROM edge CROSS JOIN record AS b ON b.id = edge.source
    WHERE edge.target = record.id AND +b.namespace IN (SELECT value FROM json_each(:granted))))
ORDER BY +kind, key, id

-- name: nodes_limited (postgres)
SELECT id FROM record
WHERE tenant = :tenant AND namespace IN (SELECT value FROM json_array_elements_text(:granted::json)) AND (
  EXISTS (SELECT 1 FROM edge JOIN record AS b ON b.id = edge.target
    WHERE edge.source = record.id AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json)))
  OR EXISTS (SELECT 1 FROM edge JOIN record AS b ON b.id = edge.source
    WHERE edge.target = record.id AND b.namespace IN (SELECT value FROM json_array_elements_text(:granted::json))))
ORDER BY kind, key, id

-- name: around (sqlite)
SELECT source, target, weight FROM edge
WHERE tenant = :tenant AND weight > 0 AND source IN (SELECT value FROM json_each(:ids))
UNION ALL SELECT target, source, weight FROM edge
WHERE tenant = :tenant AND weight > 0 AND target IN (SELECT value FROM json_each(:ids))

-- name: around (postgres)
SELECT source, target, weight FROM edge
WHERE tenant = :tenant AND weight > 0
  AND source IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
UNION ALL SELECT target, source, weight FROM edge
WHERE tenant = :tenant AND weight > 0
  AND target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))

-- name: degrees (sqlite)
SELECT id, (SELECT count(*) FROM edge WHERE source = record.id) + (SELECT count(*) FROM edge WHERE target = record.id)
FROM record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: degrees (postgres)
SELECT id, (SELECT count(*) FROM edge WHERE source = record.id) + (SELECT count(*) FROM edge WHERE target = record.id)
FROM record WHERE +tenant = :tenant AND id IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))

-- name: linked (sqlite)
WITH beside (near, far, weight) AS (
  SELECT source, target, weight FROM edge
  WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids))
  UNION ALL SELECT target, source, weight FROM edge
  WHERE tenant = :tenant AND target IN (SELECT value FROM json_each(:ids)))
SELECT beside.near, record.id, record.kind, record.key, record.metadata
FROM beside CROSS JOIN record ON record.id = beside.far
WHERE +record.kind IN (SELECT value FROM json_each(:kinds)) AND (:type = '' OR record.type = :type)
GROUP BY beside.near, record.id
ORDER BY beside.near, max(beside.weight) DESC, record.created DESC, record.key, record.id

-- name: linked (postgres)
WITH beside (near, far, weight) AS (
  SELECT source, target, weight FROM edge
  WHERE tenant = :tenant AND source IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  UNION ALL SELECT target, source, weight FROM edge
  WHERE tenant = :tenant AND target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json)))
SELECT beside.near, record.id, record.kind, record.key, record.metadata
FROM beside JOIN record ON record.id = beside.far
WHERE record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json)) AND (:type = '' OR record.type = :type)
GROUP BY beside.near, record.id, record.kind, record.key, record.metadata, record.created
ORDER BY beside.near, max(beside.weight) DESC, record.created DESC, record.key, record.id

-- name: sources (sqlite)
SELECT DISTINCT edge.target, record.id, record.kind, record.key, record.metadata
FROM edge CROSS JOIN record ON record.id = edge.source
WHERE edge.tenant = :tenant AND edge.target IN (SELECT value FROM json_each(:ids))
  AND edge.canonical IN (SELECT value FROM json_each(:names)) AND +record.kind IN (SELECT value FROM json_each(:kinds))
ORDER BY edge.target, record.id

-- name: sources (postgres)
SELECT DISTINCT edge.target, record.id, record.kind, record.key, record.metadata
FROM edge JOIN record ON record.id = edge.source
WHERE edge.tenant = :tenant AND edge.target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  AND edge.canonical IN (SELECT value FROM json_array_elements_text(:names::json))
  AND record.kind IN (SELECT value FROM json_array_elements_text(:kinds::json))
ORDER BY edge.target, record.id

-- name: reachable (sqlite)
WITH RECURSIVE reached (id) AS (
  SELECT id FROM record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  UNION SELECT edge.target FROM reached CROSS JOIN edge ON edge.source = reached.id
  WHERE edge.tenant = :tenant AND edge.canonical IN (SELECT value FROM json_each(:names))
  UNION SELECT edge.source FROM reached CROSS JOIN edge ON edge.target = reached.id
  WHERE edge.tenant = :tenant AND edge.canonical IN (SELECT value FROM json_each(:names)))
SELECT id FROM reached ORDER BY id

-- name: reachable (postgres)
WITH RECURSIVE reached (id) AS (
  SELECT id FROM record
  WHERE tenant = :tenant AND id IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  UNION SELECT beside.id FROM reached CROSS JOIN LATERAL (
    SELECT target AS id FROM edge WHERE source = reached.id AND tenant = :tenant
      AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))
    UNION ALL SELECT source FROM edge WHERE target = reached.id AND tenant = :tenant
      AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))) AS beside)
SELECT id FROM reached ORDER BY id

-- name: among (sqlite)
SELECT id, source, target, relation, canonical, weight, metadata, created
FROM edge
WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND +target IN (SELECT value FROM json_each(:ids))
  AND canonical IN (SELECT value FROM json_each(:names))
ORDER BY id

-- name: among (postgres)
SELECT id, source, target, relation, canonical, weight, metadata, created
FROM edge
WHERE tenant = :tenant AND source IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  AND target IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  AND canonical IN (SELECT value FROM json_array_elements_text(:names::json))
ORDER BY id

-- name: refinements (sqlite)
WITH RECURSIVE line (record, ancestor) AS (
  SELECT id, id FROM record WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))
  UNION SELECT line.record, edge.source FROM line CROSS JOIN edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'),
steps (record, edge) AS (
  SELECT line.record, edge.id FROM line CROSS JOIN edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'
  UNION SELECT source, id FROM edge
  WHERE tenant = :tenant AND source IN (SELECT value FROM json_each(:ids)) AND canonical = 'EVOLVED_INTO')
SELECT record, count(*) FROM steps GROUP BY record

-- name: refinements (postgres)
WITH RECURSIVE line (record, ancestor) AS (
  SELECT id, id FROM record
  WHERE tenant = :tenant AND id IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))
  UNION SELECT line.record, edge.source FROM line JOIN edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'),
steps (record, edge) AS (
  SELECT line.record, edge.id FROM line JOIN edge ON edge.target = line.ancestor
  WHERE edge.tenant = :tenant AND edge.canonical = 'EVOLVED_INTO'
  UNION SELECT source, id FROM edge
  WHERE tenant = :tenant AND canonical = 'EVOLVED_INTO'
    AND source IN (SELECT value::bigint FROM json_array_elements_text(:ids::json)))
SELECT record, count(*) FROM steps GROUP BY record
