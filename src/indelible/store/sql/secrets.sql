-- What is looked through for secrets that older rules let in, page by page, and how each row is mended.
-- `+tenant` keeps SQLite from walking an index on the tenant where the order leads to the rows.

-- name: put_record
UPDATE record SET namespace = :namespace, type = :type, key = :key, label = :label, text = :text, tags = :tags,
  metadata = :metadata, content_hash = :content_hash, session = :session
WHERE tenant = :tenant AND id = :id

-- name: edge_after
SELECT id, relation, canonical, metadata FROM edge WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_edge
UPDATE edge SET relation = :relation, canonical = :canonical, metadata = :metadata WHERE tenant = :tenant AND id = :id

-- name: parallel_edge
SELECT twin.id FROM edge AS own
JOIN edge AS twin ON twin.tenant = own.tenant AND twin.source = own.source AND twin.target = own.target
WHERE own.tenant = :tenant AND own.id = :id AND twin.id <> own.id AND twin.relation = :relation

-- name: trash_after
SELECT id, key, body FROM trash WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_trash
UPDATE trash SET key = :key, body = :body WHERE tenant = :tenant AND id = :id

-- name: answer_after
SELECT key, result FROM applied WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: put_answer
UPDATE applied SET result = :result WHERE tenant = :tenant AND key = :key

-- name: event_after
SELECT id, session, conversation, records FROM event WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_event
UPDATE event SET session = :session, conversation = :conversation, records = :records
WHERE tenant = :tenant AND id = :id

-- name: activity_after
SELECT id, namespace, session, event, client, action, subject, detail
FROM activity WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_activity
UPDATE activity SET namespace = :namespace, session = :session, event = :event, client = :client, action = :action,
  subject = :subject, detail = :detail
WHERE tenant = :tenant AND id = :id

-- name: token_after
SELECT id, name, namespaces FROM token WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: put_token
UPDATE token SET name = :name, namespaces = :namespaces WHERE tenant = :tenant AND id = :id

-- name: project_after
SELECT alias, alias, namespace, merged FROM project WHERE tenant = :tenant AND alias > :after ORDER BY alias LIMIT :limit

-- name: setting_after
-- Of the tenant alone: on PostgreSQL every tenant may read the facts of the store, which are numbers.
SELECT name, name, value FROM setting
WHERE tenant = :tenant AND tenant > 0 AND name > :after ORDER BY name LIMIT :limit

-- name: request_after
SELECT key, key FROM applied WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: codebase_after
SELECT id, namespace, folder, root, summary FROM repository
WHERE +tenant = :tenant AND id > :after ORDER BY id LIMIT :limit

-- name: symbol_after
SELECT record, file, qualified_name, signature, doc, parent, places FROM symbol
WHERE +tenant = :tenant AND record > :after ORDER BY record LIMIT :limit

-- name: file_after
SELECT record, path, looked_up, outline FROM source_file
WHERE +tenant = :tenant AND record > :after ORDER BY record LIMIT :limit

-- name: symbols_of_file
SELECT record FROM symbol WHERE tenant = :tenant AND file = :file
