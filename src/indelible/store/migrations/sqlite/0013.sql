-- What leaves recalls at a time, and what opens briefs: found without reading the others.
CREATE INDEX record_expires ON record (tenant, metadata ->> '$.expires_at')
WHERE kind IN ('memory', 'solution') AND metadata ->> '$.expires_at' IS NOT NULL;
CREATE INDEX record_pinned ON record (tenant, namespace, kind)
WHERE kind IN ('memory', 'solution') AND metadata ->> '$.pinned' IS NOT NULL;
