-- Agent connections: a person's own keys for the MCP endpoint (behaviour §3.6).

create table connections (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  name text not null check (length(name) between 1 and 200),
  key_hash bytea not null unique,
  rights integer not null,
  -- personal notes, granted by the owner: 1 read, 2 add, 4 edit, 8 delete
  note_rights integer not null default 0 check (note_rights between 0 and 15),
  timezone text not null default 'UTC',
  plain_language boolean not null default false,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index connections_user on connections (user_id, id);

create table connection_workspaces (
  account_id bigint not null,
  connection_id bigint not null,
  workspace_id bigint not null,
  -- a workspace owner has disconnected this agent; its own person can't undo that
  disconnected_at timestamptz,
  primary key (connection_id, workspace_id),
  foreign key (account_id, connection_id) references connections (account_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id)
);

create index connection_workspaces_workspace on connection_workspaces (workspace_id);

-- One row per committed agent write, committed with it: it makes a retry harmless (behaviour §7.13, §7.14). Kept 30 days.
create table receipts (
  account_id bigint not null,
  connection_id bigint not null,
  request_id uuid not null,
  tool text not null,
  -- keyed hash of the parsed arguments
  fingerprint bytea not null,
  result json not null,
  created_at timestamptz not null default now(),
  primary key (connection_id, request_id),
  foreign key (account_id, connection_id) references connections (account_id, id)
);

create index receipts_created on receipts (created_at);

-- One row per tool call: no arguments, no texts (behaviour §7.19).
create table activity (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  connection_id bigint not null,
  workspace_id bigint,
  tool text not null,
  outcome text not null,
  elapsed_ms integer not null,
  at timestamptz not null default now(),
  foreign key (account_id, connection_id) references connections (account_id, id)
);

create index activity_connection on activity (connection_id, id desc);
create index activity_at on activity (at);
