-- A prompt's attempts have its digest as their content hash.

-- name: of_prompts (sqlite)
SELECT id, content_hash, type, created FROM scoped.record
WHERE tenant = :tenant AND kind = 'attempt' AND content_hash IN (SELECT value FROM json_each(:prompts))
ORDER BY created DESC, id DESC

-- name: of_prompts (postgres)
SELECT id, content_hash, type, created FROM scoped.record
WHERE tenant = :tenant AND kind = 'attempt' AND content_hash IN (SELECT value FROM json_array_elements_text(:prompts::json))
ORDER BY created DESC, id DESC

-- name: outcomes (sqlite)
SELECT type, tags, CASE WHEN type = 'pass' THEN '' ELSE coalesce(metadata ->> '$.error', '') END FROM scoped.record
WHERE tenant = :tenant AND kind = 'attempt'
  AND (:prompts = '[]' OR content_hash IN (SELECT value FROM json_each(:prompts)))
ORDER BY created DESC, id DESC

-- name: outcomes (postgres)
SELECT type, tags, CASE WHEN type = 'pass' THEN '' ELSE coalesce(metadata::json ->> 'error', '') END FROM scoped.record
WHERE tenant = :tenant AND kind = 'attempt'
  AND (:prompts = '[]' OR content_hash IN (SELECT value FROM json_array_elements_text(:prompts::json)))
ORDER BY created DESC, id DESC
