-- Many tenants in one schema. The tenant is in every key, so that the tables can be spread over servers by it, and the
-- database itself shows and takes rows of the tenant only that a transaction has named (`SET LOCAL indelible.tenant`).

-- The keys: what hangs on them goes with them, and is made again below.
ALTER TABLE record DROP CONSTRAINT record_pkey CASCADE;
ALTER TABLE edge DROP CONSTRAINT edge_pkey, DROP CONSTRAINT edge_source_target_relation_key;
ALTER TABLE terms DROP CONSTRAINT terms_pkey;
ALTER TABLE access DROP CONSTRAINT access_pkey;
ALTER TABLE change DROP CONSTRAINT change_pkey;
ALTER TABLE event DROP CONSTRAINT event_pkey;
ALTER TABLE trash DROP CONSTRAINT trash_pkey;
ALTER TABLE model DROP CONSTRAINT model_pkey CASCADE;
ALTER TABLE embedding DROP CONSTRAINT embedding_pkey;
ALTER TABLE pending DROP CONSTRAINT pending_pkey;
ALTER TABLE token DROP CONSTRAINT token_pkey;
ALTER TABLE activity DROP CONSTRAINT activity_pkey;
ALTER TABLE repository DROP CONSTRAINT repository_pkey CASCADE;
ALTER TABLE source_file DROP CONSTRAINT source_file_pkey CASCADE, DROP CONSTRAINT source_file_repository_path_key;
ALTER TABLE symbol_name DROP CONSTRAINT symbol_name_pkey CASCADE, DROP CONSTRAINT symbol_name_tenant_name_key;
ALTER TABLE symbol DROP CONSTRAINT symbol_pkey;
DROP INDEX edge_target, edge_explains, message_tool, message_number, source_file_name;
DROP INDEX symbol_file, symbol_name_of, symbol_gone;

-- Where rows are hidden, an index serves only what is compared by operators that cannot tell of a row (leakproof ones:
-- of numbers and texts, not of what is taken out of JSON or out of a path). What such an index had is a column here.
-- Of what callers give only the first characters: rows of an index end at 2,704 bytes.
ALTER TABLE record
  ADD COLUMN message_tool TEXT COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN kind = 'message' THEN left(metadata::json ->> 'source_tool', 200) END) STORED,
  ADD COLUMN message_number TEXT COLLATE "C"
    GENERATED ALWAYS AS (CASE WHEN kind = 'message' THEN left(metadata::json ->> 'number', 20) END) STORED;
ALTER TABLE source_file
  ADD COLUMN name TEXT COLLATE "C"
    GENERATED ALWAYS AS (substr(path, length(rtrim(path, replace(path, '/', ''))) + 1)) STORED;

ALTER TABLE record ADD PRIMARY KEY (tenant, id);
ALTER TABLE edge ADD PRIMARY KEY (tenant, id), ADD UNIQUE (tenant, source, target, relation);
ALTER TABLE terms ADD PRIMARY KEY (tenant, record, space);
ALTER TABLE access ADD PRIMARY KEY (tenant, record);
ALTER TABLE change ADD PRIMARY KEY (tenant, position);
ALTER TABLE event ADD PRIMARY KEY (tenant, id);
ALTER TABLE trash ADD PRIMARY KEY (tenant, id);
ALTER TABLE model ADD PRIMARY KEY (tenant, id);
ALTER TABLE embedding ADD PRIMARY KEY (tenant, record, view);
ALTER TABLE pending ADD PRIMARY KEY (tenant, record);
ALTER TABLE token ADD PRIMARY KEY (tenant, id);
ALTER TABLE activity ADD PRIMARY KEY (tenant, id);
ALTER TABLE repository ADD PRIMARY KEY (tenant, id);
ALTER TABLE source_file ADD PRIMARY KEY (tenant, record), ADD UNIQUE (tenant, repository, path);
-- A part of a name is looked for in all names of a tenant (60,000 take 13 ms): they stand together in this index. By
-- three characters at a time it would take 1 to 40 ms, and sixteen times the room of the names.
ALTER TABLE symbol_name ADD PRIMARY KEY (tenant, id), ADD UNIQUE (tenant, name) INCLUDE (id);
ALTER TABLE symbol ADD PRIMARY KEY (tenant, record);

CREATE INDEX edge_target ON edge (tenant, target);
CREATE INDEX edge_explains ON edge (tenant, target, source, weight) WHERE canonical = 'EXPLAINS';
CREATE INDEX message_tool ON record (tenant, message_tool, created DESC, id DESC) WHERE kind = 'message';
CREATE INDEX message_number ON record (tenant, message_number) WHERE kind = 'message';
CREATE INDEX source_file_name ON source_file (tenant, repository, name);
CREATE INDEX symbol_file ON symbol (tenant, file);
CREATE INDEX symbol_name_of ON symbol (tenant, name);
CREATE INDEX symbol_gone ON symbol (tenant, record) WHERE gone > 0;

ALTER TABLE edge
  ADD FOREIGN KEY (tenant, source) REFERENCES record (tenant, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (tenant, target) REFERENCES record (tenant, id) ON DELETE CASCADE;
ALTER TABLE terms ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE;
ALTER TABLE access ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE;
ALTER TABLE embedding
  ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (tenant, model) REFERENCES model (tenant, id);
ALTER TABLE pending ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE;
ALTER TABLE source_file
  ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (tenant, repository) REFERENCES repository (tenant, id) ON DELETE CASCADE;
ALTER TABLE symbol
  ADD FOREIGN KEY (tenant, record) REFERENCES record (tenant, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (tenant, file) REFERENCES source_file (tenant, record) ON DELETE CASCADE,
  ADD FOREIGN KEY (tenant, name) REFERENCES symbol_name (tenant, id);

-- The log is in order within a tenant, and tenants do not wait for each other. Its positions are the tenant's own, one after
-- another: who follows it counts by them what is new, and sees by a gap that it was cut. The newest is never cut off, and
-- whoever adds one holds the tenant's lock. The rest is as it was.
ALTER TABLE change ALTER COLUMN position DROP IDENTITY;
CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || OLD.tenant, 0));
    INSERT INTO change (tenant, position, record, operation)
      SELECT OLD.tenant, coalesce(max(position), 0) + 1, OLD.id, 'delete' FROM change WHERE tenant = OLD.tenant;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || NEW.tenant, 0));
    INSERT INTO change (tenant, position, record, operation)
      SELECT NEW.tenant, coalesce(max(position), 0) + 1, NEW.id, 'put' FROM change WHERE tenant = NEW.tenant;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION edge_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF coalesce(OLD.metadata::json ->> 'origin', '') = 'index' THEN
      RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || OLD.tenant, 0));
    INSERT INTO change (tenant, position, record, operation)
      SELECT OLD.tenant, coalesce(max(position), 0) + 1, OLD.source, 'link' FROM change WHERE tenant = OLD.tenant;
  ELSIF coalesce(NEW.metadata::json ->> 'origin', '') <> 'index' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || NEW.tenant, 0));
    INSERT INTO change (tenant, position, record, operation)
      SELECT NEW.tenant, coalesce(max(position), 0) + 1, NEW.source, 'link' FROM change WHERE tenant = NEW.tenant;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION embedding_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || NEW.tenant, 0));
  INSERT INTO change (tenant, position, record, operation)
    SELECT NEW.tenant, coalesce(max(position), 0) + 1, NEW.record, 'embed' FROM change WHERE tenant = NEW.tenant;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION symbol_name_left() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM symbol_name WHERE tenant = OLD.tenant AND id = OLD.name
    AND NOT EXISTS (SELECT 1 FROM symbol WHERE symbol.tenant = OLD.tenant AND symbol.name = OLD.name);
  RETURN NULL;
END
$$;

ALTER FUNCTION record_to_embed() SET search_path FROM CURRENT;

-- Not forced here, so that a migration can change the rows of all tenants: `store/migrate_postgres.py` does it at the
-- end. Without a tenant there are no rows. Tenant 0 holds the facts of the store: all read them, migrations write.
DO $$
DECLARE
  named TEXT;
  own TEXT := 'tenant = nullif(current_setting(''indelible.tenant'', true), '''')::bigint';
BEGIN
  FOREACH named IN ARRAY ARRAY['setting', 'record', 'edge', 'terms', 'posting_block', 'access', 'change', 'event',
    'event_day', 'trash', 'applied', 'project', 'lease', 'model', 'embedding', 'pending', 'sequence', 'token',
    'activity', 'repository', 'source_file', 'symbol_name', 'symbol'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', named);
    EXECUTE format('CREATE POLICY own_tenant ON %I USING (%s) WITH CHECK (%s)', named, own, own);
  END LOOP;
  own := own || ' AND tenant > 0';
  EXECUTE format('ALTER POLICY own_tenant ON setting USING (%s) WITH CHECK (%s)', own, own);
END
$$;
CREATE POLICY whole_store ON setting FOR SELECT USING (tenant = 0);

-- The vectors of a partition (a tenant's of one model, of symbols or of all else) that are nearest to one, found with
-- pgvector: of the records `among`, exactly, or of all through the index. Where the store has no such index there are
-- none. The numbers are written into the statement: the index of a partition serves only a query that names it. No sort:
-- where the server's statistics do not know a tenant yet, it would rather sort what it takes for a few rows.
CREATE FUNCTION nearest_embeddings(
  tenant BIGINT, model BIGINT, code BIGINT, dimensions BIGINT, query TEXT, most BIGINT, among TEXT
) RETURNS SETOF BIGINT LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_sort = off AS $$
DECLARE
  place TEXT := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
  partition TEXT := format('tenant = %s AND model = %s AND code = %s', tenant, model, code);
  distance TEXT := format('vector::%1$s.halfvec(%2$s) OPERATOR(%1$s.<#>) $1::%1$s.halfvec', place, dimensions);
BEGIN
  IF place IS NULL OR to_regclass('embedding_neighbor') IS NULL THEN
    RETURN;
  END IF;
  IF among <> '' THEN  -- `+ 0`: so that no index gives the order
    RETURN QUERY EXECUTE format('SELECT record FROM embedding_neighbor WHERE %s AND record = ANY ($2::bigint[])
      ORDER BY (%s) + 0 LIMIT %s', partition, distance, most) USING query, among;
    RETURN;
  END IF;
  PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', least(1000, 2 * most)::text, true),
    set_config('hnsw.max_scan_tuples', greatest(20000, 4 * most)::text, true);
  RETURN QUERY EXECUTE format('SELECT record FROM embedding_neighbor WHERE %s ORDER BY %s LIMIT %s',
    partition, distance, most) USING query;
END
$$;
