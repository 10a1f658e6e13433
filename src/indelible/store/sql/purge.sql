-- What a purge looks through page by page, and what it takes away for good.
-- `+tenant` keeps SQLite from walking an index on the tenant where the order leads to the rows.

-- name: trash_after
SELECT id, record, action, time, body, version FROM scoped.trash WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: drop_trash (sqlite)
-- refused: the trash is kept for every caller
DELETE FROM trash WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: drop_trash (postgres)
-- refused: the trash is kept for every caller
DELETE FROM trash WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: events_after
SELECT id, time, conversation, records FROM scoped.event WHERE +tenant = :tenant AND id > :after
ORDER BY id LIMIT :limit

-- name: fold_events (sqlite)
-- refused: these counts name no caller
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, date(time / 1000000, 'unixepoch'), tool, outcome, count(*)
FROM event WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids)) GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: fold_events (postgres)
-- refused: these counts name no caller
INSERT INTO event_day (tenant, day, tool, outcome, count)
SELECT tenant, to_char(to_timestamp(time / 1000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), tool, outcome, count(*)
FROM event WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))
GROUP BY 1, 2, 3, 4
ON CONFLICT (tenant, day, tool, outcome) DO UPDATE SET count = event_day.count + excluded.count

-- name: drop_events (sqlite)
-- refused: events are those of all callers
DELETE FROM event WHERE +tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))

-- name: drop_events (postgres)
-- refused: events are those of all callers
DELETE FROM event WHERE tenant = :tenant
  AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))

-- name: drop_days
-- refused: these counts name no caller
DELETE FROM event_day WHERE tenant = :tenant AND day < :day

-- name: answers_after
-- whole: a key is kept with the id of its caller
SELECT key, time, result FROM applied WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: drop_answers (sqlite)
-- refused: answers of all callers are kept there
DELETE FROM applied WHERE tenant = :tenant AND key IN (SELECT value FROM json_each(:keys))

-- name: drop_answers (postgres)
-- refused: answers of all callers are kept there
DELETE FROM applied WHERE tenant = :tenant AND key IN (SELECT value FROM json_array_elements_text(:keys::json))

-- name: older
-- A chunk is as old as its document; what the index found in source code and git is as old as that.
SELECT id FROM scoped.record
WHERE tenant = :tenant AND updated < :before AND kind NOT IN ('chunk', 'symbol', 'file', 'commit') ORDER BY id

-- name: sessions_left (sqlite)
SELECT DISTINCT session FROM scoped.record
WHERE tenant = :tenant AND session IN (SELECT value FROM json_each(:sessions))

-- name: sessions_left (postgres)
SELECT DISTINCT session FROM scoped.record
WHERE tenant = :tenant AND session IN (SELECT value FROM json_array_elements_text(:sessions::json))

-- name: count_activity (sqlite)
SELECT count(*) FROM scoped.activity
WHERE tenant = :tenant AND what <> 'captured'
  AND (time < :before OR session IN (SELECT value FROM json_each(:sessions)))

-- name: count_activity (postgres)
SELECT count(*) FROM scoped.activity
WHERE tenant = :tenant AND what <> 'captured'
  AND (time < :before OR session IN (SELECT value FROM json_array_elements_text(:sessions::json)))

-- name: drop_activity (sqlite)
-- refused: what hooks report is of any project
DELETE FROM activity
WHERE tenant = :tenant AND (time < :before OR session IN (SELECT value FROM json_each(:sessions)))

-- name: drop_activity (postgres)
-- refused: what hooks report is of any project
DELETE FROM activity
WHERE tenant = :tenant AND (time < :before OR session IN (SELECT value FROM json_array_elements_text(:sessions::json)))

-- name: drop_aliases (sqlite)
-- refused: which names are one project holds for every caller
DELETE FROM project
WHERE tenant = :tenant AND (namespace IN (SELECT value FROM json_each(:names))
  OR alias IN (SELECT value FROM json_each(:names)))

-- name: drop_aliases (postgres)
-- refused: which names are one project holds for every caller
DELETE FROM project
WHERE tenant = :tenant AND (namespace IN (SELECT value FROM json_array_elements_text(:names::json))
  OR alias IN (SELECT value FROM json_array_elements_text(:names::json)))

-- name: drop_blocks (sqlite)
-- refused: a block of postings is of every namespace
DELETE FROM posting_block WHERE tenant = :tenant AND block IN (SELECT value FROM json_each(:blocks))

-- name: drop_blocks (postgres)
-- refused: a block of postings is of every namespace
DELETE FROM posting_block
WHERE tenant = :tenant AND block = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:blocks::json)))
