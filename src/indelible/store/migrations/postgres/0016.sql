-- The log as before, in two statements: in a cluster the row of an INSERT with a SELECT in it was copied to the node by the
-- node itself.
CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own BIGINT := coalesce(NEW.tenant, OLD.tenant);
  named TEXT := CASE WHEN TG_OP = 'DELETE' THEN 'delete' ELSE 'put' END;
  moment BIGINT := extract(epoch FROM clock_timestamp()) * 1000000;
  newest BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || own, 0));
  SELECT position INTO newest FROM change WHERE tenant = own ORDER BY position DESC LIMIT 1;
  INSERT INTO change (tenant, position, record, operation, time)
    VALUES (own, coalesce(newest, 0) + 1, coalesce(NEW.id, OLD.id), named, moment);
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION edge_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own BIGINT := coalesce(NEW.tenant, OLD.tenant);
  fields TEXT := CASE WHEN TG_OP = 'DELETE' THEN OLD.metadata ELSE NEW.metadata END;
  moment BIGINT := extract(epoch FROM clock_timestamp()) * 1000000;
  newest BIGINT;
BEGIN
  IF coalesce(fields::json ->> 'origin', '') = 'index' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || own, 0));
  SELECT position INTO newest FROM change WHERE tenant = own ORDER BY position DESC LIMIT 1;
  INSERT INTO change (tenant, position, record, operation, time)
    VALUES (own, coalesce(newest, 0) + 1, coalesce(NEW.source, OLD.source), 'link', moment);
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION embedding_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  moment BIGINT := extract(epoch FROM clock_timestamp()) * 1000000;
  newest BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('indelible ' || current_schema() || ' ' || NEW.tenant, 0));
  SELECT position INTO newest FROM change WHERE tenant = NEW.tenant ORDER BY position DESC LIMIT 1;
  INSERT INTO change (tenant, position, record, operation, time)
    VALUES (NEW.tenant, coalesce(newest, 0) + 1, NEW.record, 'embed', moment);
  RETURN NULL;
END
$$;

-- In a cluster each writer has a row of its own in `lease`, which tells it whether the projects are still as it read them.
-- It counts from a number above 0; elsewhere nothing does.
ALTER TABLE lease ADD COLUMN projects BIGINT NOT NULL DEFAULT 0;
CREATE FUNCTION project_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  changed RECORD := coalesce(NEW, OLD);
BEGIN
  UPDATE lease SET projects = projects + 1
    WHERE tenant = changed.tenant AND name >= 'commit ' AND name < 'commit!' AND projects > 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER project_changed AFTER INSERT OR UPDATE OR DELETE ON project
  FOR EACH ROW EXECUTE FUNCTION project_changed();
