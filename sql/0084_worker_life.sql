-- Distinguishes living workers' rows from those of a restored dump (behaviour §2.4).

-- Differs for each database of each cluster.
create function database_life() returns text language sql stable as $$
  select c.system_identifier || '/' || d.oid from pg_catalog.pg_control_system() c, pg_catalog.pg_database d
  where d.datname = pg_catalog.current_database()
$$;

alter table workers add column life text not null default database_life();
