-- Stars of the sidebar, and the items that a person opened last (behaviour §38.2, §38.3). Older processes ignore them.
create table stars (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  -- Both null: the workspace itself.
  item_id bigint references items,
  view_id bigint references views on delete cascade,
  created_at timestamptz not null default now(),
  unique nulls not distinct (user_id, workspace_id, item_id, view_id),
  check (num_nonnulls(item_id, view_id) <= 1),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);
create index stars_of_item on stars (item_id) where item_id is not null;
create index stars_of_view on stars (view_id) where view_id is not null;

create table recent_items (
  user_id bigint primary key references users,
  account_id bigint not null references accounts,
  -- newest first, of all workspaces
  item_ids bigint[] not null
);
