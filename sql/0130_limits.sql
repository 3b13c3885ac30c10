-- How many rows a person, workspace, account or item may have (behaviour §13.18). src/operations/limits.ts has the numbers, too, and a test
-- compares both. Triggers count, so that every insert counts, also by processes older than this file. Rows above a limit stay.

-- Arguments: the limit's name, the table and column of the owner, the limit, the counted rows. $1 is the new row.
create function keep_limit() returns trigger language plpgsql as $$
declare
  counted bigint;
begin
  -- An exported account may have rows that exceeded a limit before it existed.
  if current_setting('stint.restoring', true) = 'on' then
    return null;
  end if;
  -- Of two inserts at once the second waits here, and then counts the row of the first.
  execute format('select from %I where id = ($1).%I for no key update', tg_argv[1], tg_argv[2]) using new;
  execute format('select count(*) from (select from %s limit %s) rows', tg_argv[4], tg_argv[3]::integer + 1) into counted using new;
  if counted > tg_argv[3]::bigint then
    raise exception 'limit of %', tg_argv[0] using errcode = 'ST006', column = tg_argv[0];
  end if;
  return null;
end $$;

create trigger limit_agents after insert on connections for each row
  execute function keep_limit('agents', 'users', 'user_id', '20', 'connections t where t.user_id = ($1).user_id and t.revoked_at is null');
create trigger limit_keys after insert on rest_keys for each row
  execute function keep_limit('keys', 'accounts', 'account_id', '200', 'rest_keys t where t.account_id = ($1).account_id and t.revoked_at is null');
create trigger limit_workspaces after insert on workspaces for each row
  execute function keep_limit('workspaces', 'accounts', 'account_id', '500', 'workspaces t where t.account_id = ($1).account_id');
create trigger limit_people after insert on users for each row
  execute function keep_limit('people', 'accounts', 'account_id', '2000', 'users t where t.account_id = ($1).account_id');
create trigger limit_statuses after insert on statuses for each row
  execute function keep_limit('statuses', 'workspaces', 'workspace_id', '50', 'statuses t where t.workspace_id = ($1).workspace_id');
create trigger limit_priorities after insert on priorities for each row
  execute function keep_limit('priorities', 'workspaces', 'workspace_id', '50', 'priorities t where t.workspace_id = ($1).workspace_id');
create trigger limit_labels after insert on labels for each row
  execute function keep_limit('labels', 'workspaces', 'workspace_id', '500', 'labels t where t.workspace_id = ($1).workspace_id and t.merged_into is null');
create trigger limit_templates after insert on templates for each row
  execute function keep_limit('templates', 'workspaces', 'workspace_id', '200', 'templates t where t.workspace_id = ($1).workspace_id');
create trigger limit_series after insert on recurrences for each row
  execute function keep_limit('series', 'workspaces', 'workspace_id', '200', 'recurrences t where t.workspace_id = ($1).workspace_id and t.state <> ''ended''');
create trigger limit_webhooks after insert on webhooks for each row
  execute function keep_limit('webhooks', 'workspaces', 'workspace_id', '20', 'webhooks t where t.workspace_id = ($1).workspace_id and t.revoked_at is null');
create trigger limit_webhooks_together after insert on webhooks for each row
  execute function keep_limit('webhooksTogether', 'accounts', 'account_id', '50', 'webhooks t where t.account_id = ($1).account_id and t.revoked_at is null');
create trigger limit_views after insert on views for each row
  execute function keep_limit('views', 'users', 'user_id', '50', 'views t where t.user_id = ($1).user_id and t.workspace_id = ($1).workspace_id');
create trigger limit_views_together after insert on views for each row
  execute function keep_limit('viewsTogether', 'users', 'user_id', '100', 'views t where t.user_id = ($1).user_id');
create trigger limit_shared_views after insert on views for each row when (new.shared)
  execute function keep_limit('sharedViews', 'workspaces', 'workspace_id', '100', 'views t where t.workspace_id = ($1).workspace_id and t.shared');
create trigger limit_newly_shared_views after update of shared on views for each row when (new.shared and not old.shared)
  execute function keep_limit('sharedViews', 'workspaces', 'workspace_id', '100', 'views t where t.workspace_id = ($1).workspace_id and t.shared');
create trigger limit_favorites after insert on stars for each row
  execute function keep_limit('favorites', 'users', 'user_id', '50', 'stars t where t.user_id = ($1).user_id');
create trigger limit_watchers after insert on item_watches for each row
  execute function keep_limit('watchers', 'items', 'item_id', '500', 'item_watches t where t.item_id = ($1).item_id');
create trigger limit_files after insert on item_files for each row
  execute function keep_limit('files', 'items', 'item_id', '50', 'item_files t where t.item_id = ($1).item_id and t.removed_at is null and t.state <> ''refused''');
create trigger limit_blocks after insert on plan_blocks for each row when (new.state in ('scheduled', 'running'))
  execute function keep_limit('blocks', 'users', 'user_id', '2000',
    'plan_blocks t where t.user_id = ($1).user_id and t.state in (''scheduled'', ''running'') and t.starts_at > now() - interval ''24 hours''');
-- Finished entries of that day (UTC), and the running timer.
create trigger limit_time_entries after insert on time_entries for each row
  execute function keep_limit('entries', 'users', 'user_id', '200',
    '(select from time_parts p where p.user_id = ($1).user_id and p.day = ($1).day
      union all select from time_entries e where e.user_id = ($1).user_id and e.minutes is null) t');
create trigger limit_folders after insert on note_folders for each row
  execute function keep_limit('folders', 'users', 'user_id', '500', 'note_folders t where t.user_id = ($1).user_id');
create trigger limit_absences after insert on absences for each row
  execute function keep_limit('absences', 'users', 'user_id', '500', 'absences t where t.user_id = ($1).user_id');
create trigger limit_working_hours after insert on working_hours for each row
  execute function keep_limit('workingHours', 'users', 'user_id', '50', 'working_hours t where t.user_id = ($1).user_id');
create trigger limit_imports after insert on imports for each row
  execute function keep_limit('imports', 'workspaces', 'workspace_id', '1000', 'imports t where t.workspace_id = ($1).workspace_id');
