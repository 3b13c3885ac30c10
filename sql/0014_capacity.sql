-- Forecasts that people read, and the snapshots that workers computed (behaviour §6.24).

-- A scope and a first week. The scope is one workspace, or all that a caller may oversee: many callers share it.
create table capacity_forecasts (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  -- the workspace's id, or '0:' and a hash of the sorted ids of all workspaces in it
  scope_key text not null,
  -- 0: all that a caller may oversee
  workspace_id bigint not null,
  workspace_ids bigint[] not null,
  -- a Monday
  week date not null check (extract(isodow from week) = 1),
  created_at timestamptz not null default now(),
  -- approximate time of the last read: read forecasts are renewed after a write, others are deleted
  read_at timestamptz not null default '-infinity',
  -- when a waiting reader last enqueued the snapshot; null once it exists
  asked_at timestamptz,
  unique (scope_key, week)
);

-- For a sorted list of workspaces.
create function scope_key_of(workspace_ids bigint[]) returns text
  language sql stable parallel safe strict
  return '0:' || encode(sha256(convert_to(array_to_string(workspace_ids, ','), 'UTF8')), 'hex');

create index capacity_forecasts_account on capacity_forecasts (account_id);
create index capacity_forecasts_created on capacity_forecasts (created_at);

-- The newest one of a forecast and day is served. Older ones are deleted right after it exists.
create table capacity_snapshots (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  forecast_id bigint not null references capacity_forecasts on delete cascade,
  day date not null,
  -- it includes everything committed by then
  as_of timestamptz not null default now(),
  took_ms integer not null default 0,
  -- hash of the body
  etag text not null default ''
);

create index capacity_snapshots_newest on capacity_snapshots (forecast_id, day, as_of desc);
create index capacity_snapshots_day on capacity_snapshots (day);

-- The answer's JSON text without canManage, cut into pieces, so that no process holds a large one as a whole.
create table capacity_pieces (
  account_id bigint not null,
  snapshot_id bigint not null references capacity_snapshots on delete cascade,
  n integer not null,
  text text not null,
  primary key (snapshot_id, n)
);

-- A project's figures on a Monday.
create table trend_points (
  account_id bigint not null,
  workspace_id bigint not null,
  project_id bigint not null,
  day date not null,
  scope_hours double precision not null,
  remaining_hours double precision not null,
  weighted_progress double precision,
  primary key (project_id, day),
  foreign key (workspace_id, project_id) references items (workspace_id, id)
);

create index trend_points_workspace on trend_points (workspace_id, day);
create index trend_points_day on trend_points (day);
