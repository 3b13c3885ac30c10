-- Notifications, such as reminders and missed blocks. The row exists exactly once; a job of its own sends a mail about it. No titles or
-- texts are stored: they are read with current rights when a notification is shown or mailed.

create table notifications (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long')),
  block_id bigint references plan_blocks,
  entry_id bigint references time_entries,
  -- the time that it is about: one row for each block, kind and time
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
