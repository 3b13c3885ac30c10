-- Workspaces, their members, statuses and priorities.

create table workspaces (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  uuid uuid not null default gen_random_uuid() unique,
  name text not null check (length(name) between 1 and 200),
  sample boolean not null default false,
  archived_at timestamptz,
  mcp_enabled boolean not null default false,
  -- the most any agent may do here, as a bit set (sql/0002_rights.sql)
  mcp_rights integer not null default 0,
  created_at timestamptz not null default now(),
  unique (account_id, id)
);

create table memberships (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  role text not null check (role in ('owner', 'manager', 'member', 'viewer')),
  -- {"releases": "none"}: can only lower the role
  overrides jsonb not null default '{}',
  -- null: by role
  time_oversight boolean,
  rights integer not null generated always as (member_rights(role, overrides, time_oversight)) stored,
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);

create index memberships_workspace on memberships (workspace_id, user_id);

create table statuses (
  account_id bigint not null,
  workspace_id bigint not null,
  key text not null check (length(key) between 1 and 100),
  label text not null check (length(label) between 1 and 200),
  types text[] not null check (types <@ array['task', 'requirement', 'goal', 'release', 'milestone'] and cardinality(types) > 0),
  status text not null check (status in ('planned', 'in_progress', 'blocked', 'in_review', 'pending_approval', 'approved', 'done', 'cancelled')),
  position integer not null,
  primary key (workspace_id, key),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  -- behaviour §4.11: approval belongs to requirements and releases
  check (status not in ('pending_approval', 'approved') or types <@ array['requirement', 'release'])
);

create table priorities (
  account_id bigint not null,
  workspace_id bigint not null,
  key text not null check (length(key) between 1 and 100),
  label text not null check (length(label) between 1 and 200),
  -- higher is more urgent
  rank integer not null,
  is_default boolean not null default false,
  primary key (workspace_id, key),
  foreign key (account_id, workspace_id) references workspaces (account_id, id)
);

create unique index priorities_default on priorities (workspace_id) where is_default;

-- Every new workspace starts with one status per canonical value and four priorities (behaviour §4.12, §4.17).
create function seed_workflow() returns trigger language plpgsql as $$
begin
  insert into statuses (account_id, workspace_id, key, label, types, status, position)
  select new.account_id, new.id, s.status, s.label,
         case when s.status in ('pending_approval', 'approved') then array['requirement', 'release']
              else array['task', 'requirement', 'goal', 'release', 'milestone'] end,
         s.status, s.position
  from (values ('planned', 'Planned', 0), ('in_progress', 'In progress', 1), ('blocked', 'Blocked', 2), ('in_review', 'In review', 3),
               ('pending_approval', 'Pending approval', 4), ('approved', 'Approved', 5), ('done', 'Done', 6), ('cancelled', 'Cancelled', 7))
       as s (status, label, position);
  insert into priorities (account_id, workspace_id, key, label, rank, is_default)
  select new.account_id, new.id, p.key, p.label, p.rank, p.key = 'normal'
  from (values ('low', 'Low', 1), ('normal', 'Normal', 2), ('high', 'High', 3), ('urgent', 'Urgent', 4)) as p (key, label, rank);
  return null;
end $$;

create trigger seed_workflow after insert on workspaces for each row execute function seed_workflow();
