-- Work items of all five types in one table; which field applies to which type is src/items/fields.ts (behaviour §4.2).

create table items (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  workspace_id bigint not null,
  type text not null check (type in ('task', 'requirement', 'goal', 'release', 'milestone')),
  title text not null check (length(title) between 1 and 300),
  description text not null default '' check (length(description) <= 50000),
  status text not null check (status in ('planned', 'in_progress', 'blocked', 'in_review', 'pending_approval', 'approved', 'done', 'cancelled')),
  status_key text not null,
  priority_key text,
  version integer not null default 1,
  owner_id bigint,
  assignee_id bigint,
  blocked_reason text,
  due_date date,
  start_date date,
  target_date date,
  actual_date date,
  version_label text,
  acceptance text,
  reach_period text,
  unit text,
  level text,
  estimated_hours double precision check (estimated_hours >= 0),
  progress_percent double precision check (progress_percent between 0 and 100),
  reach double precision check (reach >= 0),
  impact double precision check (impact >= 0),
  confidence double precision check (confidence between 0 and 100),
  effort double precision check (effort >= 0),
  target double precision,
  current double precision,
  parent_id bigint,
  parent_item_id bigint,
  requirement_id bigint,
  release_id bigint,
  goal_id bigint,
  archived_at timestamptz,
  -- set on done, cleared on leaving it: the forecast's last completion date (behaviour §4.18)
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  -- Set by the triggers below. needs: the read bits of its own resource and of everything above it, so that the row alone decides "may
  -- read". shown: neither it nor anything above it is archived.
  needs integer not null default 0,
  shown boolean not null default true,
  unique (workspace_id, id),
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, status_key) references statuses (workspace_id, key),
  foreign key (workspace_id, priority_key) references priorities (workspace_id, key),
  foreign key (account_id, owner_id) references users (account_id, id),
  foreign key (account_id, assignee_id) references users (account_id, id),
  -- links stay inside one workspace
  foreign key (workspace_id, parent_id) references items (workspace_id, id),
  foreign key (workspace_id, parent_item_id) references items (workspace_id, id),
  foreign key (workspace_id, requirement_id) references items (workspace_id, id),
  foreign key (workspace_id, release_id) references items (workspace_id, id),
  foreign key (workspace_id, goal_id) references items (workspace_id, id),
  check (coalesce(start_date, '-infinity') <= least(due_date, target_date)),
  check ((status = 'blocked') = (blocked_reason is not null)),
  check (status not in ('pending_approval', 'approved') or type in ('requirement', 'release'))
);

-- One page of a type: a short probe per set of ancestors (at most eight), then a merge by id.
create index items_page on items (workspace_id, type, needs, id) where shown;
-- Everything linked below an item.
create index items_parent on items (parent_id) where parent_id is not null;
create index items_parent_item on items (parent_item_id) where parent_item_id is not null;
create index items_requirement on items (requirement_id, id) where requirement_id is not null;
create index items_release on items (release_id, id) where release_id is not null;
create index items_goal on items (goal_id) where goal_id is not null;

create function own_need(type text) returns integer
  language sql immutable parallel safe strict
  return resource_bits(type || 's', 'read');

-- Works out needs and shown from the rows above, locking the whole chain against change, and refuses wrong types and cycles.
create function place_item() returns trigger language plpgsql as $$
declare
  up record;
  next_ids bigint[];
  depth integer := 0;
  -- the field that a circle is made with, for the answer
  chain text := case new.type when 'task' then 'parentItemId' else 'parentId' end;
begin
  new.needs := own_need(new.type);
  new.shown := new.archived_at is null;
  if new.goal_id is not null and not exists (select from items where id = new.goal_id and type = 'goal') then
    raise exception 'goalId must be the id of a goal' using errcode = 'ST001', column = 'goalId';
  end if;
  -- A goal's parent is a goal and hides nothing: it is followed only to find circles.
  for up in
    select i.id, i.type, i.needs, i.shown from items i
    where i.id in (new.parent_id, new.parent_item_id, new.requirement_id, new.release_id)
    order by i.id for share
  loop
    if not (case
      when up.id = new.requirement_id and up.type <> 'requirement' then false
      when up.id = new.release_id and up.type <> 'release' then false
      when up.id = new.parent_item_id and up.type not in ('task', 'milestone') then false
      when up.id = new.parent_id and up.type <> new.type then false
      else true end)
    then
      raise exception 'a link points at an item of the wrong type' using errcode = 'ST001';
    end if;
    if new.type <> 'goal' then
      new.needs := new.needs | up.needs;
      new.shown := new.shown and up.shown;
    end if;
  end loop;
  -- Circles can only be made of tasks, of requirements or of goals.
  next_ids := array[coalesce(new.parent_item_id, new.parent_id)];
  while next_ids[1] is not null loop
    depth := depth + 1;
    if next_ids[1] = new.id then
      raise exception 'a link makes a circle' using errcode = 'ST002', column = chain;
    end if;
    if depth > 100 then
      raise exception 'links are more than 100 levels deep' using errcode = 'ST003', column = chain;
    end if;
    select array[coalesce(i.parent_item_id, i.parent_id)] into next_ids from items i where i.id = next_ids[1] for share;
  end loop;
  return new;
end $$;

create trigger place_new_item before insert on items for each row execute function place_item();

create trigger place_moved_item before update on items for each row
  when ((old.parent_id, old.parent_item_id, old.requirement_id, old.release_id, old.goal_id, old.archived_at)
        is distinct from (new.parent_id, new.parent_item_id, new.requirement_id, new.release_id, new.goal_id, new.archived_at))
  execute function place_item();

-- Carries a change downwards, one level at a time: each level is a statement of its own, so that it sees what was linked while it waited.
create function place_children() returns trigger language plpgsql as $$
begin
  update items set
    needs = own_need(type) | coalesce((select bit_or(up.needs) from items up
              where up.id in (items.parent_id, items.parent_item_id, items.requirement_id, items.release_id)), 0),
    shown = archived_at is null and not exists (select from items up
              where up.id in (items.parent_id, items.parent_item_id, items.requirement_id, items.release_id) and not up.shown)
  where (parent_id = new.id or parent_item_id = new.id or requirement_id = new.id or release_id = new.id) and type <> 'goal';
  return null;
end $$;

create trigger place_children after update on items for each row
  when (old.needs <> new.needs or old.shown <> new.shown)
  execute function place_children();
