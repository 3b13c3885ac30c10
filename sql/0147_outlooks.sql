-- What the last daily renewal found for an open release or milestone, and the outlook in their last notification (behaviour §10.30).
create table project_outlooks (
  account_id bigint not null,
  workspace_id bigint not null,
  item_id bigint primary key,
  outlook text not null,
  forecast_date date,
  told text not null check (told in ('within_capacity', 'at_risk', 'overcommitted')),
  told_on date,
  foreign key (account_id, workspace_id) references workspaces (account_id, id),
  foreign key (workspace_id, item_id) references items (workspace_id, id)
);
create index project_outlooks_item on project_outlooks (workspace_id, item_id);

-- Projects start with the outlook of their newest forecast, so that the first renewal sends no notification about it.
insert into project_outlooks (account_id, workspace_id, item_id, outlook, forecast_date, told)
select i.account_id, i.workspace_id, i.id, p.outlook, p.forecast_date,
  case when p.outlook in ('at_risk', 'overcommitted') then p.outlook else 'within_capacity' end
from (select distinct on (f.workspace_id) f.workspace_id, s.id from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id
      where f.workspace_id <> 0 and f.week = date_trunc('week', s.day)::date order by f.workspace_id, s.as_of desc) newest
join capacity_projects p on p.snapshot_id = newest.id
join items i on i.id = p.project_id and i.workspace_id = newest.workspace_id and i.type in ('release', 'milestone');

-- Notifications of an outlook, and the Monday summary. `told` has the figures, without titles: an object, or an array with one for each item.
alter table notifications
  add column told json,
  drop constraint notifications_kind_check,
  drop constraint notifications_subject_check,
  add constraint notifications_kind_check
    check (kind in ('block_starts', 'block_ends', 'block_missed', 'timer_long', 'password_link', 'password_set', 'approved_changed', 'assigned',
      'webhook_rests', 'owner', 'mentioned', 'commented', 'status_changed', 'approval_requested', 'approval_decided', 'due_tomorrow', 'overdue',
      'unblocked', 'series_paused', 'away', 'outlook', 'outlook_week')) not valid,
  add constraint notifications_subject_check check (
    case
      when kind = 'timer_long' then entry_id is not null
      when kind in ('block_starts', 'block_ends', 'block_missed') then block_id is not null
      when kind = 'webhook_rests' then webhook_id is not null
      when kind in ('password_link', 'password_set') then invitation_id is not null
      when kind = 'approved_changed' then approval_id is not null
      when kind in ('due_tomorrow', 'overdue', 'unblocked', 'series_paused') then item_id is not null and due_on is not null
      when kind = 'away' then item_id is not null and absence_id is not null
      when kind = 'outlook' then item_id is not null and due_on is not null and told is not null
      when kind = 'outlook_week' then due_on is not null and told is not null
      else item_id is not null and change_id is not null
    end
    and num_nonnulls(block_id, entry_id, invitation_id, webhook_id, coalesce(approval_id, item_id)) = case when kind = 'outlook_week' then 0 else 1 end
    and (workspace_id is null) = (invitation_id is not null or kind = 'outlook_week')) not valid;
