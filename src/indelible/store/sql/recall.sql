-- What a recall reads first, in one statement: where the log of changes stands, and facts of the store that it follows.

-- name: opening (sqlite)
SELECT
  coalesce((SELECT value FROM setting WHERE tenant = 0 AND name = 'epoch'), ''),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT min(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant AND operation = 'link'), 0),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'scoring_weights'),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'dense_model'),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'branches'),
  EXISTS (SELECT 1 FROM scoped.repository WHERE tenant = :tenant),
  EXISTS (SELECT 1 FROM scoped.record WHERE tenant = :tenant AND kind = 'solution' AND type = 'repo'),
  EXISTS (SELECT 1 FROM scoped.pending WHERE tenant = :tenant),
  (SELECT json_group_array(json_array(alias, namespace, kind)) FROM project WHERE tenant = :tenant),
  (SELECT json_group_array(id) FROM scoped.record
    WHERE tenant = :tenant AND kind IN ('memory', 'solution') AND metadata ->> '$.expires_at' IS NOT NULL
      AND metadata ->> '$.expires_at' <= :now AND json_type(metadata, '$.expires_at') = 'text'),
  (SELECT metadata ->> '$.expires_at' FROM scoped.record
    WHERE tenant = :tenant AND kind IN ('memory', 'solution') AND metadata ->> '$.expires_at' IS NOT NULL
      AND metadata ->> '$.expires_at' > :now AND json_type(metadata, '$.expires_at') = 'text'
    ORDER BY metadata ->> '$.expires_at' LIMIT 1)

-- name: opening (postgres)
SELECT
  coalesce((
    SELECT value || CASE WHEN pg_is_in_recovery() THEN '' ELSE ' ' || extract(epoch FROM pg_postmaster_start_time()) END
    FROM setting WHERE tenant = 0 AND name = 'epoch'), ''),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT min(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant AND operation = 'link'), 0),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'scoring_weights'),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'dense_model'),
  (SELECT value FROM setting WHERE tenant = :tenant AND name = 'branches'),
  EXISTS (SELECT 1 FROM scoped.repository WHERE tenant = :tenant),
  EXISTS (SELECT 1 FROM scoped.record WHERE tenant = :tenant AND kind = 'solution' AND type = 'repo'),
  EXISTS (SELECT 1 FROM scoped.pending WHERE tenant = :tenant),
  (SELECT coalesce(json_agg(json_build_array(alias, namespace, kind)), '[]')::text FROM project WHERE tenant = :tenant),
  (SELECT coalesce(json_agg(id), '[]')::text FROM scoped.record
    WHERE tenant = :tenant AND expires_at IS NOT NULL AND expires_at <= :now),
  (SELECT min(expires_at) FROM scoped.record
    WHERE tenant = :tenant AND expires_at IS NOT NULL AND expires_at > :now)
