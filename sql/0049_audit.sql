-- Events of an account, its people, keys and workspaces: one row each, committed with the change (behaviour §17). No secrets, and no
-- foreign keys except the account's, because rows outlive what they describe.

create table audit (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  at timestamptz not null default now(),
  kind text not null,
  -- null: the operator, a stranger, or no user; the name at that time
  actor_id bigint,
  actor_name text not null,
  via text not null check (via in ('page', 'rest', 'agent', 'job', 'import', 'cli')),
  -- of a REST key or, via agent, of a connection; with its name at that time
  credential_id bigint,
  credential_name text,
  address text,
  workspace_id bigint,
  -- the person concerned
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
