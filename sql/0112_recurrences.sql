-- Series of recurring tasks (behaviour §37.9). Ended ones stay for the history of their tasks.
create table recurrences (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  -- the latest task, which the next one copies
  item_id bigint not null,
  -- the rule runs with the rights of this user
  user_id bigint not null,
  revision integer not null default 1,
  rule text not null check (length(rule) between 1 and 500),
  -- the date from which the rule counts, and that of the latest task
  starts_on date not null,
  last_on date not null,
  -- the date after last_on; null if the rule has no more
  next_on date,
  mode text not null check (mode in ('day', 'closed')),
  state text not null check (state in ('active', 'paused', 'ended')),
  reason text check (reason in ('access', 'failed', 'stopped', 'finished', 'archived')),
  -- when the worker makes the next task; null unless active in mode day
  due_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id) on update cascade,
  foreign key (account_id, user_id) references users (account_id, id),
  check (due_at is null or (state = 'active' and mode = 'day'))
);
create unique index recurrences_item on recurrences (item_id) where state <> 'ended';
create index recurrences_due on recurrences (due_at) where due_at is not null;
create index recurrences_workspace on recurrences (workspace_id);

-- The tasks of a series. The key makes each date happen once.
create table recurrence_items (
  account_id bigint not null,
  workspace_id bigint not null,
  recurrence_id bigint not null references recurrences (id),
  occurs_on date not null,
  item_id bigint not null,
  primary key (recurrence_id, occurs_on),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id) on update cascade
);
create index recurrence_items_item on recurrence_items (item_id);
create index recurrence_items_workspace on recurrence_items (workspace_id);

alter table notifications
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed', 'assigned',
      'webhook_rests', 'owner', 'mentioned', 'commented', 'status_changed', 'approval_requested', 'approval_decided', 'due_tomorrow', 'overdue',
      'unblocked', 'series_paused')) not valid,
  add constraint notifications_subject_check check (
    case
      when kind = 'timer_long' then entry_id is not null
      when kind in ('block_starts', 'block_ends', 'block_missed') then block_id is not null
      when kind = 'webhook_rests' then webhook_id is not null
      when kind in ('password_link', 'password_set') then invitation_id is not null
      when kind = 'approved_changed' then approval_id is not null
      when kind in ('due_tomorrow', 'overdue', 'unblocked', 'series_paused') then item_id is not null and due_on is not null
      else item_id is not null and change_id is not null
    end
    and num_nonnulls(block_id, entry_id, invitation_id, webhook_id, coalesce(approval_id, item_id)) = 1
    and (workspace_id is null) = (invitation_id is not null)) not valid;
