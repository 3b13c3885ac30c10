-- Prepared pages of a snapshot (behaviour §24.6), so that no page reads the texts of all tasks. Deleted with their snapshot. A snapshot of
-- an older process has none, and is recomputed when a page needs it.
create table capacity_pages (
  account_id bigint not null,
  snapshot_id bigint not null references capacity_snapshots on delete cascade,
  -- 'head', or pages of 'people' and 'projects', late ones first
  part text not null check (part in ('head', 'people', 'projects')),
  n integer not null,
  -- JSON
  text text not null,
  primary key (snapshot_id, part, n)
);
