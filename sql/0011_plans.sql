-- Plan blocks: work that a person plans for a time. They record no hours, the timer does (behaviour §10.1).

create table plan_blocks (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  item_id bigint not null,
  state text not null default 'scheduled' check (state in ('scheduled', 'running', 'finished', 'cancelled', 'missed')),
  -- as requested, YYYY-MM-DDTHH:mm in `timezone`; starts_at and ends_at are its instants when the block was created
  start_local text not null check (start_local ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  end_local text not null check (end_local ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  timezone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  note text not null default '' check (length(note) <= 2000),
  auto_start boolean not null default false,
  auto_stop boolean not null default false,
  remind_start boolean not null default false,
  remind_end boolean not null default false,
  -- why it was missed, as a sentence for its owner
  reason text,
  -- the timer that the block started
  entry_id bigint references time_entries,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  check (ends_at > starts_at and ends_at - starts_at <= interval '24 hours'),
  check ((state = 'missed') = (reason is not null))
);

-- No block is longer than a day, so blocks that overlap a range start at most a day before it.
create index plan_blocks_person on plan_blocks (user_id, starts_at);
create index plan_blocks_workspace on plan_blocks (workspace_id, starts_at) where state <> 'cancelled';
create index plan_blocks_item on plan_blocks (item_id);
