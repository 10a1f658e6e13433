-- whole: which names are one project, among which a caller finds its own

-- name: aliases
SELECT alias, namespace, kind FROM project WHERE tenant = :tenant ORDER BY alias

-- name: add
-- refused: which names are one project holds for every caller
INSERT INTO project (tenant, alias, namespace, kind, created) VALUES (:tenant, :alias, :namespace, :kind, :created)
ON CONFLICT (tenant, alias) DO NOTHING

-- name: change
-- refused: which names are one project holds for every caller
UPDATE project SET namespace = :namespace, kind = :kind WHERE tenant = :tenant AND alias = :alias

-- name: since
SELECT namespace, MIN(created) FROM project WHERE tenant = :tenant GROUP BY namespace ORDER BY namespace

-- name: join
-- refused: which names are one project holds for every caller
UPDATE project SET namespace = :namespace WHERE tenant = :tenant AND namespace = :joined

-- name: merged
SELECT alias, merged FROM project WHERE tenant = :tenant AND merged <> '' ORDER BY alias

-- name: note_answer
-- refused: which names are one project holds for every caller
UPDATE project SET merged = '' WHERE tenant = :tenant AND alias = :alias
