-- Requests, approvals and rejections of items: user, time and message (behaviour §4.15).

create table approvals (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  user_id bigint not null,
  action text not null check (action in ('requested', 'approved', 'rejected')),
  comment text not null default '' check (length(comment) <= 12000 and (action <> 'rejected' or comment <> '')),
  -- the item's version after it
  item_version integer not null,
  -- the status that a rejection restores
  status_before text not null,
  status_key_before text not null,
  at timestamptz not null default now(),
  unique (item_id, item_version),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
