-- The followers of all changes, and each one's position (behaviour §16.9). One row for each kind of follower, outside of any account.
create table change_followers (
  name text primary key,
  era integer not null,
  xact xid8 not null,
  id bigint not null
);

insert into change_followers (name, era, xact, id) select 'webhooks', change_era(), pg_snapshot_xmin(pg_current_snapshot()), 0;

-- Receivers of a workspace's changes, sent with the rights of the webhook's creator (behaviour §16).
create table webhooks (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  -- its creator, whose rights apply
  user_id bigint not null,
  url text not null,
  -- null: all
  kinds text[],
  -- encrypted with SECRET_KEY (src/webhooks/seal.ts): it signs messages, so a hash is not enough
  secret bytea not null,
  -- the previous secret, for a day
  old_secret bytea,
  old_secret_until timestamptz,
  -- everything before it is delivered or stored for a retry
  era integer not null,
  xact xid8 not null,
  change_id bigint not null,
  -- there may be something to deliver, and a job was added; a mark older than an hour belongs to a dropped job
  marked_at timestamptz,
  -- the delivering job, and how long it has the webhook for itself
  holder uuid,
  held_until timestamptz,
  -- since the first of consecutive failed attempts; null after a success
  failing_since timestamptz,
  rests_since timestamptz,
  rests_because text check (rests_because in ('failures', 'maker', 'secret')),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id),
  check ((rests_since is null) = (rests_because is null)),
  check ((old_secret is null) = (old_secret_until is null))
);

create index webhooks_workspace on webhooks (account_id, workspace_id);
create index webhooks_maker on webhooks (account_id, user_id);
-- for the follower: the active ones of a workspace
create index webhooks_working on webhooks (workspace_id) where revoked_at is null and rests_since is null;

-- Sent messages, and those to be sent again. No texts: each attempt reads them again, with current rights.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  webhook_id bigint not null references webhooks,
  -- null: a test
  change_id bigint references changes,
  -- dropped: its creator may not read it any more, or the webhook was revoked; failed: a test, which is not repeated
  state text not null check (state in ('waiting', 'delivered', 'dropped', 'failed')),
  attempts integer not null default 0,
  -- for waiting messages
  next_at timestamptz,
  -- of the latest attempt: time, status (null without an answer), duration
  attempted_at timestamptz,
  status integer,
  answer text,
  ms integer,
  created_at timestamptz not null default now(),
  check ((state = 'waiting') = (next_at is not null))
);

create unique index webhook_deliveries_change on webhook_deliveries (change_id, webhook_id) where change_id is not null;
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_at, id) where state = 'waiting';
create index webhook_deliveries_age on webhook_deliveries (created_at) where state <> 'waiting';

-- Its creator, or the workspace's owners, get a notification when it pauses.
alter table notifications
  add column webhook_id bigint,
  add constraint notifications_webhook_id_fkey foreign key (webhook_id) references webhooks not valid,
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed',
      'webhook_rests')) not valid,
  add constraint notifications_subject_check check (
    num_nonnulls(block_id, entry_id, invitation_id, approval_id, webhook_id) = 1
    and (kind = 'timer_long') = (entry_id is not null)
    and (kind in ('password_link', 'password_set')) = (invitation_id is not null)
    and (kind = 'approved_changed') = (approval_id is not null)
    and (kind = 'webhook_rests') = (webhook_id is not null)
    and (workspace_id is null) = (invitation_id is not null)) not valid;
