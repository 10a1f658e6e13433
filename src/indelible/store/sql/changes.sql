-- whole: positions, numbers of records and operations; who follows the log asks for the records themselves

-- name: moment (sqlite)
SELECT
  coalesce((SELECT value FROM setting WHERE tenant = 0 AND name = 'epoch'), ''),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT min(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant AND operation = 'link'), 0)

-- name: moment (postgres)
-- With the start of the server: after a failover to a standby that was not synchronous, positions are given out again.
SELECT
  coalesce((
    SELECT value || CASE WHEN pg_is_in_recovery() THEN '' ELSE ' ' || extract(epoch FROM pg_postmaster_start_time()) END
    FROM setting WHERE tenant = 0 AND name = 'epoch'), ''),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT min(position) FROM change WHERE tenant = :tenant), 0),
  coalesce((SELECT max(position) FROM change WHERE tenant = :tenant AND operation = 'link'), 0)

-- name: last
SELECT coalesce(max(position), 0) FROM change WHERE tenant = :tenant

-- name: since
SELECT position, record, operation FROM change WHERE position > :position AND tenant = :tenant ORDER BY position LIMIT :limit

-- name: trim
-- refused: its log is one for all namespaces
DELETE FROM change WHERE +tenant = :tenant AND position IN (
    SELECT position FROM change WHERE +tenant = :tenant ORDER BY position LIMIT :limit)
  AND (time < :before OR position <= :up_to)
  AND position < (SELECT max(position) FROM change WHERE tenant = :tenant)

-- name: count_in_range
SELECT count(*) FROM change
WHERE position > :position AND +tenant = :tenant AND record >= :low AND record < :high
  AND operation IN ('put', 'delete', :operation)
