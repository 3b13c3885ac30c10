-- Changes of items with time, person and channel: one row for each change of an item, committed with it (behaviour §15).

-- Transaction numbers start again, lower, in a cluster into which a dump is restored. New rows there belong to a later era, so that they
-- still sort after everything that was read before. A constant, so that it costs neither writers nor readers a look-up.
create function change_era() returns integer language sql stable parallel safe return 1;

create function begin_change_era() returns integer language plpgsql as $$
declare
  later integer := change_era() + 1;
begin
  -- Who is writing now ends first, and who comes next writes in the new one: nothing may appear in an era that readers have left.
  lock table changes in share row exclusive mode;
  execute format('create or replace function change_era() returns integer language sql stable parallel safe return %s', later);
  return later;
end $$;

create table changes (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint not null,
  at timestamptz not null default now(),
  actor_id bigint not null,
  via text not null check (via in ('page', 'rest', 'agent', 'job', 'import', 'cli')),
  -- of a REST key or, via agent, of a connection; with its name at that time
  credential_id bigint,
  credential_name text,
  kind text not null check (kind in ('item.created', 'item.updated', 'item.archived', 'item.restored', 'item.moved', 'comment.created',
    'approval.requested', 'approval.approved', 'approval.rejected', 'approval.withdrawn')),
  -- the item's version after the change
  version integer not null,
  comment_id bigint,
  -- name to [before, after], both as in the API; a long text is `true`
  fields jsonb not null default '{}',
  -- Ids are assigned before commits, so rows do not appear in their order. Transactions older than all running ones do.
  era integer not null default change_era(),
  xact xid8 not null default pg_current_xact_id(),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);

-- Readers of a workspace, of an item, and of everything (the workers) continue from a cursor by one probe.
create index changes_workspace on changes (workspace_id, era, xact, id);
create index changes_item on changes (item_id, era, xact, id);
create index changes_all on changes (era, xact, id);

-- The long texts before a change. Null if there was none.
create table change_texts (
  account_id bigint not null,
  change_id bigint not null references changes,
  name text not null check (name in ('description', 'acceptance')),
  before text,
  primary key (change_id, name)
);
