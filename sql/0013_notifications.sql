-- What people are told: reminders and missed blocks. The row is what happens exactly once; a mail about it is sent by its own job.
-- No titles or texts are kept: they are read, with the rights of that moment, when a notification is shown or mailed.

create table notifications (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long')),
  block_id bigint references plan_blocks,
  entry_id bigint references time_entries,
  -- the moment it is about becoming due: for one block and kind there is one
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- set before the mail is handed over, so that no crash sends it twice
  mail_claimed_at timestamptz,
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  check (num_nonnulls(block_id, entry_id) = 1 and (kind = 'timer_long') = (entry_id is not null))
);

create unique index notifications_block on notifications (block_id, kind, due_at) where block_id is not null;
create unique index notifications_timer on notifications (entry_id, kind) where entry_id is not null;
create index notifications_person on notifications (user_id, id desc);
