-- What happened to an account, its people, keys and workspaces: one row each, committed with what it tells (behaviour §17). No secrets, and no
-- foreign keys but the account's: it tells of what was, also when that is gone.

create table audit (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  at timestamptz not null default now(),
  kind text not null,
  -- null: the operator, a stranger, or nobody; the name is that of the time
  actor_id bigint,
  actor_name text not null,
  via text not null check (via in ('page', 'rest', 'agent', 'job', 'import', 'cli')),
  -- of a REST key or, via agent, of a connection; with its name at that time
  credential_id bigint,
  credential_name text,
  address text,
  workspace_id bigint,
  -- whom it concerns
  user_id bigint,
  subject text not null,
  subject_id bigint not null,
  subject_name text not null,
  -- name to [before, after]
  changes jsonb not null default '{}'
);

create index audit_account on audit (account_id, id desc);
create index audit_actor on audit (account_id, actor_id, id desc);
create index audit_user on audit (account_id, user_id, id desc);
create index audit_at on audit (at);
