-- no transaction
-- Lists in their usual order (behaviour §19.2): a type, status and priority is a range by due date and number. A missing value is stored
-- as a value, so that it can be compared. The included columns let counts read only the index. `workspace_id - 0` as in items_by_id.
create index concurrently if not exists items_by_due on items
  ((workspace_id - 0), type, status_key, (coalesce(priority_key, '')), (coalesce(due, 'infinity'::date)), id, needs, assignee_id)
  include (workspace_id, priority_key, due) where shown
