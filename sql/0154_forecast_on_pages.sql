-- The forecast that pages show: over all active workspaces of an account (behaviour §24.17).

-- The key of its scope, from their sorted ids. An account with one workspace shares that workspace's forecast.
create function account_scope_key(workspace_ids bigint[]) returns text
  language sql stable parallel safe strict
  return case when cardinality(workspace_ids) = 1 then workspace_ids[1]::text else scope_key_of(workspace_ids) end;

-- All three are null in snapshots of an older process. They are recomputed when Capacity needs them.
alter table capacity_projects
  -- position among all projects, worst first
  add column place integer,
  -- JSON of its row in Capacity without its explanation, and where the text of its tasks lies in capacity_pieces
  add column line json,
  -- workspaces whose work its dates include; null if the forecast is of one workspace
  add column workspace_ids bigint[];
