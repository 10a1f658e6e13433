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
