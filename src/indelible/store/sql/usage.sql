-- What is counted for an operator, or held against a quota: of a whole tenant.

-- Bytes of texts that are stored apart are known without reading them.
-- name: stored (sqlite)
-- whole: a quota is of the whole tenant; who is limited is told no figure
SELECT count(*), coalesce(sum(length(CAST(text AS BLOB)) + length(CAST(label AS BLOB)) + length(CAST(tags AS BLOB))
  + length(CAST(metadata AS BLOB))), 0)
FROM record WHERE tenant = :tenant

-- name: stored (postgres)
-- whole: a quota is of the whole tenant; who is limited is told no figure
SELECT count(*), coalesce(sum(octet_length(text)::bigint + octet_length(label) + octet_length(tags)
  + octet_length(metadata)), 0)::bigint
FROM record WHERE tenant = :tenant

-- name: months (sqlite)
-- refused: these counts name no caller
SELECT month, sum(count), sum(CASE WHEN outcome = 'ok' THEN 0 ELSE count END) FROM (
  SELECT substr(day, 1, 7) AS month, outcome, count FROM event_day WHERE tenant = :tenant
  UNION ALL
  SELECT strftime('%Y-%m', time / 1000000, 'unixepoch'), outcome, 1 FROM event WHERE tenant = :tenant
) AS called GROUP BY month ORDER BY month

-- name: months (postgres)
-- refused: these counts name no caller
SELECT month, sum(count)::bigint, sum(CASE WHEN outcome = 'ok' THEN 0 ELSE count END)::bigint FROM (
  SELECT substr(day, 1, 7) AS month, outcome, count FROM event_day WHERE tenant = :tenant
  UNION ALL
  SELECT to_char(to_timestamp(time / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM'), outcome, 1 FROM event
  WHERE tenant = :tenant
) AS called GROUP BY month ORDER BY month
