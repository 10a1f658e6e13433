-- name: last
SELECT coalesce(max(position), 0) FROM change WHERE tenant = :tenant

-- name: oldest
SELECT coalesce(min(position), 0) FROM change WHERE tenant = :tenant

-- name: since
SELECT position, record, operation FROM change WHERE position > :position AND tenant = :tenant ORDER BY position

-- name: trim
DELETE FROM change WHERE +tenant = :tenant AND position IN (
    SELECT position FROM change WHERE +tenant = :tenant ORDER BY position LIMIT :limit)
  AND (time < :before OR position <= :up_to)
  AND position < (SELECT max(position) FROM change WHERE tenant = :tenant)

-- name: last_link
SELECT coalesce(max(position), 0) FROM change WHERE tenant = :tenant AND operation = 'link'

-- name: count_in_range
SELECT count(*) FROM change
WHERE position > :position AND +tenant = :tenant AND record >= :low AND record < :high
  AND operation IN ('put', 'delete', :operation)
