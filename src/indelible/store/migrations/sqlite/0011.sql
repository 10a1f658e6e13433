-- What names a record or a relation in every store, whatever its number is here; `origin` names the store that made it, ''
-- where that is this one. Nothing that a cache is made of changes, so nothing is told to those that follow the log.
ALTER TABLE record ADD COLUMN uid TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE edge ADD COLUMN uid TEXT NOT NULL DEFAULT '';
ALTER TABLE edge ADD COLUMN origin TEXT NOT NULL DEFAULT '';
DROP TRIGGER record_changed;
DROP TRIGGER edge_changed;
UPDATE record SET uid = lower(hex(randomblob(16)));
UPDATE edge SET uid = lower(hex(randomblob(16)));
CREATE TRIGGER record_changed AFTER UPDATE ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER edge_changed AFTER UPDATE ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
-- How what an operation took away or changed is brought back: see `Discarded` in store/trash.py.
ALTER TABLE trash ADD COLUMN bulk INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trash ADD COLUMN additive INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trash ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trash ADD COLUMN reverses INTEGER NOT NULL DEFAULT 0;
-- Until now undo knew it by the names of tools, so the rows that are there are marked by these.
UPDATE trash SET reverses = 1 WHERE tool = 'undo';
UPDATE trash SET bulk = 1 WHERE tool = 'fold_captured' OR substr(tool, 1, 12) = 'consolidate_';
-- The undo of such an operation, which alone has no row but of what it added again or took back.
UPDATE trash SET bulk = 1 WHERE tool = 'undo' AND operation IN (SELECT operation FROM trash
  WHERE tool = 'undo' GROUP BY tenant, operation HAVING min(action) = 'edge' AND max(action) = 'edge');
UPDATE trash SET additive = 1 WHERE tool = 'delete_observations' AND action = 'update';
UPDATE trash SET revision = 1 WHERE tool = 'update_memory' AND action = 'update';
-- The undo of a promotion takes away the failure that was recorded with it, if that was new and did not occur again.
UPDATE trash SET body = substr(body, 1, length(body) - 1) ||
  ',"added":{"records":[],"edges":[],"accesses":[],"weights":[],"unchanged":[[' || failure.id || ',' || failure.updated || ']]}}'
FROM record AS now JOIN record AS failure ON failure.tenant = now.tenant AND failure.kind = 'failure'
  AND failure.key = now.metadata ->> '$.failure_id' AND coalesce(failure.metadata ->> '$.occurrences', 1) = 1
WHERE now.tenant = trash.tenant AND now.id = trash.record
  AND trash.tool = 'promote' AND trash.action = 'update' AND trash.undone = 0
  AND trash.body ->> '$.record.metadata.failure_id' IS NULL;
