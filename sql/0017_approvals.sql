-- Who asked for an item's approval, gave it or refused it, when, and with what words (behaviour §4.15).

create table approvals (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  user_id bigint not null,
  action text not null check (action in ('requested', 'approved', 'rejected')),
  comment text not null default '' check (length(comment) <= 12000 and (action <> 'rejected' or comment <> '')),
  -- the version that this made of the item
  item_version integer not null,
  -- what a rejection leads back to
  status_before text not null,
  status_key_before text not null,
  at timestamptz not null default now(),
  unique (item_id, item_version),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
