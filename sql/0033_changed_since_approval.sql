-- The approved content, to compare the item with it (behaviour §4.24). An earlier approval has nothing to compare with.

alter table approvals add column approved jsonb;
alter table items add column changed_since_approval boolean not null default false;

create function approvable(i items) returns jsonb stable language sql as $$
  select jsonb_build_object('title', i.title, 'description', i.description, 'acceptance', i.acceptance, 'dueDate', i.due_date,
    'targetDate', i.target_date, 'target', i.target, 'parentId', i.parent_id, 'parentItemId', i.parent_item_id,
    'requirementId', i.requirement_id, 'releaseId', i.release_id, 'goalId', i.goal_id)
$$;

-- In the database, so that changes by processes of the previous version count as well.
create function judge_approval() returns trigger language plpgsql as $$
declare
  last approvals;
begin
  new.changed_since_approval := false;
  -- The change that approves, or asks anew, has its own row yet to come.
  if new.status is distinct from old.status and new.status in ('approved', 'pending_approval') then
    return new;
  end if;
  select * into last from approvals p where p.item_id = new.id order by p.id desc limit 1;
  new.changed_since_approval := last.approved is not null and last.approved is distinct from approvable(new);
  return new;
end $$;

create trigger judge_approval before update on items for each row
  when (new.type in ('requirement', 'release') and (
    (new.title, new.description, new.acceptance, new.due_date, new.target_date, new.target, new.parent_id, new.parent_item_id,
     new.requirement_id, new.release_id, new.goal_id, new.status)
    is distinct from
    (old.title, old.description, old.acceptance, old.due_date, old.target_date, old.target, old.parent_id, old.parent_item_id,
     old.requirement_id, old.release_id, old.goal_id, old.status)))
  execute function judge_approval();

alter table notifications
  add column approval_id bigint,
  add constraint notifications_approval_id_fkey foreign key (approval_id) references approvals not valid,
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed')) not valid,
  add constraint notifications_subject_check check (
    num_nonnulls(block_id, entry_id, invitation_id, approval_id) = 1
    and (kind = 'timer_long') = (entry_id is not null)
    and (kind in ('password_link', 'password_set')) = (invitation_id is not null)
    and (kind = 'approved_changed') = (approval_id is not null)
    and (workspace_id is null) = (invitation_id is not null)) not valid;
