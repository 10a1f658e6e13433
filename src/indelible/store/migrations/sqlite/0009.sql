-- A SQLite file has no index of vectors, and so no function that asks one.
SELECT 1;
