-- Records are numbered tenant by tenant: with one sequence for all, the numbers told how much others write, and a tenant's
-- records lay in many more blocks of postings than they fill. None is given twice, whatever was deleted since. Whoever
-- adds a record holds the tenant's lock.
CREATE TABLE record_number (
  tenant BIGINT NOT NULL PRIMARY KEY,
  last BIGINT NOT NULL
);
ALTER TABLE record_number ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON record_number USING (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint)
  WITH CHECK (tenant = nullif(current_setting('indelible.tenant', true), '')::bigint);

-- Who was there goes on above all numbers given so far, which logs and the trash may name.
INSERT INTO record_number (tenant, last)
  SELECT tenant, coalesce(pg_sequence_last_value(pg_get_serial_sequence('record', 'id')::regclass), 0)
  FROM (SELECT tenant FROM record UNION SELECT tenant FROM change UNION SELECT tenant FROM trash
    UNION SELECT tenant FROM event) AS known;
ALTER TABLE record ALTER COLUMN id DROP IDENTITY;

CREATE FUNCTION record_numbered() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO record_number (tenant, last) VALUES (NEW.tenant, 1)
    ON CONFLICT (tenant) DO UPDATE SET last = record_number.last + 1 RETURNING record_number.last INTO NEW.id;
  RETURN NEW;
END
$$;
CREATE TRIGGER record_numbered BEFORE INSERT ON record
  FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION record_numbered();

-- Indexes of neighbors were built with too few tries: of the ten nearest of 100,000 they found 0.96. Housekeeping makes
-- those that are missing.
DO $$
DECLARE
  made TEXT;
BEGIN
  FOR made IN SELECT indexname FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename = 'embedding_neighbor' AND indexname LIKE 'neighbors\_%' LOOP
    EXECUTE format('DROP INDEX %I', made);
  END LOOP;
END
$$;

-- The function of schema 8 read the text of `among` anew for each vector of the partition, and searched it from its start:
-- with a hundred thousand ids a question took minutes. As an array of numbers it is read once, and hashed.
--
-- The vectors of a partition (a tenant's of one model, of symbols or of all else) that are nearest to one, found with
-- pgvector: of the records `among`, exactly, or of all through the index. Where the store has no such index there are
-- none. The numbers are written into the statement: the index of a partition serves only a query that names it. No sort:
-- where the server's statistics do not know a tenant yet, it would rather sort what it takes for a few rows.
CREATE OR REPLACE FUNCTION nearest_embeddings(
  tenant BIGINT, model BIGINT, code BIGINT, dimensions BIGINT, query TEXT, most BIGINT, among TEXT
) RETURNS SETOF BIGINT LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_sort = off AS $$
DECLARE
  place TEXT := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
  partition TEXT := format('tenant = %s AND model = %s AND code = %s', tenant, model, code);
  ids BIGINT[] := nullif(among, '');
  distance TEXT := format('vector::%1$s.halfvec(%2$s) OPERATOR(%1$s.<#>) $1::%1$s.halfvec', place, dimensions);
BEGIN
  IF place IS NULL OR to_regclass('embedding_neighbor') IS NULL THEN
    RETURN;
  END IF;
  IF ids IS NOT NULL THEN  -- `+ 0`: so that no index gives the order
    RETURN QUERY EXECUTE format('SELECT record FROM embedding_neighbor WHERE %s AND record = ANY ($2)
      ORDER BY (%s) + 0 LIMIT %s', partition, distance, most) USING query, ids;
    RETURN;
  END IF;
  PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', least(1000, 2 * most)::text, true),
    set_config('hnsw.max_scan_tuples', greatest(20000, 4 * most)::text, true);
  RETURN QUERY EXECUTE format('SELECT record FROM embedding_neighbor WHERE %s ORDER BY %s LIMIT %s',
    partition, distance, most) USING query;
END
$$;
