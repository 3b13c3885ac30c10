-- place_item as in sql/0004_items.sql, except that a refusal names the faulty item, as batches need.

-- Works out needs and shown from the rows above, locking the whole chain against change, and refuses wrong types and cycles.
create or replace function place_item() returns trigger language plpgsql as $$
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
    raise exception 'goalId must be the id of a goal' using errcode = 'ST001', column = 'goalId', detail = new.id::text;
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
      raise exception 'a link points at an item of the wrong type' using errcode = 'ST001', detail = new.id::text;
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
      raise exception 'a link makes a circle' using errcode = 'ST002', column = chain, detail = new.id::text;
    end if;
    if depth > 100 then
      raise exception 'links are more than 100 levels deep' using errcode = 'ST003', column = chain, detail = new.id::text;
    end if;
    select array[coalesce(i.parent_item_id, i.parent_id)] into next_ids from items i where i.id = next_ids[1] for share;
  end loop;
  return new;
end $$;
