-- Notifications about changes of items (behaviour §10.15): a row for each person and change, and for each person, item and date.

insert into change_followers (name, era, xact, id) select 'notifications', change_era(), pg_snapshot_xmin(pg_current_snapshot()), 0;

-- A person's own choice for an item: to get its comments and status changes or not, whatever their role for it.
create table item_watches (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  user_id bigint not null,
  watching boolean not null,
  since timestamptz not null default now(),
  primary key (item_id, user_id),
  foreign key (workspace_id, item_id) references items (workspace_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index item_watches_person on item_watches (account_id, user_id);
create index item_watches_item on item_watches (workspace_id, item_id);

-- How a person gets a kind of notification. No row: the default (src/notifications/schema.ts).
create table notification_choices (
  account_id bigint not null,
  user_id bigint not null,
  kind text not null,
  choice text not null check (choice in ('page', 'mail', 'digest', 'off')),
  primary key (user_id, kind),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index notification_choices_person on notification_choices (account_id, user_id);

-- People mentioned in a comment. Its text is stored as written.
create table comment_mentions (
  account_id bigint not null,
  comment_id bigint not null references comments,
  user_id bigint not null,
  primary key (comment_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index comment_mentions_person on comment_mentions (account_id, user_id);

-- The latest day of a person, inserted once its eighth hour has begun in their zone, when its due dates were notified.
create table notification_days (
  account_id bigint not null,
  user_id bigint primary key,
  day date not null,
  -- set before the digest is handed over, so that no crash sends it twice
  mail_claimed_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index notification_days_person on notification_days (account_id, user_id);

alter table notifications
  add column item_id bigint,
  add column change_id bigint,
  -- for due dates
  add column due_on date,
  -- for the next digest
  add column digest boolean not null default false,
  add constraint notifications_item_id_fkey foreign key (workspace_id, item_id) references items (workspace_id, id) not valid,
  add constraint notifications_change_id_fkey foreign key (change_id) references changes not valid,
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed', 'assigned',
      'webhook_rests', 'owner', 'mentioned', 'commented', 'status_changed', 'approval_requested', 'approval_decided', 'due_tomorrow', 'overdue')) not valid,
  add constraint notifications_subject_check check (
    case
      when kind = 'timer_long' then entry_id is not null
      when kind in ('block_starts', 'block_ends', 'block_missed') then block_id is not null
      when kind = 'webhook_rests' then webhook_id is not null
      when kind in ('password_link', 'password_set') then invitation_id is not null
      -- a process of the previous version sets neither item nor change
      when kind = 'approved_changed' then approval_id is not null
      when kind in ('due_tomorrow', 'overdue') then item_id is not null and due_on is not null
      else item_id is not null and change_id is not null
    end
    and num_nonnulls(block_id, entry_id, invitation_id, webhook_id, coalesce(approval_id, item_id)) = 1
    and (workspace_id is null) = (invitation_id is not null)) not valid;
