-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: add
INSERT INTO event (tenant, time, session, conversation, tool, records, outcome, duration, size)
VALUES (:tenant, :time, :session, :conversation, :tool, :records, :outcome, :duration, :size)

-- name: recent
SELECT time, session, conversation, tool, records, outcome, duration, size
FROM event WHERE +tenant = :tenant ORDER BY id DESC LIMIT :limit

-- name: fold (sqlite)
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, date(time / 1000000, 'unixepoch'), tool, outcome, count(*)
FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to) GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: fold (postgres)
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, to_char(to_timestamp(time / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), tool, outcome, count(*)
FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to) GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: trim
DELETE FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to)

-- name: oldest
SELECT id FROM event WHERE +tenant = :tenant ORDER BY id LIMIT 1 OFFSET :offset

-- name: last
SELECT coalesce(max(id), 0) FROM event WHERE +tenant = :tenant

-- name: days
SELECT day, tool, outcome, count FROM event_day WHERE tenant = :tenant ORDER BY day, tool, outcome
