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
) STRICT;
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
INSERT INTO setting VALUES (0, 'created', '1795360431088000');
INSERT INTO setting VALUES (0, 'epoch', 'f8d2049585710f3d');
INSERT INTO record VALUES (1, 1, '', 'memory', 'decision', '6e9b50ac-2c1b-44bc-b27b-7e788c993d66', '', 'Team decided to use Axum over Actix: its middleware is tower''s', '["api","lang:rust"]', '{}', 0.9, 1.0, '20da5e0e3654f0891a183be9247d7ba85fb0863a07bbaaf7c768b3b77f79c984', 'session_cb7a1f1361a8', 1795322407123457, 0, 1795322407123457, 1795322407123457);
INSERT INTO record VALUES (2, 1, '', 'memory', 'pattern', 'e379406a-2e60-4b58-b99c-c5985edf3404', '', 'The release job fails on a runner without swap; it needs 4 GB', '["ci"]', '{}', 0.5, 1.0, '4c7601f1360a4b1864e4c44c291ca57c8574325a7a94ae19e8bd9f766311c113', 'session_cb7a1f1361a8', 1795322421123459, 1, 1795322421123459, 1795322421123459);
INSERT INTO record VALUES (3, 1, '', 'memory', 'insight', '0158aee3-0ff9-44fb-808b-f43a8c687fc3', '', 'Ключ кэша — путь и хэш, nie tylko ścieżka', '["unicode"]', '{}', 0.5, 1.0, 'd6c05e0e8f802b6eca0d037b5fba4b1410d06aea50bf347b60f4945c78b9a358', 'session_cb7a1f1361a8', 1795322435123461, 0, 1795322435123461, 1795322435123461);
INSERT INTO record VALUES (4, 1, 'other/project', 'memory', 'context', '5fabd39b-d3b3-4e18-b885-a44bef90d478', '', 'データベースは毎晩 03:00 にバックアップされる 🗄️', '["ops"]', '{}', 0.4, 1.0, '3982a65bf503923cf233bb5ad238ddd27e6dad3af7591e1feb0a4b419da1a821', 'session_cb7a1f1361a8', 1795322449123463, 0, 1795322449123463, 1795322449123463);
INSERT INTO record VALUES (5, 1, '', 'memory', 'pattern', '10ac47d9-96ea-439a-9e62-b040b82d62aa', '', 'parseHttpHeader returns None for folded lines (RFC 9112)', '["http","bug"]', '{}', 0.7, 1.0, 'cc3c229ca0b839a9f2cc35a55df03370368f246f7ef9ee172c3aced9d4d0779f', 'session_cb7a1f1361a8', 1795322463123465, 0, 1795322463123465, 1795322463123465);
INSERT INTO record VALUES (6, 1, '', 'memory', 'preference', '917adb13-5b46-4840-afc1-ada1ccca0a18', '', 'Prefer small commits, one reason each', '[]', '{}', 0.35, 1.0, '2c0c00d2e180b929c5bfc19be1696a6e30a01d0b13bc493801d763dd9362d69b', 'session_cb7a1f1361a8', 1795322477123467, 0, 1795322477123467, 1795323541123619);
INSERT INTO record VALUES (7, 1, '', 'memory', 'decision', 'c0539b4a-589e-4b95-9dd0-5be5493d5c1a', '', 'The queue is drained by one worker; ''two'' deadlock on flock', '["queue"]', '{}', 0.6, 1.0, '354ad63f043abdd8809e281718c4f71fe8fcfe0bbe2daf9468d03f4f641b9a41', 'session_cb7a1f1361a8', 1795322491123469, 0, 1795322491123469, 1795322491123469);
INSERT INTO record VALUES (8, 1, 'other/project', 'memory', 'context', 'd848d192-8ea4-4d13-9f1e-b6f4dfc60a55', '', 'Old: deploys go to the eu-west cluster', '["deploy"]', '{}', 0.5, 1.0, '38f336ee85acdb77c6b45235e07d512111d6a40469d7e047bda04e22277db4be', 'session_cb7a1f1361a8', 1795322505123471, 1, 1795322505123471, 1795322505123471);
INSERT INTO record VALUES (9, 1, '', 'memory', 'context', 'c46c8f62-e296-4b48-a0b9-f8a7d94b5122', '', 'Deploys go to the eu-central cluster since October', '["deploy"]', '{}', 0.8, 1.0, 'b94983de4df9cdf60980a17fe08dc270ed87a689598a63141c7e0df84dd9bf3f', 'session_cb7a1f1361a8', 1795322519123473, 0, 1795322519123473, 1795322519123473);
INSERT INTO record VALUES (10, 1, '', 'memory', 'context', 'e8dc9255-c2bb-4737-b983-7846e21c6e8c', '', ('Line one'||char(10)||'line two'||char(10)||char(9)||'tabbed; semicolons; -- no comment'), '[]', '{}', 0.5, 1.0, '95fc8a0616240ca8a04a994b3ab272cb438c95c0cdcd5f000754681c4b3466f8', 'session_cb7a1f1361a8', 1795322533123475, 0, 1795322533123475, 1795322533123475);
INSERT INTO record VALUES (12, 1, 'other/project', 'memory', 'insight', '8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1', '', 'A draft that was reworded', '[]', '{}', 0.6, 1.0, 'af16a9f59512add27b2715df28d875eb4a00f0cfc2d4290151c0f45305586925', 'session_cb7a1f1361a8', 1795322561123479, 0, 1795322561123479, 1795322862123522);
INSERT INTO record VALUES (13, 1, '', 'memory', 'context', '2f005c42-32a3-4ce6-8bca-5b3b6ea88228', '', 'A long note of two windows: the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. the importer reads a page, checks it, and writes it. ', '[]', '{}', 0.5, 1.0, '0f38d15e3855bc8d99eeb735b9abe46f3012034e69958678931ac28af2b37e49', 'session_cb7a1f1361a8', 1795322575123481, 0, 1795322575123481, 1795322575123481);
INSERT INTO record VALUES (14, 1, '', 'solution', '', 'sol_1', '', 'restart the worker after a flock deadlock', '[]', '{}', 0.5, 1.0, '0df1790dadeb484b9f3b89610ebd41eecf4f79e6b68c8c87fc4dc34c44082aed', 'session_cb7a1f1361a8', 1795322659123493, 0, 1795322659123493, 1795322659123493);
INSERT INTO record VALUES (15, 1, '', 'solution', '', 'sol_2', '', 'restart the worker after a flock deadlock', '[]', '{}', 0.5, 1.0, '0df1790dadeb484b9f3b89610ebd41eecf4f79e6b68c8c87fc4dc34c44082aed', 'session_cb7a1f1361a8', 1795322666123494, 0, 1795322666123494, 1795322666123494);
INSERT INTO record VALUES (16, 1, '', 'failure', '', 'fail_1', '', 'OSError: flock deadlock', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322673123495, 0, 1795322673123495, 1795322673123495);
INSERT INTO record VALUES (17, 1, '', 'failure', '', 'fail_2', '', 'OSError: flock deadlock', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322680123496, 0, 1795322680123496, 1795322680123496);
INSERT INTO record VALUES (18, 1, '', 'entity', '', 'fix#flock', 'Fix', 'Release the lock before the fork', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322687123497, 0, 1795322687123497, 1795322687123497);
INSERT INTO record VALUES (19, 1, '', 'file', '', 'src/queue.py', '', 'src/queue.py', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322694123498, 0, 1795322694123498, 1795322694123498);
INSERT INTO record VALUES (20, 1, '', 'todo', '', '41', 'runbook', 'Write the runbook of the queue', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322701123499, 0, 1795322701123499, 1795322701123499);
INSERT INTO record VALUES (21, 1, '', 'document', 'note', '17', 'notes.md', 'A document that an import brought: restore drills are on Fridays', '[]', '{}', 0.5, 1.0, '0c1e0e186fb284b38a9ea343f5e0ac53050e20eee3e7a57830ae0848899d660b', 'session_cb7a1f1361a8', 1795322708123500, 0, 1795322708123500, 1795322708123500);
INSERT INTO record VALUES (22, 1, 'other/project', 'document', '', '18', 'notes.md', 'Another one of that name', '[]', '{}', 0.5, 1.0, '908cfeee44e6f1fe374eb843933a9c9585c994a4e86bacf022cb63d9cc2e4a68', 'session_cb7a1f1361a8', 1795322715123501, 0, 1795322715123501, 1795322715123501);
INSERT INTO record VALUES (23, 1, '', 'memory', 'context', 'imported-1', '', 'Imported: the nightly job writes to /var/tmp', '[]', '{"trust":"untrusted","a":[1,{"b":null}]}', 0.5, 0.8, 'f7c93d99a90c5a18f6144d7bea56c892e36253da869b39f1cc21c974d6c4e64c', 'talk', 3, 0, 1738555506789000, 1738555506789000);
INSERT INTO record VALUES (24, 1, '', 'memory', 'context', 'imported-2', '', 'Imported as well: it is read by the report', '[]', '{}', 0.5, 1.0, '7871e3013396fe40405e430437e3cbaf785ecb26e4269170f738e6ac8422a4b7', 'talk', 4, 0, 1795322729123503, 1795322729123503);
INSERT INTO record VALUES (25, 1, '', 'document', 'document', '42', 'runbook.md', ('# Runbook'||char(10)||char(10)||'The queue is drained by one worker.'||char(10)||char(10)||'Look at lock 0, then at its owner aaa0, then restart worker 0. Look at lock 1, then at its owner bbb1, then restart worker 1. Look at lock 2, then at its owner ccc2, then restart worker 2. Look at lock 3, then at its owner ddd3, then restart worker 3. Look at lock 4, then at its owner eee4, then restart worker 4. Look at lock 5, then at its owner fff5, then restart worker 5. Look at lock 6, then at its owner ggg6, then restart worker 6. Look at lock 7, then at its owner hhh7, then restart worker 7. Look at lock 8, then at its owner iii8, then restart worker 8. Look at lock 9, then at its owner jjj9, then restart worker 9. Look at lock 10, then at its owner kkk10, then restart worker 10. Look at lock 11, then at its owner lll11, then restart worker 11. Look at lock 12, then at its owner mmm12, then restart worker 12. Look at lock 13, then at its owner nnn13, then restart worker 13. Look at lock 14, then at its owner ooo14, then restart worker 14. Look at lock 15, then at its owner ppp15, then restart worker 15. Look at lock 16, then at its owner qqq16, then restart worker 16. Look at lock 17, then at its owner rrr17, then restart worker 17. Look at lock 18, then at its owner sss18, then restart worker 18. Look at lock 19, then at its owner ttt19, then restart worker 19. Look at lock 20, then at its owner uuu20, then restart worker 20. Look at lock 21, then at its owner vvv21, then restart worker 21. Look at lock 22, then at its owner www22, then restart worker 22. Look at lock 23, then at its owner xxx23, then restart worker 23. Look at lock 24, then at its owner yyy24, then restart worker 24. Look at lock 25, then at its owner zzz25, then restart worker 25. Look at lock 26, then at its owner aaa26, then restart worker 26. Look at lock 27, then at its owner bbb27, then restart worker 27. Look at lock 28, then at its owner ccc28, then restart worker 28. Look at lock 29, then at its owner ddd29, then restart worker 29. Look at lock 30, then at its owner eee30, then restart worker 30. Look at lock 31, then at its owner fff31, then restart worker 31. Look at lock 32, then at its owner ggg32, then restart worker 32. Look at lock 33, then at its owner hhh33, then restart worker 33. Look at lock 34, then at its owner iii34, then restart worker 34. Look at lock 35, then at its owner jjj35, then restart worker 35. Look at lock 36, then at its owner kkk36, then restart worker 36. Look at lock 37, then at its owner lll37, then restart worker 37. Look at lock 38, then at its owner mmm38, then restart worker 38. Look at lock 39, then at its owner nnn39, then restart worker 39. Look at lock 40, then at its owner ooo40, then restart worker 40. Look at lock 41, then at its owner ppp41, then restart worker 41. Look at lock 42, then at its owner qqq42, then restart worker 42. Look at lock 43, then at its owner rrr43, then restart worker 43. Look at lock 44, then at its owner sss44, then restart worker 44. Look at lock 45, then at its owner ttt45, then restart worker 45. Look at lock 46, then at its owner uuu46, then restart worker 46. Look at lock 47, then at its owner vvv47, then restart worker 47. Look at lock 48, then at its owner www48, then restart worker 48. Look at lock 49, then at its owner xxx49, then restart worker 49. Look at lock 50, then at its owner yyy50, then restart worker 50. Look at lock 51, then at its owner zzz51, then restart worker 51. Look at lock 52, then at its owner aaa52, then restart worker 52. Look at lock 53, then at its owner bbb53, then restart worker 53. Look at lock 54, then at its owner ccc54, then restart worker 54. Look at lock 55, then at its owner ddd55, then restart worker 55. Look at lock 56, then at its owner eee56, then restart worker 56. Look at lock 57, then at its owner fff57, then restart worker 57. Look at lock 58, then at its owner ggg58, then restart worker 58. Look at lock 59, then at its owner hhh59, then restart worker 59.'), '[]', '{}', 0.5, 1.0, 'ea4728590c8da9eb3bdc6b5db059d64722bb4a89c2948629b7d0f0bf0abf12c6', 'session_cb7a1f1361a8', 1795322925123531, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (26, 1, '', 'chunk', 'document', '43', 'runbook.md > Runbook', ('# Runbook'||char(10)||char(10)||'The queue is drained by one worker.'||char(10)||char(10)||'Look at lock 0, then at its owner aaa0, then restart worker 0. Look at lock 1, then at its owner bbb1, then restart worker 1. Look at lock 2, then at its owner ccc2, then restart worker 2. Look at lock 3, then at its owner ddd3, then restart worker 3. Look at lock 4, then at its owner eee4, then restart worker 4. Look at lock 5, then at its owner fff5, then restart worker 5. Look at lock 6, then at its owner ggg6, then restart worker 6. Look at lock 7, then at its owner hhh7, then restart worker 7. Look at lock 8, then at its owner iii8, then restart worker 8. Look at lock 9, then at its owner jjj9, then restart worker 9. Look at lock 10, then at its owner kkk10, then restart worker 10. Look at lock 11, then at its owner lll11, then restart worker 11. Look at lock 12, then at its owner mmm12, then restart worker 12.'), '[]', '{}', 0.5, 1.0, '', 'document:42', 1099511627776, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (27, 1, '', 'chunk', 'document', '44', 'runbook.md > Runbook', 'Look at lock 12, then at its owner mmm12, then restart worker 12. Look at lock 13, then at its owner nnn13, then restart worker 13. Look at lock 14, then at its owner ooo14, then restart worker 14. Look at lock 15, then at its owner ppp15, then restart worker 15. Look at lock 16, then at its owner qqq16, then restart worker 16. Look at lock 17, then at its owner rrr17, then restart worker 17. Look at lock 18, then at its owner sss18, then restart worker 18. Look at lock 19, then at its owner ttt19, then restart worker 19. Look at lock 20, then at its owner uuu20, then restart worker 20. Look at lock 21, then at its owner vvv21, then restart worker 21. Look at lock 22, then at its owner www22, then restart worker 22. Look at lock 23, then at its owner xxx23, then restart worker 23. Look at lock 24, then at its owner yyy24, then restart worker 24. Look at lock 25, then at its owner zzz25, then restart worker 25. Look at lock 26, then at its owner aaa26, then restart worker 26. Look at lock 27, then at its owner bbb27, then restart worker 27.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099571627776, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (28, 1, '', 'chunk', 'document', '45', 'runbook.md > Runbook', 'Look at lock 27, then at its owner bbb27, then restart worker 27. Look at lock 28, then at its owner ccc28, then restart worker 28. Look at lock 29, then at its owner ddd29, then restart worker 29. Look at lock 30, then at its owner eee30, then restart worker 30. Look at lock 31, then at its owner fff31, then restart worker 31. Look at lock 32, then at its owner ggg32, then restart worker 32. Look at lock 33, then at its owner hhh33, then restart worker 33. Look at lock 34, then at its owner iii34, then restart worker 34. Look at lock 35, then at its owner jjj35, then restart worker 35. Look at lock 36, then at its owner kkk36, then restart worker 36. Look at lock 37, then at its owner lll37, then restart worker 37. Look at lock 38, then at its owner mmm38, then restart worker 38.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099631627776, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (29, 1, '', 'chunk', 'document', '46', 'runbook.md > Runbook', 'Look at lock 38, then at its owner mmm38, then restart worker 38. Look at lock 39, then at its owner nnn39, then restart worker 39. Look at lock 40, then at its owner ooo40, then restart worker 40. Look at lock 41, then at its owner ppp41, then restart worker 41. Look at lock 42, then at its owner qqq42, then restart worker 42. Look at lock 43, then at its owner rrr43, then restart worker 43. Look at lock 44, then at its owner sss44, then restart worker 44. Look at lock 45, then at its owner ttt45, then restart worker 45. Look at lock 46, then at its owner uuu46, then restart worker 46. Look at lock 47, then at its owner vvv47, then restart worker 47. Look at lock 48, then at its owner www48, then restart worker 48. Look at lock 49, then at its owner xxx49, then restart worker 49. Look at lock 50, then at its owner yyy50, then restart worker 50. Look at lock 51, then at its owner zzz51, then restart worker 51. Look at lock 52, then at its owner aaa52, then restart worker 52. Look at lock 53, then at its owner bbb53, then restart worker 53.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099691627776, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (30, 1, '', 'chunk', 'document', '47', 'runbook.md > Runbook', 'Look at lock 53, then at its owner bbb53, then restart worker 53. Look at lock 54, then at its owner ccc54, then restart worker 54. Look at lock 55, then at its owner ddd55, then restart worker 55. Look at lock 56, then at its owner eee56, then restart worker 56. Look at lock 57, then at its owner fff57, then restart worker 57. Look at lock 58, then at its owner ggg58, then restart worker 58. Look at lock 59, then at its owner hhh59, then restart worker 59.', '[]', '{}', 0.5, 1.0, '', 'document:42', 1099751627776, 0, 1795322925123531, 1795322925123531);
INSERT INTO record VALUES (31, 1, '', 'document', 'document', '48', 'notes/ключ.md', ('# Ключ'||char(10)||char(10)||'Один ключ на проект; データは夜に消える。'), '[]', '{}', 0.5, 1.0, '784c86279d70ffcd53e3eb57095d573685d0d5a73ab8c522dbaf5a0bb65586d1', 'session_cb7a1f1361a8', 1795322939123533, 0, 1795322939123533, 1795322939123533);
INSERT INTO record VALUES (32, 1, '', 'chunk', 'document', '49', 'notes/ключ.md > Ключ', ('# Ключ'||char(10)||char(10)||'Один ключ на проект; データは夜に消える。'), '[]', '{}', 0.5, 1.0, '', 'document:48', 1099511627776, 0, 1795322939123533, 1795322939123533);
INSERT INTO record VALUES (33, 1, '', 'solution', 'repo', 'sol_9171119f', '', ('apsw statements are prepared twice'||char(10)||char(10)||'keep them by connection'), '["sqlite"]', '{"problem":"apsw statements are prepared twice","score":0.55,"successes":1,"partials":0,"failures":0,"files":["src/queue.py"],"notes":[{"time":1795322974123538,"outcome":"success","notes":"as it stands"}]}', 0.5, 1.0, 'b2b99f64d551f9fa878dfe9e2c475ee03548fd2d354a135bfc8e2bbbce1271d3', 'session_cb7a1f1361a8', 1795322953123535, 0, 1795322953123535, 1795322974123538);
INSERT INTO record VALUES (34, 1, '', 'file', '', 'file:src/queue.py', 'src/queue.py', 'src/queue.py', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795322960123536, 0, 1795322960123536, 1795322960123536);
INSERT INTO record VALUES (35, 1, '', 'entity', 'Error', 'err#ld: ''libz'' not found in /usr/lib1', 'err#ld: ''libz'' not found in /usr/lib1', ('err#ld: ''libz'' not found in /usr/lib1'||char(10)||'{"type":"error.capture","normalizedKey":"ld: ''libz'' not found in /usr/lib1","kind":"build","message":"ld: ''libz'' not found in /usr/lib1","detector":"matrix_failure"}'), '[]', '{"observations":["{\"type\":\"error.capture\",\"normalizedKey\":\"ld: ''libz'' not found in /usr/lib1\",\"kind\":\"build\",\"message\":\"ld: ''libz'' not found in /usr/lib1\",\"detector\":\"matrix_failure\"}"]}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323002123542, 0, 1795323002123542, 1795323002123542);
INSERT INTO record VALUES (36, 1, '', 'entity', 'Fix', 'fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a', 'fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a', ('fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a'||char(10)||'{"type":"fix.apply","strategy":"install zlib","changes":["Dockerfile"],"result":"applied"}'), '[]', '{"observations":["{\"type\":\"fix.apply\",\"strategy\":\"install zlib\",\"changes\":[\"Dockerfile\"],\"result\":\"applied\"}"]}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323009123543, 0, 1795323009123543, 1795323009123543);
INSERT INTO record VALUES (37, 1, '', 'failure', 'build', 'fail_f8e53fbf', '', ('build: ld: ''libz'' not found in /usr/lib1'||char(10)||'Cause: a slim image'||char(10)||'Fix: install zlib'), '[]', '{"errorMessage":"ld: ''libz'' not found in /usr/lib1","rootCause":"a slim image","fixApplied":"install zlib","files":["Dockerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib1","fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a"],"occurrences":2}', 0.5, 1.0, 'c45429fc2ed3f7eb', 'session_cb7a1f1361a8', 1795323023123545, 0, 1795323023123545, 1795323058123550);
INSERT INTO record VALUES (38, 1, '', 'file', '', 'file:Dockerfile', 'Dockerfile', 'Dockerfile', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323030123546, 0, 1795323030123546, 1795323030123546);
INSERT INTO record VALUES (39, 1, '', 'entity', 'person', 'Ann Ключ', 'Ann Ключ', ('Ann Ключ'||char(10)||'speaks español'||char(10)||'knows the queue'), '[]', '{"observations":["speaks español","knows the queue"]}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323086123554, 0, 1795323086123554, 1795323086123554);
INSERT INTO record VALUES (40, 1, '', 'entity', 'x', 'Gone', 'Gone', 'Gone', '[]', '{"observations":[]}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323093123555, 0, 1795323093123555, 1795323093123555);
INSERT INTO record VALUES (41, 1, '', 'vector', '', 'lesson-1', '', 'Run the linter before the tests', '[]', '{"vector":{"indices":"AwAAAAAAAAAAAAAAAAEAAA==","weights":"4XoUrkfh2j/Xo3A9CtfTvw=="},"metadata":{"topic":"ci"},"score":0.0}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323121123559, 0, 1795323121123559, 1795323121123559);
INSERT INTO record VALUES (42, 1, '', 'vector', '', 'lesson-2', '', '', '[]', '{"vector":{"indices":"AAAAAAEAAAA=","weights":"AAAAAAAA8D8AAAAAAAAAQA=="},"metadata":{},"score":0.5}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323135123561, 0, 1795323135123561, 1795323135123561);
INSERT INTO record VALUES (43, 1, '', 'memory', 'pattern', 'c1e5b09c-d532-44c7-86a9-329ea472bb71', '', 'The release job fails on a runner without swap; it needs 6 GB', '["ci"]', '{}', 0.5, 1.0, 'a53f551721c823eb53601520b923965ad9bdcedb1c5e7e94bd46c8aa11fd5875', 'session_cb7a1f1361a8', 1795323163123565, 0, 1795323163123565, 1795323163123565);
INSERT INTO record VALUES (44, 1, '', 'message', 'user', 'msg_50', '', 'Which worker drains the queue?', '[]', '{"number":50,"conversation":"talk","source_tool":"cursor","linked":"by words"}', 0.5, 1.0, '', 'conversation:talk', 1795323184123568, 0, 1795323184123568, 1795323184123568);
INSERT INTO record VALUES (45, 1, '', 'message', 'assistant', 'msg_51', '', 'One worker: ''two'' deadlock on flock. Ключ!', '[]', '{"number":51,"conversation":"talk","source_tool":"cursor","linked":"by words"}', 0.5, 1.0, '', 'conversation:talk', 1795323212123572, 0, 1795323212123572, 1795323212123572);
INSERT INTO record VALUES (46, 1, '', 'message', '', 'a message of elsewhere', '', '', '[]', '{"number":52}', 0.5, 1.0, '', '', 1795323233123575, 0, 1795323233123575, 1795323233123575);
INSERT INTO record VALUES (47, 1, '', 'todo', 'pending', '53', '', ('Write the restore drill'||char(10)||char(10)||'auf allen Servern'), '[]', '{"title":"Write the restore drill","priority":3}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323254123578, 0, 1795323254123578, 1795323254123578);
INSERT INTO record VALUES (48, 1, '', 'todo', 'completed', '54', '', 'Done already', '[]', '{"title":"Done already","priority":1,"completed":1795323282123582}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323268123580, 0, 1795323268123580, 1795323282123582);
INSERT INTO record VALUES (49, 1, '', 'attempt', 'pass', '55', '', 'Write a retry loop', '[]', '{"code":"for pause in pauses: ..."}', 0.5, 1.0, 'e1015980573f985c11f0c4132e103a7a8f7680ec2d4ab3899b0d41b1e09e235c', 'session_cb7a1f1361a8', 1795323303123585, 0, 1795323303123585, 1795323303123585);
INSERT INTO record VALUES (50, 1, '', 'document', 'placeholder', '900', '', 'resource_900', '[]', '{}', 0.5, 1.0, '', 'session_cb7a1f1361a8', 1795323317123587, 0, 1795323317123587, 1795323317123587);
INSERT INTO record VALUES (51, 1, 'other/project', 'memory', 'context', 'ba6e30c4-dde3-4eb2-8561-6bb5408355e5', '', 'Stored by who holds in other/project: tills close at one', '[]', '{}', 0.5, 1.0, '4f0c2592dea12482e03c89ae490e9822393b81136ab5f7de3616564ff2b1e2a6', 'session_7e2574fa965d', 1795323380123596, 0, 1795323380123596, 1795323401123599);
INSERT INTO record VALUES (52, 1, 'other/project', 'entity', 'Error', 'err#ld: ''libz'' not found in /usr/lib7', 'err#ld: ''libz'' not found in /usr/lib7', ('err#ld: ''libz'' not found in /usr/lib7'||char(10)||'{"type":"error.capture","normalizedKey":"ld: ''libz'' not found in /usr/lib7","kind":"build","message":"ld: ''libz'' not found in /usr/lib7","detector":"matrix_failure"}'), '[]', '{"observations":["{\"type\":\"error.capture\",\"normalizedKey\":\"ld: ''libz'' not found in /usr/lib7\",\"kind\":\"build\",\"message\":\"ld: ''libz'' not found in /usr/lib7\",\"detector\":\"matrix_failure\"}"]}', 0.5, 1.0, '', 'session_b1d6bb33f30d', 1795323443123605, 0, 1795323443123605, 1795323443123605);
INSERT INTO record VALUES (53, 1, 'other/project', 'entity', 'Fix', 'fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2', 'fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2', ('fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2'||char(10)||'{"type":"fix.apply","strategy":"add zlib","changes":["Containerfile"],"result":"applied"}'), '[]', '{"observations":["{\"type\":\"fix.apply\",\"strategy\":\"add zlib\",\"changes\":[\"Containerfile\"],\"result\":\"applied\"}"]}', 0.5, 1.0, '', 'session_b1d6bb33f30d', 1795323450123606, 0, 1795323450123606, 1795323450123606);
INSERT INTO record VALUES (54, 1, 'other/project', 'failure', 'build', 'fail_29b50467', '', ('build: ld: ''libz'' not found in /usr/lib7'||char(10)||'Cause: no zlib'||char(10)||'Fix: add zlib'), '[]', '{"errorMessage":"ld: ''libz'' not found in /usr/lib7","rootCause":"no zlib","fixApplied":"add zlib","files":["Containerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib7","fix#ld: ''libz'' not found in /usr/lib7#aea8d0d2"],"occurrences":1}', 0.5, 1.0, 'c45429fc2ed3f7eb', 'session_b1d6bb33f30d', 1795323464123608, 0, 1795323464123608, 1795323464123608);
INSERT INTO record VALUES (55, 1, 'other/project', 'file', '', 'file:Containerfile', 'Containerfile', 'Containerfile', '[]', '{}', 0.5, 1.0, '', 'session_b1d6bb33f30d', 1795323471123609, 0, 1795323471123609, 1795323471123609);
INSERT INTO record VALUES (56, 1, '', 'memory', 'context', '5abba650-44c6-4196-a2ea-1afd59fc17eb', '', 'Stored after the block was sealed: zebra migrations run twice', '["late"]', '{}', 0.5, 1.0, 'ba0206777c3b053d93dccffe358f89b6f445b154f23b9c097e9dc536fa79275a', 'session_cb7a1f1361a8', 1795323527123617, 0, 1795323527123617, 1795323527123617);
INSERT INTO edge VALUES (1, 1, 1, 5, 'LEADS_TO', 'LEADS_TO', 0.9, '{}', 1795322589123483);
INSERT INTO edge VALUES (2, 1, 9, 8, 'SUPERSEDES', 'SUPERSEDES', 1.0, '{}', 1795322603123485);
INSERT INTO edge VALUES (3, 1, 8, 9, 'REINFORCES', 'REINFORCES', 0.25, '{}', 1795322617123487);
INSERT INTO edge VALUES (6, 1, 23, 14, 'DERIVED_FROM', 'DERIVED_FROM', 0.5, '{"by":"import"}', 1738555506789000);
INSERT INTO edge VALUES (8, 1, 33, 34, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795322960123536);
INSERT INTO edge VALUES (9, 1, 36, 35, 'RESOLVES', 'RESOLVES', 1.0, '{}', 1795323016123544);
INSERT INTO edge VALUES (10, 1, 37, 38, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323030123546);
INSERT INTO edge VALUES (13, 1, 39, 40, 'knew', 'KNEW', 1.0, '{}', 1795323107123557);
INSERT INTO edge VALUES (14, 1, 2, 43, 'EVOLVED_INTO', 'EVOLVED_INTO', 1.0, '{}', 1795323170123566);
INSERT INTO edge VALUES (15, 1, 44, 26, 'REFERENCES', 'REFERENCES', 0.7637515616038157, '{}', 1795323198123570);
INSERT INTO edge VALUES (16, 1, 46, 26, 'REFERENCES', 'REFERENCES', 1.0, '{}', 1795323240123576);
INSERT INTO edge VALUES (17, 1, 25, 50, 'depends_on', 'DEPENDS_ON', 1.0, '{}', 1795323324123588);
INSERT INTO edge VALUES (18, 1, 53, 52, 'RESOLVES', 'RESOLVES', 1.0, '{}', 1795323457123607);
INSERT INTO edge VALUES (19, 1, 54, 55, 'RELATES_TO', 'RELATES_TO', 1.0, '{}', 1795323471123609);
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
INSERT INTO terms VALUES (19, 1, 1, 3, X'91A23F478D244460637FFD7F010101');
INSERT INTO terms VALUES (20, 1, 1, 7, X'FAA16D07E66D453C0F37D7715F7A6B7D637FFD7F0102020101');
INSERT INTO terms VALUES (20, 2, 1, 5, X'FAA16D07E66D453C0F37D7715F7A6B7D637FFD7F4040404040');
INSERT INTO terms VALUES (21, 1, 1, 2, X'14FABDCF54A255DB0101');
INSERT INTO terms VALUES (22, 1, 1, 2, X'14FABDCF54A255DB0101');
INSERT INTO terms VALUES (23, 1, 1, 8, X'970FDA11487DEF2CE66D453C0687D06D5F7A6B7D1DCE4E9DC4D287D7F8E0D8FB0101010101010101');
INSERT INTO terms VALUES (23, 2, 1, 7, X'5AEFF70FE66D453CE03E89A1210123A6C4D287D714E8A7E0F8E0D8FB40404040404040');
INSERT INTO terms VALUES (24, 1, 1, 9, X'2A47FC14E66D453C97E2EA3C42D2CB3F674157981DCE4E9D34778EA284772FC49F6833F4010101010101010101');
INSERT INTO terms VALUES (24, 2, 1, 9, X'E66D453C97E2EA3C42D2CB3FB9363C906741579834778EA284772FC4AE03A1CF9F6833F4404040404040404040');
INSERT INTO terms VALUES (25, 1, 1, 2, X'0F37D77154A255DB0101');
INSERT INTO terms VALUES (26, 1, 1, 206, X'53C847160DBED51A147AB81D7E654920CC666D2402D43A2BFAA52B2FEDA4BB2FF2A15D318EE2C033AF201638E66D453C2173863C97E2EA3C26105E3D42D2CB3F0DCF65402C0DB34BCD44534F4F4BC857B1BA9E5A6E891E5C9CD2E16001139F643CFD576A824ABF6A9B8ED26D0F37D771F1866C7A637FFD7FB7EFDC83AE2BB1840E9B8F878F9C7488C8DE8B8C8567078DECDA0F9462BFB29FE1255DA134778EA22784F4B14AFF51BC6C9B41C47CE660CF77155AD654A255DB6FF7AAE70722F9E72D7307F0A88D88F0381BB6F321DFDBF4135700FA0CB1D1FBC5F62DFD01030301010D01011A0101010101010101010301010101011A030303010103030D010103010E030D0101010D0301010D01010303030101');
INSERT INTO terms VALUES (26, 2, 1, 58, X'276E4005A798290B04BF080DE8C4AE1226F26313458E1314D3BD0319C7EC252602D43A2BE43D6D2EF2A15D318358EA32A50C763739202738C9B5183AE66D453C97E2EA3C86DD3E3F42D2CB3FC329494281C26145BF211F56309647578218525BCE9EE65CE7C29E64007A64693CFD576AFF9E6570414B7F700F37D7713242E9751F7A6F76F1866C7AA6F3857D637FFD7F2C1B6A870E9B8F87CBA3908A8A928B93EB2CB9976D2A719E62BFB29F86EF1AA4EF4847AC8950F7ADAE795CB5C9B39DBDC85C63C0EB8D2BC87CE660CFAABC30D15CA2F2D4896D78D928DE06E30722F9E70B0F4EEB69EF1DFA40404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (27, 1, 1, 243, X'8F3E1D0069ACE000486E360BC328210F9B5D36129827791381E31414CE8F671A0AEA9B1C7E65492002D43A2BF2A15D316A0662325B74543842B0393F0DCF6540D4803E48CD44534F6E891E5C17D313630E177E64A805E8643CFD576A89C73E6F0F37D771EA814573AE5EA2830E9B8F877959358A2276708A3BB21D8DD769C78D8F1CD0905F32679362BFB29F34778EA2F8E130A6EFD849A9880261AA263293ADD3AD86AF491082B0AE6933B3550B32B968D254BBCA3D27C37CE660CF6ED137D188B98AD4459D81D854A255DBA97B5CDFEFC98DE40722F9E74E357CEC2D7307F0AD821AFAB44677FD01010101010303010101102001030301030301030301200102010110010303010101101003010101030101010101100301030101011001010303');
INSERT INTO terms VALUES (27, 2, 1, 59, X'7EE91303276E40057ED00607C0D6BA0881E7A11126F2631339A89D1B665F5B1C3FE11D1E02D43A2BBD832B2CF2A15D31A1957A32FCB23035C9B5183AB9464748E0F8014A2E698F4DF8775C51A1C91A533096475723AB2C617A156A633CFD576A0F37D771629A37783B24717AFFFF15870E9B8F875674648D0FCA228F17457F944EFB3996560B1C9CC3CD4D9DE100DD9D62BFB29FCC990FA4952749A68DA814BDD41652BF91E225C2AF7F89C97CE660CF4EF18BD05F35C6D0E83E07D15CA2F2D4D0D33EDB4C31B8E2ECB7B4E60722F9E752B108E90B0F4EEB138013F04A3E55F27003E0F81E1462FBAD86AFFF4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (28, 1, 1, 183, X'4654A607D916620AC0D20F0D81E31414CC666D24B70FF22702D43A2BEDA4BB2FF2A15D318EE2C033AF201638EF7AE53A0DCF65402C0DB34B4F4BC8576E891E5C3CFD576A0F37D77156E2087A4F26657D10FEAB84823BF7860E9B8F878F9C748863476B937A830694ECDA0F94C38A8D9C51CFB09D62BFB29F34778EA27360A3A6880261AA2B15B4BBFB3BC0BE7CE660CF54A255DBECB301E341F97FE3F5776CE491D70BE66FF7AAE70722F9E7E2EEAAF286CEACF30CB1D1FB0103030301010C0118010101010101011802030303010C0103030101030C0C010101010C0103010301010C010301');
INSERT INTO terms VALUES (28, 2, 1, 47, X'7EE9130349BAC4069968FC0AEF33251226F26313D859E713088BDF1F8800702902D43A2B8AE9E92DF2A15D31CBD8F234C9B5183A8E2C85493BCEDD4CCF1D9E504D7FA8626B2B34673CFD576A0F37D7713B24717A0C4EB37B9FC1627F0E9B8F87611EA68C17457F94202FBD9562BFB29FA24D8BA7D4AA2CAE4E57F8B5E37C90BEA688E7C3C1680BCA7CE660CFFD9955D05CA2F2D4E7B9FCDA918DE2E1EE9D2BE25996EAE3B509F2E40722F9E765DBCAE824EAD1F1C3522BFCF438E9FD4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (29, 1, 1, 243, X'69ACE000486E360B0AEA9B1C7796C61F02D43A2BC9813F2BF2A15D3188B02432917449350DCF654007444E421E8023456E891E5C5FB1385C92BF7D60A805E8643CFD576A89C73E6F0F37D771EA814573AE5EA2830E9B8F87D9045B8D81714C9051CFB09D62BFB29F34778EA20069F6A532E12DAB2B2540AC285F0FAD491082B073D036B25B66AEB968D254BBA70B19C2CA3D27C3E5E031C53BB3F3CD7CE660CF9659F1D213B5FED288B98AD47A0289D7BD1547DB81604BDB54A255DBA4D12ADCA97B5CDF56504DE20722F9E7C7FFB7EAD32CCAEA4E357CEC2D7307F0E2EEAAF28B59DDF7703B1FFB01010101100320030301030301030101200102010110010103101003030301010301010101030110030101010301010301011003010101010101');
INSERT INTO terms VALUES (29, 2, 1, 59, X'FBC64902CCAC8B03AE023E0B2B14710EEF33251226F263136A256A178D9D901ABAF7521B74A5DA1C1AB2581F0FFFA6283895642902D43A2B67A1A42E79A47F30F2A15D314ECEBD31C9B5183A0B3ACA4C4E92DD50F9991C514A0BD155FF3A3062053CB664C869E7673CFD576A0F37D771B87BBE7AA97CF57A8958FC7E0E9B8F87E408E989A539F2909F04479A62BFB29F275BC4A22EACAAA8D4AA2CAE69ED24B0666ADFBB239EA8C614F46AC77CE660CF5CA2F2D4CB24C2D555C571DE62AFB3DF07757FE0826330E50722F9E7D7A747ECE0CD85EDA1FC9EF496965CF5464464F9C3522BFCB90CBBFE2CCAEAFF4040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (30, 1, 1, 108, X'CC666D245BC4022A02D43A2BD045522CEDA4BB2FF2A15D310DCF65402C0DB34B4F4BC8574675555B5FB1385C3CFD576A0F37D7710E9B8F8777346A8CECDA0F94040DCB9862BFB29F34778EA2AD2388A56A145BB5F5569FB84158EDBCFC245CC2D768EACB7CE660CF54A255DB56504DE20722F9E717E137F80CB1D1FB01010703010E01010103030E02070101010707010301030303070101070101');
INSERT INTO terms VALUES (30, 2, 1, 32, X'1C7EB30F26F263135D4FA816BAF7521BD609491C02D43A2BAB1AB52DC50D372EF2A15D31C9B5183A18D418483C50084D7D611354FF3A30624831F163FF0325663CFD576A0F37D771BE323E7F0E9B8F87D3622B889253309162BFB29F103106A351001DBA7CE660CF5CA2F2D4301FBDE17A8C2FE70722F9E796965CF5712EA6F84040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO terms VALUES (31, 1, 1, 3, X'1A96AF0C14FABDCF54A255DB010101');
INSERT INTO terms VALUES (32, 1, 1, 26, X'2C77D2033FE38E061A96AF0C37EC67248A173A2798A0143081647937E06A97376C33FD3D4BF1424DE101025D3B0C7060DB6DBA63C2C93F79557DCF80C4839C86F3151E95BDF6EAAC97616DCB14FABDCF54A255DB99D607DE5990DAF40101040101010101010101010101010101010101010101');
INSERT INTO terms VALUES (32, 2, 1, 8, X'1A96AF0C26F263136C33FD3DFF9E657069354A71557DCF8063C39DC920B81AE94040404040404040');
INSERT INTO terms VALUES (33, 1, 1, 10, X'2B74960880E95C3C42D2CB3F1FF9CF74A6F685965A3A16A348F054A88286BBB87651DBC00B48F0CB01010101010101010101');
INSERT INTO terms VALUES (33, 2, 1, 9, X'2B7496086673F72980E95C3C42D2CB3F26E7D495A6F6859653C0A8A248F054A80B48F0CB404040404040404040');
INSERT INTO terms VALUES (34, 1, 1, 6, X'91A23F478D244460637FFD7F020202');
INSERT INTO terms VALUES (35, 1, 1, 51, X'75FD0508995A690F176EA711BDDB5F128C49621777049D20E4688521D9BCC43B197F744F76DB8E5071BCDD5D4E8EEC5F4129AC82B7EFDC83A9AB908A2957DE8CCC3B0FA9DBF2A0BD15934EC2B7EA7CCB7C3277D40FF6A9F0CF4133F80401040204010101010401040104010104010401010401');
INSERT INTO terms VALUES (35, 2, 1, 9, X'75FD050876DB8E502EB38D5D4E8EEC5FF095757AB18D0E8A567179ACDCE6CDB58AA9E9B7404040404040404040');
INSERT INTO terms VALUES (36, 1, 1, 44, X'75FD05088955F109176EA71113C16A138C496217D505A51A147AB81D0112091E76DB8E506047FA594E8EEC5F3A7D8873B7EFDC83A9369F872957DE8C8567078DCC4ADD987B9C98A0CC3B0FA9768EABAA15934EC243BEB7E80FF6A9F0422AACF9135700FA02010201020102020203020102010102020202010202020202');
INSERT INTO terms VALUES (36, 2, 1, 8, X'75FD05089CE975165032C34376DB8E504E8EEC5FB18D0E8AB76B6B9EB81684A74040404040404040');
INSERT INTO terms VALUES (37, 1, 1, 17, X'75FD0508176EA7118C49621776DB8E506047FA594E8EEC5F3A7D8873B7EFDC83FB915588212F3F9ECC3B0FA9768EABAADBF2A0BD15934EC2D38B86DA43BEB7E80FF6A9F00101010101010101010101010101010101');
INSERT INTO terms VALUES (37, 2, 1, 12, X'919DB20575FD050879BDCA2F76DB8E504E8EEC5F3A7D8873479C1179B18D0E8A212F3F9E8AA9E9B75F043DC543BEB7E8404040404040404040404040');
INSERT INTO terms VALUES (38, 1, 1, 2, X'D505A51A02');
INSERT INTO terms VALUES (39, 1, 1, 9, X'1A96AF0CE66D453CCB0F3457637FFD7FC3DA2EA3737220E76326F5FB02010101010201');
INSERT INTO terms VALUES (39, 2, 1, 7, X'1A96AF0CDB72C019E66D453C637FFD7FE867DC89CF0A4ECF737220E740404040404040');
INSERT INTO terms VALUES (40, 1, 1, 2, X'454F980202');
INSERT INTO terms VALUES (40, 2, 1, 1, X'454F980240');
INSERT INTO terms VALUES (41, 1, 1, 6, X'EB041C39E66D453CC0A47650F0B456740C7E7FD80102010101');
INSERT INTO terms VALUES (41, 2, 1, 5, X'5EFC6012E66D453CC0A47650F0B45674AE5D3BD84040404040');
INSERT INTO terms VALUES (42, 1, 1, 0, X'');
INSERT INTO terms VALUES (43, 1, 1, 14, X'C829B609147AB81D6185932544CEFC2C2142332F67F3673BE66D453C492B278634778EA2EBEFD9C8446CF4E643BEB7E83E8B2BF9F8E0D8FB0101010101010101010101010101');
INSERT INTO terms VALUES (43, 2, 1, 13, X'C829B60914118814147AB81D2142332FE66D453CE2C49959EEBE596A1D03479E34778EA2EBEFD9C843BEB7E83E8B2BF9F8E0D8FB40404040404040404040404040');
INSERT INTO terms VALUES (44, 1, 1, 5, X'8F35FD39E66D453C2173863C637FFD7F62BFB29F0101010101');
INSERT INTO terms VALUES (44, 2, 1, 5, X'8F35FD39E66D453C26595B5762BFB29F2D0FA0B04040404040');
INSERT INTO terms VALUES (45, 1, 1, 7, X'C829B6091A96AF0C668ACA11E2319B76F1866C7A62BFB29F0A5BDCE101010101010101');
INSERT INTO terms VALUES (45, 2, 1, 7, X'C829B60927FAA640148F4F473FA90563F1866C7AF4842DB70A5BDCE140404040404040');
INSERT INTO terms VALUES (46, 1, 1, 0, X'');
INSERT INTO terms VALUES (47, 1, 1, 7, X'2E998C2CE66D453CDB31CD405F7A6B7DF0B7ECA1D25DE6D0A200CDE001010101010101');
INSERT INTO terms VALUES (47, 2, 1, 7, X'2E998C2CE66D453CDB31CD405F7A6B7DFF2FD787F0B7ECA1A200CDE040404040404040');
INSERT INTO terms VALUES (48, 1, 1, 2, X'ABE02D10D8359B3C0101');
INSERT INTO terms VALUES (48, 2, 1, 2, X'ABE02D10BC252C214040');
INSERT INTO terms VALUES (49, 1, 1, 4, X'874157335F7A6B7DEE1D5FA143BEB7E801010101');
INSERT INTO terms VALUES (49, 2, 1, 4, X'E351E02E5F7A6B7DEE1D5FA143BEB7E840404040');
INSERT INTO terms VALUES (50, 1, 1, 0, X'');
INSERT INTO terms VALUES (51, 1, 1, 11, X'A011530FC4810113070DCA1FEED0B32F42D2CB3F4E8EEC5F3CFD576AF1866C7A203558D9A13AD6DE775857FF0101010101010101010101');
INSERT INTO terms VALUES (51, 2, 1, 10, X'C481011342D2CB3F0BF943564E8EEC5F3CFD576AF1866C7AA5907585F23FD7CDA13AD6DEA8F927E740404040404040404040');
INSERT INTO terms VALUES (52, 1, 1, 51, X'75FD0508995A690FBDDB5F128C49621777049D20E4688521D9BCC43B197F744F76DB8E5071BCDD5D4E8EEC5F824ABF6A4129AC82A9AB908A2957DE8CCC3B0FA9DBF2A0BD15934EC2B7EA7CCB7C3277D40FF6A9F0CF4133F822CBC4F80401020401010101040104040101010401040101040104');
INSERT INTO terms VALUES (52, 2, 1, 9, X'75FD0508CF823A3376DB8E50BF0C8A5E4E8EEC5FC8C1DD7BB18D0E8A567179ACDCE6CDB5404040404040404040');
INSERT INTO terms VALUES (53, 1, 1, 44, X'75FD05088955F10913C16A138C4962170DBED51A76DB8E506047FA594E8EEC5F824ABF6A3A7D8873A9369F872957DE8C29B66B94CC4ADD986FA140997B9C98A0CC3B0FA951497DAB15934EC20FF6A9F021DFDBF422CBC4F8135700FAE7731AFD020101020202030202010101020401020202020202020201');
INSERT INTO terms VALUES (53, 2, 1, 8, X'75FD0508C8FABA4976DB8E50FF0D165D4E8EEC5FB18D0E8AB81684A7E4E8CABC4040404040404040');
INSERT INTO terms VALUES (54, 1, 1, 16, X'75FD05088C49621776DB8E506047FA594E8EEC5F1F28AA67824ABF6A3A7D8873CC3B0FA9DBF2A0BD15934EC2D38B86DA0FF6A9F022CBC4F8E7731AFD010101010101010201010101010101');
INSERT INTO terms VALUES (54, 2, 1, 10, X'919DB20575FD050876DB8E50BF0C8A5E4E8EEC5F1F28AA673A7D8873479C1179B18D0E8AE7731AFD40404040404040404040');
INSERT INTO terms VALUES (55, 1, 1, 2, X'6FA1409902');
INSERT INTO terms VALUES (56, 1, 1, 11, X'2B749608B65D5715A7DD151B30AE302EE66D453C5C34804BC0A47650951F2A6F22971B83414E4489775857FF0101010101010101010101');
INSERT INTO posting_block VALUES (1, 1, 0, 129, 101, 54, X'5E93167D680400007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2035345D2C205B2267726F757073222C20223C7534222C2035345D2C205B227465726D73222C20223C7534222C203337395D2C205B226F666673657473222C20223C7534222C203338305D2C205B2273697A6573222C20223C7534222C2035345D2C205B22706C61636573222C20223C7532222C203638375D2C205B22636F756E7473222C20227C7531222C203638375D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C202266696C65222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C2022646F63756D656E74222C20226E6F7465225D2C205B226F746865722F70726F6A656374222C2022646F63756D656E74222C2022225D2C205B22222C2022646F63756D656E74222C2022646F63756D656E74225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C20226D657373616765222C2022225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B22222C2022646F63756D656E74222C2022706C616365686F6C646572225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D2C205B226F746865722F70726F6A656374222C202266696C65222C2022225D5D7D2020202020200100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000E000000000000000F0000000000000010000000000000001100000000000000120000000000000013000000000000001400000000000000150000000000000016000000000000001700000000000000180000000000000019000000000000001A000000000000001B000000000000001C000000000000001D000000000000001E000000000000001F0000000000000020000000000000002100000000000000220000000000000023000000000000002400000000000000250000000000000026000000000000002700000000000000280000000000000029000000000000002A000000000000002B000000000000002C000000000000002D000000000000002E000000000000002F000000000000003000000000000000310000000000000032000000000000003300000000000000340000000000000035000000000000003600000000000000370000000000000000000000010000000200000003000000010000000400000000000000030000000500000005000000060000000500000007000000070000000800000008000000090000000A0000000B0000000C0000000D00000005000000050000000E0000000F0000000F0000000F0000000F0000000F0000000E0000000F000000100000000A0000001100000012000000130000000A00000014000000150000001600000016000000010000001700000018000000190000001A0000001B0000001C0000001D000000030000001E0000001F00000020000000210000008F3E1D0069ACE000454F98022C77D2035EEC5B053FE38E06FAA16D074654A6076D9BF50775FD05082B749608C829B6098955F109D916620A486E360B1A96AF0CC0D20F0DC328210FA011530F995A690FABE02D10176EA711668ACA11970FDA11772119129B5D3612BDDB5F12C481011313C16A139827791320B60A1481E314142A47FC1453C847168C496217CE8F671AD505A51A0DBED51A0BCF0E1BA7DD151B5BF3391B0AEA9B1C147AB81DA8F8E31D0112091E7796C61F070DCA1F7E65492077049D201A454F21E468852137EC6724CC666D24618593258A173A27B70FF2275BC4022A847A202A02D43A2BC9813F2BD045522C2E998C2C7E16C82C487DEF2C44CEFC2CFAA52B2F2142332FEED0B32FEDA4BB2F0A560D3098A01430F9AEFA3062840931F2A15D3188B024326A066232874157338EE2C033017AEF349174493514BF8C35EDFA6C3681647937E06A9737AF2016385B745438EB041C398F35FD39EF7AE53A67F3673B68A9973B0C88B83BD9BCC43BE66D453C80E95C3C2173863C13AC8E3CD8359B3C97E2EA3C26105E3D6C33FD3D42B0393FE5D45D3F42D2CB3F0DCF6540DB31CD4007444E42595F4F44E7531B451E80234594967C4691A23F47D4803E482C0DB34B65E0B94C4BF1424DAD2ED44EEF99284FCD44534F197F744FC0A4765076DB8E50CB0F34574F4BC8576047FA59B1BA9E5A4675555B6E891E5C5FB1385CE101025D1F5FA75D71BCDD5D60A70A5E8DC24C5F4E8EEC5F8D2444603B0C706092BF7D609CD2E160001B156117D31363DB6DBA630E177E6401139F64A805E864E68F8865DA74F5651F28AA6724EB2A6834A810693CFD576A1145B06A824ABF6A0687D06D9B8ED26DC1A8726E35F6C16E89C73E6F017BB1710F37D771EA8145733A7D88730C43E373F0B456741FF9CF7413EA4575E2319B76AE083C79C2C93F7956E2087AF1866C7A9CF9FB7C4F26657D5F7A6B7DCF00907F637FFD7F557DCF804129AC82AE5EA283B7EFDC8310FEAB84AE2BB184492B2786C4839C86823BF786A2B144870E9B8F87A9369F87FB9155888F9C7488414E44897959358A2276708AA9AB908ADDF9E48B77346A8CC8DE8B8C2957DE8C8567078D3BB21D8DD9045B8DD769C78D81714C90F76C5C908F1CD090FA383B925F32679363476B937A830694ECDA0F9429B66B946C5274944BCCB194F3151E9566ECC095A6F68596B20D789767415798040DCB98CC4ADD986FA14099C4E67799B3B9529AC38A8D9C1DCE4E9D51CFB09D20FBFC9D212F3F9E62BFB29F7B9C98A0E1255DA1EE1D5FA1F0B7ECA134778EA25A3A16A3C3DA2EA3AD2388A58294AFA50069F6A5F8E130A67360A3A60F3F9EA78C9D53A848F054A8CC3B0FA9EFD849A9880261AA768EABAA32E12DAB294574AB51497DAB2B2540ACBDF6EAAC0FD805AD285F0FAD263293ADD3AD86AF491082B02784F4B173D036B2AE6933B315748CB327EF44B459A3FCB46A145BB5569368B6A01446B8F5569FB88286BBB8550B32B929825EB95B66AEB968D254BB2B15B4BB7A58EBBB4AFF51BC4158EDBCDBF2A0BDFB3BC0BE7651DBC0A70B19C215934EC2FC245CC2188DEDC2CA3D27C384772FC46C9B41C41FA6E0C4E5E031C5E5A28EC66DD5C3C6EBEFD9C8E2D1CACA97616DCBB7EA7CCBD768EACB0B48F0CB5131C0CC835798CD3BB3F3CD7CE660CF14FABDCFD25DE6D0F6B414D16ED137D1A322C3D29659F1D213B5FED27C3277D488B98AD477155AD665E56BD7C4D287D77A0289D70C7E7FD8459D81D8203558D9D38B86DABD1547DB81604BDB54A255DBA4D12ADC99D607DEA13AD6DEA97B5CDF9C20D1DFA200CDE0A08232E10A5BDCE156504DE2ECB301E341F97FE3F5776CE4EFC98DE49469C5E591D70BE6FCF8F2E6446CF4E6737220E76FF7AAE70722F9E743BEB7E8C7FFB7EAD32CCAEA4E357CECF80975EF0A46EDEF2D7307F0A88D88F00FF6A9F0E2EEAAF26118FAF286CEACF3381BB6F3AB14B9F39F6833F45990DAF421DFDBF42A7918F671D7DBF68B59DDF7CF4133F817E137F822CBC4F83E8B2BF9422AACF9135700FAAD821AFA703B1FFB0CB1D1FBF8E0D8FB6326F5FBE7731AFDC5F62DFDB44677FD8EB8D9FDE87B9AFE347A15FF775857FF000000000100000003000000040000000500000006000000080000000A0000000B0000000C000000120000001300000017000000190000001A0000001C0000002100000022000000230000002400000026000000270000002A0000002E0000002F000000300000003100000033000000340000003600000037000000380000003A0000003B0000003C0000004200000043000000450000004700000048000000490000004A0000004C0000004F000000500000005100000052000000530000005500000057000000580000005A0000005B0000005E00000060000000620000006300000064000000650000006A0000006B0000006C0000006D0000006E0000006F00000072000000730000007500000076000000790000007A0000007C0000007D0000007E0000008300000084000000850000008600000088000000890000008A0000008B0000008C0000008E000000900000009200000093000000950000009600000097000000990000009A0000009B0000009D000000AE000000AF000000B2000000B3000000B4000000B8000000B9000000BA000000BB000000BC000000C1000000C6000000C7000000C8000000C9000000CA000000CB000000CC000000CE000000CF000000D2000000D3000000D4000000D5000000D6000000D8000000DA000000DB000000E1000000E2000000E5000000EA000000EB000000EC000000F0000000F2000000F3000000F4000000F8000000F9000000FA00000001010000030100000401000005010000060100000701000008010000090100000A0100000B0100000D0100000E0100000F010000110100001201000013010000190100001B0100001F0100002001000021010000220100002301000025010000260100002D0100002F01000033010000340100003501000036010000370100003D0100003F010000410100004201000048010000490100004A0100004F0100005001000057010000580100005A0100005C010000600100006101000062010000640100006601000067010000680100006E010000700100007101000073010000750100007601000077010000790100007A0100007B0100007C01000080010000820100008301000084010000850100008601000087010000880100008A0100008B0100008C0100008D0100009001000091010000920100009301000094010000950100009601000097010000990100009A0100009C0100009E0100009F010000A0010000A1010000A4010000A6010000A7010000A8010000B2010000B4010000B5010000B6010000B7010000C1010000C2010000C3010000C4010000C5010000C6010000C7010000C8010000C9010000CA010000CB010000D1010000D2010000D4010000D6010000D7010000D8010000D9010000DA010000DB010000DC010000DD010000DE010000DF010000E1010000E2010000E3010000E4010000E5010000E6010000E7010000E8010000EA010000EB010000EC010000ED010000EE010000EF010000F0010000F2010000F3010000F4010000F5010000F6010000FA010000FB010000FC010000FD0100000302000004020000050200000702000008020000090200000A0200000B0200000C0200000D0200000F02000010020000110200001302000014020000150200001602000017020000180200001D020000220200002302000025020000260200002702000028020000290200002B0200002D0200002E0200002F0200003302000034020000350200003602000037020000390200003A0200003B020000450200004602000048020000490200004B0200004C0200004D0200004E02000054020000560200005702000058020000590200005A0200005C0200005D0200005E0200006002000061020000630200006A0200007302000074020000750200007702000078020000790200007C0200007D02000083020000850200008602000087020000890200008A0200008B0200008C0200008E0200008F02000091020000920200009402000095020000980200009A0200009B0200009E0200009F020000A0020000A3020000A6020000A7020000A9020000AA020000AB020000AC020000AD020000AE020000AF0200000F0000000E00000009000000270000000D000000060000000C000000090000000A000000080000000500000060000000070000000700000005000000050000000700000003000000070000000200000002000000080000000900000002000000CE000000F3000000B7000000F30000006C000000030000001A0000000A00000006000000330000002C0000001100000002000000090000000200000006000000000000000E000000050000000700000000000000070000000200000004000000000000000B000000330000002C0000001000000002000000190019001B0026001E00020003001E000B0012001A000B002100220023003200330034001F000100060029002B00220033001A0019001B0002001D001E0025002B001A0019003100210032002E00210022002300060009000B002B001500000019002100320031002200330019000B0019001A00160018002100220023003200330034001900220024001800330000000A00030019001B00180022002900020022001B00310018001900210032000300210032001E0018001A001C000100290003001E001A001C000300180019001A001B001C001B001C002D0003001500010010002900180001002900310018001A001C00080003001E0003000000180019001A001B001C001B0019002F0018001A0002001B000400030003001E0003001E0018001A001900100027002A001A00010029000B0005002100320001000600070008000B000C000D00100012001500160018002500270029002A002D001F00060018002A000B002E00000006001600180018001E00190007000600160018001F003100180019001A001B001C002D001B000A0003001B000A0011002000190018001A001C0002001E000500040018001900210032002700210022002300320033003400250018001A001C001000220023003300340018001C00180019001A001B001B001C001E0003000E000F0021003200000004002100220023003100320033003400110020001E001B001800030019001E001900180019001B00030003000900340002000500180019001A001B001C0031000E000F001800320033003400150018000400030019001B00030012001700180019001A001B001C0019001B002200230033003400090027001F00050006000C000D000E000F002B000700080003001E001A0005000600090018002B00310003001A000B00120015002D002F0004000600110012001800200025002A001E002100320019001B0018002100220023001A0018000100290003001E001A0004001000180019001A001B001C0022003300230018001A000C000D0019001900210032000B001C00180021002200320033001800220019001B0019001B00030019000700080019001A001A0018001A001C003300090000001E0003001F0004000B0016001C002200330033003500000002001A000B00150016001A001B000300230006000C000D00180019001A001B001C002A002B002200330018002F002D00000001000B001600180019001A001B001C0029001F0025001C0003001B0019001A0004000A001F00210022002300320033003400190019001A00220023001B00000033001B001E0000001B001900190019001B0018001B0019000200030000001C000700080003001C001F00190003001B0019001B001A00100018001C0021002300320034001A001F001B002100220023003200330034001C00030019001B001600180000001B00020009000100290007001E00210032001C001F00030003001B00180019001A001B001C000B00130014001D001E002D0004000900190008001B001B002100320019001B001800040000000700080015001B00270019003100230034001B001B00130014001700180019001A001B001C001D001E001B0003001E00310019001B0005002D00000006000C000D000E000F002B001B001C001A001A001A001900070008001A00080001002900250018001A000C000D00180019001A001B001C0001000A000B000C000D002200230029002F001B001B0019001B0004000300180019001B0018002100220023003200330034001A001B0000001A0001001800030016001E001800330003000E000F001B00210032001C0032003300340001002900220018002200330019001B0018001A001C0001001500290025003300340018001900030003000400310001010102010101010101010904020104020101010101010101030101010104020103010101010104020101010101010101020201010103090303010104020104020101010203020101010101030201010201010101010101010101010101010101010101010D100C100703030101010101010101010101010101010102011A2018200E0301010101010301010101010101010301010101010101010101010101010901010202010101010201010101010101090101010101010103010101010101010101010101030101030101020301010101010101030301010104020104020101010101010301030101030101010103030101010101010101040201010402010102010101010301030101010101010101011A2018200E0101010304020101030101010101020103020202020101010101020101010101010101010101010101030101010101010103090101010101020101010201010101010101030402010303010102010101010D100C1007010101010101010103010101010101010101030203010101010102020103030101010201010101010209010102040102010101090101030301010101010E100C100701010202030101010112010D100C1007010101010103030101010104020104020101010101010301020301010101030101010301010101030101010101010101010101010103010101010101010402010402010301010101010103010101010101010103010101010D100C10070101010101010102030103010101010103010101010101010301010103010101010101010101010103010101010101010101010101010101010301030101010101010102010101010D100C100701010A010102010101030101010101010101010402010402010101010301030101010302010101010101010402010101020302020301010101010101010101010301010101');
INSERT INTO posting_block VALUES (1, 2, 0, 129, 1, 43, X'73320841A00300007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2034335D2C205B2267726F757073222C20223C7534222C2034335D2C205B227465726D73222C20223C7534222C203336345D2C205B226F666673657473222C20223C7534222C203336355D2C205B2273697A6573222C20223C7534222C2034335D2C205B22706C61636573222C20223C7532222C203534305D2C205B22636F756E7473222C20227C7531222C203534305D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D5D7D0100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000E000000000000000F000000000000001000000000000000110000000000000012000000000000001400000000000000170000000000000018000000000000001A000000000000001B000000000000001C000000000000001D000000000000001E00000000000000200000000000000021000000000000002300000000000000240000000000000025000000000000002700000000000000280000000000000029000000000000002B000000000000002C000000000000002D000000000000002F0000000000000030000000000000003100000000000000330000000000000034000000000000003500000000000000360000000000000000000000010000000200000003000000010000000400000000000000030000000500000005000000060000000500000007000000070000000800000008000000090000000A00000005000000050000000B0000000B0000000B0000000B0000000B0000000B0000000C0000000D0000000E0000000F0000001000000011000000120000000100000013000000140000001500000016000000170000000300000018000000190000001A000000FBC64902454F98027EE91303CCAC8B03276E40055EEC5B05919DB20549BAC4067ED00607FAA16D076D9BF50775FD05082B749608C0D6BA08C829B6099968FC0AA798290BAE023E0B1A96AF0C04BF080D2B14710E129E3F0F1C7EB30F5AEFF70FABE02D1081E7A111668ACA11EF3325125EFC6012E8C4AE12C481011326F26313D859E713458E1314141188149CE975165D4FA8166A256A179CBC7618D3BD0319DB72C0198D9D901AA7DD151BBAF7521B39A89D1BDB871F1CD609491C665F5B1C74A5DA1C147AB81D3FE11D1E1AB2581F088BDF1FBC252C2165142C24C7EC2526744ABF260FFFA62838956429880070296673F72902D43A2BBD832B2C2E998C2CAB1AB52D8AE9E92DC50D372EE99D492EE43D6D2E67A1A42EE351E02E2142332F8098C22F79BDCA2F79A47F30F2A15D314ECEBD31A1957A328358EA32CF823A335150BF3342ACFA33017AEF34CBD8F234FCB23035A50C7637392027384C4BCA388F35FD39C9B5183A68A9973B0C88B83BE66D453C80E95C3C97E2EA3CAB10F03C6C33FD3D86DD3E3F2AC59B3F42D2CB3F27FAA640DB31CD40C329494282ABAC435032C34381C2614594967C4631EFF446148F4F4718D41848B94647488E2C8549C8FABA49E0F8014A65E0B94C0B3ACA4C3BCEDD4C3C50084D2E698F4D968C014FC0A4765076DB8E50CF1D9E504E92DD50F9991C51F8775C51A1C91A537D6113544A0BD155CD7EFE55BF211F560BF943563096475726595B57E2C499598218525BCE9EE65CFF0D165D2EB38D5DBF0C8A5E4E8EEC5F23AB2C61FF3A30624D7FA8623FA905637A156A634831F163E7C29E64053CB664E883E864FF0325666B2B34671F28AA67C869E767007A64693CFD576AEEBE596AFF9E6570414B7F7069354A710F37D771769B30733A7D8873F0B4567413EA45753242E9751F7A6F76E2319B76629A3778479C1179F1866C7A3B24717AF095757AB87BBE7AA97CF57A0C4EB37BC8C1DD7B5F7A6B7DA6F3857D8958FC7EBE323E7FFA835F7F9FC1627FCF00907F637FFD7F557DCF806BC62183A5907585FFFF15872C1B6A870E9B8F87FF2FD787D3622B88414E4489E867DC89E408E989B18D0E8ACBA3908AA54C168B611EA68C5674648D0FCA228FB9363C90A539F290925330918A928B933BF0AF936C52749417457F944BCCB194202FBD9526E7D4954EFB3996A10C7A96A6F68596EB2CB99767415798C4E67799CA12C6999F04479AB3B9529A560B1C9CC3CD4D9DE100DD9D212F3F9E1D03479EB76B6B9E6D2A719E79008C9F62BFB29FEE1D5FA1E03E89A1F0B7ECA134778EA253C0A8A2275BC4A2103106A3CC990FA486EF1AA4210123A6952749A6B81684A7A24D8BA78C9D53A848F054A82EACAAA894F1EFA8EF4847AC567179AC7396C3AD8950F7ADD4AA2CAE4AE752AE69ED24B02D0FA0B059A3FCB4AE795CB5DCE6CDB54E57F8B5569368B6F4842DB78AA9E9B751001DBA666ADFBB7A58EBBBE4E8CABC8DA814BDC9B39DBDE37C90BED41652BF62B42AC0C85C63C0ACF9CCC191E225C2A688E7C384772FC41C7D51C41FA6E0C45F043DC5E5A28EC6239EA8C614F46AC7EB8D2BC8B16C40C8EBEFD9C8AF7F89C963C39DC9C1680BCA50A2B8CA0B48F0CB05C5D2CDF23FD7CDCF0A4ECF7CE660CFAE03A1CF14FABDCFFD9955D04EF18BD05F35C6D0E83E07D1F6B414D1AABC30D19C242AD25CA2F2D4CB24C2D5C4D287D7AE5D3BD8896D78D9E7B9FCDAD0D33EDB10A9A0DB55C571DEA13AD6DE62AFB3DF9C20D1DF07757FE014E8A7E0A200CDE0301FBDE10A5BDCE1918DE2E1EE9D2BE24C31B8E228DE06E35996EAE3B509F2E4826330E59469C5E5ECB7B4E6737220E7A8F927E77A8C2FE7C1B69AE70722F9E743BEB7E865DBCAE852B108E920B81AE90B0F4EEB60AF37ECD7A747ECE0CD85EDF80975EF138013F024EAD1F14A3E55F2381BB6F39F6833F4A1FC9EF43018ABF496965CF5712EA6F87003E0F83E8B2BF9464464F969EF1DFA1E1462FBF8E0D8FBC3522BFCE7731AFDF438E9FDB90CBBFEAD86AFFF2CCAEAFF000000000100000002000000040000000500000007000000080000000A0000000B0000000C0000000E0000000F0000001500000016000000170000001B0000001C0000001D0000001E00000021000000220000002300000024000000250000002600000027000000280000002A0000002C0000002D0000002E0000002F000000350000003600000037000000390000003A0000003B0000003C0000003D0000003E0000003F0000004000000041000000430000004400000045000000460000004700000048000000490000004A0000004B0000004C0000004D0000004E0000004F0000005000000051000000520000005300000054000000590000005A0000005B0000005C0000005D0000005E0000005F000000600000006100000062000000640000006500000066000000670000006C0000006D0000006E0000006F0000007000000071000000730000007400000075000000760000007700000078000000790000007A000000800000008100000082000000930000009400000098000000990000009A0000009B0000009C000000A1000000A2000000A3000000A4000000A5000000A6000000A7000000A8000000AA000000AC000000AD000000AE000000AF000000B0000000B1000000B2000000B3000000B4000000B5000000B6000000B7000000B8000000BE000000BF000000C0000000C1000000C2000000C3000000C4000000C5000000C6000000C8000000C9000000CB000000CC000000CE000000CF000000D0000000D1000000D2000000D4000000DB000000DC000000DE000000DF000000E0000000E1000000E2000000E3000000E4000000E5000000E6000000E7000000E9000000EA000000EB000000F1000000F3000000F5000000F6000000F7000000FD000000FE0000000001000001010000020100000301000004010000090100000A0100000C010000110100001301000014010000150100001601000017010000180100001B0100001C0100001D0100001E0100001F010000200100002101000025010000260100002701000028010000290100002A0100003001000031010000320100003401000035010000360100003C0100003D0100003E0100003F0100004001000041010000420100004301000044010000450100004601000047010000490100004A0100004B0100004C0100004D0100004E0100004F010000500100005101000052010000530100005401000055010000560100005701000058010000590100005C0100005D0100005E0100005F0100006701000068010000690100006A0100006D0100006E0100006F0100007001000071010000720100007301000074010000760100007701000078010000790100007A0100007B0100007C0100007E0100007F01000080010000820100008301000084010000850100008601000087010000890100008A0100008C0100008D0100008F010000900100009101000092010000930100009401000095010000960100009701000098010000990100009A0100009B0100009C0100009D0100009E0100009F010000A0010000A1010000A2010000A3010000A4010000A5010000A7010000A8010000A9010000AA010000AB010000AC010000AD010000AE010000AF010000B4010000B5010000B6010000B7010000B8010000B9010000BA010000BB010000BC010000BD010000C2010000C3010000C7010000C9010000CA010000CB010000CC010000CD010000CE010000CF010000D0010000D1010000D2010000D4010000D5010000D6010000DC010000DD010000DE010000DF010000E0010000E1010000E2010000E3010000E5010000E6010000E7010000E8010000E9010000EA010000F1010000F9010000FA010000FB010000FC010000FE010000FF010000000200000102000002020000030200000402000005020000060200000702000008020000090200000B0200000C0200000D0200000F020000100200001102000012020000150200001702000018020000190200001A0200001B0200001C0200000B0000000D000000090000000400000008000000060000000B000000070000000800000008000000050000000F00000007000000070000000300000003000000050000000500000007000000090000003A0000003B0000002F0000003B00000020000000080000000900000009000000080000000C0000000700000001000000050000000D00000005000000070000000700000002000000040000000A00000009000000080000000A00000017001F001500160017001400150002001D002A00160015000B0011000B001B001C001D00280029002A001A0015000100060021002300160014001700020019001E00140017000800180012002500150009000B001600170020001400270014001500160017001800190016001400010021001C0018001700040014001E0017000A001700180015000400180015001700210015001700160025000900140005001700170016001A0014001500160017001800150024001800160018000000140017002600010021000B001D00170014001500160017001800170015001400280005000E000F0002001600150014001400020022000000140015001600170018000B00050001000600070008000B000C000D00100011001200130014001E0020002100220024001A00000006001300140003001900140000000600130014001A00270023002400140008001C0014000A0007000800060023001800150016002900150002001700160018001500040020001B001C001D00280029002A0016001700170015001500180017000300060014002700140015002200010021001400140029001B0028002A001B001C001D002700280029002A001500170018001600230015001800140017000B001800160009002A00170014001400150016001700180027000100210014001900140019001100140015001600170018000B001D002A00200005001400140006000C000D000E000F0015001D002A0006000900140023002700150016001B0017001700160028001100240026001400170018000000160004000600110014001E0019000A00270015001400100014001500160017001800240018000C000D001E0017001B001C001D00280029002A001400040016001500150013001700180014000200090015001600000016001A00150003001A001400130000000200170002001500150015001D000100100021001C0014000B000C000D001400150016001700180022002600120024000100130021001A001700180015001400120015001C00290016000A001A001700040014001B0028000000140016001700050017002200000014001B00280016000700080023001B001D0018001700100029001500140016001500060014000B00150016001300070000001D0002001700170014000B000100210015001900160009001A00070027001E001400150016001700180013000B0016001500150015000900140009001400150016001700180017000000070008001200100020001400160015000B00170027001700050017000B0012002400180006000C000D000E000F00230016001600150014001600160017000700080015001E002700180003000C000D001400150016001700180001000A000B000C000D001D00210026001600150019001400150008001700170004001500160015000100130017000400170018001800150001002100170014001500010012002100160017002A001600170015001700404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040');
INSERT INTO posting_block VALUES (1, 3, 0, 129, 1, 43, X'3ED31031480300007B226C61796F7574223A205B5B227265636F726473222C20223C6938222C2035365D2C205B22636F646573222C20223C7538222C203131325D2C205B2267726F757073222C20223C7534222C2035365D5D2C202267726F757073223A205B5B22222C20226D656D6F7279222C20226465636973696F6E225D2C205B22222C20226D656D6F7279222C20227061747465726E225D2C205B22222C20226D656D6F7279222C2022696E7369676874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022636F6E74657874225D2C205B22222C20226D656D6F7279222C2022707265666572656E6365225D2C205B22222C20226D656D6F7279222C2022636F6E74657874225D2C205B226F746865722F70726F6A656374222C20226D656D6F7279222C2022696E7369676874225D2C205B22222C2022736F6C7574696F6E222C2022225D2C205B22222C20226661696C757265222C2022225D2C205B22222C2022656E74697479222C2022225D2C205B22222C2022746F646F222C2022225D2C205B22222C20226368756E6B222C2022646F63756D656E74225D2C205B22222C2022736F6C7574696F6E222C20227265706F225D2C205B22222C2022656E74697479222C20224572726F72225D2C205B22222C2022656E74697479222C2022466978225D2C205B22222C20226661696C757265222C20226275696C64225D2C205B22222C2022656E74697479222C2022706572736F6E225D2C205B22222C2022656E74697479222C202278225D2C205B22222C2022766563746F72222C2022225D2C205B22222C20226D657373616765222C202275736572225D2C205B22222C20226D657373616765222C2022617373697374616E74225D2C205B22222C2022746F646F222C202270656E64696E67225D2C205B22222C2022746F646F222C2022636F6D706C65746564225D2C205B22222C2022617474656D7074222C202270617373225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C20224572726F72225D2C205B226F746865722F70726F6A656374222C2022656E74697479222C2022466978225D2C205B226F746865722F70726F6A656374222C20226661696C757265222C20226275696C64225D5D7D202020202020200100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000C000000000000000D000000000000000D000000000000000E000000000000000F000000000000001000000000000000110000000000000012000000000000001400000000000000170000000000000018000000000000001A000000000000001A000000000000001A000000000000001B000000000000001B000000000000001B000000000000001C000000000000001C000000000000001C000000000000001D000000000000001D000000000000001D000000000000001E000000000000001E0000000000000020000000000000002100000000000000210000000000000023000000000000002400000000000000250000000000000025000000000000002700000000000000280000000000000029000000000000002B000000000000002C000000000000002D000000000000002F000000000000003000000000000000310000000000000033000000000000003400000000000000350000000000000036000000000000003600000000000000F6ABD7F49B1F098CADA9A2108DD099D730116BA352F28A3D98ECD359B79D295733CBCEFC96AF33D5D5EEAE442D09E374C9665E92BBBA9FF77FCD52BF47176E27BD598FC8921F6C3AA828F509F0933CE01EE753E4688B032EBB9CF0B45880A4BFF05C25464255ADA314BA3BA96595AB4E14BA3BA96595AB4EE01042A40D18AAFBE01042A40D18AAFB085F2E38F7858F86BD9CE9BBC00DB08C7505EC57FE31D9BFA0CF0C9BDE1AB79FF7161579EC6DCA2F7C0B390C099C8EA0AF1A8A4334D2BB15CD5A7BE720FB95007287139489E8F3EC3EC0606342AA1FAAEC339F816DFA431B09285345B8A9E0A0F2163B5D64C3F83FB484727FC660C73BA5DF6C3E64632A546D094AE985857D902147E4148DCFFC31117097BF32567F8DCCA221E17C0831E8EDC83CEBE8AD25D1446935E5245460A8F98EC2EB81310608A97E626A26616B31B028CAB6ABD8D3233CC11795FD3136B93D87AE5F2794E7A60C6FA471725ABE13D180963F753AE976D41CA568A5B52AF7AD6D8235BA612531300C6C3851406AB16AB299E627865B84F06A97C8FE5BC118683D3980F9308D901BE615BFC3F1B610AC3505E7288FC94C07101DBB6713CEE8FBEC74EF5091C3866D61C5855F28EC4097A41464E881A0635391AFC32199A8036A4AF1868D300930483E12CF1272B85135B740D25C8A20D9638183B21B47154CC94AB9236233C29F02298C321D5D945F1414773DB5E08101517A50069383026DF10C8BA6C8294A4B8C02186429DA4D2473356BD8843E9191E097D71456C0C522E097D71456C0C5220528E4D086CBF9590528E4D086CBF959D8A5B48608CC4761C2CCA570EA270B2D1F2E1B056310A3B46923B1BE8838006FBDD815FA5C067D400A0045A8723C71953A66C4CA156AE007E193051393D49A93993B0409463A8251D66DF26ED91611008FB0CC0930C029E6B788EA2D8C645A1AEE8E08514108B7F4DC451C8D2C78C04FD0305C816E4BA35880241AFC92BB64069301445F68F51709B294C4A37C86213902D1E08266506621C2CAC37CF5F900A220CC2B7BF94354003B781883267A4AE056539A47D0C997801500ED67866D184B6178FF461950B58145E0E899C96409695A075A6524233DFC76702D07171151552C3355DC1CB94561FC44E0A1AA07CDBC4AD628190583477D82A447B3357A5092C30E7FC8244358EC3B52660EEE312B8C82DD3A4380921D34E34068A26E539CCE22D28AEC9B06843C932C264D3D8F10A917E4091482A4C20C0000000001000000020000000300000001000000040000000000000003000000050000000500000006000000050000000500000007000000070000000800000008000000090000000A00000005000000050000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000B0000000C0000000C0000000D0000000E0000000F0000000F0000001000000011000000120000000100000013000000140000001500000016000000170000000300000018000000190000001A0000001A000000');
INSERT INTO access VALUES (1, 1, 2, 1795322792123512);
INSERT INTO access VALUES (4, 1, 1, 1795322848123520);
INSERT INTO access VALUES (5, 1, 2, 1795322792123512);
INSERT INTO access VALUES (7, 1, 1, 1795322820123516);
INSERT INTO access VALUES (8, 1, 1, 1795322848123520);
INSERT INTO access VALUES (9, 1, 2, 1795322848123520);
INSERT INTO access VALUES (14, 1, 1, 1795322820123516);
INSERT INTO access VALUES (17, 1, 1, 1795322820123516);
INSERT INTO access VALUES (23, 1, 5, 1767225600000000);
INSERT INTO access VALUES (51, 1, 1, 1795323499123613);
INSERT INTO change VALUES (1, 1, 1, 'put', 1795360433735000);
INSERT INTO change VALUES (2, 1, 1, 'embed', 1795360433800000);
INSERT INTO change VALUES (3, 1, 2, 'put', 1795360433827000);
INSERT INTO change VALUES (4, 1, 2, 'embed', 1795360433828000);
INSERT INTO change VALUES (5, 1, 3, 'put', 1795360433831000);
INSERT INTO change VALUES (6, 1, 3, 'embed', 1795360433832000);
INSERT INTO change VALUES (7, 1, 4, 'put', 1795360433836000);
INSERT INTO change VALUES (8, 1, 4, 'embed', 1795360433836000);
INSERT INTO change VALUES (9, 1, 5, 'put', 1795360433838000);
INSERT INTO change VALUES (10, 1, 5, 'embed', 1795360433838000);
INSERT INTO change VALUES (11, 1, 6, 'put', 1795360433840000);
INSERT INTO change VALUES (12, 1, 6, 'embed', 1795360433840000);
INSERT INTO change VALUES (13, 1, 7, 'put', 1795360433842000);
INSERT INTO change VALUES (14, 1, 7, 'embed', 1795360433842000);
INSERT INTO change VALUES (15, 1, 8, 'put', 1795360433844000);
INSERT INTO change VALUES (16, 1, 8, 'embed', 1795360433844000);
INSERT INTO change VALUES (17, 1, 9, 'put', 1795360433846000);
INSERT INTO change VALUES (18, 1, 9, 'embed', 1795360433846000);
INSERT INTO change VALUES (19, 1, 10, 'put', 1795360433847000);
INSERT INTO change VALUES (20, 1, 10, 'embed', 1795360433847000);
INSERT INTO change VALUES (21, 1, 11, 'put', 1795360433859000);
INSERT INTO change VALUES (22, 1, 11, 'embed', 1795360433860000);
INSERT INTO change VALUES (23, 1, 12, 'put', 1795360433862000);
INSERT INTO change VALUES (24, 1, 12, 'embed', 1795360433862000);
INSERT INTO change VALUES (25, 1, 13, 'put', 1795360433869000);
INSERT INTO change VALUES (26, 1, 13, 'embed', 1795360433870000);
INSERT INTO change VALUES (27, 1, 1, 'link', 1795360433878000);
INSERT INTO change VALUES (28, 1, 9, 'link', 1795360433883000);
INSERT INTO change VALUES (29, 1, 8, 'put', 1795360433883000);
INSERT INTO change VALUES (30, 1, 8, 'link', 1795360433884000);
INSERT INTO change VALUES (31, 1, 11, 'link', 1795360433891000);
INSERT INTO change VALUES (32, 1, 11, 'link', 1795360433898000);
INSERT INTO change VALUES (33, 1, 14, 'put', 1795360434059000);
INSERT INTO change VALUES (34, 1, 15, 'put', 1795360434060000);
INSERT INTO change VALUES (35, 1, 16, 'put', 1795360434060000);
INSERT INTO change VALUES (36, 1, 17, 'put', 1795360434060000);
INSERT INTO change VALUES (37, 1, 18, 'put', 1795360434060000);
INSERT INTO change VALUES (38, 1, 19, 'put', 1795360434060000);
INSERT INTO change VALUES (39, 1, 20, 'put', 1795360434066000);
INSERT INTO change VALUES (40, 1, 21, 'put', 1795360434066000);
INSERT INTO change VALUES (41, 1, 22, 'put', 1795360434067000);
INSERT INTO change VALUES (42, 1, 23, 'put', 1795360434067000);
INSERT INTO change VALUES (43, 1, 24, 'put', 1795360434068000);
INSERT INTO change VALUES (44, 1, 23, 'link', 1795360434117000);
INSERT INTO change VALUES (45, 1, 24, 'embed', 1795360434123000);
INSERT INTO change VALUES (46, 1, 23, 'embed', 1795360434124000);
INSERT INTO change VALUES (47, 1, 20, 'embed', 1795360434124000);
INSERT INTO change VALUES (48, 1, 18, 'embed', 1795360434124000);
INSERT INTO change VALUES (49, 1, 17, 'embed', 1795360434124000);
INSERT INTO change VALUES (50, 1, 16, 'embed', 1795360434124000);
INSERT INTO change VALUES (51, 1, 15, 'embed', 1795360434124000);
INSERT INTO change VALUES (52, 1, 14, 'embed', 1795360434124000);
INSERT INTO change VALUES (53, 1, 12, 'put', 1795360434474000);
INSERT INTO change VALUES (54, 1, 12, 'embed', 1795360434474000);
INSERT INTO change VALUES (55, 1, 11, 'link', 1795360434578000);
INSERT INTO change VALUES (56, 1, 11, 'link', 1795360434578000);
INSERT INTO change VALUES (57, 1, 11, 'delete', 1795360434578000);
INSERT INTO change VALUES (58, 1, 1, 'link', 1795360434683000);
INSERT INTO change VALUES (59, 1, 25, 'put', 1795360434743000);
INSERT INTO change VALUES (60, 1, 26, 'put', 1795360434744000);
INSERT INTO change VALUES (61, 1, 27, 'put', 1795360434744000);
INSERT INTO change VALUES (62, 1, 28, 'put', 1795360434744000);
INSERT INTO change VALUES (63, 1, 29, 'put', 1795360434744000);
INSERT INTO change VALUES (64, 1, 30, 'put', 1795360434745000);
INSERT INTO change VALUES (65, 1, 31, 'put', 1795360434769000);
INSERT INTO change VALUES (66, 1, 32, 'put', 1795360434769000);
INSERT INTO change VALUES (67, 1, 33, 'put', 1795360434918000);
INSERT INTO change VALUES (68, 1, 33, 'embed', 1795360434918000);
INSERT INTO change VALUES (69, 1, 34, 'put', 1795360434918000);
INSERT INTO change VALUES (70, 1, 33, 'link', 1795360434919000);
INSERT INTO change VALUES (71, 1, 33, 'put', 1795360434986000);
INSERT INTO change VALUES (72, 1, 35, 'put', 1795360434998000);
INSERT INTO change VALUES (73, 1, 36, 'put', 1795360434998000);
INSERT INTO change VALUES (74, 1, 36, 'link', 1795360434999000);
INSERT INTO change VALUES (75, 1, 37, 'put', 1795360434999000);
INSERT INTO change VALUES (76, 1, 37, 'embed', 1795360434999000);
INSERT INTO change VALUES (77, 1, 38, 'put', 1795360434999000);
INSERT INTO change VALUES (78, 1, 37, 'link', 1795360434999000);
INSERT INTO change VALUES (79, 1, 37, 'put', 1795360435038000);
INSERT INTO change VALUES (80, 1, 39, 'put', 1795360435106000);
INSERT INTO change VALUES (81, 1, 40, 'put', 1795360435106000);
INSERT INTO change VALUES (82, 1, 39, 'link', 1795360435165000);
INSERT INTO change VALUES (83, 1, 41, 'put', 1795360435305000);
INSERT INTO change VALUES (84, 1, 41, 'embed', 1795360435306000);
INSERT INTO change VALUES (85, 1, 42, 'put', 1795360435347000);
INSERT INTO change VALUES (86, 1, 42, 'put', 1795360435463000);
INSERT INTO change VALUES (87, 1, 2, 'put', 1795360435611000);
INSERT INTO change VALUES (88, 1, 43, 'put', 1795360435612000);
INSERT INTO change VALUES (89, 1, 43, 'embed', 1795360435612000);
INSERT INTO change VALUES (90, 1, 2, 'link', 1795360435612000);
INSERT INTO change VALUES (91, 1, 44, 'put', 1795360435805000);
INSERT INTO change VALUES (92, 1, 44, 'embed', 1795360435806000);
INSERT INTO change VALUES (93, 1, 44, 'link', 1795360435806000);
INSERT INTO change VALUES (94, 1, 45, 'put', 1795360435866000);
INSERT INTO change VALUES (95, 1, 45, 'embed', 1795360435867000);
INSERT INTO change VALUES (96, 1, 46, 'put', 1795360435974000);
INSERT INTO change VALUES (97, 1, 46, 'link', 1795360435974000);
INSERT INTO change VALUES (98, 1, 47, 'put', 1795360436064000);
INSERT INTO change VALUES (99, 1, 47, 'embed', 1795360436064000);
INSERT INTO change VALUES (100, 1, 48, 'put', 1795360436113000);
INSERT INTO change VALUES (101, 1, 48, 'embed', 1795360436114000);
INSERT INTO change VALUES (102, 1, 48, 'put', 1795360436154000);
INSERT INTO change VALUES (103, 1, 49, 'put', 1795360436237000);
INSERT INTO change VALUES (104, 1, 49, 'embed', 1795360436238000);
INSERT INTO change VALUES (105, 1, 50, 'put', 1795360436290000);
INSERT INTO change VALUES (106, 1, 25, 'link', 1795360436290000);
INSERT INTO change VALUES (107, 1, 51, 'put', 1795360436423000);
INSERT INTO change VALUES (108, 1, 51, 'embed', 1795360436425000);
INSERT INTO change VALUES (109, 1, 51, 'put', 1795360436551000);
INSERT INTO change VALUES (110, 1, 51, 'embed', 1795360436551000);
INSERT INTO change VALUES (111, 1, 52, 'put', 1795360436635000);
INSERT INTO change VALUES (112, 1, 53, 'put', 1795360436636000);
INSERT INTO change VALUES (113, 1, 53, 'link', 1795360436636000);
INSERT INTO change VALUES (114, 1, 54, 'put', 1795360436645000);
INSERT INTO change VALUES (115, 1, 54, 'embed', 1795360436646000);
INSERT INTO change VALUES (116, 1, 55, 'put', 1795360436647000);
INSERT INTO change VALUES (117, 1, 54, 'link', 1795360436647000);
INSERT INTO change VALUES (118, 1, 53, 'embed', 1795360436709000);
INSERT INTO change VALUES (119, 1, 52, 'embed', 1795360436710000);
INSERT INTO change VALUES (120, 1, 40, 'embed', 1795360436710000);
INSERT INTO change VALUES (121, 1, 39, 'embed', 1795360436710000);
INSERT INTO change VALUES (122, 1, 36, 'embed', 1795360436710000);
INSERT INTO change VALUES (123, 1, 35, 'embed', 1795360436710000);
INSERT INTO change VALUES (124, 1, 32, 'embed', 1795360436717000);
INSERT INTO change VALUES (125, 1, 30, 'embed', 1795360436718000);
INSERT INTO change VALUES (126, 1, 29, 'embed', 1795360436718000);
INSERT INTO change VALUES (127, 1, 28, 'embed', 1795360436718000);
INSERT INTO change VALUES (128, 1, 27, 'embed', 1795360436718000);
INSERT INTO change VALUES (129, 1, 26, 'embed', 1795360436718000);
INSERT INTO change VALUES (130, 1, 56, 'put', 1795360436939000);
INSERT INTO change VALUES (131, 1, 6, 'put', 1795360436951000);
INSERT INTO event VALUES (1, 1, 1795322414123458, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["6e9b50ac-2c1b-44bc-b27b-7e788c993d66"]', 'ok', 787598, 153, '');
INSERT INTO event VALUES (2, 1, 1795322428123460, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["e379406a-2e60-4b58-b99c-c5985edf3404"]', 'ok', 3357, 137, '');
INSERT INTO event VALUES (3, 1, 1795322442123462, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["0158aee3-0ff9-44fb-808b-f43a8c687fc3"]', 'ok', 3688, 122, '');
INSERT INTO event VALUES (4, 1, 1795322456123464, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["5fabd39b-d3b3-4e18-b885-a44bef90d478"]', 'ok', 3808, 136, '');
INSERT INTO event VALUES (5, 1, 1795322470123466, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["10ac47d9-96ea-439a-9e62-b040b82d62aa"]', 'ok', 2215, 141, '');
INSERT INTO event VALUES (6, 1, 1795322484123468, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["917adb13-5b46-4840-afc1-ada1ccca0a18"]', 'ok', 2046, 116, '');
INSERT INTO event VALUES (7, 1, 1795322498123470, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["c0539b4a-589e-4b95-9dd0-5be5493d5c1a"]', 'ok', 1671, 139, '');
INSERT INTO event VALUES (8, 1, 1795322512123472, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["d848d192-8ea4-4d13-9f1e-b6f4dfc60a55"]', 'ok', 1695, 148, '');
INSERT INTO event VALUES (9, 1, 1795322526123474, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["c46c8f62-e296-4b48-a0b9-f8a7d94b5122"]', 'ok', 1657, 130, '');
INSERT INTO event VALUES (10, 1, 1795322540123476, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["e8dc9255-c2bb-4737-b983-7846e21c6e8c"]', 'ok', 10288, 127, '');
INSERT INTO event VALUES (11, 1, 1795322554123478, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["a7e16897-77e6-448a-a231-fbef4c278df6"]', 'ok', 4211, 138, '');
INSERT INTO event VALUES (12, 1, 1795322568123480, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1"]', 'ok', 2913, 131, '');
INSERT INTO event VALUES (13, 1, 1795322582123482, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["2f005c42-32a3-4ce6-8bca-5b3b6ea88228"]', 'ok', 9457, 577, '');
INSERT INTO event VALUES (14, 1, 1795322596123484, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["6e9b50ac-2c1b-44bc-b27b-7e788c993d66", "10ac47d9-96ea-439a-9e62-b040b82d62aa"]', 'ok', 7989, 150, '');
INSERT INTO event VALUES (15, 1, 1795322610123486, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["c46c8f62-e296-4b48-a0b9-f8a7d94b5122", "d848d192-8ea4-4d13-9f1e-b6f4dfc60a55"]', 'ok', 1591, 136, '');
INSERT INTO event VALUES (16, 1, 1795322624123488, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["d848d192-8ea4-4d13-9f1e-b6f4dfc60a55", "c46c8f62-e296-4b48-a0b9-f8a7d94b5122"]', 'ok', 5183, 152, '');
INSERT INTO event VALUES (17, 1, 1795322638123490, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["a7e16897-77e6-448a-a231-fbef4c278df6", "c0539b4a-589e-4b95-9dd0-5be5493d5c1a"]', 'ok', 4058, 136, '');
INSERT INTO event VALUES (18, 1, 1795322652123492, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["a7e16897-77e6-448a-a231-fbef4c278df6", "6e9b50ac-2c1b-44bc-b27b-7e788c993d66"]', 'ok', 11699, 149, '');
INSERT INTO event VALUES (19, 1, 1795322771123509, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'recall_memory', '["6e9b50ac-2c1b-44bc-b27b-7e788c993d66", "10ac47d9-96ea-439a-9e62-b040b82d62aa", "c46c8f62-e296-4b48-a0b9-f8a7d94b5122"]', 'ok', 289264, 25, '');
INSERT INTO event VALUES (20, 1, 1795322799123513, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'recall_memory', '["6e9b50ac-2c1b-44bc-b27b-7e788c993d66", "10ac47d9-96ea-439a-9e62-b040b82d62aa", "a7e16897-77e6-448a-a231-fbef4c278df6"]', 'ok', 8094, 34, '');
INSERT INTO event VALUES (21, 1, 1795322827123517, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'recall_memory', '["sol_1", "fail_2", "c0539b4a-589e-4b95-9dd0-5be5493d5c1a"]', 'ok', 12435, 35, '');
INSERT INTO event VALUES (22, 1, 1795322855123521, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'recall_memory', '["c46c8f62-e296-4b48-a0b9-f8a7d94b5122", "d848d192-8ea4-4d13-9f1e-b6f4dfc60a55", "5fabd39b-d3b3-4e18-b885-a44bef90d478"]', 'ok', 11601, 31, '');
INSERT INTO event VALUES (23, 1, 1795322883123525, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'update_memory', '["8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1"]', 'ok', 66165, 105, '');
INSERT INTO event VALUES (24, 1, 1795322897123527, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'delete_memory', '["a7e16897-77e6-448a-a231-fbef4c278df6"]', 'ok', 163233, 46, '');
INSERT INTO event VALUES (25, 1, 1795322918123530, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'associate_memories', '["6e9b50ac-2c1b-44bc-b27b-7e788c993d66", "10ac47d9-96ea-439a-9e62-b040b82d62aa"]', 'ok', 31816, 149, '');
INSERT INTO event VALUES (26, 1, 1795322932123532, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["doc_42"]', 'ok', 54074, 4052, '');
INSERT INTO event VALUES (27, 1, 1795322946123534, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'store_memory', '["doc_48"]', 'ok', 3783, 115, '');
INSERT INTO event VALUES (28, 1, 1795322967123537, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'matrix_store', '["sol_9171119f"]', 'ok', 181624, 160, '');
INSERT INTO event VALUES (29, 1, 1795322988123540, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'matrix_reward', '["sol_9171119f"]', 'ok', 36037, 77, '');
INSERT INTO event VALUES (30, 1, 1795323037123547, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'matrix_failure', '["fail_f8e53fbf"]', 'ok', 21542, 167, '');
INSERT INTO event VALUES (31, 1, 1795323079123553, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'matrix_failure', '["fail_f8e53fbf"]', 'ok', 81797, 167, '');
INSERT INTO event VALUES (32, 1, 1795323100123556, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'create_entities', '["Ann \u041a\u043b\u044e\u0447", "Gone"]', 'ok', 43984, 172, '');
INSERT INTO event VALUES (33, 1, 1795323114123558, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'create_relations', '["Ann \u041a\u043b\u044e\u0447", "Gone"]', 'ok', 58764, 75, '');
INSERT INTO event VALUES (34, 1, 1795323128123560, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'memorize', '["lesson-1"]', 'ok', 136574, 137, '');
INSERT INTO event VALUES (35, 1, 1795323142123562, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'memorize', '["lesson-2"]', 'ok', 51958, 40, '');
INSERT INTO event VALUES (36, 1, 1795323156123564, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'feedback', '["lesson-2"]', 'ok', 135994, 42, '');
INSERT INTO event VALUES (37, 1, 1795323177123567, 'session_cb7a1f1361a8', 'session_cb7a1f1361a8', 'refine_memory', '["e379406a-2e60-4b58-b99c-c5985edf3404", "c1e5b09c-d532-44c7-86a9-329ea472bb71"]', 'ok', 119826, 122, '');
INSERT INTO event VALUES (38, 1, 1795323205123571, 'session_cb7a1f1361a8', 'talk', 'log_chat', '["msg_50"]', 'ok', 163765, 113, '');
INSERT INTO event VALUES (39, 1, 1795323226123574, 'session_cb7a1f1361a8', 'talk', 'log_chat', '["msg_51"]', 'ok', 91859, 130, '');
INSERT INTO event VALUES (40, 1, 1795323247123577, 'session_cb7a1f1361a8', 'talk', 'store_context_links', '["a message of elsewhere"]', 'ok', 64203, 59, '');
INSERT INTO event VALUES (41, 1, 1795323261123579, 'session_cb7a1f1361a8', 'talk', 'add_todo', '["todo:53"]', 'ok', 95517, 87, '');
INSERT INTO event VALUES (42, 1, 1795323275123581, 'session_cb7a1f1361a8', 'talk', 'add_todo', '["todo:54"]', 'ok', 55901, 25, '');
INSERT INTO event VALUES (43, 1, 1795323296123584, 'session_cb7a1f1361a8', 'talk', 'complete_todo', '["todo:54"]', 'ok', 18523, 15, '');
INSERT INTO event VALUES (44, 1, 1795323310123586, 'session_cb7a1f1361a8', 'talk', 'log_code_attempt', '["attempt:55"]', 'ok', 101013, 102, '');
INSERT INTO event VALUES (45, 1, 1795323331123589, 'session_cb7a1f1361a8', 'talk', 'link_resources', '["doc_42", "doc_900"]', 'ok', 55875, 91, '');
INSERT INTO event VALUES (46, 1, 1795323394123598, 'session_7e2574fa965d', 'session_7e2574fa965d', 'store_memory', '["ba6e30c4-dde3-4eb2-8561-6bb5408355e5"]', 'ok', 127531, 102, 'tok_a4be1c13');
INSERT INTO event VALUES (47, 1, 1795323415123601, 'session_7e2574fa965d', 'session_7e2574fa965d', 'update_memory', '["ba6e30c4-dde3-4eb2-8561-6bb5408355e5"]', 'ok', 56677, 117, 'tok_a4be1c13');
INSERT INTO event VALUES (48, 1, 1795323478123610, 'session_b1d6bb33f30d', 'session_b1d6bb33f30d', 'matrix_failure', '["fail_29b50467"]', 'ok', 42672, 161, 'tok_76432001');
INSERT INTO event VALUES (49, 1, 1795323506123614, 'session_7e2574fa965d', 'session_7e2574fa965d', 'recall_memory', '["ba6e30c4-dde3-4eb2-8561-6bb5408355e5"]', 'ok', 34511, 18, 'tok_a4be1c13');
INSERT INTO event VALUES (50, 1, 1795323534123618, 'session_cb7a1f1361a8', 'talk', 'store_memory', '["5abba650-44c6-4196-a2ea-1afd59fc17eb"]', 'ok', 7006, 94, '');
INSERT INTO event VALUES (51, 1, 1795323555123621, 'session_cb7a1f1361a8', 'talk', 'update_memory', '["917adb13-5b46-4840-afc1-ada1ccca0a18"]', 'ok', 11296, 118, '');
INSERT INTO trash VALUES (1, 1, '8ee67fc0e6b8', 'update_memory', 'update', 12, '8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1', '{"record":{"key":"8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1","kind":"memory","text":"A draft that will be reworded","created":1795322561123479,"updated":1795322561123479,"id":12,"tenant":1,"namespace":"other/project","type":"insight","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"553479bd40b61c18af210530507c49c70541f2461b0351c82cd4b1ee0523eef0","session":"session_cb7a1f1361a8","position":1795322561123479,"replaced":false},"edges":[],"access":null}', 1795322869123523, 0, '');
INSERT INTO trash VALUES (2, 1, '575661eb2992', 'delete_memory', 'delete', 11, 'a7e16897-77e6-448a-a231-fbef4c278df6', '{"record":{"key":"a7e16897-77e6-448a-a231-fbef4c278df6","kind":"memory","text":"This will be deleted: the staging password rotates on Mondays","created":1795322547123477,"updated":1795322547123477,"id":11,"tenant":1,"namespace":"","type":"context","label":"","tags":["ops"],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"3276087aba13249de64a9e9f5178a5d70bb484f7803ca04910e985a38a513830","session":"session_cb7a1f1361a8","position":1795322547123477,"replaced":false},"edges":[{"source":11,"target":7,"relation":"RELATES_TO","canonical":"RELATES_TO","weight":1.0,"created":1795322631123489,"metadata":{},"id":4},{"source":11,"target":1,"relation":"EXPLAINS","canonical":"EXPLAINS","weight":0.5,"created":1795322645123491,"metadata":{},"id":5}],"access":{"count":1,"last":1795322792123512}}', 1795322890123526, 0, '');
INSERT INTO trash VALUES (3, 1, '064debda4f40', 'associate_memories', 'edge', 1, '6e9b50ac-2c1b-44bc-b27b-7e788c993d66', '{"record":{"key":"6e9b50ac-2c1b-44bc-b27b-7e788c993d66","kind":"memory","text":"Team decided to use Axum over Actix: its middleware is tower''s","created":1795322407123457,"updated":1795322407123457,"id":1,"tenant":1,"namespace":"","type":"decision","label":"","tags":["api","lang:rust"],"metadata":{},"importance":0.9,"confidence":1.0,"content_hash":"20da5e0e3654f0891a183be9247d7ba85fb0863a07bbaaf7c768b3b77f79c984","session":"session_cb7a1f1361a8","position":1795322407123457,"replaced":false},"edges":[{"source":1,"target":5,"relation":"LEADS_TO","canonical":"LEADS_TO","weight":0.75,"created":1795322589123483,"metadata":{},"id":1}],"access":null}', 1795322904123528, 0, '');
INSERT INTO trash VALUES (4, 1, '803c7c4d0498', 'matrix_reward', 'update', 33, 'sol_9171119f', '{"record":{"key":"sol_9171119f","kind":"solution","text":"apsw statements are prepared twice\n\nkeep them by connection","created":1795322953123535,"updated":1795322953123535,"id":33,"tenant":1,"namespace":"","type":"repo","label":"","tags":["sqlite"],"metadata":{"problem":"apsw statements are prepared twice","score":0.5,"successes":0,"partials":0,"failures":0,"files":["src/queue.py"]},"importance":0.5,"confidence":1.0,"content_hash":"b2b99f64d551f9fa878dfe9e2c475ee03548fd2d354a135bfc8e2bbbce1271d3","session":"session_cb7a1f1361a8","position":1795322953123535,"replaced":false},"edges":[],"access":null}', 1795322981123539, 0, '');
INSERT INTO trash VALUES (5, 1, '0508eb24fdf1', 'matrix_failure', 'update', 37, 'fail_f8e53fbf', '{"record":{"key":"fail_f8e53fbf","kind":"failure","text":"build: ld: ''libz'' not found in /usr/lib1\nCause: a slim image\nFix: install zlib","created":1795323023123545,"updated":1795323023123545,"id":37,"tenant":1,"namespace":"","type":"build","label":"","tags":[],"metadata":{"errorMessage":"ld: ''libz'' not found in /usr/lib1","rootCause":"a slim image","fixApplied":"install zlib","files":["Dockerfile"],"entities":["err#ld: ''libz'' not found in /usr/lib1","fix#ld: ''libz'' not found in /usr/lib1#6aac9d8a"],"occurrences":1},"importance":0.5,"confidence":1.0,"content_hash":"c45429fc2ed3f7eb","session":"session_cb7a1f1361a8","position":1795323023123545,"replaced":false},"edges":[],"access":null}', 1795323065123551, 0, '');
INSERT INTO trash VALUES (6, 1, 'b328d691f001', 'feedback', 'update', 42, 'lesson-2', '{"record":{"key":"lesson-2","kind":"vector","text":"","created":1795323135123561,"updated":1795323135123561,"id":42,"tenant":1,"namespace":"","type":"","label":"","tags":[],"metadata":{"vector":{"indices":"AAAAAAEAAAA=","weights":"AAAAAAAA8D8AAAAAAAAAQA=="},"metadata":{},"score":0.0},"importance":0.5,"confidence":1.0,"content_hash":"","session":"session_cb7a1f1361a8","position":1795323135123561,"replaced":false},"edges":[],"access":null}', 1795323149123563, 0, '');
INSERT INTO trash VALUES (7, 1, 'fb55a2e21057', 'complete_todo', 'update', 48, '54', '{"record":{"key":"54","kind":"todo","text":"Done already","created":1795323268123580,"updated":1795323268123580,"id":48,"tenant":1,"namespace":"","type":"pending","label":"","tags":[],"metadata":{"title":"Done already","priority":1},"importance":0.5,"confidence":1.0,"content_hash":"","session":"session_cb7a1f1361a8","position":1795323268123580,"replaced":false},"edges":[],"access":null}', 1795323289123583, 0, '');
INSERT INTO trash VALUES (8, 1, '98e572560a15', 'update_memory', 'update', 51, 'ba6e30c4-dde3-4eb2-8561-6bb5408355e5', '{"record":{"key":"ba6e30c4-dde3-4eb2-8561-6bb5408355e5","kind":"memory","text":"Stored by who holds in other/project: tills close at noon","created":1795323380123596,"updated":1795323380123596,"id":51,"tenant":1,"namespace":"other/project","type":"context","label":"","tags":[],"metadata":{},"importance":0.5,"confidence":1.0,"content_hash":"4f57f6149da9ce557a09989eb2d439bf03b26c65e6be9c60a0ba053cd15fe0ff","session":"session_7e2574fa965d","position":1795323380123596,"replaced":false},"edges":[],"access":null}', 1795323408123600, 0, 'tok_a4be1c13');
INSERT INTO trash VALUES (9, 1, '46c211725cea', 'update_memory', 'update', 6, '917adb13-5b46-4840-afc1-ada1ccca0a18', '{"record":{"key":"917adb13-5b46-4840-afc1-ada1ccca0a18","kind":"memory","text":"Prefer small commits; \"one reason each\"","created":1795322477123467,"updated":1795322477123467,"id":6,"tenant":1,"namespace":"","type":"preference","label":"","tags":[],"metadata":{},"importance":0.3,"confidence":1.0,"content_hash":"eada1424464a5ad6d764b1a8bd3947e9fc34bb772ab8603a8ba6f14900b1219a","session":"session_cb7a1f1361a8","position":1795322477123467,"replaced":false},"edges":[],"access":null}', 1795323548123620, 0, '');
INSERT INTO applied VALUES (1, 'key-1', '542b59ec5b72b504796878614bd50a7e028cbb454027b9452595e2e4d59ac026', '{"id": "8a9e3e9b-e9eb-4261-8680-1b2af7e8f4e1", "status": "updated", "content_hash": "af16a9f59512add27b2715df28d875eb4a00f0cfc2d4290151c0f45305586925"}', 1795322876123524);
INSERT INTO applied VALUES (1, ('tok_a4be1c13'||char(10)||'key-2'), '3ec7dc629d2dd54b5e607282d56960d0eb2b54d0da45f125ad6dbc878beb0bc6', '{"id": "ba6e30c4-dde3-4eb2-8561-6bb5408355e5", "status": "stored", "content_hash": "4f57f6149da9ce557a09989eb2d439bf03b26c65e6be9c60a0ba053cd15fe0ff"}', 1795323387123597);
INSERT INTO model VALUES (1, 1, 'made up', 64);
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
INSERT INTO embedding VALUES (23, 0, 1, 1, X'77A1DB2C032C393440B232322CB10331ADAD58A784B2109584B0323292AEC1293D247A2A402203B0112F681F47B2F7B432A49A27B19E741CDFA6552ED82D6330892D663249310F2C2F2E2726F22ED4B17A9E48A3CA222E3234AEB3ACB9A69B1F5B32E02C6FB0D62C8A2D0BA595B49F31912E30AC6031C52EE32AE8313A22CD24', X'7505EC57FE31D9BF1F2E1B056310A3B4');
INSERT INTO embedding VALUES (24, 0, 1, 1, X'672B07B2E23062AD97B1DDA84DADD5B01428AE2719B2A1ABBE1A0E2B0A32173254B054AD31B103B06A24412D1CA89FB4BD2F18A6B3AEC9319F2FD0B04E30FF2CBB32F220F5ADAD1D8235FE2C992CC9A617AC26AAA8B0ED2FA32EACADA4235580FA28DFAD522D6B2CB5A6ED22B62CDA20082E38B11AB32C2E6E328A2F44311A31', X'A0CF0C9BDE1AB79F6923B1BE8838006F');
INSERT INTO embedding VALUES (26, 0, 1, 1, X'7330702DD02E2C2F57B0EC2F5C1B0234E4AFA6B03CAC8732F1B38C218B2B21A79FAB48AD6AA3F533289E8731D5A9F42E9CB06334E42FD134F7310CA625B0332EB6291A30C52C08B03E2F5A31C3A92DA695AA332D2B2BD5926D2D2334DBAE951C482B7C3079AF65AF982FBEAEDF2D3BB091ACF5AF622D7AAB7A2807257B28452E', X'F7161579EC6DCA2FBDD815FA5C067D40');
INSERT INTO embedding VALUES (26, 1, 1, 1, X'B9A81728AB29152D3734272A59B396A5FCA8FFAD55A847AD642C26AC6E2DA9226AAEF5B24026E723D029AFAFC1ADB43044B166A4EEB42BAE5A33112ECFADBDA732AD7EB109B037B2DC283BA343B0F72BFE2272AD3AB0282FB3328F30F7A34D94082C6EB22AAF0EB4A62D7B287B29D7B0C12F36ADCF2B7EB22DA494AF81AC2DB4', X'7C0B390C099C8EA00A0045A8723C7195');
INSERT INTO embedding VALUES (26, 2, 1, 1, X'B72BD19A6C3093B5DC31162CFF30E523AFAD9FB545B20F2C511D8FAF762F38AD773008B177ACEFACD72C39AF452C29AE09B0F72EA3AB42AD23B292AD3E30282AD8A02FA8A817273468ACC2329BA3FEAEC521472FA5AE7A2455B20CAECF30D6A9292F58B1C330F7292F2A19A9792C9628E4A8ECACD8ACFA2C39A79C2FB3B16F31', X'AF1A8A4334D2BB153A66C4CA156AE007');
INSERT INTO embedding VALUES (27, 0, 1, 1, X'5432BD3027B4EFAB622EB624B7AD7E2E95AE102DBC965533892173AB1E2F3BB297A6DF2B3929922BE92936AF7322BF341125241DF72D90B1B1AC12276F34AC3187B179A8272CE3AF89AB37AC8DAEFBAEDA2EE330E72C742E6D256BAE112E122E15300A9DA0A9823193B2102BC9AFD71E21B3EE9F2CA554B43E9D91AB5DB147B1', X'CD5A7BE720FB9500E193051393D49A93');
INSERT INTO embedding VALUES (27, 1, 1, 1, X'D5B0D22A4E2DE93051B1ECAD5D2909B2BC28E4AD24B477B06DB2422983302132AFA8CFAD4EAEE8265AA45AB23529BB29672C44A8A2A8F61B7FB2192CE6AD03B1E3287CB13AAE71A3BB2D2DB4B0AF6A28A32CF329A2300AB2CD3205A6D4B21FAD4633E7261A2E572CC5A911AEF6321A2DB12E6631BD2E34B11829DF2964ADAAAF', X'7287139489E8F3EC993B0409463A8251');
INSERT INTO embedding VALUES (27, 2, 1, 1, X'03AFB6AF5923DD35D32D083159313BAC0B2E6F3310B2B2ADD8AE70B1DBAD63B124B284303E2F99B136AB2CA95AB31EAC36AC4D34AF2F28A91EB01CB09030FF20A3AE10302AA944B086B126ADDD2787B0492AEAA6211EABB0B11983B04F32E1A58CA925AE1DABF630EE244C296A26A0320D206EA9992766AC022619A97B250EA8', X'3EC0606342AA1FAAD66DF26ED9161100');
INSERT INTO embedding VALUES (28, 0, 1, 1, X'3A2F311E7D2DF1A7402EE42EC4B00BAFB2B255AAB2314C302EA279AA8F2A3028AC2E31B170A98A250D31E12F732A1725AD25D8A441A39FA074B2B6AAAB9E383666A8352D022EC5B0502DCF298BAC732BED355333AB28B629622694AB902CB9972D9D852D48B231ABCBB0B4AB0C24FB2E8EB04EB0C4AEB61F472DB9B54D2F2E20', X'EC339F816DFA431B8FB0CC0930C029E6');
INSERT INTO embedding VALUES (28, 1, 1, 1, X'E3B21FA968B283B222292AAF2AB09D342FB0B9ACAF2CB5A917325DAA80AD42ACDBB07431C0B0872B37AF36ADE9301828A2A4D02157B14BA588AE952E11978A308530F5AD9A29E02A922F24AF5B9E9EACB62C0FB20F3195ACAD1F43B4E8993E283828D63288277AAFB8B386A13AB284AC3F2C20A9311B60B4D9AF26A7ACAFD2AA', X'09285345B8A9E0A0B788EA2D8C645A1A');
INSERT INTO embedding VALUES (28, 2, 1, 1, X'3B333932E8305921F3B087AF572FABADA1AF92AD419A3C2C09B00631AC3196A080AAFB9BAC2D982DD13030AACD22672A07ACFB345EA97430222C262296AC272F1EA7FF320F2288A118AC3C2961AA20B0802D982AFBA904AE8FAF08A8422DDE2AD43168279B317733FB1A7CB046B5A5B05EB457AFAC2E8231AC2A8B2E702D532C', X'F2163B5D64C3F83FEE8E08514108B7F4');
INSERT INTO embedding VALUES (29, 0, 1, 1, X'6F2F58B2D01E863053B042326DA95BAE4E2919B118A59CACF1ACE630F9A8B4B18BACCE29C421BF30F1B043B4D726EFA5BFB1A82976283F1F752E8033B42D49326C27412D33B2B6A69BAF29344F2886ACCD9CE83414314AB168B1E79C2DA0BDA762305E2F85ACBCAD91ABC02472217F2CDCA84FB20D2662241032D3B0DF2E1D30', X'B484727FC660C73BDC451C8D2C78C04F');
INSERT INTO embedding VALUES (29, 1, 1, 1, X'5B31A3B0672C44AF33A8CB2D2AA9CA2CBD2C192BE1B3CA30DA2A9D29022C4A1E5F978231452866B1DF31283263AD26ADCEAFFAA46C2DA01F3229DC1F882617B083AA3931AC32C6ACAAB13B3193B306AE3EAD2432D92D049806B4CEAC102F2C31C9B376AE72301196A3290BADA530A1B094A7F03004AB4C34F3AEAA2DBBAA98AE', X'A5DF6C3E64632A54D0305C816E4BA358');
INSERT INTO embedding VALUES (29, 2, 1, 1, X'ECB23C25932D75A92520912CA1AD082E9DA775A502B3D0AC832088B4D5ACE22C4FA1EE2BAC9B32AE2233FEAD6D313CA5C531C52FA731F6AEF72E49B014AA0922FF30CFA9EAA78AAF1FA407210BB0E42CB835D99F49B35CB013B59D2583AE5C308C9F3433D52E332DFE2A8A305A9C212EAD210BADFFAC112BFCA51CB09CB0B4AC', X'6D094AE985857D9080241AFC92BB6406');
INSERT INTO embedding VALUES (30, 0, 1, 1, X'71B055A8B81D45B4F890ACAC97AED53167AD402B55A9479D0FADC222A328E031EB265C33A22C9BA70EAC562F04AD27ACB99BE8AF15A8EE2F68B1B93182AF0CB5FE2737AF21AF59AA5D31E72C32AC2826E230AE31FFB39BB1722AC431091E802F332E1824EE271E305C226F32CCB06AB2F6ACD2A26A2C4A2A14AF9AAD64A5A934', X'2147E4148DCFFC319301445F68F51709');
INSERT INTO embedding VALUES (30, 1, 1, 1, X'52B1A3A908B5AE2F0FAE78AA29B2CC2685B02028982B533283A56CB11EAD93A51132D8AEB6A2F21ED5A64C33302DF92C872FF3A11F2F6B22C81B802ABC306D2FB2A8AAB026346331A6B123B11D2D81AA2CAF2D2C63AAE02C4BA70331572F15AC4EAECD290931DE2D3627F0299B2C7B2E7D2A4D9385B255B1752E281EC6A3D935', X'117097BF32567F8DB294C4A37C862139');
INSERT INTO embedding VALUES (32, 0, 1, 1, X'1B27FF28DFAC44AD662DF725E1AE719C773001B4D72CB9AF29AD54AA1B2B70B04FB0ABB2362EC0A0B9AA9CA8E7ABEA2DA3339320EF2874AC76A9B5AD29AF112D6AA78132392F0F211F2B833590AF54ACEBA974B028ACCCB12C2C27A36AA861A570A0F5AFCE2E952BFBAB75B57DB0A2229227682CE134DAAD042EA4AD55A703B5', X'CCA221E17C0831E802D1E08266506621');
INSERT INTO embedding VALUES (33, 0, 1, 1, X'F82F73314B2B8AA70D22802C07AFC92C46364431C89CDEAB6D3198A2B5B160ADB2B265B0472CC72C1A266B2D1CB01DB0242AB031CA30EFB05A31CEAF8B2CEE2D3331DB2EFE2EE4AEAF2301AFACAE00B2213321B1573052B3E430092A1FA7BB2FBAAD57A9232556A0A2AE0C2DFAA8C72BFE302F2963B21427BEAA05AC21AF3729', X'EDC83CEBE8AD25D1C2CAC37CF5F900A2');
INSERT INTO embedding VALUES (33, 1, 1, 1, X'87AB86134CB259A7D6A6CB2CA1A1AEAB35B02B31A02556A9AB2F49B23D9DC72CC2A01EACA230052E83B0EF23CFB1A430FF2DEE31592EE2AE58B5E525CDB0543571B398B403327DB126AF3D2E4BACE4B020AAA030B1A92F2CA2A7A42637B1FFB1BDA02330B02CAAB057A385AEC3A5BEA32D2BADACCC2A56A73B1E81ACA0A8A7AD', X'446935E5245460A820CC2B7BF9435400');
INSERT INTO embedding VALUES (35, 0, 1, 1, X'CC289B2CFA329031873308AECDB2BE30BE2A2FB1D8B156AF8D307E291C1CD0AD4F2C4125DCA589AF84B1D3AC3F195E9F1431AF23912B72A0352C8D9D0B31F430742C52AD57AFFDAD95ADD5B246B0DF2607AC37B0412F7E2FCFB3A19699B54F2E42A011AF6EAA52AA2EB0E12B2D332AAEF1B081AEB8B21699202EC3A5D1ACBBAC', X'F98EC2EB813106083B781883267A4AE0');
INSERT INTO embedding VALUES (36, 0, 1, 1, X'A62D8FAEE12DC3AFE0247DAE56B04A00B1ADBC2FB724402F022E4826E030E4B302B67C2B5F2957B1C1AEC2A32131559E7FAAB62E3C2885AA43209DB2973168B169B030B20D2BDCB47BAC942C6911FBA83CB2752EED272DADAFB2EEABCA94EF2F67B0352C692CC0B28F2C7CB0962FEC31BAAFCAA88329632C41AE3EA752A6462E', X'A97E626A26616B3156539A47D0C99780');
INSERT INTO embedding VALUES (37, 0, 1, 1, X'DD1FEDA8032B2C30D2AD32B438A90DB0B2A192A95C2865ACAC2BC5AC64AE67A94C30533159AFB7A0313051B05A296DB4C32934B4B030EB25C9AB7735F22E9AB14630CDAD202A69AE92251BB4BB2FAD28152C782FDFAE1429D43091AE7EAC2AB14E25472C59A02F34F3AFD9AC0E2E462A16A98BB04E257AA822AFFBAD1B310132', X'B028CAB6ABD8D3231500ED67866D184B');
INSERT INTO embedding VALUES (37, 1, 1, 1, X'78AB8BAF2A315821FD29432A72AEEAB42628F72EDBAEAEAF80B543A869AA432983B1EAAEFCAE1E30AAB21532FD2E9430161AD3B114AA342D39AB933316B1ED2C492C8126222A3C30A230532C1BAA033233AD23B26128D8309FAA7AAE6CA8D72BCEB0BDA9AE32173120A661308629E3B0B62E57AE091F802C762E7CA914A4BD30', X'3CC11795FD3136B96178FF461950B581');
INSERT INTO embedding VALUES (39, 0, 1, 1, X'2FAB26B2CC28A72BCC2636339CAE31319C2F39B1C3AE95A6BFAD7F2DFC24932DC63008B19031BFA92A333420C52866ADF6AF982D17AD1A32B934802C412C44306EB449B0C62AEEADD0B1872D412DFE2E082EBAAF46AFFA2C8BA16F3072A42FA78625422E802849AB1FB4A12D072B0D344D16C6B01E31A5A9C2AE0B2E392D26AF', X'3D87AE5F2794E7A645E0E899C9640969');
INSERT INTO embedding VALUES (40, 0, 1, 1, X'CAAD6BAFD2A5EDAE4D305C2CEBB02BA519AC592BDE2A96AAC527B431FE3242321F2807B23F2C66B011B1002BCEAEC9AD46A64830B132ED2D4CAC1BB0C99F50306EAE072C0C33DE28F1AD7DB1442368ABF4AB4D2D65AFC52D162D0EAE7734D4AF5B2E54A45135222F4330662F362554AF97B24BAF7DAF63320CB129AF0A246325', X'0C6FA471725ABE135A075A6524233DFC');
INSERT INTO embedding VALUES (41, 0, 1, 1, X'9A28CE2F86B4993265AA9BB666B164294B2532B005B38CAE629F1A95A6AD1AAAD72C89A444B1CC2A18B3822FBB274AB13FA494A92A2E752B1D2B40308C30722EC5AD1D27412DC12FB7A8742F97B12930D6A969A6712AFD2E82212E9A512938B1AB2C15300D2B64B1842DE7AD28ABC932D9ACCD313E2A1A2F3EACA231CE2D3DB1', X'D180963F753AE97676702D0717115155');
INSERT INTO embedding VALUES (43, 0, 1, 1, X'7F2DB12927B0EF2D7BB321302EA024A99DA8D5A358B1DD31FD2C702C0AB2F9B09E2C91B00521AEAE07A7243404AA023078B1B030E728E8AE093073B1F1A95191392B18ADCD278AAEEAB3EA3042A09C2B7830DCA26F34E23226B3E72475A5DA2F76AC05B047286CAA1F28E5B20A246EAF4A28DE3088334D1C53ACCF2B5C27DC31', X'D41CA568A5B52AF72C3355DC1CB94561');
INSERT INTO embedding VALUES (44, 0, 1, 1, X'513073AFD52EF9B115309A31ED9D922CB6A53035AF2950AB8E2D38308BA6AD28683065B430AFB2AA3BAAEAA7222E81A81FB264A06B2F172D8EA2102ADDAAB532222FF8AA932E4E2D932E2BA2242F9D9AABAA9629232AAC9C87AA4FB3ACB1532FF7B15AB0D32C43AC47B3AE2FBBA81833BFB359A88E304E3013B1CFB16899592C', X'AD6D8235BA612531FC44E0A1AA07CDBC');
INSERT INTO embedding VALUES (45, 0, 1, 1, X'5AACA9B3D8290D268EAF33AB03B128AD77B3B1B0ABA4CFB0C02D49313DB1A6ACEBABFA23433681A7F9309B2025ADC9ACD8A1B69379246C318E30B3AA70AB01B4D0AC462500ADA824B4A937B1E5A5D831FDB1BF2A79A887ACA4AC6CAD2EAF0AAF48AC6E33372A9FA4C12227B16A2E03AFEB001EB0F72ED5314FB057B0D0A6BB32', X'300C6C3851406AB14AD628190583477D');
INSERT INTO embedding VALUES (47, 0, 1, 1, X'E1B2B61D092A31ACFB23BFADD42E06ACF032079BB333CB2667AC46B41C2D2FAE652B15B29EA8852C782C9BB04FB0BC2E36330B2CF52E5AB3CEA96E253832BBB07BA547AECE322CB060AA4D33942886300C2B4FAF3CB107B485AFC725972FE2ACFDAC8C2E4AA71A33E52A52A86924F822502FFFAB21AC80B148A8422EE4B01F8A', X'6AB299E627865B8482A447B3357A5092');
INSERT INTO embedding VALUES (48, 0, 1, 1, X'50313C2FD6101329A2AEC2A182B2D2AE40A2AD2E342CF5A88A3123AFB63087A72E2C09B196B2192F10B23832852F4D3100315B3059A5A5AD473354AE9DAE4FADAA2C2A1447306C2C8027EF2F632CBEAED4AD1D3233A4402DDC2B6EAC80332D2FFC2BF43028A819B4F4B157A000A34A26BAAF5DB31BB0912C033186B297AECFA4', X'F06A97C8FE5BC118C30E7FC8244358EC');
INSERT INTO embedding VALUES (49, 0, 1, 1, X'08A2EA1EEA3030B0E83063AB40B340B162AC6AB0762C432FF428E32626B2E22D03AE06B02F315026ED29EFAE80B0EA2B692D4EA92DAAD1AD81B277B45BB1BB8519316D327130182CC72FE4B37EAF062055AEA59C142F56324CABCC92E8A552B2002E89A65DB073AD072FBE2D99B1113284317FAEB3A5752D16B21AB04BACC8A2', X'683D3980F9308D903B52660EEE312B8C');
INSERT INTO embedding VALUES (51, 0, 1, 1, X'C9AF8DA929ACB52B35285BA89A33312B9231DA2FD02C6EB172B1F830C92031B00BAB25AEBFB0943240B170232DB0002189275BAFA62DF52DF92C1A24A92F062F2630462AC0A976A285ACF2AA792EA52C7131C41D762CA2301EAC00AC4FB27126672407AEFB2D0F3180B5C333302DCBB46CA0A6ADF8B3712FD4AC24B153A426A8', X'1BE615BFC3F1B61082DD3A4380921D34');
INSERT INTO embedding VALUES (52, 0, 1, 1, X'B62ED5B0D931DDA6052D4720E2B20EB222AC20B0AA21A01500A5402D51AC042CA2A909AF8CB377A9E9B05A2864A0602BA9320820513012AD01A83A291D32852C7FA1D2AE2330C2AA05310EB281AF9AA7F92DB2B034AA7EB1EC2AEA2143303132B630B5235DAD0CB31B360AB13AAE781BBDAEF72E01A5E7A1AD2EFC3393AF20A9', X'AC3505E7288FC94CE34068A26E539CCE');
INSERT INTO embedding VALUES (53, 0, 1, 1, X'9BA32AA62EB045AB5DA3BD2DE63183268DAE88AE3D9D1B31C393A0ADCDB376A3F3AFC59EACA7C02DB031B32DE2B1642E9A2FFCB24931612B1D30A9B32E2ED11F0FAF3A1E612918B33EB2DC2CAC331D3057A95AAD08AD972C1CA9A1B31C2F2C2EFF320227DFAD3AA9CA2CDC30882A74A8AA25F71CA63164B4AC31C8AF3AAD5DAD', X'07101DBB6713CEE822D28AEC9B06843C');
INSERT INTO embedding VALUES (54, 0, 1, 1, X'903125275A29A130462C7FA236320534572A142B76311AAD3C33313274AC6FA1EAA2C5251F2FF72C1AA6582F3FB261ADCC29E92EFA259DA4B930F3308B2C333241A35D2AC1AE262FFCB218AF49AAEDB35530CAA7D2AB6627DAB026B024AF5F2FCC2AF92AF8A4F5B051ABBBAC492A042BEE33F6AC94B383ACE2B01E298F2D8EB4', X'FBEC74EF5091C386932C264D3D8F10A9');
INSERT INTO embedding VALUES (54, 1, 1, 1, X'EAA5362D142DABB2D22DFD3219B19131B7B1AA309A344EAD989FCFB218AD992416294028ADABEFA093B5F624BBAC9732B02B78A8D2ABEDAF2BA96C2F9BABDE2418B1C32A8BACAD2D0F2B3D1C7E31C92DB6B065A735302BAD052C3EB4BAABB2ACB62F7E31832922A7652B662CE5B012AC2FA9A829E4AD60A4F3B235B35FAE2EAC', X'6D61C5855F28EC4017E4091482A4C20C');
INSERT INTO pending VALUES (6, 1, '', 0);
INSERT INTO pending VALUES (56, 1, '', 0);
INSERT INTO sequence VALUES (1, 900);
INSERT INTO token VALUES (1, 1, 'tok_3ea88549', 'ann', 'b4d1a6d054a5060a2afff7d3f528516cf84c1e3e48de790e59283fb0bc4e2f47', 'admin', '["*"]', 1795323338123590, NULL, NULL, NULL);
INSERT INTO token VALUES (2, 1, 'tok_a4be1c13', '', '9ccff7117cc0241926a429b27824be2c2f7db60e725e1867f37f8f5f7fdbe90b', 'write', '["other/project", "Ключ"]', 1795323345123591, NULL, 1795323373123595, NULL);
INSERT INTO token VALUES (3, 1, 'tok_23cf60e3', 'short', '98ccb64e4972a16d98f06b463eabe4e0ce41a5ac4d74d66411eb923467951b3c', 'read', '["shop"]', 1795323352123592, 1795323352123593, NULL, NULL);
INSERT INTO token VALUES (4, 1, 'tok_f9bf6e68', 'gone', '60833f5e9c2d80f853fffa83aebe20256ac3e988a9d05002a1e18fc64fd7b92e', 'read', '["*"]', 1795323359123593, NULL, NULL, 1795323366123594);
INSERT INTO token VALUES (5, 1, 'tok_76432001', 'one', 'a231d5f50cb6a1f82353b50e32d9d069a974f05e63eca2b6bc70f7f2e0bb40a2', 'write', '["other/project"]', 1795323422123602, NULL, 1795323429123603, NULL);
INSERT INTO sqlite_sequence VALUES ('change', 131);
INSERT INTO sqlite_sequence VALUES ('record', 56);
INSERT INTO sqlite_sequence VALUES ('model', 46);
INSERT INTO sqlite_sequence VALUES ('edge', 19);
INSERT INTO sqlite_sequence VALUES ('trash', 9);
INSERT INTO sqlite_sequence VALUES ('event', 51);
INSERT INTO sqlite_sequence VALUES ('token', 5);
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
CREATE TRIGGER edge_added AFTER INSERT ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_changed AFTER UPDATE ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.source, 'link');
END;
CREATE TRIGGER edge_removed AFTER DELETE ON edge BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (OLD.tenant, OLD.source, 'link');
END;
CREATE INDEX event_time ON event (tenant, time);
CREATE INDEX trash_operation ON trash (tenant, operation);
CREATE INDEX trash_record ON trash (tenant, record);
CREATE INDEX trash_key ON trash (tenant, key);
CREATE INDEX applied_time ON applied (tenant, time);
CREATE INDEX record_session ON record (tenant, session, position);
CREATE TRIGGER record_to_embed AFTER INSERT ON record WHEN NEW.kind NOT IN ('document', 'file') AND NEW.text <> '' BEGIN
  INSERT INTO pending (record, tenant) VALUES (NEW.id, NEW.tenant);
END;
CREATE TRIGGER embedding_added AFTER INSERT ON embedding WHEN NEW.view = 0 BEGIN
  INSERT INTO change (tenant, record, operation) VALUES (NEW.tenant, NEW.record, 'embed');
END;
CREATE UNIQUE INDEX document_name ON record (tenant, label, namespace) WHERE kind = 'document' AND label <> '';
CREATE TRIGGER record_to_embed_again AFTER UPDATE OF text, label ON record
WHEN NEW.text <> OLD.text OR (NEW.kind = 'chunk' AND NEW.label <> OLD.label) BEGIN
  DELETE FROM embedding WHERE record = NEW.id AND tenant = NEW.tenant;
  DELETE FROM terms WHERE record = NEW.id AND tenant = NEW.tenant AND space = 2;
  DELETE FROM pending WHERE record = NEW.id AND tenant = NEW.tenant;
  INSERT INTO pending (record, tenant) SELECT NEW.id, NEW.tenant
  WHERE NEW.kind NOT IN ('document', 'file') AND NEW.text <> '';
END;
CREATE INDEX solution_content ON record (tenant, content_hash) WHERE kind = 'solution';
CREATE INDEX solution_private ON record (tenant, namespace) WHERE kind = 'solution' AND type = 'repo';
CREATE UNIQUE INDEX failure_signature ON record (tenant, content_hash, namespace) WHERE kind = 'failure' AND content_hash <> '';
CREATE INDEX message_tool ON record (tenant, substr(metadata ->> '$.source_tool', 1, 200), created DESC, id DESC) WHERE kind = 'message';
CREATE INDEX message_number ON record (tenant, substr(metadata ->> '$.number', 1, 20)) WHERE kind = 'message';
PRAGMA user_version = 5;
