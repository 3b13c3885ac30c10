-- Users, workspaces and accounts to be erased (behaviour §14.5). The row is deleted when nothing of them is left.

create table erasures (
  account_id bigint not null references accounts,
  subject text not null check (subject in ('user', 'workspace', 'account')),
  subject_id bigint not null,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null,
  -- It can't be restored any more.
  begun boolean not null default false,
  -- of an account: the users whom its erasure deactivated
  user_ids bigint[] not null default '{}',
  -- of a user: their names and addresses, to be replaced in others' texts
  names text[] not null default '{}',
  addresses text[] not null default '{}',
  -- when a worker last took it up, and where the next one continues
  taken_at timestamptz,
  step integer not null default 0,
  next_id bigint not null default 0,
  primary key (subject, subject_id)
);
create index erasures_account on erasures (account_id);

alter table users add column erased_at timestamptz;

-- One line of the audit outlives its account: the erasure.
alter table audit drop constraint audit_account_id_fkey;
