-- What pgvector is used for; no store needs it. `store/neighbor_index.py` makes this where the extension is there, and
-- again, without what was left of it, where that was dropped and came back.

-- The vectors of the partitions that are kept here.
CREATE TABLE embedding_neighbor (
  tenant BIGINT NOT NULL,
  record BIGINT NOT NULL,
  view BIGINT NOT NULL,
  model BIGINT NOT NULL,
  code BIGINT NOT NULL,
  vector halfvec NOT NULL,
  PRIMARY KEY (tenant, record, view),
  FOREIGN KEY (tenant, record, view) REFERENCES embedding (tenant, record, view) ON DELETE CASCADE
);
CREATE TABLE neighbor_partition (
  tenant BIGINT NOT NULL,
  model BIGINT NOT NULL,
  code BIGINT NOT NULL,
  PRIMARY KEY (tenant, model, code)
);

-- A vector as it is stored: two bytes a value, IEEE 754 half precision, the lower byte first. The list is
-- 2^(exponent - 25) by sign and exponent; the highest exponent is that of no number.
CREATE OR REPLACE FUNCTION halfvec_of(stored BYTEA) RETURNS halfvec LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT ('{5.960464478e-08,5.960464478e-08,1.192092896e-07,2.384185791e-07,4.768371582e-07,9.536743164e-07,1.907348633e-06,3.814697266e-06,
    7.629394531e-06,1.525878906e-05,3.051757812e-05,6.103515625e-05,0.0001220703125,0.000244140625,0.00048828125,0.0009765625,
    0.001953125,0.00390625,0.0078125,0.015625,0.03125,0.0625,0.125,0.25,
    0.5,1,2,4,8,16,32,0,
    -5.960464478e-08,-5.960464478e-08,-1.192092896e-07,-2.384185791e-07,-4.768371582e-07,-9.536743164e-07,-1.907348633e-06,-3.814697266e-06,
    -7.629394531e-06,-1.525878906e-05,-3.051757812e-05,-6.103515625e-05,-0.0001220703125,-0.000244140625,-0.00048828125,-0.0009765625,
    -0.001953125,-0.00390625,-0.0078125,-0.015625,-0.03125,-0.0625,-0.125,-0.25,
    -0.5,-1,-2,-4,-8,-16,-32,0}'::float4[])[(get_byte(stored, i + 1) >> 2) + 1]
    * (((get_byte(stored, i + 1) & 3) << 8) + get_byte(stored, i)
      + CASE WHEN get_byte(stored, i + 1) & 124 > 0 THEN 1024 ELSE 0 END)
  FROM generate_series(0, length(stored) - 2, 2) AS i)::halfvec;

CREATE OR REPLACE FUNCTION embedding_neighbor_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO embedding_neighbor (tenant, record, view, model, code, vector)
  SELECT NEW.tenant, NEW.record, NEW.view, NEW.model, part.code, halfvec_of(NEW.vector)
  FROM neighbor_partition AS part JOIN record ON record.tenant = part.tenant
  WHERE part.tenant = NEW.tenant AND part.model = NEW.model AND record.id = NEW.record
    AND part.code = (record.kind = 'symbol')::int;
  RETURN NULL;
END
$$;
CREATE TRIGGER embedding_neighbor_kept AFTER INSERT ON embedding
  FOR EACH ROW EXECUTE FUNCTION embedding_neighbor_kept();

-- They go with the extension: without them everything is as if it had never been there.
ALTER FUNCTION embedding_neighbor_kept() DEPENDS ON EXTENSION vector;
ALTER TRIGGER embedding_neighbor_kept ON embedding DEPENDS ON EXTENSION vector;

DO $$
DECLARE
  named TEXT;
  own TEXT := 'tenant = nullif(current_setting(''indelible.tenant'', true), '''')::bigint';
BEGIN
  FOREACH named IN ARRAY ARRAY['embedding_neighbor', 'neighbor_partition'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', named);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', named);
    EXECUTE format('CREATE POLICY own_tenant ON %I USING (%s) WITH CHECK (%s)', named, own, own);
  END LOOP;
END
$$;
