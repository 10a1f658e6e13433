-- A file is one tenant's own: what PostgreSQL needs for many of them has no counterpart here.
SELECT 1;
