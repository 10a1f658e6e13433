-- `+tenant` keeps SQLite from walking an index on the tenant where ids or the order lead to the rows.

-- name: add
-- refused: events are those of all callers
INSERT INTO event (tenant, time, session, conversation, tool, records, outcome, duration, size, who)
VALUES (:tenant, :time, :session, :conversation, :tool, :records, :outcome, :duration, :size, :who)

-- name: fold (sqlite)
-- refused: these counts name no caller
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, date(time / 1000000, 'unixepoch'), tool, outcome, count(*)
FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to) GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: fold (postgres)
-- refused: these counts name no caller
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, to_char(to_timestamp(time / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), tool, outcome, count(*)
FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to) GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: trim
-- refused: events are those of all callers
DELETE FROM event WHERE tenant = :tenant AND id <= :last AND (time < :before OR id <= :up_to)

-- name: oldest
SELECT id FROM scoped.event WHERE +tenant = :tenant ORDER BY id LIMIT 1 OFFSET :offset

-- name: last
SELECT coalesce(max(id), 0) FROM scoped.event WHERE +tenant = :tenant

-- name: days
SELECT day, tool, outcome, count FROM scoped.event_day WHERE tenant = :tenant ORDER BY day, tool, outcome

-- name: of_tool
-- What an older version logged names no conversation: it was that of its connection.
SELECT CASE WHEN conversation = '' THEN session ELSE conversation END, count(*), max(time), max(id)
FROM scoped.event WHERE +tenant = :tenant AND tool = :tool
GROUP BY 1 ORDER BY 3 DESC, 1

-- name: records_of (sqlite)
SELECT id, records FROM scoped.event WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: records_of (postgres)
SELECT id, records FROM scoped.event
WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: hours (sqlite)
SELECT time / 3600000000, count(*) FROM scoped.event
WHERE +tenant = :tenant AND tool IN (SELECT value FROM json_each(:tools))
GROUP BY 1 ORDER BY 1

-- name: hours (postgres)
SELECT time / 3600000000, count(*) FROM scoped.event
WHERE +tenant = :tenant AND tool IN (SELECT value FROM json_array_elements_text(:tools::json))
GROUP BY 1 ORDER BY 1
