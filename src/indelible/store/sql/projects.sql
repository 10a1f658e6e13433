-- name: aliases
SELECT alias, namespace FROM project WHERE tenant = :tenant ORDER BY alias

-- name: add
INSERT INTO project (tenant, alias, namespace, created) VALUES (:tenant, :alias, :namespace, :created)
ON CONFLICT (tenant, alias) DO NOTHING
