-- name: put
-- checks: namespace
INSERT INTO repository (tenant, namespace, folder, root) VALUES (:tenant, :namespace, :folder, :root)
ON CONFLICT (tenant, namespace, folder) DO UPDATE SET root = excluded.root WHERE repository.root <> excluded.root

-- name: find
SELECT id, namespace, folder, root, indexed, version, summary
FROM scoped.repository WHERE tenant = :tenant AND namespace = :namespace AND folder = :folder

-- name: everything
SELECT id, namespace, folder, root, indexed, version, summary
FROM scoped.repository WHERE tenant = :tenant ORDER BY namespace, folder

-- name: in_namespace
SELECT id, namespace, folder, root, indexed, version, summary
FROM scoped.repository WHERE tenant = :tenant AND namespace = :namespace ORDER BY folder

-- name: last_indexed
SELECT id, namespace, folder, root, indexed, version, summary
FROM scoped.repository WHERE tenant = :tenant AND indexed > 0 ORDER BY indexed DESC, id DESC LIMIT 1

-- name: finished
UPDATE repository SET indexed = :indexed, version = :version, summary = :summary
WHERE scoped(repository) AND tenant = :tenant AND id = :id

-- name: summarize
UPDATE repository SET summary = :summary WHERE scoped(repository) AND tenant = :tenant AND id = :id

-- name: move
-- checks: namespace
UPDATE repository SET namespace = :namespace WHERE scoped(repository) AND tenant = :tenant AND id = :id

-- name: commits
SELECT record.id FROM scoped.repository JOIN scoped.record ON record.tenant = repository.tenant
  AND record.namespace = repository.namespace AND record.kind = 'commit' AND record.position = repository.id
WHERE repository.tenant = :tenant AND repository.id = :id

-- name: delete
DELETE FROM repository WHERE scoped(repository) AND tenant = :tenant AND id = :id

-- name: delete_in (sqlite)
DELETE FROM repository WHERE scoped(repository) AND tenant = :tenant
  AND namespace IN (SELECT value FROM json_each(:namespaces))

-- name: delete_in (postgres)
DELETE FROM repository WHERE scoped(repository) AND tenant = :tenant
  AND namespace IN (SELECT value FROM json_array_elements_text(:namespaces::json))
