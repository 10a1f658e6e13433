-- refused: leases are those of all processes

-- name: take
INSERT INTO lease (tenant, name, owner, until) VALUES (:tenant, :name, :owner, :until)
ON CONFLICT (tenant, name) DO UPDATE SET owner = excluded.owner, until = excluded.until
WHERE lease.until <= :now OR lease.owner = excluded.owner

-- name: release
DELETE FROM lease WHERE tenant = :tenant AND name = :name AND owner = :owner
