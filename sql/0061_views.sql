-- Saved views of lists, in one workspace (behaviour §19.7). Deleted with their creator's membership.
create table views (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  name text not null check (length(name) between 1 and 80),
  -- the query of the list's address, which is the whole view
  query text not null check (length(query) <= 2000),
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);
create unique index views_name on views (user_id, workspace_id, lower(name));
create index views_shared on views (workspace_id) where shared;
create index views_account on views (account_id, workspace_id);
