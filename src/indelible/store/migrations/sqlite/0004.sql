-- Solutions and failures, among the records.

-- One record for all occurrences of a failure; what an older version imported carries no signature.
CREATE UNIQUE INDEX failure_signature ON record (tenant, content_hash) WHERE kind = 'failure' AND content_hash <> '';
-- A solution that is stored again is found by its text.
CREATE INDEX solution_content ON record (tenant, content_hash) WHERE kind = 'solution';
-- Which repositories keep solutions to themselves.
CREATE INDEX solution_private ON record (tenant, namespace) WHERE kind = 'solution' AND type = 'repo';
