-- Which transactions a forecast has seen: a page that follows a save says "Recomputing…" until they include it (behaviour §24.14). Null in
-- snapshots of an older process.
alter table capacity_snapshots add column seen pg_snapshot;
