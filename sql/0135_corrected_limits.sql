-- Changes after which a row newly counts towards a limit of 0130 (behaviour §13.18): time moved to another day, planned again blocks, restored
-- files, and recurring tasks that move to another workspace. Older processes don't notice; those before 0130 answer 503 above a limit.

create trigger limit_corrected_time_entries after update of day on time_entries for each row when (new.day <> old.day)
  execute function keep_limit('entries', 'users', 'user_id', '200',
    '(select from time_parts p where p.user_id = ($1).user_id and p.day = ($1).day
      union all select from time_entries e where e.user_id = ($1).user_id and e.minutes is null) t');
create trigger limit_replanned_blocks after update of state, starts_at on plan_blocks for each row
  when (new.state in ('scheduled', 'running') and (old.state not in ('scheduled', 'running')
    or old.starts_at <= now() - interval '24 hours' and new.starts_at > now() - interval '24 hours'))
  execute function keep_limit('blocks', 'users', 'user_id', '2000',
    'plan_blocks t where t.user_id = ($1).user_id and t.state in (''scheduled'', ''running'') and t.starts_at > now() - interval ''24 hours''');
create trigger limit_restored_files after update of removed_at on item_files for each row when (new.removed_at is null and old.removed_at is not null)
  execute function keep_limit('files', 'items', 'item_id', '50', 'item_files t where t.item_id = ($1).item_id and t.removed_at is null and t.state <> ''refused''');
create trigger limit_moved_series after update of workspace_id on recurrences for each row
  when (new.workspace_id <> old.workspace_id and new.state <> 'ended')
  execute function keep_limit('series', 'workspaces', 'workspace_id', '200', 'recurrences t where t.workspace_id = ($1).workspace_id and t.state <> ''ended''');
