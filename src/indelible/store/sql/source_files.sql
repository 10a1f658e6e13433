-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: put (sqlite)
-- checks: record
INSERT INTO source_file (record, tenant, repository, path, language, hash, size, modified, lines, resolved, looked_up, outline)
SELECT :record, :tenant, id, :path, :language, :hash, :size, :modified, :lines, :resolved, :looked_up, :outline
FROM scoped.repository WHERE tenant = :tenant AND id = :repository
ON CONFLICT (record) DO UPDATE SET repository = excluded.repository, path = excluded.path, language = excluded.language,
  hash = excluded.hash, size = excluded.size, modified = excluded.modified, lines = excluded.lines,
  resolved = excluded.resolved, looked_up = excluded.looked_up, outline = excluded.outline

-- name: put (postgres)
-- checks: record
INSERT INTO source_file (record, tenant, repository, path, language, hash, size, modified, lines, resolved, looked_up, outline)
SELECT :record, :tenant, id, :path, :language, :hash, :size, :modified, :lines, :resolved, :looked_up, :outline
FROM scoped.repository WHERE tenant = :tenant AND id = :repository
ON CONFLICT (tenant, record)
  DO UPDATE SET repository = excluded.repository, path = excluded.path, language = excluded.language,
  hash = excluded.hash, size = excluded.size, modified = excluded.modified, lines = excluded.lines,
  resolved = excluded.resolved, looked_up = excluded.looked_up, outline = excluded.outline

-- name: of_repository
SELECT record, repository, path, language, hash, size, modified, lines, resolved
FROM scoped.source_file WHERE tenant = :tenant AND repository = :repository ORDER BY path

-- name: by_records (sqlite)
SELECT record, repository, path, language, hash, size, modified, lines, resolved
FROM scoped.source_file WHERE tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: by_records (postgres)
SELECT record, repository, path, language, hash, size, modified, lines, resolved
FROM scoped.source_file WHERE tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: by_path
SELECT record, repository, path, language, hash, size, modified, lines, resolved
FROM scoped.source_file WHERE tenant = :tenant AND repository = :repository AND path = :path

-- name: outlines (sqlite)
SELECT path, outline FROM scoped.source_file
WHERE tenant = :tenant AND repository = :repository AND path IN (SELECT value FROM json_each(:paths))

-- name: outlines (postgres)
SELECT path, outline FROM scoped.source_file
WHERE tenant = :tenant AND repository = :repository
  AND path IN (SELECT value FROM json_array_elements_text(:paths::json))

-- name: lookups
SELECT record, path, looked_up FROM scoped.source_file WHERE tenant = :tenant AND repository = :repository ORDER BY path

-- name: set_resolved (sqlite)
UPDATE source_file SET resolved = :resolved
WHERE scoped(source_file) AND tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))
  AND resolved <> :resolved

-- name: set_resolved (postgres)
UPDATE source_file SET resolved = :resolved
WHERE scoped(source_file) AND tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
  AND resolved <> :resolved

-- name: touch
UPDATE source_file SET modified = :modified WHERE scoped(source_file) AND tenant = :tenant AND record = :record

-- A path begins with no slash: what is being moved stands beside all paths.
-- name: vacate_path
UPDATE source_file SET path = '/' || record WHERE scoped(source_file) AND tenant = :tenant AND record = :record

-- name: move
UPDATE source_file SET repository = :repository, path = :path WHERE scoped(source_file) AND tenant = :tenant
  AND record = :record

-- name: delete (sqlite)
DELETE FROM source_file WHERE scoped(source_file) AND tenant = :tenant AND record IN (SELECT value FROM json_each(:ids))

-- name: delete (postgres)
DELETE FROM source_file WHERE scoped(source_file) AND tenant = :tenant
  AND record = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
