-- name: aliases
SELECT alias, namespace FROM project WHERE tenant = :tenant ORDER BY alias

-- name: add
INSERT INTO project (tenant, alias, namespace, created) VALUES (:tenant, :alias, :namespace, :created)
ON CONFLICT (tenant, alias) DO NOTHING

-- name: since
SELECT namespace, MIN(created) FROM project WHERE tenant = :tenant GROUP BY namespace ORDER BY namespace

-- name: join
UPDATE project SET namespace = :namespace WHERE tenant = :tenant AND namespace = :joined
