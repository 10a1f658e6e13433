-- A file is on one machine: what a cluster of PostgreSQL needs has no counterpart here.
SELECT 1;
