CREATE TABLE setting (
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE record (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT '',
  key TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  metadata TEXT NOT NULL DEFAULT '{}',
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  content_hash TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL DEFAULT 0,
  replaced INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (tenant, namespace, kind, key)
) STRICT;
CREATE TABLE edge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  source INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  target INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  canonical TEXT NOT NULL,
  weight REAL NOT NULL DEFAULT 1.0,
  metadata TEXT NOT NULL DEFAULT '{}',
  created INTEGER NOT NULL,
  UNIQUE (source, target, relation)
) STRICT;
CREATE TABLE terms (
  record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  space INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 1,
  size INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (record, space)
) STRICT, WITHOUT ROWID;
CREATE TABLE posting_block (
  tenant INTEGER NOT NULL DEFAULT 1,
  space INTEGER NOT NULL,
  block INTEGER NOT NULL,
  change INTEGER NOT NULL,
  version INTEGER NOT NULL,
  records INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (tenant, space, block)
) STRICT;
CREATE TABLE access (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  count INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT;
CREATE TABLE change (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  record INTEGER NOT NULL,
  operation TEXT NOT NULL,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER))
) STRICT;
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  time INTEGER NOT NULL,
  session TEXT NOT NULL DEFAULT '',
  conversation TEXT NOT NULL DEFAULT '',
  tool TEXT NOT NULL,
  records TEXT NOT NULL DEFAULT '[]',
  outcome TEXT NOT NULL,
  duration INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0
, who TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE event_day (
  tenant INTEGER NOT NULL DEFAULT 1,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, tool, outcome)
) STRICT, WITHOUT ROWID;
CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  operation TEXT NOT NULL,
  tool TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('delete', 'update', 'edge')),
  record INTEGER NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  time INTEGER NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0
, who TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE applied (
  tenant INTEGER NOT NULL DEFAULT 1,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  result TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE project (
  tenant INTEGER NOT NULL DEFAULT 1,
  alias TEXT NOT NULL,
  namespace TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (tenant, alias)
) STRICT, WITHOUT ROWID;
CREATE TABLE lease (
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE model (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  UNIQUE (tenant, name)
) STRICT;
CREATE TABLE embedding (
  record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  view INTEGER NOT NULL,
  tenant INTEGER NOT NULL DEFAULT 1,
  model INTEGER NOT NULL REFERENCES model (id),
  vector BLOB NOT NULL,
  code BLOB NOT NULL,
  PRIMARY KEY (record, view)
) STRICT;
CREATE TABLE pending (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  owner TEXT NOT NULL DEFAULT '',
  until INTEGER NOT NULL DEFAULT 0
, late INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE sequence (
  tenant INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;
CREATE TABLE token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  key TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  namespaces TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  used INTEGER,
  revoked INTEGER,
  UNIQUE (tenant, key),
  UNIQUE (tenant, hash)
) STRICT;
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL,
  event TEXT NOT NULL,
  time INTEGER NOT NULL,
  client TEXT NOT NULL,
  what TEXT NOT NULL,
  action TEXT NOT NULL DEFAULT '',
  subject TEXT NOT NULL DEFAULT '',
  outcome TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant, session, event)
) STRICT;
CREATE TABLE repository (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  namespace TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT '',
  root TEXT NOT NULL,
  indexed INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  summary TEXT NOT NULL DEFAULT '{}',
  UNIQUE (tenant, namespace, folder)
) STRICT;
CREATE TABLE source_file (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  repository INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  language TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  resolved INTEGER NOT NULL DEFAULT 0,
  looked_up BLOB NOT NULL,
  outline BLOB NOT NULL,
  UNIQUE (repository, path)
) STRICT;
CREATE TABLE symbol_name (
  id INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  UNIQUE (tenant, name)
) STRICT;
CREATE TABLE symbol (
  record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE,
  tenant INTEGER NOT NULL DEFAULT 1,
  file INTEGER NOT NULL REFERENCES source_file (record) ON DELETE CASCADE,
  name INTEGER NOT NULL REFERENCES symbol_name (id),
  qualified_name TEXT NOT NULL,
  tail TEXT NOT NULL,
  signature TEXT NOT NULL,
  doc TEXT NOT NULL,
  visibility TEXT NOT NULL,
  line INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  parent TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0,
  places TEXT NOT NULL DEFAULT '[]'
) STRICT;
INSERT INTO setting VALUES (0, 'created', '1795453864853000');
INSERT INTO setting VALUES (0, 'epoch', 'b2ee8e96c7407fd7');
INSERT INTO setting VALUES (1, 'code links', '[10, 4, 0, 0]');
INSERT INTO record VALUES (1, 1, '/srv/merged/w', 'memory', 'context', '00866eac-4494-4895-b8da-d5d9e21e579e', '', 'Decided for all: releases on Tuesday', '[]', '{}', 0.5, 1.0, '70f49f6ba08d30d192a962e48c32d7e5c76ceb105914696a0be128493a9d549e', 'session_6e0dcadfd9e5', 1795453866635495, 0, 1795453866635495, 1795453866635495);
INSERT INTO record VALUES (2, 1, '/srv/merged/w', 'memory', 'context', 'd4876d12-fdf2-40f5-bb5a-9b279b22fd10', '', 'Of a: the till rounds up', '[]', '{}', 0.5, 1.0, '5c35c61c9ce62591b076fe0e1e906b17c2b6c8d87d72e4eca4e71ba7c8cf0d24', 'session_0e618d9f8cb5', 1795453869562609, 0, 1795453869562609, 1795453869562609);
INSERT INTO record VALUES (3, 1, '/srv/merged/w', 'file', '', 'file:billing.py', 'billing.py', 'billing.py', '[]', '{"file_path":"billing.py"}', 0.5, 1.0, '', '', 0, 0, 1795453872019076, 1795453872019076);
INSERT INTO record VALUES (4, 1, '/srv/merged/w', 'symbol', 'function', 'sym:billing.settle_invoice', 'settle_invoice', ('settle invoice billing'||char(10)||'def settle_invoice(total)'||char(10)||'Settle.'||char(10)||'return total'), '[]', '{"file_path":"billing.py"}', 0.5, 1.0, '', '', 0, 0, 1795453872019076, 1795453872019076);
INSERT INTO record VALUES (5, 1, '/srv/merged/w', 'memory', 'context', '8a73732d-2cfc-45c1-af75-47167ccfa6cd', '', 'We chose that settle_invoice in billing.py takes cents', '[]', '{}', 0.5, 1.0, 'ff99f37325b162cd778b5801bf6f8b3b413c4ebed92433f9ea0ef84afd840a37', 'session_bbed0efd1d99', 1795453875530336, 0, 1795453875530336, 1795453875530336);
INSERT INTO record VALUES (6, 1, '/srv/merged/w', 'memory', 'context', '44f1d461-03d3-42a8-964d-27fcd3843d3c', '', 'Of b: the queue is drained hourly', '[]', '{}', 0.5, 1.0, 'ff3c7fb4ebdc0dbe5a0c4f1d23e5ce610c4cda6ad1a0904458a3eb2a204d120b', 'session_2cab24193ebc', 1795453878312566, 0, 1795453878312566, 1795453878312566);
INSERT INTO record VALUES (7, 1, '/srv/merged/w', 'memory', 'decision', '01d7c880-3eb6-5920-811f-873be6db6f45', '', 'We decided to use PostgreSQL for the queue because it is there already.', '["decision","postgresql"]', '{"files":[],"language":"en","stated_by":"user","origin":"capture","trust":"untrusted","captured":"decision","client":"claude-code","session":"s1"}', 0.7, 0.5, 'ad72c096e7a7cdbde81d30c273fcaaf6d119c47976e076f16f2a972d0e12fd06', 'claude-code:s1', 1795453879236125, 0, 1795453879236125, 1795453879236125);
INSERT INTO record VALUES (8, 1, '/srv/merged/w', 'memory', 'decision', 'aa665b02-bff7-5b65-bddf-879720116547', '', 'Always use tabs in the queue code.', '["decision"]', '{"files":[],"language":"en","stated_by":"user","origin":"capture","trust":"untrusted","captured":"decision","client":"claude-code","session":"s1"}', 0.7, 0.5, 'a5d5d6ca0e79642af21e50288ab782756589073b81f23e5384e6a61f963b83f1', 'claude-code:s1', 1795453879236125, 0, 1795453879236125, 1795453879236125);
INSERT INTO record VALUES (9, 1, '/srv/merged/w', 'memory', 'context', '58eb3ad3-f693-4482-842f-64ca78bd73c6', '', 'Of the clone of b: retries are logged', '[]', '{}', 0.5, 1.0, '3805493a52a702a9ae9ae482bcc0d69356c99c4574fa3bd0faf73b3f6217c9ee', 'session_c26ca0b6f6d7', 1795453885653671, 0, 1795453885653671, 1795453885653671);
INSERT INTO record VALUES (10, 1, '/srv/merged/w', 'memory', 'context', '3729ea85-411f-4456-9c93-55ca59b8ca35', '', 'Of the notes: minutes are kept here', '[]', '{}', 0.5, 1.0, '7906485fb050466f3362572753a28ba708ceb2940af94fa7b360a2611e87ac18', 'session_9b23fe654320', 1795453887746537, 0, 1795453887746537, 1795453887746537);
INSERT INTO edge VALUES (1, 1, 3, 4, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795453872043320);
INSERT INTO edge VALUES (2, 1, 5, 3, 'EXPLAINS', 'EXPLAINS', 0.8, '{"origin":"mention","name":"billing.py"}', 1795453911876967);
INSERT INTO edge VALUES (3, 1, 5, 4, 'EXPLAINS', 'EXPLAINS', 0.7, '{"origin":"mention","name":"settle_invoice"}', 1795453911877145);
INSERT INTO terms VALUES (1, 1, 1, 6, X'C829B6097721191244CEFC2CDD71183BF9B01DECF80975EF010101010101');
INSERT INTO terms VALUES (2, 1, 1, 6, X'FAA16D07A011530FE66D453C70EE944334EAEEC543BEB7E8010101010101');
INSERT INTO terms VALUES (3, 5, 1, 3, X'91A23F47E319217A0102');
INSERT INTO terms VALUES (4, 5, 1, 23, X'61E1C40C3E3B072891A23F47E319217A9D08819A0F3F9EA75EE12FC24CA560D50106010205010205');
INSERT INTO terms VALUES (5, 1, 1, 11, X'19687F1C3E3B07287B6EDD3791A23F474E8EEC5FE319217A9D08819A9316639C8C9D53A84CA560D5367DDDEA0101010101010101010101');
INSERT INTO terms VALUES (6, 1, 1, 7, X'FAA16D07E66D453C2173863C97E2EA3C4E111E70F9EFBE71637FFD7F01010101010101');
INSERT INTO terms VALUES (7, 1, 1, 17, X'7721191261F96D1219687F1C706E471FE66D453CD8359B3C97E2EA3C96E92F5A00A3EE5E637FFD7FB0A4CA914BCCB19434778EA2C4D287D7DF6AD6DBF80975EF01020101010101010101010101010101');
INSERT INTO terms VALUES (8, 1, 1, 8, X'F00C0117E66D453C4E8EEC5F0C43E37398301577637FFD7FB0A4CA914BCCB1940101010101010101');
INSERT INTO terms VALUES (9, 1, 1, 8, X'FAA16D0787415733E66D453CF9EFBE71C5683F8FA6F68596D8ED6DEC02010101010101');
INSERT INTO terms VALUES (10, 1, 1, 7, X'FAA16D07E66D453CA6F68596D422C7A698871BB114FABDCF066A28FB01010101010101');
INSERT INTO change VALUES (1, 1, 1, 'put', 1795453866635000);
INSERT INTO change VALUES (2, 1, 2, 'put', 1795453869562000);
INSERT INTO change VALUES (3, 1, 3, 'put', 1795453872019000);
INSERT INTO change VALUES (4, 1, 4, 'put', 1795453872020000);
INSERT INTO change VALUES (5, 1, 5, 'put', 1795453875530000);
INSERT INTO change VALUES (6, 1, 6, 'put', 1795453878312000);
INSERT INTO change VALUES (7, 1, 7, 'put', 1795453880937000);
INSERT INTO change VALUES (8, 1, 8, 'put', 1795453880938000);
INSERT INTO change VALUES (9, 1, 9, 'put', 1795453885653000);
INSERT INTO change VALUES (10, 1, 10, 'put', 1795453887746000);
INSERT INTO change VALUES (11, 1, 5, 'link', 1795453911877000);
INSERT INTO change VALUES (12, 1, 5, 'link', 1795453911877000);
INSERT INTO project VALUES (1, '/srv/merged/elsewhere/b2', '/srv/merged/w', 1795453885653569);
INSERT INTO project VALUES (1, '/srv/merged/w', '/srv/merged/w', 1795453866635400);
INSERT INTO project VALUES (1, '/srv/merged/w/a', '/srv/merged/w', 1795453869562510);
INSERT INTO project VALUES (1, '/srv/merged/w/b', '/srv/merged/w', 1795453878312388);
INSERT INTO project VALUES (1, '/srv/merged/w/notes', '/srv/merged/w', 1795453887746433);
INSERT INTO project VALUES (1, 'github.com/me/b', '/srv/merged/w', 1795453878312501);
INSERT INTO lease VALUES (1, 'seal', '0419d361426e4946a93d763ee001f884', 1795453991900784);
INSERT INTO pending VALUES (1, 1, '', 0, 0);
INSERT INTO pending VALUES (2, 1, '', 0, 0);
INSERT INTO pending VALUES (4, 1, '', 0, 1);
INSERT INTO pending VALUES (5, 1, '', 0, 0);
INSERT INTO pending VALUES (6, 1, '', 0, 0);
INSERT INTO pending VALUES (7, 1, '', 0, 0);
INSERT INTO pending VALUES (8, 1, '', 0, 0);
INSERT INTO pending VALUES (9, 1, '', 0, 0);
INSERT INTO pending VALUES (10, 1, '', 0, 0);
INSERT INTO activity VALUES (1, 1, '/srv/merged/w', 'claude-code:s1', 'session_started:68f4490f3d0a2b0ac0f29111844b85f3', 1795453878859422, 'claude-code', 'session_started', '', '', '', '{"cwd":"/srv/merged/w/b","source":"startup"}');
INSERT INTO activity VALUES (2, 1, '/srv/merged/w', 'claude-code:s1', 'prompt:d75eff40beedf8e834f2b288eeed36f4', 1795453879236125, 'claude-code', 'prompt', '', '', '', '{"cwd":"/srv/merged/w/b","text":"We decided to use PostgreSQL for the queue because it is there already. Always use tabs in the queue code."}');
INSERT INTO activity VALUES (3, 1, '/srv/merged/w', 'claude-code:s1', 'session_ended:2c00e4136273f57259d50fd39fc11a07', 1795453879448166, 'claude-code', 'session_ended', '', '', '', '{"cwd":"/srv/merged/w/b","reason":"exit"}');
INSERT INTO activity VALUES (4, 1, '/srv/merged/w', 'claude-code:s1', 'capture:decision:c471755108d36dd3', 1795453880938297, 'claude-code', 'captured', '', '01d7c880-3eb6-5920-811f-873be6db6f45', 'stored', '{"digest":"9085e7fff2b3f829e2d05385c0c0fa7b3f8ffe5f10e2f10a58fd8cdb37397142"}');
INSERT INTO activity VALUES (5, 1, '/srv/merged/w', 'claude-code:s1', 'capture:decision:868d64d45e8ca833', 1795453880938763, 'claude-code', 'captured', '', 'aa665b02-bff7-5b65-bddf-879720116547', 'stored', '{"digest":"7b8a0d6aa26cbe9ffbbbe4cfc3d5e07b3b32ed90e47a1c89c3a99e95853abfa6"}');
INSERT INTO repository VALUES (1, 1, '/srv/merged/w', '', '/srv/merged/w/a', 1795453911775394, 1, '{"repository":1,"files_scanned":1,"files_parsed":0,"files_skipped":0,"files_removed":0,"symbols":1,"references":0,"edges_resolved":0,"symbols_embedded":0,"duration_ms":43,"languages":{"python":1},"skipped":{},"manifests":"7d927f4a36f0e563","layout":"7d927f4a36f0e563","crashing":{}}');
INSERT INTO source_file VALUES (3, 1, 1, 'billing.py', 'python', '50f12eaacf7ce872926f57085cd8cafd', 62, 1795453863889687054, 3, 1, X'07000000000000000000000000000000000000000000000062696C6C696E67', X'78018B562AA82CC9C8CF53D2514ACACCC9C9CC4B07B29474A2A395D24AF3924B32C132C5A9252539A9F1997965F999C9A908A57A181229A9690AA8821A25F92589399A404D05A5493999C94A3A864068AC63A0636608B2292D31A7381542C6C6EA44C39031B20494AD545A92A66BA1140B00B0BF3C09');
INSERT INTO symbol_name VALUES (1, 1, 'settle_invoice');
INSERT INTO symbol VALUES (4, 1, 3, 1, 'billing.settle_invoice', 'settle_invoice.billing.', 'def settle_invoice(total)', 'Settle.', 'public', 1, 1, 3, '', 0, '', 0, '[]');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('change', 12);
INSERT INTO sqlite_sequence VALUES ('record', 10);
INSERT INTO sqlite_sequence VALUES ('event', 7);
INSERT INTO sqlite_sequence VALUES ('repository', 2);
INSERT INTO sqlite_sequence VALUES ('edge', 3);
CREATE VIRTUAL TABLE symbol_gram USING fts5 (
  name, content = 'symbol_name', content_rowid = 'id', tokenize = 'trigram', detail = 'none', columnsize = 0
);
INSERT INTO symbol_gram (symbol_gram, rank) VALUES ('secure-delete', 1);
INSERT INTO symbol_gram (rowid, name) SELECT id, name FROM symbol_name ORDER BY id;
CREATE UNIQUE INDEX memory_content ON record (tenant, namespace, content_hash) WHERE kind = 'memory' AND replaced = 0;
CREATE INDEX record_key ON record (tenant, key);
CREATE INDEX record_time ON record (tenant, kind, created DESC, key);
CREATE INDEX edge_target ON edge (target);
CREATE INDEX change_link ON change (tenant, position) WHERE operation = 'link';
CREATE TRIGGER record_added AFTER INSERT ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER record_changed AFTER UPDATE ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER record_removed AFTER DELETE ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.id, 'delete');
END;
CREATE INDEX event_time ON event (tenant, time);
CREATE INDEX trash_operation ON trash (tenant, operation);
CREATE INDEX trash_record ON trash (tenant, record);
CREATE INDEX trash_key ON trash (tenant, key);
CREATE INDEX applied_time ON applied (tenant, time);
CREATE INDEX record_session ON record (tenant, session, position);
CREATE TRIGGER embedding_added AFTER INSERT ON embedding WHEN NEW.view = 0 BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.record, 'embed');
END;
CREATE UNIQUE INDEX document_name ON record (tenant, label, namespace) WHERE kind = 'document' AND label <> '';
CREATE INDEX solution_content ON record (tenant, content_hash) WHERE kind = 'solution';
CREATE INDEX solution_private ON record (tenant, namespace) WHERE kind = 'solution' AND type = 'repo';
CREATE UNIQUE INDEX failure_signature ON record (tenant, content_hash, namespace) WHERE kind = 'failure' AND content_hash <> '';
CREATE INDEX message_tool ON record (tenant, substr(metadata ->> '$.source_tool', 1, 200), created DESC, id DESC) WHERE kind = 'message';
CREATE INDEX message_number ON record (tenant, substr(metadata ->> '$.number', 1, 20)) WHERE kind = 'message';
CREATE INDEX activity_session ON activity (tenant, session, time, event);
CREATE INDEX activity_time ON activity (tenant, namespace, time);
CREATE INDEX captured_memory ON record (tenant, kind, replaced, created DESC, id DESC)
  WHERE kind = 'memory' AND metadata ->> '$.trust' = 'untrusted';
CREATE INDEX foremost_memory ON record (tenant, namespace, type, importance DESC, created DESC)
  WHERE kind = 'memory' AND replaced = 0 AND (type IN ('decision', 'preference', 'style', 'habit') OR importance > 0.5);
CREATE INDEX symbol_tail ON symbol (tenant, tail);
CREATE INDEX symbol_file ON symbol (file);
CREATE INDEX symbol_name_of ON symbol (name);
CREATE INDEX symbol_gone ON symbol (record) WHERE gone > 0;
CREATE INDEX edge_explains ON edge (target, source, weight) WHERE canonical = 'EXPLAINS';
CREATE INDEX source_file_name ON source_file (repository, substr(path, length(rtrim(path, replace(path, '/', ''))) + 1));
CREATE TRIGGER symbol_name_added AFTER INSERT ON symbol_name BEGIN
  INSERT INTO symbol_gram (rowid, name) VALUES (NEW.id, NEW.name);
END;
CREATE TRIGGER symbol_name_changed AFTER UPDATE OF id, name ON symbol_name BEGIN
  INSERT INTO symbol_gram (symbol_gram, rowid, name) VALUES ('delete', OLD.id, OLD.name);
  INSERT INTO symbol_gram (rowid, name) VALUES (NEW.id, NEW.name);
END;
CREATE TRIGGER symbol_name_removed AFTER DELETE ON symbol_name BEGIN
  INSERT INTO symbol_gram (symbol_gram, rowid, name) VALUES ('delete', OLD.id, OLD.name);
END;
CREATE TRIGGER symbol_removed AFTER DELETE ON symbol BEGIN
  DELETE FROM symbol_name WHERE id = OLD.name AND NOT EXISTS (SELECT 1 FROM symbol WHERE name = OLD.name);
END;
CREATE TRIGGER symbol_renamed AFTER UPDATE OF name ON symbol WHEN NEW.name <> OLD.name BEGIN
  DELETE FROM symbol_name WHERE id = OLD.name AND NOT EXISTS (SELECT 1 FROM symbol WHERE name = OLD.name);
END;
CREATE INDEX pending_order ON pending (tenant, late, record DESC);
CREATE TRIGGER record_to_embed AFTER INSERT ON record
WHEN NEW.kind NOT IN ('document', 'file') AND NEW.text <> ''
  AND NOT (NEW.kind = 'symbol' AND NEW.type IN ('test', 'constant', 'variable', 'module')) BEGIN
  INSERT INTO pending (record, tenant, late) VALUES (NEW.id, NEW.tenant, NEW.kind = 'symbol');
END;
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text, label, type ON record
WHEN NEW.text <> OLD.text OR (NEW.kind = 'chunk' AND NEW.label <> OLD.label)
  OR (NEW.kind = 'symbol' AND NEW.type <> OLD.type) BEGIN
  DELETE FROM embedding WHERE record = NEW.id AND tenant = NEW.tenant;
  DELETE FROM terms WHERE record = NEW.id AND tenant = NEW.tenant AND space IN (2, 6);
  DELETE FROM pending WHERE record = NEW.id AND tenant = NEW.tenant;
  INSERT INTO pending (record, tenant, late) SELECT NEW.id, NEW.tenant, NEW.kind = 'symbol'
  WHERE NEW.kind NOT IN ('document', 'file') AND NEW.text <> ''
    AND NOT (NEW.kind = 'symbol' AND NEW.type IN ('test', 'constant', 'variable', 'module'));
END;
CREATE INDEX edge_told ON edge (tenant, source) WHERE coalesce(metadata ->> '$.origin', '') NOT IN ('index', 'mention');
CREATE TRIGGER edge_added AFTER INSERT ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_changed AFTER UPDATE ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_removed AFTER DELETE ON edge WHEN coalesce(OLD.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.source, 'link');
END;
PRAGMA user_version = 9;
