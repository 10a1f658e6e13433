-- What is looked through for secrets that older rules let in, page by page, and how each row is mended.
-- `+tenant` keeps SQLite from walking an index on the tenant where the order leads to the rows.

-- name: put_record
-- checks: namespace
UPDATE record SET namespace = :namespace, type = :type, key = :key, label = :label, text = :text, tags = :tags,
  metadata = :metadata, content_hash = :content_hash, session = :session
WHERE scoped(record) AND tenant = :tenant AND id = :id

-- name: edge_after
SELECT id, relation, canonical, metadata FROM scoped.edge WHERE +tenant = :tenant AND id > :after
ORDER BY id LIMIT :limit

-- name: put_edge
UPDATE edge SET relation = :relation, canonical = :canonical, metadata = :metadata
WHERE scoped(edge) AND tenant = :tenant AND id = :id

-- name: parallel_edge
SELECT twin.id FROM scoped.edge AS own
JOIN scoped.edge AS twin ON twin.tenant = own.tenant AND twin.source = own.source AND twin.target = own.target
WHERE own.tenant = :tenant AND own.id = :id AND twin.id <> own.id AND twin.relation = :relation

-- name: trash_after
SELECT id, key, body FROM scoped.trash WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_trash
-- refused: the trash is kept for every caller
UPDATE trash SET key = :key, body = :body WHERE tenant = :tenant AND id = :id

-- name: record_version_after
SELECT id, namespace, type, key, label, text, session, tags, metadata FROM scoped.record_version
WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_record_version
-- refused: history is kept for every caller
UPDATE record_version SET namespace = :namespace, type = :type, key = :key, label = :label, text = :text,
  session = :session, tags = :tags, metadata = :metadata,
  content_hash = CASE WHEN text IS NULL OR text = :text THEN content_hash ELSE '' END
WHERE tenant = :tenant AND id = :id

-- name: edge_version_after
-- whole: relations of all callers are looked through
SELECT id, relation, canonical, metadata FROM edge_version WHERE +tenant = :tenant AND id > :after
ORDER BY id LIMIT :limit

-- name: put_edge_version
-- refused: history is kept for every caller
UPDATE edge_version SET relation = :relation, canonical = :canonical, metadata = :metadata
WHERE tenant = :tenant AND id = :id

-- name: answer_after
-- whole: a key is kept with the id of its caller
SELECT key, result FROM applied WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: put_answer
-- refused: answers of all callers are kept there
UPDATE applied SET result = :result WHERE tenant = :tenant AND key = :key

-- name: event_after
SELECT id, session, conversation, records FROM scoped.event WHERE +tenant = :tenant AND id > :after
ORDER BY id LIMIT :limit

-- name: put_event
-- refused: events are those of all callers
UPDATE event SET session = :session, conversation = :conversation, records = :records
WHERE tenant = :tenant AND id = :id

-- name: activity_after
SELECT id, namespace, session, event, client, action, subject, detail
FROM scoped.activity WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_activity
-- refused: what hooks report is of any project
UPDATE activity SET namespace = :namespace, session = :session, event = :event, client = :client,
  action = :action, subject = :subject, detail = :detail
WHERE tenant = :tenant AND id = :id

-- name: token_after
-- refused: a token is of the whole store
SELECT id, name, namespaces FROM token WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_token
-- refused: a token is of the whole store
UPDATE token SET name = :name, namespaces = :namespaces WHERE tenant = :tenant AND id = :id

-- name: project_after
-- whole: which names are one project, among which a caller finds its own
SELECT alias, alias, namespace, merged FROM project WHERE tenant = :tenant AND alias > :after ORDER BY alias LIMIT :limit

-- name: setting_after
-- whole: settings are of no project
-- Of the tenant alone: on PostgreSQL every tenant may read the facts of the store, which are numbers.
SELECT name, name, value FROM setting
WHERE tenant = :tenant AND tenant > 0 AND name > :after ORDER BY name LIMIT :limit

-- name: request_after
-- whole: keys of answered calls, which are of no project
SELECT key, key FROM applied WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: codebase_after
SELECT id, namespace, folder, root, summary FROM scoped.repository
WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: symbol_after
SELECT record, file, qualified_name, signature, doc, parent, places FROM scoped.symbol
WHERE +tenant = :tenant AND record > :after ORDER BY record LIMIT :limit

-- name: file_after
SELECT record, path, looked_up, outline FROM scoped.source_file
WHERE +tenant = :tenant AND record > :after ORDER BY record LIMIT :limit

-- name: symbols_of_file
SELECT record FROM scoped.symbol WHERE tenant = :tenant AND file = :file
