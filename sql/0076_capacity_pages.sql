-- What a page shows of a snapshot, ready to be shown (behaviour §24.6): no page reads the texts of all tasks for it. They go with their
-- snapshot; one that a process from before made has none, and is computed anew when a page asks for it.
create table capacity_pages (
  account_id bigint not null,
  snapshot_id bigint not null references capacity_snapshots on delete cascade,
  -- 'head', or pages of 'people' and 'projects', the worst first
  part text not null check (part in ('head', 'people', 'projects')),
  n integer not null,
  -- JSON
  text text not null,
  primary key (snapshot_id, part, n)
);
