-- name: aliases
SELECT alias, namespace, kind FROM project WHERE tenant = :tenant ORDER BY alias

-- name: add
INSERT INTO project (tenant, alias, namespace, kind, created) VALUES (:tenant, :alias, :namespace, :kind, :created)
ON CONFLICT (tenant, alias) DO NOTHING

-- name: change
UPDATE project SET namespace = :namespace, kind = :kind WHERE tenant = :tenant AND alias = :alias

-- name: since
SELECT namespace, MIN(created) FROM project WHERE tenant = :tenant GROUP BY namespace ORDER BY namespace

-- name: join
UPDATE project SET namespace = :namespace WHERE tenant = :tenant AND namespace = :joined

-- name: merged
SELECT alias, merged FROM project WHERE tenant = :tenant AND merged <> '' ORDER BY alias

-- name: note_answer
UPDATE project SET merged = '' WHERE tenant = :tenant AND alias = :alias
