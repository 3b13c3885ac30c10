-- An item waits for its blockers: it starts after the last of them is done, plus the lag in working days (behaviour §33.6). The code refuses
-- cycles, under a lock per workspace.
create table item_dependencies (
  account_id bigint not null,
  workspace_id bigint not null,
  -- the blocked item
  item_id bigint not null,
  blocker_id bigint not null,
  lag_days smallint not null default 0 check (lag_days between 0 and 365),
  primary key (item_id, blocker_id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (workspace_id, blocker_id) references items (workspace_id, id),
  check (item_id <> blocker_id)
);
create index item_dependencies_blocker on item_dependencies (blocker_id);
create index item_dependencies_workspace on item_dependencies (workspace_id);
