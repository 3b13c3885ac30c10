-- Workspaces that an invited user joins on their first visit (behaviour §30.8).
create table invited_memberships (
  account_id bigint not null,
  user_id bigint not null,
  workspace_id bigint not null,
  role text not null check (role in ('owner', 'manager', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id)
);
create index invited_memberships_person on invited_memberships (account_id, user_id);
create index invited_memberships_workspace on invited_memberships (account_id, workspace_id);
