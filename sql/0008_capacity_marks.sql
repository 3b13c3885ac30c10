-- A mark says that a workspace's forecast is out of date. The write that outdates it sets the mark in its transaction. Only a new mark
-- enqueues the recomputation: one queued job per workspace however many writes (behaviour §6.25).

create table capacity_marks (
  workspace_id bigint primary key,
  account_id bigint not null,
  marked_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id)
);
