-- Notifications that an assignee is away when an item is due (behaviour §38.8): once per absence, item and person. They end with the absence.
alter table notifications
  add column absence_id bigint,
  add constraint notifications_absence_fkey foreign key (absence_id) references absences on delete cascade not valid,
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed', 'assigned',
      'webhook_rests', 'owner', 'mentioned', 'commented', 'status_changed', 'approval_requested', 'approval_decided', 'due_tomorrow', 'overdue',
      'unblocked', 'series_paused', 'away')) not valid,
  add constraint notifications_subject_check check (
    case
      when kind = 'timer_long' then entry_id is not null
      when kind in ('block_starts', 'block_ends', 'block_missed') then block_id is not null
      when kind = 'webhook_rests' then webhook_id is not null
      when kind in ('password_link', 'password_set') then invitation_id is not null
      when kind = 'approved_changed' then approval_id is not null
      when kind in ('due_tomorrow', 'overdue', 'unblocked', 'series_paused') then item_id is not null and due_on is not null
      when kind = 'away' then item_id is not null and absence_id is not null
      else item_id is not null and change_id is not null
    end
    and num_nonnulls(block_id, entry_id, invitation_id, webhook_id, coalesce(approval_id, item_id)) = 1
    and (workspace_id is null) = (invitation_id is not null)) not valid;
