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
  updated INTEGER NOT NULL, uid TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT '', known INTEGER NOT NULL DEFAULT 0,
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
  created INTEGER NOT NULL, uid TEXT NOT NULL DEFAULT '', origin TEXT NOT NULL DEFAULT '', known INTEGER NOT NULL DEFAULT 0,
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
, who TEXT NOT NULL DEFAULT '', bulk INTEGER NOT NULL DEFAULT 0, additive INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 0, reverses INTEGER NOT NULL DEFAULT 0, version INTEGER) STRICT;
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
  created INTEGER NOT NULL, kind TEXT NOT NULL DEFAULT '', merged TEXT NOT NULL DEFAULT '',
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
CREATE TABLE record_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  record INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  known INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  text TEXT,
  tags TEXT,
  metadata TEXT,
  importance REAL NOT NULL,
  confidence REAL NOT NULL,
  content_hash TEXT NOT NULL,
  session TEXT NOT NULL,
  position INTEGER NOT NULL,
  replaced INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  uid TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;
CREATE TABLE edge_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL DEFAULT 1,
  edge INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  time INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER)),
  known INTEGER NOT NULL,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  relation TEXT NOT NULL,
  canonical TEXT NOT NULL,
  weight REAL NOT NULL,
  metadata TEXT NOT NULL,
  created INTEGER NOT NULL,
  uid TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT;
CREATE TABLE sync_state (
  tenant INTEGER NOT NULL DEFAULT 1,
  uid TEXT NOT NULL,
  part TEXT NOT NULL,
  state TEXT NOT NULL,
  local_id INTEGER NOT NULL DEFAULT 0,
  same TEXT NOT NULL DEFAULT '',
  digest TEXT NOT NULL DEFAULT '',
  stamp TEXT NOT NULL DEFAULT '',
  seen TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant, uid)
) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES (0, 'created', '1795385281248000');
INSERT INTO setting VALUES (0, 'epoch', 'b4442dfeb2c2985e');
INSERT INTO setting VALUES (1, 'code links', '[203, 4, 0, 0]');
INSERT INTO setting VALUES (1, 'consolidation forget', '{"last_run": 1795462966910660, "affected": 1}');
INSERT INTO setting VALUES (1, 'history begins', '1795902743979000');
INSERT INTO setting VALUES (1, 'sync clock', '0006617a1dc0424d00000000');
INSERT INTO setting VALUES (1, 'sync machine', '{"machine":"1f48b88ef541f75a","place":"6773142abec9c34b"}');
INSERT INTO setting VALUES (1, 'sync taken', '{"1f48b88ef541f75a/0":"5c353a00aa99f32cafca9c27661bd12d","1f48b88ef541f75a/2":"52aca95f303077f23716bf594d93e598","1f48b88ef541f75a/3":"d2eb5e51c6e90dc0a72ebe37fd638e7e","1f48b88ef541f75a/4":"80122d6099c2bc13a585efdcca8ed7dd","1f48b88ef541f75a/5":"7656f546ec2c726cb6b3eb5be875c342","1f48b88ef541f75a/6":"7231e4986d75ca1bf66521f686c8fbc3","1f48b88ef541f75a/7":"7949e7e074663597011e251726461f30","1f48b88ef541f75a/10":"21870c77e80636aba27eeb0c0ea7d73e","1f48b88ef541f75a/11":"44c2106402c359a3efbd0f47b04930a4","1f48b88ef541f75a/12":"dc45d257f20fa36f2c3555fa2706dfb8","1f48b88ef541f75a/13":"7afa14695350cf5abfb3b5ec906abeaa","1f48b88ef541f75a/14":"26f42b38be24b6abba94c8ae8996f85f","1f48b88ef541f75a/16":"fd06ec8a2e2f173c640a4f85a74593b6","1f48b88ef541f75a/17":"607aa7803c62cae4602c847cc4ead8a6","1f48b88ef541f75a/19":"4a3583ae38f070ea5a7448492694449a","1f48b88ef541f75a/20":"818c9bcc8811d057c9a9cad767d8451f","1f48b88ef541f75a/22":"60d659942df508b33fb4b86e927e056c","1f48b88ef541f75a/23":"54b7b3ecf1eacd7cf0c25ec694d08411","1f48b88ef541f75a/24":"0fd0ccb44fb6f073105e50c072ab10ae","1f48b88ef541f75a/25":"946ce0fa87d77fed245e660c625f7c24","1f48b88ef541f75a/27":"cf59a80c8a22c1c149b5a1d009fdfe98","1f48b88ef541f75a/28":"dd2b2fd173f63cff7325194bd24fb9b8","1f48b88ef541f75a/30":"37d3dc5434f04e474495e4597e8f07cc","1f48b88ef541f75a/31":"c33c3f2e121f195051f630fd4abe3658","1f48b88ef541f75a/32":"007a515edc1f62778f52d0ae7f4f598c","1f48b88ef541f75a/33":"8551c722e3ccbbab8ef8b81507d1f470","1f48b88ef541f75a/34":"95258b5164196882e17044a0fe13e542","1f48b88ef541f75a/35":"d75265eab34f23a183f19771f3aa6f09","1f48b88ef541f75a/38":"8ee47518232c6e90b8ae2c7a605eb8e2","1f48b88ef541f75a/40":"5cd642fc8d0ba2a6f30c53bf5f1b149a","1f48b88ef541f75a/41":"5e10bb99e21efd80387eb4c4d39a5b22","1f48b88ef541f75a/42":"5d7e5ba87c84d502b87a3bcccaccec9c","1f48b88ef541f75a/43":"21e95741dcf063cb75a47a440ec4ed6c","1f48b88ef541f75a/44":"0a0df34ad4db8a9925acbac3d77a4649","1f48b88ef541f75a/45":"46c5a550634ebaaed82423ac11ec5974","1f48b88ef541f75a/46":"a3c323c2007dd081fc8ca16acee6e379","1f48b88ef541f75a/49":"3fafcf94196bbc9662099b3a5168518d","1f48b88ef541f75a/50":"4c3f588116dbbfe4322f7fcb836c36d0","1f48b88ef541f75a/51":"2600f9a2f845eebacf8039ad32622046","1f48b88ef541f75a/52":"d29307fde3ee19ef21d6ddb52edaa90f","1f48b88ef541f75a/53":"cf9bdf2e24ec33e4ebb0a68f0cd60c37","1f48b88ef541f75a/54":"15e759cc497e44d2285144a5476a4dfa","1f48b88ef541f75a/55":"a3ef741fb44f63fc4a6598d39bdd3726","1f48b88ef541f75a/56":"f4833ba2f4eda1dbfa0715fbc7dde5b3","1f48b88ef541f75a/57":"96cd035819cea8f72b9adb48d49efc16","1f48b88ef541f75a/58":"db07b9925ccf9455a742701c10e9d1f1","1f48b88ef541f75a/59":"198f7445cc09be71e11b30ad0e56d3c7","1f48b88ef541f75a/60":"c30914cfb34a6a7fa25cb08da5decfd5","1f48b88ef541f75a/61":"d2338bce71a9d28d0bcf9ca9336bb325","1f48b88ef541f75a/62":"fd944d115dc5cece19214ca000378dab","1f48b88ef541f75a/63":"0748be067c61c3eaf71731ccae4f17dd"}');
INSERT INTO record VALUES (1, 1, '', 'memory', 'decision', 'd867fd3b-8a85-49c3-910d-cb2f13552053', '', 'Team decided to use Axum over Actix: its middleware is tower''s', '["api","lang:rust"]', '{}', 0.9, 1.0, '20da5e0e3654f0891a183be9247d7ba85fb0863a07bbaaf7c768b3b77f79c984', 'session_1f2e01e60976', 1795322407123457, 0, 1795322407123457, 1795322407123457, 'ac478ef14493b762e6b48de01e3c6d12', '', 0);
INSERT INTO record VALUES (2, 1, '', 'memory', 'pattern', '05a90863-15f4-4f54-a406-f1f52a1ffb78', '', 'The release job fails on a runner without swap; it needs 4 GB', '["ci"]', '{}', 0.5, 1.0, '4c7601f1360a4b1864e4c44c291ca57c8574325a7a94ae19e8bd9f766311c113', 'session_1f2e01e60976', 1795322421123459, 1, 1795322421123459, 1795322421123459, 'f0a76422ba8130e20e58e7e4bd0ebfa4', '', 0);
INSERT INTO record VALUES (3, 1, '', 'memory', 'insight', '88a5f0e8-6b07-46d6-971b-ff80a89e7320', '', 'Ключ кэша — путь и хэш, nie tylko ścieżka', '["unicode"]', '{}', 0.5, 1.0, 'd6c05e0e8f802b6eca0d037b5fba4b1410d06aea50bf347b60f4945c78b9a358', 'session_1f2e01e60976', 1795322435123461, 0, 1795322435123461, 1795322435123461, '618a8ea8947a07bd1e6e4958c7f82cd0', '', 0);
INSERT INTO record VALUES (4, 1, 'other/project', 'memory', 'context', 'f75d02e4-1c2e-4cb0-8a9f-9b1981801e03', '', 'データベースは毎晩 03:00 にバックアップされる 🗄️', '["ops"]', '{}', 0.4, 1.0, '3982a65bf503923cf233bb5ad238ddd27e6dad3af7591e1feb0a4b419da1a821', 'session_1f2e01e60976', 1795322449123463, 0, 1795322449123463, 1795322449123463, 'da4205e52a6a04e177ed8db41139fbc6', '', 0);
INSERT INTO record VALUES (5, 1, '', 'memory', 'pattern', '2b03729e-b451-40fe-aafd-138d77338e43', '', 'parseHttpHeader returns None for folded lines (RFC 9112)', '["http","bug"]', '{}', 0.7, 1.0, 'cc3c229ca0b839a9f2cc35a55df03370368f246f7ef9ee172c3aced9d4d0779f', 'session_1f2e01e60976', 1795322463123465, 0, 1795322463123465, 1795322463123465, '721418b8f566e9466a083fc4e458e27e', '', 0);
INSERT INTO record VALUES (6, 1, '', 'memory', 'preference', '8460dd38-8aca-4de9-8e7e-8762c2c1ab58', '', 'Prefer small commits, one reason each', '[]', '{}', 0.35, 1.0, '2c0c00d2e180b929c5bfc19be1696a6e30a01d0b13bc493801d763dd9362d69b', 'session_1f2e01e60976', 1795322477123467, 0, 1795322477123467, 1795323835123661, '0e0343190ce15e0ec62c0ee23d86b342', '', 0);
INSERT INTO record VALUES (7, 1, '', 'memory', 'decision', 'd8c7dd3c-c190-476c-934a-46c8af601e32', '', 'The queue is drained by one worker; ''two'' deadlock on flock', '["queue"]', '{}', 0.6, 1.0, '354ad63f043abdd8809e281718c4f71fe8fcfe0bbe2daf9468d03f4f641b9a41', 'session_1f2e01e60976', 1795322491123469, 0, 1795322491123469, 1795322491123469, 'b40b28a3aafa3563b78c5198dec111b2', '', 0);
INSERT INTO record VALUES (8, 1, 'other/project', 'memory', 'context', '164eea9d-1f81-4a1a-85ec-55929f9fda10', '', 'Old: deploys go to the eu-west cluster', '["deploy"]', '{}', 0.5, 1.0, '38f336ee85acdb77c6b45235e07d512111d6a40469d7e047bda04e22277db4be', 'session_1f2e01e60976', 1795322505123471, 1, 1795322505123471, 1795322505123471, 'dc479be871c5483333f69557f561ccdd', '', 0);
INSERT INTO record VALUES (9, 1, '', 'memory', 'context', '51aaf8d8-618c-4e95-9eda-bf030621b929', '', 'Deploys go to the eu-central cluster since October', '["deploy"]', '{}', 0.8, 1.0, 'b94983de4df9cdf60980a17fe08dc270ed87a689598a63141c7e0df84dd9bf3f', 'session_1f2e01e60976', 1795322519123473, 0, 1795322519123473, 1795322519123473, '7947d663cb690f547668f0cdae66598f', '', 0);
INSERT INTO record VALUES (10, 1, '', 'memory', 'context', '9cc70f43-2600-46b1-9316-b226931ea7a8', '', 'Line one
line two
	tabbed; semicolons; -- no comment', '[]', '{}', 0.5, 1.0, '95fc8a0616240ca8a04a994b3ab272cb438c95c0cdcd5f000754681c4b3466f8', 'session_1f2e01e60976', 1795322533123475, 0, 1795322533123475, 1795322533123475, '4dea320d2c7e6267be0946b806576819', '', 0);
INSERT INTO record VALUES (12, 1, 'other/project', 'memory', 'insight', '42f58a90-3c29-4be4-9133-89e0a932bc3a', '', 'A draft that was reworded', '[]', '{}', 0.6, 1.0, 'af16a9f59512add27b2715df28d875eb4a00f0cfc2d4290151c0f45305586925', 'session_1f2e01e60976', 1795322561123479, 0, 1795322561123479, 1795322876123524, '5f5dbab635173f62137102f7c37f905f', '', 0);
INSERT INTO record VALUES (13, 1, '', 'memory', 'context', '674b5083-bdff-4fba-b542-776274e93a0b', '', 'A long note of two windows: the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. ', '[]', '{}', 0.5, 1.0, '0f38d15e3855bc8d99eeb735b9abe46f3012034e69958678931ac28af2b37e49', 'session_1f2e01e60976', 1795322575123481, 0, 1795322575123481, 1795322575123481, '0804274f727390770c95930a7dcdad5f', '', 0);
INSERT INTO record VALUES (14, 1, '', 'solution', '', 'sol_1', '', 'restart the worker after a flock deadlock', '[]', '{}', 0.5, 1.0, '0df1790dadeb484b9f3b89610ebd41eecf4f79e6b68c8c87fc4dc34c44082aed', 'session_1f2e01e60976', 1795322659123493, 0, 1795322659123493, 1795322659123493, '6f8c14b7cc2a3b1ad6d7758be74b7056', '', 0);
INSERT INTO record VALUES (15, 1, '', 'solution', '', 'sol_2', '', 'restart the worker after a flock deadlock', '[]', '{}', 0.5, 1.0, '0df1790dadeb484b9f3b89610ebd41eecf4f79e6b68c8c87fc4dc34c44082aed', 'session_1f2e01e60976', 1795322666123494, 0, 1795322666123494, 1795322666123494, '1a18b5f7824a7a44f25d2053bdd0e338', '', 0);
INSERT INTO record VALUES (16, 1, '', 'failure', '', 'fail_1', '', 'OSError: flock deadlock', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322673123495, 0, 1795322673123495, 1795322673123495, 'c9208bb636b055e2c1abc61b11c1264d', '', 0);
INSERT INTO record VALUES (17, 1, '', 'failure', '', 'fail_2', '', 'OSError: flock deadlock', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322680123496, 0, 1795322680123496, 1795322680123496, '72466476141254b48d5f19fdd6fa419f', '', 0);
INSERT INTO record VALUES (18, 1, '', 'entity', '', 'fix#flock', 'Fix', 'Release the lock before the fork', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322687123497, 0, 1795322687123497, 1795322687123497, '0aef988d9cb5a275271aa51c7668dd14', '', 0);
INSERT INTO record VALUES (19, 1, '', 'file', '', 'src/queue.py', '', 'src/queue.py', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322694123498, 0, 1795322694123498, 1795322694123498, 'f55b5eb3b5a4d6a096280c20ffaf0dd8', '', 0);
INSERT INTO record VALUES (20, 1, '', 'todo', '', '41', 'runbook', 'Write the runbook of the queue', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322701123499, 0, 1795322701123499, 1795322701123499, '990e086cdf20da55ba1f63ce79ed3aa4', '', 0);
INSERT INTO record VALUES (21, 1, '', 'document', 'note', '17', 'notes.md', 'A document that an import brought: restore drills are on Fridays', '[]', '{}', 0.5, 1.0, '0c1e0e186fb284b38a9ea343f5e0ac53050e20eee3e7a57830ae0848899d660b', 'session_1f2e01e60976', 1795322708123500, 0, 1795322708123500, 1795322708123500, 'ef3f4f6febbd4f75a8b91988413790b3', '', 0);
INSERT INTO record VALUES (22, 1, 'other/project', 'document', '', '18', 'notes.md', 'Another one of that name', '[]', '{}', 0.5, 1.0, '908cfeee44e6f1fe374eb843933a9c9585c994a4e86bacf022cb63d9cc2e4a68', 'session_1f2e01e60976', 1795322715123501, 0, 1795322715123501, 1795322715123501, '7d8aad010611bb076c93b3fbe266dc3b', '', 0);
INSERT INTO record VALUES (23, 1, '', 'symbol', 'function', 'queue.drain', 'drain', 'def drain(queue) -> None: one worker takes what waits', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322722123502, 0, 1795322722123502, 1795322722123502, 'ab485332995419c968ba66c9d644c288', '', 0);
INSERT INTO record VALUES (24, 1, '', 'symbol', 'constant', 'queue.LIMIT', 'LIMIT', 'LIMIT = 64 waiting jobs', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322729123503, 0, 1795322729123503, 1795322729123503, 'be61a6d24e10d8848ba4adb2be8325ac', '', 0);
INSERT INTO record VALUES (25, 1, '', 'memory', 'context', 'imported-1', '', 'Imported: the nightly job writes to /var/tmp', '[]', '{"trust":"untrusted","a":[1,{"b":null}]}', 0.5, 0.8, 'f7c93d99a90c5a18f6144d7bea56c892e36253da869b39f1cc21c974d6c4e64c', 'talk', 3, 0, 1738555506789000, 1738555506789000, '42b1e331c032d74cfd984d246c0380ef', '', 0);
INSERT INTO record VALUES (26, 1, '', 'memory', 'context', 'imported-2', '', 'Imported as well: it is read by the report', '[]', '{}', 0.5, 1.0, '7871e3013396fe40405e430437e3cbaf785ecb26e4269170f738e6ac8422a4b7', 'talk', 4, 0, 1795322743123505, 1795322743123505, 'b4c6885fa65ede40b8888ebeeccc9722', '', 0);
INSERT INTO record VALUES (27, 1, '', 'document', 'document', '42', 'runbook.md', '# Runbook

The queue is drained by one worker.

Look at lock 0, then at its owner aaa0, then restart worker 0. Look at lock 1, then at its owner bbb1, then restart worker 1. Look at lock 2, then at its owner ccc2, then restart worker 2. Look at lock 3, then at its owner ddd3, then restart worker 3. Look at lock 4, then at its owner eee4, then restart worker 4. Look at lock 5, then at its owner fff5, then restart worker 5. Look at lock 6, then at its owner ggg6, then restart worker 6. Look at lock 7, then at its owner hhh7, then restart worker 7. Look at lock 8, then at its owner iii8, then restart worker 8. Look at lock 9, then at its owner jjj9, then restart worker 9. Look at lock 10, then at its owner kkk10, then restart worker 10. Look at lock 11, then at its owner lll11, then restart worker 11. Look at lock 12, then at its owner mmm12, then restart worker 12. Look at lock 13, then at its owner nnn13, then restart worker 13. Look at lock 14, then at its owner ooo14, then restart worker 14. Look at lock 15, then at its owner ppp15, then restart worker 15. Look at lock 16, then at its owner qqq16, then restart worker 16. Look at lock 17, then at its owner rrr17, then restart worker 17. Look at lock 18, then at its owner sss18, then restart worker 18. Look at lock 19, then at its owner ttt19, then restart worker 19. Look at lock 20, then at its owner uuu20, then restart worker 20. Look at lock 21, then at its owner vvv21, then restart worker 21. Look at lock 22, then at its owner www22, then restart worker 22. Look at lock 23, then at its owner xxx23, then restart worker 23. Look at lock 24, then at its owner yyy24, then restart worker 24. Look at lock 25, then at its owner zzz25, then restart worker 25. Look at lock 26, then at its owner aaa26, then restart worker 26. Look at lock 27, then at its owner bbb27, then restart worker 27. Look at lock 28, then at its owner ccc28, then restart worker 28. Look at lock 29, then at its owner ddd29, then restart worker 29. Look at lock 30, then at its owner eee30, then restart worker 30. Look at lock 31, then at its owner fff31, then restart worker 31. Look at lock 32, then at its owner ggg32, then restart worker 32. Look at lock 33, then at its owner hhh33, then restart worker 33. Look at lock 34, then at its owner iii34, then restart worker 34. Look at lock 35, then at its owner jjj35, then restart worker 35. Look at lock 36, then at its owner kkk36, then restart worker 36. Look at lock 37, then at its owner lll37, then restart worker 37. Look at lock 38, then at its owner mmm38, then restart worker 38. Look at lock 39, then at its owner nnn39, then restart worker 39. Look at lock 40, then at its owner ooo40, then restart worker 40. Look at lock 41, then at its owner ppp41, then restart worker 41. Look at lock 42, then at its owner qqq42, then restart worker 42. Look at lock 43, then at its owner rrr43, then restart worker 43. Look at lock 44, then at its owner sss44, then restart worker 44. Look at lock 45, then at its owner ttt45, then restart worker 45. Look at lock 46, then at its owner uuu46, then restart worker 46. Look at lock 47, then at its owner vvv47, then restart worker 47. Look at lock 48, then at its owner www48, then restart worker 48. Look at lock 49, then at its owner xxx49, then restart worker 49. Look at lock 50, then at its owner yyy50, then restart worker 50. Look at lock 51, then at its owner zzz51, then restart worker 51. Look at lock 52, then at its owner aaa52, then restart worker 52. Look at lock 53, then at its owner bbb53, then restart worker 53. Look at lock 54, then at its owner ccc54, then restart worker 54. Look at lock 55, then at its owner ddd55, then restart worker 55. Look at lock 56, then at its owner eee56, then restart worker 56. Look at lock 57, then at its owner fff57, then restart worker 57. Look at lock 58, then at its owner ggg58, then restart worker 58. Look at lock 59, then at its owner hhh59, then restart worker 59.', '[]', '{}', 0.5, 1.0, 'ea4728590c8da9eb3bdc6b5db059d64722bb4a89c2948629b7d0f0bf0abf12c6', 'session_1f2e01e60976', 1795322939123533, 0, 1795322939123533, 1795322939123533, '67f8b3615f74ad8a12c65c08916cadd9', '', 0);
INSERT INTO record VALUES (28, 1, '', 'chunk', 'document', '43', 'runbook.md > Runbook', '# Runbook

The queue is drained by one worker.

Look at lock 0, then at its owner aaa0, then restart worker 0. Look at lock 1, then at its owner bbb1, then restart worker 1. Look at lock 2, then at its owner ccc2, then restart worker 2. Look at lock 3, then at its owner ddd3, then restart worker 3. Look at lock 4, then at its owner eee4, then restart worker 4. Look at lock 5, then at its owner fff5, then restart worker 5. Look at lock 6, then at its owner ggg6, then restart worker 6. Look at lock 7, then at its owner hhh7, then restart worker 7. Look at lock 8, then at its owner iii8, then restart worker 8. Look at lock 9, then at its owner jjj9, then restart worker 9. Look at lock 10, then at its owner kkk10, then restart worker 10. Look at lock 11, then at its owner lll11, then restart worker 11. Look at lock 12, then at its owner mmm12, then restart worker 12.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099511627776, 0, 1795322939123533, 1795322939123533, '4e853d5661727800da71c083d5b23c68', '', 0);
INSERT INTO record VALUES (29, 1, '', 'chunk', 'document', '44', 'runbook.md > Runbook', 'Look at lock 12, then at its owner mmm12, then restart worker 12. Look at lock 13, then at its owner nnn13, then restart worker 13. Look at lock 14, then at its owner ooo14, then restart worker 14. Look at lock 15, then at its owner ppp15, then restart worker 15. Look at lock 16, then at its owner qqq16, then restart worker 16. Look at lock 17, then at its owner rrr17, then restart worker 17. Look at lock 18, then at its owner sss18, then restart worker 18. Look at lock 19, then at its owner ttt19, then restart worker 19. Look at lock 20, then at its owner uuu20, then restart worker 20. Look at lock 21, then at its owner vvv21, then restart worker 21. Look at lock 22, then at its owner www22, then restart worker 22. Look at lock 23, then at its owner xxx23, then restart worker 23. Look at lock 24, then at its owner yyy24, then restart worker 24. Look at lock 25, then at its owner zzz25, then restart worker 25. Look at lock 26, then at its owner aaa26, then restart worker 26. Look at lock 27, then at its owner bbb27, then restart worker 27.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099571627776, 0, 1795322939123533, 1795322939123533, 'c6f10e5ffa06984621a185062905dac8', '', 0);
INSERT INTO record VALUES (30, 1, '', 'chunk', 'document', '45', 'runbook.md > Runbook', 'Look at lock 27, then at its owner bbb27, then restart worker 27. Look at lock 28, then at its owner ccc28, then restart worker 28. Look at lock 29, then at its owner ddd29, then restart worker 29. Look at lock 30, then at its owner eee30, then restart worker 30. Look at lock 31, then at its owner fff31, then restart worker 31. Look at lock 32, then at its owner ggg32, then restart worker 32. Look at lock 33, then at its owner hhh33, then restart worker 33. Look at lock 34, then at its owner iii34, then restart worker 34. Look at lock 35, then at its owner jjj35, then restart worker 35. Look at lock 36, then at its owner kkk36, then restart worker 36. Look at lock 37, then at its owner lll37, then restart worker 37. Look at lock 38, then at its owner mmm38, then restart worker 38.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099631627776, 0, 1795322939123533, 1795322939123533, '724e20459510c1679f6f0edd1f1bcfd4', '', 0);
INSERT INTO record VALUES (31, 1, '', 'chunk', 'document', '46', 'runbook.md > Runbook', 'Look at lock 38, then at its owner mmm38, then restart worker 38. Look at lock 39, then at its owner nnn39, then restart worker 39. Look at lock 40, then at its owner ooo40, then restart worker 40. Look at lock 41, then at its owner ppp41, then restart worker 41. Look at lock 42, then at its owner qqq42, then restart worker 42. Look at lock 43, then at its owner rrr43, then restart worker 43. Look at lock 44, then at its owner sss44, then restart worker 44. Look at lock 45, then at its owner ttt45, then restart worker 45. Look at lock 46, then at its owner uuu46, then restart worker 46. Look at lock 47, then at its owner vvv47, then restart worker 47. Look at lock 48, then at its owner www48, then restart worker 48. Look at lock 49, then at its owner xxx49, then restart worker 49. Look at lock 50, then at its owner yyy50, then restart worker 50. Look at lock 51, then at its owner zzz51, then restart worker 51. Look at lock 52, then at its owner aaa52, then restart worker 52. Look at lock 53, then at its owner bbb53, then restart worker 53.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099691627776, 0, 1795322939123533, 1795322939123533, '1524fcea334d6b9db3c4c58bac9fd423', '', 0);
INSERT INTO record VALUES (32, 1, '', 'chunk', 'document', '47', 'runbook.md > Runbook', 'Look at lock 53, then at its owner bbb53, then restart worker 53. Look at lock 54, then at its owner ccc54, then restart worker 54. Look at lock 55, then at its owner ddd55, then restart worker 55. Look at lock 56, then at its owner eee56, then restart worker 56. Look at lock 57, then at its owner fff57, then restart worker 57. Look at lock 58, then at its owner ggg58, then restart worker 58. Look at lock 59, then at its owner hhh59, then restart worker 59.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099751627776, 0, 1795322939123533, 1795322939123533, 'f651681e19efc4770d21dfcee97f92d0', '', 0);
INSERT INTO record VALUES (33, 1, '', 'document', 'document', '48', 'notes/ключ.md', '# Ключ

Один ключ на проект; データは夜に消える。', '[]', '{}', 0.5, 1.0, '784c86279d70ffcd53e3eb57095d573685d0d5a73ab8c522dbaf5a0bb65586d1', 'session_1f2e01e60976', 1795322953123535, 0, 1795322953123535, 1795322953123535, '43d079ea3d3f432795377ab4329789e9', '', 0);
INSERT INTO record VALUES (34, 1, '', 'chunk', 'document', '49', 'notes/ключ.md > Ключ', '# Ключ

Один ключ на проект; データは夜に消える。', '[]', '{}', 0.5, 1.0, '', 'document:48', 1099511627776, 0, 1795322953123535, 1795322953123535, '89b2bf4ee2dacf2243ed1afea4b327c2', '', 0);
INSERT INTO record VALUES (35, 1, '', 'solution', 'repo', 'sol_eee13dab', '', 'apsw statements are prepared twice

keep them by connection', '["sqlite"]', '{"problem":"apsw statements are prepared twice","score":0.55,"successes":1,"partials":0,"failures":0,"files":["src/queue.py"],"notes":[{"time":1795322988123540,"outcome":"success","notes":"as it stands"}]}', 0.5, 1.0, 'b2b99f64d551f9fa878dfe9e2c475ee03548fd2d354a135bfc8e2bbbce1271d3', 'session_1f2e01e60976', 1795322967123537, 0, 1795322967123537, 1795322988123540, 'f2e73461054cbff5f3ddcb485bb1387d', '', 0);
INSERT INTO record VALUES (36, 1, '', 'file', '', 'file:src/queue.py', 'src/queue.py', 'src/queue.py', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795322974123538, 0, 1795322974123538, 1795322974123538, '1f9abbdafd4a821b7948e7a16f96b6c6', '', 0);
INSERT INTO record VALUES (37, 1, '', 'entity', 'Error', 'err#ld: ''libz'' not found in /usr/lib1', 'err#ld: ''libz'' not found in /usr/lib1', 'err#ld: ''libz'' not found in /usr/lib1
{"type":"error.capture","normalizedKey":"ld: ''libz'' not found in /usr/lib1","kind":"build","message":"ld: ''libz'' not found in /usr/lib1","detector":"matrix_failure"}', '[]', '{"observations":["{\"type\":\"error.capture\",\"normalizedKey\":\"ld: ''libz'' not found in /usr/lib1\",\"kind\":\"build\",\"message\":\"ld: ''libz'' not found in /usr/lib1\",\"detector\":\"matrix_failure\"}"]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323016123544, 0, 1795323016123544, 1795323016123544, '8ad7a1673027cba9d446d5db583d622a', '', 0);
INSERT INTO record VALUES (38, 1, '', 'entity', 'Fix', 'fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a', 'fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a', 'fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a
{"type":"fix.apply","strategy":"install zlib","changes":["Dockerfile"],"result":"applied"}', '[]', '{"observations":["{\"type\":\"fix.apply\",\"strategy\":\"install zlib\",\"changes\":[\"Dockerfile\"],\"result\":\"applied\"}"]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323023123545, 0, 1795323023123545, 1795323023123545, 'd5556739a2e10f04747e1ee1cfa6fa73', '', 0);
INSERT INTO record VALUES (39, 1, '', 'failure', 'build', 'fail_5c049621', '', 'build: ld: ''libz'' not found in /usr/lib1
Cause: a slim image
Fix: install zlib', '[]', '{"errorMessage":"ld: ''libz'' not found in /usr/lib1","rootCause":"a slim image","fixApplied":"install zlib","files":["Dockerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib1","fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a"],"occurrences":2}', 0.5, 1.0, 'c45429fc2ed3f7eb', 'session_1f2e01e60976', 1795323037123547, 0, 1795323037123547, 1795323072123552, 'b6019b42bea633adb855182f86f195af', '', 0);
INSERT INTO record VALUES (40, 1, '', 'file', '', 'file:Dockerfile', 'Dockerfile', 'Dockerfile', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323044123548, 0, 1795323044123548, 1795323044123548, '6329430960acb4b8e06704ca2689fc8e', '', 0);
INSERT INTO record VALUES (41, 1, '', 'entity', 'person', 'Ann Ключ', 'Ann Ключ', 'Ann Ключ
speaks español
knows the queue', '[]', '{"observations":["speaks español","knows the queue"]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323100123556, 0, 1795323100123556, 1795323100123556, '506feaa5b0cb96b132304309af816f5c', '', 0);
INSERT INTO record VALUES (42, 1, '', 'entity', 'x', 'Gone', 'Gone', 'Gone', '[]', '{"observations":[]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323107123557, 0, 1795323107123557, 1795323107123557, '00228b79dac547d0444e7b873309f884', '', 0);
INSERT INTO record VALUES (43, 1, '', 'vector', '', 'lesson-1', '', 'Run the linter before the tests', '[]', '{"vector":{"indices":"AwAAAAAAAAAAAAAAAAEAAA==","weights":"4XoUrkfh2j/Xo3A9CtfTvw=="},"metadata":{"topic":"ci"},"score":0.0}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323135123561, 0, 1795323135123561, 1795323135123561, '85b7ee96c2c2d545ac0f9d41689d7b4d', '', 0);
INSERT INTO record VALUES (44, 1, '', 'vector', '', 'lesson-2', '', '', '[]', '{"vector":{"indices":"AAAAAAEAAAA=","weights":"AAAAAAAA8D8AAAAAAAAAQA=="},"metadata":{},"score":0.5}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323149123563, 0, 1795323149123563, 1795323149123563, 'b4cdf0b79a8d8c9b62df64ad01c0e60c', '', 0);
INSERT INTO record VALUES (45, 1, '', 'memory', 'pattern', 'c6aa2392-a718-4589-ad03-1616328898a6', '', 'The release job fails on a runner without swap; it needs 6 GB', '["ci"]', '{}', 0.5, 1.0, 'a53f551721c823eb53601520b923965ad9bdcedb1c5e7e94bd46c8aa11fd5875', 'session_1f2e01e60976', 1795323177123567, 0, 1795323177123567, 1795323177123567, 'f91b7737b1b8684cca37d2190beb405d', '', 0);
INSERT INTO record VALUES (46, 1, '', 'message', 'user', 'msg_50', '', 'Which worker drains the queue?', '[]', '{"number":50,"conversation":"talk","source_tool":"cursor","linked":"by words"}', 0.5, 1.0, '', 'conversation:talk', 1795323198123570, 0, 1795323198123570, 1795323198123570, '475da0097ee2bb94f617f9fbc65b6c74', '', 0);
INSERT INTO record VALUES (47, 1, '', 'message', 'assistant', 'msg_51', '', 'One worker: ''two'' deadlock on flock. Ключ!', '[]', '{"number":51,"conversation":"talk","source_tool":"cursor","linked":"by words"}', 0.5, 1.0, '', 'conversation:talk', 1795323226123574, 0, 1795323226123574, 1795323226123574, '108fe66f5b6f606682b7015bb50fc451', '', 0);
INSERT INTO record VALUES (48, 1, '', 'message', '', 'a message of elsewhere', '', '', '[]', '{"number":52}', 0.5, 1.0, '', '', 1795323247123577, 0, 1795323247123577, 1795323247123577, 'a6ea329d57b6481aef0dfbff00738203', '', 0);
INSERT INTO record VALUES (49, 1, '', 'todo', 'pending', '53', '', 'Write the restore drill

auf allen Servern', '[]', '{"title":"Write the restore drill","priority":3}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323268123580, 0, 1795323268123580, 1795323268123580, '45cfef4857f657dd76bda65534750427', '', 0);
INSERT INTO record VALUES (50, 1, '', 'todo', 'completed', '54', '', 'Done already', '[]', '{"title":"Done already","priority":1,"completed":1795323296123584}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323282123582, 0, 1795323282123582, 1795323296123584, '5b050ea250bcee1b91836822b09523fd', '', 0);
INSERT INTO record VALUES (51, 1, '', 'attempt', 'pass', '55', '', 'Write a retry loop', '[]', '{"code":"for pause in pauses: ..."}', 0.5, 1.0, 'e1015980573f985c11f0c4132e103a7a8f7680ec2d4ab3899b0d41b1e09e235c', 'session_1f2e01e60976', 1795323317123587, 0, 1795323317123587, 1795323317123587, 'd249ed9a00e13d90f0063962743db852', '', 0);
INSERT INTO record VALUES (52, 1, '', 'document', 'placeholder', '900', '', 'resource_900', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323331123589, 0, 1795323331123589, 1795323331123589, '3a9420bfb36a47ca1e7940d780d4e0d3', '', 0);
INSERT INTO record VALUES (53, 1, 'other/project', 'memory', 'context', '42ae04fd-9453-4a18-8baf-0b39805f7030', '', 'Stored by who holds in other/project: tills close at one', '[]', '{}', 0.5, 1.0, '4f0c2592dea12482e03c89ae490e9822393b81136ab5f7de3616564ff2b1e2a6', 'session_8fc22f0587a5', 1795323394123598, 0, 1795323394123598, 1795323415123601, '625cee087083d57475f2a4331fb492ce', '', 0);
INSERT INTO record VALUES (54, 1, 'other/project', 'entity', 'Error', 'err#ld: ''libz'' not found in /usr/lib7', 'err#ld: ''libz'' not found in /usr/lib7', 'err#ld: ''libz'' not found in /usr/lib7
{"type":"error.capture","normalizedKey":"ld: ''libz'' not found in /usr/lib7","kind":"build","message":"ld: ''libz'' not found in /usr/lib7","detector":"matrix_failure"}', '[]', '{"observations":["{\"type\":\"error.capture\",\"normalizedKey\":\"ld: ''libz'' not found in /usr/lib7\",\"kind\":\"build\",\"message\":\"ld: ''libz'' not found in /usr/lib7\",\"detector\":\"matrix_failure\"}"]}', 0.5, 1.0, '', 'session_2ffac72ee96d', 1795323457123607, 0, 1795323457123607, 1795323457123607, '2f19e21953a66eee917ef1e7fada7e53', '', 0);
INSERT INTO record VALUES (55, 1, 'other/project', 'entity', 'Fix', 'fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2', 'fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2', 'fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2
{"type":"fix.apply","strategy":"add zlib","changes":["Containerfile"],"result":"applied"}', '[]', '{"observations":["{\"type\":\"fix.apply\",\"strategy\":\"add zlib\",\"changes\":[\"Containerfile\"],\"result\":\"applied\"}"]}', 0.5, 1.0, '', 'session_2ffac72ee96d', 1795323464123608, 0, 1795323464123608, 1795323464123608, 'e9ca39dc32e30dfcaf2e99e180d0154a', '', 0);
INSERT INTO record VALUES (56, 1, 'other/project', 'failure', 'build', 'fail_211a1138', '', 'build: ld: ''libz'' not found in /usr/lib7
Cause: no zlib
Fix: add zlib', '[]', '{"errorMessage":"ld: ''libz'' not found in /usr/lib7","rootCause":"no zlib","fixApplied":"add zlib","files":["Containerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib7","fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2"],"occurrences":1}', 0.5, 1.0, 'c45429fc2ed3f7eb', 'session_2ffac72ee96d', 1795323478123610, 0, 1795323478123610, 1795323478123610, 'd9e1684647c8b444bce731a553e56ebb', '', 0);
INSERT INTO record VALUES (57, 1, 'other/project', 'file', '', 'file:Containerfile', 'Containerfile', 'Containerfile', '[]', '{}', 0.5, 1.0, '', 'session_2ffac72ee96d', 1795323485123611, 0, 1795323485123611, 1795323485123611, '2d9b483e0095a4bd6cdb7f9a5351d4db', '', 0);
INSERT INTO record VALUES (58, 1, '/srv/shop', 'memory', 'decision', '9fd6e95d-2b0d-5ce1-8f28-fc27e231709f', '', 'Let''s use SQLite instead of Redis for the cart cache.', '["decision","sqlite","redis","cache"]', '{"files":[],"language":"en","stated_by":"user","origin":"capture","trust":"untrusted","captured":"decision","client":"claude-code","session":"s6"}', 0.7, 0.5, '4891df4bddff1cead0ac2dadf9d8cb59bcdc026e223368ef786c0292a567b721', 'claude-code:s6', 1770000002000000, 0, 1770000002000000, 1770000002000000, '98cb92862848593ac9c232ec0292d674', '', 0);
INSERT INTO record VALUES (59, 1, '/srv/shop', 'memory', 'decision', '6a235cea-b3fb-573d-91a5-6e103f629a8d', '', 'I decided to keep the total as an integer number of cents because floats drift.', '["decision","integer","cents"]', '{"files":[],"language":"en","stated_by":"agent","origin":"capture","trust":"untrusted","captured":"decision","client":"claude-code","session":"s6"}', 0.6, 0.5, '66300cf536053d6702539c93622e4ef507acef5317c7988006a12fa8676815aa', 'claude-code:s6', 1770000007000000, 0, 1770000007000000, 1770000007000000, '37b4cb9f6aed9f953f40c48d771f5b61', '', 0);
INSERT INTO record VALUES (60, 1, '/srv/shop', 'memory', 'insight', '2bf84f45-cfd8-581e-af9f-d62e9037dba9', '', '`pytest tests/test_cart.py` failed: AssertionError: assert 3 == 4 at tests/test_cart.py::test_total.
Fix: in cart.py: `total = 3` -> `total = 4`. After that it passed.', '["failure","test","pytest"]', '{"error_type":"test","error_message":"AssertionError: assert 3 == 4","signature":"0bf31d9a738ea21d","fix":"in cart.py: `total = 3` -> `total = 4`.","files":["cart.py"],"command":"pytest tests/test_cart.py","places":[],"tests":["tests/test_cart.py::test_total"],"runs":1,"origin":"capture","trust":"trusted","captured":"failure","client":"claude-code","session":"s6","promoted_by":"promote","failure_id":"fail_3b5e7dbf"}', 0.6, 1.0, 'e97947643da011db1ca40a371c6ce4fc48ac3b2e95c0600d30b8d1df843dc534', 'claude-code:s6', 1770000004000000, 0, 1770000004000000, 1770000004000000, '31ca50ced9cf56e8b21e242a934a6699', '', 0);
INSERT INTO record VALUES (61, 1, '/srv/shop', 'memory', 'context', 'fe4c997c-f573-59eb-83bf-c3b533efc673', '', 'Session of 2026-02-02 02:40 to 02:40 UTC.
Asked: Let''s use SQLite instead of Redis for the cart cache. Please fix the failing test.
Edited cart.py.
Ran pytest (2 times, 1 failed, passed in the end).
Failures fixed: 1, left: 0.', '["session","sqlite","redis","cache"]', '{"started":1770000001000000,"ended":1770000008000000,"prompts":1,"edits":1,"files":["cart.py"],"commands":2,"failed":1,"searches":0,"reads":1,"failures_fixed":1,"failures_left":0,"origin":"capture","trust":"untrusted","captured":"session","client":"claude-code","session":"s6"}', 0.3, 0.5, '6e58110430ae0a3c4d17d7a4c53c9c52d35873a51f59d766bb859bea0122b490', 'claude-code:s6', 1770000001000000, 0, 1770000001000000, 1770000008000000, 'db8c4c34093b3b2f6dd2786ef7b9fa63', '', 0);
INSERT INTO record VALUES (62, 1, '', 'entity', 'Error', 'err#assertionerror: assert 3 == 4', 'err#assertionerror: assert 3 == 4', 'err#assertionerror: assert 3 == 4
{"type":"error.capture","normalizedKey":"assertionerror: assert 3 == 4","kind":"test","message":"AssertionError: assert 3 == 4","detector":"matrix_failure"}', '[]', '{"observations":["{\"type\":\"error.capture\",\"normalizedKey\":\"assertionerror: assert 3 == 4\",\"kind\":\"test\",\"message\":\"AssertionError: assert 3 == 4\",\"detector\":\"matrix_failure\"}"]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323562123622, 0, 1795323562123622, 1795323562123622, '2b5c9ff07af2c7893d657b6239235be8', '', 0);
INSERT INTO record VALUES (63, 1, '', 'entity', 'Fix', 'fix#assertionerror: assert 3 == 4#43ba63b9', 'fix#assertionerror: assert 3 == 4#43ba63b9', 'fix#assertionerror: assert 3 == 4#43ba63b9
{"type":"fix.apply","strategy":"in cart.py: `total = 3` -> `total = 4`.","changes":["cart.py"],"result":"applied"}', '[]', '{"observations":["{\"type\":\"fix.apply\",\"strategy\":\"in cart.py: `total = 3` -> `total = 4`.\",\"changes\":[\"cart.py\"],\"result\":\"applied\"}"]}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323569123623, 0, 1795323569123623, 1795323569123623, '9974f29b07923f28856bdc48e1ee802a', '', 0);
INSERT INTO record VALUES (64, 1, '/srv/shop', 'failure', 'test', 'fail_3b5e7dbf', '', 'test: AssertionError: assert 3 == 4
Cause: not told; captured when `pytest tests/test_cart.py` failed
Fix: in cart.py: `total = 3` -> `total = 4`.', '[]', '{"errorMessage":"AssertionError: assert 3 == 4","rootCause":"not told; captured when `pytest tests/test_cart.py` failed","fixApplied":"in cart.py: `total = 3` -> `total = 4`.","files":["cart.py"],"entities":["err#assertionerror: assert 3 == 4","fix#assertionerror: assert 3 == 4#43ba63b9"],"occurrences":1}', 0.5, 1.0, '0bf31d9a738ea21d', 'session_1f2e01e60976', 1795323583123625, 0, 1795323583123625, 1795323583123625, '8b86cfa5958211aa267639b3d0339d6d', '', 0);
INSERT INTO record VALUES (65, 1, '/srv/shop', 'file', '', 'file:cart.py', 'cart.py', 'cart.py', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323590123626, 0, 1795323590123626, 1795323590123626, '321aab1ea057da9ccebc3fc3a6aeb6e3', '', 0);
INSERT INTO record VALUES (66, 1, '/srv/shop', 'file', '', 'file:c/a.c', 'c/a.c', 'c/a.c', '[]', '{"file_path":"c/a.c"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '8bd814be2169d6fc596dce8f92e91f47', '', 0);
INSERT INTO record VALUES (67, 1, '/srv/shop', 'file', '', 'file:c/a.h', 'c/a.h', 'c/a.h', '[]', '{"file_path":"c/a.h"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '04570d833693ece42eecdcf9bdc5615d', '', 0);
INSERT INTO record VALUES (68, 1, '/srv/shop', 'file', '', 'file:c/b.c', 'c/b.c', 'c/b.c', '[]', '{"file_path":"c/b.c"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'ab883c05cfc80c94aeab0503e99ad26b', '', 0);
INSERT INTO record VALUES (69, 1, '/srv/shop', 'file', '', 'file:j/A.java', 'j/A.java', 'j/A.java', '[]', '{"file_path":"j/A.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'b3a0ebd3be86df2c3222bfa38c30d69f', '', 0);
INSERT INTO record VALUES (70, 1, '/srv/shop', 'file', '', 'file:j/B.java', 'j/B.java', 'j/B.java', '[]', '{"file_path":"j/B.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'd7859a7d5d5e8a7e4a28e4d7f9e1180e', '', 0);
INSERT INTO record VALUES (71, 1, '/srv/shop', 'file', '', 'file:pay/more.go', 'pay/more.go', 'pay/more.go', '[]', '{"file_path":"pay/more.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '3a2dccfdd995a3778ae684903be2cc89', '', 0);
INSERT INTO record VALUES (72, 1, '/srv/shop', 'file', '', 'file:pay/pay.go', 'pay/pay.go', 'pay/pay.go', '[]', '{"file_path":"pay/pay.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'e2456100abfebd81ef28ef0fd14ff499', '', 0);
INSERT INTO record VALUES (73, 1, '/srv/shop', 'file', '', 'file:shop/__init__.py', 'shop/__init__.py', 'shop/__init__.py', '[]', '{"file_path":"shop/__init__.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '0eb39c77542999431e1a7197f968ceda', '', 0);
INSERT INTO record VALUES (74, 1, '/srv/shop', 'file', '', 'file:shop/gone.py', 'shop/gone.py', 'shop/gone.py', '[]', '{"file_path":"shop/gone.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'c7f742e61af59d4455e929c1351c92a3', '', 0);
INSERT INTO record VALUES (75, 1, '/srv/shop', 'file', '', 'file:shop/store.py', 'shop/store.py', 'shop/store.py', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '5ca75c47b1e6f148fb7a8499fc8a053c', '', 0);
INSERT INTO record VALUES (76, 1, '/srv/shop', 'file', '', 'file:shop/use.py', 'shop/use.py', 'shop/use.py', '[]', '{"file_path":"shop/use.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '6b65add1edfb66e28ce20efde11484a2', '', 0);
INSERT INTO record VALUES (77, 1, '/srv/shop', 'file', '', 'file:src/impls.rs', 'src/impls.rs', 'src/impls.rs', '[]', '{"file_path":"src/impls.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '10848f7b0127b0cfe44672c29ec9c3d7', '', 0);
INSERT INTO record VALUES (78, 1, '/srv/shop', 'file', '', 'file:src/lib.rs', 'src/lib.rs', 'src/lib.rs', '[]', '{"file_path":"src/lib.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '7268c518f9c6674d9f43ba0550dda5b7', '', 0);
INSERT INTO record VALUES (79, 1, '/srv/shop', 'file', '', 'file:src/shape.rs', 'src/shape.rs', 'src/shape.rs', '[]', '{"file_path":"src/shape.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '0ce0639efae73a3fb51194df1be54980', '', 0);
INSERT INTO record VALUES (80, 1, '/srv/shop', 'file', '', 'file:web/cart.ts', 'web/cart.ts', 'web/cart.ts', '[]', '{"file_path":"web/cart.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '74d677d342fe35023028d587d10bdd5c', '', 0);
INSERT INTO record VALUES (81, 1, '/srv/shop', 'file', '', 'file:web/index.ts', 'web/index.ts', 'web/index.ts', '[]', '{"file_path":"web/index.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '8556ccc7eaf69a272e14c9b49a1ffb06', '', 0);
INSERT INTO record VALUES (82, 1, '/srv/shop', 'symbol', 'function', 'sym:count', 'count', 'count a c
int count(int n)
 { return n; }', '[]', '{"file_path":"c/a.c"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'da3f961a79b310389c40d7e28683e236', '', 0);
INSERT INTO record VALUES (83, 1, '/srv/shop', 'symbol', 'function', 'sym:twice', 'twice', 'twice b c
int twice(int n)
 { return count(n) + count(n); }', '[]', '{"file_path":"c/b.c"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'a02ad90fa7ad4ed14b3789f57ecff7ce', '', 0);
INSERT INTO record VALUES (84, 1, '/srv/shop', 'symbol', 'class', 'sym:j.A', 'A', 'a j
public class A
 { void run() { new B().stop(); } }', '[]', '{"file_path":"j/A.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'f25447bd1694cad0a0d3e57d78b9d045', '', 0);
INSERT INTO record VALUES (85, 1, '/srv/shop', 'symbol', 'method', 'sym:j.A.run', 'run', 'run a j
void run()
 { new B().stop(); }', '[]', '{"file_path":"j/A.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'b59637425c0e1f4fa9a3b19673e24d84', '', 0);
INSERT INTO record VALUES (86, 1, '/srv/shop', 'symbol', 'class', 'sym:j.B', 'B', 'b j
public class B
 { void stop() {} }', '[]', '{"file_path":"j/B.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '38f57691cbbb0600053445dd8a36a7b5', '', 0);
INSERT INTO record VALUES (87, 1, '/srv/shop', 'symbol', 'method', 'sym:j.B.stop', 'stop', 'stop b j
void stop()
 {}', '[]', '{"file_path":"j/B.java"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'c9878ca42d8bff34af5cb9b5d5d96719', '', 0);
INSERT INTO record VALUES (88, 1, '/srv/shop', 'symbol', 'function', 'sym:pay.All', 'All', 'all pay more
func All(c *Card)
 { c.Charge() }', '[]', '{"file_path":"pay/more.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '3d615706767ed8ce4493d494d4230425', '', 0);
INSERT INTO record VALUES (89, 1, '/srv/shop', 'symbol', 'struct', 'sym:pay.Card', 'Card', 'card pay
Card struct{}', '[]', '{"file_path":"pay/pay.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '0f6aad3b123692e802e0ebad59127fd4', '', 0);
INSERT INTO record VALUES (90, 1, '/srv/shop', 'symbol', 'method', 'sym:pay.Card.Charge', 'Charge', 'charge card pay
func (c *Card) Charge()
 { log() }', '[]', '{"file_path":"pay/pay.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '94f25f3ce73fef6ee149a0fb2a461edd', '', 0);
INSERT INTO record VALUES (91, 1, '/srv/shop', 'symbol', 'function', 'sym:pay.log', 'log', 'log pay
func log()
 {}', '[]', '{"file_path":"pay/pay.go"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'f28fdccd88fb69d380ed417c80d3cc8f', '', 0);
INSERT INTO record VALUES (92, 1, '/srv/shop', 'symbol', 'function', 'sym:shop.gone.vanish', 'vanish', 'vanish gone shop
def vanish()
: pass', '[]', '{"file_path":"shop/gone.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '8dd904c9c08f3365a8d48c155c45db6d', '', 0);
INSERT INTO record VALUES (93, 1, '/srv/shop', 'symbol', 'function', 'sym:shop.gone.remain', 'remain', 'remain gone shop
def remain()
: return 1', '[]', '{"file_path":"shop/gone.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323772123652, '65d588709317e4689355b48e4c3b9511', '', 0);
INSERT INTO record VALUES (94, 1, '/srv/shop', 'symbol', 'class', 'sym:shop.store.Base', 'Base', 'base store shop
class Base
: def load(self): return read()', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '2607945c0e7d2bd8836dff078b37eb5b', '', 0);
INSERT INTO record VALUES (95, 1, '/srv/shop', 'symbol', 'method', 'sym:shop.store.Base.load', 'load', 'load base store shop
def load(self)
: return read()', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '5cf5bedf9e83bf16715458b4dea8c267', '', 0);
INSERT INTO record VALUES (96, 1, '/srv/shop', 'symbol', 'class', 'sym:shop.store.Store', 'Store', 'store shop
class Store(Base)
: def save(self): self.load()', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '1b3cf0103aabfda9d2cdac2913050f40', '', 0);
INSERT INTO record VALUES (97, 1, '/srv/shop', 'symbol', 'method', 'sym:shop.store.Store.save', 'save', 'save store shop
def save(self)
: self.load()', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '7c6f2885ad29ab96c60f4203c10fdf2c', '', 0);
INSERT INTO record VALUES (98, 1, '/srv/shop', 'symbol', 'function', 'sym:shop.store.read', 'read', 'read store shop
def read() -> Store
: pass', '[]', '{"file_path":"shop/store.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '1d62f985e42d4f344b3a488bff9821c2', '', 0);
INSERT INTO record VALUES (99, 1, '/srv/shop', 'symbol', 'function', 'sym:shop.use.go', 'go', 'go use shop
def go()
: s = Store() s.save() read().load()', '[]', '{"file_path":"shop/use.py"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '464295ae642b4470c1b2967ff80b7fe3', '', 0);
INSERT INTO record VALUES (100, 1, '/srv/shop', 'symbol', 'method', 'sym:crate::impls::Square::area', 'area', 'area square impls crate src
fn area(&self) -> f64
 { 1.0 }', '[]', '{"file_path":"src/impls.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '856c65aca4ef7dbb503bc10b968ba8eb', '', 0);
INSERT INTO record VALUES (101, 1, '/srv/shop', 'symbol', 'interface', 'sym:crate::Area', 'Area', 'area crate lib src
pub trait Area
 { fn area(&self) -> f64; }', '[]', '{"file_path":"src/lib.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '943906c59df001df90ecebadddb8a8a2', '', 0);
INSERT INTO record VALUES (102, 1, '/srv/shop', 'symbol', 'method', 'sym:crate::Area::area', 'area', 'area crate lib src
fn area(&self) -> f64', '[]', '{"file_path":"src/lib.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'e1783a089de3d33212dc45a7936c11f1', '', 0);
INSERT INTO record VALUES (103, 1, '/srv/shop', 'symbol', 'struct', 'sym:crate::shape::Square', 'Square', 'square shape crate src
pub struct Square
 { pub a: f64 }', '[]', '{"file_path":"src/shape.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'bbb917d3d15827fb6ae48b20f2c21a6c', '', 0);
INSERT INTO record VALUES (104, 1, '/srv/shop', 'symbol', 'method', 'sym:crate::shape::Square::new', 'new', 'new square shape crate src
pub fn new() -> Square
 { side() }', '[]', '{"file_path":"src/shape.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '19a94f70a029a0e30fa5006a49e5261e', '', 0);
INSERT INTO record VALUES (105, 1, '/srv/shop', 'symbol', 'function', 'sym:crate::shape::side', 'side', 'side shape crate src
fn side() -> Square
 { todo!() }', '[]', '{"file_path":"src/shape.rs"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'e49671e00b71e2ea0ac198559b03c717', '', 0);
INSERT INTO record VALUES (106, 1, '/srv/shop', 'symbol', 'class', 'sym:web/cart.Cart', 'Cart', 'cart web
class Cart
 { add(n: number) { return total(n); } }', '[]', '{"file_path":"web/cart.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '1da5b48e352228d061899a39b66135dd', '', 0);
INSERT INTO record VALUES (107, 1, '/srv/shop', 'symbol', 'method', 'sym:web/cart.Cart.add', 'add', 'add cart web
add(n: number)
 { return total(n); }', '[]', '{"file_path":"web/cart.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '566f864790ca17b169bebad5359fc2ea', '', 0);
INSERT INTO record VALUES (108, 1, '/srv/shop', 'symbol', 'function', 'sym:web/cart.total', 'total', 'total cart web
function total(n)
 { return n; }', '[]', '{"file_path":"web/cart.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, 'd935d7afbf051f40ca0a91bfa7dd7c34', '', 0);
INSERT INTO record VALUES (109, 1, '/srv/shop', 'symbol', 'function', 'sym:web/index.start', 'start', 'start index web
function start()
 { new Cart().add(1); }', '[]', '{"file_path":"web/index.ts"}', 0.5, 1.0, '', '', 0, 0, 1795323632123632, 1795323632123632, '5c4d1cfb4750e0b74f29d1f70abc20d6', '', 0);
INSERT INTO record VALUES (110, 1, '/srv/shop', 'memory', 'decision', '0f6607c0-39db-498c-ae24-8114cb01ebf2', '', 'Store.save() calls load(), and shop/gone.py''s vanish() is what the till of the shop waits for', '[]', '{}', 0.5, 1.0, '106f344c89c19a7c9b03d507b1388dfc48aece5431a47580fee103535131938b', 'session_1f2e01e60976', 1795323660123636, 0, 1795323660123636, 1795323660123636, 'e72a187234a97c4f8e804bacf589f475', '', 0);
INSERT INTO record VALUES (111, 1, '/srv/shop', 'memory', 'pattern', '6d912be7-9f73-4a76-a218-8cfbebe92fa7', '', '`vanish` in shop/gone.py must stay: the tests stub it', '[]', '{}', 0.5, 1.0, '55568c9ddec3c5b4c51345050c7a463416d91fe0f88187c6793a5d0f759559dd', 'session_1f2e01e60976', 1795323674123638, 0, 1795323674123638, 1795323674123638, '29e11832902d68d3c65b02861d317718', '', 0);
INSERT INTO record VALUES (112, 1, '', 'solution', 'stack', 'sol_ed0439d9', '', 'Cart.add in web/cart.ts counts twice

call total() once', '["web"]', '{"problem":"Cart.add in web/cart.ts counts twice","score":0.5,"successes":0,"partials":0,"failures":0,"files":["web/cart.ts"]}', 0.5, 1.0, 'fe71bb32a38bee47291b37debf80ec999a492847b41fb20ae06c29ffee68f8ad', 'session_1f2e01e60976', 1795323688123640, 0, 1795323688123640, 1795323688123640, 'f74e5980c88c3c3c00dc7d2e4d7dc582', '', 0);
INSERT INTO record VALUES (113, 1, '', 'file', '', 'file:web/cart.ts', 'web/cart.ts', 'web/cart.ts', '[]', '{}', 0.5, 1.0, '', 'session_1f2e01e60976', 1795323695123641, 0, 1795323695123641, 1795323695123641, 'e52a2e3cf40fb7eb555b7d9b8b1d483d', '', 0);
INSERT INTO record VALUES (114, 1, '', 'memory', 'context', '5dc32519-4b78-4c47-a639-64be96b4d024', '', 'Stored after the block was sealed: zebra migrations run twice', '["late"]', '{}', 0.5, 1.0, 'ba0206777c3b053d93dccffe358f89b6f445b154f23b9c097e9dc536fa79275a', 'session_1f2e01e60976', 1795323821123659, 0, 1795323821123659, 1795323821123659, 'a2751f46368c7ffe95395597abb402a3', '', 0);
INSERT INTO record VALUES (115, 1, '/srv/team', 'memory', 'context', '4c78d178-9094-4930-a72e-7b6a8c57fa70', '', 'Schema 8 was the first that keeps many tenants apart in PostgreSQL; a file has one tenant', '[]', '{}', 0.5, 1.0, '0747762f33b089d5a3ffc0439581eef3f89540de1f5a4d7410219c75930e255b', 'session_ff63647c98c4', 1795409311541499, 0, 1795409311541499, 1795409311541499, '63ad33f9bb247f66505edfe83e66f588', '', 0);
INSERT INTO record VALUES (116, 1, '/srv/team', 'memory', 'context', 'ba283cb8-9c65-482f-89c0-257adb0f8439', '', 'Die Verbindung zum Server fällt nachts um drei aus: Wartungsfenster', '[]', '{}', 0.5, 1.0, '2122684de5aa0eca7a7fb34564b28cba073f228bc4209290205e36de7cec6045', 'session_a11978f1a161', 1795409312272420, 0, 1795409312272420, 1795409312272420, '40da3cec1d0b0ea8d2dc1275554aaa03', '', 0);
INSERT INTO record VALUES (118, 1, 'ledger', 'memory', 'context', '9a6b076c-9b22-4b4a-9de7-8fb61fe1b54f', '', 'Schema 9: exact nearest vectors of a long list are read once', '[]', '{}', 0.5, 1.0, '106623d525b32fac8aabda5d0ed511b02bafad8168d6bb339363a6b534da78af', 'session_36f66e20d807', 1795452708068101, 0, 1795452708068101, 1795452708068101, 'd9ae861a274beadd664b1bc8831e1f8e', '', 0);
INSERT INTO record VALUES (119, 1, 'ledger', 'memory', 'context', '0da78cef-e2b9-4749-b2d0-86d9e466af61', '', 'Schema 10: what a name of a project is stands beside it', '[]', '{}', 0.5, 1.0, '98c95fafec2489899e5158e31d79230bb07f5438297f6d99f44a02b35942ba11', 'session_47cfab35898e', 1795462956161489, 0, 1795462956161489, 1795462956161489, '46e09a1d4ab1d216193613f0f14c7931', '', 0);
INSERT INTO record VALUES (120, 1, '', 'entity', 'Service', 'ledger', 'ledger', 'ledger
is kept in euro
closes at six', '[]', '{"observations":["is kept in euro","closes at six"]}', 0.5, 1.0, '', 'session_5e858baa4e15', 1795462956815095, 0, 1795462956815095, 1795462958430869, 'cc4db69f635bd5bfd862cd01e6909959', '', 0);
INSERT INTO record VALUES (121, 1, 'ledger', 'memory', 'context', '87eb469b-7f0f-49a3-815d-05173274714f', '', 'Nobody ever asked for the colour of the till', '[]', '{}', 0.02, 1.0, '020f6d9f336678add2b960d2cbe06e1531a27f8b49f8fcdebc9cca6162f0b0ab', 'session_1c0596026e9c', 1795462959541416, 0, 1795462959541416, 1795462959541416, 'e63b2396bd817845ccf190b3128962c6', '', 0);
INSERT INTO record VALUES (122, 1, 'ledger', 'memory', 'context', '5b9f7ccb-75b6-4b77-acea-7f4fe7eb62c5', '', 'The till is red', '[]', '{}', 0.9, 1.0, '3a39adf6bc9666efc69724e46e47802850c410fb282dcb96899e3b4aed37ca4b', 'session_11053f0c6133', 1795462961173274, 0, 1795462961173274, 1795462961173274, '419102e1bd47caca8c823d07586c6a11', '', 0);
INSERT INTO record VALUES (124, 1, '/home/ada/shop', 'memory', 'decision', '0661c87f-eb50-4bdf-99cf-0f6aca04833f', '', 'Backups of schema eleven run at two in the morning', '["backup"]', '{}', 0.5, 1.0, '741adfaa1ec022dc28494dc3d51fbf964f319b8633f218d28bb5ecfad765a214', 'session_5f8880553b03', 1795893113356780, 1, 1795893113356780, 1795893113356780, '30cabc9873fd3cffd6368e4b34836acc', '', 0);
INSERT INTO record VALUES (125, 1, '/home/ada/shop', 'memory', 'decision', '739c6a17-5836-4222-84de-7f599b5fe7c7', '', 'Backups of schema eleven run at five in the morning, after the reports', '[]', '{}', 0.8, 1.0, 'a9fbd2c7aff9a4a5ea01ed2d2b2a853d3518938081ebabaf2e4478317faaba52', 'session_5374cff782b7', 1795893115928234, 0, 1795893115928234, 1795893120808939, '1ef10f24ba90668792fcecc3cd721c78', '', 0);
INSERT INTO record VALUES (127, 1, '', 'entity', 'Tool', 'tool:pg_dump', 'tool:pg_dump', 'tool:pg_dump
writes the backups of schema eleven', '[]', '{"observations":["writes the backups of schema eleven"]}', 0.5, 1.0, '', 'session_a5fc5b5f1bb0', 1795893127944440, 0, 1795893127944440, 1795893127944440, 'a1fab975896d104d9f3849df3fd7d3fe', '', 0);
INSERT INTO record VALUES (128, 1, '/home/ada/shop', 'memory', 'decision', 'ddd193e6-4599-46c9-a7cf-cd34beff1d30', '', 'Backups of schema twelve run at two in the morning', '["backup"]', '{}', 0.5, 1.0, '1180737d2618cde207b69b93d1845e33cb1855a00a27322e3ac2f15bb459ca5e', 'session_f4412c6af2f2', 1795902744043716, 1, 1795902744043716, 1795902744043716, '8cb72f3a4ac9d958b5756f5b1dd330ab', '', 1795902744044000);
INSERT INTO record VALUES (129, 1, '/home/ada/shop', 'memory', 'decision', 'd6ae35bd-01d6-497c-9c4b-302df8bb47c5', '', 'Backups of schema twelve run at five in the morning, after the reports', '[]', '{}', 0.8, 1.0, 'adc056c37af222db46d1a38def9425123030899dd4418c1e2c565f0a95d975e9', 'session_5df003298e73', 1795902745076279, 0, 1795902745076279, 1795902747840342, 'cca245d2c4a0a5c23b5380268218168f', '', 1795902745076000);
INSERT INTO record VALUES (131, 1, '', 'memory', 'context', '32b83313-bc12-4e5d-affc-a78858114ad9', '', 'Deploys need the VPN', '[]', '{"pinned":true}', 0.5, 1.0, '8e998c433bd4a200f6acb8833bb83fc60f997408092908ba3ec488d5f1847028', 'session_05a53c5746c7', 1795932303159361, 0, 1795932303159361, 1795932303159361, '8b0024dcc77232ba0be74fd29566c92e', '', 1795932303160000);
INSERT INTO record VALUES (132, 1, '', 'memory', 'context', '4d6b09d9-6db1-4567-a3f6-cc8849ce56b6', '', 'The freeze lasts until April', '[]', '{"expires_at":"2126-04-01T00:00:00.000000Z"}', 0.5, 1.0, '5fccefd4f640b1eeaf5431dfdc27b684296db84543ea20ec60900bc1a48570e7', 'session_10833096e84a', 1795932303802299, 0, 1795932303802299, 1795932303802299, '4f96ac7d03cd00ba15bf51bef1966498', '', 1795932303802000);
INSERT INTO record VALUES (133, 1, '', 'memory', 'context', '9783c190-d599-4c0e-bc05-c97527dbed4d', '', 'The office is in Lyon', '[]', '{"valid_from":"2020-01-01T00:00:00.000000Z","valid_to":"2099-01-01T00:00:00.000000Z"}', 0.5, 1.0, '6e3ffd64b276b06286d23b53e86dec5d633cbd0ef3a58fcc97e657dc8681be0e', 'session_9b597e7e8cf4', 1795932304528052, 0, 1795932304528052, 1795932304528052, '4112bb2507f679cbad765b00a3991a82', '', 1795932304528000);
INSERT INTO record VALUES (134, 1, '/srv/other', 'memory', 'context', 'ac5ef574-6894-484e-9429-0621fa2b077c', '', 'The bastion listens on port 2200', '[]', '{}', 0.5, 1.0, '715dcb68ebe7c57e3b54a0f12083ad2fbae5693bb43e395dfeb31ca189a67081', 'session_cb51eb12dc10', 1796026971231445, 0, 1796026971231445, 1796026973307469, '1130f4c5e664cfd7a8723eaf0e0229dc', '', 1796026971231000);
INSERT INTO record VALUES (135, 1, '/home/dev/schema', 'memory', 'insight', '17fb6889-b7f5-4742-8b67-2c2b5d45725c', '', 'Schema fifteen keeps what a record was once, in its versions; the trash names the version', '["schema"]', '{}', 0.5, 1.0, '682ae09e5bcf803d52f19f6a60a94ccae0d506078bf266e87dd961d98df29174', 'session_4ccd976bcb55', 1796052457724253, 0, 1796052457724253, 1796052457819483, '7dbb5939af37d224b116c2b895cef9b1', '', 1796052457724000);
INSERT INTO record VALUES (136, 1, '/home/dev/schema', 'memory', 'decision', '1c7b21f3-1c44-4046-a351-b74c419827d9', '', 'Tarballs for the archive are signed with the release key of autumn', '[]', '{}', 0.5, 1.0, '8a70a3a085f773aa0343cee4425e52e7559b9c24242508068ebb4bd9a6fbeff7', 'session_4ccd976bcb55', 1796052457790026, 0, 1796052457790026, 1796052457827726, '19a3c0c93ce867b8e32202638d0c7b8a', '', 1796052457790000);
INSERT INTO edge VALUES (1, 1, 1, 5, 'LEADS_TO', 'LEADS_TO', 0.9, '{}', 1795322589123483, 'e20ab74b079881aa3a3e1c5fda7ea3be', '', 0);
INSERT INTO edge VALUES (2, 1, 9, 8, 'SUPERSEDES', 'SUPERSEDES', 1.0, '{}', 1795322603123485, '19ac408d2e2c5f5435217d3454e972af', '', 0);
INSERT INTO edge VALUES (3, 1, 8, 9, 'REINFORCES', 'REINFORCES', 0.25, '{}', 1795322617123487, '798d0155e92f532dc6110730f0898d08', '', 0);
INSERT INTO edge VALUES (6, 1, 23, 19, 'PART_OF', 'PART_OF', 1.0, '{}', 1795322722123502, 'a3accd3c015c77fe8e658516798f0600', '', 0);
INSERT INTO edge VALUES (7, 1, 25, 14, 'DERIVED_FROM', 'DERIVED_FROM', 0.5, '{"by":"import"}', 1738555506789000, '6f616d947b6b4eb3091fde6dd5d63022', '', 0);
INSERT INTO edge VALUES (9, 1, 35, 36, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795322974123538, 'c6f8dc151825c52379f2de477693e3a2', '', 0);
INSERT INTO edge VALUES (10, 1, 38, 37, 'RESOLVES', 'RESOLVES', 1.0, '{}', 1795323030123546, 'abc9edd5e5cd16061a328a44588830fe', '', 0);
INSERT INTO edge VALUES (11, 1, 39, 40, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323044123548, 'f40dc60b52fd10241280f21713681986', '', 0);
INSERT INTO edge VALUES (14, 1, 41, 42, 'knew', 'KNEW', 1.0, '{}', 1795323121123559, 'e0ecaff87e8a4a9d98a7134610e50956', '', 0);
INSERT INTO edge VALUES (15, 1, 2, 45, 'EVOLVED_INTO', 'EVOLVED_INTO', 1.0, '{}', 1795323184123568, 'eac266307d0178bbba7f87db4949ba3b', '', 0);
INSERT INTO edge VALUES (16, 1, 46, 28, 'REFERENCES', 'REFERENCES', 0.7631638001878762, '{}', 1795323212123572, '700d587ef95c7e185b4f1930005021dc', '', 0);
INSERT INTO edge VALUES (17, 1, 48, 28, 'REFERENCES', 'REFERENCES', 1.0, '{}', 1795323254123578, '72738f6f9a475f3e7faa605772283477', '', 0);
INSERT INTO edge VALUES (18, 1, 27, 52, 'depends_on', 'DEPENDS_ON', 1.0, '{}', 1795323338123590, 'ba131361ef437e8cf94c5ea4a742b551', '', 0);
INSERT INTO edge VALUES (19, 1, 55, 54, 'RESOLVES', 'RESOLVES', 1.0, '{}', 1795323471123609, '1b019b696873957e0ec7662928bcf87e', '', 0);
INSERT INTO edge VALUES (20, 1, 56, 57, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323485123611, 'd0ce4012b3d5e9bac84efa13cf501e72', '', 0);
INSERT INTO edge VALUES (21, 1, 63, 62, 'RESOLVES', 'RESOLVES', 1.0, '{}', 1795323576123624, 'b342b1f34c0c4454c657e3a46d8bab88', '', 0);
INSERT INTO edge VALUES (22, 1, 64, 65, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323590123626, '65f2cb69149fa0bc34e65629241f4768', '', 0);
INSERT INTO edge VALUES (23, 1, 66, 82, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '4bcd2018dba82d1f37ba222485938c5e', '', 0);
INSERT INTO edge VALUES (24, 1, 66, 67, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":1,"count":1}', 1795323639123633, '7d082dc9abbbf70f554ccc3111e67a57', '', 0);
INSERT INTO edge VALUES (25, 1, 68, 83, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'a996b310508f371622870148cb172e75', '', 0);
INSERT INTO edge VALUES (26, 1, 68, 67, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":1,"count":1}', 1795323639123633, 'ccb77987c4398e1c6af0b32eafe19ef4', '', 0);
INSERT INTO edge VALUES (27, 1, 83, 82, 'CALLS', 'CALLS', 0.9, '{"origin":"index","line":2,"count":2}', 1795323639123633, '4814009fd25b1183dfaa40bb2820b6b4', '', 0);
INSERT INTO edge VALUES (28, 1, 69, 84, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '9946f5794187ba7d2ffe46f82cdd1412', '', 0);
INSERT INTO edge VALUES (29, 1, 84, 85, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'c6dfe17dea41c6318ab6611c3aef0fac', '', 0);
INSERT INTO edge VALUES (30, 1, 85, 86, 'CALLS', 'CALLS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, '148dcf335dec75290aec55ff7c978788', '', 0);
INSERT INTO edge VALUES (31, 1, 85, 87, 'CALLS', 'CALLS', 0.85, '{"origin":"index","line":2,"count":1}', 1795323639123633, '85f5a4bada560463e5d4ffc85dff0bc0', '', 0);
INSERT INTO edge VALUES (32, 1, 70, 86, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'c1f192941368507246830c42d83e38fa', '', 0);
INSERT INTO edge VALUES (33, 1, 86, 87, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '93e73af98c9aefabc9d15a75f9b23591', '', 0);
INSERT INTO edge VALUES (34, 1, 71, 88, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '10be84cf6c5f69bff6ebcc16de2d2567', '', 0);
INSERT INTO edge VALUES (35, 1, 88, 90, 'CALLS', 'CALLS', 0.85, '{"origin":"index","line":3,"count":1}', 1795323639123633, '9e106aa4972743355a45a1f8cc15b354', '', 0);
INSERT INTO edge VALUES (36, 1, 72, 89, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '89e1de90195149724507ec0811db51e9', '', 0);
INSERT INTO edge VALUES (37, 1, 89, 90, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '0535aeae440b2ab4d2ffe7634ccda745', '', 0);
INSERT INTO edge VALUES (38, 1, 72, 91, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '195fee4a74ae9ca65e7977d355718678', '', 0);
INSERT INTO edge VALUES (39, 1, 90, 91, 'CALLS', 'CALLS', 1.0, '{"origin":"index","line":5,"count":1}', 1795323639123633, '042d78c81d3b67e02feb2516343281e7', '', 0);
INSERT INTO edge VALUES (40, 1, 73, 96, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":1,"count":1}', 1795323639123633, '0f0b0ef23ca320dbff8273609fdaf0fc', '', 0);
INSERT INTO edge VALUES (42, 1, 74, 93, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'f2658f629091ff6072a76fffad66c250', '', 0);
INSERT INTO edge VALUES (43, 1, 75, 94, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'b239e1e70e792ec1fed070d0da5597d4', '', 0);
INSERT INTO edge VALUES (44, 1, 94, 95, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'd0ee82772d3797ec04e3d74af33be150', '', 0);
INSERT INTO edge VALUES (45, 1, 75, 96, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'a4ff99a055f9683da993650ff98a1667', '', 0);
INSERT INTO edge VALUES (46, 1, 96, 97, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '3fd51ecafd7fdf82f1dd93f2f3759d8e', '', 0);
INSERT INTO edge VALUES (47, 1, 75, 98, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '143e19c2f29efe14fb5e2c023c775339', '', 0);
INSERT INTO edge VALUES (48, 1, 95, 98, 'CALLS', 'CALLS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, '939b225b0a2353bec9c4421170f62acd', '', 0);
INSERT INTO edge VALUES (49, 1, 96, 94, 'INHERITS', 'INHERITS', 1.0, '{"origin":"index","line":4,"count":1}', 1795323639123633, '54e6a9a712a289f698d25f58607b2fba', '', 0);
INSERT INTO edge VALUES (50, 1, 97, 95, 'CALLS', 'CALLS', 0.9, '{"origin":"index","line":5,"count":1}', 1795323639123633, '2e4ef69440738cc3d5ab6a731bc1620e', '', 0);
INSERT INTO edge VALUES (51, 1, 76, 99, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'b90218e4f66bdae433f8fd56187c407e', '', 0);
INSERT INTO edge VALUES (52, 1, 76, 96, 'IMPORTS', 'IMPORTS', 0.95, '{"origin":"index","line":1,"count":1}', 1795323639123633, '37005d0764ab314558a4b8de7d79245a', '', 0);
INSERT INTO edge VALUES (53, 1, 76, 98, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, 'b5ce3f1c8b0a3808da1f4e4f5bb4ad73', '', 0);
INSERT INTO edge VALUES (54, 1, 99, 96, 'CALLS', 'CALLS', 0.95, '{"origin":"index","line":5,"count":1}', 1795323639123633, '91ec607f79a1f76b52c6c377697f0451', '', 0);
INSERT INTO edge VALUES (55, 1, 99, 97, 'CALLS', 'CALLS', 0.85, '{"origin":"index","line":6,"count":1}', 1795323639123633, 'a99423b1443adaff895535df8418605a', '', 0);
INSERT INTO edge VALUES (56, 1, 99, 95, 'CALLS', 'CALLS', 0.75, '{"origin":"index","line":7,"count":1}', 1795323639123633, 'a351d98e9f2f616e3e17ad21b107ed52', '', 0);
INSERT INTO edge VALUES (57, 1, 99, 98, 'CALLS', 'CALLS', 0.95, '{"origin":"index","line":7,"count":1}', 1795323639123633, '3c13eb2f7e5292871f7aacfc34b21b90', '', 0);
INSERT INTO edge VALUES (58, 1, 77, 100, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '63815acebf14480503177a7301f67523', '', 0);
INSERT INTO edge VALUES (59, 1, 77, 103, 'IMPORTS', 'IMPORTS', 0.95, '{"origin":"index","line":1,"count":1}', 1795323639123633, '66a546e5f6bbe18d507bffb21f139b0e', '', 0);
INSERT INTO edge VALUES (60, 1, 77, 101, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, 'db3250357118c084e2d7b958fc7d2937', '', 0);
INSERT INTO edge VALUES (61, 1, 78, 101, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '2c0b6b890bce36644ae8b2059afb5afa', '', 0);
INSERT INTO edge VALUES (62, 1, 101, 102, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '4dee33aa17699f636521a44ff34a334e', '', 0);
INSERT INTO edge VALUES (63, 1, 78, 79, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":1,"count":1}', 1795323639123633, 'd3a4da905f8264afb188b2c8e5be8b9e', '', 0);
INSERT INTO edge VALUES (64, 1, 79, 103, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'b7ec443343f40c5873c0368c3024fca0', '', 0);
INSERT INTO edge VALUES (65, 1, 103, 104, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '06d929c564a66684afd1fc0e7cee01ab', '', 0);
INSERT INTO edge VALUES (66, 1, 79, 105, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '6889de5976e8d25e23b12dfb428446cf', '', 0);
INSERT INTO edge VALUES (67, 1, 104, 105, 'CALLS', 'CALLS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, '874373569fe2c856f862e2cdee697e95', '', 0);
INSERT INTO edge VALUES (68, 1, 80, 106, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'aa2931bcb8617c6715a23659d9b6609c', '', 0);
INSERT INTO edge VALUES (69, 1, 106, 107, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'c355e6a17ed667323ed94e889fca3c5a', '', 0);
INSERT INTO edge VALUES (70, 1, 80, 108, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, '7357025561077911a6fb8205325c82c0', '', 0);
INSERT INTO edge VALUES (71, 1, 107, 108, 'CALLS', 'CALLS', 1.0, '{"origin":"index","line":2,"count":1}', 1795323639123633, '7755a1247ec72eb3c56bb7f10808e348', '', 0);
INSERT INTO edge VALUES (72, 1, 81, 109, 'CONTAINS', 'CONTAINS', 1.0, '{"origin":"index"}', 1795323639123633, 'efd2b843c134ce9ec6a62447193223a2', '', 0);
INSERT INTO edge VALUES (73, 1, 81, 106, 'IMPORTS', 'IMPORTS', 1.0, '{"origin":"index","line":1,"count":1}', 1795323639123633, '74325964bda9a8ec1a087823e8d7343c', '', 0);
INSERT INTO edge VALUES (74, 1, 109, 107, 'CALLS', 'CALLS', 0.85, '{"origin":"index","line":2,"count":1}', 1795323639123633, '231366324e0f331cbe9d8a93935fee60', '', 0);
INSERT INTO edge VALUES (75, 1, 109, 106, 'CALLS', 'CALLS', 0.95, '{"origin":"index","line":2,"count":1}', 1795323639123633, 'fd6fc5edf8c13cd411f6d6ecd171fee0', '', 0);
INSERT INTO edge VALUES (76, 1, 103, 101, 'IMPLEMENTS', 'IMPLEMENTS', 0.95, '{"origin":"index","line":3,"count":1}', 1795323646123634, '38aff589bce5722b84ab2b9f0f5daa0b', '', 0);
INSERT INTO edge VALUES (77, 1, 112, 113, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323695123641, 'e3cf4dbc5e1f9a2bb13843465361035a', '', 0);
INSERT INTO edge VALUES (78, 1, 110, 74, 'EXPLAINS', 'EXPLAINS', 1.0, '{"origin":"mention","name":"shop/gone.py"}', 1795323716123644, '2c5f097e2c2528a09eafdec7358c5bf7', '', 0);
INSERT INTO edge VALUES (79, 1, 110, 97, 'EXPLAINS', 'EXPLAINS', 0.9, '{"origin":"mention","name":"Store.save"}', 1795323723123645, 'ea15593ca57f1c0969d52d838c0a3cb2', '', 0);
INSERT INTO edge VALUES (80, 1, 110, 95, 'EXPLAINS', 'EXPLAINS', 0.6, '{"origin":"mention","name":"load"}', 1795323730123646, '28a0dcb022195d1b41001bbaa432373c', '', 0);
INSERT INTO edge VALUES (81, 1, 110, 92, 'EXPLAINS', 'EXPLAINS', 0.6, '{"origin":"mention","name":"vanish","stale":true}', 1795323737123647, 'dfde9ab704993b4241acf512ed0f40c3', '', 0);
INSERT INTO edge VALUES (82, 1, 111, 74, 'EXPLAINS', 'EXPLAINS', 1.0, '{"origin":"mention","name":"shop/gone.py"}', 1795323744123648, '6c80eaa87d7d62a1741c21efad7abf54', '', 0);
INSERT INTO edge VALUES (83, 1, 111, 92, 'EXPLAINS', 'EXPLAINS', 0.9, '{"origin":"mention","name":"vanish","stale":true}', 1795323751123649, 'b45bb2ac8a92264f1651bdb106d16673', '', 0);
INSERT INTO edge VALUES (85, 1, 115, 116, 'LEADS_TO', 'LEADS_TO', 1.0, '{}', 1795409314130183, 'c52e7a2cc6aa91d5cb49ec2fdc052406', '', 0);
INSERT INTO edge VALUES (86, 1, 121, 122, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795462962174615, '81e384937fe86b98d0be3c35da827170', '', 0);
INSERT INTO edge VALUES (88, 1, 125, 124, 'SUPERSEDES', 'SUPERSEDES', 1.0, '{}', 1795893118516155, '9aed406a16133ebc3ea916857499e868', '', 0);
INSERT INTO edge VALUES (90, 1, 129, 128, 'SUPERSEDES', 'SUPERSEDES', 1.0, '{}', 1795902746328413, 'fdd37ac7a8e30ca97a1a5d1783d689ef', '', 1795902746328000);
INSERT INTO edge VALUES (93, 1, 135, 136, 'RELATES_TO', 'RELATES_TO', 0.5, '{}', 1796052457847069, '1911930c12c1d0a492829c2bd6b140d1', '', 1796052457847000);
INSERT INTO terms VALUES (1, 1, 1, 15, X'772119120BCF0E1B6284093197E2EA3C60A70A5E4BCCB194C4E6779934778EA2294574AB0FD805AD59A3FCB41FA6E0C4C4D287D7A08232E16118FAF2010101010101010101010101010101');
INSERT INTO terms VALUES (1, 2, 1, 11, X'E99D492EC9B5183A97E2EA3C2AC59B3FFA835F7F4BCCB194C4E677997396C3AD59A3FCB41FA6E0C4C4D287D74040404040404040404040');
INSERT INTO terms VALUES (2, 1, 1, 14, X'C829B6096185932544CEFC2C2142332F67F3673BE66D453C492B278634778EA2EBEFD9C8446CF4E643BEB7E8381BB6F33E8B2BF9F8E0D8FB0101010101010101010101010101');
INSERT INTO terms VALUES (2, 2, 1, 13, X'C829B609141188142142332FE66D453CE2C49959EEBE596A1D03479E34778EA2EBEFD9C843BEB7E8381BB6F33E8B2BF9F8E0D8FB40404040404040404040404040');
INSERT INTO terms VALUES (3, 1, 1, 9, X'5EEC5B051A96AF0CA8F8E31D017AEF3465E0B94C24EB2A68B3B9529A15748CB3E5A28EC6010101010101010101');
INSERT INTO terms VALUES (3, 2, 1, 9, X'5EEC5B051A96AF0C017AEF344C4BCA3865E0B94C3BF0AF93CA12C699B3B9529AE5A28EC6404040404040404040');
INSERT INTO terms VALUES (4, 1, 1, 39, X'3FE38E065BF3391B1A454F218A173A27847A202A7E16C82C98A01430F9AEFA30EDFA6C3681647937E06A9737E7531B451F5FA75D001B1561E68F8865DA74F56535F6C16E017BB171C2C93F799CF9FB7CC4839C86F76C5C9066ECC09520FBFC9D8294AFA527EF44B4A01446B829825EB9188DEDC25131C0CC835798CD99D607DE0A46EDEFAB14B9F32A7918F68EB8D9FDE87B9AFE01010101010101020101010101010101010101010201010101010101010101010101010101');
INSERT INTO terms VALUES (4, 2, 1, 4, X'AB10F03CCD7EFE55A10C7A96C1B69AE740404040');
INSERT INTO terms VALUES (5, 1, 1, 13, X'14BF8C35EF99284F8DC24C5FC1A8726ECF00907FA2B14487B20D78970F3F9EA7F6B414D165E56BD7F80975EF347A15FF010101010101020101010101');
INSERT INTO terms VALUES (5, 2, 1, 8, X'9CBC7618DB871F1C968C014FCF00907FA54C168B94F1EFA8F80975EF3018ABF44040404040404040');
INSERT INTO terms VALUES (6, 1, 1, 6, X'0C88B83BAD2ED44E34A8106913EA4575F1866C7A9C20D1DF010101010101');
INSERT INTO terms VALUES (7, 1, 1, 12, X'C829B609668ACA11E66D453C2173863C97E2EA3C42D2CB3FE2319B76F1866C7A637FFD7F62BFB29F0A5BDCE10101010101010101020101');
INSERT INTO terms VALUES (7, 2, 1, 11, X'C829B609E66D453C97E2EA3C42D2CB3F148F4F47BF211F56E2319B76F1866C7A637FFD7F62B42AC00A5BDCE14040404040404040404040');
INSERT INTO terms VALUES (8, 1, 1, 9, X'E66D453CE5D45D3FAE083C79FA383B92569368B6E2D1CACAC4D287D79469C5E50101010201010101');
INSERT INTO terms VALUES (8, 2, 1, 7, X'E66D453C31EFF446569368B61C7D51C405C5D2CDC4D287D79469C5E540404040404040');
INSERT INTO terms VALUES (9, 1, 1, 10, X'0A560D30E66D453CAE083C79FA383B92569368B6A322C3D2C4D287D79469C5E5FCF8F2E6010101020101010101');
INSERT INTO terms VALUES (9, 2, 1, 8, X'129E3F0FE66D453C82ABAC4331EFF446569368B6C4D287D79469C5E560AF37EC4040404040404040');
INSERT INTO terms VALUES (10, 1, 1, 8, X'668ACA111F28AA670C43E373F1866C7A6C5274946DD5C3C6F6B414D101010101010102');
INSERT INTO terms VALUES (10, 2, 1, 8, X'668ACA1165142C241F28AA67F1866C7A6C52749450A2B8CAF6B414D19C242AD24040404040404040');
INSERT INTO terms VALUES (12, 1, 1, 5, X'A7DD151B595F4F4494967C468C9D53A843BEB7E80101010101');
INSERT INTO terms VALUES (12, 2, 1, 5, X'A7DD151B94967C466BC621838C9D53A843BEB7E84040404040');
INSERT INTO terms VALUES (13, 1, 1, 96, X'FAA16D076D9BF507668ACA1120B60A1468A9973BE66D453C13AC8E3C5F7A6B7DDDF9E48B674157981DCE4E9D34778EA214FABDCF43BEB7E8010901090109090901090912010A');
INSERT INTO terms VALUES (13, 2, 1, 15, X'FAA16D076D9BF507668ACA118098C22F68A9973BE66D453CE883E864769B307379008C9FACF9CCC1B16C40C814FABDCF10A9A0DB14E8A7E043BEB7E8404040404040404040404040404040');
INSERT INTO terms VALUES (14, 1, 1, 7, X'E66D453CE2319B76414E448962BFB29F0A5BDCE10722F9E743BEB7E801010101010101');
INSERT INTO terms VALUES (14, 2, 1, 7, X'E66D453CE2319B76414E448962BFB29F0A5BDCE10722F9E743BEB7E840404040404040');
INSERT INTO terms VALUES (15, 1, 1, 7, X'E66D453CE2319B76414E448962BFB29F0A5BDCE10722F9E743BEB7E801010101010101');
INSERT INTO terms VALUES (15, 2, 1, 7, X'E66D453CE2319B76414E448962BFB29F0A5BDCE10722F9E743BEB7E840404040404040');
INSERT INTO terms VALUES (16, 1, 1, 5, X'71BCDD5D1145B06AE2319B760A5BDCE171D7DBF60101010101');
INSERT INTO terms VALUES (16, 2, 1, 3, X'42ACFA33E2319B760A5BDCE1404040');
INSERT INTO terms VALUES (17, 1, 1, 5, X'71BCDD5D1145B06AE2319B760A5BDCE171D7DBF60101010101');
INSERT INTO terms VALUES (17, 2, 1, 3, X'42ACFA33E2319B760A5BDCE1404040');
INSERT INTO terms VALUES (18, 1, 1, 7, X'44CEFC2CEB041C39E66D453C6047FA590E9B8F877A58EBBB010102010101');
INSERT INTO terms VALUES (18, 2, 1, 5, X'E66D453C0E9B8F871D03479E7A58EBBBAE5D3BD84040404040');
INSERT INTO terms VALUES (19, 5, 1, 3, X'91A23F478D244460637FFD7F010101');
INSERT INTO terms VALUES (20, 1, 1, 7, X'FAA16D07E66D453C0F37D7715F7A6B7D637FFD7F0102020101');
INSERT INTO terms VALUES (20, 2, 1, 5, X'FAA16D07E66D453C0F37D7715F7A6B7D637FFD7F4040404040');
INSERT INTO terms VALUES (21, 1, 1, 2, X'14FABDCF54A255DB0101');
INSERT INTO terms VALUES (22, 1, 1, 2, X'14FABDCF54A255DB0101');
INSERT INTO terms VALUES (23, 5, 1, 10, X'61E1C40C7B6EDD372173863CF1866C7AE583EE7DCF00907F637FFD7F62BFB29F6232E6BA010102010101010101');
INSERT INTO terms VALUES (23, 6, 1, 9, X'61E1C40C1E79AA1FF1866C7A62BFB29FBB5592A06232E6BA7F3713CBD1BAEEDC36FCAFF4404040404040404040');
INSERT INTO terms VALUES (24, 5, 1, 5, X'E583EE7D60E8967F3F7771E9F8E0D8FB01020101');
INSERT INTO terms VALUES (25, 1, 1, 8, X'970FDA11487DEF2CE66D453C0687D06D5F7A6B7D1DCE4E9DC4D287D7F8E0D8FB0101010101010101');
INSERT INTO terms VALUES (25, 2, 1, 7, X'5AEFF70FE66D453CE03E89A1210123A6C4D287D714E8A7E0F8E0D8FB40404040404040');
INSERT INTO terms VALUES (26, 1, 1, 9, X'2A47FC14E66D453C97E2EA3C42D2CB3F674157981DCE4E9D34778EA284772FC49F6833F4010101010101010101');
INSERT INTO terms VALUES (26, 2, 1, 9, X'E66D453C97E2EA3C42D2CB3FB9363C906741579834778EA284772FC4AE03A1CF9F6833F4404040404040404040');
INSERT INTO terms VALUES (27, 1, 1, 2, X'0F37D77154A255DB0101');
INSERT INTO terms VALUES (28, 1, 1, 206, X'53C847160DBED51A147AB81D7E654920CC666D2402D43A2BFAA52B2FEDA4BB2FF2A15D318EE2C033AF201638E66D453C2173863C97E2EA3C26105E3D42D2CB3F0DCF65402C0DB34BCD44534F4F4BC857B1BA9E5A6E891E5C9CD2E16001139F643CFD576A824ABF6A9B8ED26D0F37D771F1866C7A637FFD7FB7EFDC83AE2BB1840E9B8F878F9C7488C8DE8B8C8567078DECDA0F9462BFB29FE1255DA134778EA22784F4B14AFF51BC6C9B41C47CE660CF77155AD654A255DB6FF7AAE70722F9E72D7307F0A88D88F0381BB6F321DFDBF4135700FA0CB1D1FBC5F62DFD01030301010D01011A0101010101010101010301010101011A030303010103030D010103010E030D0101010D0301010D01010303030101');
INSERT INTO terms VALUES (28, 2, 1, 58, X'276E4005A798290B04BF080DE8C4AE1226F26313458E1314D3BD0319C7EC252602D43A2BE43D6D2EF2A15D318358EA32A50C763739202738C9B5183AE66D453C97E2EA3C86DD3E3F42D2CB3FC329494281C26145BF211F56309647578218525BCE9EE65CE7C29E64007A64693CFD576AFF9E6570414B7F700F37D7713242E9751F7A6F76F1866C7AA6F3857D637FFD7F2C1B6A870E9B8F87CBA3908A8A928B93EB2CB9976D2A719E62BFB29F86EF1AA4EF4847AC8950F7ADAE795CB5C9B39DBDC85C63C0EB8D2BC87CE660CFAABC30D15CA2F2D4896D78D928DE06E30722F9E70B0F4EEB69EF1DFA40404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (29, 1, 1, 243, X'8F3E1D0069ACE000486E360BC328210F9B5D36129827791381E31414CE8F671A0AEA9B1C7E65492002D43A2BF2A15D316A0662325B74543842B0393F0DCF6540D4803E48CD44534F6E891E5C17D313630E177E64A805E8643CFD576A89C73E6F0F37D771EA814573AE5EA2830E9B8F877959358A2276708A3BB21D8DD769C78D8F1CD0905F32679362BFB29F34778EA2F8E130A6EFD849A9880261AA263293ADD3AD86AF491082B0AE6933B3550B32B968D254BBCA3D27C37CE660CF6ED137D188B98AD4459D81D854A255DBA97B5CDFEFC98DE40722F9E74E357CEC2D7307F0AD821AFAB44677FD01010101010303010101102001030301030301030301200102010110010303010101101003010101030101010101100301030101011001010303');
INSERT INTO terms VALUES (29, 2, 1, 59, X'7EE91303276E40057ED00607C0D6BA0881E7A11126F2631339A89D1B665F5B1C3FE11D1E02D43A2BBD832B2CF2A15D31A1957A32FCB23035C9B5183AB9464748E0F8014A2E698F4DF8775C51A1C91A533096475723AB2C617A156A633CFD576A0F37D771629A37783B24717AFFFF15870E9B8F875674648D0FCA228F17457F944EFB3996560B1C9CC3CD4D9DE100DD9D62BFB29FCC990FA4952749A68DA814BDD41652BF91E225C2AF7F89C97CE660CF4EF18BD05F35C6D0E83E07D15CA2F2D4D0D33EDB4C31B8E2ECB7B4E60722F9E752B108E90B0F4EEB138013F04A3E55F27003E0F81E1462FBAD86AFFF4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (30, 1, 1, 183, X'4654A607D916620AC0D20F0D81E31414CC666D24B70FF22702D43A2BEDA4BB2FF2A15D318EE2C033AF201638EF7AE53A0DCF65402C0DB34B4F4BC8576E891E5C3CFD576A0F37D77156E2087A4F26657D10FEAB84823BF7860E9B8F878F9C748863476B937A830694ECDA0F94C38A8D9C51CFB09D62BFB29F34778EA27360A3A6880261AA2B15B4BBFB3BC0BE7CE660CF54A255DBECB301E341F97FE3F5776CE491D70BE66FF7AAE70722F9E7E2EEAAF286CEACF30CB1D1FB0103030301010C0118010101010101011802030303010C0103030101030C0C010101010C0103010301010C010301');
INSERT INTO terms VALUES (30, 2, 1, 47, X'7EE9130349BAC4069968FC0AEF33251226F26313D859E713088BDF1F8800702902D43A2B8AE9E92DF2A15D31CBD8F234C9B5183A8E2C85493BCEDD4CCF1D9E504D7FA8626B2B34673CFD576A0F37D7713B24717A0C4EB37B9FC1627F0E9B8F87611EA68C17457F94202FBD9562BFB29FA24D8BA7D4AA2CAE4E57F8B5E37C90BEA688E7C3C1680BCA7CE660CFFD9955D05CA2F2D4E7B9FCDA918DE2E1EE9D2BE25996EAE3B509F2E40722F9E765DBCAE824EAD1F1C3522BFCF438E9FD4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (31, 1, 1, 243, X'69ACE000486E360B0AEA9B1C7796C61F02D43A2BC9813F2BF2A15D3188B02432917449350DCF654007444E421E8023456E891E5C5FB1385C92BF7D60A805E8643CFD576A89C73E6F0F37D771EA814573AE5EA2830E9B8F87D9045B8D81714C9051CFB09D62BFB29F34778EA20069F6A532E12DAB2B2540AC285F0FAD491082B073D036B25B66AEB968D254BBA70B19C2CA3D27C3E5E031C53BB3F3CD7CE660CF9659F1D213B5FED288B98AD47A0289D7BD1547DB81604BDB54A255DBA4D12ADCA97B5CDF56504DE20722F9E7C7FFB7EAD32CCAEA4E357CEC2D7307F0E2EEAAF28B59DDF7703B1FFB01010101100320030301030301030101200102010110010103101003030301010301010101030110030101010301010301011003010101010101');
INSERT INTO terms VALUES (31, 2, 1, 59, X'FBC64902CCAC8B03AE023E0B2B14710EEF33251226F263136A256A178D9D901ABAF7521B74A5DA1C1AB2581F0FFFA6283895642902D43A2B67A1A42E79A47F30F2A15D314ECEBD31C9B5183A0B3ACA4C4E92DD50F9991C514A0BD155FF3A3062053CB664C869E7673CFD576A0F37D771B87BBE7AA97CF57A8958FC7E0E9B8F87E408E989A539F2909F04479A62BFB29F275BC4A22EACAAA8D4AA2CAE69ED24B0666ADFBB239EA8C614F46AC77CE660CF5CA2F2D4CB24C2D555C571DE62AFB3DF07757FE0826330E50722F9E7D7A747ECE0CD85EDA1FC9EF496965CF5464464F9C3522BFCB90CBBFE2CCAEAFF4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (32, 1, 1, 108, X'CC666D245BC4022A02D43A2BD045522CEDA4BB2FF2A15D310DCF65402C0DB34B4F4BC8574675555B5FB1385C3CFD576A0F37D7710E9B8F8777346A8CECDA0F94040DCB9862BFB29F34778EA2AD2388A56A145BB5F5569FB84158EDBCFC245CC2D768EACB7CE660CF54A255DB56504DE20722F9E717E137F80CB1D1FB01010703010E01010103030E02070101010707010301030303070101070101');
INSERT INTO terms VALUES (32, 2, 1, 32, X'1C7EB30F26F263135D4FA816BAF7521BD609491C02D43A2BAB1AB52DC50D372EF2A15D31C9B5183A18D418483C50084D7D611354FF3A30624831F163FF0325663CFD576A0F37D771BE323E7F0E9B8F87D3622B889253309162BFB29F103106A351001DBA7CE660CF5CA2F2D4301FBDE17A8C2FE70722F9E796965CF5712EA6F84040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (33, 1, 1, 3, X'1A96AF0C14FABDCF54A255DB010101');
INSERT INTO terms VALUES (34, 1, 1, 26, X'2C77D2033FE38E061A96AF0C37EC67248A173A2798A0143081647937E06A97376C33FD3D4BF1424DE101025D3B0C7060DB6DBA63C2C93F79557DCF80C4839C86F3151E95BDF6EAAC97616DCB14FABDCF54A255DB99D607DE5990DAF40101040101010101010101010101010101010101010101');
INSERT INTO terms VALUES (34, 2, 1, 8, X'1A96AF0C26F263136C33FD3DFF9E657069354A71557DCF8063C39DC920B81AE94040404040404040');
INSERT INTO terms VALUES (35, 1, 1, 10, X'2B74960880E95C3C42D2CB3F1FF9CF74A6F685965A3A16A348F054A88286BBB87651DBC00B48F0CB01010101010101010101');
INSERT INTO terms VALUES (35, 2, 1, 9, X'2B7496086673F72980E95C3C42D2CB3F26E7D495A6F6859653C0A8A248F054A80B48F0CB404040404040404040');
INSERT INTO terms VALUES (36, 5, 1, 6, X'91A23F478D244460637FFD7F020202');
INSERT INTO terms VALUES (37, 1, 1, 51, X'75FD0508995A690F176EA711BDDB5F128C49621777049D20E4688521D9BCC43B197F744F76DB8E5071BCDD5D4E8EEC5F4129AC82B7EFDC83A9AB908A2957DE8CCC3B0FA9DBF2A0BD15934EC2B7EA7CCB7C3277D40FF6A9F0CF4133F80401040204010101010401040104010104010401010401');
INSERT INTO terms VALUES (37, 2, 1, 9, X'75FD050876DB8E502EB38D5D4E8EEC5FF095757AB18D0E8A567179ACDCE6CDB58AA9E9B7404040404040404040');
INSERT INTO terms VALUES (38, 1, 1, 44, X'75FD05088955F109176EA71113C16A138C496217D505A51A147AB81D0112091E76DB8E506047FA594E8EEC5F3A7D8873B7EFDC83A9369F872957DE8C8567078DCC4ADD987B9C98A0CC3B0FA9768EABAA15934EC243BEB7E80FF6A9F0422AACF9135700FA02010201020102020203020102010102020202010202020202');
INSERT INTO terms VALUES (38, 2, 1, 8, X'75FD05089CE975165032C34376DB8E504E8EEC5FB18D0E8AB76B6B9EB81684A74040404040404040');
INSERT INTO terms VALUES (39, 1, 1, 17, X'75FD0508176EA7118C49621776DB8E506047FA594E8EEC5F3A7D8873B7EFDC83FB915588212F3F9ECC3B0FA9768EABAADBF2A0BD15934EC2D38B86DA43BEB7E80FF6A9F00101010101010101010101010101010101');
INSERT INTO terms VALUES (39, 2, 1, 12, X'919DB20575FD050879BDCA2F76DB8E504E8EEC5F3A7D8873479C1179B18D0E8A212F3F9E8AA9E9B75F043DC543BEB7E8404040404040404040404040');
INSERT INTO terms VALUES (40, 5, 1, 2, X'D505A51A02');
INSERT INTO terms VALUES (41, 1, 1, 9, X'1A96AF0CE66D453CCB0F3457637FFD7FC3DA2EA3737220E76326F5FB02010101010201');
INSERT INTO terms VALUES (41, 2, 1, 7, X'1A96AF0CDB72C019E66D453C637FFD7FE867DC89CF0A4ECF737220E740404040404040');
INSERT INTO terms VALUES (42, 1, 1, 2, X'454F980202');
INSERT INTO terms VALUES (42, 2, 1, 1, X'454F980240');
INSERT INTO terms VALUES (43, 1, 1, 6, X'EB041C39E66D453CC0A47650F0B456740C7E7FD80102010101');
INSERT INTO terms VALUES (43, 2, 1, 5, X'5EFC6012E66D453CC0A47650F0B45674AE5D3BD84040404040');
INSERT INTO terms VALUES (44, 1, 1, 0, X'');
INSERT INTO terms VALUES (45, 1, 1, 14, X'C829B609147AB81D6185932544CEFC2C2142332F67F3673BE66D453C492B278634778EA2EBEFD9C8446CF4E643BEB7E83E8B2BF9F8E0D8FB0101010101010101010101010101');
INSERT INTO terms VALUES (45, 2, 1, 13, X'C829B60914118814147AB81D2142332FE66D453CE2C49959EEBE596A1D03479E34778EA2EBEFD9C843BEB7E83E8B2BF9F8E0D8FB40404040404040404040404040');
INSERT INTO terms VALUES (46, 1, 1, 5, X'8F35FD39E66D453C2173863C637FFD7F62BFB29F0101010101');
INSERT INTO terms VALUES (46, 2, 1, 5, X'8F35FD39E66D453C26595B5762BFB29F2D0FA0B04040404040');
INSERT INTO terms VALUES (47, 1, 1, 7, X'C829B6091A96AF0C668ACA11E2319B76F1866C7A62BFB29F0A5BDCE101010101010101');
INSERT INTO terms VALUES (47, 2, 1, 7, X'C829B60927FAA640148F4F473FA90563F1866C7AF4842DB70A5BDCE140404040404040');
INSERT INTO terms VALUES (48, 1, 1, 0, X'');
INSERT INTO terms VALUES (49, 1, 1, 7, X'2E998C2CE66D453CDB31CD405F7A6B7DF0B7ECA1D25DE6D0A200CDE001010101010101');
INSERT INTO terms VALUES (49, 2, 1, 7, X'2E998C2CE66D453CDB31CD405F7A6B7DFF2FD787F0B7ECA1A200CDE040404040404040');
INSERT INTO terms VALUES (50, 1, 1, 2, X'ABE02D10D8359B3C0101');
INSERT INTO terms VALUES (50, 2, 1, 2, X'ABE02D10BC252C214040');
INSERT INTO terms VALUES (51, 1, 1, 4, X'874157335F7A6B7DEE1D5FA143BEB7E801010101');
INSERT INTO terms VALUES (51, 2, 1, 4, X'E351E02E5F7A6B7DEE1D5FA143BEB7E840404040');
INSERT INTO terms VALUES (52, 1, 1, 0, X'');
INSERT INTO terms VALUES (53, 1, 1, 11, X'A011530FC4810113070DCA1FEED0B32F42D2CB3F4E8EEC5F3CFD576AF1866C7A203558D9A13AD6DE775857FF0101010101010101010101');
INSERT INTO terms VALUES (53, 2, 1, 10, X'C481011342D2CB3F0BF943564E8EEC5F3CFD576AF1866C7AA5907585F23FD7CDA13AD6DEA8F927E740404040404040404040');
INSERT INTO terms VALUES (54, 1, 1, 51, X'75FD0508995A690FBDDB5F128C49621777049D20E4688521D9BCC43B197F744F76DB8E5071BCDD5D4E8EEC5F824ABF6A4129AC82A9AB908A2957DE8CCC3B0FA9DBF2A0BD15934EC2B7EA7CCB7C3277D40FF6A9F0CF4133F822CBC4F80401020401010101040104040101010401040101040104');
INSERT INTO terms VALUES (54, 2, 1, 9, X'75FD0508CF823A3376DB8E50BF0C8A5E4E8EEC5FC8C1DD7BB18D0E8A567179ACDCE6CDB5404040404040404040');
INSERT INTO terms VALUES (55, 1, 1, 44, X'75FD05088955F10913C16A138C4962170DBED51A76DB8E506047FA594E8EEC5F824ABF6A3A7D8873A9369F872957DE8C29B66B94CC4ADD986FA140997B9C98A0CC3B0FA951497DAB15934EC20FF6A9F021DFDBF422CBC4F8135700FAE7731AFD020101020202030202010101020401020202020202020201');
INSERT INTO terms VALUES (55, 2, 1, 8, X'75FD0508C8FABA4976DB8E50FF0D165D4E8EEC5FB18D0E8AB81684A7E4E8CABC4040404040404040');
INSERT INTO terms VALUES (56, 1, 1, 16, X'75FD05088C49621776DB8E506047FA594E8EEC5F1F28AA67824ABF6A3A7D8873CC3B0FA9DBF2A0BD15934EC2D38B86DA0FF6A9F022CBC4F8E7731AFD010101010101010201010101010101');
INSERT INTO terms VALUES (56, 2, 1, 10, X'919DB20575FD050876DB8E50BF0C8A5E4E8EEC5F1F28AA673A7D8873479C1179B18D0E8AE7731AFD40404040404040404040');
INSERT INTO terms VALUES (57, 5, 1, 2, X'6FA1409902');
INSERT INTO terms VALUES (58, 1, 1, 17, X'FAA16D07B788A30B0BCF0E1BE66D453CE8F77B4C2D4E39616079C962B0A4CA91DAE3B6934BCCB1949FC9919B8286BBB8F80975EF91C16EF10101010102010101010102020101');
INSERT INTO terms VALUES (58, 2, 1, 10, X'FAA16D07B788A30BF2D2FB30E66D453C17D0257BDAE3B6934BCCB1948286BBB80F3829D6F80975EF40404040404040404040');
INSERT INTO terms VALUES (59, 1, 1, 18, X'FAA16D0784C95D1177211912E66D453C2CC76F4800A3EE5EB0A4CA91541F9096460435975EE12FC2955EA5C90B48F0CBC4D287D771366CE6367DDDEA9F6833F401020101010101010101010101010201');
INSERT INTO terms VALUES (59, 2, 1, 15, X'FAA16D0766E1443CE66D453C2AC59B3F0BAB0F5A541F9096460435979E0DA29B5EE12FC20B48F0CBEF875ED4C4D287D771366CE6F99484EF9F6833F4404040404040404040404040404040');
INSERT INTO terms VALUES (60, 1, 1, 37, X'B788A30B78A2DA0E77049D2091A23F476047FA5971BCDD5D4E8EEC5F1407C9603CFD576A9B8ED26D492B2786414E448934778EA28C9D53A8AB4FEFB1CC8F19B75EE12FC224D470CE0C7E7FD80A0BA8F1381BB6F3030201030101010101020101010102020301060102');
INSERT INTO terms VALUES (60, 2, 1, 22, X'F4BD01107C72DD3720ADE5594E8EEC5F36F208653CFD576A9B8ED26DF57ED27050165973414E44899CA36A8A55514C99BB5592A034778EA28C9D53A8AB4FEFB1BAB83BBD0359F1DA60EC0FE6381BB6F32A772AF4971600F840404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (61, 1, 1, 52, X'B133FC00FAA16D07B788A30B0DBED51A0BCF0E1B77049D20B9FF9332E66D453C91A23F47E8F77B4C8C7548566047FA594E8EEC5F2D4E39616079C962E0EA26684598946F68E7677A4ECBC77D9573D87E1ADE3581B7EFDC83492B2786DAE3B6934BCCB1949FC9919BC22CF6B5CC8F19B78286BBB824D470CED4D544D0C4D287D70C7E7FD8A4D12ADCF80975EF91C16EF121DFDBF401020201010101030102040201010101010101010102020101020101020102010102010101');
INSERT INTO terms VALUES (61, 2, 1, 36, X'8B9BC904FAA16D0717D1BA07B788A30B52EC252EF2D2FB30E66D453CA465DE3CC3294942B2B81D576047FA594E8EEC5F4711DA6388AA086A17D0257B9573D87EB7EFDC83ACDC2E89DAE3B6934BCCB194EA2F059AC87E479B9BE9BEA9AE795CB5CC8F19B78286BBB8957A5BBC61ACCAC24D12D3CAD4D544D0D5ED53D40F3829D6C4D287D771AE47DCF80975EF2EA64CF7404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (62, 1, 1, 33, X'995A690FBDDB5F1277049D20E4688521D9BCC43B197F744F71BCDD5D9B8ED26D4129AC82A9AB908A2957DE8CAB4FEFB1B7EA7CCB7C3277D40C7E7FD80A0BA8F1381BB6F3CF4133F8010201010101020401010105010101040401');
INSERT INTO terms VALUES (62, 2, 1, 8, X'EB78961379CEDA42B37A2A5B9B8ED26D50165973AB4FEFB1D4C434EE381BB6F34040404040404040');
INSERT INTO terms VALUES (63, 1, 1, 38, X'8955F109B788A30B13C16A13144AA72C1E80234591A23F476047FA594E8EEC5F9B8ED26DF9EFBE719CE21577A9369F872957DE8C8567078D7B9C98A0AB4FEFB15EE12FC214B0E3E70A0BA8F1381BB6F30102010202020301030202010102020202020203');
INSERT INTO terms VALUES (63, 2, 1, 12, X'AEEE70599B8ED26DF57ED270501659739CA36A8ABB5592A052B23AACAB4FEFB12F9B2FBBBAB83BBD971600F86A6A31FA404040404040404040404040');
INSERT INTO terms VALUES (64, 1, 1, 27, X'20E5050575FD0508B788A30B78A2DA0E1C0EE82391A23F47197F744F6047FA5971BCDD5D4E8EEC5F9B8ED26D492B2786AB4FEFB1CC8F19B75EE12FC20C7E7FD8D38B86DA0A0BA8F1381BB6F301010201010201010101020102010203010102');
INSERT INTO terms VALUES (64, 2, 1, 20, X'75FD0508F4BD01106A05601D1C0EE8239DA23648842362584E8EEC5F36F208659B8ED26DF57ED270501659739CA36A8A55514C9977A38B9EBB5592A0AB4FEFB1BAB83BBD381BB6F32A772AF4971600F84040404040404040404040404040404040404040');
INSERT INTO terms VALUES (65, 5, 1, 4, X'B788A30B91A23F470202');
INSERT INTO terms VALUES (66, 5, 1, 4, X'6FDFB90643BEB7E80202');
INSERT INTO terms VALUES (67, 5, 1, 4, X'6FDFB906E7066B9143BEB7E8010102');
INSERT INTO terms VALUES (68, 5, 1, 4, X'6FDFB906F9EFBE710202');
INSERT INTO terms VALUES (69, 5, 1, 4, X'D2E61A7FCB67657F43BEB7E8010102');
INSERT INTO terms VALUES (70, 5, 1, 4, X'F9EFBE71D2E61A7FCB67657F020101');
INSERT INTO terms VALUES (71, 5, 1, 4, X'7CF2528B569368B63C228FFE020101');
INSERT INTO terms VALUES (72, 5, 1, 4, X'569368B63C228FFE0103');
INSERT INTO terms VALUES (73, 5, 1, 4, X'91A23F47A24C6AAC74E474C6010102');
INSERT INTO terms VALUES (74, 5, 1, 4, X'454F980291A23F47A24C6AAC020101');
INSERT INTO terms VALUES (75, 5, 1, 4, X'91A23F47A24C6AAC775857FF010102');
INSERT INTO terms VALUES (76, 5, 1, 4, X'91A23F474BCCB194A24C6AAC010201');
INSERT INTO terms VALUES (77, 5, 1, 4, X'636B5E4C8D2444600D29DC95020101');
INSERT INTO terms VALUES (78, 5, 1, 4, X'8D2444600D29DC95CC3B0FA9010102');
INSERT INTO terms VALUES (79, 5, 1, 4, X'8D2444600D29DC95D8FF30DD010102');
INSERT INTO terms VALUES (80, 5, 1, 4, X'B788A30B5138C9158B8E86C3020101');
INSERT INTO terms VALUES (81, 5, 1, 4, X'5138C915016773808B8E86C3010201');
INSERT INTO terms VALUES (82, 5, 1, 13, X'6FDFB906B1DA5114D2A308786244D9850F3F9EA743BEB7E8020202050101');
INSERT INTO terms VALUES (82, 6, 1, 10, X'6FDFB906F2BDAC0BB1DA51143947D515034846846244D9850F3F9EA743BEB7E8BACC15F80CE2B6FC40404040404040404040');
INSERT INTO terms VALUES (83, 5, 1, 14, X'6FDFB9062B749608B1DA5114F9EFBE71D2A308786244D9850F3F9EA702050201020101');
INSERT INTO terms VALUES (83, 6, 1, 12, X'6FDFB9062B749608B1DA51143947D515B5EF9A50F9EFBE71CD16BE7E7316D9A20F3F9EA745DB52D8BACC15F80CE2B6FC404040404040404040404040');
INSERT INTO terms VALUES (84, 5, 1, 16, X'1D2EB43BC0A476504544E36BF9EFBE71D2E61A7FCB67657FB61656B9EED97BD243BEB7E89F194BED01010101010201010601');
INSERT INTO terms VALUES (84, 6, 1, 10, X'5B3D66033947D5151D2EB43BF0C477444544E36BCB67657FEED97BD243BEB7E89F194BED0CE2B6FC40404040404040404040');
INSERT INTO terms VALUES (85, 5, 1, 14, X'C0A476504544E36BF9EFBE71D2E61A7FCB67657FB61656B9EED97BD243BEB7E80501010102010102');
INSERT INTO terms VALUES (85, 6, 1, 9, X'5B3D66033947D515F0C47744C0A476504544E36BCB67657FEED97BD243BEB7E80CE2B6FC404040404040404040');
INSERT INTO terms VALUES (86, 5, 1, 13, X'1D2EB43BF9EFBE71D2E61A7FCB67657FB61656B9EED97BD29F194BED01060102010101');
INSERT INTO terms VALUES (86, 6, 1, 9, X'3947D51500217D181D2EB43BF9EFBE71CB67657F43BFA6A3EED97BD29F194BED0CE2B6FC404040404040404040');
INSERT INTO terms VALUES (87, 5, 1, 11, X'F9EFBE71D2E61A7FCB67657FB61656B9EED97BD20201020501');
INSERT INTO terms VALUES (87, 6, 1, 6, X'00217D18F9EFBE71CB67657F43BFA6A3B61656B9EED97BD2404040404040');
INSERT INTO terms VALUES (88, 5, 1, 14, X'6FDFB906D3981416DD71183BB3ABF642F46BE8617CF2528B569368B63C228FFE0201050101010102');
INSERT INTO terms VALUES (88, 6, 1, 9, X'3947D515DD71183BB3ABF642F990AB5E7CF2528B09B4ECC2574DABDB0CE2B6FC3C228FFE404040404040404040');
INSERT INTO terms VALUES (89, 5, 1, 10, X'D3981416569368B62ED792BA3C228FFE05010103');
INSERT INTO terms VALUES (89, 6, 1, 3, X'D39814168A4B16B03C228FFE404040');
INSERT INTO terms VALUES (90, 5, 1, 14, X'6FDFB906D3981416B3ABF642F46BE861C5683F8F569368B63C228FFE01020105010103');
INSERT INTO terms VALUES (90, 6, 1, 10, X'3947D515D398141654E5A734B3ABF64234A46B55F990AB5E6761D2ABB78C3FC80CE2B6FC3C228FFE40404040404040404040');
INSERT INTO terms VALUES (91, 5, 1, 10, X'B3ABF642C5683F8F569368B63C228FFE01050103');
INSERT INTO terms VALUES (91, 6, 1, 5, X'B3ABF642C5683F8F43BFA6A36761D2AB3C228FFE4040404040');
INSERT INTO terms VALUES (92, 5, 1, 12, X'454F980261E1C40C42A26F1391A23F47A24C6AAC24D470CE020105010201');
INSERT INTO terms VALUES (92, 6, 1, 7, X'454F980261E1C40C42A26F133F360E1415D8A1A4A24C6AAC24D470CE40404040404040');
INSERT INTO terms VALUES (93, 5, 1, 13, X'454F980261E1C40C2CE7963891A23F47B7EFDC830F3F9EA7A24C6AAC02010501010102');
INSERT INTO terms VALUES (93, 6, 1, 8, X'454F980261E1C40C3F360E142CE79638DA006959B7EFDC830F3F9EA7A24C6AAC4040404040404040');
INSERT INTO terms VALUES (94, 5, 1, 16, X'61E1C40C1DE4062591A23F4763394B7B674157980F3F9EA7A24C6AAC61FEB4C09F194BED775857FF01010101010102050102');
INSERT INTO terms VALUES (94, 6, 1, 9, X'61E1C40C3F360E14083051759198CA910F3F9EA7A24C6AAC61FEB4C09F194BED775857FF404040404040404040');
INSERT INTO terms VALUES (95, 5, 1, 15, X'61E1C40C1DE4062591A23F4763394B7B674157980F3F9EA7A24C6AAC61FEB4C0775857FF010501010101020102');
INSERT INTO terms VALUES (95, 6, 1, 9, X'61E1C40C3F360E141DE406250830517552769EA10F3F9EA7A24C6AAC61FEB4C0775857FF404040404040404040');
INSERT INTO terms VALUES (96, 5, 1, 16, X'61E1C40C1DE4062591A23F47DE3A665563394B7BA24C6AAC61FEB4C09F194BED775857FF010101010102010107');
INSERT INTO terms VALUES (96, 6, 1, 8, X'61E1C40C3F360E14A24C6AAC09B706B6863927BFB1F9DCC09F194BED775857FF4040404040404040');
INSERT INTO terms VALUES (97, 5, 1, 15, X'61E1C40C1DE4062591A23F47DE3A665563394B7BA24C6AAC775857FF01010105020203');
INSERT INTO terms VALUES (97, 6, 1, 7, X'61E1C40C3F360E14DE3A66552344F06FA24C6AAC863927BF775857FF40404040404040');
INSERT INTO terms VALUES (98, 5, 1, 13, X'61E1C40C91A23F4767415798A24C6AAC24D470CE775857FF010105020103');
INSERT INTO terms VALUES (98, 6, 1, 8, X'61E1C40C3F360E140830517567415798BB5592A0A24C6AAC24D470CE775857FF4040404040404040');
INSERT INTO terms VALUES (99, 5, 1, 16, X'61E1C40C0BCF0E1B1DE4062591A23F47DE3A66554BCCB19467415798A24C6AAC569368B6775857FF01010101010201020501');
INSERT INTO terms VALUES (99, 6, 1, 11, X'61E1C40C3F360E140BCF0E1B99EDF85B9CA36A8A4BCCB194A24C6AAC569368B6418816DB7DAAD1DB04EA3CEE4040404040404040404040');
INSERT INTO terms VALUES (100, 5, 1, 18, X'400BB31BB64A043B636B5E4C8D244460E02BD37663394B7BB7EFDC830D29DC95683D94D7819274D8A51A18E63F7771E921DFDBF401010201010101010501010101');
INSERT INTO terms VALUES (100, 6, 1, 12, X'3947D515400BB31B8D244460BB5592A088A321ADA968E3CD82A1F9CF683D94D7819274D8A51A18E6356F36F70CE2B6FC404040404040404040404040');
INSERT INTO terms VALUES (101, 5, 1, 17, X'400BB31B853C445A8D244460E02BD37663394B7B0D29DC95D91D04A1CC3B0FA9683D94D7819274D8A51A18E63F7771E9010101010101010106010101');
INSERT INTO terms VALUES (101, 6, 1, 12, X'32F4CE153947D515853C445A8D244460BB5592A0D91D04A1CC3B0FA988A321AD683D94D7819274D8A51A18E60CE2B6FC404040404040404040404040');
INSERT INTO terms VALUES (102, 5, 1, 15, X'400BB31B8D244460E02BD37663394B7B0D29DC95CC3B0FA9683D94D7819274D8A51A18E63F7771E901010101010106010101');
INSERT INTO terms VALUES (102, 6, 1, 8, X'400BB31B8D244460BB5592A0CC3B0FA988A321AD683D94D7819274D8A51A18E64040404040404040');
INSERT INTO terms VALUES (103, 5, 1, 17, X'400BB31BB64A043B853C445A8D244460E02BD3760D29DC952ED792BAD8FF30DDA51A18E643BEB7E83F7771E90105020101010102010101');
INSERT INTO terms VALUES (103, 6, 1, 10, X'3947D515400BB31B853C445A8D2444602ED792BAA968E3CDD8FF30DDA51A18E6AB9133FB0CE2B6FC40404040404040404040');
INSERT INTO terms VALUES (104, 5, 1, 15, X'B51B8123B64A043B853C445A8D2444604544E36B0D29DC95819274D8D8FF30DDA51A18E6010201010501010201');
INSERT INTO terms VALUES (104, 6, 1, 12, X'3947D515A994E14D853C445A8D2444604544E36BBB5592A0137189A2A968E3CD819274D8D8FF30DDA51A18E60CE2B6FC404040404040404040404040');
INSERT INTO terms VALUES (105, 5, 1, 13, X'B51B8123B64A043BA0B60E5A8D2444600D29DC95819274D8D8FF30DDA51A18E60501010101010201');
INSERT INTO terms VALUES (105, 6, 1, 11, X'3947D515B51B8123A994E14D00BA7E558D244460BB5592A0A968E3CD819274D8D8FF30DDA51A18E60CE2B6FC4040404040404040404040');
INSERT INTO terms VALUES (106, 5, 1, 16, X'B788A30B5138C915D2A30878541F90960F3F9EA75EE12FC28B8E86C39F194BEDE7731AFD070201010101010101');
INSERT INTO terms VALUES (106, 6, 1, 9, X'B788A30B5138C9153947D515DF9142174644B0A10F3F9EA79F194BED137220FC0CE2B6FC404040404040404040');
INSERT INTO terms VALUES (107, 5, 1, 16, X'B788A30B5138C915D2A30878541F90960F3F9EA75EE12FC28B8E86C3E7731AFD0302020101010105');
INSERT INTO terms VALUES (107, 6, 1, 9, X'B788A30B5138C9153947D515DF9142174644B0A10F3F9EA7137220FC0CE2B6FCE7731AFD404040404040404040');
INSERT INTO terms VALUES (108, 5, 1, 14, X'B788A30B5138C915D2A308780F3F9EA75EE12FC28B8E86C33D16AECA02020201050101');
INSERT INTO terms VALUES (108, 6, 1, 9, X'B788A30BF2BDAC0B5138C9153947D5150F3F9EA75EE12FC23D16AECA83EC45FA0CE2B6FC404040404040404040');
INSERT INTO terms VALUES (109, 5, 1, 15, X'B788A30B5138C9154544E36B01677380B7EFDC838F55799F8B8E86C33D16AECAE7731AFD010201020105010101');
INSERT INTO terms VALUES (109, 6, 1, 9, X'5138C9153947D5154544E36B01677380654CB88D8F55799F3D16AECABF9A2CF90CE2B6FC404040404040404040');
INSERT INTO terms VALUES (110, 1, 1, 19, X'454F9802FAA16D076D9BF507A011530F42A26F130BCF0E1B1DE40625E66D453C97E2EA3C91A23F47DE3A6655E583EE7DA24C6AAC6232E6BA3E2F8ECCF80975EF775857FF0101010101010102010101010201010101');
INSERT INTO terms VALUES (110, 2, 1, 14, X'FAA16D076D9BF507A011530FE66D453C97E2EA3C999E0E7815D8A1A4750D89A9A24C6AAC6232E6BA7F3713CB8F5CA3DA5318A9E6F80975EF4040404040404040404040404040');
INSERT INTO terms VALUES (111, 1, 1, 11, X'454F980242A26F13E66D453C91A23F479C83095E4E8EEC5F34778EA2A24C6AAC0C7E7FD869C548E9259DC2FA0101010101010101010101');
INSERT INTO terms VALUES (111, 2, 1, 9, X'5EFC60126761D42FE66D453C4E8EEC5FB9D4739B34778EA269C548E9D3E0E9ED259DC2FA404040404040404040');
INSERT INTO terms VALUES (112, 1, 1, 12, X'2B749608B788A30B5138C9154E8EEC5F6244D985C4230F935EE12FC28B8E86C33E2F8ECCE7731AFD01020201010101010101');
INSERT INTO terms VALUES (112, 2, 1, 8, X'2B7496085DA7891E4E8EEC5FD07340730D19A677224403AD3B1637B83E2F8ECC4040404040404040');
INSERT INTO terms VALUES (113, 5, 1, 6, X'B788A30B5138C9158B8E86C3020202');
INSERT INTO terms VALUES (114, 1, 1, 11, X'2B749608B65D5715A7DD151B30AE302EE66D453C5C34804BC0A47650951F2A6F22971B83414E4489775857FF0101010101010101010101');
INSERT INTO terms VALUES (115, 1, 1, 19, X'3A063B0AEA396F0C61F96D12A7DD151B706E471FE66D453C62C4594E4E8EEC5F00CE0D6EF1866C7A10369F8C57EE71928C9D53A852418EB80B48F0CBDF6AD6DB43BEB7E8135700FA010101010101020101010101010101010101');
INSERT INTO terms VALUES (115, 2, 1, 64, X'FB030000FC030000FE030000FF03000024040000CE070000D1070000D3070000E0070000EC070000EF070000F2070000F60700002D080000440800005C080000700800000709000014090000EA090000020A0000470A0000870A0000930A0000F90A0000B40C0000640D0000B20D0000F50D0000BE0E0000C00E0000D40E0000D80E0000070F0000720F0000401000006E1000008D100000E2110000DD120000FB14000053150000FE16000006190000E21E0000681F0000032200003E240000412B00002C32000049390000F1390000D33B00008C3E000049410000C344000012450000824500005849000002590000F15900003C5E0000FC640000116F0000132C5D0C3B173C2509312B770A2D2E3E2C26091E450C56202610050B27100115333D105B2B61050369382E1B618B10240B143504100C855E0413136C462F0C80');
INSERT INTO terms VALUES (116, 1, 1, 10, X'A982922030D5102DD7FF7839E07D5A3BF6D56D5A5C46278C1817A395C2A46CC7A48F67D3684591EE01010101010101010101');
INSERT INTO terms VALUES (116, 2, 1, 33, X'3608000072080000A50800001B0900002F0900008E090000240B0000950B0000AF0B0000E20B0000060D0000E20D0000F60D0000BC0F0000681100001A120000C7150000F41700009118000084190000B7190000F31B0000F81C00003120000051210000F72100009F270000022F000036420000FF42000057550000EE560000DB5800003953316A6809504F55193C2F112E2132533F05056D0F394776347B568372484A62');
INSERT INTO terms VALUES (118, 1, 1, 12, X'FAA16D075B486E1B68A9973B18F8C8441ED6DE6605ABD6698567078DC4230F93A6F685966741579852418EB843BEB7E8010101010101010101010101');
INSERT INTO terms VALUES (119, 1, 1, 12, X'FAA16D07EED0B32F97E2EA3C067E235EB618B964A7777F81E1255DA134778EA252418EB86232E6BA43BEB7E80101010101010101010102');
INSERT INTO terms VALUES (119, 2, 1, 20, X'CE070000D30700007B08000088080000EC080000070900003E0A0000130B0000370B0000950B0000B40C0000230F00005E0F0000251000006E100000681F0000412B000002590000F1590000116F0000432A7078043379190B2D142F465007860A543669');
INSERT INTO terms VALUES (120, 1, 1, 9, X'C481011397E2EA3CFB2617434E8EEC5F3CFD576A2B1582BFBCA47BC0066A28FB0101010101010201');
INSERT INTO terms VALUES (121, 1, 1, 9, X'FAA16D07A011530FE66D453CE0EA2668DFEB057F3D4341DBF80975EFCE65F8FA0101020101010101');
INSERT INTO terms VALUES (122, 1, 1, 4, X'A011530FE66D453C97E2EA3C8F5F61FA01010101');
INSERT INTO terms VALUES (122, 2, 1, 24, X'D3070000F3070000FB0700000D08000011080000310800004F08000095080000010900003809000071090000090A00000E0A00000E0D0000190E000071110000C717000055180000B7190000C023000021260000D93B0000954B0000885A0000265B2D07082D7F142723A61A2905090264B2250C20341918');
INSERT INTO terms VALUES (124, 1, 1, 11, X'FAA16D07668ACA11F42B801CE66D453CACD1F03FC0A4765068653D5B4E8EEC5F3CFD576A52418EB801010101020101010101');
INSERT INTO terms VALUES (125, 1, 1, 13, X'FAA16D07F42B801CE66D453CCBCCB23CACD1F03FC0A4765068653D5B4E8EEC5F3CFD576A414E448952418EB884772FC4010102010101010101010101');
INSERT INTO terms VALUES (127, 1, 1, 14, X'FAA16D07D13EF320E66D453CACD1F03F25716C4768653D5B5F7A6B7D52418EB894C69EB8F29F30BD01020101020101010202');
INSERT INTO terms VALUES (128, 1, 1, 11, X'5ED0AA02FAA16D07668ACA11F42B801CE66D453CACD1F03FC0A476504E8EEC5F3CFD576A52418EB801010101010201010101');
INSERT INTO terms VALUES (129, 1, 1, 13, X'5ED0AA02FAA16D07F42B801CE66D453CCBCCB23CACD1F03FC0A476504E8EEC5F3CFD576A414E448952418EB884772FC4010101020101010101010101');
INSERT INTO terms VALUES (131, 1, 1, 4, X'59F8082AE66D453CFA383B92446CF4E601010101');
INSERT INTO terms VALUES (132, 1, 1, 5, X'E66D453CA0A9DB4A83252A8FDF4801AEEC1320F70101010101');
INSERT INTO terms VALUES (133, 1, 1, 5, X'E66D453C97E2EA3C4FFFFB434E8EEC5FC0E8D3EF0101010101');
INSERT INTO terms VALUES (134, 1, 1, 6, X'C829B6090138AB17E66D453CCC5D914397D816A5FD6724C2010101010101');
INSERT INTO terms VALUES (135, 1, 1, 17, X'4DBB2805A7DD151BE66D453C63974254067E235E4E8EEC5FC4230F93919F349B34778EA252418EB86232E6BAC3D31CBF0B48F0CB43BEB7E80101020101010101010201020101');
INSERT INTO terms VALUES (136, 1, 1, 12, X'FAA16D0744CEFC2C45B0A437E66D453CA9AB908A26D6668F61087693A6F685960EE29098FE917E9FF80975EF0101010201010101010101');
INSERT INTO posting_block VALUES (1, 1, 0, 240, 101, 60, X'491A2131380500007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2036305D2C205B2267726F757073222C20223C7534222C2036305D2C205B227465726D73222C20223C7534222C203433325D2C205B226F666673657473222C20223C7534222C203433335D2C205B2273697A6573222C20223C7534222C2036305D2C205B22706C61636573222C20223C7532222C203836325D2C205B22636F756E7473222C20227C7531222C203836325D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C2022646F63756D656E74222C20226E6F7465225D2C205B226F746865722F70726F6A656374222C2022646F63756D656E74222C2022225D2C205B22222C2022646F63756D656E74222C2022646F63756D656E74225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C20226D657373616765222C2022225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B22222C2022646F63756D656E74222C2022706C616365686F6C646572225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D2C205B222F7372762F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022696E7369676874225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022636F6E74657874225D2C205B222F7372762F73686F70222C20226661696C757265222C202274657374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20227061747465726E225D2C205B22222C2022736F6C7574696F6E222C2022737461636B225D5D7D0100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000E000000000000000F0000000000000010000000000000001100000000000000120000000000000014000000000000001500000000000000160000000000000019000000000000001A000000000000001B000000000000001C000000000000001D000000000000001E000000000000001F00000000000000200000000000000021000000000000002200000000000000230000000000000025000000000000002600000000000000270000000000000029000000000000002A000000000000002B000000000000002C000000000000002D000000000000002E000000000000002F000000000000003000000000000000310000000000000032000000000000003300000000000000340000000000000035000000000000003600000000000000370000000000000038000000000000003A000000000000003B000000000000003C000000000000003D000000000000003E000000000000003F0000000000000040000000000000006E000000000000006F00000000000000700000000000000000000000010000000200000003000000010000000400000000000000030000000500000005000000060000000500000007000000070000000800000008000000090000000A0000000B0000000C00000005000000050000000D0000000E0000000E0000000E0000000E0000000E0000000D0000000E0000000F0000001000000011000000120000001300000014000000150000001500000001000000160000001700000018000000190000001A0000001B0000001C000000030000001D0000001E0000001F000000200000002000000021000000220000001000000011000000230000002400000025000000260000008F3E1D0069ACE000B133FC00454F98022C77D20320E505055EEC5B053FE38E06FAA16D074654A6076D9BF50775FD05082B749608C829B6098955F109D916620A486E360BB788A30B1A96AF0CC0D20F0D78A2DA0EC328210FA011530F995A690FABE02D1084C95D11176EA711668ACA11970FDA11772119129B5D3612BDDB5F12C481011313C16A1342A26F139827791320B60A1481E314142A47FC145138C91553C847168C496217CE8F671AD505A51A0DBED51A0BCF0E1BA7DD151B5BF3391B0AEA9B1C147AB81DA8F8E31D0112091E7796C61F070DCA1F7E65492077049D201A454F21E46885211C0EE82337EC6724CC666D241DE40625618593258A173A27B70FF2275BC4022A847A202A02D43A2BC9813F2BD045522C2E998C2C144AA72C7E16C82C487DEF2C44CEFC2CFAA52B2F2142332FEED0B32FEDA4BB2F0A560D3098A01430F9AEFA3062840931F2A15D3188B024326A066232B9FF9332874157338EE2C033017AEF349174493514BF8C35EDFA6C3681647937E06A9737AF2016385B745438EB041C398F35FD39EF7AE53A67F3673B68A9973B0C88B83BD9BCC43BE66D453C80E95C3C2173863C13AC8E3CD8359B3C97E2EA3C26105E3D6C33FD3D42B0393FE5D45D3F42D2CB3F0DCF6540DB31CD4007444E42595F4F44E7531B451E80234594967C4691A23F47D4803E482CC76F482C0DB34BE8F77B4C65E0B94C4BF1424DAD2ED44EEF99284FCD44534F197F744FC0A4765076DB8E50DE3A66558C754856CB0F34574F4BC8576047FA59B1BA9E5A4675555B6E891E5C5FB1385CE101025D1F5FA75D71BCDD5D9C83095E60A70A5E00A3EE5E8DC24C5F4E8EEC5F3B0C706092BF7D601407C9609CD2E160001B15612D4E39616079C96217D31363DB6DBA630E177E6401139F64A805E864E68F8865DA74F5651F28AA67E0EA266824EB2A6834A810693CFD576A1145B06A824ABF6A0687D06D9B8ED26DC1A8726E35F6C16E89C73E6F4598946F017BB171F9EFBE710F37D771EA8145733A7D88730C43E373F0B456741FF9CF7413EA4575E2319B769CE21577AE083C79C2C93F7956E2087A68E7677AF1866C7A9CF9FB7C4F26657D5F7A6B7D4ECBC77DE583EE7D9573D87ECF00907F637FFD7F557DCF801ADE35814129AC82AE5EA283B7EFDC8310FEAB84AE2BB1846244D985492B2786C4839C86823BF786A2B144870E9B8F87A9369F87FB9155888F9C7488414E44897959358A2276708AA9AB908ADDF9E48B77346A8CC8DE8B8C2957DE8C8567078D3BB21D8DD9045B8DD769C78D81714C90F76C5C908F1CD090B0A4CA91FA383B92C4230F935F32679363476B93DAE3B6937A830694ECDA0F9429B66B946C5274944BCCB194F3151E9566ECC095A6F68596541F909646043597B20D789767415798040DCB98CC4ADD986FA14099C4E67799B3B9529A9FC9919BC38A8D9C1DCE4E9D51CFB09D20FBFC9D212F3F9E62BFB29F7B9C98A0E1255DA1EE1D5FA1F0B7ECA134778EA25A3A16A3C3DA2EA3AD2388A58294AFA50069F6A5F8E130A67360A3A60F3F9EA78C9D53A848F054A8CC3B0FA9EFD849A9880261AA768EABAA32E12DAB294574AB51497DAB2B2540ACA24C6AACBDF6EAAC0FD805AD285F0FAD263293ADD3AD86AF491082B0AB4FEFB12784F4B173D036B2AE6933B315748CB327EF44B459A3FCB46A145BB5C22CF6B5569368B6CC8F19B7A01446B8F5569FB88286BBB8550B32B929825EB95B66AEB96232E6BA68D254BB2B15B4BB7A58EBBB4AFF51BC4158EDBCDBF2A0BDFB3BC0BE7651DBC0A70B19C25EE12FC215934EC2FC245CC2188DEDC2CA3D27C38B8E86C384772FC46C9B41C41FA6E0C4E5E031C5E5A28EC66DD5C3C6EBEFD9C8955EA5C9E2D1CACA97616DCBB7EA7CCBD768EACB0B48F0CB3E2F8ECC5131C0CC835798CD3BB3F3CD24D470CE7CE660CF14FABDCFD4D544D0D25DE6D0F6B414D16ED137D1A322C3D29659F1D213B5FED27C3277D488B98AD477155AD665E56BD7C4D287D77A0289D70C7E7FD8459D81D8203558D9D38B86DABD1547DB81604BDB54A255DBA4D12ADC99D607DEA13AD6DEA97B5CDF9C20D1DFA200CDE0A08232E10A5BDCE156504DE2ECB301E341F97FE3F5776CE4EFC98DE49469C5E591D70BE671366CE6FCF8F2E6446CF4E6737220E76FF7AAE714B0E3E70722F9E743BEB7E869C548E9C7FFB7EAD32CCAEA367DDDEA4E357CECF80975EF0A46EDEF2D7307F0A88D88F00FF6A9F091C16EF10A0BA8F1E2EEAAF26118FAF286CEACF3381BB6F3AB14B9F39F6833F45990DAF421DFDBF42A7918F671D7DBF68B59DDF7CF4133F817E137F822CBC4F83E8B2BF9422AACF9135700FAAD821AFA259DC2FA703B1FFB0CB1D1FBF8E0D8FB6326F5FBE7731AFDC5F62DFDB44677FD8EB8D9FDE87B9AFE347A15FF775857FF000000000100000003000000040000000700000008000000090000000A0000000C0000001200000013000000150000001C0000001E000000220000002500000026000000280000002E00000033000000340000003600000037000000390000003C0000003D0000003E00000041000000450000004600000048000000490000004C0000004D00000050000000520000005300000054000000560000005700000058000000590000005F00000060000000610000006400000068000000690000006A0000006C0000006F00000070000000710000007200000073000000750000007A0000007B0000007E0000007F0000008000000083000000840000008600000088000000890000008A0000008B00000090000000910000009200000093000000940000009500000096000000990000009A0000009C0000009D000000A0000000A1000000A3000000A4000000A5000000AA000000AB000000AC000000AD000000AE000000B0000000B1000000B2000000B3000000B4000000B6000000B8000000BA000000BB000000BD000000BE000000BF000000C1000000C2000000C3000000C6000000DC000000DD000000E0000000E1000000E2000000E7000000E8000000E9000000EA000000EB000000F0000000F5000000F6000000F7000000F8000000F9000000FB000000FC00000002010000030100000401000007010000090100000A0100000B0100000C0100000D0100000F01000013010000140100001A0100001B0100001C0100001D01000020010000290100002A0100002B0100002F0100003101000032010000330100003A0100003B0100003C0100003D0100003E0100004B0100004C0100004D0100004E0100004F010000500100005201000054010000550100005601000057010000580100005A0100005B0100005C0100005E0100005F0100006001000061010000680100006A0100006E0100006F01000074010000750100007601000078010000790100007A0100007B010000820100008401000088010000890100008A0100008B0100008C0100009201000093010000950100009701000098010000990100009F010000A0010000A1010000A6010000A7010000A8010000A9010000AA010000AF010000B0010000B1010000B4010000B6010000BB010000BC010000BD010000BE010000C3010000C5010000C6010000C7010000CD010000D0010000D1010000D3010000D6010000D7010000D8010000DB010000DC010000DD010000DE010000E4010000E7010000E8010000E9010000EA010000EB010000EC010000ED010000EF010000F1010000F2010000F3010000F4010000F6010000F7010000FA010000FB010000FC010000FF01000000020000010200000202000003020000040200000502000007020000080200000A0200000B0200000C0200000D0200000F02000010020000130200001502000016020000170200002102000024020000250200002602000027020000330200003402000035020000360200003702000038020000390200003A0200003B0200003D0200003E020000440200004502000047020000490200004A0200004B0200004C0200004D0200004F0200005002000051020000520200005302000054020000560200005A0200005B0200005C0200005D0200005E0200005F020000600200006102000062020000640200006702000068020000690200006C0200006D0200006E0200006F0200007002000072020000730200007402000075020000760200007A0200007B0200007C0200007D0200008202000088020000890200008A0200008C0200008D0200008E0200008F02000090020000910200009202000093020000950200009602000097020000980200009B0200009C0200009E020000A0020000A1020000A2020000A3020000A5020000AA020000AF020000B0020000B1020000B3020000B4020000B5020000B6020000B7020000BA020000BC020000BD020000BE020000C4020000C5020000CB020000CC020000CD020000D0020000D1020000D2020000DC020000DE020000E0020000E1020000E3020000E4020000E5020000E6020000EC020000EE020000EF020000F0020000F1020000F2020000F4020000F5020000F6020000F7020000F9020000FA020000FC020000FD020000040300000D0300000E0300000F03000010030000110300001303000017030000180300001B0300001C0300002203000024030000280300002A0300002B0300002C03000032030000330300003503000036030000390300003A0300003C0300003D03000040030000410300004403000046030000470300004A0300004B0300004C0300004D0300005003000053030000540300005703000058030000590300005A0300005B0300005C0300005E0300000F0000000E00000009000000270000000D000000060000000C000000090000000A0000000800000005000000600000000700000007000000050000000500000007000000070000000200000002000000080000000900000002000000CE000000F3000000B7000000F30000006C000000030000001A0000000A000000330000002C00000011000000090000000200000006000000000000000E000000050000000700000000000000070000000200000004000000000000000B000000330000002C000000100000001100000012000000250000003400000021000000260000001B000000130000000B0000000C000000180018001A003500230039003A001D003800020003001D000B001100320033003500390019000B0039001F00200021002F003000310038001E003B000100060026002800200030003700190018001A00320034003500370038003B0002001C001D002200280019003400380018002E0039001F002F0036002B0033001F0020002100060009000B00280014000000330018001F002F0036002E0020003000370039003A0018000B001800190015003B0017001F00200021002F00300031001800200017003000350000003200350039000A00030018001A00170020002600020020001A002E00170018001F002F0034003500360003001F002F00360038001D00170019001B0039000100260003001D0019001B0003001700180019001A001B001A001B002A003700030014000100100026001700010026002E00170019001B00080003001D00030000001700180019001A001B001A00180035002C001700190002001A000400030003001D0003001D001700190018001000240027001900010026000B0005001F002F00360001000600070008000B000C000D001000110014001500170022002400260027002A0032003300350039003A001E000600170027000B002B000000060015001700390017001D00180007000600150017001E002E001700180019001A001B002A001A000A0003001A0037000A00340035003700380039003A0018003300170019001B003200350002001D0005000400170018001F002F003600380024001F00200021002F0030003100390035002200170019001B0010002000210030003100340035003700380017001B001700180019001A001A001B001D0003000E000F001F002F003400360038003A000000330004001F00200021002E002F003000310034003500370038003A003B001D001A00340017000300320035003200350018001D001800170018001A0003000300090031003500020005001700180019001A001B002E0034000E000F0017002F00300031001400170034003600370038000400030018001A00350003003700110016001700180019001A001B0018001A002000210030003100090024001E00050006000C000D000E000F00280037000700080003001D0019003500050006000900170028002E00030019000B00110014002A002C003500390035000400060011001700220027001D0035001F002F00360018001A0017001F00200021003500190017003B000100260034003500380003001D001900040010001700180019001A001B002000300037002100170019000C000D003400180018001F002F0036000B001B0017001F0020002F0030003600370017002000370018001A0018001A000300180032003300070008003B0018001900320035001900170019001B00300009000000320035001D0003001E003300330004000B0015001B00200030003000000002003200350019000B001400150019001A000300210006000C000D001700180019001A001B002700280020003000370017002C002A00000001000B0015001700180019001A001B00260034003A001E0022001B0003001A001800190004000A0034001E001F00200021002F0030003100180018001900200021001A00000030001A0039003A001D0000001A001800180018001A00340036003700380017001A0018000200030000001B0035000700080034003500380003001B001E0032003500180003001A00390018001A001900100017001B001F0021002F00310019001E001A0033003400370038003B001F00200021002F00300031001B00030018001A003B001500170000001A000200090001002600330007001D001F002F0036001B001E00330039003B00030003001A00340035001700180019001A001B000B00120013001C001D0035002A0004000900180008001A001A001F002F00360018001A00170004000000070008001400330035001A00240034003500360038003A0018002E002100310038001A001A001200130016001700180019001A001B001C001D001A00350003001D002E0018001A0005002A00000006000C000D000E000F0028001A001B001900190019001800070008001900330008000100260022001700190037000C000D001700180019001A001B0001000A000B000C000D002000210026002C003A001A001A00330018001A0004003200350039000300170018001A0017001F00200021002F003000310032003500340036003700380019001A00000019000100170034003600370038000300150033001D0017003000350003000E000F001A001F002F0036001B002F003000310001002600200017002000300018003A001A00170019001B000100140026002200300031003B00170018000300030004002E003900010101010201010101010101010101010201010901040201040201010101010101010101010301010103020202020101040201030201010101010101010204020101010101010101010202020101010101010309030301020104020104020101010302010101010101010101030201010201010101010101010101010101010101010101010101010101010D100C10070303010201010101010101010101010101010102011A2018200E0301010101010103010101010101010103010101010101010101010101010101090101020201010101020101010101030201010101010901010101010101010301010101010101010101010103010103020103010202010103010101010202010101010303010101010104020104020101040101010101030103010102030101030101010103030101010101010102010101010104020101040201010101010101010101010101010101030103010101010101010101011A2018200E01010101030402010103020403020101010101010202010302020202010101010102010101010101010101010201010101030101010101010101030901010101010101010201010101010101010101010304020102030301010101020102010101010D100C100701010101010101010101030101010101010101010101010302020301010101010101020201010301010301010102010101010101010101020901010204010101020201090101030301010101010E100C10070101020202030101010112010D100C10070101010101010103030101010101040201040201010101010103010203020101010101030101020502020103010101010301010102010101010102020101010101010101010301010101010101010302020104020104020103010101010101010301010101010101010101030101010101010101010D100C1007010101010102010102030103010101010101030101010101010101010601010301030101010103010101010101010101010103020101010101010101010101010101010103010301010101010101010201010201010D100C100701010A010102010101010301020101010101010101010101040201040201010101040201010101030103020403020101010103020101010101010101010402010101020302020301010101010101010101010101030101010101');
INSERT INTO posting_block VALUES (1, 2, 0, 240, 1, 53, X'5F8221A3A80400007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2035335D2C205B2267726F757073222C20223C7534222C2035335D2C205B227465726D73222C20223C7534222C203435305D2C205B226F666673657473222C20223C7534222C203435315D2C205B2273697A6573222C20223C7534222C2035335D2C205B22706C61636573222C20223C7532222C203639345D2C205B22636F756E7473222C20227C7531222C203639345D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D2C205B222F7372762F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022696E7369676874225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022636F6E74657874225D2C205B222F7372762F73686F70222C20226661696C757265222C202274657374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20227061747465726E225D2C205B22222C2022736F6C7574696F6E222C2022737461636B225D5D7D200100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000E000000000000000F00000000000000100000000000000011000000000000001200000000000000140000000000000019000000000000001A000000000000001C000000000000001D000000000000001E000000000000001F0000000000000020000000000000002200000000000000230000000000000025000000000000002600000000000000270000000000000029000000000000002A000000000000002B000000000000002D000000000000002E000000000000002F0000000000000031000000000000003200000000000000330000000000000035000000000000003600000000000000370000000000000038000000000000003A000000000000003B000000000000003C000000000000003D000000000000003E000000000000003F0000000000000040000000000000006E000000000000006F00000000000000700000000000000000000000010000000200000003000000010000000400000000000000030000000500000005000000060000000500000007000000070000000800000008000000090000000A00000005000000050000000B0000000B0000000B0000000B0000000B0000000B0000000C0000000D0000000E0000000F0000001000000011000000120000000100000013000000140000001500000016000000170000000300000018000000190000001A0000001B0000001B0000001C0000001D0000000D0000000E0000001E0000001F0000002000000021000000FBC64902454F98027EE91303CCAC8B038B9BC904276E40055EEC5B05919DB20549BAC4067ED00607FAA16D0717D1BA076D9BF50775FD05082B749608C0D6BA08C829B6099968FC0AA798290BAE023E0BB788A30B1A96AF0C04BF080D2B14710E129E3F0FA011530F1C7EB30F5AEFF70FF4BD0110ABE02D1081E7A111668ACA11EF3325125EFC6012E8C4AE12C481011326F26313EB789613D859E713458E1314141188149CE975165D4FA8166A256A179CBC7618D3BD0319DB72C0198D9D901AA7DD151BBAF7521B39A89D1BDB871F1CD609491C665F5B1C74A5DA1C6A05601D147AB81D3FE11D1E5DA7891E1AB2581F088BDF1FBC252C211C0EE82365142C24C7EC2526744ABF260FFFA62838956429880070296673F72902D43A2BBD832B2C2E998C2CAB1AB52D8AE9E92D52EC252EC50D372EE99D492EE43D6D2E67A1A42EE351E02E2142332F8098C22F79BDCA2F6761D42F79A47F30F2D2FB30F2A15D314ECEBD31A1957A328358EA32CF823A335150BF3342ACFA33017AEF34CBD8F234FCB23035A50C76377C72DD37392027384C4BCA388F35FD39C9B5183A68A9973B0C88B83B66E1443CE66D453C80E95C3CA465DE3C97E2EA3CAB10F03C6C33FD3D86DD3E3F2AC59B3F42D2CB3F27FAA640DB31CD40C329494279CEDA4282ABAC435032C34381C2614594967C4631EFF446148F4F4718D418489DA23648B94647488E2C8549C8FABA49E0F8014A65E0B94C0B3ACA4C3BCEDD4C3C50084D2E698F4D968C014FC0A4765076DB8E50CF1D9E504E92DD50F9991C51F8775C51A1C91A537D6113544A0BD155CD7EFE55BF211F560BF94356B2B81D573096475726595B5784236258AEEE7059E2C4995920ADE5596047FA590BAB0F5AB37A2A5B8218525BCE9EE65CFF0D165D2EB38D5DBF0C8A5E4E8EEC5F23AB2C61FF3A30624D7FA8623FA905637A156A634711DA634831F163E7C29E64053CB664E883E86436F20865FF0325666B2B34671F28AA67C869E767007A646988AA086A3CFD576AEEBE596A9B8ED26DFF9E6570414B7F70F57ED27069354A710F37D771769B3073D0734073501659733A7D8873F0B4567413EA45753242E9751F7A6F76E2319B760D19A677999E0E78629A3778479C1179F1866C7A3B24717AF095757AB87BBE7AA97CF57A17D0257B0C4EB37BC8C1DD7B5F7A6B7DA6F3857D9573D87E8958FC7EBE323E7FFA835F7F9FC1627FCF00907F637FFD7F557DCF806BC62183B7EFDC83A5907585FFFF15872C1B6A870E9B8F87FF2FD787D3622B88ACDC2E89414E4489E867DC89E408E989B18D0E8A9CA36A8ACBA3908AA54C168B611EA68C5674648D0FCA228FB9363C90A539F290925330918A928B933BF0AF93DAE3B6936C52749417457F944BCCB194202FBD9526E7D4954EFB3996A10C7A96A6F68596541F909646043597EB2CB9976741579855514C99C4E67799CA12C699EA2F059A9F04479AB3B9529AC87E479BB9D4739B9E0DA29B560B1C9CC3CD4D9DE100DD9D212F3F9E1D03479EB76B6B9E6D2A719E77A38B9E79008C9F62BFB29FBB5592A0EE1D5FA1E03E89A1F0B7ECA134778EA253C0A8A2275BC4A2103106A3CC990FA486EF1AA415D8A1A4210123A6952749A6B81684A7A24D8BA78C9D53A848F054A82EACAAA894F1EFA8750D89A99BE9BEA952B23AACEF4847ACA24C6AAC567179AC224403AD7396C3AD8950F7ADD4AA2CAE4AE752AE69ED24B02D0FA0B0AB4FEFB159A3FCB4AE795CB5DCE6CDB54E57F8B5569368B6CC8F19B7F4842DB78AA9E9B73B1637B88286BBB851001DBA6232E6BA2F9B2FBB666ADFBB7A58EBBB957A5BBCE4E8CABC8DA814BDBAB83BBDC9B39DBDE37C90BED41652BF62B42AC0C85C63C0ACF9CCC191E225C25EE12FC261ACCAC2A688E7C384772FC41C7D51C41FA6E0C45F043DC5E5A28EC6239EA8C614F46AC7EB8D2BC8B16C40C8EBEFD9C8AF7F89C963C39DC9C1680BCA50A2B8CA4D12D3CA7F3713CB0B48F0CB3E2F8ECC05C5D2CDF23FD7CDCF0A4ECF7CE660CFAE03A1CF14FABDCFD4D544D0FD9955D04EF18BD05F35C6D0E83E07D1F6B414D1AABC30D19C242AD2D5ED53D4EF875ED45CA2F2D4CB24C2D50F3829D6C4D287D7AE5D3BD8896D78D98F5CA3DA0359F1DAE7B9FCDAD0D33EDB10A9A0DB71AE47DC55C571DEA13AD6DE62AFB3DF9C20D1DF07757FE014E8A7E0A200CDE0301FBDE10A5BDCE1918DE2E1EE9D2BE24C31B8E228DE06E35996EAE3B509F2E4826330E59469C5E560EC0FE671366CE65318A9E6ECB7B4E6737220E7A8F927E77A8C2FE7C1B69AE70722F9E743BEB7E865DBCAE852B108E920B81AE969C548E90B0F4EEB60AF37ECD7A747ECE0CD85EDD3E0E9EDD4C434EEF80975EFF99484EF138013F024EAD1F14A3E55F2381BB6F32A772AF49F6833F4A1FC9EF43018ABF496965CF52EA64CF7971600F8712EA6F87003E0F83E8B2BF9464464F969EF1DFA6A6A31FA259DC2FA1E1462FBF8E0D8FBC3522BFCE7731AFDF438E9FDB90CBBFEAD86AFFF2CCAEAFF00000000010000000200000004000000050000000600000008000000090000000B0000000C0000000D0000001300000014000000160000001D0000001F0000002000000024000000250000002600000027000000290000002C0000002D0000002E0000002F000000300000003100000032000000340000003500000036000000380000003A0000003C0000003D0000003E00000044000000450000004600000047000000490000004A0000004B0000004C0000004D0000004E0000004F0000005000000051000000530000005400000055000000560000005700000058000000590000005A0000005B0000005C0000005D0000005E0000005F00000060000000610000006200000063000000640000006500000066000000670000006C0000006D0000006E0000006F0000007000000071000000720000007300000074000000750000007600000078000000790000007A0000007B0000007C0000007E0000008300000084000000850000008600000087000000880000008A0000008B0000008C0000008D0000008E0000008F00000090000000910000009200000098000000990000009A0000009B000000B1000000B2000000B3000000B8000000B9000000BA000000BB000000BD000000C2000000C3000000C4000000C6000000C7000000C8000000C9000000CA000000CB000000CD000000CF000000D0000000D1000000D2000000D3000000D4000000D5000000D6000000D7000000D8000000D9000000DA000000DB000000DC000000E2000000E3000000E4000000E5000000E6000000E7000000E8000000E9000000EA000000EC000000ED000000EE000000F0000000F1000000F2000000F3000000F5000000F6000000F7000000F8000000F9000000FA000000FB000000FC000000FD000000FF0000000B0100000C0100000E0100000F0100001001000011010000120100001301000014010000150100001601000018010000190100001A0100001C0100001D0100001E0100001F01000026010000280100002C0100002E0100002F0100003201000033010000390100003A0100003B0100003F01000041010000420100004301000044010000450100004A0100004B0100004C0100004D0100004F01000054010000560100005701000058010000590100005B0100005C0100005D01000060010000610100006201000063010000640100006501000066010000670100006B0100006C0100006D0100006E0100006F01000070010000710100007701000078010000790100007A0100007D0100007E0100007F0100008501000088010000890100008A0100008B0100008C0100008D0100008E0100008F0100009001000091010000920100009401000095010000970100009A0100009B0100009C0100009D0100009E0100009F010000A0010000A1010000A2010000A3010000A5010000A6010000A7010000A8010000A9010000AA010000AB010000AC010000AD010000AE010000AF010000B0010000B1010000B4010000B5010000B6010000B7010000B8010000C0010000C3010000C4010000C5010000C6010000CB010000CC010000CD010000CE010000CF010000D0010000D1010000D2010000D3010000D5010000D6010000D8010000D9010000DA010000DB010000DC010000DD010000DE010000DF010000E0010000E2010000E3010000E4010000E5010000E7010000E8010000E9010000EA010000EE010000EF010000F1010000F3010000F4010000F6010000F7010000F8010000FA010000FB010000FD010000FE010000FF01000000020000010200000202000003020000040200000502000008020000090200000A0200000B0200000C0200000D0200000E0200000F020000100200001102000012020000130200001402000015020000160200001702000018020000190200001A0200001B0200001D0200001E0200001F0200002002000021020000220200002302000025020000260200002702000028020000290200002E0200002F020000300200003102000032020000330200003402000035020000360200003702000038020000390200003A0200003F0200004002000042020000480200004A0200004B0200004C0200004D0200004E0200004F0200005002000051020000520200005302000054020000550200005602000058020000590200005A0200006002000061020000620200006302000064020000650200006602000067020000690200006A0200006B0200006C0200006D0200006E0200006F0200007002000071020000780200008002000081020000820200008302000084020000860200008702000088020000890200008A0200008B0200008F0200009002000091020000920200009302000097020000990200009B0200009C0200009D0200009F020000A0020000A3020000A4020000A5020000A7020000A8020000A9020000AA020000AB020000AC020000AF020000B1020000B2020000B3020000B4020000B5020000B60200000B0000000D000000090000000400000008000000060000000B000000070000000800000008000000050000000F00000007000000070000000300000003000000050000000500000007000000090000003A0000003B0000002F0000003B00000020000000080000000900000009000000080000000C0000000700000001000000050000000D00000005000000070000000700000002000000040000000A00000009000000080000000A0000000A0000000F0000001600000024000000080000000C000000140000000E000000090000000800000017001F001500160017002E001400150002001D002A00160015000B0011002B002C002E0032002E000B0032001B001C001D00280029002A0031001A003400150001000600210023001600140017002B002E00020019001E001400170008003200180012002D0031002500150009000B001600170020003300140027001400150016001700180019002F0016001400010021001C0018001700040014001E0017000A001700180015000400180015001700310021001500340017001600250031000900140005001700170016001A001400150016001700180015002400180016002E0018000000140017002600010021000B001D00330017002B002E0014001500160017001800170015001400280005000E000F0002001600150014002D001400020022000000140015001600170018000B0005002C0001000600070008000B000C000D00100011001200130014001E0020002100220024002B002C002E00320033001A002E000000060013001400320003001900140000002C000600130014001A0027002300240014002E002F0008001C0014000A00070008000600230018003100150016002900150002001700160018001500040020001B001C001D00280029002A00160017001700150015001800170003000600140027002E0014001500220031003000010021002D002E002C002F001400140029001B0028002A001B001C001D002700280029002A002D002E003100330034001500170018001600230015002E001800140017000B002D0031001800160009002A00170014002E001400150016001700180027002D00010021002D002F00300031001400190014002D003000310019001100140015001600170018000B0034002D002F00300031001D002A00200005001400140006000C000D000E000F003400320015001D002A0006000900140023002700150016001B00170017002B002E001600280011002400260014002E00170018000000160004000600110014001E0019000A002E00270015001400100014001500160017001800240018002E000C000D002D001E0017001B001C001D00280029002A002D003000310014000400160015001500130017001800140002002B002E0009001500160000002B002E0016001A00150003001A002C002C00140013002D003100000002002E00170002002E0033002C001500150015001D000100100021001C00140031000B000C000D001400150016001700180022002D00300031002600120024000100130021002D0033001A0017001800150014003200120015001C00290016000A002D001A001700040032002E003000140032001B002800340000001400160017000500170022002D002F0030003100000014002E001B0028001600070008002E0023001B001D0034002B002E00180032003000170010002E00290015002D0030003100140016001500060014000B0015002C002E0016001300070000001D0002001700170014000B000100210015001900160009002E0032001A002C003400070027001E001400150016001700180013000B002E0016001500150015000900140009002E002C001400150016001700180017002B002E0000000700080012002C002E0010002000140032002D00160015000B002E00170027001700050017000B0012002400180006000C000D000E000F0023001600160015001400160016001700070008002D002C00320015001E002700180003000C000D001400150016001700180001000A000B000C000D001D002100260016001500190033001400150008001700170033002F0004002B002E0032002C0015001600150001002D002F0031002D00310013002C0017000400170018002E002D0030003100180015000100210017001400300033001500010012002100160017002A00160017001500170040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO posting_block VALUES (1, 3, 0, 240, 1, 53, X'7110034B480400007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2036385D2C205B22636F646573222C20223C7538222C203133365D2C205B2267726F757073222C20223C7534222C2036385D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D2C205B222F7372762F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022696E7369676874225D2C205B222F7372762F73686F70222C20226D656D6F7279222C2022636F6E74657874225D2C205B222F7372762F73686F70222C20226661696C757265222C202274657374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20226465636973696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C20226D656D6F7279222C20227061747465726E225D2C205B22222C2022736F6C7574696F6E222C2022737461636B225D5D7D0100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000D000000000000000E000000000000000F00000000000000100000000000000011000000000000001200000000000000140000000000000019000000000000001A000000000000001C000000000000001C000000000000001C000000000000001D000000000000001D000000000000001D000000000000001E000000000000001E000000000000001E000000000000001F000000000000001F000000000000001F0000000000000020000000000000002000000000000000220000000000000023000000000000002300000000000000250000000000000026000000000000002700000000000000270000000000000029000000000000002A000000000000002B000000000000002D000000000000002E000000000000002F00000000000000310000000000000032000000000000003300000000000000350000000000000036000000000000003700000000000000380000000000000038000000000000003A000000000000003B000000000000003C000000000000003D000000000000003E000000000000003F00000000000000400000000000000040000000000000006E000000000000006F0000000000000070000000000000007000000000000000F6ABD7F49B1F098CADA9A2108DD099D730116BA352F28A3D98ECD359B79D295733CBCEFC96AF33D5D5EEAE442D09E374C9665E92BBBA9FF77FCD52BF47176E27BD598FC8921F6C3AA828F509F0933CE01EE753E4688B032EBB9CF0B45880A4BFF05C25464255ADA314BA3BA96595AB4E14BA3BA96595AB4EE01042A40D18AAFBE01042A40D18AAFB085F2E38F7858F86BD9CE9BBC00DB08C7505EC57FE31D9BFA0CF0C9BDE1AB79FF7161579EC6DCA2F7C0B390C099C8EA0AF1A8A4334D2BB15CD5A7BE720FB95007287139489E8F3EC3EC0606342AA1FAAEC339F816DFA431B09285345B8A9E0A0F2163B5D64C3F83FB484727FC660C73BA5DF6C3E64632A546D094AE985857D902147E4148DCFFC31117097BF32567F8DCCA221E17C0831E8EDC83CEBE8AD25D1446935E5245460A8F98EC2EB81310608A97E626A26616B31B028CAB6ABD8D3233CC11795FD3136B93D87AE5F2794E7A60C6FA471725ABE13D180963F753AE976D41CA568A5B52AF7AD6D8235BA612531300C6C3851406AB16AB299E627865B84F06A97C8FE5BC118683D3980F9308D901BE615BFC3F1B610AC3505E7288FC94C07101DBB6713CEE8FBEC74EF5091C3866D61C5855F28EC40DEBF3EDFC4F3AD57837126C26F637459B225D6EC79963FFF411104961105641A408166C49AEAEC4377EA3174663D84A7A8FCCE14D2A14E5B70486FED9D7C7EDAC6599C6958A05197A0781CA81CAFBC8594041EDF6DAB962600272064386BD0D797A41464E881A0635391AFC32199A8036A4AF1868D300930483E12CF1272B85135B740D25C8A20D9638183B21B47154CC94AB9236233C29F02298C321D5D945F1414773DB5E08101517A50069383026DF10C8BA6C8294A4B8C02186429DA4D2473356BD8843E9191E097D71456C0C522E097D71456C0C5220528E4D086CBF9590528E4D086CBF959D8A5B48608CC4761C2CCA570EA270B2D1F2E1B056310A3B46923B1BE8838006FBDD815FA5C067D400A0045A8723C71953A66C4CA156AE007E193051393D49A93993B0409463A8251D66DF26ED91611008FB0CC0930C029E6B788EA2D8C645A1AEE8E08514108B7F4DC451C8D2C78C04FD0305C816E4BA35880241AFC92BB64069301445F68F51709B294C4A37C86213902D1E08266506621C2CAC37CF5F900A220CC2B7BF94354003B781883267A4AE056539A47D0C997801500ED67866D184B6178FF461950B58145E0E899C96409695A075A6524233DFC76702D07171151552C3355DC1CB94561FC44E0A1AA07CDBC4AD628190583477D82A447B3357A5092C30E7FC8244358EC3B52660EEE312B8C82DD3A4380921D34E34068A26E539CCE22D28AEC9B06843C932C264D3D8F10A917E4091482A4C20C908322724CB3C7184206723225189A8D069E00304B6993EE37094894431DE95DD24451C41CA40235F2F90B02527DE4046C61F0509D39495263D7C8C716C4306CD0A62DA09B0381E1760C4A63940043E3814129C10B8A0952C8B267018D28A4B90000000001000000020000000300000001000000040000000000000003000000050000000500000006000000050000000500000007000000070000000800000008000000090000000A00000005000000050000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000C0000000C0000000D0000000E0000000F0000000F0000001000000011000000120000000100000013000000140000001500000016000000170000000300000018000000190000001A0000001A0000001B0000001B0000001C0000001D0000000D0000000E0000001E0000001E0000001F000000200000002100000021000000');
INSERT INTO posting_block VALUES (1, 5, 0, 240, 101, 52, X'8C3BD0A1500200007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2035325D2C205B2267726F757073222C20223C7534222C2035325D2C205B227465726D73222C20223C7534222C2038315D2C205B226F666673657473222C20223C7534222C2038325D2C205B2273697A6573222C20223C7534222C2035325D2C205B22706C61636573222C20223C7532222C203239375D2C205B22636F756E7473222C20227C7531222C203239375D5D2C202267726F757073223A205B5B22222C202266696C65222C2022225D2C205B22222C202273796D626F6C222C202266756E6374696F6E225D2C205B22222C202273796D626F6C222C2022636F6E7374616E74225D2C205B226F746865722F70726F6A656374222C202266696C65222C2022225D2C205B222F7372762F73686F70222C202266696C65222C2022225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202266696C65222C2022225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C202266756E6374696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022636C617373225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C20226D6574686F64225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022737472756374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022696E74657266616365225D5D7D202020202020201300000000000000170000000000000018000000000000002400000000000000280000000000000039000000000000004100000000000000420000000000000043000000000000004400000000000000450000000000000046000000000000004700000000000000480000000000000049000000000000004A000000000000004B000000000000004C000000000000004D000000000000004E000000000000004F0000000000000050000000000000005100000000000000520000000000000053000000000000005400000000000000550000000000000056000000000000005700000000000000580000000000000059000000000000005A000000000000005B000000000000005C000000000000005D000000000000005E000000000000005F0000000000000060000000000000006100000000000000620000000000000063000000000000006400000000000000650000000000000066000000000000006700000000000000680000000000000069000000000000006A000000000000006B000000000000006C000000000000006D0000000000000071000000000000000000000001000000020000000000000000000000030000000400000005000000050000000500000005000000050000000500000005000000050000000500000005000000050000000500000005000000050000000500000005000000060000000600000007000000080000000700000008000000060000000900000008000000060000000600000006000000070000000800000007000000080000000600000006000000080000000A000000080000000900000008000000060000000700000008000000060000000600000000000000454F98026FDFB9062B749608B788A30B61E1C40C42A26F13B1DA51145138C915D3981416D505A51A0BCF0E1B400BB31BB51B81231DE406257B6EDD372CE79638B64A043BDD71183B1D2EB43B2173863CB3ABF64291A23F47636B5E4CC0A47650DE3A6655A0B60E5A853C445A8D244460F46BE8614544E36BF9EFBE71E02BD376D2A30878F1866C7A63394B7BE583EE7DD2E61A7FCB67657FCF00907F60E8967F637FFD7F01677380B7EFDC836244D9857CF2528BC5683F8FE7066B914BCCB1940D29DC95541F9096674157986FA140998F55799F62BFB29FD91D04A10F3F9EA7CC3B0FA9A24C6AAC569368B6B61656B92ED792BA6232E6BA61FEB4C05EE12FC28B8E86C374E474C63D16AECA24D470CEEED97BD2683D94D7819274D8D8FF30DDA51A18E643BEB7E83F7771E99F194BED21DFDBF4F8E0D8FBE7731AFD3C228FFE775857FF00000000030000000A0000000B000000120000001B0000001C0000001E0000002500000028000000290000002A0000002E000000300000003500000036000000370000003B0000003C0000003E0000003F0000004200000051000000530000005500000058000000590000005C00000067000000690000006D00000074000000780000007D0000007E00000085000000870000008D000000930000009400000095000000980000009A0000009D0000009F000000A1000000A3000000A4000000A6000000AF000000B1000000B5000000B6000000B7000000B8000000B9000000C1000000C4000000D0000000D7000000DB000000DD000000DE000000E1000000E4000000EB000000EC000000EE000000F0000000F4000000F7000000FC00000000010000060100000D010000120100001701000018010000190100001C0100002201000029010000030000000A0000000500000006000000020000000200000004000000040000000400000004000000040000000400000004000000040000000400000004000000040000000400000004000000040000000400000004000000040000000D0000000E000000100000000E0000000D0000000B0000000E0000000A0000000E0000000A0000000C0000000D000000100000000F000000100000000F0000000D0000001000000012000000110000000F000000110000000F0000000D00000010000000100000000E0000000F000000060000000F0021002200070008000900170018001D001F001800060015002F003000310032003300010021002200230024002500260027002800210017001800150016002F0030003100320033001D001E001F000400280029002A002B002C002D002E00230024002500260028000100220029002C002D002E001D0019001B0001001D001F0020000000030006000E000F0010001100210022002300240025002600270028001200290019001A002500260028002E002A002C002D000000030012001300140029002A002B002C002D002E001D001F0019001A002D00320009000B00180019001A001B001C0029002A002B002C00170018002F00300031000100230024002500260029002A002B00010002000A000B0019001A001B001C000A000B0019001A001B001C000100020000000100030016003200220029003200170018000C001D001F00200008001100280012001300140029002A002B002C002D002E002F00300023002400270028000500320001002A00170018002200230024002F003000310013002A002B000E000F0010001100210022002300240025002600270028000C000D001D001E001F002000280019001A001B001C001E002C0001002300240025002F0030003100150016002F0030003100320033000E00310032002100270019001A001B001C0029002A002B0029002A002B002D002E0014002C002D002E0029002A002B002C002D002E00070008000A00170019001A002C00020029002A002B002C0019001B00230025002F00290002002F00300032000C000D001D001E001F0020001000230024002500260027002800020202020102020202010502020703020102010101010101010101050202010102020202020105020201010101010105010501010101050105020105010102010101010202010101010101010101010101020201050105010101020101020101010101010101010105010105010202010101060201010101020201020201010101020101010101010101010101010102020202010201010202020101010501020101050102020101010101010101010101010105010205010101010101010101010201010101010102020202020202020101010101010501010105010101050101010105010101010101020201010101010101010506060101010101020202020101010101010202020106020101010101010101010101010101050101030203030302020207030301');
INSERT INTO posting_block VALUES (1, 6, 0, 240, 1, 29, X'116EDF34C00100007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2032395D2C205B2267726F757073222C20223C7534222C2032395D2C205B227465726D73222C20223C7534222C203131325D2C205B226F666673657473222C20223C7534222C203131335D2C205B2273697A6573222C20223C7534222C2032395D2C205B22706C61636573222C20223C7532222C203236305D2C205B22636F756E7473222C20227C7531222C203236305D5D2C202267726F757073223A205B5B22222C202273796D626F6C222C202266756E6374696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C202266756E6374696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022636C617373225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C20226D6574686F64225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022737472756374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022696E74657266616365225D5D7D20201700000000000000520000000000000053000000000000005400000000000000550000000000000056000000000000005700000000000000580000000000000059000000000000005A000000000000005B000000000000005C000000000000005D000000000000005E000000000000005F0000000000000060000000000000006100000000000000620000000000000063000000000000006400000000000000650000000000000066000000000000006700000000000000680000000000000069000000000000006A000000000000006B000000000000006C000000000000006D000000000000000000000001000000010000000200000003000000020000000300000001000000040000000300000001000000010000000100000002000000030000000200000003000000010000000100000003000000050000000300000004000000030000000100000002000000030000000100000001000000454F98025B3D66036FDFB9062B749608B788A30BF2BDAC0B61E1C40C42A26F133F360E14B1DA51145138C91532F4CE153947D515D3981416DF91421700217D180BCF0E1B400BB31B1E79AA1FB51B81231DE4062554E5A7342CE79638DD71183B1D2EB43BB3ABF642F0C47744A994E14DC0A47650B5EF9A50DE3A665534A46B5500BA7E55DA006959853C445A99EDF85BF990AB5E8D2444604544E36B2344F06FF9EFBE7108305175F1866C7ACD16BE7ECB67657F01677380B7EFDC83034846846244D9859CA36A8A7CF2528B654CB88DC5683F8F9198CA914BCCB194674157988F55799F62BFB29FBB5592A0D91D04A152769EA14644B0A1137189A27316D9A243BFA6A315D8A1A40F3F9EA7CC3B0FA96761D2ABA24C6AAC88A321AD8A4B16B009B706B6569368B6B61656B92ED792BA6232E6BA863927BF61FEB4C0B1F9DCC05EE12FC209B4ECC2B78C3FC83D16AECA7F3713CBA968E3CD24D470CE82A1F9CFEED97BD2683D94D745DB52D8819274D8418816DB574DABDB7DAAD1DBD1BAEEDCD8FF30DDA51A18E643BEB7E89F194BED04EA3CEE36FCAFF4356F36F7BACC15F8BF9A2CF983EC45FAAB9133FB137220FC0CE2B6FCE7731AFD3C228FFE775857FF00000000020000000400000006000000070000000A0000000C00000015000000160000001E0000002000000024000000250000003500000037000000390000003B0000003C0000003F000000400000004100000042000000430000004400000045000000470000004A0000004C0000004E0000004F000000500000005100000052000000530000005400000057000000580000005A000000600000006400000065000000680000006B0000006C0000006D0000007100000072000000730000007400000075000000760000007700000078000000790000007A0000007B0000007C0000007D0000007E000000850000008600000087000000890000008A0000008B0000008E0000008F00000097000000990000009B000000A3000000A6000000A7000000A8000000A9000000AA000000AB000000AC000000AE000000B0000000B1000000B2000000B3000000B4000000B6000000B7000000BB000000BD000000BE000000C2000000C5000000C6000000CB000000CC000000CD000000CE000000CF000000D2000000D8000000DB000000E0000000E1000000E2000000E3000000E5000000E6000000E7000000E8000000EA000000FA000000FB000000FF00000004010000090000000A0000000C0000000A00000009000000090000000600000009000000030000000A00000005000000070000000800000009000000090000000800000007000000080000000B0000000C0000000C000000080000000A0000000C0000000B000000090000000900000009000000090000000B000C000300040001000200020019001A001B0001001B0000000B000C000D000E000F001000110012000B000B000C000D000E000F001000110012000100020019001A001B001C00140001000200030004000500070009001300140016001700180019001A001B001C000800090019001A00050006001200130015001600000018000E0009000C00070003000500070009000A000300040017001800040002001000090018000C001400160017001200070009001300140015001600170018000300040017001C0010000200050006000D000E0011000000020003000400050006001C000C0001000100120007001C000A000D00120011001C000000000011001300140015001700180014000E0019001A0017000200050006000A000B00010002000C000D000E0019001A001B001400150009000A000B000C000D000E000F0010001100120013001400150008000F0012000600160000000F0010000D000E000F001B00070009001B001C00000013001600170018000B001100130003000400050006001300140015000200130014001500170018001200070012000000160017001800130014001500160017001800010003000400030005000D000F001900120000001300010002001C001B00160019001A0001000200030004000500070009001300140016001700180019001A001B001C001A000700080009000A000D000E000F00100011004040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO posting_block VALUES (1, 7, 0, 240, 1, 29, X'F19568FF600100007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2032395D2C205B22636F646573222C20223C7538222C2035385D2C205B2267726F757073222C20223C7534222C2032395D5D2C202267726F757073223A205B5B22222C202273796D626F6C222C202266756E6374696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C202266756E6374696F6E225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022636C617373225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C20226D6574686F64225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022737472756374225D2C205B222F746D702F6F6C6473746F7265372F73686F70222C202273796D626F6C222C2022696E74657266616365225D5D7D20201700000000000000520000000000000053000000000000005400000000000000550000000000000056000000000000005700000000000000580000000000000059000000000000005A000000000000005B000000000000005C000000000000005D000000000000005E000000000000005F0000000000000060000000000000006100000000000000620000000000000063000000000000006400000000000000650000000000000066000000000000006700000000000000680000000000000069000000000000006A000000000000006B000000000000006C000000000000006D0000000000000086A6A9950B59CE9C1DA83FC830BFC3B6151753B35FECF53B449A923A3BC27139A743D71FA9D557207E654D8B3B5E0B3BEA0929FF4A75B22E22FEAB22A2FEF39DDF4DF345869E50A933F4E00139536D3B4C8D61BE2982A26007B947902725E3AA6785DA5370C97E96E653E3EEEF3C4D2A215866DDEC67C05AD1483998E8FCBFD5BC0316A1F62AAE46103D5286235FB75BAE8777A7F55E50B324AAF554AE6DF640A8B21951AC1E72F3140F199DC0764FF3F8A276CAD8E4D7F461F6B551183F03E34989C3EC691521E9A57AAACDDF0B57A4062715EBA973D7749BF18B14EE218FF781FF509ED41D2C278DA08827405671751E0871685CF2211472D7EB84CE01701545E8678C62504C141806E98E2171D97C25EA8008F1D725044337C08D112615B0871B22248B9D00846F041B390B60F3208CB5048B02DD4A29A0B1048E599C00CCC6B80341DCD6AD4A51C182BEFD0A08E56C2D4ED1A0DC0407547189EB8A00687B50B088C5DCECB024B98A7091494BD28641BC936D485863AB8B2245F75904752E8176D486E902C949C01B44DD460AC406290827EC0DB9168EB9A20EC1DA164684A4DC44B5C34C642A92CAC521C55A98D8622330EB36A040299B9859AB19AAB540581789C1643F608A2724B771700C23CB0000000001000000010000000200000003000000020000000300000001000000040000000300000001000000010000000100000002000000030000000200000003000000010000000100000003000000050000000300000004000000030000000100000002000000030000000100000001000000');
INSERT INTO access VALUES (1, 1, 2, 1795322806123514);
INSERT INTO access VALUES (4, 1, 1, 1795322862123522);
INSERT INTO access VALUES (5, 1, 2, 1795322806123514);
INSERT INTO access VALUES (7, 1, 1, 1795322834123518);
INSERT INTO access VALUES (8, 1, 1, 1795322862123522);
INSERT INTO access VALUES (9, 1, 2, 1795322862123522);
INSERT INTO access VALUES (14, 1, 1, 1795322834123518);
INSERT INTO access VALUES (17, 1, 1, 1795322834123518);
INSERT INTO access VALUES (25, 1, 5, 1767225600000000);
INSERT INTO access VALUES (53, 1, 1, 1795323513123615);
INSERT INTO access VALUES (115, 1, 1, 1795409314836178);
INSERT INTO access VALUES (116, 1, 1, 1795409314836178);
INSERT INTO change VALUES (1, 1, 1, 'put', 1795385281548000);
INSERT INTO change VALUES (2, 1, 1, 'embed', 1795385281562000);
INSERT INTO change VALUES (3, 1, 2, 'put', 1795385281565000);
INSERT INTO change VALUES (4, 1, 2, 'embed', 1795385281566000);
INSERT INTO change VALUES (5, 1, 3, 'put', 1795385281568000);
INSERT INTO change VALUES (6, 1, 3, 'embed', 1795385281569000);
INSERT INTO change VALUES (7, 1, 4, 'put', 1795385281574000);
INSERT INTO change VALUES (8, 1, 4, 'embed', 1795385281574000);
INSERT INTO change VALUES (9, 1, 5, 'put', 1795385281577000);
INSERT INTO change VALUES (10, 1, 5, 'embed', 1795385281577000);
INSERT INTO change VALUES (11, 1, 6, 'put', 1795385281581000);
INSERT INTO change VALUES (12, 1, 6, 'embed', 1795385281581000);
INSERT INTO change VALUES (13, 1, 7, 'put', 1795385281583000);
INSERT INTO change VALUES (14, 1, 7, 'embed', 1795385281583000);
INSERT INTO change VALUES (15, 1, 8, 'put', 1795385281592000);
INSERT INTO change VALUES (16, 1, 8, 'embed', 1795385281593000);
INSERT INTO change VALUES (17, 1, 9, 'put', 1795385281598000);
INSERT INTO change VALUES (18, 1, 9, 'embed', 1795385281598000);
INSERT INTO change VALUES (19, 1, 10, 'put', 1795385281601000);
INSERT INTO change VALUES (20, 1, 10, 'embed', 1795385281601000);
INSERT INTO change VALUES (21, 1, 11, 'put', 1795385281612000);
INSERT INTO change VALUES (22, 1, 11, 'embed', 1795385281613000);
INSERT INTO change VALUES (23, 1, 12, 'put', 1795385281622000);
INSERT INTO change VALUES (24, 1, 12, 'embed', 1795385281622000);
INSERT INTO change VALUES (25, 1, 13, 'put', 1795385281625000);
INSERT INTO change VALUES (26, 1, 13, 'embed', 1795385281626000);
INSERT INTO change VALUES (27, 1, 1, 'link', 1795385281629000);
INSERT INTO change VALUES (28, 1, 9, 'link', 1795385281633000);
INSERT INTO change VALUES (29, 1, 8, 'put', 1795385281633000);
INSERT INTO change VALUES (30, 1, 8, 'link', 1795385281635000);
INSERT INTO change VALUES (31, 1, 11, 'link', 1795385281642000);
INSERT INTO change VALUES (32, 1, 11, 'link', 1795385281655000);
INSERT INTO change VALUES (33, 1, 14, 'put', 1795385281698000);
INSERT INTO change VALUES (34, 1, 15, 'put', 1795385281698000);
INSERT INTO change VALUES (35, 1, 16, 'put', 1795385281699000);
INSERT INTO change VALUES (36, 1, 17, 'put', 1795385281699000);
INSERT INTO change VALUES (37, 1, 18, 'put', 1795385281701000);
INSERT INTO change VALUES (38, 1, 19, 'put', 1795385281701000);
INSERT INTO change VALUES (39, 1, 20, 'put', 1795385281701000);
INSERT INTO change VALUES (40, 1, 21, 'put', 1795385281702000);
INSERT INTO change VALUES (41, 1, 22, 'put', 1795385281702000);
INSERT INTO change VALUES (42, 1, 23, 'put', 1795385281702000);
INSERT INTO change VALUES (43, 1, 24, 'put', 1795385281703000);
INSERT INTO change VALUES (44, 1, 25, 'put', 1795385281703000);
INSERT INTO change VALUES (45, 1, 26, 'put', 1795385281703000);
INSERT INTO change VALUES (46, 1, 23, 'link', 1795385281705000);
INSERT INTO change VALUES (47, 1, 25, 'link', 1795385281705000);
INSERT INTO change VALUES (48, 1, 26, 'embed', 1795385281710000);
INSERT INTO change VALUES (49, 1, 25, 'embed', 1795385281710000);
INSERT INTO change VALUES (50, 1, 20, 'embed', 1795385281710000);
INSERT INTO change VALUES (51, 1, 18, 'embed', 1795385281710000);
INSERT INTO change VALUES (52, 1, 17, 'embed', 1795385281710000);
INSERT INTO change VALUES (53, 1, 16, 'embed', 1795385281710000);
INSERT INTO change VALUES (54, 1, 15, 'embed', 1795385281711000);
INSERT INTO change VALUES (55, 1, 14, 'embed', 1795385281711000);
INSERT INTO change VALUES (56, 1, 23, 'embed', 1795385281711000);
INSERT INTO change VALUES (57, 1, 12, 'put', 1795385281831000);
INSERT INTO change VALUES (58, 1, 12, 'embed', 1795385281831000);
INSERT INTO change VALUES (59, 1, 11, 'link', 1795385281839000);
INSERT INTO change VALUES (60, 1, 11, 'link', 1795385281839000);
INSERT INTO change VALUES (61, 1, 11, 'delete', 1795385281839000);
INSERT INTO change VALUES (62, 1, 1, 'link', 1795385281841000);
INSERT INTO change VALUES (63, 1, 27, 'put', 1795385281850000);
INSERT INTO change VALUES (64, 1, 28, 'put', 1795385281850000);
INSERT INTO change VALUES (65, 1, 29, 'put', 1795385281850000);
INSERT INTO change VALUES (66, 1, 30, 'put', 1795385281850000);
INSERT INTO change VALUES (67, 1, 31, 'put', 1795385281850000);
INSERT INTO change VALUES (68, 1, 32, 'put', 1795385281850000);
INSERT INTO change VALUES (69, 1, 33, 'put', 1795385281856000);
INSERT INTO change VALUES (70, 1, 34, 'put', 1795385281856000);
INSERT INTO change VALUES (71, 1, 35, 'put', 1795385281887000);
INSERT INTO change VALUES (72, 1, 35, 'embed', 1795385281887000);
INSERT INTO change VALUES (73, 1, 36, 'put', 1795385281888000);
INSERT INTO change VALUES (74, 1, 35, 'link', 1795385281888000);
INSERT INTO change VALUES (75, 1, 35, 'put', 1795385281895000);
INSERT INTO change VALUES (76, 1, 37, 'put', 1795385281900000);
INSERT INTO change VALUES (77, 1, 38, 'put', 1795385281900000);
INSERT INTO change VALUES (78, 1, 38, 'link', 1795385281900000);
INSERT INTO change VALUES (79, 1, 39, 'put', 1795385281900000);
INSERT INTO change VALUES (80, 1, 39, 'embed', 1795385281901000);
INSERT INTO change VALUES (81, 1, 40, 'put', 1795385281901000);
INSERT INTO change VALUES (82, 1, 39, 'link', 1795385281901000);
INSERT INTO change VALUES (83, 1, 39, 'put', 1795385281907000);
INSERT INTO change VALUES (84, 1, 41, 'put', 1795385281912000);
INSERT INTO change VALUES (85, 1, 42, 'put', 1795385281912000);
INSERT INTO change VALUES (86, 1, 41, 'link', 1795385281916000);
INSERT INTO change VALUES (87, 1, 43, 'put', 1795385281919000);
INSERT INTO change VALUES (88, 1, 43, 'embed', 1795385281919000);
INSERT INTO change VALUES (89, 1, 44, 'put', 1795385281921000);
INSERT INTO change VALUES (90, 1, 44, 'put', 1795385281923000);
INSERT INTO change VALUES (91, 1, 2, 'put', 1795385281928000);
INSERT INTO change VALUES (92, 1, 45, 'put', 1795385281929000);
INSERT INTO change VALUES (93, 1, 45, 'embed', 1795385281931000);
INSERT INTO change VALUES (94, 1, 2, 'link', 1795385281931000);
INSERT INTO change VALUES (95, 1, 46, 'put', 1795385281940000);
INSERT INTO change VALUES (96, 1, 46, 'embed', 1795385281941000);
INSERT INTO change VALUES (97, 1, 46, 'link', 1795385281941000);
INSERT INTO change VALUES (98, 1, 47, 'put', 1795385281947000);
INSERT INTO change VALUES (99, 1, 47, 'embed', 1795385281947000);
INSERT INTO change VALUES (100, 1, 48, 'put', 1795385281950000);
INSERT INTO change VALUES (101, 1, 48, 'link', 1795385281951000);
INSERT INTO change VALUES (102, 1, 49, 'put', 1795385281954000);
INSERT INTO change VALUES (103, 1, 49, 'embed', 1795385281954000);
INSERT INTO change VALUES (104, 1, 50, 'put', 1795385281961000);
INSERT INTO change VALUES (105, 1, 50, 'embed', 1795385281962000);
INSERT INTO change VALUES (106, 1, 50, 'put', 1795385281970000);
INSERT INTO change VALUES (107, 1, 51, 'put', 1795385281974000);
INSERT INTO change VALUES (108, 1, 51, 'embed', 1795385281974000);
INSERT INTO change VALUES (109, 1, 52, 'put', 1795385281978000);
INSERT INTO change VALUES (110, 1, 27, 'link', 1795385281978000);
INSERT INTO change VALUES (111, 1, 53, 'put', 1795385281995000);
INSERT INTO change VALUES (112, 1, 53, 'embed', 1795385281998000);
INSERT INTO change VALUES (113, 1, 53, 'put', 1795385282006000);
INSERT INTO change VALUES (114, 1, 53, 'embed', 1795385282006000);
INSERT INTO change VALUES (115, 1, 54, 'put', 1795385282013000);
INSERT INTO change VALUES (116, 1, 55, 'put', 1795385282014000);
INSERT INTO change VALUES (117, 1, 55, 'link', 1795385282014000);
INSERT INTO change VALUES (118, 1, 56, 'put', 1795385282015000);
INSERT INTO change VALUES (119, 1, 56, 'embed', 1795385282015000);
INSERT INTO change VALUES (120, 1, 57, 'put', 1795385282018000);
INSERT INTO change VALUES (121, 1, 56, 'link', 1795385282018000);
INSERT INTO change VALUES (122, 1, 58, 'put', 1795385282167000);
INSERT INTO change VALUES (123, 1, 59, 'put', 1795385282168000);
INSERT INTO change VALUES (124, 1, 60, 'put', 1795385282168000);
INSERT INTO change VALUES (125, 1, 61, 'put', 1795385282169000);
INSERT INTO change VALUES (126, 1, 62, 'put', 1795385282180000);
INSERT INTO change VALUES (127, 1, 63, 'put', 1795385282181000);
INSERT INTO change VALUES (128, 1, 63, 'link', 1795385282181000);
INSERT INTO change VALUES (129, 1, 64, 'put', 1795385282181000);
INSERT INTO change VALUES (130, 1, 64, 'embed', 1795385282182000);
INSERT INTO change VALUES (131, 1, 65, 'put', 1795385282182000);
INSERT INTO change VALUES (132, 1, 64, 'link', 1795385282182000);
INSERT INTO change VALUES (133, 1, 60, 'put', 1795385282182000);
INSERT INTO change VALUES (134, 1, 63, 'embed', 1795385282193000);
INSERT INTO change VALUES (135, 1, 62, 'embed', 1795385282193000);
INSERT INTO change VALUES (136, 1, 61, 'embed', 1795385282193000);
INSERT INTO change VALUES (137, 1, 60, 'embed', 1795385282193000);
INSERT INTO change VALUES (138, 1, 59, 'embed', 1795385282193000);
INSERT INTO change VALUES (139, 1, 58, 'embed', 1795385282194000);
INSERT INTO change VALUES (140, 1, 55, 'embed', 1795385282194000);
INSERT INTO change VALUES (141, 1, 54, 'embed', 1795385282194000);
INSERT INTO change VALUES (142, 1, 42, 'embed', 1795385282194000);
INSERT INTO change VALUES (143, 1, 41, 'embed', 1795385282194000);
INSERT INTO change VALUES (144, 1, 38, 'embed', 1795385282194000);
INSERT INTO change VALUES (145, 1, 37, 'embed', 1795385282194000);
INSERT INTO change VALUES (146, 1, 34, 'embed', 1795385282194000);
INSERT INTO change VALUES (147, 1, 32, 'embed', 1795385282194000);
INSERT INTO change VALUES (148, 1, 31, 'embed', 1795385282194000);
INSERT INTO change VALUES (149, 1, 30, 'embed', 1795385282195000);
INSERT INTO change VALUES (150, 1, 29, 'embed', 1795385282195000);
INSERT INTO change VALUES (151, 1, 28, 'embed', 1795385282195000);
INSERT INTO change VALUES (152, 1, 66, 'put', 1795385282627000);
INSERT INTO change VALUES (153, 1, 67, 'put', 1795385282627000);
INSERT INTO change VALUES (154, 1, 68, 'put', 1795385282627000);
INSERT INTO change VALUES (155, 1, 69, 'put', 1795385282627000);
INSERT INTO change VALUES (156, 1, 70, 'put', 1795385282627000);
INSERT INTO change VALUES (157, 1, 71, 'put', 1795385282627000);
INSERT INTO change VALUES (158, 1, 72, 'put', 1795385282627000);
INSERT INTO change VALUES (159, 1, 73, 'put', 1795385282627000);
INSERT INTO change VALUES (160, 1, 74, 'put', 1795385282627000);
INSERT INTO change VALUES (161, 1, 75, 'put', 1795385282627000);
INSERT INTO change VALUES (162, 1, 76, 'put', 1795385282627000);
INSERT INTO change VALUES (163, 1, 77, 'put', 1795385282627000);
INSERT INTO change VALUES (164, 1, 78, 'put', 1795385282627000);
INSERT INTO change VALUES (165, 1, 79, 'put', 1795385282627000);
INSERT INTO change VALUES (166, 1, 80, 'put', 1795385282627000);
INSERT INTO change VALUES (167, 1, 81, 'put', 1795385282627000);
INSERT INTO change VALUES (168, 1, 82, 'put', 1795385282629000);
INSERT INTO change VALUES (169, 1, 83, 'put', 1795385282629000);
INSERT INTO change VALUES (170, 1, 84, 'put', 1795385282629000);
INSERT INTO change VALUES (171, 1, 85, 'put', 1795385282629000);
INSERT INTO change VALUES (172, 1, 86, 'put', 1795385282629000);
INSERT INTO change VALUES (173, 1, 87, 'put', 1795385282629000);
INSERT INTO change VALUES (174, 1, 88, 'put', 1795385282629000);
INSERT INTO change VALUES (175, 1, 89, 'put', 1795385282629000);
INSERT INTO change VALUES (176, 1, 90, 'put', 1795385282629000);
INSERT INTO change VALUES (177, 1, 91, 'put', 1795385282629000);
INSERT INTO change VALUES (178, 1, 92, 'put', 1795385282629000);
INSERT INTO change VALUES (179, 1, 93, 'put', 1795385282629000);
INSERT INTO change VALUES (180, 1, 94, 'put', 1795385282629000);
INSERT INTO change VALUES (181, 1, 95, 'put', 1795385282629000);
INSERT INTO change VALUES (182, 1, 96, 'put', 1795385282629000);
INSERT INTO change VALUES (183, 1, 97, 'put', 1795385282629000);
INSERT INTO change VALUES (184, 1, 98, 'put', 1795385282629000);
INSERT INTO change VALUES (185, 1, 99, 'put', 1795385282629000);
INSERT INTO change VALUES (186, 1, 100, 'put', 1795385282629000);
INSERT INTO change VALUES (187, 1, 101, 'put', 1795385282629000);
INSERT INTO change VALUES (188, 1, 102, 'put', 1795385282629000);
INSERT INTO change VALUES (189, 1, 103, 'put', 1795385282629000);
INSERT INTO change VALUES (190, 1, 104, 'put', 1795385282629000);
INSERT INTO change VALUES (191, 1, 105, 'put', 1795385282629000);
INSERT INTO change VALUES (192, 1, 106, 'put', 1795385282629000);
INSERT INTO change VALUES (193, 1, 107, 'put', 1795385282629000);
INSERT INTO change VALUES (194, 1, 108, 'put', 1795385282629000);
INSERT INTO change VALUES (195, 1, 109, 'put', 1795385282629000);
INSERT INTO change VALUES (196, 1, 110, 'put', 1795385282691000);
INSERT INTO change VALUES (197, 1, 110, 'embed', 1795385282692000);
INSERT INTO change VALUES (198, 1, 111, 'put', 1795385282694000);
INSERT INTO change VALUES (199, 1, 111, 'embed', 1795385282695000);
INSERT INTO change VALUES (200, 1, 112, 'put', 1795385282697000);
INSERT INTO change VALUES (201, 1, 112, 'embed', 1795385282697000);
INSERT INTO change VALUES (202, 1, 113, 'put', 1795385282698000);
INSERT INTO change VALUES (203, 1, 112, 'link', 1795385282698000);
INSERT INTO change VALUES (204, 1, 110, 'link', 1795385282702000);
INSERT INTO change VALUES (205, 1, 110, 'link', 1795385282702000);
INSERT INTO change VALUES (206, 1, 110, 'link', 1795385282702000);
INSERT INTO change VALUES (207, 1, 110, 'link', 1795385282702000);
INSERT INTO change VALUES (208, 1, 111, 'link', 1795385282702000);
INSERT INTO change VALUES (209, 1, 111, 'link', 1795385282702000);
INSERT INTO change VALUES (210, 1, 93, 'put', 1795385282712000);
INSERT INTO change VALUES (211, 1, 110, 'link', 1795385282726000);
INSERT INTO change VALUES (212, 1, 111, 'link', 1795385282726000);
INSERT INTO change VALUES (213, 1, 109, 'embed', 1795385282733000);
INSERT INTO change VALUES (214, 1, 108, 'embed', 1795385282733000);
INSERT INTO change VALUES (215, 1, 107, 'embed', 1795385282733000);
INSERT INTO change VALUES (216, 1, 106, 'embed', 1795385282733000);
INSERT INTO change VALUES (217, 1, 105, 'embed', 1795385282733000);
INSERT INTO change VALUES (218, 1, 104, 'embed', 1795385282734000);
INSERT INTO change VALUES (219, 1, 103, 'embed', 1795385282734000);
INSERT INTO change VALUES (220, 1, 102, 'embed', 1795385282734000);
INSERT INTO change VALUES (221, 1, 101, 'embed', 1795385282734000);
INSERT INTO change VALUES (222, 1, 100, 'embed', 1795385282734000);
INSERT INTO change VALUES (223, 1, 99, 'embed', 1795385282734000);
INSERT INTO change VALUES (224, 1, 98, 'embed', 1795385282734000);
INSERT INTO change VALUES (225, 1, 97, 'embed', 1795385282734000);
INSERT INTO change VALUES (226, 1, 96, 'embed', 1795385282734000);
INSERT INTO change VALUES (227, 1, 95, 'embed', 1795385282734000);
INSERT INTO change VALUES (228, 1, 94, 'embed', 1795385282734000);
INSERT INTO change VALUES (229, 1, 93, 'embed', 1795385282734000);
INSERT INTO change VALUES (230, 1, 92, 'embed', 1795385282735000);
INSERT INTO change VALUES (231, 1, 91, 'embed', 1795385282735000);
INSERT INTO change VALUES (232, 1, 90, 'embed', 1795385282735000);
INSERT INTO change VALUES (233, 1, 89, 'embed', 1795385282735000);
INSERT INTO change VALUES (234, 1, 88, 'embed', 1795385282735000);
INSERT INTO change VALUES (235, 1, 87, 'embed', 1795385282735000);
INSERT INTO change VALUES (236, 1, 86, 'embed', 1795385282735000);
INSERT INTO change VALUES (237, 1, 85, 'embed', 1795385282735000);
INSERT INTO change VALUES (238, 1, 84, 'embed', 1795385282735000);
INSERT INTO change VALUES (239, 1, 83, 'embed', 1795385282735000);
INSERT INTO change VALUES (240, 1, 82, 'embed', 1795385282735000);
INSERT INTO change VALUES (241, 1, 114, 'put', 1795385283005000);
INSERT INTO change VALUES (242, 1, 6, 'put', 1795385283007000);
INSERT INTO change VALUES (243, 1, 115, 'put', 1795409311541000);
INSERT INTO change VALUES (244, 1, 115, 'embed', 1795409311556000);
INSERT INTO change VALUES (245, 1, 116, 'put', 1795409312272000);
INSERT INTO change VALUES (246, 1, 116, 'embed', 1795409312291000);
INSERT INTO change VALUES (247, 1, 117, 'put', 1795409312947000);
INSERT INTO change VALUES (248, 1, 117, 'embed', 1795409312962000);
INSERT INTO change VALUES (249, 1, 117, 'link', 1795409313554000);
INSERT INTO change VALUES (250, 1, 115, 'link', 1795409314130000);
INSERT INTO change VALUES (251, 1, 117, 'link', 1795409314456000);
INSERT INTO change VALUES (252, 1, 117, 'delete', 1795409314456000);
INSERT INTO change VALUES (253, 1, 118, 'put', 1795452708068000);
INSERT INTO change VALUES (254, 1, 119, 'put', 1795462956161000);
INSERT INTO change VALUES (255, 1, 119, 'embed', 1795462956178000);
INSERT INTO change VALUES (256, 1, 120, 'put', 1795462956817000);
INSERT INTO change VALUES (257, 1, 120, 'put', 1795462957542000);
INSERT INTO change VALUES (258, 1, 120, 'put', 1795462958431000);
INSERT INTO change VALUES (259, 1, 121, 'put', 1795462959541000);
INSERT INTO change VALUES (260, 1, 121, 'embed', 1795462959594000);
INSERT INTO change VALUES (261, 1, 122, 'put', 1795462961173000);
INSERT INTO change VALUES (262, 1, 122, 'embed', 1795462961199000);
INSERT INTO change VALUES (263, 1, 121, 'link', 1795462962174000);
INSERT INTO change VALUES (264, 1, 121, 'link', 1795462962774000);
INSERT INTO change VALUES (265, 1, 121, 'delete', 1795462962774000);
INSERT INTO change VALUES (266, 1, 121, 'put', 1795462963567000);
INSERT INTO change VALUES (267, 1, 121, 'link', 1795462963568000);
INSERT INTO change VALUES (268, 1, 123, 'put', 1795462964575000);
INSERT INTO change VALUES (269, 1, 123, 'embed', 1795462964644000);
INSERT INTO change VALUES (270, 1, 123, 'link', 1795462965857000);
INSERT INTO change VALUES (271, 1, 123, 'link', 1795462966906000);
INSERT INTO change VALUES (272, 1, 123, 'delete', 1795462966906000);
INSERT INTO change VALUES (273, 1, 1, 'put', 1795893111263000);
INSERT INTO change VALUES (274, 1, 2, 'put', 1795893111263000);
INSERT INTO change VALUES (275, 1, 3, 'put', 1795893111263000);
INSERT INTO change VALUES (276, 1, 4, 'put', 1795893111263000);
INSERT INTO change VALUES (277, 1, 5, 'put', 1795893111263000);
INSERT INTO change VALUES (278, 1, 6, 'put', 1795893111263000);
INSERT INTO change VALUES (279, 1, 7, 'put', 1795893111263000);
INSERT INTO change VALUES (280, 1, 8, 'put', 1795893111263000);
INSERT INTO change VALUES (281, 1, 9, 'put', 1795893111263000);
INSERT INTO change VALUES (282, 1, 10, 'put', 1795893111263000);
INSERT INTO change VALUES (283, 1, 12, 'put', 1795893111263000);
INSERT INTO change VALUES (284, 1, 13, 'put', 1795893111263000);
INSERT INTO change VALUES (285, 1, 14, 'put', 1795893111263000);
INSERT INTO change VALUES (286, 1, 15, 'put', 1795893111263000);
INSERT INTO change VALUES (287, 1, 16, 'put', 1795893111263000);
INSERT INTO change VALUES (288, 1, 17, 'put', 1795893111263000);
INSERT INTO change VALUES (289, 1, 18, 'put', 1795893111263000);
INSERT INTO change VALUES (290, 1, 19, 'put', 1795893111263000);
INSERT INTO change VALUES (291, 1, 20, 'put', 1795893111263000);
INSERT INTO change VALUES (292, 1, 21, 'put', 1795893111263000);
INSERT INTO change VALUES (293, 1, 22, 'put', 1795893111263000);
INSERT INTO change VALUES (294, 1, 23, 'put', 1795893111263000);
INSERT INTO change VALUES (295, 1, 24, 'put', 1795893111263000);
INSERT INTO change VALUES (296, 1, 25, 'put', 1795893111263000);
INSERT INTO change VALUES (297, 1, 26, 'put', 1795893111263000);
INSERT INTO change VALUES (298, 1, 27, 'put', 1795893111263000);
INSERT INTO change VALUES (299, 1, 28, 'put', 1795893111263000);
INSERT INTO change VALUES (300, 1, 29, 'put', 1795893111263000);
INSERT INTO change VALUES (301, 1, 30, 'put', 1795893111263000);
INSERT INTO change VALUES (302, 1, 31, 'put', 1795893111263000);
INSERT INTO change VALUES (303, 1, 32, 'put', 1795893111263000);
INSERT INTO change VALUES (304, 1, 33, 'put', 1795893111263000);
INSERT INTO change VALUES (305, 1, 34, 'put', 1795893111263000);
INSERT INTO change VALUES (306, 1, 35, 'put', 1795893111263000);
INSERT INTO change VALUES (307, 1, 36, 'put', 1795893111263000);
INSERT INTO change VALUES (308, 1, 37, 'put', 1795893111263000);
INSERT INTO change VALUES (309, 1, 38, 'put', 1795893111263000);
INSERT INTO change VALUES (310, 1, 39, 'put', 1795893111263000);
INSERT INTO change VALUES (311, 1, 40, 'put', 1795893111263000);
INSERT INTO change VALUES (312, 1, 41, 'put', 1795893111263000);
INSERT INTO change VALUES (313, 1, 42, 'put', 1795893111263000);
INSERT INTO change VALUES (314, 1, 43, 'put', 1795893111263000);
INSERT INTO change VALUES (315, 1, 44, 'put', 1795893111263000);
INSERT INTO change VALUES (316, 1, 45, 'put', 1795893111263000);
INSERT INTO change VALUES (317, 1, 46, 'put', 1795893111263000);
INSERT INTO change VALUES (318, 1, 47, 'put', 1795893111263000);
INSERT INTO change VALUES (319, 1, 48, 'put', 1795893111263000);
INSERT INTO change VALUES (320, 1, 49, 'put', 1795893111263000);
INSERT INTO change VALUES (321, 1, 50, 'put', 1795893111263000);
INSERT INTO change VALUES (322, 1, 51, 'put', 1795893111263000);
INSERT INTO change VALUES (323, 1, 52, 'put', 1795893111263000);
INSERT INTO change VALUES (324, 1, 53, 'put', 1795893111263000);
INSERT INTO change VALUES (325, 1, 54, 'put', 1795893111263000);
INSERT INTO change VALUES (326, 1, 55, 'put', 1795893111263000);
INSERT INTO change VALUES (327, 1, 56, 'put', 1795893111263000);
INSERT INTO change VALUES (328, 1, 57, 'put', 1795893111263000);
INSERT INTO change VALUES (329, 1, 58, 'put', 1795893111263000);
INSERT INTO change VALUES (330, 1, 59, 'put', 1795893111263000);
INSERT INTO change VALUES (331, 1, 60, 'put', 1795893111263000);
INSERT INTO change VALUES (332, 1, 61, 'put', 1795893111263000);
INSERT INTO change VALUES (333, 1, 62, 'put', 1795893111263000);
INSERT INTO change VALUES (334, 1, 63, 'put', 1795893111263000);
INSERT INTO change VALUES (335, 1, 64, 'put', 1795893111263000);
INSERT INTO change VALUES (336, 1, 65, 'put', 1795893111263000);
INSERT INTO change VALUES (337, 1, 66, 'put', 1795893111263000);
INSERT INTO change VALUES (338, 1, 67, 'put', 1795893111263000);
INSERT INTO change VALUES (339, 1, 68, 'put', 1795893111263000);
INSERT INTO change VALUES (340, 1, 69, 'put', 1795893111263000);
INSERT INTO change VALUES (341, 1, 70, 'put', 1795893111263000);
INSERT INTO change VALUES (342, 1, 71, 'put', 1795893111263000);
INSERT INTO change VALUES (343, 1, 72, 'put', 1795893111263000);
INSERT INTO change VALUES (344, 1, 73, 'put', 1795893111263000);
INSERT INTO change VALUES (345, 1, 74, 'put', 1795893111263000);
INSERT INTO change VALUES (346, 1, 75, 'put', 1795893111263000);
INSERT INTO change VALUES (347, 1, 76, 'put', 1795893111263000);
INSERT INTO change VALUES (348, 1, 77, 'put', 1795893111263000);
INSERT INTO change VALUES (349, 1, 78, 'put', 1795893111263000);
INSERT INTO change VALUES (350, 1, 79, 'put', 1795893111263000);
INSERT INTO change VALUES (351, 1, 80, 'put', 1795893111263000);
INSERT INTO change VALUES (352, 1, 81, 'put', 1795893111263000);
INSERT INTO change VALUES (353, 1, 82, 'put', 1795893111263000);
INSERT INTO change VALUES (354, 1, 83, 'put', 1795893111263000);
INSERT INTO change VALUES (355, 1, 84, 'put', 1795893111263000);
INSERT INTO change VALUES (356, 1, 85, 'put', 1795893111263000);
INSERT INTO change VALUES (357, 1, 86, 'put', 1795893111263000);
INSERT INTO change VALUES (358, 1, 87, 'put', 1795893111263000);
INSERT INTO change VALUES (359, 1, 88, 'put', 1795893111263000);
INSERT INTO change VALUES (360, 1, 89, 'put', 1795893111263000);
INSERT INTO change VALUES (361, 1, 90, 'put', 1795893111263000);
INSERT INTO change VALUES (362, 1, 91, 'put', 1795893111263000);
INSERT INTO change VALUES (363, 1, 92, 'put', 1795893111263000);
INSERT INTO change VALUES (364, 1, 93, 'put', 1795893111263000);
INSERT INTO change VALUES (365, 1, 94, 'put', 1795893111263000);
INSERT INTO change VALUES (366, 1, 95, 'put', 1795893111263000);
INSERT INTO change VALUES (367, 1, 96, 'put', 1795893111263000);
INSERT INTO change VALUES (368, 1, 97, 'put', 1795893111263000);
INSERT INTO change VALUES (369, 1, 98, 'put', 1795893111263000);
INSERT INTO change VALUES (370, 1, 99, 'put', 1795893111263000);
INSERT INTO change VALUES (371, 1, 100, 'put', 1795893111263000);
INSERT INTO change VALUES (372, 1, 101, 'put', 1795893111263000);
INSERT INTO change VALUES (373, 1, 102, 'put', 1795893111263000);
INSERT INTO change VALUES (374, 1, 103, 'put', 1795893111263000);
INSERT INTO change VALUES (375, 1, 104, 'put', 1795893111263000);
INSERT INTO change VALUES (376, 1, 105, 'put', 1795893111263000);
INSERT INTO change VALUES (377, 1, 106, 'put', 1795893111263000);
INSERT INTO change VALUES (378, 1, 107, 'put', 1795893111263000);
INSERT INTO change VALUES (379, 1, 108, 'put', 1795893111263000);
INSERT INTO change VALUES (380, 1, 109, 'put', 1795893111263000);
INSERT INTO change VALUES (381, 1, 110, 'put', 1795893111263000);
INSERT INTO change VALUES (382, 1, 111, 'put', 1795893111263000);
INSERT INTO change VALUES (383, 1, 112, 'put', 1795893111263000);
INSERT INTO change VALUES (384, 1, 113, 'put', 1795893111263000);
INSERT INTO change VALUES (385, 1, 114, 'put', 1795893111263000);
INSERT INTO change VALUES (386, 1, 115, 'put', 1795893111263000);
INSERT INTO change VALUES (387, 1, 116, 'put', 1795893111263000);
INSERT INTO change VALUES (388, 1, 118, 'put', 1795893111263000);
INSERT INTO change VALUES (389, 1, 119, 'put', 1795893111263000);
INSERT INTO change VALUES (390, 1, 120, 'put', 1795893111263000);
INSERT INTO change VALUES (391, 1, 121, 'put', 1795893111263000);
INSERT INTO change VALUES (392, 1, 122, 'put', 1795893111263000);
INSERT INTO change VALUES (393, 1, 124, 'put', 1795893113357000);
INSERT INTO change VALUES (394, 1, 125, 'put', 1795893115928000);
INSERT INTO change VALUES (395, 1, 125, 'link', 1795893118516000);
INSERT INTO change VALUES (396, 1, 124, 'put', 1795893118516000);
INSERT INTO change VALUES (397, 1, 125, 'put', 1795893120809000);
INSERT INTO change VALUES (398, 1, 126, 'put', 1795893122844000);
INSERT INTO change VALUES (399, 1, 126, 'link', 1795893122858000);
INSERT INTO change VALUES (400, 1, 126, 'link', 1795893125270000);
INSERT INTO change VALUES (401, 1, 126, 'delete', 1795893125270000);
INSERT INTO change VALUES (402, 1, 127, 'put', 1795893127958000);
INSERT INTO change VALUES (403, 1, 1, 'put', 1795902743159000);
INSERT INTO change VALUES (404, 1, 2, 'put', 1795902743159000);
INSERT INTO change VALUES (405, 1, 3, 'put', 1795902743159000);
INSERT INTO change VALUES (406, 1, 4, 'put', 1795902743159000);
INSERT INTO change VALUES (407, 1, 5, 'put', 1795902743159000);
INSERT INTO change VALUES (408, 1, 6, 'put', 1795902743159000);
INSERT INTO change VALUES (409, 1, 7, 'put', 1795902743159000);
INSERT INTO change VALUES (410, 1, 8, 'put', 1795902743159000);
INSERT INTO change VALUES (411, 1, 9, 'put', 1795902743159000);
INSERT INTO change VALUES (412, 1, 10, 'put', 1795902743159000);
INSERT INTO change VALUES (413, 1, 12, 'put', 1795902743159000);
INSERT INTO change VALUES (414, 1, 13, 'put', 1795902743159000);
INSERT INTO change VALUES (415, 1, 14, 'put', 1795902743159000);
INSERT INTO change VALUES (416, 1, 15, 'put', 1795902743159000);
INSERT INTO change VALUES (417, 1, 16, 'put', 1795902743159000);
INSERT INTO change VALUES (418, 1, 17, 'put', 1795902743159000);
INSERT INTO change VALUES (419, 1, 18, 'put', 1795902743159000);
INSERT INTO change VALUES (420, 1, 19, 'put', 1795902743159000);
INSERT INTO change VALUES (421, 1, 20, 'put', 1795902743159000);
INSERT INTO change VALUES (422, 1, 21, 'put', 1795902743159000);
INSERT INTO change VALUES (423, 1, 22, 'put', 1795902743159000);
INSERT INTO change VALUES (424, 1, 23, 'put', 1795902743159000);
INSERT INTO change VALUES (425, 1, 24, 'put', 1795902743159000);
INSERT INTO change VALUES (426, 1, 25, 'put', 1795902743159000);
INSERT INTO change VALUES (427, 1, 26, 'put', 1795902743159000);
INSERT INTO change VALUES (428, 1, 27, 'put', 1795902743159000);
INSERT INTO change VALUES (429, 1, 28, 'put', 1795902743159000);
INSERT INTO change VALUES (430, 1, 29, 'put', 1795902743159000);
INSERT INTO change VALUES (431, 1, 30, 'put', 1795902743159000);
INSERT INTO change VALUES (432, 1, 31, 'put', 1795902743159000);
INSERT INTO change VALUES (433, 1, 32, 'put', 1795902743159000);
INSERT INTO change VALUES (434, 1, 33, 'put', 1795902743159000);
INSERT INTO change VALUES (435, 1, 34, 'put', 1795902743159000);
INSERT INTO change VALUES (436, 1, 35, 'put', 1795902743159000);
INSERT INTO change VALUES (437, 1, 36, 'put', 1795902743159000);
INSERT INTO change VALUES (438, 1, 37, 'put', 1795902743159000);
INSERT INTO change VALUES (439, 1, 38, 'put', 1795902743159000);
INSERT INTO change VALUES (440, 1, 39, 'put', 1795902743159000);
INSERT INTO change VALUES (441, 1, 40, 'put', 1795902743159000);
INSERT INTO change VALUES (442, 1, 41, 'put', 1795902743159000);
INSERT INTO change VALUES (443, 1, 42, 'put', 1795902743159000);
INSERT INTO change VALUES (444, 1, 43, 'put', 1795902743159000);
INSERT INTO change VALUES (445, 1, 44, 'put', 1795902743159000);
INSERT INTO change VALUES (446, 1, 45, 'put', 1795902743159000);
INSERT INTO change VALUES (447, 1, 46, 'put', 1795902743159000);
INSERT INTO change VALUES (448, 1, 47, 'put', 1795902743159000);
INSERT INTO change VALUES (449, 1, 48, 'put', 1795902743159000);
INSERT INTO change VALUES (450, 1, 49, 'put', 1795902743159000);
INSERT INTO change VALUES (451, 1, 50, 'put', 1795902743159000);
INSERT INTO change VALUES (452, 1, 51, 'put', 1795902743159000);
INSERT INTO change VALUES (453, 1, 52, 'put', 1795902743159000);
INSERT INTO change VALUES (454, 1, 53, 'put', 1795902743159000);
INSERT INTO change VALUES (455, 1, 54, 'put', 1795902743159000);
INSERT INTO change VALUES (456, 1, 55, 'put', 1795902743159000);
INSERT INTO change VALUES (457, 1, 56, 'put', 1795902743159000);
INSERT INTO change VALUES (458, 1, 57, 'put', 1795902743159000);
INSERT INTO change VALUES (459, 1, 58, 'put', 1795902743159000);
INSERT INTO change VALUES (460, 1, 59, 'put', 1795902743159000);
INSERT INTO change VALUES (461, 1, 60, 'put', 1795902743159000);
INSERT INTO change VALUES (462, 1, 61, 'put', 1795902743159000);
INSERT INTO change VALUES (463, 1, 62, 'put', 1795902743159000);
INSERT INTO change VALUES (464, 1, 63, 'put', 1795902743159000);
INSERT INTO change VALUES (465, 1, 64, 'put', 1795902743159000);
INSERT INTO change VALUES (466, 1, 65, 'put', 1795902743159000);
INSERT INTO change VALUES (467, 1, 66, 'put', 1795902743159000);
INSERT INTO change VALUES (468, 1, 67, 'put', 1795902743159000);
INSERT INTO change VALUES (469, 1, 68, 'put', 1795902743159000);
INSERT INTO change VALUES (470, 1, 69, 'put', 1795902743159000);
INSERT INTO change VALUES (471, 1, 70, 'put', 1795902743159000);
INSERT INTO change VALUES (472, 1, 71, 'put', 1795902743159000);
INSERT INTO change VALUES (473, 1, 72, 'put', 1795902743159000);
INSERT INTO change VALUES (474, 1, 73, 'put', 1795902743159000);
INSERT INTO change VALUES (475, 1, 74, 'put', 1795902743159000);
INSERT INTO change VALUES (476, 1, 75, 'put', 1795902743159000);
INSERT INTO change VALUES (477, 1, 76, 'put', 1795902743159000);
INSERT INTO change VALUES (478, 1, 77, 'put', 1795902743159000);
INSERT INTO change VALUES (479, 1, 78, 'put', 1795902743159000);
INSERT INTO change VALUES (480, 1, 79, 'put', 1795902743159000);
INSERT INTO change VALUES (481, 1, 80, 'put', 1795902743159000);
INSERT INTO change VALUES (482, 1, 81, 'put', 1795902743159000);
INSERT INTO change VALUES (483, 1, 82, 'put', 1795902743159000);
INSERT INTO change VALUES (484, 1, 83, 'put', 1795902743159000);
INSERT INTO change VALUES (485, 1, 84, 'put', 1795902743159000);
INSERT INTO change VALUES (486, 1, 85, 'put', 1795902743159000);
INSERT INTO change VALUES (487, 1, 86, 'put', 1795902743159000);
INSERT INTO change VALUES (488, 1, 87, 'put', 1795902743159000);
INSERT INTO change VALUES (489, 1, 88, 'put', 1795902743159000);
INSERT INTO change VALUES (490, 1, 89, 'put', 1795902743159000);
INSERT INTO change VALUES (491, 1, 90, 'put', 1795902743159000);
INSERT INTO change VALUES (492, 1, 91, 'put', 1795902743159000);
INSERT INTO change VALUES (493, 1, 92, 'put', 1795902743159000);
INSERT INTO change VALUES (494, 1, 93, 'put', 1795902743159000);
INSERT INTO change VALUES (495, 1, 94, 'put', 1795902743159000);
INSERT INTO change VALUES (496, 1, 95, 'put', 1795902743159000);
INSERT INTO change VALUES (497, 1, 96, 'put', 1795902743159000);
INSERT INTO change VALUES (498, 1, 97, 'put', 1795902743159000);
INSERT INTO change VALUES (499, 1, 98, 'put', 1795902743159000);
INSERT INTO change VALUES (500, 1, 99, 'put', 1795902743159000);
INSERT INTO change VALUES (501, 1, 100, 'put', 1795902743159000);
INSERT INTO change VALUES (502, 1, 101, 'put', 1795902743159000);
INSERT INTO change VALUES (503, 1, 102, 'put', 1795902743159000);
INSERT INTO change VALUES (504, 1, 103, 'put', 1795902743159000);
INSERT INTO change VALUES (505, 1, 104, 'put', 1795902743159000);
INSERT INTO change VALUES (506, 1, 105, 'put', 1795902743159000);
INSERT INTO change VALUES (507, 1, 106, 'put', 1795902743159000);
INSERT INTO change VALUES (508, 1, 107, 'put', 1795902743159000);
INSERT INTO change VALUES (509, 1, 108, 'put', 1795902743159000);
INSERT INTO change VALUES (510, 1, 109, 'put', 1795902743159000);
INSERT INTO change VALUES (511, 1, 110, 'put', 1795902743159000);
INSERT INTO change VALUES (512, 1, 111, 'put', 1795902743159000);
INSERT INTO change VALUES (513, 1, 112, 'put', 1795902743159000);
INSERT INTO change VALUES (514, 1, 113, 'put', 1795902743159000);
INSERT INTO change VALUES (515, 1, 114, 'put', 1795902743159000);
INSERT INTO change VALUES (516, 1, 115, 'put', 1795902743159000);
INSERT INTO change VALUES (517, 1, 116, 'put', 1795902743159000);
INSERT INTO change VALUES (518, 1, 118, 'put', 1795902743159000);
INSERT INTO change VALUES (519, 1, 119, 'put', 1795902743159000);
INSERT INTO change VALUES (520, 1, 120, 'put', 1795902743159000);
INSERT INTO change VALUES (521, 1, 121, 'put', 1795902743159000);
INSERT INTO change VALUES (522, 1, 122, 'put', 1795902743159000);
INSERT INTO change VALUES (523, 1, 124, 'put', 1795902743159000);
INSERT INTO change VALUES (524, 1, 125, 'put', 1795902743159000);
INSERT INTO change VALUES (525, 1, 127, 'put', 1795902743159000);
INSERT INTO change VALUES (526, 1, 128, 'put', 1795902744044000);
INSERT INTO change VALUES (527, 1, 129, 'put', 1795902745076000);
INSERT INTO change VALUES (528, 1, 129, 'link', 1795902746328000);
INSERT INTO change VALUES (529, 1, 128, 'put', 1795902746328000);
INSERT INTO change VALUES (530, 1, 129, 'put', 1795902747840000);
INSERT INTO change VALUES (531, 1, 130, 'put', 1795902749169000);
INSERT INTO change VALUES (532, 1, 130, 'link', 1795902749291000);
INSERT INTO change VALUES (533, 1, 130, 'link', 1795902750493000);
INSERT INTO change VALUES (534, 1, 130, 'delete', 1795902750493000);
INSERT INTO change VALUES (535, 1, 1, 'put', 1795932302442000);
INSERT INTO change VALUES (536, 1, 2, 'put', 1795932302442000);
INSERT INTO change VALUES (537, 1, 3, 'put', 1795932302442000);
INSERT INTO change VALUES (538, 1, 4, 'put', 1795932302442000);
INSERT INTO change VALUES (539, 1, 5, 'put', 1795932302442000);
INSERT INTO change VALUES (540, 1, 6, 'put', 1795932302442000);
INSERT INTO change VALUES (541, 1, 7, 'put', 1795932302442000);
INSERT INTO change VALUES (542, 1, 8, 'put', 1795932302442000);
INSERT INTO change VALUES (543, 1, 9, 'put', 1795932302442000);
INSERT INTO change VALUES (544, 1, 10, 'put', 1795932302442000);
INSERT INTO change VALUES (545, 1, 12, 'put', 1795932302442000);
INSERT INTO change VALUES (546, 1, 13, 'put', 1795932302442000);
INSERT INTO change VALUES (547, 1, 14, 'put', 1795932302442000);
INSERT INTO change VALUES (548, 1, 15, 'put', 1795932302442000);
INSERT INTO change VALUES (549, 1, 16, 'put', 1795932302442000);
INSERT INTO change VALUES (550, 1, 17, 'put', 1795932302442000);
INSERT INTO change VALUES (551, 1, 18, 'put', 1795932302442000);
INSERT INTO change VALUES (552, 1, 19, 'put', 1795932302442000);
INSERT INTO change VALUES (553, 1, 20, 'put', 1795932302442000);
INSERT INTO change VALUES (554, 1, 21, 'put', 1795932302442000);
INSERT INTO change VALUES (555, 1, 22, 'put', 1795932302442000);
INSERT INTO change VALUES (556, 1, 23, 'put', 1795932302442000);
INSERT INTO change VALUES (557, 1, 24, 'put', 1795932302442000);
INSERT INTO change VALUES (558, 1, 25, 'put', 1795932302442000);
INSERT INTO change VALUES (559, 1, 26, 'put', 1795932302442000);
INSERT INTO change VALUES (560, 1, 27, 'put', 1795932302442000);
INSERT INTO change VALUES (561, 1, 28, 'put', 1795932302442000);
INSERT INTO change VALUES (562, 1, 29, 'put', 1795932302442000);
INSERT INTO change VALUES (563, 1, 30, 'put', 1795932302442000);
INSERT INTO change VALUES (564, 1, 31, 'put', 1795932302442000);
INSERT INTO change VALUES (565, 1, 32, 'put', 1795932302442000);
INSERT INTO change VALUES (566, 1, 33, 'put', 1795932302442000);
INSERT INTO change VALUES (567, 1, 34, 'put', 1795932302442000);
INSERT INTO change VALUES (568, 1, 35, 'put', 1795932302442000);
INSERT INTO change VALUES (569, 1, 36, 'put', 1795932302442000);
INSERT INTO change VALUES (570, 1, 37, 'put', 1795932302442000);
INSERT INTO change VALUES (571, 1, 38, 'put', 1795932302442000);
INSERT INTO change VALUES (572, 1, 39, 'put', 1795932302442000);
INSERT INTO change VALUES (573, 1, 40, 'put', 1795932302442000);
INSERT INTO change VALUES (574, 1, 41, 'put', 1795932302442000);
INSERT INTO change VALUES (575, 1, 42, 'put', 1795932302442000);
INSERT INTO change VALUES (576, 1, 43, 'put', 1795932302442000);
INSERT INTO change VALUES (577, 1, 44, 'put', 1795932302442000);
INSERT INTO change VALUES (578, 1, 45, 'put', 1795932302442000);
INSERT INTO change VALUES (579, 1, 46, 'put', 1795932302442000);
INSERT INTO change VALUES (580, 1, 47, 'put', 1795932302442000);
INSERT INTO change VALUES (581, 1, 48, 'put', 1795932302442000);
INSERT INTO change VALUES (582, 1, 49, 'put', 1795932302442000);
INSERT INTO change VALUES (583, 1, 50, 'put', 1795932302442000);
INSERT INTO change VALUES (584, 1, 51, 'put', 1795932302442000);
INSERT INTO change VALUES (585, 1, 52, 'put', 1795932302442000);
INSERT INTO change VALUES (586, 1, 53, 'put', 1795932302442000);
INSERT INTO change VALUES (587, 1, 54, 'put', 1795932302442000);
INSERT INTO change VALUES (588, 1, 55, 'put', 1795932302442000);
INSERT INTO change VALUES (589, 1, 56, 'put', 1795932302442000);
INSERT INTO change VALUES (590, 1, 57, 'put', 1795932302442000);
INSERT INTO change VALUES (591, 1, 58, 'put', 1795932302442000);
INSERT INTO change VALUES (592, 1, 59, 'put', 1795932302442000);
INSERT INTO change VALUES (593, 1, 60, 'put', 1795932302442000);
INSERT INTO change VALUES (594, 1, 61, 'put', 1795932302442000);
INSERT INTO change VALUES (595, 1, 62, 'put', 1795932302442000);
INSERT INTO change VALUES (596, 1, 63, 'put', 1795932302442000);
INSERT INTO change VALUES (597, 1, 64, 'put', 1795932302442000);
INSERT INTO change VALUES (598, 1, 65, 'put', 1795932302442000);
INSERT INTO change VALUES (599, 1, 66, 'put', 1795932302442000);
INSERT INTO change VALUES (600, 1, 67, 'put', 1795932302442000);
INSERT INTO change VALUES (601, 1, 68, 'put', 1795932302442000);
INSERT INTO change VALUES (602, 1, 69, 'put', 1795932302442000);
INSERT INTO change VALUES (603, 1, 70, 'put', 1795932302442000);
INSERT INTO change VALUES (604, 1, 71, 'put', 1795932302442000);
INSERT INTO change VALUES (605, 1, 72, 'put', 1795932302442000);
INSERT INTO change VALUES (606, 1, 73, 'put', 1795932302442000);
INSERT INTO change VALUES (607, 1, 74, 'put', 1795932302442000);
INSERT INTO change VALUES (608, 1, 75, 'put', 1795932302442000);
INSERT INTO change VALUES (609, 1, 76, 'put', 1795932302442000);
INSERT INTO change VALUES (610, 1, 77, 'put', 1795932302442000);
INSERT INTO change VALUES (611, 1, 78, 'put', 1795932302442000);
INSERT INTO change VALUES (612, 1, 79, 'put', 1795932302442000);
INSERT INTO change VALUES (613, 1, 80, 'put', 1795932302442000);
INSERT INTO change VALUES (614, 1, 81, 'put', 1795932302442000);
INSERT INTO change VALUES (615, 1, 82, 'put', 1795932302442000);
INSERT INTO change VALUES (616, 1, 83, 'put', 1795932302442000);
INSERT INTO change VALUES (617, 1, 84, 'put', 1795932302442000);
INSERT INTO change VALUES (618, 1, 85, 'put', 1795932302442000);
INSERT INTO change VALUES (619, 1, 86, 'put', 1795932302442000);
INSERT INTO change VALUES (620, 1, 87, 'put', 1795932302442000);
INSERT INTO change VALUES (621, 1, 88, 'put', 1795932302442000);
INSERT INTO change VALUES (622, 1, 89, 'put', 1795932302442000);
INSERT INTO change VALUES (623, 1, 90, 'put', 1795932302442000);
INSERT INTO change VALUES (624, 1, 91, 'put', 1795932302442000);
INSERT INTO change VALUES (625, 1, 92, 'put', 1795932302442000);
INSERT INTO change VALUES (626, 1, 93, 'put', 1795932302442000);
INSERT INTO change VALUES (627, 1, 94, 'put', 1795932302442000);
INSERT INTO change VALUES (628, 1, 95, 'put', 1795932302442000);
INSERT INTO change VALUES (629, 1, 96, 'put', 1795932302442000);
INSERT INTO change VALUES (630, 1, 97, 'put', 1795932302442000);
INSERT INTO change VALUES (631, 1, 98, 'put', 1795932302442000);
INSERT INTO change VALUES (632, 1, 99, 'put', 1795932302442000);
INSERT INTO change VALUES (633, 1, 100, 'put', 1795932302442000);
INSERT INTO change VALUES (634, 1, 101, 'put', 1795932302442000);
INSERT INTO change VALUES (635, 1, 102, 'put', 1795932302442000);
INSERT INTO change VALUES (636, 1, 103, 'put', 1795932302442000);
INSERT INTO change VALUES (637, 1, 104, 'put', 1795932302442000);
INSERT INTO change VALUES (638, 1, 105, 'put', 1795932302442000);
INSERT INTO change VALUES (639, 1, 106, 'put', 1795932302442000);
INSERT INTO change VALUES (640, 1, 107, 'put', 1795932302442000);
INSERT INTO change VALUES (641, 1, 108, 'put', 1795932302442000);
INSERT INTO change VALUES (642, 1, 109, 'put', 1795932302442000);
INSERT INTO change VALUES (643, 1, 110, 'put', 1795932302442000);
INSERT INTO change VALUES (644, 1, 111, 'put', 1795932302442000);
INSERT INTO change VALUES (645, 1, 112, 'put', 1795932302442000);
INSERT INTO change VALUES (646, 1, 113, 'put', 1795932302442000);
INSERT INTO change VALUES (647, 1, 114, 'put', 1795932302442000);
INSERT INTO change VALUES (648, 1, 115, 'put', 1795932302442000);
INSERT INTO change VALUES (649, 1, 116, 'put', 1795932302442000);
INSERT INTO change VALUES (650, 1, 118, 'put', 1795932302442000);
INSERT INTO change VALUES (651, 1, 119, 'put', 1795932302442000);
INSERT INTO change VALUES (652, 1, 120, 'put', 1795932302442000);
INSERT INTO change VALUES (653, 1, 121, 'put', 1795932302442000);
INSERT INTO change VALUES (654, 1, 122, 'put', 1795932302442000);
INSERT INTO change VALUES (655, 1, 124, 'put', 1795932302442000);
INSERT INTO change VALUES (656, 1, 125, 'put', 1795932302442000);
INSERT INTO change VALUES (657, 1, 127, 'put', 1795932302442000);
INSERT INTO change VALUES (658, 1, 128, 'put', 1795932302442000);
INSERT INTO change VALUES (659, 1, 129, 'put', 1795932302442000);
INSERT INTO change VALUES (660, 1, 131, 'put', 1795932303160000);
INSERT INTO change VALUES (661, 1, 132, 'put', 1795932303802000);
INSERT INTO change VALUES (662, 1, 133, 'put', 1795932304528000);
INSERT INTO change VALUES (663, 1, 1, 'put', 1796026970070000);
INSERT INTO change VALUES (664, 1, 2, 'put', 1796026970070000);
INSERT INTO change VALUES (665, 1, 3, 'put', 1796026970070000);
INSERT INTO change VALUES (666, 1, 4, 'put', 1796026970070000);
INSERT INTO change VALUES (667, 1, 5, 'put', 1796026970070000);
INSERT INTO change VALUES (668, 1, 6, 'put', 1796026970070000);
INSERT INTO change VALUES (669, 1, 7, 'put', 1796026970070000);
INSERT INTO change VALUES (670, 1, 8, 'put', 1796026970070000);
INSERT INTO change VALUES (671, 1, 9, 'put', 1796026970070000);
INSERT INTO change VALUES (672, 1, 10, 'put', 1796026970070000);
INSERT INTO change VALUES (673, 1, 12, 'put', 1796026970070000);
INSERT INTO change VALUES (674, 1, 13, 'put', 1796026970070000);
INSERT INTO change VALUES (675, 1, 14, 'put', 1796026970070000);
INSERT INTO change VALUES (676, 1, 15, 'put', 1796026970070000);
INSERT INTO change VALUES (677, 1, 16, 'put', 1796026970070000);
INSERT INTO change VALUES (678, 1, 17, 'put', 1796026970070000);
INSERT INTO change VALUES (679, 1, 18, 'put', 1796026970070000);
INSERT INTO change VALUES (680, 1, 19, 'put', 1796026970070000);
INSERT INTO change VALUES (681, 1, 20, 'put', 1796026970070000);
INSERT INTO change VALUES (682, 1, 21, 'put', 1796026970070000);
INSERT INTO change VALUES (683, 1, 22, 'put', 1796026970070000);
INSERT INTO change VALUES (684, 1, 23, 'put', 1796026970070000);
INSERT INTO change VALUES (685, 1, 24, 'put', 1796026970070000);
INSERT INTO change VALUES (686, 1, 25, 'put', 1796026970070000);
INSERT INTO change VALUES (687, 1, 26, 'put', 1796026970070000);
INSERT INTO change VALUES (688, 1, 27, 'put', 1796026970070000);
INSERT INTO change VALUES (689, 1, 28, 'put', 1796026970070000);
INSERT INTO change VALUES (690, 1, 29, 'put', 1796026970070000);
INSERT INTO change VALUES (691, 1, 30, 'put', 1796026970070000);
INSERT INTO change VALUES (692, 1, 31, 'put', 1796026970070000);
INSERT INTO change VALUES (693, 1, 32, 'put', 1796026970070000);
INSERT INTO change VALUES (694, 1, 33, 'put', 1796026970070000);
INSERT INTO change VALUES (695, 1, 34, 'put', 1796026970070000);
INSERT INTO change VALUES (696, 1, 35, 'put', 1796026970070000);
INSERT INTO change VALUES (697, 1, 36, 'put', 1796026970070000);
INSERT INTO change VALUES (698, 1, 37, 'put', 1796026970070000);
INSERT INTO change VALUES (699, 1, 38, 'put', 1796026970070000);
INSERT INTO change VALUES (700, 1, 39, 'put', 1796026970070000);
INSERT INTO change VALUES (701, 1, 40, 'put', 1796026970070000);
INSERT INTO change VALUES (702, 1, 41, 'put', 1796026970070000);
INSERT INTO change VALUES (703, 1, 42, 'put', 1796026970070000);
INSERT INTO change VALUES (704, 1, 43, 'put', 1796026970070000);
INSERT INTO change VALUES (705, 1, 44, 'put', 1796026970070000);
INSERT INTO change VALUES (706, 1, 45, 'put', 1796026970070000);
INSERT INTO change VALUES (707, 1, 46, 'put', 1796026970070000);
INSERT INTO change VALUES (708, 1, 47, 'put', 1796026970070000);
INSERT INTO change VALUES (709, 1, 48, 'put', 1796026970070000);
INSERT INTO change VALUES (710, 1, 49, 'put', 1796026970070000);
INSERT INTO change VALUES (711, 1, 50, 'put', 1796026970070000);
INSERT INTO change VALUES (712, 1, 51, 'put', 1796026970070000);
INSERT INTO change VALUES (713, 1, 52, 'put', 1796026970070000);
INSERT INTO change VALUES (714, 1, 53, 'put', 1796026970070000);
INSERT INTO change VALUES (715, 1, 54, 'put', 1796026970070000);
INSERT INTO change VALUES (716, 1, 55, 'put', 1796026970070000);
INSERT INTO change VALUES (717, 1, 56, 'put', 1796026970070000);
INSERT INTO change VALUES (718, 1, 57, 'put', 1796026970070000);
INSERT INTO change VALUES (719, 1, 58, 'put', 1796026970070000);
INSERT INTO change VALUES (720, 1, 59, 'put', 1796026970070000);
INSERT INTO change VALUES (721, 1, 60, 'put', 1796026970070000);
INSERT INTO change VALUES (722, 1, 61, 'put', 1796026970070000);
INSERT INTO change VALUES (723, 1, 62, 'put', 1796026970070000);
INSERT INTO change VALUES (724, 1, 63, 'put', 1796026970070000);
INSERT INTO change VALUES (725, 1, 64, 'put', 1796026970070000);
INSERT INTO change VALUES (726, 1, 65, 'put', 1796026970070000);
INSERT INTO change VALUES (727, 1, 66, 'put', 1796026970070000);
INSERT INTO change VALUES (728, 1, 67, 'put', 1796026970070000);
INSERT INTO change VALUES (729, 1, 68, 'put', 1796026970070000);
INSERT INTO change VALUES (730, 1, 69, 'put', 1796026970070000);
INSERT INTO change VALUES (731, 1, 70, 'put', 1796026970070000);
INSERT INTO change VALUES (732, 1, 71, 'put', 1796026970070000);
INSERT INTO change VALUES (733, 1, 72, 'put', 1796026970070000);
INSERT INTO change VALUES (734, 1, 73, 'put', 1796026970070000);
INSERT INTO change VALUES (735, 1, 74, 'put', 1796026970070000);
INSERT INTO change VALUES (736, 1, 75, 'put', 1796026970070000);
INSERT INTO change VALUES (737, 1, 76, 'put', 1796026970070000);
INSERT INTO change VALUES (738, 1, 77, 'put', 1796026970070000);
INSERT INTO change VALUES (739, 1, 78, 'put', 1796026970070000);
INSERT INTO change VALUES (740, 1, 79, 'put', 1796026970070000);
INSERT INTO change VALUES (741, 1, 80, 'put', 1796026970070000);
INSERT INTO change VALUES (742, 1, 81, 'put', 1796026970070000);
INSERT INTO change VALUES (743, 1, 82, 'put', 1796026970070000);
INSERT INTO change VALUES (744, 1, 83, 'put', 1796026970070000);
INSERT INTO change VALUES (745, 1, 84, 'put', 1796026970070000);
INSERT INTO change VALUES (746, 1, 85, 'put', 1796026970070000);
INSERT INTO change VALUES (747, 1, 86, 'put', 1796026970070000);
INSERT INTO change VALUES (748, 1, 87, 'put', 1796026970070000);
INSERT INTO change VALUES (749, 1, 88, 'put', 1796026970070000);
INSERT INTO change VALUES (750, 1, 89, 'put', 1796026970070000);
INSERT INTO change VALUES (751, 1, 90, 'put', 1796026970070000);
INSERT INTO change VALUES (752, 1, 91, 'put', 1796026970070000);
INSERT INTO change VALUES (753, 1, 92, 'put', 1796026970070000);
INSERT INTO change VALUES (754, 1, 93, 'put', 1796026970070000);
INSERT INTO change VALUES (755, 1, 94, 'put', 1796026970070000);
INSERT INTO change VALUES (756, 1, 95, 'put', 1796026970070000);
INSERT INTO change VALUES (757, 1, 96, 'put', 1796026970070000);
INSERT INTO change VALUES (758, 1, 97, 'put', 1796026970070000);
INSERT INTO change VALUES (759, 1, 98, 'put', 1796026970070000);
INSERT INTO change VALUES (760, 1, 99, 'put', 1796026970070000);
INSERT INTO change VALUES (761, 1, 100, 'put', 1796026970070000);
INSERT INTO change VALUES (762, 1, 101, 'put', 1796026970070000);
INSERT INTO change VALUES (763, 1, 102, 'put', 1796026970070000);
INSERT INTO change VALUES (764, 1, 103, 'put', 1796026970070000);
INSERT INTO change VALUES (765, 1, 104, 'put', 1796026970070000);
INSERT INTO change VALUES (766, 1, 105, 'put', 1796026970070000);
INSERT INTO change VALUES (767, 1, 106, 'put', 1796026970070000);
INSERT INTO change VALUES (768, 1, 107, 'put', 1796026970070000);
INSERT INTO change VALUES (769, 1, 108, 'put', 1796026970070000);
INSERT INTO change VALUES (770, 1, 109, 'put', 1796026970070000);
INSERT INTO change VALUES (771, 1, 110, 'put', 1796026970070000);
INSERT INTO change VALUES (772, 1, 111, 'put', 1796026970070000);
INSERT INTO change VALUES (773, 1, 112, 'put', 1796026970070000);
INSERT INTO change VALUES (774, 1, 113, 'put', 1796026970070000);
INSERT INTO change VALUES (775, 1, 114, 'put', 1796026970070000);
INSERT INTO change VALUES (776, 1, 115, 'put', 1796026970070000);
INSERT INTO change VALUES (777, 1, 116, 'put', 1796026970070000);
INSERT INTO change VALUES (778, 1, 118, 'put', 1796026970070000);
INSERT INTO change VALUES (779, 1, 119, 'put', 1796026970070000);
INSERT INTO change VALUES (780, 1, 120, 'put', 1796026970070000);
INSERT INTO change VALUES (781, 1, 121, 'put', 1796026970070000);
INSERT INTO change VALUES (782, 1, 122, 'put', 1796026970070000);
INSERT INTO change VALUES (783, 1, 124, 'put', 1796026970070000);
INSERT INTO change VALUES (784, 1, 125, 'put', 1796026970070000);
INSERT INTO change VALUES (785, 1, 127, 'put', 1796026970070000);
INSERT INTO change VALUES (786, 1, 128, 'put', 1796026970070000);
INSERT INTO change VALUES (787, 1, 129, 'put', 1796026970070000);
INSERT INTO change VALUES (788, 1, 131, 'put', 1796026970070000);
INSERT INTO change VALUES (789, 1, 132, 'put', 1796026970070000);
INSERT INTO change VALUES (790, 1, 133, 'put', 1796026970070000);
INSERT INTO change VALUES (791, 1, 134, 'put', 1796026971231000);
INSERT INTO change VALUES (792, 1, 134, 'put', 1796026973307000);
INSERT INTO change VALUES (793, 1, 135, 'put', 1796052457724000);
INSERT INTO change VALUES (794, 1, 136, 'put', 1796052457790000);
INSERT INTO change VALUES (795, 1, 137, 'put', 1796052457792000);
INSERT INTO change VALUES (796, 1, 135, 'put', 1796052457820000);
INSERT INTO change VALUES (797, 1, 136, 'put', 1796052457827000);
INSERT INTO change VALUES (798, 1, 137, 'link', 1796052457832000);
INSERT INTO change VALUES (799, 1, 137, 'link', 1796052457841000);
INSERT INTO change VALUES (800, 1, 137, 'delete', 1796052457841000);
INSERT INTO change VALUES (801, 1, 135, 'link', 1796052457847000);
INSERT INTO change VALUES (802, 1, 135, 'link', 1796052457851000);
INSERT INTO event VALUES (1, 1, 1795322414123458, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["d867fd3b-8a85-49c3-910d-cb2f13552053"]', 'ok', 124098, 153, '');
INSERT INTO event VALUES (2, 1, 1795322428123460, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["05a90863-15f4-4f54-a406-f1f52a1ffb78"]', 'ok', 2672, 137, '');
INSERT INTO event VALUES (3, 1, 1795322442123462, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["88a5f0e8-6b07-46d6-971b-ff80a89e7320"]', 'ok', 3505, 122, '');
INSERT INTO event VALUES (4, 1, 1795322456123464, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["f75d02e4-1c2e-4cb0-8a9f-9b1981801e03"]', 'ok', 5660, 136, '');
INSERT INTO event VALUES (5, 1, 1795322470123466, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["2b03729e-b451-40fe-aafd-138d77338e43"]', 'ok', 3596, 141, '');
INSERT INTO event VALUES (6, 1, 1795322484123468, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["8460dd38-8aca-4de9-8e7e-8762c2c1ab58"]', 'ok', 2200, 116, '');
INSERT INTO event VALUES (7, 1, 1795322498123470, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["d8c7dd3c-c190-476c-934a-46c8af601e32"]', 'ok', 7365, 139, '');
INSERT INTO event VALUES (8, 1, 1795322512123472, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["164eea9d-1f81-4a1a-85ec-55929f9fda10"]', 'ok', 6756, 148, '');
INSERT INTO event VALUES (9, 1, 1795322526123474, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["51aaf8d8-618c-4e95-9eda-bf030621b929"]', 'ok', 2767, 130, '');
INSERT INTO event VALUES (10, 1, 1795322540123476, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["9cc70f43-2600-46b1-9316-b226931ea7a8"]', 'ok', 6601, 127, '');
INSERT INTO event VALUES (11, 1, 1795322554123478, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["988d4a13-f710-41bc-8940-3c69a840234f"]', 'ok', 9483, 138, '');
INSERT INTO event VALUES (12, 1, 1795322568123480, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["42f58a90-3c29-4be4-9133-89e0a932bc3a"]', 'ok', 7237, 131, '');
INSERT INTO event VALUES (13, 1, 1795322582123482, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["674b5083-bdff-4fba-b542-776274e93a0b"]', 'ok', 2645, 577, '');
INSERT INTO event VALUES (14, 1, 1795322596123484, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["d867fd3b-8a85-49c3-910d-cb2f13552053", "2b03729e-b451-40fe-aafd-138d77338e43"]', 'ok', 5263, 150, '');
INSERT INTO event VALUES (15, 1, 1795322610123486, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["51aaf8d8-618c-4e95-9eda-bf030621b929", "164eea9d-1f81-4a1a-85ec-55929f9fda10"]', 'ok', 1833, 136, '');
INSERT INTO event VALUES (16, 1, 1795322624123488, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["164eea9d-1f81-4a1a-85ec-55929f9fda10", "51aaf8d8-618c-4e95-9eda-bf030621b929"]', 'ok', 4901, 152, '');
INSERT INTO event VALUES (17, 1, 1795322638123490, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["988d4a13-f710-41bc-8940-3c69a840234f", "d8c7dd3c-c190-476c-934a-46c8af601e32"]', 'ok', 13640, 136, '');
INSERT INTO event VALUES (18, 1, 1795322652123492, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["988d4a13-f710-41bc-8940-3c69a840234f", "d867fd3b-8a85-49c3-910d-cb2f13552053"]', 'ok', 7107, 149, '');
INSERT INTO event VALUES (19, 1, 1795322785123511, 'session_1f2e01e60976', 'session_1f2e01e60976', 'recall_memory', '["d867fd3b-8a85-49c3-910d-cb2f13552053", "2b03729e-b451-40fe-aafd-138d77338e43", "51aaf8d8-618c-4e95-9eda-bf030621b929"]', 'ok', 78463, 25, '');
INSERT INTO event VALUES (20, 1, 1795322813123515, 'session_1f2e01e60976', 'session_1f2e01e60976', 'recall_memory', '["d867fd3b-8a85-49c3-910d-cb2f13552053", "2b03729e-b451-40fe-aafd-138d77338e43", "988d4a13-f710-41bc-8940-3c69a840234f"]', 'ok', 15920, 34, '');
INSERT INTO event VALUES (21, 1, 1795322841123519, 'session_1f2e01e60976', 'session_1f2e01e60976', 'recall_memory', '["sol_1", "fail_2", "d8c7dd3c-c190-476c-934a-46c8af601e32"]', 'ok', 3185, 35, '');
INSERT INTO event VALUES (22, 1, 1795322869123523, 'session_1f2e01e60976', 'session_1f2e01e60976', 'recall_memory', '["51aaf8d8-618c-4e95-9eda-bf030621b929", "164eea9d-1f81-4a1a-85ec-55929f9fda10", "f75d02e4-1c2e-4cb0-8a9f-9b1981801e03"]', 'ok', 8252, 31, '');
INSERT INTO event VALUES (23, 1, 1795322897123527, 'session_1f2e01e60976', 'session_1f2e01e60976', 'update_memory', '["42f58a90-3c29-4be4-9133-89e0a932bc3a"]', 'ok', 14923, 105, '');
INSERT INTO event VALUES (24, 1, 1795322911123529, 'session_1f2e01e60976', 'session_1f2e01e60976', 'delete_memory', '["988d4a13-f710-41bc-8940-3c69a840234f"]', 'ok', 3974, 46, '');
INSERT INTO event VALUES (25, 1, 1795322932123532, 'session_1f2e01e60976', 'session_1f2e01e60976', 'associate_memories', '["d867fd3b-8a85-49c3-910d-cb2f13552053", "2b03729e-b451-40fe-aafd-138d77338e43"]', 'ok', 2371, 149, '');
INSERT INTO event VALUES (26, 1, 1795322946123534, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["doc_42"]', 'ok', 11164, 4052, '');
INSERT INTO event VALUES (27, 1, 1795322960123536, 'session_1f2e01e60976', 'session_1f2e01e60976', 'store_memory', '["doc_48"]', 'ok', 2808, 115, '');
INSERT INTO event VALUES (28, 1, 1795322981123539, 'session_1f2e01e60976', 'session_1f2e01e60976', 'matrix_store', '["sol_eee13dab"]', 'ok', 32960, 160, '');
INSERT INTO event VALUES (29, 1, 1795323002123542, 'session_1f2e01e60976', 'session_1f2e01e60976', 'matrix_reward', '["sol_eee13dab"]', 'ok', 5879, 77, '');
INSERT INTO event VALUES (30, 1, 1795323051123549, 'session_1f2e01e60976', 'session_1f2e01e60976', 'matrix_failure', '["fail_5c049621"]', 'ok', 5977, 167, '');
INSERT INTO event VALUES (31, 1, 1795323093123555, 'session_1f2e01e60976', 'session_1f2e01e60976', 'matrix_failure', '["fail_5c049621"]', 'ok', 6574, 167, '');
INSERT INTO event VALUES (32, 1, 1795323114123558, 'session_1f2e01e60976', 'session_1f2e01e60976', 'create_entities', '["Ann \u041a\u043b\u044e\u0447", "Gone"]', 'ok', 5221, 172, '');
INSERT INTO event VALUES (33, 1, 1795323128123560, 'session_1f2e01e60976', 'session_1f2e01e60976', 'create_relations', '["Ann \u041a\u043b\u044e\u0447", "Gone"]', 'ok', 2666, 75, '');
INSERT INTO event VALUES (34, 1, 1795323142123562, 'session_1f2e01e60976', 'session_1f2e01e60976', 'memorize', '["lesson-1"]', 'ok', 3422, 137, '');
INSERT INTO event VALUES (35, 1, 1795323156123564, 'session_1f2e01e60976', 'session_1f2e01e60976', 'memorize', '["lesson-2"]', 'ok', 1404, 40, '');
INSERT INTO event VALUES (36, 1, 1795323170123566, 'session_1f2e01e60976', 'session_1f2e01e60976', 'feedback', '["lesson-2"]', 'ok', 3833, 42, '');
INSERT INTO event VALUES (37, 1, 1795323191123569, 'session_1f2e01e60976', 'session_1f2e01e60976', 'refine_memory', '["05a90863-15f4-4f54-a406-f1f52a1ffb78", "c6aa2392-a718-4589-ad03-1616328898a6"]', 'ok', 5699, 122, '');
INSERT INTO event VALUES (38, 1, 1795323219123573, 'session_1f2e01e60976', 'talk', 'log_chat', '["msg_50"]', 'ok', 10018, 113, '');
INSERT INTO event VALUES (39, 1, 1795323240123576, 'session_1f2e01e60976', 'talk', 'log_chat', '["msg_51"]', 'ok', 5573, 130, '');
INSERT INTO event VALUES (40, 1, 1795323261123579, 'session_1f2e01e60976', 'talk', 'store_context_links', '["a message of elsewhere"]', 'ok', 3724, 59, '');
INSERT INTO event VALUES (41, 1, 1795323275123581, 'session_1f2e01e60976', 'talk', 'add_todo', '["todo:53"]', 'ok', 4517, 87, '');
INSERT INTO event VALUES (42, 1, 1795323289123583, 'session_1f2e01e60976', 'talk', 'add_todo', '["todo:54"]', 'ok', 4700, 25, '');
INSERT INTO event VALUES (43, 1, 1795323310123586, 'session_1f2e01e60976', 'talk', 'complete_todo', '["todo:54"]', 'ok', 6249, 15, '');
INSERT INTO event VALUES (44, 1, 1795323324123588, 'session_1f2e01e60976', 'talk', 'log_code_attempt', '["attempt:55"]', 'ok', 3766, 102, '');
INSERT INTO event VALUES (45, 1, 1795323345123591, 'session_1f2e01e60976', 'talk', 'link_resources', '["doc_42", "doc_900"]', 'ok', 4203, 91, '');
INSERT INTO event VALUES (46, 1, 1795323408123600, 'session_8fc22f0587a5', 'session_8fc22f0587a5', 'store_memory', '["42ae04fd-9453-4a18-8baf-0b39805f7030"]', 'ok', 8445, 102, 'tok_878d5055');
INSERT INTO event VALUES (47, 1, 1795323429123603, 'session_8fc22f0587a5', 'session_8fc22f0587a5', 'update_memory', '["42ae04fd-9453-4a18-8baf-0b39805f7030"]', 'ok', 6929, 117, 'tok_878d5055');
INSERT INTO event VALUES (48, 1, 1795323492123612, 'session_2ffac72ee96d', 'session_2ffac72ee96d', 'matrix_failure', '["fail_211a1138"]', 'ok', 12507, 161, 'tok_56044a95');
INSERT INTO event VALUES (49, 1, 1795323520123616, 'session_8fc22f0587a5', 'session_8fc22f0587a5', 'recall_memory', '["42ae04fd-9453-4a18-8baf-0b39805f7030"]', 'ok', 14973, 18, 'tok_878d5055');
INSERT INTO event VALUES (50, 1, 1795323667123637, 'session_1f2e01e60976', 'talk', 'store_memory', '["0f6607c0-39db-498c-ae24-8114cb01ebf2"]', 'ok', 3021, 171, '');
INSERT INTO event VALUES (51, 1, 1795323681123639, 'session_1f2e01e60976', 'talk', 'store_memory', '["6d912be7-9f73-4a76-a218-8cfbebe92fa7"]', 'ok', 2337, 130, '');
INSERT INTO event VALUES (52, 1, 1795323702123642, 'session_1f2e01e60976', 'talk', 'matrix_store', '["sol_ed0439d9"]', 'ok', 3404, 153, '');
INSERT INTO event VALUES (53, 1, 1795323828123660, 'session_1f2e01e60976', 'talk', 'store_memory', '["5dc32519-4b78-4c47-a639-64be96b4d024"]', 'ok', 2262, 94, '');
INSERT INTO event VALUES (54, 1, 1795323849123663, 'session_1f2e01e60976', 'talk', 'update_memory', '["8460dd38-8aca-4de9-8e7e-8762c2c1ab58"]', 'ok', 1845, 118, '');
INSERT INTO event VALUES (55, 1, 1795409311557873, 'session_ff63647c98c4', 'session_ff63647c98c4', 'store_memory', '["4c78d178-9094-4930-a72e-7b6a8c57fa70"]', 'ok', 122667, 161, '');
INSERT INTO event VALUES (56, 1, 1795409312292773, 'session_a11978f1a161', 'session_a11978f1a161', 'store_memory', '["ba283cb8-9c65-482f-89c0-257adb0f8439"]', 'ok', 137405, 139, '');
INSERT INTO event VALUES (57, 1, 1795409312963491, 'session_afdff6a6cb7a', 'session_afdff6a6cb7a', 'store_memory', '["a04394ed-8a07-460c-bb02-8ac0b2956910"]', 'ok', 126977, 113, '');
INSERT INTO event VALUES (58, 1, 1795409313555436, 'session_62c6cf42f7a4', 'session_62c6cf42f7a4', 'associate_memories', '["a04394ed-8a07-460c-bb02-8ac0b2956910", "4c78d178-9094-4930-a72e-7b6a8c57fa70"]', 'ok', 3684, 138, '');
INSERT INTO event VALUES (59, 1, 1795409314131208, 'session_a23e41d0f613', 'session_a23e41d0f613', 'associate_memories', '["4c78d178-9094-4930-a72e-7b6a8c57fa70", "ba283cb8-9c65-482f-89c0-257adb0f8439"]', 'ok', 3874, 134, '');
INSERT INTO event VALUES (60, 1, 1795409314836198, 'session_a42f1504f9af', 'session_a42f1504f9af', 'recall_memory', '["ba283cb8-9c65-482f-89c0-257adb0f8439", "4c78d178-9094-4930-a72e-7b6a8c57fa70"]', 'ok', 151348, 70, '');
INSERT INTO event VALUES (61, 1, 1795452706284941, 'session_940f4c629574', 'session_940f4c629574', 'codemem_stats', '[]', 'ok', 52028, 2, '');
INSERT INTO event VALUES (62, 1, 1795452708084645, 'session_36f66e20d807', 'session_36f66e20d807', 'store_memory', '["9a6b076c-9b22-4b4a-9de7-8fb61fe1b54f"]', 'ok', 75794, 132, '');
INSERT INTO event VALUES (63, 1, 1795462956196669, 'session_47cfab35898e', 'session_47cfab35898e', 'store_memory', '["0da78cef-e2b9-4749-b2d0-86d9e466af61"]', 'ok', 196679, 150, '');
INSERT INTO event VALUES (64, 1, 1795462956832614, 'session_5e858baa4e15', 'session_5e858baa4e15', 'create_entities', '["ledger"]', 'ok', 18510, 114, '');
INSERT INTO event VALUES (65, 1, 1795462957548976, 'session_877d77e62707', 'session_877d77e62707', 'delete_observations', '["ledger"]', 'ok', 15908, 77, '');
INSERT INTO event VALUES (66, 1, 1795462958440991, 'session_11031297727a', 'session_11031297727a', 'add_observations', '["ledger"]', 'ok', 17436, 75, '');
INSERT INTO event VALUES (67, 1, 1795462959604704, 'session_1c0596026e9c', 'session_1c0596026e9c', 'store_memory', '["87eb469b-7f0f-49a3-815d-05173274714f"]', 'ok', 361294, 140, '');
INSERT INTO event VALUES (68, 1, 1795462961241824, 'session_11053f0c6133', 'session_11053f0c6133', 'store_memory', '["5b9f7ccb-75b6-4b77-acea-7f4fe7eb62c5"]', 'ok', 359866, 110, '');
INSERT INTO event VALUES (69, 1, 1795462962184598, 'session_a29e6eb12ad4', 'session_a29e6eb12ad4', 'associate_memories', '["87eb469b-7f0f-49a3-815d-05173274714f", "5b9f7ccb-75b6-4b77-acea-7f4fe7eb62c5"]', 'ok', 14656, 136, '');
INSERT INTO event VALUES (70, 1, 1795462962787406, 'session_b2d96b99a126', 'session_b2d96b99a126', 'consolidate_forget', '["87eb469b-7f0f-49a3-815d-05173274714f"]', 'ok', 50747, 31, '');
INSERT INTO event VALUES (71, 1, 1795462964653915, 'session_4f3b9059c602', 'session_4f3b9059c602', 'store_memory', '["b83a814f-156d-43a0-bf23-de6c54943b9f"]', 'ok', 240944, 136, '');
INSERT INTO event VALUES (72, 1, 1795462965872596, 'session_9189a732ff6b', 'session_9189a732ff6b', 'associate_memories', '["b83a814f-156d-43a0-bf23-de6c54943b9f", "5b9f7ccb-75b6-4b77-acea-7f4fe7eb62c5"]', 'ok', 22642, 136, '');
INSERT INTO event VALUES (73, 1, 1795462966916569, 'session_234f0c246fb2', 'session_234f0c246fb2', 'consolidate_forget', '["b83a814f-156d-43a0-bf23-de6c54943b9f"]', 'ok', 41104, 30, '');
INSERT INTO event VALUES (74, 1, 1795893113402091, 'session_5f8880553b03', 'session_5f8880553b03', 'store_memory', '["0661c87f-eb50-4bdf-99cf-0f6aca04833f"]', 'ok', 53289, 143, '');
INSERT INTO event VALUES (75, 1, 1795893115970213, 'session_5374cff782b7', 'session_5374cff782b7', 'store_memory', '["739c6a17-5836-4222-84de-7f599b5fe7c7"]', 'ok', 75731, 124, '');
INSERT INTO event VALUES (76, 1, 1795893118540277, 'session_0d21ebc79fb5', 'session_0d21ebc79fb5', 'associate_memories', '["739c6a17-5836-4222-84de-7f599b5fe7c7", "0661c87f-eb50-4bdf-99cf-0f6aca04833f"]', 'ok', 47770, 136, '');
INSERT INTO event VALUES (77, 1, 1795893120859703, 'session_c9c7695f9be2', 'session_c9c7695f9be2', 'update_memory', '["739c6a17-5836-4222-84de-7f599b5fe7c7"]', 'ok', 76892, 150, '');
INSERT INTO event VALUES (78, 1, 1795893122891273, 'session_e919bce7bead', 'session_e919bce7bead', 'store_memory', '["e3154de9-3667-403f-a582-450364a0724f"]', 'ok', 97431, 142, '');
INSERT INTO event VALUES (79, 1, 1795893125299968, 'session_4f6047c5f787', 'session_4f6047c5f787', 'delete_memory', '["e3154de9-3667-403f-a582-450364a0724f"]', 'ok', 59988, 46, '');
INSERT INTO event VALUES (80, 1, 1795893127999672, 'session_a5fc5b5f1bb0', 'session_a5fc5b5f1bb0', 'create_entities', '["tool:pg_dump"]', 'ok', 59490, 119, '');
INSERT INTO event VALUES (81, 1, 1795902744136149, 'session_f4412c6af2f2', 'session_f4412c6af2f2', 'store_memory', '["ddd193e6-4599-46c9-a7cf-cd34beff1d30"]', 'ok', 99431, 143, '');
INSERT INTO event VALUES (82, 1, 1795902745179358, 'session_5df003298e73', 'session_5df003298e73', 'store_memory', '["d6ae35bd-01d6-497c-9c4b-302df8bb47c5"]', 'ok', 110165, 124, '');
INSERT INTO event VALUES (83, 1, 1795902746351396, 'session_27bb6ea18a3f', 'session_27bb6ea18a3f', 'associate_memories', '["d6ae35bd-01d6-497c-9c4b-302df8bb47c5", "ddd193e6-4599-46c9-a7cf-cd34beff1d30"]', 'ok', 44677, 136, '');
INSERT INTO event VALUES (84, 1, 1795902747963347, 'session_384497f6877d', 'session_384497f6877d', 'update_memory', '["d6ae35bd-01d6-497c-9c4b-302df8bb47c5"]', 'ok', 138179, 150, '');
INSERT INTO event VALUES (85, 1, 1795902749303405, 'session_c789616949dc', 'session_c789616949dc', 'store_memory', '["723da72b-a5e6-4646-ac86-b938cfdf0d7a"]', 'ok', 155067, 142, '');
INSERT INTO event VALUES (86, 1, 1795902750511304, 'session_8e48d7dc6aee', 'session_8e48d7dc6aee', 'delete_memory', '["723da72b-a5e6-4646-ac86-b938cfdf0d7a"]', 'ok', 30658, 46, '');
INSERT INTO event VALUES (87, 1, 1795902751380673, 'session_8ed983f4f04e', 'session_8ed983f4f04e', 'create_entities', '[]', 'ok', 14573, 119, '');
INSERT INTO event VALUES (88, 1, 1795932303177145, 'session_05a53c5746c7', 'session_05a53c5746c7', 'store_memory', '["32b83313-bc12-4e5d-affc-a78858114ad9"]', 'ok', 62918, 108, '');
INSERT INTO event VALUES (89, 1, 1795932303820527, 'session_10833096e84a', 'session_10833096e84a', 'store_memory', '["4d6b09d9-6db1-4567-a3f6-cc8849ce56b6"]', 'ok', 56833, 128, '');
INSERT INTO event VALUES (90, 1, 1795932304545863, 'session_9b597e7e8cf4', 'session_9b597e7e8cf4', 'store_memory', '["9783c190-d599-4c0e-bc05-c97527dbed4d"]', 'ok', 68220, 147, '');
INSERT INTO event VALUES (91, 1, 1796026971237066, 'session_cb51eb12dc10', 'session_cb51eb12dc10', 'store_memory', '["ac5ef574-6894-484e-9429-0621fa2b077c"]', 'ok', 103083, 104, '');
INSERT INTO event VALUES (92, 1, 1796026973321737, 'session_9a5bac28549b', 'session_9a5bac28549b', 'update_memory', '["ac5ef574-6894-484e-9429-0621fa2b077c"]', 'ok', 89543, 93, '');
INSERT INTO event VALUES (93, 1, 1796052457785908, 'session_4ccd976bcb55', 'session_4ccd976bcb55', 'store_memory', '["17fb6889-b7f5-4742-8b67-2c2b5d45725c"]', 'ok', 89073, 121, '');
INSERT INTO event VALUES (94, 1, 1796052457791463, 'session_4ccd976bcb55', 'session_4ccd976bcb55', 'store_memory', '["1c7b21f3-1c44-4046-a351-b74c419827d9"]', 'ok', 5088, 108, '');
INSERT INTO event VALUES (95, 1, 1796052457793386, 'session_4ccd976bcb55', 'session_4ccd976bcb55', 'store_memory', '["728ce18c-1287-490f-8aea-6d2c6c6cfee3"]', 'ok', 1769, 95, '');
INSERT INTO event VALUES (96, 1, 1796052457826397, 'session_f4c192b165b8', 'session_f4c192b165b8', 'update_memory', '["17fb6889-b7f5-4742-8b67-2c2b5d45725c"]', 'ok', 20271, 150, '');
INSERT INTO event VALUES (97, 1, 1796052457829729, 'session_f4c192b165b8', 'session_f4c192b165b8', 'update_memory', '["1c7b21f3-1c44-4046-a351-b74c419827d9"]', 'ok', 2989, 127, '');
INSERT INTO event VALUES (98, 1, 1796052457837888, 'session_f4c192b165b8', 'session_f4c192b165b8', 'associate_memories', '["728ce18c-1287-490f-8aea-6d2c6c6cfee3", "17fb6889-b7f5-4742-8b67-2c2b5d45725c"]', 'ok', 7992, 136, '');
INSERT INTO event VALUES (99, 1, 1796052457845802, 'session_f4c192b165b8', 'session_f4c192b165b8', 'delete_memory', '["728ce18c-1287-490f-8aea-6d2c6c6cfee3"]', 'ok', 7604, 46, '');
INSERT INTO event VALUES (100, 1, 1796052457849774, 'session_f4c192b165b8', 'session_f4c192b165b8', 'associate_memories', '["17fb6889-b7f5-4742-8b67-2c2b5d45725c", "1c7b21f3-1c44-4046-a351-b74c419827d9"]', 'ok', 3706, 136, '');
INSERT INTO event VALUES (101, 1, 1796052457853740, 'session_f4c192b165b8', 'session_f4c192b165b8', 'associate_memories', '["17fb6889-b7f5-4742-8b67-2c2b5d45725c", "1c7b21f3-1c44-4046-a351-b74c419827d9"]', 'ok', 3783, 151, '');
INSERT INTO trash VALUES (1, 1, '890f595b3b5d', 'update_memory', 'update', 12, '42f58a90-3c29-4be4-9133-89e0a932bc3a', '{"record":{"key":"42f58a90-3c29-4be4-9133-89e0a932bc3a","kind":"memory","text":"A draft that will be reworded","created":1795322561123479,"updated":1795322561123479,"id":12,"tenant":1,"namespace":"other/project","type":"insight","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"553479bd40b61c18af210530507c49c70541f2461b0351c82cd4b1ee0523eef0","session":"session_1f2e01e60976","position":1795322561123479,"replaced":false},"edges":[],"access":null}', 1795322883123525, 0, '', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (2, 1, '831e2507d8f5', 'delete_memory', 'delete', 11, '988d4a13-f710-41bc-8940-3c69a840234f', '{"record":{"key":"988d4a13-f710-41bc-8940-3c69a840234f","kind":"memory","text":"This will be deleted: the staging password rotates on Mondays","created":1795322547123477,"updated":1795322547123477,"id":11,"tenant":1,"namespace":"","type":"context","label":"","tags":["ops"],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"3276087aba13249de64a9e9f5178a5d70bb484f7803ca04910e985a38a513830","session":"session_1f2e01e60976","position":1795322547123477,"replaced":false},"edges":[{"source":11,"target":7,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795322631123489,"metadata":{},"id":4},{"source":11,"target":1,"relation":"EXPLAINS","canonical":"EXPLAINS","weight":0.5,"created":1795322645123491,"metadata":{},"id":5}],"access":{"count":1,"last":1795322806123514}}', 1795322904123528, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (3, 1, '64ccb7dda9ec', 'associate_memories', 'edge', 1, 'd867fd3b-8a85-49c3-910d-cb2f13552053', '{"record":{"key":"d867fd3b-8a85-49c3-910d-cb2f13552053","kind":"memory","text":"Team decided to use Axum over Actix: its middleware is tower''s","created":1795322407123457,"updated":1795322407123457,"id":1,"tenant":1,"namespace":"","type":"decision","label":"","tags":["api","lang:rust"],"metadata":{},"importance":0.9,"confidence":1.0,"content_hash":"20da5e0e3654f0891a183be9247d7ba85fb0863a07bbaaf7c768b3b77f79c984","session":"session_1f2e01e60976","position":1795322407123457,"replaced":false},"edges":[{"source":1,"target":5,"relation":"LEADS_TO","canonical":"LEADS_TO","weight":0.75,"created":1795322589123483,"metadata":{},"id":1}],"access":null}', 1795322918123530, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (4, 1, '30ee705344b3', 'matrix_reward', 'update', 35, 'sol_eee13dab', '{"record":{"key":"sol_eee13dab","kind":"solution","text":"apsw statements are prepared twice\n\nkeep them by connection","created":1795322967123537,"updated":1795322967123537,"id":35,"tenant":1,"namespace":"","type":"repo","label":"","tags":["sqlite"],"metadata":{"problem":"apsw statements are prepared twice","score":0.5,"successes":0,"partials":0,"failures":0,"files":["src/queue.py"]},"importance":0.5,"confidence":1.0,"content_hash":"b2b99f64d551f9fa878dfe9e2c475ee03548fd2d354a135bfc8e2bbbce1271d3","session":"session_1f2e01e60976","position":1795322967123537,"replaced":false},"edges":[],"access":null}', 1795322995123541, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (5, 1, '487a515d2c6f', 'matrix_failure', 'update', 39, 'fail_5c049621', '{"record":{"key":"fail_5c049621","kind":"failure","text":"build: ld: ''libz'' not found in /usr/lib1\nCause: a slim image\nFix: install zlib","created":1795323037123547,"updated":1795323037123547,"id":39,"tenant":1,"namespace":"","type":"build","label":"","tags":[],"metadata":{"errorMessage":"ld: ''libz'' not found in /usr/lib1","rootCause":"a slim image","fixApplied":"install zlib","files":["Dockerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib1","fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a"],"occurrences":1},"importance":0.5,"confidence":1.0,"content_hash":"c45429fc2ed3f7eb","session":"session_1f2e01e60976","position":1795323037123547,"replaced":false},"edges":[],"access":null}', 1795323079123553, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (6, 1, 'd1506a07d3aa', 'feedback', 'update', 44, 'lesson-2', '{"record":{"key":"lesson-2","kind":"vector","text":"","created":1795323149123563,"updated":1795323149123563,"id":44,"tenant":1,"namespace":"","type":"","label":"","tags":[],"metadata":{"vector":{"indices":"AAAAAAEAAAA=","weights":"AAAAAAAA8D8AAAAAAAAAQA=="},"metadata":{},"score":0.0},"importance":0.5,"confidence":1.0,"content_hash":"","session":"session_1f2e01e60976","position":1795323149123563,"replaced":false},"edges":[],"access":null}', 1795323163123565, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (7, 1, '9132a832233a', 'complete_todo', 'update', 50, '54', '{"record":{"key":"54","kind":"todo","text":"Done already","created":1795323282123582,"updated":1795323282123582,"id":50,"tenant":1,"namespace":"","type":"pending","label":"","tags":[],"metadata":{"title":"Done already","priority":1},"importance":0.5,"confidence":1.0,"content_hash":"","session":"session_1f2e01e60976","position":1795323282123582,"replaced":false},"edges":[],"access":null}', 1795323303123585, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (8, 1, 'ecfcbe9b6ee1', 'update_memory', 'update', 53, '42ae04fd-9453-4a18-8baf-0b39805f7030', '{"record":{"key":"42ae04fd-9453-4a18-8baf-0b39805f7030","kind":"memory","text":"Stored by who holds in other/project: tills close at noon","created":1795323394123598,"updated":1795323394123598,"id":53,"tenant":1,"namespace":"other/project","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"4f57f6149da9ce557a09989eb2d439bf03b26c65e6be9c60a0ba053cd15fe0ff","session":"session_8fc22f0587a5","position":1795323394123598,"replaced":false},"edges":[],"access":null}', 1795323422123602, 0, 'tok_878d5055', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (9, 1, 'df24395b917d', 'promote', 'update', 60, '2bf84f45-cfd8-581e-af9f-d62e9037dba9', '{"record":{"key":"2bf84f45-cfd8-581e-af9f-d62e9037dba9","kind":"memory","text":"`pytest tests/test_cart.py` failed: AssertionError: assert 3 == 4 at tests/test_cart.py::test_total.\nFix: in cart.py: `total = 3` -> `total = 4`. After that it passed.","created":1770000004000000,"updated":1770000004000000,"id":60,"tenant":1,"namespace":"/srv/shop","type":"insight","label":"","tags":["failure","test","pytest"],"metadata":{"error_type":"test","error_message":"AssertionError: assert 3 == 4","signature":"0bf31d9a738ea21d","fix":"in cart.py: `total = 3` -> `total = 4`.","files":["cart.py"],"command":"pytest tests/test_cart.py","places":[],"tests":["tests/test_cart.py::test_total"],"runs":1,"origin":"capture","trust":"untrusted","captured":"failure","client":"claude-code","session":"s6"},"importance":0.6,"confidence":0.5,"content_hash":"e97947643da011db1ca40a371c6ce4fc48ac3b2e95c0600d30b8d1df843dc534","session":"claude-code:s6","position":1770000004000000,"replaced":false},"edges":[],"access":null,"added":{"records":[],"edges":[],"accesses":[],"weights":[],"unchanged":[[64,1795323583123625]]}}', 1795323597123627, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (10, 1, '9ca727d0a381', 'update_memory', 'update', 6, '8460dd38-8aca-4de9-8e7e-8762c2c1ab58', '{"record":{"key":"8460dd38-8aca-4de9-8e7e-8762c2c1ab58","kind":"memory","text":"Prefer small commits; \"one reason each\"","created":1795322477123467,"updated":1795322477123467,"id":6,"tenant":1,"namespace":"","type":"preference","label":"","tags":[],"metadata":{},"importance":0.3,"confidence":1.0,"content_hash":"eada1424464a5ad6d764b1a8bd3947e9fc34bb772ab8603a8ba6f14900b1219a","session":"session_1f2e01e60976","position":1795322477123467,"replaced":false},"edges":[],"access":null}', 1795323842123662, 0, '', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (11, 1, 'e34646144d96', 'delete', 'delete', 117, 'a04394ed-8a07-460c-bb02-8ac0b2956910', '{"record":{"key":"a04394ed-8a07-460c-bb02-8ac0b2956910","kind":"memory","text":"To be forgotten: schema 8 has a trash too","created":1795409312946677,"updated":1795409312946677,"id":117,"tenant":1,"namespace":"/srv/team","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"0f0ba065e146d51212cd3b5b0712d244861cdb24ae7cf0315f0991746ef4e6f8","session":"session_afdff6a6cb7a","position":1795409312946677,"replaced":false},"edges":[{"source":117,"target":115,"relation":"DERIVED_FROM","canonical":"DERIVED_FROM","weight":1.0,"created":1795409313554354,"metadata":{},"id":84}],"access":null}', 1795409314456015, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (12, 1, '619b6bf17e35', 'delete_observations', 'update', 120, 'ledger', '{"record":{"key":"ledger","kind":"entity","text":"ledger\ncloses at noon\nis kept in euro","created":1795462956815095,"updated":1795462956815095,"id":120,"tenant":1,"namespace":"","type":"Service","label":"ledger","tags":[],"metadata":{"observations":["closes at noon","is kept in euro"]},"importance":0.5,"confidence":1.0,"content_hash":"","session":"session_5e858baa4e15","position":1795462956815095,"replaced":false},"edges":[],"access":null}', 1795462957542213, 0, '', 0, 1, 1, 0, NULL);
INSERT INTO trash VALUES (13, 1, '57eccdbf964d', 'consolidate_forget', 'delete', 121, '87eb469b-7f0f-49a3-815d-05173274714f', '{"record":{"key":"87eb469b-7f0f-49a3-815d-05173274714f","kind":"memory","text":"Nobody ever asked for the colour of the till","created":1795462959541416,"updated":1795462959541416,"id":121,"tenant":1,"namespace":"ledger","type":"context","label":"","tags":[],"metadata":{},"importance":0.02,"confidence":1.0,"content_hash":"020f6d9f336678add2b960d2cbe06e1531a27f8b49f8fcdebc9cca6162f0b0ab","session":"session_1c0596026e9c","position":1795462959541416,"replaced":false},"edges":[{"source":121,"target":122,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795462962174615,"metadata":{},"id":86}],"access":null}', 1795462962773944, 1795462963572918, '', 1, 0, 0, 0, NULL);
INSERT INTO trash VALUES (14, 1, '16d8bc8279e8', 'undo', 'edge', 121, '87eb469b-7f0f-49a3-815d-05173274714f', '{"record":{"key":"87eb469b-7f0f-49a3-815d-05173274714f","kind":"memory","text":"(it was not there)","created":1795462963572763,"updated":1795462963572763,"id":0,"tenant":1,"namespace":"ledger","type":"","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"","session":"","position":0,"replaced":false},"edges":[],"access":null,"added":{"records":[121],"edges":[],"accesses":[],"weights":[]}}', 1795462963572763, 0, '', 1, 0, 0, 1, NULL);
INSERT INTO trash VALUES (15, 1, '85822442f7a4', 'consolidate_forget', 'delete', 123, 'b83a814f-156d-43a0-bf23-de6c54943b9f', '{"record":{"key":"b83a814f-156d-43a0-bf23-de6c54943b9f","kind":"memory","text":"A second till, which is green, was sold","created":1795462964575164,"updated":1795462964575164,"id":123,"tenant":1,"namespace":"ledger","type":"context","label":"","tags":[],"metadata":{},"importance":0.005,"confidence":1.0,"content_hash":"e853edc0beefcbe8199ad99d4b2537f96482a5082296fba5bedcb1fcf32d40a5","session":"session_4f3b9059c602","position":1795462964575164,"replaced":false},"edges":[{"source":123,"target":122,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795462965857004,"metadata":{},"id":87}],"access":null}', 1795462966906426, 0, '', 1, 0, 0, 0, NULL);
INSERT INTO trash VALUES (16, 1, '29a07505980e', 'update_memory', 'update', 125, '739c6a17-5836-4222-84de-7f599b5fe7c7', '{"record":{"key":"739c6a17-5836-4222-84de-7f599b5fe7c7","kind":"memory","text":"Backups of schema eleven run at four in the morning","created":1795893115928234,"updated":1795893115928234,"id":125,"namespace":"/home/ada/shop","type":"decision","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"31de2ba63bf55cc98775db4d27b5edb5f951d5899501c3cc9963e65d90307615","session":"session_5374cff782b7","position":1795893115928234,"replaced":false,"uid":"1ef10f24ba90668792fcecc3cd721c78","origin":""},"edges":[],"access":null}', 1795893120808997, 0, '', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (17, 1, '3df03df8cf43', 'delete_memory', 'delete', 126, 'e3154de9-3667-403f-a582-450364a0724f', '{"record":{"key":"e3154de9-3667-403f-a582-450364a0724f","kind":"memory","text":"A note of schema eleven that is deleted again","created":1795893122844667,"updated":1795893122844667,"id":126,"namespace":"/home/ada/shop","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"c5646dea15454e88a291fdbae28ccc3a517b77728c70954d82e06750f8013d56","session":"session_e919bce7bead","position":1795893122844667,"replaced":false,"uid":"14f83dd0ea2e7b63ca27377358053c48","origin":""},"edges":[{"source":126,"target":125,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795893122844667,"metadata":{},"id":89,"uid":"9ec914a14cb34d69dd6a5e3ab2abbfeb","origin":""}],"access":null}', 1795893125270139, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (18, 1, 'decb22516513', 'update_memory', 'update', 129, 'd6ae35bd-01d6-497c-9c4b-302df8bb47c5', '{"record":{"key":"d6ae35bd-01d6-497c-9c4b-302df8bb47c5","kind":"memory","text":"Backups of schema twelve run at four in the morning","created":1795902745076279,"updated":1795902745076279,"id":129,"namespace":"/home/ada/shop","type":"decision","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"ea360eb3e8eb16dc2763bc6ee581e98e9fb7d63e8e45bffbf248997d819e4d46","session":"session_5df003298e73","position":1795902745076279,"replaced":false,"uid":"cca245d2c4a0a5c23b5380268218168f","origin":""},"edges":[],"access":null}', 1795902747840401, 0, '', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (19, 1, 'c24a2067bcd7', 'delete_memory', 'delete', 130, '723da72b-a5e6-4646-ac86-b938cfdf0d7a', '{"record":{"key":"723da72b-a5e6-4646-ac86-b938cfdf0d7a","kind":"memory","text":"A note of schema twelve that is deleted again","created":1795902749168897,"updated":1795902749168897,"id":130,"namespace":"/home/ada/shop","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"178f1e7b434913e10392790838e5f3579bc05231ea1d2ec2ed59609473842fec","session":"session_c789616949dc","position":1795902749168897,"replaced":false,"uid":"3e2b1318e892d9d564f89417a3680d94","origin":""},"edges":[{"source":130,"target":129,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795902749168897,"metadata":{},"id":91,"uid":"39425fb51be79bde5900e7c24e15c4cc","origin":""}],"access":null}', 1795902750493134, 0, '', 0, 0, 0, 0, NULL);
INSERT INTO trash VALUES (20, 1, '6ec3f9c58c5c', 'update_memory', 'update', 134, 'ac5ef574-6894-484e-9429-0621fa2b077c', '{"record":{"key":"ac5ef574-6894-484e-9429-0621fa2b077c","kind":"memory","text":"The bastion listens on port 2222","created":1796026971231445,"updated":1796026971231445,"id":134,"namespace":"/srv/other","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"c5c3ef941dcd821deb0094ed580ae8986d6728ee56bdb8ab2e3ee4d7cfbfee2c","session":"session_cb51eb12dc10","position":1796026971231445,"replaced":false,"uid":"1130f4c5e664cfd7a8723eaf0e0229dc","origin":""},"edges":[],"access":null}', 1796026973307542, 0, '', 0, 0, 1, 0, NULL);
INSERT INTO trash VALUES (21, 1, '569bb90a88fc', 'update_memory', 'update', 135, '17fb6889-b7f5-4742-8b67-2c2b5d45725c', '{"access":null,"edges":[]}', 1796052457819589, 0, '', 0, 0, 1, 0, 5);
INSERT INTO trash VALUES (22, 1, 'da3eead1b80f', 'update_memory', 'update', 136, '1c7b21f3-1c44-4046-a351-b74c419827d9', '{"access":null,"edges":[]}', 1796052457827786, 0, '', 0, 0, 1, 0, 6);
INSERT INTO trash VALUES (23, 1, 'e274872739f0', 'delete_memory', 'delete', 137, '728ce18c-1287-490f-8aea-6d2c6c6cfee3', '{"access":null,"edges":[],"versions":{"after":1,"edges":[[92,137]]}}', 1796052457840571, 0, '', 0, 0, 0, 0, 7);
INSERT INTO trash VALUES (24, 1, '5351f2a2b06a', 'associate_memories', 'edge', 135, '17fb6889-b7f5-4742-8b67-2c2b5d45725c', '{"access":null,"edges":[],"versions":{"after":2,"edges":[[93,135]]}}', 1796052457850892, 0, '', 0, 0, 0, 0, 0);
INSERT INTO applied VALUES (1, 'key-1', 'b307e0de009d7b4342a628cbbefad3391e60e532fe059f1e28000e4cf0735a12', '{"id": "42f58a90-3c29-4be4-9133-89e0a932bc3a", "status": "updated", "content_hash": "af16a9f59512add27b2715df28d875eb4a00f0cfc2d4290151c0f45305586925"}', 1795322890123526);
INSERT INTO applied VALUES (1, 'tok_878d5055
key-2', '3ec7dc629d2dd54b5e607282d56960d0eb2b54d0da45f125ad6dbc878beb0bc6', '{"id": "42ae04fd-9453-4a18-8baf-0b39805f7030", "status": "stored", "content_hash": "4f57f6149da9ce557a09989eb2d439bf03b26c65e6be9c60a0ba053cd15fe0ff"}', 1795323401123599);
INSERT INTO project VALUES (1, '/srv/other', '/srv/other', 1796026971231277, 'directory', '');
INSERT INTO project VALUES (1, '/srv/shop', '/srv/shop', 1795323618123630, '', '');
INSERT INTO project VALUES (1, '/srv/team', '/srv/team', 1795409311541405, '', '');
INSERT INTO project VALUES (1, '/home/dev/schema', '/home/dev/schema', 1796052457724140, 'directory', '');
INSERT INTO project VALUES (1, 'ledger', 'ledger', 1795452708068014, '', '');
INSERT INTO model VALUES (1, 1, 'made up', 64);
INSERT INTO model VALUES (2, 1, 'minilm-l6-v2-int8+splade-tiny/1', 384);
INSERT INTO embedding VALUES (1, 0, 1, 1, X'F6322C18B123683172AC532F4F2FBBAFF93544A8802F05A09021BEB189286A2C3A1E5125B0A2762E6EA8022FF22C27299224EC33A23155280EAD6F2F3AAD51AD6332F9B35DB40222833192A84429AE19ABB4E4A242A8C22D081A452B0024633254AE38A5A6B236AAC52DD1AAE8A4EB2676297FB0DCB063AC932C812365B24DB0', X'F6ABD7F49B1F098C97A41464E881A063');
INSERT INTO embedding VALUES (2, 0, 1, 1, X'FC2D77AF7F262AB4C220062EA8B1492F1D3217ADF528D8B2262DA79477AAA530C83209A0A12EAFAC79B0FEB1B93391AE6DB2AEB42C9AE6295BAD6EA98EAED5B0622E90A9FBB259A71B283F2520A3BA2FCF30DA2923A67830FBAF2CAC81A79DB08D3194AA20B27D211A2FA49ECBAB9B27FA1A3F2D1EAC5F2D9BAA9125BF335B33', X'ADA9A2108DD099D75391AFC32199A803');
INSERT INTO embedding VALUES (3, 0, 1, 1, X'AFAD50B05F34222554B41A9DC5B2AD9C0FA8D7AF7FA1FF2DBEAF77A925B0F72C2BB3603010300CB0ED2D52A6CF0A0D30B53122AE182A48AC68A9FFB115331C23F3B1A22C6697162D0EB06CB4D025A9AF852B672D08317830C0AD72A98F2917998026A1AB9EA89FA0863039AD0D2C21B439AC93AD583112349429852D6DAE5B2E', X'30116BA352F28A3D6A4AF1868D300930');
INSERT INTO embedding VALUES (4, 0, 1, 1, X'A523EFB141AEAF19EA3075ADADA6C2A18D2A612A282F02B0E7335730ACAED6AC7F2B4A2EFDAA3830B2A857ABFE32C62C29AF77334FA9772AF72F73B0E5B5E02E712BC0AD76271832C4ADDC2DFD30412BCB2B21B140AF512FA22C992964B0402E02B2FCA6A3320DB0DD307FAE1E95802E7EAA12347D89D92E9DAC5D293D288232', X'98ECD359B79D2957483E12CF1272B851');
INSERT INTO embedding VALUES (5, 0, 1, 1, X'F5AD9EA5A32F652FFDABD6B4572C1A31B6322F284EB475B0CA2C06B14F2F9B31692A5A2F12AD6DAC9728F41C942B599FEE31B1310226432F1D2CDE298BB0DFA31A1DF7AF15A4A831BBB29733A12AD9AA18316FAD2329B3AD2930F5264C305F2305AA1AACA02E5C2CA592FFADBA1EAC2CC932CC30CF9D02345BB123248FAD9D33', X'33CBCEFC96AF33D535B740D25C8A20D9');
INSERT INTO embedding VALUES (7, 0, 1, 1, X'D72F222FB2A949AC2C2FACAA94ACBD2F21A80D2FE62B50A6A3AF3E2647307BA6DBAF2E299FB41131A730AD2EDE2911B1F62DE4AA5BB44225B2AD5EACAB314EB1D22D7FB0F0308C286C21AFAB4330FF293F280EA4373013339D2D5DA9D4329BB2C830BEB22BACDC292A24C72D862FB81B9031902E0F2C912F05B4AF3088321230', X'C9665E92BBBA9FF7C94AB9236233C29F');
INSERT INTO embedding VALUES (8, 0, 1, 1, X'B3A8D81F3523A92BFA2C072D3B326C17692C1D1D15B14EA52A346A211BAE7C325AB0C42D19AC5E27B5AE16B2BF257BA08F275DAC8734F22FBB2CB328352F04253AAED32D2EADBAB4EEB10930FB2C753504AA66B1CB9F832F00B28B30A21F6B2FECAFC4297F2B47B1862C36318B24E1A8F1AA32B0992C7CB10FB0FD2F762F3B30', X'7FCD52BF47176E2702298C321D5D945F');
INSERT INTO embedding VALUES (9, 0, 1, 1, X'902BAFA79728C92F162401348CAC1C2308ADA124BCA861316D252CB0E1ADBD2D5E24D2B161B123B01222B7324A349530322BA52C6DB074B30531C7B32FAC26B2683157AC47B17C2E5FAC24AF362EEBB2BBAE60B13FB09C25D620FF2B0D0DDA25B4B38827FB2508A86A1B6A1E2DAE0AB554A86BAA392EFD292D2ABDAD292176B0', X'BD598FC8921F6C3A1414773DB5E08101');
INSERT INTO embedding VALUES (10, 0, 1, 1, X'B12CCEB032284FB17A2B93AC35AC67AE6FA578B21C340FB0F931C8AA0BB488A72A2CF32E312C0A3188A31E2516AC472CA3A538A8ACAC13AA801C1BB059B1AC2314319E28FE28C02F4CA453AD2FB21BAF9834A599E1AAA62BA5ACC199F430F03147A3AFADD52DD0299627B52D5DB0279CB02AE8307732F89D20B59FB4ADAC99B1', X'A828F509F0933CE0517A50069383026D');
INSERT INTO embedding VALUES (12, 0, 1, 1, X'64B08FAE3FB10830E328822B2F2C94AE502D362D262676ACD9B35F346626382D04B10E2340A2E62797AE74AC7A3328306F333421DB2EEAAD79A79D33B7B0D4AD5FB23B33C626E4ABEB2E16A86CA1FAA7192DB3886EB3BDADAC3054AE5D29EE301E9881AEAD9CB1A67DB1C9A83132602938ACCAB1A72D9DA0732EC12985308DB4', X'1EE753E4688B032EF10C8BA6C8294A4B');
INSERT INTO embedding VALUES (13, 0, 1, 1, X'982FA8A54C2DBC28CF3386AF572CE72CE22AFFA9B3AC1926312EBF247EAEFE9D282B522D9028E43243AF64ADE0AD0CAD292B3FB5AF30C71D2BABDD3213975EACC4ACDB2659B15328A5340BAEF2AC78B06A3425B10A99C5AE92B0D4AD6DB23FADAD2C24B352254CAC4BB0B33031AC02B2582BF9ACA133E2214E2AF330CD28C52D', X'BB9CF0B45880A4BF8C02186429DA4D24');
INSERT INTO embedding VALUES (13, 1, 1, 1, X'A32039335130ED2EFDAB87A88EB0DCB17CA3A02809B11031702CD030CD8ADFAE34AE52B1FA315EADA1B0A72513B2A9306FAF74303EAAD4B1E4B1B22DA32835AC9AB0432755AC19A66AAE0FB4F71BB8AE3CAD5E2C49B2AC3015B01730DDB3472C6632A0AB512EC4B06A27E929A7AADF2E443142A0C1233CB43DAB83A71F26A030', X'F05C25464255ADA373356BD8843E9191');
INSERT INTO embedding VALUES (14, 0, 1, 1, X'BFB208B094AFA01F31A60224C7A5AAA53E3200AD282D462F232340B3512F15B3DDB066B19E26C12FA428C6AE812E2B30FE2A12AC7F295FB0F429EAB0A5A7922C0BAC89351824D7B0C7AD063050AFD92DCE2FC8AFEFADDF2D07ACAB2D10A2CF2AE73258B27F2751A4F02AD1AF6728E8340D99CE271EB48DA1442DFB29A5329DAD', X'14BA3BA96595AB4EE097D71456C0C522');
INSERT INTO embedding VALUES (15, 0, 1, 1, X'BFB208B094AFA01F31A60224C7A5AAA53E3200AD282D462F232340B3512F15B3DDB066B19E26C12FA428C6AE812E2B30FE2A12AC7F295FB0F429EAB0A5A7922C0BAC89351824D7B0C7AD063050AFD92DCE2FC8AFEFADDF2D07ACAB2D10A2CF2AE73258B27F2751A4F02AD1AF6728E8340D99CE271EB48DA1442DFB29A5329DAD', X'14BA3BA96595AB4EE097D71456C0C522');
INSERT INTO embedding VALUES (16, 0, 1, 1, X'0328DF1A4F179FA842A886AE7FA69CB252AD49AC93B0D02A74B210AA54AB48A959B4F82E3CB474A59BA9FCB0062888ACD3309FB382214DAF11AEE52C54AB42991DB172A3A3AC02ADD322B33020B4B92A39B185B0C4A32B2E6A3290AC6DAF47B1E12E0BAF282FBFAF6F336DA8972C7DB1C11C26316829132FD03414AA412A0030', X'E01042A40D18AAFB0528E4D086CBF959');
INSERT INTO embedding VALUES (17, 0, 1, 1, X'0328DF1A4F179FA842A886AE7FA69CB252AD49AC93B0D02A74B210AA54AB48A959B4F82E3CB474A59BA9FCB0062888ACD3309FB382214DAF11AEE52C54AB42991DB172A3A3AC02ADD322B33020B4B92A39B185B0C4A32B2E6A3290AC6DAF47B1E12E0BAF282FBFAF6F336DA8972C7DB1C11C26316829132FD03414AA412A0030', X'E01042A40D18AAFB0528E4D086CBF959');
INSERT INTO embedding VALUES (18, 0, 1, 1, X'A8B106B1B2AB44B0203004A732AC5DAE11B2B12238B3BF289F2B572FAD2D1E30B5B0ACAD5930C8AE822C8434272CC2A97DB19FAD651F45211320A0B171B15FAE1D25EA15F729B52A9DB5BA292F24081C2433C7B2CEA87EA14AB13630F1ADDC2D2B2C69B20FAC6EAE4A2C343004316733242CC9AEA2AED5ACB7AA8828CE2B4DB0', X'085F2E38F7858F86D8A5B48608CC4761');
INSERT INTO embedding VALUES (20, 0, 1, 1, X'C232CAAF9F27012510275D2C3CAFF227053257B141A80B2DBD2EBE32D0AA43AD3930EF292C307AADFA2B5BB125A55930372C32B1D632B22E922B4AAC352E5A2C20306130A7AE89A50EB3799DA3AE09A9609D9BA659AF5CAC3328783020B40C34672C6A8FBF2C162E6CB417ABCDB11FAF7F2E4BA2D0AE53AB3D3032349DA9E5B2', X'BD9CE9BBC00DB08CC2CCA570EA270B2D');
INSERT INTO embedding VALUES (23, 0, 1, 1, X'50339FAAE2A871AD6AB19134392A0DB0B93220AEE930209FD0AB1B2DE32CB9A8BE312DAEA72939AD9B334EAD41AB5028A4286DABF8B0982420A35132DFB3AE308CADD7AE80ACB89C50252EA9DC29F72D98A6B62F7EABC12F4D2A1EB040AFDA243201EE30A6B3B3AE0C2C550B312DD6AEC32CCFB281AE2034FC2487340DAC42B0', X'86A6A9950B59CE9C8DA0882740567175');
INSERT INTO embedding VALUES (25, 0, 1, 1, X'77A1DB2C032C393440B232322CB10331ADAD58A784B2109584B0323292AEC1293D247A2A402203B0112F681F47B2F7B432A49A27B19E741CDFA6552ED82D6330892D663249310F2C2F2E2726F22ED4B17A9E48A3CA222E3234AEB3ACB9A69B1F5B32E02C6FB0D62C8A2D0BA595B49F31912E30AC6031C52EE32AE8313A22CD24', X'7505EC57FE31D9BF1F2E1B056310A3B4');
INSERT INTO embedding VALUES (26, 0, 1, 1, X'672B07B2E23062AD97B1DDA84DADD5B01428AE2719B2A1ABBE1A0E2B0A32173254B054AD31B103B06A24412D1CA89FB4BD2F18A6B3AEC9319F2FD0B04E30FF2CBB32F220F5ADAD1D8235FE2C992CC9A617AC26AAA8B0ED2FA32EACADA4235580FA28DFAD522D6B2CB5A6ED22B62CDA20082E38B11AB32C2E6E328A2F44311A31', X'A0CF0C9BDE1AB79F6923B1BE8838006F');
INSERT INTO embedding VALUES (28, 0, 1, 1, X'7330702DD02E2C2F57B0EC2F5C1B0234E4AFA6B03CAC8732F1B38C218B2B21A79FAB48AD6AA3F533289E8731D5A9F42E9CB06334E42FD134F7310CA625B0332EB6291A30C52C08B03E2F5A31C3A92DA695AA332D2B2BD5926D2D2334DBAE951C482B7C3079AF65AF982FBEAEDF2D3BB091ACF5AF622D7AAB7A2807257B28452E', X'F7161579EC6DCA2FBDD815FA5C067D40');
INSERT INTO embedding VALUES (28, 1, 1, 1, X'B9A81728AB29152D3734272A59B396A5FCA8FFAD55A847AD642C26AC6E2DA9226AAEF5B24026E723D029AFAFC1ADB43044B166A4EEB42BAE5A33112ECFADBDA732AD7EB109B037B2DC283BA343B0F72BFE2272AD3AB0282FB3328F30F7A34D94082C6EB22AAF0EB4A62D7B287B29D7B0C12F36ADCF2B7EB22DA494AF81AC2DB4', X'7C0B390C099C8EA00A0045A8723C7195');
INSERT INTO embedding VALUES (28, 2, 1, 1, X'B72BD19A6C3093B5DC31162CFF30E523AFAD9FB545B20F2C511D8FAF762F38AD773008B177ACEFACD72C39AF452C29AE09B0F72EA3AB42AD23B292AD3E30282AD8A02FA8A817273468ACC2329BA3FEAEC521472FA5AE7A2455B20CAECF30D6A9292F58B1C330F7292F2A19A9792C9628E4A8ECACD8ACFA2C39A79C2FB3B16F31', X'AF1A8A4334D2BB153A66C4CA156AE007');
INSERT INTO embedding VALUES (29, 0, 1, 1, X'5432BD3027B4EFAB622EB624B7AD7E2E95AE102DBC965533892173AB1E2F3BB297A6DF2B3929922BE92936AF7322BF341125241DF72D90B1B1AC12276F34AC3187B179A8272CE3AF89AB37AC8DAEFBAEDA2EE330E72C742E6D256BAE112E122E15300A9DA0A9823193B2102BC9AFD71E21B3EE9F2CA554B43E9D91AB5DB147B1', X'CD5A7BE720FB9500E193051393D49A93');
INSERT INTO embedding VALUES (29, 1, 1, 1, X'D5B0D22A4E2DE93051B1ECAD5D2909B2BC28E4AD24B477B06DB2422983302132AFA8CFAD4EAEE8265AA45AB23529BB29672C44A8A2A8F61B7FB2192CE6AD03B1E3287CB13AAE71A3BB2D2DB4B0AF6A28A32CF329A2300AB2CD3205A6D4B21FAD4633E7261A2E572CC5A911AEF6321A2DB12E6631BD2E34B11829DF2964ADAAAF', X'7287139489E8F3EC993B0409463A8251');
INSERT INTO embedding VALUES (29, 2, 1, 1, X'03AFB6AF5923DD35D32D083159313BAC0B2E6F3310B2B2ADD8AE70B1DBAD63B124B284303E2F99B136AB2CA95AB31EAC36AC4D34AF2F28A91EB01CB09030FF20A3AE10302AA944B086B126ADDD2787B0492AEAA6211EABB0B11983B04F32E1A58CA925AE1DABF630EE244C296A26A0320D206EA9992766AC022619A97B250EA8', X'3EC0606342AA1FAAD66DF26ED9161100');
INSERT INTO embedding VALUES (30, 0, 1, 1, X'3A2F311E7D2DF1A7402EE42EC4B00BAFB2B255AAB2314C302EA279AA8F2A3028AC2E31B170A98A250D31E12F732A1725AD25D8A441A39FA074B2B6AAAB9E383666A8352D022EC5B0502DCF298BAC732BED355333AB28B629622694AB902CB9972D9D852D48B231ABCBB0B4AB0C24FB2E8EB04EB0C4AEB61F472DB9B54D2F2E20', X'EC339F816DFA431B8FB0CC0930C029E6');
INSERT INTO embedding VALUES (30, 1, 1, 1, X'E3B21FA968B283B222292AAF2AB09D342FB0B9ACAF2CB5A917325DAA80AD42ACDBB07431C0B0872B37AF36ADE9301828A2A4D02157B14BA588AE952E11978A308530F5AD9A29E02A922F24AF5B9E9EACB62C0FB20F3195ACAD1F43B4E8993E283828D63288277AAFB8B386A13AB284AC3F2C20A9311B60B4D9AF26A7ACAFD2AA', X'09285345B8A9E0A0B788EA2D8C645A1A');
INSERT INTO embedding VALUES (30, 2, 1, 1, X'3B333932E8305921F3B087AF572FABADA1AF92AD419A3C2C09B00631AC3196A080AAFB9BAC2D982DD13030AACD22672A07ACFB345EA97430222C262296AC272F1EA7FF320F2288A118AC3C2961AA20B0802D982AFBA904AE8FAF08A8422DDE2AD43168279B317733FB1A7CB046B5A5B05EB457AFAC2E8231AC2A8B2E702D532C', X'F2163B5D64C3F83FEE8E08514108B7F4');
INSERT INTO embedding VALUES (31, 0, 1, 1, X'6F2F58B2D01E863053B042326DA95BAE4E2919B118A59CACF1ACE630F9A8B4B18BACCE29C421BF30F1B043B4D726EFA5BFB1A82976283F1F752E8033B42D49326C27412D33B2B6A69BAF29344F2886ACCD9CE83414314AB168B1E79C2DA0BDA762305E2F85ACBCAD91ABC02472217F2CDCA84FB20D2662241032D3B0DF2E1D30', X'B484727FC660C73BDC451C8D2C78C04F');
INSERT INTO embedding VALUES (31, 1, 1, 1, X'5B31A3B0672C44AF33A8CB2D2AA9CA2CBD2C192BE1B3CA30DA2A9D29022C4A1E5F978231452866B1DF31283263AD26ADCEAFFAA46C2DA01F3229DC1F882617B083AA3931AC32C6ACAAB13B3193B306AE3EAD2432D92D049806B4CEAC102F2C31C9B376AE72301196A3290BADA530A1B094A7F03004AB4C34F3AEAA2DBBAA98AE', X'A5DF6C3E64632A54D0305C816E4BA358');
INSERT INTO embedding VALUES (31, 2, 1, 1, X'ECB23C25932D75A92520912CA1AD082E9DA775A502B3D0AC832088B4D5ACE22C4FA1EE2BAC9B32AE2233FEAD6D313CA5C531C52FA731F6AEF72E49B014AA0922FF30CFA9EAA78AAF1FA407210BB0E42CB835D99F49B35CB013B59D2583AE5C308C9F3433D52E332DFE2A8A305A9C212EAD210BADFFAC112BFCA51CB09CB0B4AC', X'6D094AE985857D9080241AFC92BB6406');
INSERT INTO embedding VALUES (32, 0, 1, 1, X'71B055A8B81D45B4F890ACAC97AED53167AD402B55A9479D0FADC222A328E031EB265C33A22C9BA70EAC562F04AD27ACB99BE8AF15A8EE2F68B1B93182AF0CB5FE2737AF21AF59AA5D31E72C32AC2826E230AE31FFB39BB1722AC431091E802F332E1824EE271E305C226F32CCB06AB2F6ACD2A26A2C4A2A14AF9AAD64A5A934', X'2147E4148DCFFC319301445F68F51709');
INSERT INTO embedding VALUES (32, 1, 1, 1, X'52B1A3A908B5AE2F0FAE78AA29B2CC2685B02028982B533283A56CB11EAD93A51132D8AEB6A2F21ED5A64C33302DF92C872FF3A11F2F6B22C81B802ABC306D2FB2A8AAB026346331A6B123B11D2D81AA2CAF2D2C63AAE02C4BA70331572F15AC4EAECD290931DE2D3627F0299B2C7B2E7D2A4D9385B255B1752E281EC6A3D935', X'117097BF32567F8DB294C4A37C862139');
INSERT INTO embedding VALUES (34, 0, 1, 1, X'1B27FF28DFAC44AD662DF725E1AE719C773001B4D72CB9AF29AD54AA1B2B70B04FB0ABB2362EC0A0B9AA9CA8E7ABEA2DA3339320EF2874AC76A9B5AD29AF112D6AA78132392F0F211F2B833590AF54ACEBA974B028ACCCB12C2C27A36AA861A570A0F5AFCE2E952BFBAB75B57DB0A2229227682CE134DAAD042EA4AD55A703B5', X'CCA221E17C0831E802D1E08266506621');
INSERT INTO embedding VALUES (35, 0, 1, 1, X'F82F73314B2B8AA70D22802C07AFC92C46364431C89CDEAB6D3198A2B5B160ADB2B265B0472CC72C1A266B2D1CB01DB0242AB031CA30EFB05A31CEAF8B2CEE2D3331DB2EFE2EE4AEAF2301AFACAE00B2213321B1573052B3E430092A1FA7BB2FBAAD57A9232556A0A2AE0C2DFAA8C72BFE302F2963B21427BEAA05AC21AF3729', X'EDC83CEBE8AD25D1C2CAC37CF5F900A2');
INSERT INTO embedding VALUES (35, 1, 1, 1, X'87AB86134CB259A7D6A6CB2CA1A1AEAB35B02B31A02556A9AB2F49B23D9DC72CC2A01EACA230052E83B0EF23CFB1A430FF2DEE31592EE2AE58B5E525CDB0543571B398B403327DB126AF3D2E4BACE4B020AAA030B1A92F2CA2A7A42637B1FFB1BDA02330B02CAAB057A385AEC3A5BEA32D2BADACCC2A56A73B1E81ACA0A8A7AD', X'446935E5245460A820CC2B7BF9435400');
INSERT INTO embedding VALUES (37, 0, 1, 1, X'CC289B2CFA329031873308AECDB2BE30BE2A2FB1D8B156AF8D307E291C1CD0AD4F2C4125DCA589AF84B1D3AC3F195E9F1431AF23912B72A0352C8D9D0B31F430742C52AD57AFFDAD95ADD5B246B0DF2607AC37B0412F7E2FCFB3A19699B54F2E42A011AF6EAA52AA2EB0E12B2D332AAEF1B081AEB8B21699202EC3A5D1ACBBAC', X'F98EC2EB813106083B781883267A4AE0');
INSERT INTO embedding VALUES (38, 0, 1, 1, X'A62D8FAEE12DC3AFE0247DAE56B04A00B1ADBC2FB724402F022E4826E030E4B302B67C2B5F2957B1C1AEC2A32131559E7FAAB62E3C2885AA43209DB2973168B169B030B20D2BDCB47BAC942C6911FBA83CB2752EED272DADAFB2EEABCA94EF2F67B0352C692CC0B28F2C7CB0962FEC31BAAFCAA88329632C41AE3EA752A6462E', X'A97E626A26616B3156539A47D0C99780');
INSERT INTO embedding VALUES (39, 0, 1, 1, X'DD1FEDA8032B2C30D2AD32B438A90DB0B2A192A95C2865ACAC2BC5AC64AE67A94C30533159AFB7A0313051B05A296DB4C32934B4B030EB25C9AB7735F22E9AB14630CDAD202A69AE92251BB4BB2FAD28152C782FDFAE1429D43091AE7EAC2AB14E25472C59A02F34F3AFD9AC0E2E462A16A98BB04E257AA822AFFBAD1B310132', X'B028CAB6ABD8D3231500ED67866D184B');
INSERT INTO embedding VALUES (39, 1, 1, 1, X'78AB8BAF2A315821FD29432A72AEEAB42628F72EDBAEAEAF80B543A869AA432983B1EAAEFCAE1E30AAB21532FD2E9430161AD3B114AA342D39AB933316B1ED2C492C8126222A3C30A230532C1BAA033233AD23B26128D8309FAA7AAE6CA8D72BCEB0BDA9AE32173120A661308629E3B0B62E57AE091F802C762E7CA914A4BD30', X'3CC11795FD3136B96178FF461950B581');
INSERT INTO embedding VALUES (41, 0, 1, 1, X'2FAB26B2CC28A72BCC2636339CAE31319C2F39B1C3AE95A6BFAD7F2DFC24932DC63008B19031BFA92A333420C52866ADF6AF982D17AD1A32B934802C412C44306EB449B0C62AEEADD0B1872D412DFE2E082EBAAF46AFFA2C8BA16F3072A42FA78625422E802849AB1FB4A12D072B0D344D16C6B01E31A5A9C2AE0B2E392D26AF', X'3D87AE5F2794E7A645E0E899C9640969');
INSERT INTO embedding VALUES (42, 0, 1, 1, X'CAAD6BAFD2A5EDAE4D305C2CEBB02BA519AC592BDE2A96AAC527B431FE3242321F2807B23F2C66B011B1002BCEAEC9AD46A64830B132ED2D4CAC1BB0C99F50306EAE072C0C33DE28F1AD7DB1442368ABF4AB4D2D65AFC52D162D0EAE7734D4AF5B2E54A45135222F4330662F362554AF97B24BAF7DAF63320CB129AF0A246325', X'0C6FA471725ABE135A075A6524233DFC');
INSERT INTO embedding VALUES (43, 0, 1, 1, X'9A28CE2F86B4993265AA9BB666B164294B2532B005B38CAE629F1A95A6AD1AAAD72C89A444B1CC2A18B3822FBB274AB13FA494A92A2E752B1D2B40308C30722EC5AD1D27412DC12FB7A8742F97B12930D6A969A6712AFD2E82212E9A512938B1AB2C15300D2B64B1842DE7AD28ABC932D9ACCD313E2A1A2F3EACA231CE2D3DB1', X'D180963F753AE97676702D0717115155');
INSERT INTO embedding VALUES (45, 0, 1, 1, X'7F2DB12927B0EF2D7BB321302EA024A99DA8D5A358B1DD31FD2C702C0AB2F9B09E2C91B00521AEAE07A7243404AA023078B1B030E728E8AE093073B1F1A95191392B18ADCD278AAEEAB3EA3042A09C2B7830DCA26F34E23226B3E72475A5DA2F76AC05B047286CAA1F28E5B20A246EAF4A28DE3088334D1C53ACCF2B5C27DC31', X'D41CA568A5B52AF72C3355DC1CB94561');
INSERT INTO embedding VALUES (46, 0, 1, 1, X'513073AFD52EF9B115309A31ED9D922CB6A53035AF2950AB8E2D38308BA6AD28683065B430AFB2AA3BAAEAA7222E81A81FB264A06B2F172D8EA2102ADDAAB532222FF8AA932E4E2D932E2BA2242F9D9AABAA9629232AAC9C87AA4FB3ACB1532FF7B15AB0D32C43AC47B3AE2FBBA81833BFB359A88E304E3013B1CFB16899592C', X'AD6D8235BA612531FC44E0A1AA07CDBC');
INSERT INTO embedding VALUES (47, 0, 1, 1, X'5AACA9B3D8290D268EAF33AB03B128AD77B3B1B0ABA4CFB0C02D49313DB1A6ACEBABFA23433681A7F9309B2025ADC9ACD8A1B69379246C318E30B3AA70AB01B4D0AC462500ADA824B4A937B1E5A5D831FDB1BF2A79A887ACA4AC6CAD2EAF0AAF48AC6E33372A9FA4C12227B16A2E03AFEB001EB0F72ED5314FB057B0D0A6BB32', X'300C6C3851406AB14AD628190583477D');
INSERT INTO embedding VALUES (49, 0, 1, 1, X'E1B2B61D092A31ACFB23BFADD42E06ACF032079BB333CB2667AC46B41C2D2FAE652B15B29EA8852C782C9BB04FB0BC2E36330B2CF52E5AB3CEA96E253832BBB07BA547AECE322CB060AA4D33942886300C2B4FAF3CB107B485AFC725972FE2ACFDAC8C2E4AA71A33E52A52A86924F822502FFFAB21AC80B148A8422EE4B01F8A', X'6AB299E627865B8482A447B3357A5092');
INSERT INTO embedding VALUES (50, 0, 1, 1, X'50313C2FD6101329A2AEC2A182B2D2AE40A2AD2E342CF5A88A3123AFB63087A72E2C09B196B2192F10B23832852F4D3100315B3059A5A5AD473354AE9DAE4FADAA2C2A1447306C2C8027EF2F632CBEAED4AD1D3233A4402DDC2B6EAC80332D2FFC2BF43028A819B4F4B157A000A34A26BAAF5DB31BB0912C033186B297AECFA4', X'F06A97C8FE5BC118C30E7FC8244358EC');
INSERT INTO embedding VALUES (51, 0, 1, 1, X'08A2EA1EEA3030B0E83063AB40B340B162AC6AB0762C432FF428E32626B2E22D03AE06B02F315026ED29EFAE80B0EA2B692D4EA92DAAD1AD81B277B45BB1BB8519316D327130182CC72FE4B37EAF062055AEA59C142F56324CABCC92E8A552B2002E89A65DB073AD072FBE2D99B1113284317FAEB3A5752D16B21AB04BACC8A2', X'683D3980F9308D903B52660EEE312B8C');
INSERT INTO embedding VALUES (53, 0, 1, 1, X'C9AF8DA929ACB52B35285BA89A33312B9231DA2FD02C6EB172B1F830C92031B00BAB25AEBFB0943240B170232DB0002189275BAFA62DF52DF92C1A24A92F062F2630462AC0A976A285ACF2AA792EA52C7131C41D762CA2301EAC00AC4FB27126672407AEFB2D0F3180B5C333302DCBB46CA0A6ADF8B3712FD4AC24B153A426A8', X'1BE615BFC3F1B61082DD3A4380921D34');
INSERT INTO embedding VALUES (54, 0, 1, 1, X'B62ED5B0D931DDA6052D4720E2B20EB222AC20B0AA21A01500A5402D51AC042CA2A909AF8CB377A9E9B05A2864A0602BA9320820513012AD01A83A291D32852C7FA1D2AE2330C2AA05310EB281AF9AA7F92DB2B034AA7EB1EC2AEA2143303132B630B5235DAD0CB31B360AB13AAE781BBDAEF72E01A5E7A1AD2EFC3393AF20A9', X'AC3505E7288FC94CE34068A26E539CCE');
INSERT INTO embedding VALUES (55, 0, 1, 1, X'9BA32AA62EB045AB5DA3BD2DE63183268DAE88AE3D9D1B31C393A0ADCDB376A3F3AFC59EACA7C02DB031B32DE2B1642E9A2FFCB24931612B1D30A9B32E2ED11F0FAF3A1E612918B33EB2DC2CAC331D3057A95AAD08AD972C1CA9A1B31C2F2C2EFF320227DFAD3AA9CA2CDC30882A74A8AA25F71CA63164B4AC31C8AF3AAD5DAD', X'07101DBB6713CEE822D28AEC9B06843C');
INSERT INTO embedding VALUES (56, 0, 1, 1, X'903125275A29A130462C7FA236320534572A142B76311AAD3C33313274AC6FA1EAA2C5251F2FF72C1AA6582F3FB261ADCC29E92EFA259DA4B930F3308B2C333241A35D2AC1AE262FFCB218AF49AAEDB35530CAA7D2AB6627DAB026B024AF5F2FCC2AF92AF8A4F5B051ABBBAC492A042BEE33F6AC94B383ACE2B01E298F2D8EB4', X'FBEC74EF5091C386932C264D3D8F10A9');
INSERT INTO embedding VALUES (56, 1, 1, 1, X'EAA5362D142DABB2D22DFD3219B19131B7B1AA309A344EAD989FCFB218AD992416294028ADABEFA093B5F624BBAC9732B02B78A8D2ABEDAF2BA96C2F9BABDE2418B1C32A8BACAD2D0F2B3D1C7E31C92DB6B065A735302BAD052C3EB4BAABB2ACB62F7E31832922A7652B662CE5B012AC2FA9A829E4AD60A4F3B235B35FAE2EAC', X'6D61C5855F28EC4017E4091482A4C20C');
INSERT INTO embedding VALUES (58, 0, 1, 1, X'5A305F2B5CAAA0316C2BE129BA20A3AAF63194A8ED1C332A9029442E5430A73357AD7EA9A22FD026912915260E33C1A7E22C6B307EAF913091174815F9301920502D9630F3ABDDA971B35B30FAA6B1AD8B2E4B2D20345632D7AA09AEB030EA2EE93612B0862DC1AC082EAF309CB3143000A78A2AA3AB74319EAE212A9E295A24', X'DEBF3EDFC4F3AD57908322724CB3C718');
INSERT INTO embedding VALUES (59, 0, 1, 1, X'5C25E8AE10A732A8039A67A805313926E5A64823672DEB2D8FAD9AB0EDAF3324729D0CB5B434B5B3A5AD4A265D2F18A9192A7E246FB305AEBEAC49A90133EFACD5A4F9287832E7ADFD2BEC329D24B7306EA77028C928B6B138B27AAAD2175E26B3B42B281D2CD73054B492284EAE45A938AE002552ACC225162FAFB358AD702F', X'837126C26F6374594206723225189A8D');
INSERT INTO embedding VALUES (60, 0, 1, 1, X'18273F97CF2A292C7CA51AB1EF3165A257B140A4752BE4AEEDAFD3309BB0632BAD2A0529A0AC3D27DDA35E26552018A7992B3F2BC03094B0142EE72D3AA6F4A550A1782EDC29BA2B5D3559A918B2FE336C1C42AE23AF252305B1FD2C002C8BB332B283A3642B1D316E2D9526BE2E7430A3327B33D02E6D2C07316734B534B818', X'B225D6EC79963FFF069E00304B6993EE');
INSERT INTO embedding VALUES (61, 0, 1, 1, X'6CAD922949B032B0EBAAFCB1E5B3432F9CA86297F4A99B2C9AAF43A163A8243067A991B0249EE0A68DB0CA2197A13CA8CE2EA0AA648050322EAD2D350E18E8AD6695D4B052AE072DDAAA01AD65B34D3313AD2AAAD9A594B268B15D307BAD092FB6B0B32F2F32E8AC54B5A52CBFA89EAF00AC22AF39AEB430C02E3CAFC92D0BB1', X'411104961105641A37094894431DE95D');
INSERT INTO embedding VALUES (62, 0, 1, 1, X'EDB0EF328798AAB09CA86EA531B105A9FC2715B446AD80ABDAAC82B330ADAE2715AA0331062D7BB4E4ACFB2AB51D07B38133C42F5BAD7AAC26A33E306EAD75A7F42207A63FA83330563345B10C2BA4A85732DF2AD0324297D32ADFB1F32CEFAC142CCE2A83288DAB891FDF2A98B016AD0BAEE82B28B0B8B1FAACBDB43325BB30', X'408166C49AEAEC43D24451C41CA40235');
INSERT INTO embedding VALUES (63, 0, 1, 1, X'F4B18230A130513167A2C12A82322B24A02F1631553448AF9C320B9ACE2307B077AD00AB2F2CB62C1FB2E6A79AAEA43012AA662D2C2E6A2CE9A69F2D30B0B7A957AC8C2EA42D8CAEE1A8A72800300AA291A022B0B22F2B35F22E7B36EAA8D3315332A1AF9AAF45AC18AE0D307EA8F4A8362421A9E32A5FADB6AB902EC71D512C', X'77EA3174663D84A7F2F90B02527DE404');
INSERT INTO embedding VALUES (64, 0, 1, 1, X'0D1DABAF3B30D4ADDE33BFB21FAD2C9EAA2ACD3188310F2B7727842A0F9BC9B1D62F612FD0AE0EB37C2D9A2B532A24AD9FA812B155A34D2FC19DF92A4BADC8AA4C319D2DFAADC7321EB2BFB2CD2C39B1492C37A91A33E9AE66B2CDA839A61735B2A4FA3126A8209A3132292DB323E8AE22AC9D31B8ADE72F8C2B1DA1CB2E1D2D', X'A8FCCE14D2A14E5B6C61F0509D394952');
INSERT INTO embedding VALUES (64, 1, 1, 1, X'21A5CE308330ED2432ADA7A760B015B1C6B093314BA975B0CB2D1BB54EB24BB1F5B31D30522EFBAB20309927072E192CE72E142F112121A5022C9F2F1BB13C347C2799A3DDAD5A2F1613A42F83B0411D2AB01A31B02D0F2A652A24303BAC62ABE4AC3E265431F8316F26162D5C29DBAC53292431C3B4DF2C982FA9B1D02D7C98', X'70486FED9D7C7EDA63D7C8C716C4306C');
INSERT INTO embedding VALUES (82, 0, 1, 1, X'BBAB85AED5A4B12EA72F5332AFB28E2C692D69AC22280EA6A93124AB3CAD7BABDEAB12B4D92EFE2EA62CA12D43258B31871CCE308CB0D4A0402F64A800AE2DAEB8ABAEAE362B6A33F5AE3DAFF9A88CADD2324DB06F344832592C512560323C2CD82DDD2BAFB49BABA5ACE5AD29290132722BE89600253734C0ADBF31002CFEA9', X'1DA83FC830BFC3B61E0871685CF22114');
INSERT INTO embedding VALUES (83, 0, 1, 1, X'40A67EB21BB057320FA2E62D39B48429EBAE7DAF88A5AD2FB7A5C62F0031043007B4493148B0442D48B0A7A686302D326032D7A4A71C4129F1AC97B04E2A52241CB10C303FA9972CC734B831A834992D651B4221851150A0BA2DA21F3FA6F4AE7F2C6B2EFD33EA3143904B2229A9422D3EA9B8A569294A300E2D0AB0C42D682E', X'151753B35FECF53B72D7EB84CE017015');
INSERT INTO embedding VALUES (84, 0, 1, 1, X'22A012316AAD96AC7FAAEE342AAB15B38D30D3B343B13B041F31ADA94424A0AAA02D55B2E2B5FC294CA8CCB17733ECAFD9AED4A0ED1FEF2BA5325EB02320B2AA019E05B4152E6C28A32004A8152EBF1B3A2A48324EA4CBB1CAAD3AAA5026A9A360ACFD2E3C26592895B0E4B2CBA52B2881ACEDA86A274F2FBE2A00B104AC9924', X'449A923A3BC2713945E8678C62504C14');
INSERT INTO embedding VALUES (85, 0, 1, 1, X'3624B5AC812DDEAF0DB64C24642C2D2007A6FC2DABA577A83BA90BB68C30782B2131653027B05E2D6AB1F9218728163098AEDFA510AB5F25DE2F382F18307B24192977A61D3089AA012AF0A826AC7A32CD268E2E23B0462FA8ACD72A75AC502F9FB0B32FFEAA4533A6B0CD2C012DC02EEAA4F1B4C531E2B0D0B0ACB029A431AC', X'A743D71FA9D557201806E98E2171D97C');
INSERT INTO embedding VALUES (86, 0, 1, 1, X'7B9F8C2C43346119A42C6730BD26D7B3C0AFEF307A325C963EB0D02991B1C12478B19F2DC8AB94A84A2C1A25C0A8BB1B7D24DCA361AC42AC143191AD632ADF272AAF95B3CE304F30682CAEA73C24453388AF9533C2A76C30322D2F33F6326CB491A90DA9E6B018A01D2139B4DE2B3130D59AAAA9ED2D34190324CBB2F8240C2C', X'7E654D8B3B5E0B3B25EA8008F1D72504');
INSERT INTO embedding VALUES (87, 0, 1, 1, X'242A782E082CDCADF32932ACE234F2B14FA204AB6DAF11B2A62A9BB021B18E2F8FB144B5D5264AADFA2359A842A4242870311F2EAD2C322BAF327A33FD22063133AD0A2DC4ACF1B201264DAAD229C9B1D398B82D4D30B227C0A5EB2FDCAF2C2C3129CEA9FF1ED73270A772B28826B5B36EAECF8F833148B1232EFB24E42D87AD', X'EA0929FF4A75B22E4337C08D112615B0');
INSERT INTO embedding VALUES (88, 0, 1, 1, X'EEB48CA40E256D9891A3B2B5EB3177B04928422D021AB9329233EC240632CAAFB22994A62A32D2AA91261FACF930391C8AAC6FAC8A2E29A263A880B2F72268999F2DF3A1652B4FA8BEB0289E813011B1E32DAA28292BDE2FC73465350518B0B1FE269C1CBD2B8023B1A8F5A9AA2A8026C431EAA87F990A2520288F327CA01621', X'22FEAB22A2FEF39D871B22248B9D0084');
INSERT INTO embedding VALUES (89, 0, 1, 1, X'8929C62FABAE0A27BF32E72E05303935B9ADEA2CE0A96BACDB2D85329FAD8A2BBE1C281B6B2D8E2F77AED0AAD92E5B2FD9ACC726B6AEB3B53EB34E261CAB4332902A98A1DDA797ACA0B4392D232FDDAE48275FB1C4B10F2C3723D72C232DBFAD5EB1EA2F99B2282FBEA89E9C1DB1C5AF3E2E95A593310EADC12D31AEEAA00E2A', X'DF4DF345869E50A96F041B390B60F320');
INSERT INTO embedding VALUES (90, 0, 1, 1, X'7AB1FEAB4627E8292FB175B27C2BB623E430DF2396345730D5AC5C3024A994B23320382E872CA4A74B9E04B313AD11A4CFB18695E58003A7F6B106A0B5B188342CAA98A93E2B702CDA2DE9ABF9B2812BE2B1C4324D99AE2FF8AFB2B0BC29F8305DA50E333D2C09A5D632A02814B1A420C8AD5AAA1B31122DFC31F4A25B23F12F', X'33F4E00139536D3B8CB5048B02DD4A29');
INSERT INTO embedding VALUES (91, 0, 1, 1, X'66B49C1E35B022AD7225272D45AAC7ABD92FF8A243B181B4032C3728BAADC430E4AD692D462CAAAD78A9B5AEE2AC06221E323EA54D2D5D1E5432D1306F318DABD6AC09B18D285BB305302AAC8BAB6232AB33F5AB31A1C8B23DB2A5B06B14E8A78A2D1F9AC42D59AD26AB3AAC132319ADC3B36930E2228D8E36B459B2FDAD72A2', X'4C8D61BE2982A260A0B1048E599C00CC');
INSERT INTO embedding VALUES (92, 0, 1, 1, X'52B043B42CA74CA787A91A304232ED1FDC31FDAACA312B2F6D326BA837ADA02D7AAC0C2845A8579D6DA73929B22FC330852008B3A8AB18279AA4DEA8ADA4A6B1D2AEF4B09A2CF7AEDDB12330BE29272B0DB0E1B04C1BC2AF9AADE62F13B0B32C96314C2E3E3219A650B0A1AE292AE033632B22B2E32777ABC63241A47535C0A2', X'07B947902725E3AAC6B80341DCD6AD4A');
INSERT INTO embedding VALUES (93, 0, 1, 1, X'05ACFC2F172581AE0FA6A22C6C2A1B319030C4AF97A599ABA5A8D82C60A85632A22E672120A8E72C932578A112329CAC6FB4DB2053B0AA32FAAFE0B2C630CB29FDAE5A30EF2E5B32A0B483B4F6ADD2B1922B8128DEA92BA85B3031AE08B1B52976ADCF2D0824512CEB308229FE2D47ACE92F21B19FAFC22414A8AA34D30F0EB0', X'6785DA5370C97E9651C182BEFD0A08E5');
INSERT INTO embedding VALUES (94, 0, 1, 1, X'DD2B92329D30CFA8B8B420319A2CD9A7E7A1AB2D5AB0C82996B24EAF582D9230D12B56320E2691A600B026AF0A32D42A3533372EF82307B118292529231FEBAEC5346A229833C4946F23782C151C042DB7B35DB4D827FE2E5F2E4330ACA5769E42A8EC2C50A254ACFE288D313DABDA2C32A9B4AD7F29ACA8A128E2AF752E37B4', X'E653E3EEEF3C4D2A6C2D4ED1A0DC0407');
INSERT INTO embedding VALUES (95, 0, 1, 1, X'2DA878B03A189EB1E3A5C6B098A8352641AAFA31ECB1BF2E052322A8CFACF2AE43B097205C2A1EA6ADAE09271C2D2DB1D4302731D2B10F25C6329C2DD4B2F3313B33362ACE288BA5A42E861BCAB301AC76A8802100292AAC02A8812430294C22502C83349DB33DA990AF46A409AE63A78FAC432FB6B389320E3216A7F0310CB3', X'215866DDEC67C05A547189EB8A00687B');
INSERT INTO embedding VALUES (96, 0, 1, 1, X'1A288B31C6ABF231F7A999AB19ABE02A3CB2292D02B4DEAE4F2881A0E3AC64AC41B56DA8452B5F26CB31B6A9A2AAC71FEE2EEFB10FAEA022552DA8B3AAAA20B33C3145340C2E77B0AC3192B321ACFBA8E52EE5326933C52D8F2E8C2EFBADCAA34B30B5A61F30C82E031B3A2E8C2BF824D627532A30AFDC1E1BA8602FF4A9842C', X'D1483998E8FCBFD550B088C5DCECB024');
INSERT INTO embedding VALUES (97, 0, 1, 1, X'D530D0A8A9315330242F5C2428A83FB3F4B5DAAB849693ADF0AE85ACF0305026E39C5EB408B539306CABAE26191883AD0530EFAD091D1CAF81AC00AA9FAC4D329A282630BB271D2C14B0FE15D21D68AEB5A07DB1BE1FE29DBD33A1A9AC2F19B2E5302BB2CD2461B0232BD922F53103ACA6AFC02D499DF7A582A84A2FA23182A5', X'BC0316A1F62AAE46B98A7091494BD286');
INSERT INTO embedding VALUES (98, 0, 1, 1, X'E7AD68B051AA1B2DFAAAC8ADA7AB13B4BFB008AEDC2EBC31C82EAB307AA7012274AEB62442A7EB312F974A9A2131E6B1E1264CAF83B31DAA6AB0A92FA91F69B6F4ACABAEA32D54A41FB1EAAB9D2CB321C3AD5030D9A61E2F812FD529022D5524552842B2022F5A29FDA42823E12E652E15B15D2AD6B2DC2D0E3459A18131E431', X'103D5286235FB75B41BC936D485863AB');
INSERT INTO embedding VALUES (99, 0, 1, 1, X'0630DFA65C2CB2A94F2FB82C533471B2E51B80ABDBAFAFA6BBAA1529F62E622CB2A43C310D23082EEBABB934A02D952FB43022B0093161AFB3A88A32BE2F64302324F52E982EB231B0B1172A2E9C0930FAA5302E68AD5F28511E2134EA18C8AA09ACA031A1B211318AAE24B08BA4C8B13F2B62AE4432ED2AE2B3D0AF2C2FD62C', X'AE8777A7F55E50B38B2245F75904752E');
INSERT INTO embedding VALUES (100, 0, 1, 1, X'ACB277A47C2D92A732A9E22964A4ABAE8D2906B1722F5FB3A2283CB06F3236AB57323634272B103375ACB72EDCA4E01E80B4272888AE752D6DACD12E0FB406A9E32E5BB1E22F99AC1F303529AD2679B29EAAC92A2E2CDEACEB29112C77B1582E0E3026315E2A472DE0AFD52AB21C46B305AC083034AC0FAD41B053AE6DAD7EB3', X'24AAF554AE6DF6408176D486E902C949');
INSERT INTO embedding VALUES (101, 0, 1, 1, X'343442AFDF2997AC0D2EBEA5BCAAF7A82F2B65AC5229D1305DAFDBA97730D9B012ADA8B6B5AC22251828BBB070AD472AE0AFD3301DA8842F22B074B0C7AB2434072EF9B10A2E67AE8B2AAC30FCB2C8AC28ADBFA572A66E2CD92F742DD33177AC11B47E30062BA32D3DA650B0362A98ACA0249E2C4B2D712C99A582B116332511', X'A8B21951AC1E72F3C01B44DD460AC406');
INSERT INTO embedding VALUES (102, 0, 1, 1, X'C0AC09A30BB2B41FECB32D2296A1B5AEA7AB50A397AC21AAE1309B2AB02D8F2B9AA801AC3EB1512CED2466B415B0D332FA34D1AFD0AE4B218931AC3071ADE629482C1D2493A872ADFAB12CB2DD9D8AAFE8B0A11B5E2E533327B1DD29642A00B030AD002ED3AB3FB1632555323F302328B12F21212021D51E3DB4AAB1E130622C', X'140F199DC0764FF3290827EC0DB9168E');
INSERT INTO embedding VALUES (103, 0, 1, 1, X'DA327F1EE32EE134193391A879A9CBAFC7306BA275311CAC57AE6EAD373378A7A7A8842C1D2CE72C73B3023017319EAC12313A3263A985ADBF26B8ADD42D4DB06D304B2FDAADDF313432F1AC73B261A53A21A223F22B76AE6BA28D2F13B03F9DEA255B310DAA0C2A4C9D2134A231E6258233C92D7F2D7A1E31A93D3175A461A4', X'F8A276CAD8E4D7F4B9A20EC1DA164684');
INSERT INTO embedding VALUES (104, 0, 1, 1, X'DDAF042E733349A61BAAEEAF28AE9D2D3832E130B4292D3324B06D2FF71C5C9EDC2B19B08327EC2606AA8E2E48AC31247AB3D52BB5B22B3022ABC2B2D6A8B12E59B0E3AF15AD8C25D02821AA6BB2DFAF3CACDFAEDA21732C86333B332E25F7250EAA4FB1A7B43CA9FDAD73AE5F2CD11C9528C81FB63236A8DCB07BABA734B21D', X'61F6B551183F03E3A4DC44B5C34C642A');
INSERT INTO embedding VALUES (105, 0, 1, 1, X'4FB28B1D2BA952AF662E10ADAFB117295B32C5B0F4AB33AD772F5EA178B0402BBB31B131B0A237A481A9E4AE95207830EE260B2D9631F9AD172DED2884AEF9AEC9B3D32EB424B3AC542A74AF77A954302AA6A6B1D4AA6F3389B1AF2D3BB3582CFDB095A8CF28D7B1DCB261927AAC96265330F3341029E5B3BC305EAAF8AB2F2C', X'4989C3EC691521E992CAC521C55A98D8');
INSERT INTO embedding VALUES (106, 0, 1, 1, X'DF2DCAAED734CDA98CA5B8253AB1D22BF4A9032DF030972C652B42ACFA2F94B10C2203AE653049B0C425F9A45A2A31A5FD33303162B0C29D602E982C61AEBE32BF29E12BCEB1512E3D292C3259305E04BEB581A76CB1C390F72C68AC732C382C54A8202EC2A7A32DD7ACBD2AB82D612B1A27F098B83087A1C0B3C82986AAC1B5', X'A57AAACDDF0B57A4622330EB36A04029');
INSERT INTO embedding VALUES (107, 0, 1, 1, X'D1B0A7AC5EAA75B0E7B06C2930309AB121B0209E572B7EB208B24327E1288C2777A521B06FACE52EC8B0A31EE1AC56341A34232D6B32CEAE0E32C2AAB832C831171B7BA94D2A7DB23C3008AB5AAD3E30A7B0202A3732BF2C51AFCDAEDA30412D1D30B12B69B0A03398AC1730492C182F30AC2731182D032797AA8B2EEEAA57AC', X'062715EBA973D7749B9859AB19AAB540');
INSERT INTO embedding VALUES (108, 0, 1, 1, X'66209FB1BAA81532CA2EEFAC092C7829552E922D8B2739308BA42AB4CAB3DF30D03139AB0FA961AB643023AB2E2BC73401B062B0139CC02A25AB4D2A86A023B136245C2FC33109A1C32C7632D02A28ADD6AC21A7992FD9B32AB185AF89B37131972C44B26BAEAFA67618A42B1E2A0E2BAB2EDA251523232EFCB3B721D2326A24', X'9BF18B14EE218FF7581789C1643F608A');
INSERT INTO embedding VALUES (109, 0, 1, 1, X'402D37A4B8AF04ADE2AD20B224AFC4302C26412E45327A20D52B1830902D14212FB0EC2CBDB1B932BFAC47B028B235B26D1DBEB3FBB2172F982B4C15772C0AB0072E4D326EB4473166AC6E2D37AA9AAC389E99AC39AC8E289C31493094A8582C1DA81BA603308DADD6229B2314B0ECB187AF13AF4A261CACD5AF13210E346E33', X'81FF509ED41D2C272724B771700C23CB');
INSERT INTO embedding VALUES (110, 0, 1, 1, X'26306F2E29A821B3369E6426352AE4AB16AFBA2D2CB0662B092D8AB078B12F2E522089ADB4B0AA272730E32E2EAB12B383AED326E936D5AD172DD4ACA4ACFD2C1DAF0B2DA0A81532182FA8A5E0AF74B4F91A09AD542943AB3FA1BE9F63B28CB0F7B0682B26A95917F6A926AA2CA845344430D8B25CAE062968A85F2C49203F33', X'C6599C6958A05197D0A62DA09B0381E1');
INSERT INTO embedding VALUES (111, 0, 1, 1, X'362DBEB1B933B5AF3CAB81AFC5B458A7CA9FE72B940CC72C8A30BCB271ACB6AA69A596B47DABEF287632482950B1E9AA4F2400B201320EA9292D49AB9AB3DAB095B22EADB6A58933E62A0331969F05A96E1F08AA512D93A4E32DE62C532C1719BF2C6DB246292E2E9528632DF8B093AE92301AAFFAAF3D9E8EAC172C16B3682E', X'A0781CA81CAFBC85760C4A63940043E3');
INSERT INTO embedding VALUES (112, 0, 1, 1, X'A8311FAA3DACAA2CB1A5162BFEA82DB392AAAAB039AD499A04ADF4286AA83EB523A4D1A821B5D92CCD322129FB1C08B3CA30CC3193A9BD18142BA72DF62B1B31AAA2DC280C290DABBC2E0325E6B084343733DFA0D22B77AC62318AA7422ECB2C4E2976ABB4ACFF21FBB0E4268727DDB051ADB8AEE72844B594A5DA2C743184AC', X'94041EDF6DAB9626814129C10B8A0952');
INSERT INTO embedding VALUES (112, 1, 1, 1, X'6FB161B061A8D3ADC6B283A97BA94EA698B49CAC67302BB101A8BA2C6E3165298BA8B8B0D2315EAC09A00CB15FB085B26D9C7E26092730AB4EAC962D8EADF1B44EB028ACFB2C49155233F9AF7CA45BB13CAE7C2A542F46A97531BFAC0620B31E5B2F3F278DB0F02B46ACB4AE31AC0BA8ED2E8C2D9BB26531D1B143260E24CB34', X'00272064386BD0D7C8B267018D28A4B9');
INSERT INTO embedding VALUES (115, 0, 1, 2, X'3326BB9D5EA89E2787A95727FAAA37A8E31DC81CFA2DBA2D61A268A253A8AB2AD2A9FE987F230820B225CBA6E4A5F21C062C20A764A82228DAA9D8A6F329561C0B2C272EC328022BF52885A63EA09791B39CFC2064197AA75AAC98A9BB1961251B21E5229420FF2B66A2AD297028802BEDA80428B41F15AC2C273A2B4622342B8D28D423CA29671BB2A587AB2B276A9B05AEAD2494A5A42DE4A86B28C12743ADD29B23ABF9A152A2C5AC61A915A9BEAC44A3CEA86029ED2DED2EEA223628DCA087A553256D23749E611E3229E42CB92EA2A997A8F62712AC2AACD1A9C42898AA4EA913A381263F24B5AE242D5A2B1425492390A814AB43AA3DA73723CD2300800420769BADA2FB2C532C2CACDDA19230E9AFA62CA5284020F41C8EAB0324612C7FA645270E2B71A5C31EFA2CB12430281F96A49CBD997BAB949E459EF213852B5D2847286E24832A5E2517A412AF56A7092BDF25632CADAAA829411FBBAF13AAD994452B7A2B66274AA83A31BD2695ACE6A499A8CC258BA66DA3E02109A1508784A3D3ADF2A8FF1E792BD024151E4B2AC9AC35AA25A87AAC24B0B5A525A2122A93A2E6AE23AC542AA5B07022282BBB9944A6C4A9C52A4424EE2ACBA4812E008069AE47AB1BA4FCA91529592B9D2C5DAE90AB0625ECA4F320DA2CA2ABBFA44F2A742625AC84A30529B7270D2C392A61300A30EBA92CA821A7ECA8519C359CE419D4A78A26FCA91BA80FADC0249BA39E2803A9C6210B96292068262B2E7A2B7CA525A5D3260518642BE59FEFADD52CD927C91DF228F2A93D28042E8C2EE4243B2E21A9A8A80BA7801D5EA8EBA5F8AC0BAA62A99325F72000968A9EC0AAD9A9A0A951AAC0A7E42C132CDC2BD2B0502851ACF5299030BEAA072729AC68AD3EA900803AADF8A58AA6B3A98228CDAE252EDA2DEA26A81DE5A3EEA2BB2018291EA3A0ACB028F5AB7DAB959D7DA49C9754A477ADFFA29523FBACD7A0FD2C8C11F8249BA68B2426A9C128BF2FB22DAB2C9AA4D8ACC2AC0AAAA3A7A128EC28F0A5B1A61824D127F32203ADE62368A9BF282E1F45AF1529471F942B4DAD8D208E28AE1E39A4', X'94F13993F863F76FF256003E6F223786997B6F03F8EC76241F01163A0E599F81455E73DF10603AD00BCC804EBC19D6EE0A31808AD00C151524914D38079D8E301DC5241112BB650049D97A6AD78D47C02806162D0387BDEE970161285DC02930');
INSERT INTO embedding VALUES (116, 0, 1, 2, X'399DDB29B0AA599FF8AA0AA69024FC2812A3252D3E1D719E8427A6A6101F83A71BADDD27B52688A068A6C5A66DACA023AEA8FC285F26C8299C284BABEBA1E42661AE1C2D17299C22572CEDAC46AD39230528011E2313F62578A474285AA9C09FFCADE79FD7ACA89B3F2EE82ACD887DAF9A161B2893A485A89D2A57A935AC5DA90EA9CB25CB28519D79A98E2656A84CAE7AA4C6A67AACAAA02225B6A1382C7EAA1927242232AA6F2918AC27A957A447A4A5271327BDA9AF1FDBA6112C58A669AB562AA923E721A9299425982688214C2141AC38AC86A2B82A7A2CA32564AD6E2BCCAC0AA41F22D5AB272DBEADB6AA99A5852954A9D5AB73A35729CFAB88220000A7A97FAB0EAF5A253C2C2624CBA6D39C9D0FA0A51EA44C2C289F2018492AFCAC3E2F4220C32CA6A9DDAA5E28A32A1B1C8028282432A43AA1442C2223963066AEFBA493A0FA9EAFA0FDA3E89C8028F1AF482475A6CBAAEF280F2565A205B09EACCB2E80A4BDA8A2907FA3042DCA2DAB298BA80521E4A89129B4ACD3A910AC3C24F92C2CAD1824AAA859A6B02CF7AE0925E129F6212EA175247524522C22A89C1CA7A7182C24A8AA2148A3B6A863ABB91F8C29E12B5D20D9A49E2B1B2B7D2A0080E9A95C23AEAA002C40A48F2660A8162890B0CA18B0A6449E5EAADB2B6BAB2D2B622E1DAA0526C223EDA0843006A506A770A6E125BB291428D3A85DAD872D43250E9B61AC1EA1CF25332E0E2DFBAAF92B532CE7A496B19C21869924A858AF22A4491859AA98222FADD82CB6AD65280223A99E43AC0CAB9A2C6A2E8EA353A1B0A19EA511AA3726422B732AA728182E562E8BA8599E9C2396A2A0A79A28CFA9592C5AA8282C37AA4C21B3A8EDA82C2EA52195AC68AD0AA5ABACD826822C63A8018078AAF5ADD81F8D25EA9F33A91BAD342091250D2B082B5EACAFACC02B521C4C23B3A490255222392D4E2D1BA99FA843A56C2DCCA8292D18A225B04929DE21532CC51E3A2421A68824A2A849A775AAB21E902B6C2EAA23192C0928329E5AA899A15E28E8AC94AC21251E2ABD2E2899E9216F2B5B27EE26512D429CB922F9A98926', X'436A617979F40CC8640AD0D4FF1D288B1C96E7CE02988751A5DD51EE5545B4731D90AB183F25530C31E778A7D1F89DF568408214CE02AD0F0923382590DB9EECE813BA0B0123871EC68442CEB08FC4264FA25C785B0362D4C27C18AD02D06C92');
INSERT INTO embedding VALUES (119, 0, 1, 2, X'A3AC892724AC8DA8202A392C6F2A568E80A0CB9D2399A1A02628E725CCABDF29F09A90AA212A711EB12A3E2CA924432ACFA01D2C06A5EA28EEA88A240CA9AB2D2C2AD7273F2C1C2CCAA5062C44A483A8D5AD98AD7A2938A272AC35A84AA097AC5CA7CB2866A8E6B0B7AAD89A7C24992EECA1BAA84BAC1CA8352AAB29A6A6012B1026642A53A26D2B8FA109AAAE2D06A5AD9C1BAA9327D3A07523B027CB2681AE56971E2D22A9422910AA2A2D072A5EACAD25ACA9BEABBCB0F92DBB9D61A8F0A1DA249CA9CA1D202690A5A49D0B2B6FAA01AACDA79FA00D14631D3A22ECA0489983AC40AB9FA915AAE2AC13A8192305AE6A2A1E28CE2513A8DBAC442849AD0080C027CC250616AA2EF42DDF9E112B00306FB0FD267C28322835A5882B61A352ACD5A55F2CBA9B2FA965AB9A93A61A8F263C2D1F29CDA5E7228DAA9729762C322A75245FA724248F29B5201FAE452311286C20532811A93DA1F72D7EA34F282D1A712BEEA97021F921562BE927832965A9F4A68E2A768E8BA76EA82C2638AE7B2AF6A1822F25A2D5ABB33029A847AAF424DF23A72C999DF9A629AC3BA5DFADA72EE6AE37A7BAA91BA9F3A3AE1C0828F4A867ACB2ADFE9C68236AACA22C702000005FA12CAE7DA93BA771254FA2769CCFADB1A6992D7F21D7A89AA84FAD3026AA24392311B077AAEE298A24A22D14AD29ACF22DC31FC0A512A91E268DA1E8A675AE6EADFAAB36ACE2A6D4282AAFCCA900A90228462A6920F62A5AA96EA294AD8D2C3E90A9AC3AA464AABF22FBAC062CE62CF3A46D2C9B1C1A22122E0C20D711D62FF128D4A15DAC3A2B02A803ACE8ADA72704AA5B2897AAD7A6B29E7A264420EE994321C9A83D267828A12E56AD1D9E9A2C139F78296CA937295FA96F2C0E09008061266E2586977AAC1A96B7A81E286F2AD82994274414E72834AA0F2E5F9FEFABBF1F4A2B67A90FA2062A5C2199A6B9A27D23719CF8A0412B909A84A1E12135279DA1B22B6C2C5B2CC22A85297128BC2363A868AF84A60D2B30290E2CA1A92628B0A828A091AFF526842373244DA2B92A6D2D659CEC9F89AB1C25542B729D902B', X'4E0D3F55F420430DD22E5688B21C02E4FB7443D7BBCBBE4549C1061708639CC808F10B7F9146B956C3F4CC937F1D1D8DAE036D41B4E9192D56415F784380F98A1B85488F1408CB435A4BA0CC61447781E65B574936A00D6C118D68107C562195');
INSERT INTO embedding VALUES (122, 0, 1, 2, X'322322234AA834286629582CEF254FA4CE2B70901FA7312841A06022E5A73E24DC9F1021B0AC8FAD21A3CB2C58285F1DBFADFBA266A9AC96B8239DAD799D8F26592892A0A81E33285328A9A65928622D401F77AA802A332B7328FE2CDD256E2C3D2178A8D72B6A2277A95DA4369E21277124F1A9032295A54522251C98AD589C56ABC1A6E02BF7AB9CACE4ABAC21541DD12AE2A0ABA97FACA42F6CA00BACC0AD1B25BE2CB39BD52F26244F291FA07E28619E3FA54FA9DE2482ADE02EA4AB7E28849314A051AD642D212B10A0E3A948AA722AE2AC86B03DA1171F0A23542C209D02261B119AAAC9A1B6A857A34BB031A75420FC2AC9A7851C47A4C9B0D7290080F9A3DEA5A32B4E17592C02A7C1ABDCA1EF18D82556A33AA73DAED5AA63251EAA54292A1E7CAEEA24EBAC3AA0E6A2B89962A414A434A8402A6B2A251A9D26831F6E24AA28D2A9C2AF27A4251C71ACF727A3AB4C297DAB992A45A051A8062C731E182C342907A56F25633109178AAA68A71C20DB2CFAA40E9D26152514A72B7D277124A6A90BA858281B29E228112A322C992D36ABC6A6C0ABFE253C29EC2DA5AAED2B1FA9AC1874A795241E9137A61830CC2854A093A500A82D2C7BB0FF240000F625352824B0172C922D59A70827852EB9AD012DD0A493272524AD2D162D2B2B3328102DA6A89F2204ACFFAC0DAD20A896AB972EE59F392C3FB00BA93422E5A78DADC1A6EBAC01A0AB25B2A304A9FF2FF92594A6A42D97234BA8CBA902AAF52A692954ACB798C8271028B328AC240E2990B0A022DEA6BB2C609E129785AC2521FD260DA494A4B79807ADA529752805A4C6A6B5AC492698A3102C3B268825C52A84A224B0CE24F82EEE2012A2AF259223422CA7ACB926B528611F142D6A2A0080B827B4AD42A864A2002CD0A0F42DF19C5DA969953DAA702A271F769B942DCBA3CBAC6BA942A635A0962AEA23BB21691F9521F42539A5BAA40E2DC02AAE2EA524DD2532AAA0AAEDA10229F02D8E2AEC1C76A815A977A1462DB1A824251AAB6EA661A571A8A3A44EA05C9D1F2C01A4ECA8C0A51F267E24682D6AACA9A9521AB229', X'DE954709BBBFB1AC2388DD15188EC0D238C2D01FC553DCCF9F8EA98BDB5FD05209B19F51862F3BBE8A1A0FCF8F1404730C8034A401752842BCBB542E3BE222462A0DA81832F2CA424BD7C10C39C74ED8A127C0920C4950C64AB2C80E6652041D');
INSERT INTO pending VALUES (6, 1, '', 0, 0);
INSERT INTO pending VALUES (114, 1, '', 0, 0);
INSERT INTO pending VALUES (118, 1, '', 0, 0);
INSERT INTO pending VALUES (120, 1, '', 0, 0);
INSERT INTO pending VALUES (121, 1, '', 0, 0);
INSERT INTO pending VALUES (124, 1, '', 0, 0);
INSERT INTO pending VALUES (125, 1, '', 0, 0);
INSERT INTO pending VALUES (127, 1, '', 0, 0);
INSERT INTO pending VALUES (128, 1, '', 0, 0);
INSERT INTO pending VALUES (129, 1, '', 0, 0);
INSERT INTO pending VALUES (131, 1, '', 0, 0);
INSERT INTO pending VALUES (132, 1, '', 0, 0);
INSERT INTO pending VALUES (133, 1, '', 0, 0);
INSERT INTO pending VALUES (134, 1, '', 0, 0);
INSERT INTO pending VALUES (135, 1, '', 0, 0);
INSERT INTO pending VALUES (136, 1, '', 0, 0);
INSERT INTO sequence VALUES (1, 900);
INSERT INTO token VALUES (1, 1, 'tok_4ae0a96f', 'ann', 'a08fc9927b70a605bce1587a095ccaaa5a2711d86cc582127f351d595b9698eb', 'admin', '["*"]', 1795323352123592, NULL, NULL, NULL);
INSERT INTO token VALUES (2, 1, 'tok_878d5055', '', '119f31237a3289e189b8880845791f122dc3f7b5ef96983b00f71de4850e6035', 'write', '["other/project", "Ключ"]', 1795323359123593, NULL, 1795323387123597, NULL);
INSERT INTO token VALUES (3, 1, 'tok_f6d07bdc', 'short', 'abad866a40f07150f1ace8df0c38f24ca85f6dead0444bd4c9b9b7d7224b2079', 'read', '["shop"]', 1795323366123594, 1795323366123595, NULL, NULL);
INSERT INTO token VALUES (4, 1, 'tok_51875e80', 'gone', '5f1587a5294dd68a9e1231b935c101bf267aa63a3b439dc692105035712d5e09', 'read', '["*"]', 1795323373123595, NULL, NULL, 1795323380123596);
INSERT INTO token VALUES (5, 1, 'tok_56044a95', 'one', 'd00cdae4554c846a2e7dda1405a8b50a3b59eec60a702d5c9d41ec31b805eba6', 'write', '["other/project"]', 1795323436123604, NULL, 1795323443123605, NULL);
INSERT INTO activity VALUES (1, 1, '/srv/shop', 'claude-code:s6', 'session_started:0', 1770000001000000, 'claude-code', 'session_started', '', '', '', '{"cwd":"/srv/shop","source":"startup"}');
INSERT INTO activity VALUES (2, 1, '/srv/shop', 'claude-code:s6', 'prompt:1', 1770000002000000, 'claude-code', 'prompt', '', '', '', '{"cwd":"/srv/shop","text":"Let''s use SQLite instead of Redis for the cart cache. Please fix the failing test."}');
INSERT INTO activity VALUES (3, 1, '/srv/shop', 'claude-code:s6', 'tool:2', 1770000003000000, 'claude-code', 'tool', 'read', '/srv/shop/cart.py', 'ok', '{"cwd":"/srv/shop","tool":"Read"}');
INSERT INTO activity VALUES (4, 1, '/srv/shop', 'claude-code:s6', 'tool:3', 1770000004000000, 'claude-code', 'tool', 'command', 'pytest tests/test_cart.py', 'failed', '{"cwd":"/srv/shop","tool":"Bash","output":"FAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4\n1 failed in 0.12s"}');
INSERT INTO activity VALUES (5, 1, '/srv/shop', 'claude-code:s6', 'tool:4', 1770000005000000, 'claude-code', 'tool', 'edit', '/srv/shop/cart.py', 'ok', '{"cwd":"/srv/shop","tool":"Edit","edits":[{"path":"/srv/shop/cart.py","old":"total = 3","new":"total = 4"}]}');
INSERT INTO activity VALUES (6, 1, '/srv/shop', 'claude-code:s6', 'tool:5', 1770000006000000, 'claude-code', 'tool', 'command', 'pytest tests/test_cart.py', 'ok', '{"cwd":"/srv/shop","tool":"Bash","output":"1 passed in 0.1s"}');
INSERT INTO activity VALUES (7, 1, '/srv/shop', 'claude-code:s6', 'turn_ended:6', 1770000007000000, 'claude-code', 'turn_ended', '', '', '', '{"cwd":"/srv/shop","text":"Done. I decided to keep the total as an integer number of cents because floats drift."}');
INSERT INTO activity VALUES (8, 1, '/srv/shop', 'claude-code:s6', 'session_ended:7', 1770000008000000, 'claude-code', 'session_ended', '', '', '', '{"cwd":"/srv/shop","reason":"exit"}');
INSERT INTO activity VALUES (9, 1, '/srv/shop', 'codex:s7', 'session_started:0', 1770000001000000, 'codex', 'session_started', '', '', '', '{"cwd":"/srv/shop","source":"startup"}');
INSERT INTO activity VALUES (10, 1, '/srv/shop', 'codex:s7', 'prompt:1', 1770000002000000, 'codex', 'prompt', '', '', '', '{"cwd":"/srv/shop","text":"Ключ: which cache does the shop use?"}');
INSERT INTO activity VALUES (11, 1, '/srv/shop', 'codex:s7', 'tool:2', 1770000003000000, 'codex', 'tool', 'command', 'cargo build', 'failed', '{"cwd":"/srv/shop","tool":"Bash","output":"error[E0308]: mismatched types"}');
INSERT INTO activity VALUES (12, 1, '/srv/shop', 'claude-code:s6', 'capture:decision:edb2333cd3ba19e5', 1795323527123617, 'claude-code', 'captured', '', '9fd6e95d-2b0d-5ce1-8f28-fc27e231709f', 'stored', '{"digest":"dc485d388c2ae4fa0286b0d8c373ef081554858df4283f46eca8dce1ba78fda7"}');
INSERT INTO activity VALUES (13, 1, '/srv/shop', 'claude-code:s6', 'capture:decision:7c12ae999a041d55', 1795323534123618, 'claude-code', 'captured', '', '6a235cea-b3fb-573d-91a5-6e103f629a8d', 'stored', '{"digest":"c18842cee887b254e60ff75925f5901abb6d19a92ba3c1a96ebaef1ca266e226"}');
INSERT INTO activity VALUES (14, 1, '/srv/shop', 'claude-code:s6', 'capture:failure:6367694a608cfd88', 1795323541123619, 'claude-code', 'captured', '', '2bf84f45-cfd8-581e-af9f-d62e9037dba9', 'stored', '{"digest":"bab5eea951953ae53b60ff1c7e6a9c546a0bf05f596184f052dd853e884b34ad"}');
INSERT INTO activity VALUES (15, 1, '/srv/shop', 'claude-code:s6', 'capture:session', 1795323548123620, 'claude-code', 'captured', '', 'fe4c997c-f573-59eb-83bf-c3b533efc673', 'stored', '{"digest":"d9f3c5245ae7e9d2c8be59dae3056f23a178210d5fd4aff1208a72362ccb9a3e"}');
INSERT INTO repository VALUES (1, 1, '/srv/shop', '', '/srv/shop', 1795323793123655, 1, '{"repository":1,"files_scanned":16,"files_parsed":1,"files_skipped":0,"files_removed":0,"symbols":27,"references":19,"edges_resolved":26,"symbols_embedded":0,"duration_ms":13,"languages":{"python":4,"c":3,"rust":3,"go":2,"java":2,"typescript":2},"skipped":{},"manifests":"b8cb2b07066b1664","layout":"d432de92b90c3a43"}');
INSERT INTO source_file VALUES (66, 1, 1, 'c/a.c', 'c', '3ff99702aae354d0b6d1d8795754ed6f', 46, 0, 2, 1, X'000000000000000003000000020000000000000000000000B1DA5114E7066B9143BEB7E86244D985B1DA511443BEB7E8E7066B91', X'78018B564A56D25102A3E868A5B4D2BCE492CCFC3C203F39BF34AF0489CECC2B51008B698058799A40A982D2A49C4CA07623303434D531310519959698539C0A21636375A281285A294629512F2306648F16102BE918EAE81AEA941495A6425418216B82B2954A4BD2742D946201080D2F93');
INSERT INTO source_file VALUES (67, 1, 1, 'c/a.h', 'c', 'f0aca1b9f81ae7de1767ed8a900f6040', 18, 0, 1, 1, X'000000000000000000000000000000000000000000000000', X'78018B564A56D25102A3E8581D3832D4494BCC294E4521954A4BD2742D94620166E20EF6');
INSERT INTO source_file VALUES (68, 1, 1, 'c/b.c', 'c', 'c96536e85d6294ec3c92943624d0188e', 64, 0, 2, 1, X'000000000200000004000000030000000000000000000000B1DA51146244D985E7066B9143BEB7E82B749608B1DA5114F9EFBE71E7066B91F9EFBE7143BEB7E8', X'78018B564A56D25102A3E868A5B4D2BCE492CCFC3C20BFA43C33391589CECC2B51008B698058799A40A982D2A49C4CA07623303434D531330619959698539C0A21636375A281285A294629512F2306648F16102BE918EAE81AEA941495A6425418216B82B2954A4BD2742D946201F5D42F6C');
INSERT INTO source_file VALUES (69, 1, 1, 'j/A.java', 'java', 'c66921bb72d9a5336068ea3625953c73', 61, 0, 2, 1, X'0100000002000000030000000100000000000000000000006A31CFD04AB61656B9EED97BD2C0A47650EED97BD2', X'78014D4DD10A83300CFC95724F1B64A2858DBEEE3B8A0F995656E9EAB0ADDFBF6A954992E37221771A232F0CC258466B748E43C8DB7355AA15BFE9E56C27B683F80B20B955D3D0A326800676C1146C49E363E27BEAF3FF9C7CF1AA0A5B26DB8B4C2FD72C5B1FCDECD91D6E52D15DEDC967C3EC78B43C27ED1C290E3785F6078EE43D92');
INSERT INTO source_file VALUES (70, 1, 1, 'j/B.java', 'java', 'b649a5e310f25ab4f0c6431ebebcfdfe', 45, 0, 2, 1, X'0100000000000000010000000100000000000000000000006AEED97BD2B61656B9EED97BD2', X'78014D4DD10A83300CFC95724F1B6482A50F3EEF378A0F995656E9ACACD5EF5F6B2B9324C72547EE3466DE1984B98CD6181C8790B667BE3419D7EDE5EC200E41FC0F207954DB925204D0C42E98823D697C4C7CFB31FD87E8D762D654BA7B3B8ACC6FF724D8259AEFC2EE34941D2959C3AF9EC9F46C790DAB1C5B9C1E1DFA1F745B3EE5');
INSERT INTO source_file VALUES (71, 1, 1, 'pay/more.go', 'go', 'c1a65eef2f0602e9ed3390fe73576e68', 46, 0, 3, 1, X'0300000001000000030000000000000000000000000000007061796FDFB90602A1C752ED3726B6', X'78018B564ACF57D2512A48AC8491D1D14A69A579C92599F9794021C79C1C88841E840592520032359215B49C138B523441B2A5493999C94A3AC6606868AC6362AAA3A4A4939698539C0A21636375A221285A09A85009A413A4DE0028618CAC10CA562A2D49D3B5508A05006FC62ECB');
INSERT INTO source_file VALUES (72, 1, 1, 'pay/pay.go', 'go', '2e8f0f6ebc18a05073ce62ebeae97315', 82, 0, 7, 1, X'030000000100000002000000000000000000000000000000706179C5683F8FED3726B6', X'78016550CB0AC32010FC15D95352B6812049BDE733C483B579411A8BD14229FDF7FA6A092D2BEB30CBCE8C72183520DCE4E3D33987CD1AA7AC273A692E89AF320C1749F3E72B8CDC799915208D5533A43502E02097AD4F5D20876B6F271D94BA499AB1DF49565F6670AB22852287605192C417E5CEA3C1509462DBC6C439D38F57D0B1B35EFDE2A2C76C9550B4F030A99AF92EADCF728AD532647FD17DF67438F837E6EF68B016C2EFEC7C330667872303F1061926673F');
INSERT INTO source_file VALUES (73, 1, 1, 'shop/__init__.py', 'python', '4955373df09211751e60822a437a0522', 29, 0, 1, 1, X'04000000000000000300000002000000000000000000000073686F707377963EA24C6AAC775857FF7377963EA24C6AAC7377963E775857FF', X'78018B562AA82CC9C8CF53D2512ACEC82F00524A3AD1B160140D16D12B2EC92F4A058A074369251D431D5D439D92A2D2D458B042439DB4C49CE2541452A9B4244DD7422916008C7A1DC0');
INSERT INTO source_file VALUES (74, 1, 1, 'shop/gone.py', 'python', '429c07e33317e83ec6a6f4ee01957361', 23, 0, 1, 1, X'09000000000000000000000000000000000000000000000073686F702E676F6E65', X'78018B562AA82CC9C8CF53D2512ACEC82FD04BCFCF4B05B29574A2A395D24AF3924B32C17245A9B98999288AF4E04229A9690A108E8626506B4169524E66B2928E21181AE81819818C4B4BCC294E8590B1B13AD13064882C01652B9596A4E95A28C5020024F7311B');
INSERT INTO source_file VALUES (75, 1, 1, 'shop/store.py', 'python', 'b46b10a719859790187f42fa205b5ba0', 125, 0, 7, 1, X'0A000000030000000500000002000000000000000000000073686F702E73746F72651DE406257377963E5F51866063394B7B674157987377963E5F518660674157987377963E', X'78017D51C16A853010FC15D9930F5679066DEAA587FE428FC143EA4B50B02A2616FAF7DDCD8B54229488EE0EE36C6656C1FAE387650604372C6BE9FCB2196A0095827ED2CE51F3AE1D637F8432228190C566DD3FA7B107ACE808BC63DDB08CD59333CF77870ABE0C4D7B90D8B468FE249A65841FC6665CE6CE4CF646BC435C90B4C0EA25A8273F5F861DF7FF88A64EFC037A3A085DCE3ECEB36AACB1C15A622BFF73E2F477924E902B23CE56B8BC586948BC41790FF2D7AB25C1D97DEEFD1816B59934BA88F0282EF35B56BC6587C5233A897CDA162B51A77E68350AC67930DBE829EDB851A00004538BAA234678E479A3B186DDDBE215BA5F5B93B84C');
INSERT INTO source_file VALUES (76, 1, 1, 'shop/use.py', 'python', '4c450c5b60cb32027de5a7f5baf46b6b', 105, 0, 7, 1, X'08000000040000000700000003000000000000000000000073686F702E7573650BCF0E1B1DE406257377963EDE3A665567415798A24C6AAC775857FF7377963EA24C6AAC67415798A24C6AAC67415798775857FF', X'78014D8EDD0A83300C855F65E46A422C7674E87BECB2F4C269AB82D8D29F0BDF7EB1D5210921C9C7C98904B7C7D96E801066EB580A9A5A4029C1A46D884B4693BD7196A7519BC7649F150197BEEB32000A8A164587BC11C70DD3AF4197AA144A4A994D48F289D617238E35C7E893260C2C9C7BAFFB31FFF1FAE322BFB487F11B1BBADBDE7DCE1E52347507EA070F3D4233');
INSERT INTO source_file VALUES (77, 1, 1, 'src/impls.rs', 'rust', '91358df372b1a62cd102126ed7aeb03f', 98, 0, 3, 1, X'0C000000010000000600000005000000010000000000000063726174653A3A696D706C73400BB31B5692A6779F6D4FCA82A1F9CFD8FF30DDA51A18E65692A677A51A18E69F6D4FCA5692A6779F6D4FCAD8FF30DD9F6D4FCAA51A18E6683D94D7400BB31B9F6D4FCA', X'7801754F4B0EC22010BD4A330BA3092CEAA75116269EC125618175489BD08A05EEEF503056134342DEF0789F9130451F80413BE98042F483B39E466052C280A17BDC69D213EA9F3F425C9F91DE8528A419AB84D62B8FD66C2A7EAE4CB327918B37DBB7C076F3691A763A7CA7BD9D80196D3DE65BA95420B5C101C754F0923B24235EFF73E07516966D7CA71D9236572500AC4EEA398812F2D64BF3ED87265E51D8A254C11083E147502F33DB621B');
INSERT INTO source_file VALUES (78, 1, 1, 'src/lib.rs', 'rust', '0043c7f9e0c4f932d5eda4e224d13a0b', 53, 0, 2, 1, X'0500000000000000030000000200000000000000010000006372617465400BB31B63394B7BD8FF30DD683D94D7400BB31BD8FF30DD63394B7B5692A677', X'7801654FD10AC3200CFC15C9C3D8208529EB283E14F61DD207D7455AE8BAA2F1FFA7AD65856130F192DC9D067C0C0C08BDB74C29031A03E3CCE49DED33F0F064F7BED6E5B5C4A7606F47163F601A7B40B51E29B15699CBD929D0767768E04D3C7C5E89CDFE916A5D30378B5C9D4F81267711552BDCFD965692E4414135585F8BEBDDD526C63E5297C45218C81C69370C76D93E27B192C5CF3AA38E164B0D915DD540F705F3605647');
INSERT INTO source_file VALUES (79, 1, 1, 'src/shape.rs', 'rust', '1f2a55664943d1f8c8cde96a1a178357', 115, 0, 3, 1, X'0C000000020000000400000003000000000000000100000063726174653A3A7368617065400BB31BB51B8123A0B60E5A9F6D4FCAB51B81239F6D4FCA4544E36B9F6D4FCA43BEB7E8400BB31B9F6D4FCA', X'78017590DB0A83300C865F4572B541044F6CD28BBDC42E8B179DB65870CEF5B0BDFE522B43144929C9DF345F120EC65B0708AD114E32667B31490A013907EB8C6FC3E3FDED8509F23A8BB1BF3CF947129393B536E816309F2DC3B208559518AC8C77831C9ED2F5AF8E0A8FF27B509EB1F816186A4C28389D93F4B6071518ACBA629D1D35BAA12B3FB64EBF46225BDDEDE75B44A2066F8B35FA432B032C67AB4BCCF36A3B22CD180F07411475A9C242B2A6A13FAB66161FBC53690DCD0F1A227EA2');
INSERT INTO source_file VALUES (80, 1, 1, 'web/cart.ts', 'typescript', '52a5e18160c6cd92d51f0f5b1d42e7b3', 99, 0, 4, 1, X'0800000001000000020000000000000000000000000000007765622F63617274541F90965EE12FC2', X'7801654F510A83300CBD8AE4CB41E6D0CDA9FBDD314A3F6AAD4CD02ADA3276FBA5D68273BC109297E42561603E935AE4DC4D0610DEAABE4831BB10903190BD58164A9E9E0BE564CBD772B42593ADFB4E02A6842B1698574EA415FDA2BCE7C86050E63536A4281AE77F0413CF918FF523D276A8D57CA2A6209CE18A0CF3E230F9B7A6B55A9A6ED4346D4623FAFDAA40849E682562BD5F7543877B8155797C82BEF0C6C0C9FB33814E4B39A799DDBF5B0CD6B4E712F817AAE27168');
INSERT INTO source_file VALUES (81, 1, 1, 'web/index.ts', 'typescript', '5588a98b1af58215634cfa08af6a3737', 78, 0, 2, 1, X'0900000002000000040000000200000000000000000000007765622F696E646578B788A30B5138C915892791ABE7731AFD892791ABB788A30B892791AB5138C915', X'78018B562AA92C482D4E2ECA2C2851D2512A4F4DD2CFCC4B49AD00B29574A2A395D24AF3924B32F3F380FCE292C42214357A3011982205B080862650714169524E66B2928E11181A5BE8989B834C4C4BCC294E8590B1B13AD14014ADA4A79F0C31D8194229E918EAE81A222B3242D607652B9596A4E95A28C50200A0D93CD9');
INSERT INTO symbol_name VALUES (1, 1, 'A');
INSERT INTO symbol_name VALUES (2, 1, 'All');
INSERT INTO symbol_name VALUES (3, 1, 'Area');
INSERT INTO symbol_name VALUES (4, 1, 'B');
INSERT INTO symbol_name VALUES (5, 1, 'Base');
INSERT INTO symbol_name VALUES (6, 1, 'Card');
INSERT INTO symbol_name VALUES (7, 1, 'Cart');
INSERT INTO symbol_name VALUES (8, 1, 'Charge');
INSERT INTO symbol_name VALUES (9, 1, 'Square');
INSERT INTO symbol_name VALUES (10, 1, 'Store');
INSERT INTO symbol_name VALUES (11, 1, 'add');
INSERT INTO symbol_name VALUES (12, 1, 'area');
INSERT INTO symbol_name VALUES (13, 1, 'count');
INSERT INTO symbol_name VALUES (14, 1, 'go');
INSERT INTO symbol_name VALUES (15, 1, 'load');
INSERT INTO symbol_name VALUES (16, 1, 'log');
INSERT INTO symbol_name VALUES (17, 1, 'new');
INSERT INTO symbol_name VALUES (18, 1, 'read');
INSERT INTO symbol_name VALUES (19, 1, 'remain');
INSERT INTO symbol_name VALUES (20, 1, 'run');
INSERT INTO symbol_name VALUES (21, 1, 'save');
INSERT INTO symbol_name VALUES (22, 1, 'side');
INSERT INTO symbol_name VALUES (23, 1, 'start');
INSERT INTO symbol_name VALUES (24, 1, 'stop');
INSERT INTO symbol_name VALUES (25, 1, 'total');
INSERT INTO symbol_name VALUES (26, 1, 'twice');
INSERT INTO symbol_name VALUES (27, 1, 'vanish');
INSERT INTO symbol VALUES (82, 1, 66, 13, 'count', 'count.', 'int count(int n)', '', 'public', 2, 2, 2, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (83, 1, 68, 26, 'twice', 'twice.', 'int twice(int n)', '', 'public', 2, 2, 2, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (84, 1, 69, 1, 'j.A', 'A.j.', 'public class A', '', 'public', 2, 2, 2, '', 0, '3a9335291adaf498', 0, '[]');
INSERT INTO symbol VALUES (85, 1, 69, 20, 'j.A.run', 'run.A.j.', 'void run()', '', 'internal', 2, 2, 2, 'j.A', 0, '', 0, '[]');
INSERT INTO symbol VALUES (86, 1, 70, 4, 'j.B', 'B.j.', 'public class B', '', 'public', 2, 2, 2, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (87, 1, 70, 24, 'j.B.stop', 'stop.B.j.', 'void stop()', '', 'internal', 2, 2, 2, 'j.B', 0, '', 0, '[]');
INSERT INTO symbol VALUES (88, 1, 71, 2, 'pay.All', 'All.pay.', 'func All(c *Card)', '', 'public', 3, 3, 3, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (89, 1, 72, 6, 'pay.Card', 'Card.pay.', 'Card struct{}', '', 'public', 3, 3, 3, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (90, 1, 72, 8, 'pay.Card.Charge', 'Charge.Card.pay.', 'func (c *Card) Charge()', '', 'public', 5, 5, 5, 'pay.Card', 0, '', 0, '[]');
INSERT INTO symbol VALUES (91, 1, 72, 16, 'pay.log', 'log.pay.', 'func log()', '', 'private', 7, 7, 7, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (92, 1, 74, 27, 'shop.gone.vanish', 'vanish.gone.shop.', 'def vanish()', '', 'public', 1, 1, 1, '', 0, '', 1795323779123653, '[]');
INSERT INTO symbol VALUES (93, 1, 74, 19, 'shop.gone.remain', 'remain.gone.shop.', 'def remain()', '', 'public', 1, 1, 1, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (94, 1, 75, 5, 'shop.store.Base', 'Base.store.shop.', 'class Base', '', 'public', 1, 1, 2, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (95, 1, 75, 15, 'shop.store.Base.load', 'load.Base.store.shop.', 'def load(self)', '', 'public', 2, 2, 2, 'shop.store.Base', 0, '', 0, '[]');
INSERT INTO symbol VALUES (96, 1, 75, 10, 'shop.store.Store', 'Store.store.shop.', 'class Store(Base)', '', 'public', 4, 4, 5, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (97, 1, 75, 21, 'shop.store.Store.save', 'save.Store.store.shop.', 'def save(self)', '', 'public', 5, 5, 5, 'shop.store.Store', 0, '', 0, '[]');
INSERT INTO symbol VALUES (98, 1, 75, 18, 'shop.store.read', 'read.store.shop.', 'def read() -> Store', '', 'public', 7, 7, 7, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (99, 1, 76, 14, 'shop.use.go', 'go.use.shop.', 'def go()', '', 'public', 4, 4, 7, '', 0, 'c356f727c27f892c', 0, '[]');
INSERT INTO symbol VALUES (100, 1, 77, 12, 'crate::impls::Square::area', 'area.Square.impls.crate.', 'fn area(&self) -> f64', '', 'public', 3, 3, 3, 'crate::impls::Square', 0, '', 0, '[]');
INSERT INTO symbol VALUES (101, 1, 78, 3, 'crate::Area', 'Area.crate.', 'pub trait Area', '', 'public', 2, 2, 2, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (102, 1, 78, 12, 'crate::Area::area', 'area.Area.crate.', 'fn area(&self) -> f64', '', 'public', 2, 2, 2, 'crate::Area', 0, '', 0, '[]');
INSERT INTO symbol VALUES (103, 1, 79, 9, 'crate::shape::Square', 'Square.shape.crate.', 'pub struct Square', '', 'public', 1, 1, 1, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (104, 1, 79, 17, 'crate::shape::Square::new', 'new.Square.shape.crate.', 'pub fn new() -> Square', '', 'public', 2, 2, 2, 'crate::shape::Square', 0, '', 0, '[]');
INSERT INTO symbol VALUES (105, 1, 79, 22, 'crate::shape::side', 'side.shape.crate.', 'fn side() -> Square', '', 'private', 3, 3, 3, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (106, 1, 80, 7, 'web/cart.Cart', 'Cart.cart.web.', 'class Cart', '', 'public', 1, 1, 3, '', 0, '9ff9b74a23251a09', 0, '[]');
INSERT INTO symbol VALUES (107, 1, 80, 11, 'web/cart.Cart.add', 'add.Cart.cart.web.', 'add(n: number)', '', 'public', 2, 2, 2, 'web/cart.Cart', 0, '', 0, '[]');
INSERT INTO symbol VALUES (108, 1, 80, 25, 'web/cart.total', 'total.cart.web.', 'function total(n)', '', 'public', 4, 4, 4, '', 0, '', 0, '[]');
INSERT INTO symbol VALUES (109, 1, 81, 23, 'web/index.start', 'start.index.web.', 'function start()', '', 'public', 2, 2, 2, '', 0, '', 0, '[]');
INSERT INTO record_version VALUES (1, 1, 128, 0, 1795902746328000, 1795902744044000, '/home/ada/shop', 'memory', 'decision', 'ddd193e6-4599-46c9-a7cf-cd34beff1d30', '', NULL, NULL, NULL, 0.5, 1.0, '1180737d2618cde207b69b93d1845e33cb1855a00a27322e3ac2f15bb459ca5e', 'session_f4412c6af2f2', 1795902744043716, 0, 1795902744043716, 1795902744043716, '8cb72f3a4ac9d958b5756f5b1dd330ab', '');
INSERT INTO record_version VALUES (2, 1, 129, 0, 1795902747840000, 1795902745076000, '/home/ada/shop', 'memory', 'decision', 'd6ae35bd-01d6-497c-9c4b-302df8bb47c5', '', 'Backups of schema twelve run at four in the morning', NULL, NULL, 0.5, 1.0, 'ea360eb3e8eb16dc2763bc6ee581e98e9fb7d63e8e45bffbf248997d819e4d46', 'session_5df003298e73', 1795902745076279, 0, 1795902745076279, 1795902745076279, 'cca245d2c4a0a5c23b5380268218168f', '');
INSERT INTO record_version VALUES (3, 1, 130, 1, 1795902750493000, 1795902749169000, '/home/ada/shop', 'memory', 'context', '723da72b-a5e6-4646-ac86-b938cfdf0d7a', '', 'A note of schema twelve that is deleted again', '[]', '{}', 0.5, 1.0, '178f1e7b434913e10392790838e5f3579bc05231ea1d2ec2ed59609473842fec', 'session_c789616949dc', 1795902749168897, 0, 1795902749168897, 1795902749168897, '3e2b1318e892d9d564f89417a3680d94', '');
INSERT INTO record_version VALUES (4, 1, 134, 0, 1796026973307000, 1796026971231000, '/srv/other', 'memory', 'context', 'ac5ef574-6894-484e-9429-0621fa2b077c', '', 'The bastion listens on port 2222', NULL, NULL, 0.5, 1.0, 'c5c3ef941dcd821deb0094ed580ae8986d6728ee56bdb8ab2e3ee4d7cfbfee2c', 'session_cb51eb12dc10', 1796026971231445, 0, 1796026971231445, 1796026971231445, '1130f4c5e664cfd7a8723eaf0e0229dc', '');
INSERT INTO record_version VALUES (5, 1, 135, 0, 1796052457820000, 1796052457724000, '/home/dev/schema', 'memory', 'insight', '17fb6889-b7f5-4742-8b67-2c2b5d45725c', '', 'Schema fifteen keeps what a record was once, in its versions', NULL, NULL, 0.5, 1.0, '750ffa4467c7f39a0318ee5093b10293eda7a3c3f0e6f493b17d5944bb5a1416', 'session_4ccd976bcb55', 1796052457724253, 0, 1796052457724253, 1796052457724253, '7dbb5939af37d224b116c2b895cef9b1', '');
INSERT INTO record_version VALUES (6, 1, 136, 0, 1796052457827000, 1796052457790000, '/home/dev/schema', 'memory', 'decision', '1c7b21f3-1c44-4046-a351-b74c419827d9', '', 'Tarballs for the archive are signed with the release key of spring', NULL, NULL, 0.5, 1.0, '373ba06b2a5353999f37420e9ee3f8526740373a65bdac78c62b3bea2cef4dbb', 'session_4ccd976bcb55', 1796052457790026, 0, 1796052457790026, 1796052457790026, '19a3c0c93ce867b8e32202638d0c7b8a', '');
INSERT INTO record_version VALUES (7, 1, 137, 1, 1796052457841000, 1796052457792000, '/home/dev/schema', 'memory', 'context', '728ce18c-1287-490f-8aea-6d2c6c6cfee3', '', 'Zebra crossings on the staging map are drawn in yellow', '[]', '{}', 0.5, 1.0, '183dbeba4f60dc514bf0553d9ab74cb41fba2b1779f953a22caf08ec09360a6e', 'session_4ccd976bcb55', 1796052457792312, 0, 1796052457792312, 1796052457792312, 'f375d2b8e3ea99848787204232793be7', '');
INSERT INTO edge_version VALUES (1, 1, 91, 1, 1795902750493000, 1795902749291000, 130, 129, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795902749168897, '39425fb51be79bde5900e7c24e15c4cc', '');
INSERT INTO edge_version VALUES (2, 1, 92, 1, 1796052457841000, 1796052457832000, 137, 135, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1796052457832489, 'ea1d6335b76927c87632d36ac46db2e4', '');
INSERT INTO edge_version VALUES (3, 1, 93, 0, 1796052457851000, 1796052457847000, 135, 136, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1796052457847069, '1911930c12c1d0a492829c2bd6b140d1', '');
INSERT INTO sync_state VALUES (1, '00228b79dac547d0444e7b873309f884', 'record', 'here', 42, '', '15dbf523fc5afffad1e546f7877af387', '000660d63c0ea165000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63c0ea16500000000"}');
INSERT INTO sync_state VALUES (1, '0804274f727390770c95930a7dcdad5f', 'record', 'here', 13, '', 'c4cc35aa096ffa3d4e73b83e8832d5e0', '000660d61c58f419000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61c58f41900000000"}');
INSERT INTO sync_state VALUES (1, '0aef988d9cb5a275271aa51c7668dd14', 'record', 'here', 18, '', '8352ae3fd31cc379e483252e62046c70', '000660d62305f029000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d62305f02900000000"}');
INSERT INTO sync_state VALUES (1, '0e0343190ce15e0ec62c0ee23d86b342', 'record', 'here', 6, '', '5bf5c5e031ff19f315eaea381461b7a5', '000660d6677307cd000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6677307cd00000000"}');
INSERT INTO sync_state VALUES (1, '108fe66f5b6f606682b7015bb50fc451', 'record', 'here', 47, '', 'c098b3aa8ec9296c7896a5ec6f5f4221', '000660d643266d36000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d643266d3600000000"}');
INSERT INTO sync_state VALUES (1, '1130f4c5e664cfd7a8723eaf0e0229dc', 'record', 'here', 134, '', '4c660be9ed796615389a681ce582a93a', '0006617a1dc0424d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006617a1dc0424d00000000"}');
INSERT INTO sync_state VALUES (1, '1524fcea334d6b9db3c4c58bac9fd423', 'record', 'here', 31, '', '4a67c4d45e6a159b55241dd3314dcdaa', '000660d6320b274d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000000"}');
INSERT INTO sync_state VALUES (1, '19ac408d2e2c5f5435217d3454e972af', 'edge', 'here', 2, '', '4ced5eaec74eb431f29209e570eb28c9', '000660d61e04331d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61e04331d00000000"}');
INSERT INTO sync_state VALUES (1, '1a18b5f7824a7a44f25d2053bdd0e338', 'record', 'here', 15, '', 'a1824bfa3c01331ec53f4ddc30fe1f95', '000660d621c580e6000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d621c580e600000000"}');
INSERT INTO sync_state VALUES (1, '1b019b696873957e0ec7662928bcf87e', 'edge', 'here', 19, '', '195741e45e3a7c317c9b3836cca988e2', '000660d651c0d499000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d651c0d49900000000"}');
INSERT INTO sync_state VALUES (1, '1ef10f24ba90668792fcecc3cd721c78', 'record', 'here', 125, '', '2e28e97fbb8f34b741e102810353f2b7', '0006615af38537eb000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615af38537eb00000000"}');
INSERT INTO sync_state VALUES (1, '29e11832902d68d3c65b02861d317718', 'record', 'here', 111, '', '57e428c360cb35e3532fa063f13b52ae', '000660d65dda5d76000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d65dda5d7600000000"}');
INSERT INTO sync_state VALUES (1, '2b5c9ff07af2c7893d657b6239235be8', 'record', 'here', 62, '', '07a7d49a02cae490fe98266d40631b5d', '000660d6572d6166000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6572d616600000000"}');
INSERT INTO sync_state VALUES (1, '2f19e21953a66eee917ef1e7fada7e53', 'record', 'here', 54, '', 'af82e7559f5627e561bd9937e691880e', '000660d650eb3517000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d650eb351700000000"}');
INSERT INTO sync_state VALUES (1, '30cabc9873fd3cffd6368e4b34836acc', 'record', 'here', 124, '', 'a4ee4803b348d09b1b1e4d8d3db7f354', '0006615af31381ec000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615af31381ec00000000"}');
INSERT INTO sync_state VALUES (1, '31ca50ced9cf56e8b21e242a934a6699', 'record', 'here', 60, '', '360e8b0d476d0b4183da7add9afa9579', '000649ce3d7da900000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000649ce3d7da90000000000"}');
INSERT INTO sync_state VALUES (1, '37b4cb9f6aed9f953f40c48d771f5b61', 'record', 'here', 59, '', '38906da2b12dfe24dd426bfa789d19f9', '000649ce3dab6fc0000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000649ce3dab6fc000000000"}');
INSERT INTO sync_state VALUES (1, '3a9420bfb36a47ca1e7940d780d4e0d3', 'record', 'here', 52, '', 'fb30f69f773a7dfe3a1aee52df153078', '000660d649689985000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d64968998500000000"}');
INSERT INTO sync_state VALUES (1, '40da3cec1d0b0ea8d2dc1275554aaa03', 'record', 'here', 116, '', '45a81fe9f2ec79eaac4879690568c0bd', '000660ea4e48d024000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660ea4e48d02400000000"}');
INSERT INTO sync_state VALUES (1, '4112bb2507f679cbad765b00a3991a82', 'record', 'here', 133, '', 'd227eb0f16ff7f6caf019fc9a3b35842', '00066164130d52b4000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"00066164130d52b400000000"}');
INSERT INTO sync_state VALUES (1, '419102e1bd47caca8c823d07586c6a11', 'record', 'here', 122, '', '2c72c460bde4948014c9149ee289efaa', '000660f6cc02131a000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f6cc02131a00000000"}');
INSERT INTO sync_state VALUES (1, '42b1e331c032d74cfd984d246c0380ef', 'record', 'here', 25, '', 'fc5fd7570f79c3ca85e6abeb20e57e09', '00062d34ff678a88000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"00062d34ff678a8800000000"}');
INSERT INTO sync_state VALUES (1, '43d079ea3d3f432795377ab4329789e9', 'record', 'here', 33, '', '1cbcd33d172da21b84a4386eb1a42725', '000660d632e0c6cf000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d632e0c6cf00000000"}');
INSERT INTO sync_state VALUES (1, '45cfef4857f657dd76bda65534750427', 'record', 'here', 49, '', '168fb2e167ec7d71dc3605992035b20e', '000660d645a74bbc000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d645a74bbc00000000"}');
INSERT INTO sync_state VALUES (1, '46e09a1d4ab1d216193613f0f14c7931', 'record', 'here', 119, '', 'ba78ffe4d9d97190576bd39f5a53b208', '000660f6cbb599d1000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f6cbb599d100000000"}');
INSERT INTO sync_state VALUES (1, '475da0097ee2bb94f617f9fbc65b6c74', 'record', 'here', 46, '', '2749e4a2a0ac27f0477506c688358bad', '000660d6417b2e32000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6417b2e3200000000"}');
INSERT INTO sync_state VALUES (1, '4dea320d2c7e6267be0946b806576819', 'record', 'here', 10, '', 'aec95fbb5a76fb593285b7c597986ced', '000660d619d81593000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d619d8159300000000"}');
INSERT INTO sync_state VALUES (1, '4e853d5661727800da71c083d5b23c68', 'record', 'here', 28, '', '38e3212ee743b37d64e9e891b45bb462', '000660d6320b274d000000011f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000001"}');
INSERT INTO sync_state VALUES (1, '4f96ac7d03cd00ba15bf51bef1966498', 'record', 'here', 132, '', '72c0755440364845c3d635893375876e', '0006616413023fbb000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006616413023fbb00000000"}');
INSERT INTO sync_state VALUES (1, '506feaa5b0cb96b132304309af816f5c', 'record', 'here', 41, '', '1aaddd7ae66596e65649aa2898be84f4', '000660d63ba3d1a4000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63ba3d1a400000000"}');
INSERT INTO sync_state VALUES (1, '5b050ea250bcee1b91836822b09523fd', 'record', 'here', 50, '', 'ad4190121677cbda9ab2796ebf8c345c', '000660d647528ac0000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d647528ac000000000"}');
INSERT INTO sync_state VALUES (1, '5f5dbab635173f62137102f7c37f905f', 'record', 'here', 12, '', '0a8c3c1e3f30f6030aeda5b56384bc6e', '000660d62e49d984000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d62e49d98400000000"}');
INSERT INTO sync_state VALUES (1, '618a8ea8947a07bd1e6e4958c7f82cd0', 'record', 'here', 3, '', '5bfd3f60840c948406d928f1e46f0bc5', '000660d61400b905000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61400b90500000000"}');
INSERT INTO sync_state VALUES (1, '625cee087083d57475f2a4331fb492ce', 'record', 'here', 53, '', 'd69e8655aa5f604fc8b811fcbb031f22', '000660d64e6a5691000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d64e6a569100000000"}');
INSERT INTO sync_state VALUES (1, '63ad33f9bb247f66505edfe83e66f588', 'record', 'here', 115, '', '87c8554665e6d103b73cc9efff0854c0', '000660ea4e3da8fb000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660ea4e3da8fb00000000"}');
INSERT INTO sync_state VALUES (1, '67f8b3615f74ad8a12c65c08916cadd9', 'record', 'here', 27, '', '10abaa33fcecf76ae80a598729f37caa', '000660d6320b274d000000021f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000002"}');
INSERT INTO sync_state VALUES (1, '6f616d947b6b4eb3091fde6dd5d63022', 'edge', 'here', 7, '', '0dfc0d84cde19d64afc8fc21ce6c1de2', '00062d34ff678a88000000011f48b88ef541f75a', '{"1f48b88ef541f75a":"00062d34ff678a8800000001"}');
INSERT INTO sync_state VALUES (1, '6f8c14b7cc2a3b1ad6d7758be74b7056', 'record', 'here', 14, '', '6c389fa62fe6519d425f11631d9641f0', '000660d6215ab125000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6215ab12500000000"}');
INSERT INTO sync_state VALUES (1, '700d587ef95c7e185b4f1930005021dc', 'edge', 'here', 16, '', 'a922bea74539a474625b0c9f675588e2', '000660d64250cdb4000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d64250cdb400000000"}');
INSERT INTO sync_state VALUES (1, '721418b8f566e9466a083fc4e458e27e', 'record', 'here', 5, '', '4b2a7b1b8e43d0a879ab44d7a861dafc', '000660d615abf809000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d615abf80900000000"}');
INSERT INTO sync_state VALUES (1, '72466476141254b48d5f19fdd6fa419f', 'record', 'here', 17, '', 'abf4fd9f76224669a702cf5127f35125', '000660d6229b2068000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6229b206800000000"}');
INSERT INTO sync_state VALUES (1, '724e20459510c1679f6f0edd1f1bcfd4', 'record', 'here', 30, '', '6010768fe64778089fa66c101988c0c9', '000660d6320b274d000000031f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000003"}');
INSERT INTO sync_state VALUES (1, '72738f6f9a475f3e7faa605772283477', 'edge', 'here', 17, '', 'db7581a5d520b47bc191ee9d83883ceb', '000660d644d1ac3a000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d644d1ac3a00000000"}');
INSERT INTO sync_state VALUES (1, '7947d663cb690f547668f0cdae66598f', 'record', 'here', 9, '', 'b65c2485606aebdf49c9d81dd01f9412', '000660d619027611000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61902761100000000"}');
INSERT INTO sync_state VALUES (1, '798d0155e92f532dc6110730f0898d08', 'edge', 'here', 3, '', '63233c1bb70524627221137c46a4ec63', '000660d61ed9d29f000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61ed9d29f00000000"}');
INSERT INTO sync_state VALUES (1, '7d8aad010611bb076c93b3fbe266dc3b', 'record', 'here', 22, '', 'f17f84e4cdce1ffcd7e939ea0a3177cd', '000660d624b12f2d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d624b12f2d00000000"}');
INSERT INTO sync_state VALUES (1, '81e384937fe86b98d0be3c35da827170', 'edge', 'here', 86, '', '7c78b0bf8a11670fe639efbee91ab1e6', '000660f6cc115a97000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f6cc115a9700000000"}');
INSERT INTO sync_state VALUES (1, '85b7ee96c2c2d545ac0f9d41689d7b4d', 'record', 'here', 43, '', '78e3237352655c250d256e1c342f75c1', '000660d63db9e069000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63db9e06900000000"}');
INSERT INTO sync_state VALUES (1, '89b2bf4ee2dacf2243ed1afea4b327c2', 'record', 'here', 34, '', 'a4eaac12ca308ffe8e7f10f84b59bcd6', '000660d632e0c6cf000000011f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d632e0c6cf00000001"}');
INSERT INTO sync_state VALUES (1, '8ad7a1673027cba9d446d5db583d622a', 'record', 'here', 37, '', '402f710b3ff7f14ce1a440d97b9138f9', '000660d636a21498000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d636a2149800000000"}');
INSERT INTO sync_state VALUES (1, '8b0024dcc77232ba0be74fd29566c92e', 'record', 'here', 131, '', '1d920437cd7d3deb49d17a35b2850b5b', '0006616412f87041000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006616412f8704100000000"}');
INSERT INTO sync_state VALUES (1, '8b86cfa5958211aa267639b3d0339d6d', 'record', 'here', 64, '', 'f421e82b5f1271b24c9fff73b311f740', '000660d6586dd0a9000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6586dd0a900000000"}');
INSERT INTO sync_state VALUES (1, '8cb72f3a4ac9d958b5756f5b1dd330ab', 'record', 'here', 128, '', '4aa56f1d8f1cc20f385678b619447ce7', '0006615d311c20c4000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615d311c20c400000000"}');
INSERT INTO sync_state VALUES (1, '98cb92862848593ac9c232ec0292d674', 'record', 'here', 58, '', '91d80af7a2ef854e159544b916951568', '000649ce3d5f2480000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000649ce3d5f248000000000"}');
INSERT INTO sync_state VALUES (1, '990e086cdf20da55ba1f63ce79ed3aa4', 'record', 'here', 20, '', '77d1f1a0e9e57f4630196e6a8ff85646', '000660d623db8fab000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d623db8fab00000000"}');
INSERT INTO sync_state VALUES (1, '9974f29b07923f28856bdc48e1ee802a', 'record', 'here', 63, '', '422a9633122594d79605171fe025855d', '000660d657983127000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d65798312700000000"}');
INSERT INTO sync_state VALUES (1, '9aed406a16133ebc3ea916857499e868', 'edge', 'here', 88, '', 'e8c7894d5b8dc641eca04ac3ae4fe617', '0006615af3623bbb000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615af3623bbb00000000"}');
INSERT INTO sync_state VALUES (1, 'a1fab975896d104d9f3849df3fd7d3fe', 'record', 'here', 127, '', 'd6dbb090bcb842bd8ba491a1d1294ec7', '0006615af3f218f8000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615af3f218f800000000"}');
INSERT INTO sync_state VALUES (1, 'a2751f46368c7ffe95395597abb402a3', 'record', 'here', 114, '', 'fcaca865b1c54c853b9ae680fb837ab5', '000660d6669d684b000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6669d684b00000000"}');
INSERT INTO sync_state VALUES (1, 'a6ea329d57b6481aef0dfbff00738203', 'record', 'here', 48, '', 'f53988840b74bdd85b650551fb8c8012', '000660d64466dc79000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d64466dc7900000000"}');
INSERT INTO sync_state VALUES (1, 'abc9edd5e5cd16061a328a44588830fe', 'edge', 'here', 10, '', 'ac3297b7cba3bdcad0505e872c6bfd0f', '000660d63777b41a000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63777b41a00000000"}');
INSERT INTO sync_state VALUES (1, 'ac478ef14493b762e6b48de01e3c6d12', 'record', 'here', 1, '', '0ee0cca0365f342de1b4e9165a881481', '000660d612557a01000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d612557a0100000000"}');
INSERT INTO sync_state VALUES (1, 'b342b1f34c0c4454c657e3a46d8bab88', 'edge', 'here', 21, '', 'ed68327ec74e00fe3d0854ce85d73381', '000660d6580300e8000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6580300e800000000"}');
INSERT INTO sync_state VALUES (1, 'b40b28a3aafa3563b78c5198dec111b2', 'record', 'here', 7, '', 'eeb324dca655efb4c5f316067c291bd3', '000660d61757370d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61757370d00000000"}');
INSERT INTO sync_state VALUES (1, 'b4c6885fa65ede40b8888ebeeccc9722', 'record', 'here', 26, '', '3a0b67fb42bfe52b6a0dda8e70ad1edd', '000660d6265c6e31000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6265c6e3100000000"}');
INSERT INTO sync_state VALUES (1, 'b4cdf0b79a8d8c9b62df64ad01c0e60c', 'record', 'here', 44, '', 'c06522c7434443a14a8e747321fd7396', '000660d63e8f7feb000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63e8f7feb00000000"}');
INSERT INTO sync_state VALUES (1, 'b6019b42bea633adb855182f86f195af', 'record', 'here', 39, '', 'ed5c6043c0e6e45c03a4b3ea3c418c5b', '000660d639f892a0000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d639f892a000000000"}');
INSERT INTO sync_state VALUES (1, 'ba131361ef437e8cf94c5ea4a742b551', 'edge', 'here', 18, '', '46b7778b4d7cc5a834fbd8e3e27d021f', '000660d649d36946000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d649d3694600000000"}');
INSERT INTO sync_state VALUES (1, 'c52e7a2cc6aa91d5cb49ec2fdc052406', 'edge', 'here', 85, '', '79f1cda0d1c80bb561b074eccccd0f68', '000660ea4e652907000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660ea4e65290700000000"}');
INSERT INTO sync_state VALUES (1, 'c6f10e5ffa06984621a185062905dac8', 'record', 'here', 29, '', '2567320d7519aae69d653db4b91a89c9', '000660d6320b274d000000041f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000004"}');
INSERT INTO sync_state VALUES (1, 'c9208bb636b055e2c1abc61b11c1264d', 'record', 'here', 16, '', '2a05bd6f679ca72254256a519802a9be', '000660d6223050a7000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6223050a700000000"}');
INSERT INTO sync_state VALUES (1, 'cc4db69f635bd5bfd862cd01e6909959', 'record', 'here', 120, '', 'e7d68521de5bf22cbce97e30de84f405', '000660f6cbd83a95000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f6cbd83a9500000000"}');
INSERT INTO sync_state VALUES (1, 'cca245d2c4a0a5c23b5380268218168f', 'record', 'here', 129, '', '95c33980c377935ffa8073fd5d5695fa', '0006615d31560f56000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615d31560f5600000000"}');
INSERT INTO sync_state VALUES (1, 'd249ed9a00e13d90f0063962743db852', 'record', 'here', 51, '', 'f2d2623ecaed29026ce2e260a80ba2f7', '000660d64892fa03000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d64892fa0300000000"}');
INSERT INTO sync_state VALUES (1, 'd5556739a2e10f04747e1ee1cfa6fa73', 'record', 'here', 38, '', '60e67fb43273e4ce83a9e696e636ec6b', '000660d6370ce459000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6370ce45900000000"}');
INSERT INTO sync_state VALUES (1, 'd9ae861a274beadd664b1bc8831e1f8e', 'record', 'here', 118, '', '0133cb18a70d86a482d1d1f8ce01ac84', '000660f468e01b05000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f468e01b0500000000"}');
INSERT INTO sync_state VALUES (1, 'd9e1684647c8b444bce731a553e56ebb', 'record', 'here', 56, '', 'bcfb3b9caa431805a42a70b5a4d86635', '000660d6522ba45a000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6522ba45a00000000"}');
INSERT INTO sync_state VALUES (1, 'da4205e52a6a04e177ed8db41139fbc6', 'record', 'here', 4, '', '3d6570513ca2dce7a0bdd46d762d4eda', '000660d614d65887000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d614d6588700000000"}');
INSERT INTO sync_state VALUES (1, 'db8c4c34093b3b2f6dd2786ef7b9fa63', 'record', 'here', 61, '', '5fcf8d8e7b050cbd7a36b1665a624a60', '000649ce3dbab200000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000649ce3dbab20000000000"}');
INSERT INTO sync_state VALUES (1, 'dc479be871c5483333f69557f561ccdd', 'record', 'here', 8, '', '23db3bf86a5763771ff451bc0e62c7ed', '000660d6182cd68f000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6182cd68f00000000"}');
INSERT INTO sync_state VALUES (1, 'e0ecaff87e8a4a9d98a7134610e50956', 'edge', 'here', 14, '', '39362d092436c72e163219a094de9277', '000660d63ce440e7000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d63ce440e700000000"}');
INSERT INTO sync_state VALUES (1, 'e20ab74b079881aa3a3e1c5fda7ea3be', 'edge', 'here', 1, '', 'f5f3fa5d53b12110b33bd4624b67b991', '000660d61d2e939b000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d61d2e939b00000000"}');
INSERT INTO sync_state VALUES (1, 'e63b2396bd817845ccf190b3128962c6', 'record', 'here', 121, '', '3d5a0bc0399053ea22bd958e07f6771d', '000660f6cbe92ca8000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660f6cbe92ca800000000"}');
INSERT INTO sync_state VALUES (1, 'e72a187234a97c4f8e804bacf589f475', 'record', 'here', 110, '', 'b534dbdedcded3bf1e3e818104f28f26', '000660d65d04bdf4000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d65d04bdf400000000"}');
INSERT INTO sync_state VALUES (1, 'e9ca39dc32e30dfcaf2e99e180d0154a', 'record', 'here', 55, '', '501025e8d70384c86899782fb212f5af', '000660d6515604d8000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6515604d800000000"}');
INSERT INTO sync_state VALUES (1, 'eac266307d0178bbba7f87db4949ba3b', 'edge', 'here', 15, '', 'c275b1b41a9eca836954b70882c5a68a', '000660d640a58eb0000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d640a58eb000000000"}');
INSERT INTO sync_state VALUES (1, 'ef3f4f6febbd4f75a8b91988413790b3', 'record', 'here', 21, '', '8e01b333310951ea279eaf86c835c53e', '000660d624465f6c000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d624465f6c00000000"}');
INSERT INTO sync_state VALUES (1, 'f0a76422ba8130e20e58e7e4bd0ebfa4', 'record', 'here', 2, '', '678697d827cb8212eb1cb38ec8adc2e9', '000660d6132b1983000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6132b198300000000"}');
INSERT INTO sync_state VALUES (1, 'f2e73461054cbff5f3ddcb485bb1387d', 'record', 'here', 35, '', '7f5ad94dbc2df4cd75799ee4946cc186', '000660d634f6d594000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d634f6d59400000000"}');
INSERT INTO sync_state VALUES (1, 'f651681e19efc4770d21dfcee97f92d0', 'record', 'here', 32, '', '446ac3572acf3570ca513edcf2b875fe', '000660d6320b274d000000051f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6320b274d00000005"}');
INSERT INTO sync_state VALUES (1, 'f74e5980c88c3c3c00dc7d2e4d7dc582', 'record', 'here', 112, '', '17b4fbd8d777389eea9dd43cbb290cac', '000660d65eaffcf8000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d65eaffcf800000000"}');
INSERT INTO sync_state VALUES (1, 'f91b7737b1b8684cca37d2190beb405d', 'record', 'here', 45, '', 'b251190b3841eeef183092b98f209a38', '000660d6403abeef000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"000660d6403abeef00000000"}');
INSERT INTO sync_state VALUES (1, 'fdd37ac7a8e30ca97a1a5d1783d689ef', 'edge', 'here', 90, '', 'e8d67591d3754963a5b12b849aafac67', '0006615d313efd5d000000001f48b88ef541f75a', '{"1f48b88ef541f75a":"0006615d313efd5d00000000"}');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('change', 802);
INSERT INTO sqlite_sequence VALUES ('edge', 94);
INSERT INTO sqlite_sequence VALUES ('edge_version', 3);
INSERT INTO sqlite_sequence VALUES ('event', 101);
INSERT INTO sqlite_sequence VALUES ('model', 89);
INSERT INTO sqlite_sequence VALUES ('record', 137);
INSERT INTO sqlite_sequence VALUES ('record_version', 7);
INSERT INTO sqlite_sequence VALUES ('repository', 2);
INSERT INTO sqlite_sequence VALUES ('token', 5);
INSERT INTO sqlite_sequence VALUES ('trash', 24);
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
CREATE TRIGGER edge_removed AFTER DELETE ON edge WHEN coalesce(OLD.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.source, 'link');
END;
CREATE INDEX record_version_time ON record_version (tenant, time);
CREATE INDEX record_version_record ON record_version (tenant, record, time);
CREATE INDEX record_version_key ON record_version (tenant, key);
CREATE INDEX edge_version_time ON edge_version (tenant, time);
CREATE INDEX edge_version_source ON edge_version (tenant, source, time);
CREATE INDEX edge_version_target ON edge_version (tenant, target, time);
CREATE TRIGGER record_changed AFTER UPDATE OF id, tenant, namespace, kind, type, key, label, text, tags, metadata,
  importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin ON record BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.id, 'put');
END;
CREATE TRIGGER edge_changed AFTER UPDATE OF id, tenant, source, target, relation, canonical, weight, metadata, created,
  uid, origin ON edge WHEN coalesce(NEW.metadata ->> '$.origin', '') <> 'index' BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER record_known AFTER INSERT ON record WHEN NEW.known = 0 AND NEW.kind NOT IN ('symbol', 'file', 'commit') BEGIN
  UPDATE record SET known = CAST(unixepoch('subsec') * 1000000 AS INTEGER) WHERE id = NEW.id;
END;
CREATE TRIGGER edge_known AFTER INSERT ON edge
WHEN NEW.known = 0 AND coalesce(NEW.metadata ->> '$.origin', '') NOT IN ('index', 'mention') BEGIN
  UPDATE edge SET known = CAST(unixepoch('subsec') * 1000000 AS INTEGER) WHERE id = NEW.id;
END;
CREATE TRIGGER edge_versioned AFTER UPDATE OF relation, canonical, weight, metadata ON edge
WHEN coalesce(OLD.metadata ->> '$.origin', '') NOT IN ('index', 'mention')
  AND (OLD.relation, OLD.canonical, OLD.weight, OLD.metadata) IS NOT (NEW.relation, NEW.canonical, NEW.weight, NEW.metadata)
BEGIN
  INSERT INTO edge_version (tenant, edge, known, source, target, relation, canonical, weight, metadata, created, uid, origin)
  VALUES (OLD.tenant, OLD.id, OLD.known, OLD.source, OLD.target, OLD.relation, OLD.canonical, OLD.weight, OLD.metadata,
    OLD.created, OLD.uid, OLD.origin);
END;
CREATE TRIGGER edge_deleted AFTER DELETE ON edge
WHEN coalesce(OLD.metadata ->> '$.origin', '') NOT IN ('index', 'mention') BEGIN
  INSERT INTO edge_version (tenant, edge, deleted, known, source, target, relation, canonical, weight, metadata, created,
    uid, origin)
  VALUES (OLD.tenant, OLD.id, 1, OLD.known, OLD.source, OLD.target, OLD.relation, OLD.canonical, OLD.weight, OLD.metadata,
    OLD.created, OLD.uid, OLD.origin);
END;
CREATE INDEX record_expires ON record (tenant, metadata ->> '$.expires_at')
WHERE kind IN ('memory', 'solution') AND metadata ->> '$.expires_at' IS NOT NULL;
CREATE INDEX record_pinned ON record (tenant, namespace, kind)
WHERE kind IN ('memory', 'solution') AND metadata ->> '$.pinned' IS NOT NULL;
CREATE INDEX sync_state_same ON sync_state (tenant, same) WHERE same <> '';
CREATE INDEX trash_waiting ON trash (tenant, record) WHERE version = 0;
CREATE TRIGGER record_versioned AFTER UPDATE OF namespace, type, key, label, text, tags, metadata, importance, confidence,
  content_hash, session, position, replaced, created, updated ON record
WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') AND (
  (OLD.namespace, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags, OLD.confidence, OLD.content_hash, OLD.session,
    OLD.position, OLD.replaced, OLD.created, OLD.updated)
  IS NOT (NEW.namespace, NEW.type, NEW.key, NEW.label, NEW.text, NEW.tags, NEW.confidence, NEW.content_hash, NEW.session,
    NEW.position, NEW.replaced, NEW.created, NEW.updated)
  OR OLD.metadata <> NEW.metadata
    AND json_remove(OLD.metadata, '$.decayed_at') <> json_remove(NEW.metadata, '$.decayed_at')
  OR (OLD.importance, OLD.metadata) IS NOT (NEW.importance, NEW.metadata)
    AND EXISTS (SELECT 1 FROM trash WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0)) BEGIN
  INSERT INTO record_version (tenant, record, known, namespace, kind, type, key, label, text, tags, metadata, importance,
    confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label,
    CASE WHEN OLD.text <> NEW.text THEN OLD.text END, CASE WHEN OLD.tags <> NEW.tags THEN OLD.tags END,
    CASE WHEN OLD.metadata <> NEW.metadata THEN OLD.metadata END, OLD.importance, OLD.confidence, OLD.content_hash,
    OLD.session, OLD.position, OLD.replaced, OLD.created, OLD.updated, OLD.uid, OLD.origin);
  UPDATE trash SET version = last_insert_rowid() WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0;
END;
CREATE TRIGGER record_deleted AFTER DELETE ON record WHEN OLD.kind NOT IN ('symbol', 'file', 'commit') BEGIN
  INSERT INTO record_version (tenant, record, deleted, known, namespace, kind, type, key, label, text, tags, metadata,
    importance, confidence, content_hash, session, position, replaced, created, updated, uid, origin)
  VALUES (OLD.tenant, OLD.id, 1, OLD.known, OLD.namespace, OLD.kind, OLD.type, OLD.key, OLD.label, OLD.text, OLD.tags,
    OLD.metadata, OLD.importance, OLD.confidence, OLD.content_hash, OLD.session, OLD.position, OLD.replaced, OLD.created,
    OLD.updated, OLD.uid, OLD.origin);
  UPDATE trash SET version = last_insert_rowid() WHERE tenant = OLD.tenant AND record = OLD.id AND version = 0;
END;
PRAGMA user_version = 15;
